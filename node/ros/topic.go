package ros

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
)

// message is the constraint that *T is a message. With it functions infer the pointer type
// from T alone.
type message[T any] interface {
	*T
	cdr.Message
}

// MessageInfo describes the origin of a message.
type MessageInfo struct {
	// Topic is the absolute, remapped name.
	Topic string
	// Writer and Sequence are those of Sample.
	Writer   GUID
	Sequence uint64
	// SourceTime is when the message was written, on the writer's clock; zero if unknown.
	SourceTime time.Time
	// Bytes is the size of the message.
	Bytes int
	// Err is not nil if the message exceeds the subscription's bounds or cannot be read now,
	// and BrokenToo requests such messages. Then only its head is available.
	Err error
}

// Publisher publishes messages of type T on a topic.
type Publisher[T any] struct {
	node   *Node
	topic  string
	info   cdr.TypeInfo
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
		node: n, topic: name, info: PT(new(T)).ROSType(), writer: w,
		encode: func(dst []byte, m *T) ([]byte, error) { return cdr.AppendMarshal(dst, PT(m)) },
	}
	if err := n.add(p); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// Publish sends a message and retains nothing of it. It returns an error of the encoding, if m
// exceeds a bound of its definition, or of Writer.Write.
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
	p.node.tapped(p.topic, p.info, data)
	return nil
}

// Topic returns the absolute, remapped name.
func (p *Publisher[T]) Topic() string { return p.topic }

// Subscribers returns the number of readers that receive the messages.
func (p *Publisher[T]) Subscribers() int { return len(p.writer.Matches()) }

// WaitSubscribers blocks until there are at least count readers. It returns the context's
// error if the context ends first.
func (p *Publisher[T]) WaitSubscribers(ctx context.Context, count int) error {
	return WaitForMatch(ctx, p.writer, count)
}

// Stats returns the counters of the writer.
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
	reuse    bool
	silence  func(EndpointStats)
	bounds   Bounds
	broken   bool
	rate     Rate
	tapped   bool
	reliable bool
}

// AtMost drops messages of a participant unread if it publishes more than the rate. Each such
// participant is logged once unless the rate is quiet, and EndpointStats.Refused counts the messages.
func AtMost(r Rate) SubscribeOption {
	return func(o *subscribeOptions) { o.rate = r }
}

// Within replaces MessageBounds as the bounds of messages.
func Within(b Bounds) SubscribeOption {
	return func(o *subscribeOptions) { o.bounds = b }
}

// BrokenToo also delivers messages that exceed the bounds, with their heads only:
// MessageInfo.Err says why. Otherwise they are dropped like those that do not decode.
func BrokenToo() SubscribeOption {
	return func(o *subscribeOptions) { o.broken = true }
}

// ReuseMessage decodes every message into the same variable, so that messages
// of one shape cost no allocation. The callback must then keep neither the
// message nor anything it points to after it returns.
func ReuseMessage() SubscribeOption {
	return func(o *subscribeOptions) { o.reuse = true }
}

// Tapped lets the node's tap see the messages that are received ([Node.SetTap]).
func Tapped() SubscribeOption { return func(o *subscribeOptions) { o.tapped = true } }

// OnSilence calls told when a deadline that the subscription's QoS requests is missed, and
// when a publisher becomes alive or loses its liveliness; Alive is 0 if none is left. The
// calls run on a separate goroutine, so that a blocked receiver does not delay them. Before
// the first message no deadline is missed, and without a matched publisher there is no call at
// all: a program that must not wait for ever needs a timeout for the first message.
func OnSilence(told func(EndpointStats)) SubscribeOption {
	return func(o *subscribeOptions) { o.silence = told }
}

// Subscribe calls receive with every message of a topic, with the quality of service qos or what
// OverrideQoS has made of it. The calls come one at a time, in the order in which
// each publisher published. The calls run on a goroutine of this subscription: a slow callback
// delays no other, and loses the oldest messages once the history of qos is full. The message
// belongs to the callback. Messages that do not decode are counted, logged and dropped.
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
	endpoint := n.endpoint(topicToDDS(name), PT(new(T)).ROSType(), n.overriddenQoS(name, qos), "")
	endpoint.Silence, endpoint.MaxBytes = opts.silence, opts.bounds.Bytes
	if opts.rate != (Rate{}) {
		endpoint.Admit = s.admission(opts.rate)
	}
	open := n.openReader
	if opts.reliable && endpoint.QoS.Reliability == BestEffort {
		open = n.openTwo
	}
	reader, err := open(endpoint, receiver[T, PT](s, &opts, receive))
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

// receiver decodes the samples of a subscription.
func receiver[T any, PT message[T]](s *Subscription, opts *subscribeOptions, receive func(*T, MessageInfo)) func(Sample) {
	kept := new(T)
	return func(sample Sample) {
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
		if opts.tapped && broken == nil {
			s.node.tapped(s.topic, PT(m).ROSType(), sample.Data)
		}
		receive(m, MessageInfo{Topic: s.topic, Writer: sample.Writer, Sequence: sample.Sequence, SourceTime: sample.SourceTime, Bytes: sample.Size, Err: broken})
	}
}

// admission limits how many messages per second are read of each participant, and logs who
// exceeds that.
func (s *Subscription) admission(rate Rate) func(writer GUID) bool {
	return newAdmission(rate, func(participant GUID) {
		if !rate.Quiet {
			s.node.log.Warnf("topic %s: participant %s publishes more than %g messages per second: the excess is dropped unread", s.topic, participant, rate.PerSecond)
		}
	}).admit
}

func (s *Subscription) reject(sample Sample, err error) {
	count := s.malformed.Add(1)
	if s.complain.ok() {
		s.node.log.Warnf("topic %s: dropped a malformed message (%d so far) from %s: %v", s.topic, count, sample.Writer, err)
	}
}

// Topic returns the absolute, remapped name.
func (s *Subscription) Topic() string { return s.topic }

// Publishers returns the number of writers whose messages arrive.
func (s *Subscription) Publishers() int { return len(s.reader.Matches()) }

// Writers returns the writers whose messages arrive.
func (s *Subscription) Writers() []GUID {
	matches := s.reader.Matches()
	writers := make([]GUID, len(matches))
	for i, m := range matches {
		writers[i] = m.GUID
	}
	return writers
}

// WaitPublishers blocks until there are at least count writers. It returns the context's error
// if the context ends first.
func (s *Subscription) WaitPublishers(ctx context.Context, count int) error {
	return WaitForMatch(ctx, s.reader, count)
}

// Malformed returns the number of messages that did not decode.
func (s *Subscription) Malformed() uint64 { return s.malformed.Load() }

// Stats returns the counters of the reader.
func (s *Subscription) Stats() EndpointStats { return s.reader.Stats() }

// Close ends the subscription. When it returns, no callback is running and none follows, so it
// must not be called from the callback.
func (s *Subscription) Close() error {
	s.once.Do(func() {
		s.node.remove(s)
		s.err = s.node.closeReader(s.reader)
	})
	return s.err
}

// throttle limits a kind of log line to one per second, so that a faulty peer cannot flood the
// log.
type throttle struct{ last atomic.Int64 }

func (t *throttle) ok() bool {
	now, last := time.Now().UnixNano(), t.last.Load()
	return now-last >= int64(time.Second) && t.last.CompareAndSwap(last, now)
}
