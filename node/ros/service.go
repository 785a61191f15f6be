package ros

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
)

// Limits of a server's patience with clients that cannot hear yet.
const (
	// replyTimeout is how long a reply waits for the client's reader.
	replyTimeout = time.Second
	// maxWaiting is how many replies may wait at once.
	maxWaiting = 64
)

// Service answers the requests of a service until it is closed.
type Service struct {
	node    *Node
	name    string
	reader  Reader
	writer  Writer
	ctx     context.Context
	cancel  context.CancelFunc
	turns   chan struct{} // nil: one request at a time
	waiting chan struct{}
	running sync.WaitGroup

	malformed atomic.Uint64
	unheard   atomic.Uint64
	complain  throttle
	once      sync.Once
	err       error
}

// ServeOption changes how Serve calls its handler.
type ServeOption func(*Service)

// Concurrent lets up to limit calls of the handler run at once.
func Concurrent(limit int) ServeOption {
	return func(s *Service) { s.turns = make(chan struct{}, max(limit, 1)) }
}

// Serve answers requests with what handle returns; nil means no answer, which
// leaves the client to its timeout. Requests are handled one after another on a
// goroutine of the service, unless Concurrent says otherwise. The context ends
// when the service closes. Requests that do not decode are counted and logged,
// and get no answer: those of Fast DDS nodes, whose header is elsewhere, are
// among them.
func Serve[Req, Resp any, PReq message[Req], PResp message[Resp]](n *Node, service string, qos QoS, handle func(context.Context, *Req) *Resp, options ...ServeOption) (*Service, error) {
	return serve(n, service, qos, PReq(new(Req)).ROSType(), PResp(new(Resp)).ROSType(), options,
		func(ctx context.Context, data []byte) ([]byte, error) {
			request := new(Req)
			id, err := cdr.UnmarshalService(data, PReq(request))
			if err != nil {
				return nil, err
			}
			response := handle(ctx, request)
			if response == nil {
				return nil, nil
			}
			reply, err := cdr.AppendService(nil, id, PResp(response))
			if err != nil {
				return nil, fmt.Errorf("reply: %w", err)
			}
			return reply, nil
		})
}

// serve is Serve on encoded requests and replies.
func serve(n *Node, service string, qos QoS, request, response cdr.TypeInfo, options []ServeOption, answer func(context.Context, []byte) ([]byte, error)) (*Service, error) {
	name, err := n.ResolveService(service)
	if err != nil {
		return nil, err
	}
	s := &Service{node: n, name: name, waiting: make(chan struct{}, maxWaiting)}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	for _, option := range options {
		option(s)
	}
	id := "serviceid=" + n.newEndpointID() + ";"
	// The writer goes first: the reader may receive at once.
	s.writer, err = n.newWriter(replyToDDS(name), response, qos, id)
	if err == nil {
		s.reader, err = n.newReader(requestToDDS(name), request, qos, id, func(sample Sample) { s.receive(sample, answer) })
		if err != nil {
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

func (s *Service) receive(sample Sample, answer func(context.Context, []byte) ([]byte, error)) {
	if s.turns == nil {
		s.handle(sample, answer)
		return
	}
	select {
	case s.turns <- struct{}{}:
	case <-s.ctx.Done():
		return
	}
	s.running.Add(1)
	go func() {
		defer s.running.Done()
		defer func() { <-s.turns }()
		s.handle(sample, answer)
	}()
}

func (s *Service) handle(sample Sample, answer func(context.Context, []byte) ([]byte, error)) {
	reply, err := answer(s.ctx, sample.Data)
	if err != nil {
		count := s.malformed.Add(1)
		if s.complain.ok() {
			s.node.log.Warnf("service %s: dropped a request (%d so far) from %s: %v", s.name, count, sample.Writer, err)
		}
		return
	}
	if reply != nil {
		s.reply(sample.Writer, reply)
	}
}

// reply sends a reply at once where the client can hear it, and otherwise waits
// for its reader in the background: a client may send its first request before
// the service has discovered the reader for the reply.
func (s *Service) reply(client GUID, data []byte) {
	heard := s.hearing(client)
	if heard(s.writer.Matches()) {
		s.send(data)
		return
	}
	select {
	case s.waiting <- struct{}{}:
	default:
		s.dropReply(client, errors.New("too many replies wait for their clients"))
		return
	}
	s.running.Add(1)
	go func() {
		defer s.running.Done()
		defer func() { <-s.waiting }()
		ctx, cancel := context.WithTimeout(s.ctx, replyTimeout)
		defer cancel()
		if err := s.writer.WaitMatches(ctx, heard); err != nil {
			s.dropReply(client, fmt.Errorf("no reader for the reply appeared: %w", err))
			return
		}
		s.send(data)
	}()
}

// hearing returns the test for the client's reader among those that get
// replies: the one with the client's id, or, for clients that announce no id,
// one of the same participant.
func (s *Service) hearing(client GUID) func([]Match) bool {
	id := ""
	for _, m := range s.reader.Matches() {
		if m.GUID == client {
			id = userDataValue(m.UserData, "clientid")
		}
	}
	return func(readers []Match) bool {
		if client.IsZero() {
			return true // the transport cannot tell
		}
		for _, m := range readers {
			if id != "" && userDataValue(m.UserData, "clientid") == id {
				return true
			}
			if id == "" && m.GUID.SameParticipant(client) {
				return true
			}
		}
		return false
	}
}

func (s *Service) send(data []byte) {
	if err := s.writer.Write(data); err != nil && !errors.Is(err, ErrClosed) && s.complain.ok() {
		s.node.log.Warnf("service %s: reply not sent: %v", s.name, err)
	}
}

func (s *Service) dropReply(client GUID, err error) {
	count := s.unheard.Add(1)
	if s.ctx.Err() == nil && s.complain.ok() {
		s.node.log.Warnf("service %s: dropped the reply to %s (%d so far): %v", s.name, client, count, err)
	}
}

// Name is the absolute, remapped name.
func (s *Service) Name() string { return s.name }

// Clients is the number of clients whose requests arrive.
func (s *Service) Clients() int { return len(s.reader.Matches()) }

// WaitClients blocks until there are at least count clients or the context
// ends, whose error it then returns.
func (s *Service) WaitClients(ctx context.Context, count int) error {
	return WaitForMatch(ctx, s.reader, count)
}

// Malformed counts the requests that did not decode.
func (s *Service) Malformed() uint64 { return s.malformed.Load() }

// Unheard counts the replies that were dropped because their client's reader
// did not appear.
func (s *Service) Unheard() uint64 { return s.unheard.Load() }

// Close withdraws the service. It waits for handlers that are running, whose
// context ends; it must not be called from one.
func (s *Service) Close() error {
	s.once.Do(func() {
		s.cancel()
		s.node.remove(s)
		err := s.node.closeReader(s.reader)
		s.running.Wait()
		s.err = errors.Join(err, s.node.closeWriter(s.writer))
	})
	return s.err
}

// Client calls a service. Several goroutines may call at once.
type Client[Req, Resp any] struct {
	node   *Node
	name   string
	id     uint64
	writer Writer
	reader Reader
	encode func(cdr.RequestID, *Req) ([]byte, error)
	once   sync.Once
	err    error

	mu        sync.Mutex
	sequence  int64
	pending   map[int64]chan result[Resp]
	available time.Time // since when Wait has seen a server, without a break
}

type result[Resp any] struct {
	response *Resp
	err      error
}

// NewClient prepares calls of a service.
func NewClient[Req, Resp any, PReq message[Req], PResp message[Resp]](n *Node, service string, qos QoS) (*Client[Req, Resp], error) {
	name, err := n.ResolveService(service)
	if err != nil {
		return nil, err
	}
	c := &Client[Req, Resp]{
		node: n, name: name, id: rand.Uint64(), pending: map[int64]chan result[Resp]{},
		encode: func(id cdr.RequestID, m *Req) ([]byte, error) { return cdr.AppendService(nil, id, PReq(m)) },
	}
	user := "clientid=" + n.newEndpointID() + ";"
	c.reader, err = n.newReader(replyToDDS(name), PResp(new(Resp)).ROSType(), qos, user, func(sample Sample) {
		c.receive(sample.Data, func(data []byte) (*Resp, error) {
			response := new(Resp)
			_, err := cdr.UnmarshalService(data, PResp(response))
			return response, err
		})
	})
	if err == nil {
		c.writer, err = n.newWriter(requestToDDS(name), PReq(new(Req)).ROSType(), qos, user)
		if err != nil {
			n.closeReader(c.reader)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("service %s: %w", name, err)
	}
	if err := n.add(c); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// receive hands a reply to the call that waits for it. Replies to other clients
// arrive too and are left alone before anything of their body is read.
func (c *Client[Req, Resp]) receive(data []byte, decode func([]byte) (*Resp, error)) {
	id, err := requestID(data)
	if err != nil || id.Client != c.id {
		return
	}
	c.mu.Lock()
	reply, waits := c.pending[id.Sequence]
	delete(c.pending, id.Sequence)
	c.mu.Unlock()
	if !waits {
		return
	}
	response, err := decode(data)
	if err != nil {
		reply <- result[Resp]{err: fmt.Errorf("service %s: malformed reply: %w", c.name, err)}
		return
	}
	reply <- result[Resp]{response: response}
}

// Call waits for the service, sends a request and waits for the reply, until
// the context ends.
func (c *Client[Req, Resp]) Call(ctx context.Context, request *Req) (*Resp, error) {
	if err := c.Wait(ctx); err != nil {
		return nil, err
	}
	c.mu.Lock()
	c.sequence++
	sequence := c.sequence
	reply := make(chan result[Resp], 1)
	c.pending[sequence] = reply
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		delete(c.pending, sequence)
		c.mu.Unlock()
	}()
	data, err := c.encode(cdr.RequestID{Client: c.id, Sequence: sequence}, request)
	if err == nil {
		err = c.writer.Write(data)
	}
	if err != nil {
		return nil, fmt.Errorf("service %s: %w", c.name, err)
	}
	select {
	case r := <-reply:
		return r.response, r.err
	case <-ctx.Done():
		return nil, fmt.Errorf("service %s: no reply: %w", c.name, ctx.Err())
	}
}

// waitRound bounds one wait for a match on one side, after which both sides are
// looked at again.
const waitRound = 50 * time.Millisecond

// settling is how long a server must have been there before a request is sent.
// A client learns of a server a little before or after the server learns of the
// client, and a request that comes before is lost without a trace.
const settling = 100 * time.Millisecond

// Wait blocks until a server of the service can be reached and heard and has
// been there for a tenth of a second, or the context ends.
func (c *Client[Req, Resp]) Wait(ctx context.Context) error {
	for {
		rest := c.settle()
		if rest <= 0 {
			return nil
		}
		round, cancel := context.WithTimeout(ctx, min(rest, waitRound))
		err := c.reader.WaitMatches(round, func([]Match) bool { return rest > settling && c.Available() })
		cancel()
		switch {
		case ctx.Err() != nil:
			return fmt.Errorf("service %s: not available: %w", c.name, ctx.Err())
		case err != nil && !errors.Is(err, context.DeadlineExceeded):
			return fmt.Errorf("service %s: %w", c.name, err)
		}
	}
}

// settle returns how long a server still has to be there: more than settling
// while there is none.
func (c *Client[Req, Resp]) settle() time.Duration {
	available := c.Available()
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case !available:
		c.available = time.Time{}
		return settling + 1
	case c.available.IsZero():
		c.available = time.Now()
	}
	return settling - time.Since(c.available)
}

// Available reports whether both halves of a server are there: the reader of
// requests and, of the same server, the writer of replies.
func (c *Client[Req, Resp]) Available() bool {
	writers := c.reader.Matches()
	for _, reader := range c.writer.Matches() {
		id := userDataValue(reader.UserData, "serviceid")
		for _, writer := range writers {
			if id != "" && userDataValue(writer.UserData, "serviceid") == id {
				return true
			}
			if id == "" && writer.GUID.SameParticipant(reader.GUID) {
				return true
			}
		}
	}
	return false
}

// Name is the absolute, remapped name.
func (c *Client[Req, Resp]) Name() string { return c.name }

// Close ends the client. Calls that wait keep waiting for their contexts.
func (c *Client[Req, Resp]) Close() error {
	c.once.Do(func() {
		c.node.remove(c)
		c.err = errors.Join(c.node.closeWriter(c.writer), c.node.closeReader(c.reader))
	})
	return c.err
}

// Call calls a service once, with a client made for the purpose.
func Call[Req, Resp any, PReq message[Req], PResp message[Resp]](ctx context.Context, n *Node, service string, qos QoS, request *Req) (*Resp, error) {
	c, err := NewClient[Req, Resp, PReq, PResp](n, service, qos)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	return c.Call(ctx, request)
}

// requestID reads the header of a request or reply and nothing else.
func requestID(data []byte) (cdr.RequestID, error) {
	var r cdr.Reader
	if err := r.Reset(data); err != nil {
		return cdr.RequestID{}, err
	}
	id := cdr.RequestID{Client: r.Uint64(), Sequence: r.Int64()}
	return id, r.Err()
}

// newEndpointID makes an id that a service's or client's two endpoints share,
// in the form of rmw_cyclonedds: the participant's 12 bytes and a counter.
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

// userDataValue finds a key in user data of the form "key=value;key=value;".
func userDataValue(data, key string) string {
	for _, entry := range strings.Split(data, ";") {
		if k, v, ok := strings.Cut(entry, "="); ok && k == key {
			return v
		}
	}
	return ""
}
