package ros

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
)

// message is the constraint that *T is a message, by which functions infer the
// pointer type from T alone.
type message[T any] interface {
	*T
	cdr.Message
}

// MessageInfo tells where a message comes from.
type MessageInfo struct {
	// Topic is the absolute, remapped name.
	Topic string
	// Writer and Sequence are those of Sample.
	Writer   GUID
	Sequence uint64
	// SourceTime is when the message was written, on the writer's clock; zero
	// where the writer does not tell.
	SourceTime time.Time
	// Bytes is the size of the message.
	Bytes int
	// Err is not nil where the message breaks the subscription's bounds, or cannot be
	// read now, and BrokenToo asks for such messages: only its head is there.
	Err error
}

// Publisher publishes messages of type T on a topic.
type Publisher[T any] struct {
	node   *Node
	topic  string
	writer Writer
	encode func([]byte, *T) ([]byte, error)
	once   sync.Once
	err    error
}

// buffers hold encodings while they are written.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// Advertise announces a topic. The name is resolved against the node: relative
// names lie in its namespace, "~/x" under its own name, and remapping rules
// apply.
func Advertise[T any, PT message[T]](n *Node, topic string, qos QoS) (*Publisher[T], error) {
	name, err := n.ResolveTopic(topic)
	if err != nil {
		return nil, err
	}
	w, err := n.newWriter(topicToDDS(name), PT(new(T)).ROSType(), qos, "")
	if err != nil {
		return nil, fmt.Errorf("topic %s: %w", name, err)
	}
	p := &Publisher[T]{
		node: n, topic: name, writer: w,
		encode: func(dst []byte, m *T) ([]byte, error) { return cdr.AppendMarshal(dst, PT(m)) },
	}
	if err := n.add(p); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// Publish sends a message; m is not kept. Errors are those of the encoding,
// where m breaks a bound of its definition, and of Writer.Write.
func (p *Publisher[T]) Publish(m *T) error {
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	data, err := p.encode((*buffer)[:0], m)
	if err != nil {
		return fmt.Errorf("topic %s: %w", p.topic, err)
	}
	*buffer = data
	if err := p.writer.Write(data); err != nil {
		return fmt.Errorf("topic %s: %w", p.topic, err)
	}
	return nil
}

// Topic is the absolute, remapped name.
func (p *Publisher[T]) Topic() string { return p.topic }

// Subscribers is the number of readers that receive what is published.
func (p *Publisher[T]) Subscribers() int { return len(p.writer.Matches()) }

// WaitSubscribers blocks until there are at least count readers or the context
// ends, whose error it then returns.
func (p *Publisher[T]) WaitSubscribers(ctx context.Context, count int) error {
	return WaitForMatch(ctx, p.writer, count)
}

// Stats are the counters of the writer.
func (p *Publisher[T]) Stats() EndpointStats { return p.writer.Stats() }

// Close withdraws the topic.
func (p *Publisher[T]) Close() error {
	p.once.Do(func() {
		p.node.remove(p)
		p.err = p.node.closeWriter(p.writer)
	})
	return p.err
}

// Subscription receives messages of a topic until it is closed.
type Subscription struct {
	node      *Node
	topic     string
	reader    Reader
	malformed atomic.Uint64
	complain  throttle
	once      sync.Once
	err       error
}

// SubscribeOption changes how Subscribe delivers.
type SubscribeOption func(*subscribeOptions)

type subscribeOptions struct {
	reuse   bool
	silence func(EndpointStats)
	bounds  Bounds
	broken  bool
	rate    Rate
}

// AtMost drops messages of a participant unread where it publishes more than the rate.
// The log tells of each such participant once, and EndpointStats.Refused counts them.
func AtMost(r Rate) SubscribeOption {
	return func(o *subscribeOptions) { o.rate = r }
}

// Within sets other bounds for the messages than MessageBounds.
func Within(b Bounds) SubscribeOption {
	return func(o *subscribeOptions) { o.bounds = b }
}

// BrokenToo hands over messages that break the bounds, too, as far as their heads go:
// MessageInfo.Err tells. Otherwise they are dropped like those that do not decode.
func BrokenToo() SubscribeOption {
	return func(o *subscribeOptions) { o.broken = true }
}

// ReuseMessage decodes every message into the same variable, so that messages
// of one shape cost no allocation. The callback must then keep neither the
// message nor anything it points to after it returns.
func ReuseMessage() SubscribeOption {
	return func(o *subscribeOptions) { o.reuse = true }
}

// OnSilence calls told when a deadline that the subscription's QoS asks for is
// missed, and when a publisher comes to life or its liveliness is lost: then
// Alive is 0 where none is left. The calls run on a goroutine of their own, so
// that a receiver that is stuck delays none. Before the first message no
// deadline is missed, and where no publisher matches nothing is told at all:
// who must not wait for ever has to watch the clock until the first message.
func OnSilence(told func(EndpointStats)) SubscribeOption {
	return func(o *subscribeOptions) { o.silence = told }
}

// Subscribe calls receive with every message of a topic, one at a time, in the
// order in which each publisher published. The calls run on a goroutine of this
// subscription: a slow callback delays no other, and loses the oldest messages
// once the history of qos is full. The message belongs to the callback. Messages
// that do not decode are counted and logged, and go no further.
func Subscribe[T any, PT message[T]](n *Node, topic string, qos QoS, receive func(*T, MessageInfo), options ...SubscribeOption) (*Subscription, error) {
	opts := subscribeOptions{bounds: MessageBounds}
	for _, option := range options {
		option(&opts)
	}
	name, err := n.ResolveTopic(topic)
	if err != nil {
		return nil, err
	}
	s := &Subscription{node: n, topic: name}
	kept := new(T)
	endpoint := n.endpoint(topicToDDS(name), PT(new(T)).ROSType(), qos, "")
	endpoint.Silence, endpoint.MaxBytes = opts.silence, opts.bounds.Bytes
	if opts.rate != (Rate{}) {
		endpoint.Admit = newAdmission(opts.rate, func(participant GUID) {
			n.log.Warnf("topic %s: participant %s publishes more than %g messages a second: those beyond are dropped unread", name, participant, opts.rate.PerSecond)
		}).admit
	}
	reader, err := n.openReader(endpoint, func(sample Sample) {
		m := kept
		if !opts.reuse {
			m = new(T)
		}
		broken, err := opts.bounds.decode(sample, PT(m))
		if err == nil && !opts.broken {
			err = broken
		}
		if err != nil {
			s.reject(sample, err)
			return
		}
		if broken != nil {
			m = new(T)
			opts.bounds.Fields.Head(sample.Data, PT(m))
		}
		receive(m, MessageInfo{Topic: name, Writer: sample.Writer, Sequence: sample.Sequence, SourceTime: sample.SourceTime, Bytes: sample.Size, Err: broken})
	})
	if err != nil {
		return nil, fmt.Errorf("topic %s: %w", name, err)
	}
	s.reader = reader
	if err := n.add(s); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Subscription) reject(sample Sample, err error) {
	count := s.malformed.Add(1)
	if s.complain.ok() {
		s.node.log.Warnf("topic %s: dropped a malformed message (%d so far) from %s: %v", s.topic, count, sample.Writer, err)
	}
}

// Topic is the absolute, remapped name.
func (s *Subscription) Topic() string { return s.topic }

// Publishers is the number of writers whose messages arrive.
func (s *Subscription) Publishers() int { return len(s.reader.Matches()) }

// Writers are the writers whose messages arrive.
func (s *Subscription) Writers() []GUID {
	matches := s.reader.Matches()
	writers := make([]GUID, len(matches))
	for i, m := range matches {
		writers[i] = m.GUID
	}
	return writers
}

// WaitPublishers blocks until there are at least count writers or the context
// ends, whose error it then returns.
func (s *Subscription) WaitPublishers(ctx context.Context, count int) error {
	return WaitForMatch(ctx, s.reader, count)
}

// Malformed counts the messages that did not decode.
func (s *Subscription) Malformed() uint64 { return s.malformed.Load() }

// Stats are the counters of the reader.
func (s *Subscription) Stats() EndpointStats { return s.reader.Stats() }

// Close ends the subscription. When it returns, no callback is running and none
// comes; so it must not be called from the callback.
func (s *Subscription) Close() error {
	s.once.Do(func() {
		s.node.remove(s)
		s.err = s.node.closeReader(s.reader)
	})
	return s.err
}

// throttle lets one complaint through per second, so that a broken peer cannot
// flood the log.
type throttle struct{ last atomic.Int64 }

func (t *throttle) ok() bool {
	now, last := time.Now().UnixNano(), t.last.Load()
	return now-last >= int64(time.Second) && t.last.CompareAndSwap(last, now)
}
