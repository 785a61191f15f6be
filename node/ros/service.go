package ros

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/limit"

	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
)

// replyTimeout is how long a reply waits for the client's reader.
const replyTimeout = time.Second

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

	foreign   atomic.Uint64
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
// when the service closes.
//
// A request is read only if its writer is known to put a cdr.RequestID before
// the body, as nodes on rmw_cyclonedds_cpp do: the bytes do not tell. Requests of
// other writers, and those that do not decode, are counted and logged, and get
// no answer.
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
	s := &Service{node: n, name: name, waiting: make(chan struct{}, limit.WaitingReplies)}
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
	client, err := clientOf(sample.Writer, s.reader.Matches())
	if err != nil {
		s.dropRequest(&s.foreign, sample.Writer, err)
		return
	}
	reply, err := answer(s.ctx, sample.Data)
	if err != nil {
		s.dropRequest(&s.malformed, sample.Writer, err)
		return
	}
	if reply != nil {
		s.reply(client, reply)
	}
}

// clientOf returns the id of the client that a writer of requests belongs to. It
// is an error if the writer is not known to send requests in the form of
// rmw_cyclonedds, which is told by the id that it announces and by its vendor.
func clientOf(writer GUID, writers []Match) (string, error) {
	if v, known := writer.Vendor(); known && v != cycloneVendor {
		return "", fmt.Errorf("its writer is of DDS vendor %s, whose form of requests is another; call from a node with RMW_IMPLEMENTATION=rmw_cyclonedds_cpp", v)
	}
	for _, m := range writers {
		if m.GUID != writer {
			continue
		}
		if id := userDataValue(m.UserData, "clientid"); id != "" {
			return id, nil
		}
		return "", errors.New("its writer announces no clientid, so the form of its requests is not known; call from a node with RMW_IMPLEMENTATION=rmw_cyclonedds_cpp")
	}
	return "", errors.New("its writer is gone, so the form of its requests is not known; keep the client until the reply arrives")
}

func (s *Service) dropRequest(counter *atomic.Uint64, writer GUID, err error) {
	count := counter.Add(1)
	if s.complain.ok() {
		s.node.log.Warnf("service %s: dropped a request (%d so far) from %s: %v", s.name, count, writer, err)
	}
}

// reply sends a reply at once where the client can hear it, and otherwise waits
// for its reader in the background: a client may send its first request before
// the service has discovered the reader for the reply.
func (s *Service) reply(client string, data []byte) {
	heard := func(readers []Match) bool { return announces(readers, "clientid", client) }
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

func (s *Service) send(data []byte) {
	if err := s.writer.Write(data); err != nil && !errors.Is(err, ErrClosed) && s.complain.ok() {
		s.node.log.Warnf("service %s: reply not sent: %v", s.name, err)
	}
}

func (s *Service) dropReply(client string, err error) {
	count := s.unheard.Add(1)
	if s.ctx.Err() == nil && s.complain.ok() {
		s.node.log.Warnf("service %s: dropped the reply to client %s (%d so far): %v", s.name, client, count, err)
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

// Foreign counts the requests that were not read because their writers are not
// known to send them in the form of rmw_cyclonedds.
func (s *Service) Foreign() uint64 { return s.foreign.Load() }

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

// announces reports whether one of the endpoints has the value under the key in
// its user data.
func announces(endpoints []Match, key, value string) bool {
	for _, m := range endpoints {
		if userDataValue(m.UserData, key) == value {
			return true
		}
	}
	return false
}
