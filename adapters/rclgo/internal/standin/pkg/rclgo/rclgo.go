// Package rclgo stands in for the package of rclgo, which needs a ROS installation: the types
// and signatures that the adapter uses, on a graph in memory. It says nothing about how rclgo
// behaves.
package rclgo

import (
	"errors"
	"fmt"
	"sync"
	"time"
	"unsafe"

	"github.com/tiiuae/rclgo/pkg/rclgo/types"
)

// MessageInfo is what rclgo tells of a message beside its bytes.
type MessageInfo struct {
	SourceTimestamp   time.Time
	ReceivedTimestamp time.Time
	FromIntraProcess  bool
}

// PublisherOptions and SubscriptionOptions hold the quality of service.
type (
	PublisherOptions    struct{}
	SubscriptionOptions struct{}
)

// SubscriptionCallback is called where a message waits.
type SubscriptionCallback func(*Subscription)

// Node is a member of the graph, which is the node itself here.
type Node struct {
	mu     sync.Mutex
	topics map[string][]*Subscription
}

// Publisher writes to a topic.
type Publisher struct {
	node  *Node
	topic string
	typ   string
}

// Subscription reads a topic.
type Subscription struct {
	typ      string
	callback SubscriptionCallback
	waiting  [][]byte
}

// NewPublisher makes a publisher.
func (n *Node) NewPublisher(topic string, ts types.MessageTypeSupport, _ *PublisherOptions) (*Publisher, error) {
	return &Publisher{n, topic, ts.(support).name}, nil
}

// NewSubscription makes a subscription.
func (n *Node) NewSubscription(topic string, ts types.MessageTypeSupport, _ *SubscriptionOptions, callback SubscriptionCallback) (*Subscription, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.topics == nil {
		n.topics = map[string][]*Subscription{}
	}
	s := &Subscription{typ: ts.(support).name, callback: callback}
	n.topics[topic] = append(n.topics[topic], s)
	return s, nil
}

// PublishSerialized delivers the bytes at once, to subscriptions of the same type.
func (p *Publisher) PublishSerialized(msg []byte) error {
	p.node.mu.Lock()
	defer p.node.mu.Unlock()
	for _, s := range p.node.topics[p.topic] {
		if s.typ == p.typ {
			s.waiting = append(s.waiting, append([]byte(nil), msg...))
			s.callback(s)
		}
	}
	return nil
}

// TakeSerializedMessage returns the oldest message that waits.
func (s *Subscription) TakeSerializedMessage() ([]byte, *MessageInfo, error) {
	if len(s.waiting) == 0 {
		return nil, nil, errors.New("no message waits")
	}
	msg := s.waiting[0]
	s.waiting = s.waiting[1:]
	now := time.Now()
	return msg, &MessageInfo{SourceTimestamp: now, ReceivedTimestamp: now}, nil
}

// support is a type by its name.
type support struct{ name string }

// LoadDynamicMessageTypeSupport finds the type in the library of its package.
func LoadDynamicMessageTypeSupport(pkgName, msgName string) (types.MessageTypeSupport, error) {
	if pkgName == "" || msgName == "" {
		return nil, fmt.Errorf("failed to load type support: lib%s__rosidl_typesupport_c.so: there is no such file", pkgName)
	}
	return support{pkgName + "/" + msgName}, nil
}

func (support) New() types.Message                       { panic("not supported") }
func (support) PrepareMemory() unsafe.Pointer            { panic("not supported") }
func (support) ReleaseMemory(unsafe.Pointer)             { panic("not supported") }
func (support) AsCStruct(unsafe.Pointer, types.Message)  { panic("not supported") }
func (support) AsGoStruct(types.Message, unsafe.Pointer) { panic("not supported") }
func (support) TypeSupport() unsafe.Pointer              { return nil }
