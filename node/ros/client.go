package ros

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
)

// Client calls a service. It is safe for concurrent use.
type Client[Req, Resp any] struct {
	node   *Node
	name   string
	id     uint64
	writer Writer
	reader Reader
	encode func(*Req, *cdr.RequestID) ([]byte, error)
	once   sync.Once
	err    error

	mu        sync.Mutex
	sequence  int64
	pending   map[callKey]chan result[Resp]
	available time.Time // since when Wait has seen a server without interruption
}

// callKey tells a client's calls apart: those in the form of rmw_fastrtps by the sequence
// number of the request, the others by the client's own.
type callKey struct {
	related  bool
	sequence int64
}

type result[Resp any] struct {
	response *Resp
	err      error
}

// NewClient returns a client of a service.
func NewClient[Req, Resp any, PReq message[Req], PResp message[Resp]](n *Node, service string, qos QoS) (*Client[Req, Resp], error) {
	name, err := n.ResolveService(service)
	if err != nil {
		return nil, err
	}
	c := &Client[Req, Resp]{
		node: n, name: name, id: rand.Uint64(), pending: map[callKey]chan result[Resp]{},
		encode: func(m *Req, id *cdr.RequestID) ([]byte, error) {
			if id == nil {
				return cdr.AppendMarshal(nil, PReq(m))
			}
			return cdr.AppendService(nil, *id, PReq(m))
		},
	}
	user := "clientid=" + n.newEndpointID() + ";"
	// Create the writer first: replies to other clients may come at once.
	c.writer, err = n.newWriter(requestToDDS(name), PReq(new(Req)).ROSType(), withHistory(qos), user)
	if err == nil {
		replies := n.endpoint(replyToDDS(name), PResp(new(Resp)).ROSType(), withHistory(qos), user)
		err = n.openInto(&c.reader, replies, func(sample Sample) {
			c.receive(sample, func(related bool) (*Resp, error) {
				response := new(Resp)
				if related {
					return response, cdr.Unmarshal(sample.Data, PResp(response))
				}
				_, err := cdr.UnmarshalService(sample.Data, PResp(response))
				return response, err
			})
		})
		if err != nil {
			n.closeWriter(c.writer)
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

// receive hands a reply to the call that waits for it. Replies to other clients arrive too;
// their bodies are not read.
func (c *Client[Req, Resp]) receive(sample Sample, decode func(related bool) (*Resp, error)) {
	key, own := c.callOf(sample)
	if !own {
		return
	}
	c.mu.Lock()
	reply, waits := c.pending[key]
	delete(c.pending, key)
	c.mu.Unlock()
	if !waits {
		return
	}
	response, err := decode(key.related)
	if err != nil {
		reply <- result[Resp]{err: fmt.Errorf("service %s: malformed reply: %w", c.name, err)}
		return
	}
	reply <- result[Resp]{response: response}
}

// callOf returns the call that a reply belongs to, if it is one of this client's.
func (c *Client[Req, Resp]) callOf(sample Sample) (key callKey, own bool) {
	if to := sample.Related.Writer; !sample.Related.IsZero() {
		return callKey{related: true, sequence: int64(sample.Related.Sequence)}, to == c.reader.GUID() || to == c.writer.GUID()
	}
	id, err := requestID(sample.Data)
	return callKey{sequence: id.Sequence}, err == nil && id.Client == c.id
}

// Call waits for the service, sends a request and waits for the reply, until
// the context ends.
func (c *Client[Req, Resp]) Call(ctx context.Context, request *Req) (*Resp, error) {
	if err := c.Wait(ctx); err != nil {
		return nil, err
	}
	reply := make(chan result[Resp], 1)
	key, err := c.send(request, reply)
	defer c.forget(key)
	if err != nil {
		return nil, fmt.Errorf("service %s: %w", c.name, err)
	}
	select {
	case r := <-reply:
		return r.response, r.err
	case <-ctx.Done():
	}
	select {
	case r := <-reply: // which came before the context ended, or at the same moment
		return r.response, r.err
	default:
		return nil, fmt.Errorf("service %s: no reply: %w", c.name, ctx.Err())
	}
}

// send sends a request in the form that the server understands. The reply goes to the channel
// until the key is forgotten.
func (c *Client[Req, Resp]) send(request *Req, reply chan result[Resp]) (callKey, error) {
	// The lock is held until the call is known, so that its reply finds it.
	c.mu.Lock()
	defer c.mu.Unlock()
	if form := c.form(); form == formRelated {
		data, err := c.encode(request, nil)
		if err != nil {
			return callKey{}, err
		}
		sequence, err := c.writer.(RelatedWriter).WriteRelated(data, SampleID{Writer: c.reader.GUID()})
		key := callKey{related: true, sequence: int64(sequence)}
		if err == nil {
			c.pending[key] = reply
		}
		return key, err
	}
	c.sequence++
	key := callKey{sequence: c.sequence}
	c.pending[key] = reply
	data, err := c.encode(request, &cdr.RequestID{Client: c.id, Sequence: c.sequence})
	if err == nil {
		err = c.writer.Write(data)
	}
	return key, err
}

func (c *Client[Req, Resp]) forget(key callKey) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.pending, key)
}

// waitRound bounds one wait for a match on one side. Then Wait checks both sides again.
const waitRound = 50 * time.Millisecond

// settling is how long a server must have been present before a request is sent. A client
// discovers a server a little before or after the server discovers the client, and a request
// sent too early is lost silently.
const settling = 100 * time.Millisecond

// Wait blocks until a server of the service has been reachable in both directions for a tenth
// of a second, or the context ends.
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

// settle returns how long a server still has to be present: more than settling while there is
// none.
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

// Available reports whether both halves of a server are present: the reader of requests and,
// of the same server, the writer of replies. Only servers whose form of requests is known
// count: others would misread a request.
func (c *Client[Req, Resp]) Available() bool { return c.form() != formUnknown }

// form is a form of requests, see asker.
type form uint8

const (
	formUnknown form = iota
	formHeader       // of rmw_cyclonedds
	formRelated      // of rmw_fastrtps
)

// form returns the form of a server that is present, formUnknown without one.
func (c *Client[Req, Resp]) form() form {
	_, relates := c.writer.(RelatedWriter)
	writers := c.reader.Matches()
	found := formUnknown
	for _, reader := range c.writer.Matches() {
		vendor, known := reader.GUID.Vendor()
		id := userDataValue(reader.UserData, "serviceid")
		switch {
		case relates && (!known || vendor == fastVendor):
			if ofParticipant(writers, reader.GUID) {
				return formRelated
			}
		case (!known || vendor == cycloneVendor || vendor == fastVendor) && id != "" && announces(writers, "serviceid", id):
			found = formHeader
		}
	}
	return found
}

func ofParticipant(endpoints []Match, of GUID) bool {
	return slices.ContainsFunc(endpoints, func(m Match) bool { return m.GUID.SameParticipant(of) })
}

// Name returns the absolute, remapped name.
func (c *Client[Req, Resp]) Name() string { return c.name }

// Close ends the client. Pending calls wait until their contexts end.
func (c *Client[Req, Resp]) Close() error {
	c.once.Do(func() {
		c.node.remove(c)
		c.err = errors.Join(c.node.closeWriter(c.writer), c.node.closeReader(c.reader))
	})
	return c.err
}

// Call calls a service once, with a temporary client.
func Call[Req, Resp any, PReq message[Req], PResp message[Resp]](ctx context.Context, n *Node, service string, qos QoS, request *Req) (*Resp, error) {
	c, err := NewClient[Req, Resp, PReq, PResp](n, service, qos)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	return c.Call(ctx, request)
}
