package live

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// Whatever comes as a request, it is refused or understood as the standard library understands it,
// who reads more than this server, never less.
func FuzzRequest(f *testing.F) {
	for _, seed := range []string{
		"GET / HTTP/1.1\r\nHost: localhost:8080\r\n\r\n",
		"GET /watch HTTP/1.1\r\nHost: 127.0.0.1:1\r\n" + asking + "Origin: http://127.0.0.1:1\r\n\r\n",
		"HEAD /model?x HTTP/1.1\r\nHost: [::1]:1\r\nX:\ty \r\n\r\n",
		"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: a\r\n b: c\r\n\r\n", "GET http://a/ HTTP/1.1\r\nHost: b\r\n\r\n", "GET / HTTP/1.0\r\n\r\n", "\r\n", "GET  / HTTP/1.1\nHost: a\n\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := readRequest(bufio.NewReaderSize(bytes.NewReader(data), 16))
		if err != nil {
			return
		}
		theirs, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(data)))
		if err != nil {
			if strings.Contains(err.Error(), "invalid URI") || strings.Contains(err.Error(), "parse ") || strings.Contains(err.Error(), "malformed Host") {
				return // this server has no address that needs escapes
			}
			t.Fatalf("read as %+v; the standard library: %v", r, err)
		}
		if r.method != theirs.Method || r.host != theirs.Host || r.path != theirs.URL.EscapedPath() && r.path != theirs.URL.Path && !strings.HasPrefix(r.path, "//") {
			t.Errorf("%s %s of %q; the standard library: %s %s of %q", r.method, r.path, r.host, theirs.Method, theirs.URL.Path, theirs.Host)
		}
		for _, name := range []string{"Origin", "Sec-Fetch-Site", "Sec-WebSocket-Key"} {
			if got, want := r.header[strings.ToLower(name)], theirs.Header.Values(name); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s: %q; the standard library: %q", name, got, want)
			}
		}
		if theirs.ContentLength > 0 || len(theirs.TransferEncoding) > 0 {
			t.Error("a request with a body is accepted")
		}
	})
}

// wire is a connection on which a client says something and then nothing more.
type wire struct {
	io.Reader
	bytes.Buffer
}

func (w *wire) Read(p []byte) (int, error)     { return w.Reader.Read(p) }
func (*wire) Close() error                     { return nil }
func (*wire) LocalAddr() net.Addr              { return nil }
func (*wire) RemoteAddr() net.Addr             { return nil }
func (*wire) SetDeadline(time.Time) error      { return nil }
func (*wire) SetReadDeadline(time.Time) error  { return nil }
func (*wire) SetWriteDeadline(time.Time) error { return nil }

// Whatever frames a client sends, the server answers each ping with its own payload, takes at most
// one number of a view, and ends with the connection, a goodbye, or at the first byte that is no control frame.
func FuzzFrames(f *testing.F) {
	f.Add(frameOf(0x80|opPing, "hello"))
	f.Add(append(frameOf(0x80|opPong, "12345678"), frameOf(0x80|opClose, "\x03\xe8")...))
	f.Add(frameOf(0x80|opText, "stop"))
	f.Add([]byte{0x80 | opPing, 0x80 | 126, 1, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		w := &wire{Reader: bytes.NewReader(data)}
		s := &socket{conn: w, in: bufio.NewReaderSize(w, 16), received: make(chan uint64, 1)}
		err := s.listen()
		if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, errClosed) && !errors.Is(err, errData) {
			t.Fatal(err)
		}
		if len(s.received) > 1 || w.Len() > len(data) {
			t.Errorf("%d numbers, %d bytes in answer to %d", len(s.received), w.Len(), len(data))
		}
		for w.Len() > 0 {
			if op, _, err := next(&w.Buffer); op != opPong || err != nil {
				t.Fatalf("the server answers with a frame %x, %v", op, err)
			}
		}
	})
}

// A client that never ends its head is dropped in time, as one that sends nothing is; while others
// do so on all connections but one, a page loads.
func TestSilentClientsAreDropped(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for seconds")
	}
	address := serve(t, &fake{})
	begin := time.Now()
	var silent []net.Conn
	for i := range maxConns - 1 {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if i%2 == 0 {
			fmt.Fprint(c, "GET / HTTP/1.1\r\nHost: ")
		}
		silent = append(silent, c)
	}
	if _, _, line := dial(t, address, "/", address, ""); !strings.Contains(line, " 200 ") {
		t.Errorf("the page: %s", line)
	}
	for _, c := range silent {
		_ = c.SetReadDeadline(begin.Add(reading + 3*time.Second))
		if _, err := io.ReadAll(c); err != nil {
			t.Fatalf("after %v a client that says nothing is not dropped: %v", time.Since(begin), err)
		}
	}
	if took := time.Since(begin); took < reading/2 {
		t.Errorf("clients are dropped after %v", took)
	}
}

// Who watches when the server ends is told so.
func TestServerSaysGoodbye(t *testing.T) {
	s, err := Listen(":0", &fake{}, t.Logf)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	for s.context() == nil {
		time.Sleep(time.Millisecond)
	}
	c, r := watching(t, s.listener.Addr().String())
	receive(t, c, r)
	stop()
	for {
		op, payload, err := next(r)
		if err != nil {
			t.Fatalf("the connection ends without a goodbye: %v", err)
		}
		if op == opClose {
			if status := binary.BigEndian.Uint16(payload); status != closeGoing {
				t.Errorf("the goodbye has the status %d", status)
			}
			break
		}
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
