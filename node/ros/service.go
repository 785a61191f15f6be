package ros

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"

	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
)

// replyTimeout is how long a reply waits for the client's reader.
const replyTimeout = time.Second

// Service answers the requests of a service until it is closed.
type Service struct {
	node    *Node
	name    string
	bounds  Bounds
	reader  Reader
	writer  Writer
	ctx     context.Context
	cancel  context.CancelFunc
	turns   chan struct{} // nil: one request at a time
	mu      sync.Mutex
	closed  bool           // nothing begins to run any more
	running sync.WaitGroup // under mu until closed
	clients known          // ids of clients; used by the reader's goroutine only
	early   early

	foreign   atomic.Uint64
	malformed atomic.Uint64
	unheard   atomic.Uint64
	complain  throttle
	once      sync.Once
	err       error
}

// ServeOption changes how Serve and ServeEach call their handlers.
type ServeOption func(*Service)

// Concurrent lets up to limit calls of Serve's handler run at once.
func Concurrent(limit int) ServeOption {
	return func(s *Service) { s.turns = make(chan struct{}, max(limit, 1)) }
}

// RequestsWithin replaces MessageBounds as the bounds of requests.
func RequestsWithin(b Bounds) ServeOption {
	return func(s *Service) { s.bounds = b }
}

// RequestInfo describes the origin of a request.
type RequestInfo struct {
	// Client is the participant that sent it.
	Client GUID
	// Bytes is the size of the request.
	Bytes int
	// Err is not nil if the request exceeds the service's bounds or cannot be read now. Then
	// only its head is available.
	Err error
}

// Serve answers requests with the result of handle. A nil result sends no answer, and the
// client runs into its timeout. Requests are handled one after another on a goroutine of the
// service, unless Concurrent says otherwise. The context ends when the service closes.
//
// A request is read only if its form is known, see asker: the bytes alone do not show
// it. Other requests, and those that do not decode or exceed the bounds, are counted and
// logged, and get no answer.
func Serve[Req, Resp any, PReq message[Req], PResp message[Resp]](n *Node, service string, qos QoS, handle func(context.Context, *Req) *Resp, options ...ServeOption) (*Service, error) {
	var s *Service
	options = append(options, func(made *Service) { s = made })
	return ServeEach[Req, Resp, PReq, PResp](n, service, qos, func(request *Req, info RequestInfo, reply func(*Resp)) {
		if info.Err != nil {
			s.dropRequest(&s.malformed, info.Client, info.Err)
			return
		}
		s.inTurn(func() {
			if response := handle(s.ctx, request); response != nil {
				reply(response)
			}
		})
	}, options...)
}

// inTurn runs work on the caller's goroutine, or on another one if Concurrent allows it.
func (s *Service) inTurn(work func()) {
	if s.turns == nil {
		work()
		return
	}
	select {
	case s.turns <- struct{}{}:
	case <-s.ctx.Done():
		return
	}
	begun := s.begin(func() {
		defer func() { <-s.turns }()
		work()
	})
	if !begun {
		<-s.turns
	}
}

// begin runs work on a goroutine of its own, which Close waits for, unless the service is closed.
func (s *Service) begin(work func()) (begun bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.running.Add(1)
	go func() {
		defer s.running.Done()
		work()
	}()
	return true
}

// ServeEach passes each request to take, one after another on a goroutine of the service. take
// must not block, so that a flood of requests displaces none. It answers by calling reply
// once, at any time and from any goroutine. Requests that exceed the bounds are passed too,
// see RequestInfo.Err. Unreadable requests are treated as by Serve.
func ServeEach[Req, Resp any, PReq message[Req], PResp message[Resp]](n *Node, service string, qos QoS, take func(*Req, RequestInfo, func(*Resp)), options ...ServeOption) (*Service, error) {
	return serve(n, service, qos, PReq(new(Req)).ROSType(), PResp(new(Resp)).ROSType(), options,
		func(s *Service, from asker, sample Sample) error {
			request := new(Req)
			broken, err := from.decode(s.bounds, sample, PReq(request))
			if broken != nil {
				request = new(Req)
				err = from.decodeHead(s.bounds, sample, PReq(request))
			}
			if err != nil {
				return err
			}
			take(request, RequestInfo{Client: sample.Writer.Participant(), Bytes: sample.Size, Err: broken}, func(response *Resp) {
				data, err := from.encode(PResp(response))
				if err != nil {
					s.node.log.Errorf("service %s: reply: %v", s.name, err)
					return
				}
				s.reply(from, data)
			})
			return nil
		})
}

// serve is ServeEach on encoded requests.
func serve(n *Node, service string, qos QoS, request, response cdr.TypeInfo, options []ServeOption, take func(s *Service, from asker, sample Sample) error) (*Service, error) {
	name, err := n.ResolveService(service)
	if err != nil {
		return nil, err
	}
	s := &Service{node: n, name: name, bounds: MessageBounds}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	for _, option := range options {
		option(s)
	}
	id := "serviceid=" + n.newEndpointID() + ";"
	// Create the writer first: the reader may receive at once.
	s.writer, err = n.newWriter(replyToDDS(name), response, withHistory(qos), id)
	if err == nil {
		endpoint := n.endpoint(requestToDDS(name), request, withHistory(qos), id)
		endpoint.MaxBytes = s.bounds.Bytes
		if err = n.openInto(&s.reader, endpoint, func(sample Sample) { s.receive(sample, take) }); err != nil {
			n.closeWriter(s.writer)
		}
	}
	if err != nil {
		s.cancel()
		return nil, fmt.Errorf("service %s: %w", name, err)
	}
	if err := n.add(s); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// withHistory returns the QoS of a reader or writer of requests or replies. Each of them
// matters: a history of ten would lose most of a thousand at once.
func withHistory(qos QoS) QoS {
	if qos.Depth != KeepAll {
		qos.Depth = max(qos.Depth, limit.ServiceHistory)
	}
	return qos
}

func (s *Service) receive(sample Sample, take func(*Service, asker, Sample) error) {
	from, err := s.asker(sample)
	if err != nil {
		s.dropRequest(&s.foreign, sample.Writer, err)
		return
	}
	if err := take(s, from, sample); err != nil {
		s.dropRequest(&s.malformed, sample.Writer, err)
	}
}

func (s *Service) dropRequest(counter *atomic.Uint64, writer GUID, err error) {
	count := counter.Add(1)
	if s.complain.ok() {
		s.node.log.Warnf("service %s: dropped a request (%d so far) from %s: %v", s.name, count, writer, err)
	}
}

// reply sends a reply at once if the client's reader is matched, and otherwise waits for the
// reader in the background: a client may send its first request before the service has
// discovered the reader for the reply.
func (s *Service) reply(to asker, data []byte) {
	answer := reply{data: data, related: to.related}
	switch s.early.add(to.client, answer, func() bool { return to.hears(s.writer.Matches()) }) {
	case replyNow:
		s.send(answer)
	case replyDropped:
		s.dropReply(to.client, errors.New("too many replies wait for their clients"))
	case replyFirst:
		if !s.begin(func() { s.replyOnceHeard(to) }) {
			s.early.take(to.client, false)
		}
	}
}

// replyOnceHeard sends the replies that wait for a client when it has a reader for them, and drops them if it gets none.
func (s *Service) replyOnceHeard(to asker) {
	ctx, cancel := context.WithTimeout(s.ctx, replyTimeout)
	defer cancel()
	err := s.writer.WaitMatches(ctx, to.hears)
	for _, answer := range s.early.take(to.client, err == nil) {
		if err == nil {
			s.send(answer)
		} else {
			s.dropReply(to.client, fmt.Errorf("no reader for the reply appeared: %w", err))
		}
	}
}

// reply is an encoded reply, and the identity that goes beside it, if not zero.
type reply struct {
	data    []byte
	related SampleID
}

func (s *Service) send(r reply) {
	err := writeRelated(s.writer, r.data, r.related)
	if err != nil && !errors.Is(err, ErrClosed) && s.complain.ok() {
		s.node.log.Warnf("service %s: reply not sent: %v", s.name, err)
	}
}

func (s *Service) dropReply(client string, err error) {
	count := s.unheard.Add(1)
	if s.ctx.Err() == nil && s.complain.ok() {
		s.node.log.Warnf("service %s: dropped the reply to client %s (%d so far): %v", s.name, client, count, err)
	}
}

// Name returns the absolute, remapped name.
func (s *Service) Name() string { return s.name }

// Clients returns the number of clients whose requests arrive.
func (s *Service) Clients() int { return len(s.reader.Matches()) }

// WaitClients blocks until there are at least count clients. It returns the context's error if
// the context ends first.
func (s *Service) WaitClients(ctx context.Context, count int) error {
	return WaitForMatch(ctx, s.reader, count)
}

// Foreign returns the number of requests that were not read because their form is unknown, or
// this node's transport cannot answer in it.
func (s *Service) Foreign() uint64 { return s.foreign.Load() }

// Malformed returns the number of requests that did not decode.
func (s *Service) Malformed() uint64 { return s.malformed.Load() }

// Unheard returns the number of replies that were dropped because their client's reader did
// not appear.
func (s *Service) Unheard() uint64 { return s.unheard.Load() }

// Close withdraws the service. It ends the context of running handlers and waits for them, so
// it must not be called from one.
func (s *Service) Close() error {
	s.once.Do(func() {
		s.cancel()
		s.node.remove(s)
		err := s.node.closeReader(s.reader)
		s.mu.Lock()
		s.closed = true
		s.mu.Unlock()
		s.running.Wait()
		s.err = errors.Join(err, s.node.closeWriter(s.writer))
	})
	return s.err
}

// newEndpointID makes an id that a service's or client's two endpoints share, in the form of
// rmw_cyclonedds: the participant's 12 bytes and a counter.
func (n *Node) newEndpointID() string {
	n.mu.Lock()
	n.clients++
	count := n.clients
	n.mu.Unlock()
	id := n.participant.GUID()
	id[12], id[13], id[14], id[15] = byte(count>>24), byte(count>>16), byte(count>>8), byte(count)
	var text strings.Builder
	fmt.Fprintf(&text, "%2x", id[0])
	for _, b := range id[1:] {
		fmt.Fprintf(&text, ".%x", b)
	}
	return text.String()
}
