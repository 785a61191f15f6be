package live

import (
	"bufio"
	"context"
	"errors"
	"net"
	"sync"
	"time"
)

// reading is how long the head of a request may take.
const reading = 5 * time.Second

// accept answers connections until the listener is closed or the context ends, with maxConns of
// them open at most: others wait. An accept that fails for now, as where the program has too many
// files open, is tried again.
func (s *Server) accept(ctx context.Context) error {
	room := make(chan struct{}, maxConns)
	var open sync.WaitGroup
	defer open.Wait()
	for wait := time.Millisecond; ; {
		select {
		case room <- struct{}{}:
		case <-ctx.Done():
			return nil
		}
		c, err := s.listener.Accept()
		switch {
		case ctx.Err() != nil:
			if err == nil {
				_ = c.Close()
			}
			return nil
		case errors.Is(err, net.ErrClosed):
			return err
		case err != nil:
			<-room
			wait = min(2*wait, time.Second)
			select {
			case <-time.After(wait):
			case <-ctx.Done():
			}
			continue
		}
		wait = time.Millisecond
		open.Add(1)
		go func() {
			defer open.Done()
			defer func() { <-room }()
			s.serve(ctx, c)
		}()
	}
}

// serve answers the one request of a connection. A fault of it is told, and ends nothing else.
func (s *Server) serve(ctx context.Context, c net.Conn) {
	defer c.Close()
	release := context.AfterFunc(ctx, func() { _ = c.Close() })
	defer release()
	defer func() {
		if p := recover(); p != nil {
			s.tell("the live view failed: %v", p)
		}
	}()
	if c.SetReadDeadline(time.Now().Add(reading)) != nil {
		return
	}
	in := bufio.NewReader(c)
	r, err := readRequest(in)
	var no *refusal
	if err != nil {
		if errors.As(err, &no) {
			refused(no.status, no.why).write(c, "")
		}
		return
	}
	if a := s.stranger(r); a != nil {
		a.write(c, r.method)
		return
	}
	if r.path == "/watch" && r.method == "GET" {
		if socket := upgrade(c, in, r); socket != nil && release() { // a socket says goodbye itself
			s.watch(socket)
		}
		return
	}
	a := s.answerTo(r.path)
	a.header = append(a.header, contentPolicy(r.host))
	a.write(c, r.method)
}
