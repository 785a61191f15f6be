package fcrclgo

import (
	"fmt"

	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
	"github.com/tiiuae/rclgo/pkg/rclgo"
	"github.com/tiiuae/rclgo/pkg/rclgo/types"
)

// message is a pointer to a message type of package msgs.
type message[T any] interface {
	*T
	cdr.Message
}

// Bounds are those of a subscription: what exceeds them is an error, and is not decoded. rcl
// has read the whole message before.
type Bounds struct {
	Bytes  int // of the whole message; 0 is no bound
	Fields cdr.Bounds
}

// Subscribe calls take for each message of a topic, and failed for each that cannot be taken
// or decoded: neither says anything about the robot. Calls are made by the wait set that the
// subscription is added to, or by Spin of its node. A message belongs to take.
//
// The package of the message type must be built in the ROS workspace: rclgo loads its type
// support. Options are those of rclgo; nil is its default.
func Subscribe[T any, PT message[T]](node *rclgo.Node, topic string, options *rclgo.SubscriptionOptions, b Bounds,
	take func(*T, *rclgo.MessageInfo), failed func(error),
) (*rclgo.Subscription, error) {
	support, err := typeSupport(PT(new(T)).ROSType())
	if err != nil {
		return nil, fmt.Errorf("subscription of %s: %w", topic, err)
	}
	return node.NewSubscription(topic, support, options, func(s *rclgo.Subscription) {
		data, info, err := s.TakeSerializedMessage()
		if err != nil {
			failed(fmt.Errorf("%s: %w", topic, err))
			return
		}
		m := PT(new(T))
		if err := b.decode(data, m); err != nil {
			failed(fmt.Errorf("%s: %w", topic, err))
			return
		}
		take((*T)(m), info)
	})
}

func (b Bounds) decode(data []byte, m cdr.Message) error {
	if b.Bytes > 0 && len(data) > b.Bytes {
		return fmt.Errorf("%s of %d bytes: %w is %d", m.ROSType().ROSName(), len(data), cdr.ErrBound, b.Bytes)
	}
	return b.Fields.Unmarshal(data, m)
}

// Publisher publishes one type of message on a topic.
type Publisher[T any, PT message[T]] struct {
	topic string
	of    *rclgo.Publisher
}

// Advertise makes a publisher. Options are those of rclgo; nil is its default.
func Advertise[T any, PT message[T]](node *rclgo.Node, topic string, options *rclgo.PublisherOptions) (*Publisher[T, PT], error) {
	support, err := typeSupport(PT(new(T)).ROSType())
	if err != nil {
		return nil, fmt.Errorf("publisher of %s: %w", topic, err)
	}
	p, err := node.NewPublisher(topic, support, options)
	if err != nil {
		return nil, fmt.Errorf("publisher of %s: %w", topic, err)
	}
	return &Publisher[T, PT]{topic, p}, nil
}

// Publish sends a message. It fails on one that breaks a bound of its own definition.
func (p *Publisher[T, PT]) Publish(m *T) error {
	data, err := cdr.AppendMarshal(nil, PT(m))
	if err == nil {
		err = p.of.PublishSerialized(data)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", p.topic, err)
	}
	return nil
}

func typeSupport(t cdr.TypeInfo) (types.MessageTypeSupport, error) {
	if t.Kind != "msg" {
		return nil, fmt.Errorf("%s is no message of a topic", t.ROSName())
	}
	return rclgo.LoadDynamicMessageTypeSupport(t.Package, t.Name)
}
