package ros

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
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
	encode func(cdr.RequestID, *Req) ([]byte, error)
	once   sync.Once
	err    error

	mu        sync.Mutex
	sequence  int64
	pending   map[int64]chan result[Resp]
	available time.Time // since when Wait has seen a server without interruption
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
		node: n, name: name, id: rand.Uint64(), pending: map[int64]chan result[Resp]{},
		encode: func(id cdr.RequestID, m *Req) ([]byte, error) { return cdr.AppendService(nil, id, PReq(m)) },
	}
	user := "clientid=" + n.newEndpointID() + ";"
	c.reader, err = n.newReader(replyToDDS(name), PResp(new(Resp)).ROSType(), withHistory(qos), user, func(sample Sample) {
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

// receive hands a reply to the call that waits for it. Replies to other clients arrive too;
// their bodies are not read.
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
// of the same server, the writer of replies. Only servers that announce themselves in the form
// of rmw_cyclonedds count: others would misread a request.
func (c *Client[Req, Resp]) Available() bool {
	writers := c.reader.Matches()
	for _, reader := range c.writer.Matches() {
		if v, known := reader.GUID.Vendor(); known && v != cycloneVendor {
			continue
		}
		if id := userDataValue(reader.UserData, "serviceid"); id != "" && announces(writers, "serviceid", id) {
			return true
		}
	}
	return false
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
