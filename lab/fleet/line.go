package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Network is what lies between a client and the server.
type Network struct {
	Latency time.Duration // one way
	Hold    time.Duration // how much longer each answer to a chunk takes: the worker of a machine that computes so long
}

// line is a network between one client and the server. It passes on what both say, as late as the network is slow, and notes
// every message with its times.
type line struct {
	net    Network
	server string // address
	listen net.Listener

	mu    sync.Mutex
	said  []*event
	conns []net.Conn
	all   sync.WaitGroup
}

// event is a message that passed a line.
type event struct {
	up             bool      // from the client to the server
	come, gone     time.Time // when it was read from one side and written to the other
	subject, reply string
	size           int    // bytes of the payload
	body           []byte // of what clients ask the server's interface for
}

// newLine returns a line to the server with an address.
func newLine(server string, n Network) (*line, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	out := &line{net: n, server: server, listen: l}
	out.all.Add(1)
	go out.accept()
	return out, nil
}

func (l *line) address() string { return l.listen.Addr().String() }

func (l *line) accept() {
	defer l.all.Done()
	for {
		client, err := l.listen.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", l.server)
		if err != nil {
			_ = client.Close()
			continue
		}
		l.mu.Lock()
		l.conns = append(l.conns, client, server)
		l.mu.Unlock()
		l.all.Add(2)
		go l.pass(client, server, true)
		go l.pass(server, client, false)
	}
}

// close cuts the line, and returns what was said in the order in which it came.
func (l *line) close() []*event {
	_ = l.listen.Close()
	l.mu.Lock()
	for _, c := range l.conns {
		_ = c.Close()
	}
	l.mu.Unlock()
	l.all.Wait()
	slices.SortStableFunc(l.said, func(a, b *event) int { return a.come.Compare(b.come) })
	return l.said
}

// has reports whether something was said.
func (l *line) has(is func(*event) bool) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.ContainsFunc(l.said, is)
}

// packet is what waits in a line until it is due.
type packet struct {
	due   time.Time
	bytes []byte
	event *event // nil: not a message
}

// pass passes on one direction of a connection.
func (l *line) pass(from, to net.Conn, up bool) {
	defer l.all.Done()
	wait := make(chan packet, 1<<12)
	l.all.Add(1)
	go l.deliver(to, wait)
	defer close(wait)
	in := bufio.NewReaderSize(from, 1<<16)
	for {
		text, body, err := readMessage(in)
		if err != nil {
			_ = to.Close() // what one side ends, ends on the other
			return
		}
		now := time.Now()
		p := packet{due: now.Add(l.net.Latency), bytes: text}
		if e, ok := parse(string(text[:len(text)-len(body)]), body); ok {
			e.up, e.come = up, now
			p.event = e
			if up && strings.HasPrefix(e.subject, doneWord) {
				p.due = p.due.Add(l.net.Hold)
			}
		}
		wait <- p
	}
}

// deliver writes packets when they are due.
func (l *line) deliver(to net.Conn, wait <-chan packet) {
	defer l.all.Done()
	for p := range wait {
		if late := time.Until(p.due); late > 0 {
			time.Sleep(late)
		}
		if p.event != nil {
			p.event.gone = time.Now()
			l.mu.Lock()
			l.said = append(l.said, p.event)
			l.mu.Unlock()
		}
		_, _ = to.Write(p.bytes) // an error ends the reader, too
	}
}

// readMessage reads a line of the protocol of NATS, with the payload where it announces one. body is the end of text.
func readMessage(in *bufio.Reader) (text, body []byte, err error) {
	text, err = in.ReadBytes('\n')
	if err != nil {
		return nil, nil, err
	}
	words := strings.Fields(string(text))
	if len(words) == 0 || !slices.Contains([]string{"PUB", "HPUB", "MSG", "HMSG"}, words[0]) {
		return text, nil, nil
	}
	size, err := strconv.Atoi(words[len(words)-1])
	if err != nil || size < 0 {
		return nil, nil, fmt.Errorf("not a message of NATS: %.80q", text)
	}
	start := len(text)
	text = append(text, make([]byte, size+2)...)
	_, err = io.ReadFull(in, text[start:])
	return text, text[start:], err
}

// parse returns the message that a line of the protocol begins: PUB subject [reply] size, MSG subject id [reply] size, and
// those with headers, whose size stands before that of all.
func parse(text string, body []byte) (*event, bool) {
	words := strings.Fields(text)
	if len(body) < 2 {
		return nil, false
	}
	e := &event{subject: words[1], size: len(body) - 2}
	rest := words[2 : len(words)-1]
	if words[0][0] == 'H' {
		rest = rest[:len(rest)-1]
	}
	if strings.HasSuffix(words[0], "MSG") {
		rest = rest[1:]
	}
	if len(rest) > 0 {
		e.reply = rest[0]
	}
	if strings.HasPrefix(e.subject, nextWord) {
		e.body = body
	}
	return e, true
}
