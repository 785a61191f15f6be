package live

import (
	"fmt"
	"net"
	"strings"
	"time"
)

// answer is what a request gets.
type answer struct {
	status int
	kind   string // of the body
	header []string
	body   []byte
}

// texts name statuses.
var texts = map[int]string{
	200: "OK", 400: "Bad Request", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 413: "Content Too Large",
	421: "Misdirected Request", 426: "Upgrade Required", 431: "Request Header Fields Too Large", 505: "HTTP Version Not Supported",
}

// refused is an answer that says why there is no other.
func refused(status int, why string, header ...string) *answer {
	return &answer{status, "text/plain; charset=utf-8", header, []byte(why + "\n")}
}

// policies go with every answer: the page is no part of others, and stays nowhere.
var policies = []string{
	"X-Content-Type-Options: nosniff", "Cross-Origin-Resource-Policy: same-origin", "Cross-Origin-Opener-Policy: same-origin",
	"Referrer-Policy: no-referrer", "Cache-Control: no-store", "Connection: close",
}

// contentPolicy lets the page load what this server has and reach nothing else. host is one that
// the server is known by.
func contentPolicy(host string) string {
	return "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self' ws://" + host +
		"; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

// sending is how long a client may take to receive an answer, and lingering how long the
// connection then waits for what it still sends.
const (
	sending   = 30 * time.Second
	lingering = 500 * time.Millisecond
)

// write sends the answer, to HEAD without its body, and ends the sending half of the connection.
func (a *answer) write(c net.Conn, method string) {
	var b strings.Builder
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\n", a.status, texts[a.status])
	for _, line := range policies {
		b.WriteString(line + "\r\n")
	}
	for _, line := range a.header {
		b.WriteString(line + "\r\n")
	}
	fmt.Fprintf(&b, "Content-Type: %s\r\nContent-Length: %d\r\n\r\n", a.kind, len(a.body))
	body := a.body
	if method == "HEAD" {
		body = nil
	}
	if c.SetWriteDeadline(time.Now().Add(sending)) != nil {
		return
	}
	buffers := net.Buffers{[]byte(b.String()), body}
	if _, err := buffers.WriteTo(c); err != nil {
		return
	}
	if half, ok := c.(interface{ CloseWrite() error }); ok && half.CloseWrite() == nil {
		_ = c.SetReadDeadline(time.Now().Add(lingering))
		drain(c)
	}
}
