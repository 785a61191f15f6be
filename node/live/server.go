// Package live serves a page that shows a robot as it moves: what is checked in 3D, the level, the
// closest pairs and verdicts, as they come. Nothing can be changed through it.
//
// The server asks its source, at a bounded rate and only while somebody looks: who is asked never
// waits for a viewer. A client gets the newest view once it has received the one before; what it is
// too slow for is left out.
package live

import (
	"bytes"
	"context"
	_ "embed" // the page
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/internal/show"
	"github.com/firstcontact-ros/firstcontact/internal/show/viewer"
)

// Source is what a server shows. Its methods are called by one goroutine at a time and must not
// block for long.
type Source interface {
	// Model returns what is checked, the same pointer while it is the same, and a line of
	// explanation: why there is none, or what is not known about it.
	Model() (checker *ccd.Checker, remark string)
	// Now returns the newest of what is known.
	Now() View
}

// Bounds of what viewers cost.
const (
	Rate        = 20 // Hz: views sent to a client at most
	MaxClients  = 8  // that watch
	maxConns    = 32 // open connections of any kind
	maxHeader   = 8 << 10
	maxMessage  = 1 << 20 // bytes of a view
	modelPeriod = time.Second
)

// Server is a live view on an address.
type Server struct {
	source   Source
	tell     func(format string, args ...any)
	listener net.Listener
	hosts    map[string]bool // names that a request may give besides addresses

	mu       sync.Mutex
	clients  int
	newest   []byte        // the view as JSON
	changed  chan struct{} // closed when there is a newer one
	modelled model
	ctx      context.Context // of the clients; nil before Run
}

// model is the encoded form of what is checked.
type model struct {
	of     *ccd.Checker
	number uint64    // of another process never the same
	at     time.Time // when it was encoded
	data   []byte    // nil if that failed
	remark string    // why
	joints []string  // those that have a position of their own
}

// Listen opens an address: HOST:PORT, or :PORT on the loopback interface alone. tell gets
// warnings.
func Listen(address string, source Source, tell func(format string, args ...any)) (*Server, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("%q is no address to serve a view on: give :PORT for this machine alone, or HOST:PORT", address)
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil {
		return nil, fmt.Errorf("%q is no address to serve a view on: the port %q is not a number from 0 to 65535", address, port)
	} else if host == "" {
		address = net.JoinHostPort("127.0.0.1", strconv.FormatUint(n, 10))
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("the view cannot be served: %w", err)
	}
	s := &Server{source: source, tell: tell, listener: listener, hosts: map[string]bool{"localhost": true}, changed: make(chan struct{})}
	s.modelled.number = uint64(time.Now().UnixMilli()) // the page of a server that was here before knows its model by another number
	if host != "" {
		s.hosts[host] = true
	}
	if name, err := os.Hostname(); err == nil && !loopback(listener) {
		s.hosts[name] = true
	}
	return s, nil
}

func loopback(l net.Listener) bool {
	a, ok := l.Addr().(*net.TCPAddr)
	return ok && a.IP.IsLoopback()
}

// URL is where the page is.
func (s *Server) URL() string {
	a := s.listener.Addr().(*net.TCPAddr)
	if a.IP.IsUnspecified() {
		return fmt.Sprintf("http://localhost:%d/", a.Port)
	}
	return "http://" + a.String() + "/"
}

// Open reports whether others than this machine can reach the page.
func (s *Server) Open() bool { return !loopback(s.listener) }

// Run serves until the context ends. Nothing is left running when it returns.
func (s *Server) Run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s.mu.Lock()
	s.ctx = ctx
	s.mu.Unlock()
	ended := make(chan error, 1)
	go func() { ended <- s.accept(ctx) }()
	defer context.AfterFunc(ctx, func() { _ = s.listener.Close() })()
	tick := time.NewTicker(time.Second / Rate)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return <-ended
		case err := <-ended:
			return err
		case <-tick.C:
			s.look()
		}
	}
}

// look asks the source and wakes the clients, if there are any. A fault of the source is told, and
// ends neither the server nor the program.
func (s *Server) look() {
	s.mu.Lock()
	watched := s.clients > 0
	s.mu.Unlock()
	if !watched {
		return
	}
	defer func() {
		if p := recover(); p != nil {
			s.tell("the live view failed: %v", p)
		}
	}()
	v := s.source.Now()
	v.Model, v.Remark = s.encode()
	v.Unmeasured = s.unmeasured(v.Positions)
	text, err := json.Marshal(&v)
	if err == nil && len(text) > maxMessage {
		err = fmt.Errorf("the view has %d bytes", len(text))
	}
	if err != nil {
		s.tell("the live view failed: %v", err)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.clients == 0 {
		return // it would be old for the next one
	}
	s.newest = text
	close(s.changed)
	s.changed = make(chan struct{})
}

// unmeasured counts the joints of the model that have no position.
func (s *Server) unmeasured(positions map[string]float64) (n int) {
	s.mu.Lock()
	joints := s.modelled.joints
	s.mu.Unlock()
	for _, name := range joints {
		if _, ok := positions[name]; !ok {
			n++
		}
	}
	return n
}

// encode prepares the model for the page, at most once in modelPeriod, and returns its number; 0
// if there is none.
func (s *Server) encode() (number uint64, remark string) {
	checker, remark := s.source.Model()
	s.mu.Lock()
	m := s.modelled
	s.mu.Unlock()
	switch {
	case checker == nil:
		return 0, remark
	case checker != m.of && time.Since(m.at) >= modelPeriod:
		m = s.encoded(checker, m.number+1)
		s.mu.Lock()
		s.modelled = m
		s.mu.Unlock()
	}
	if m.data == nil {
		return 0, m.remark
	}
	return m.number, remark
}

// encoded encodes a model. One that cannot be encoded is told once.
func (s *Server) encoded(checker *ccd.Checker, number uint64) model {
	m := model{of: checker, number: number, joints: checker.ActiveJoints()}
	report := &show.Report{Robot: checker.Robot(), Motions: []*show.Motion{{Checker: checker}}}
	var b bytes.Buffer
	if err := show.Encode(&b, report); err != nil {
		m.remark = fmt.Sprintf("The robot cannot be shown: %v", err)
		s.tell("the live view: %s", m.remark)
	} else {
		m.data = b.Bytes()
	}
	m.at = time.Now()
	return m
}

//go:embed page.html
var page []byte

//go:embed live.js
var script []byte

//go:embed live.css
var style []byte

// files are what the page consists of, by their paths.
var files = map[string]answer{
	"/":           {status: 200, kind: "text/html; charset=utf-8", body: page},
	"/live.js":    {status: 200, kind: "text/javascript; charset=utf-8", body: script},
	"/live.css":   {status: 200, kind: "text/css; charset=utf-8", body: style},
	"/viewer.js":  {status: 200, kind: "text/javascript; charset=utf-8", body: []byte(viewer.Script)},
	"/viewer.css": {status: 200, kind: "text/css; charset=utf-8", body: []byte(viewer.Style)},
}

// answerTo answers a request for a path.
func (s *Server) answerTo(path string) *answer {
	if file, ok := files[path]; ok {
		return &file
	}
	if path != "/model" {
		return refused(404, "there is no such page")
	}
	s.mu.Lock()
	m := s.modelled
	s.mu.Unlock()
	if m.data == nil {
		return refused(404, "there is no model yet")
	}
	return &answer{200, "application/octet-stream", []string{"X-Model: " + strconv.FormatUint(m.number, 10)}, m.data}
}

// watch sends views to a client until it leaves, is too slow, or the server ends.
func (s *Server) watch(socket *socket) {
	ctx, ok := s.enter()
	if !ok { // a page learns why only by way of the socket
		_ = socket.end(closeFull, fmt.Sprintf("%d others watch already: close one.", MaxClients))
		return
	}
	defer s.leave()
	gone := make(chan error, 1)
	go func() { gone <- socket.listen() }()
	why := s.feed(ctx, socket, gone)
	status := uint16(closeGoing)
	if errors.Is(why, errData) {
		status = closePolicy
	}
	_ = socket.end(status, "")
	<-gone
}

// feed sends views to a client, each when the one before has been received: otherwise those that
// wait in buffers on a slow way would be shown late, as if they were new.
func (s *Server) feed(ctx context.Context, socket *socket, gone chan error) error {
	var last <-chan struct{}
	sent := false // and not yet received
	late := time.NewTimer(patience)
	defer late.Stop()
	for number := uint64(0); ; {
		s.mu.Lock()
		text, next := s.newest, (<-chan struct{})(s.changed)
		s.mu.Unlock()
		if !sent && text != nil && next != last {
			number++
			if err := socket.view(text, number); err != nil {
				return err
			}
			last, sent = next, true
			late.Reset(patience)
		}
		if sent {
			next = nil
		}
		select {
		case <-next:
		case n := <-socket.received:
			sent = sent && n != number
		case <-late.C:
			if sent {
				return errSlow
			}
		case err := <-gone:
			gone <- err
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

var errSlow = errors.New("the client has not received a view in time")

// enter counts a client, if there is room and the server runs.
func (s *Server) enter() (context.Context, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.clients == MaxClients || s.ctx.Err() != nil {
		return nil, false
	}
	s.clients++
	return s.ctx, true
}

func (s *Server) leave() {
	s.mu.Lock()
	s.clients--
	if s.clients == 0 {
		s.newest = nil // it would be old for the next one
	}
	s.mu.Unlock()
}

// Close closes the address of a server that never ran.
func (s *Server) Close() error { return s.listener.Close() }
