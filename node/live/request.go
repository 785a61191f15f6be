package live

import (
	"bufio"
	"errors"
	"io"
	"strings"
)

// request is the head of a request of HTTP/1.1, of which this server understands a small and strict
// part: a path, headers of one line each, no body, one request a connection. The standard
// library's server understands all of HTTP and would add 6 MB to a program that needs this page alone.
type request struct {
	method, path, host string
	header             map[string][]string // by names in lower case
}

// refusal is the status of an answer to a head that is refused, and why.
type refusal struct {
	status int
	why    string
}

func (r *refusal) Error() string { return r.why }

// head reads the lines of a head, of maxHeader bytes at most.
type head struct {
	in   *bufio.Reader
	left int
}

var (
	errLong  = &refusal{431, "the head of the request is too long"}
	errLines = &refusal{400, "the head of the request is not one of HTTP/1.1"}
)

// line returns the next line without its end.
func (h *head) line() (string, error) {
	var line []byte
	for {
		part, err := h.in.ReadSlice('\n')
		if h.left -= len(part); h.left < 0 {
			return "", errLong
		}
		line = append(line, part...)
		if err == nil {
			break
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return "", err
		}
	}
	text, ok := strings.CutSuffix(string(line), "\r\n")
	if !ok || strings.IndexFunc(text, func(c rune) bool { return c < ' ' && c != '\t' || c == 0x7f }) >= 0 {
		return "", errLines
	}
	return text, nil
}

// readRequest reads a head. The error is a *refusal if there is an answer to what came.
func readRequest(in *bufio.Reader) (*request, error) {
	h := &head{in, maxHeader}
	first, err := h.line()
	if err != nil {
		return nil, err
	}
	r := &request{header: map[string][]string{}}
	target, version, ok := "", "", false
	if r.method, target, ok = strings.Cut(first, " "); ok {
		target, version, ok = strings.Cut(target, " ")
	}
	switch {
	case !ok || !token(r.method) || !strings.HasPrefix(target, "/"):
		return nil, errLines
	case version != "HTTP/1.1":
		return nil, &refusal{505, "this view speaks HTTP/1.1 alone"}
	}
	r.path, _, _ = strings.Cut(target, "?")
	for {
		line, err := h.line()
		switch {
		case err != nil:
			return nil, err
		case line == "":
			return r, r.sound()
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok || !token(name) { // or a line that continues the one before
			return nil, errLines
		}
		name = strings.ToLower(name)
		r.header[name] = append(r.header[name], strings.Trim(value, " \t"))
	}
}

// sound checks what two readers of one head could understand differently: there is one host, and
// no body.
func (r *request) sound() error {
	hosts := r.header["host"]
	if len(hosts) != 1 || hosts[0] == "" {
		return &refusal{400, "the request names no host, or several"}
	}
	r.host = hosts[0]
	for _, length := range r.header["content-length"] {
		if length != "0" {
			return &refusal{413, "a request has no body here"}
		}
	}
	if len(r.header["transfer-encoding"]) > 0 {
		return &refusal{413, "a request has no body here"}
	}
	return nil
}

// get returns the first value of a header, empty without one.
func (r *request) get(name string) string {
	if values := r.header[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// lists reports whether a header's values list a token, in any case.
func (r *request) lists(name, token string) bool {
	for _, line := range r.header[name] {
		for part := range strings.SplitSeq(line, ",") {
			if strings.EqualFold(strings.TrimSpace(part), token) {
				return true
			}
		}
	}
	return false
}

// token reports whether a text is a name of a method or a header.
func token(s string) bool {
	const others = "!#$%&'*+-.^_`|~"
	for i := range len(s) {
		c := s[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && strings.IndexByte(others, c) < 0 {
			return false
		}
	}
	return s != ""
}

// drain reads what a client still sends, some of it: if the connection were closed with it unread,
// the client might not get the answer.
func drain(in io.Reader) { _, _ = io.CopyN(io.Discard, in, 64<<10) }
