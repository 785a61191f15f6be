package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
)

// jsonText is a text of valid JSON values and where they are in it. Nothing else is made of a
// value before it is asked for: of files with hundreds of problems one is used.
type jsonText struct {
	data  []byte
	marks []mark // of each value, and of each key, in the order of the text
}

// mark is where a value begins, and the mark after it and all values in it.
type mark struct{ begin, next int32 }

// parseJSON finds the values of a text. It supports JSON's escapes and indentation by tabs,
// unlike the YAML reader. It accepts what encoding/json accepts.
func parseJSON(data []byte) ([]node, error) {
	if len(data) > math.MaxInt32 {
		return nil, fmt.Errorf("is larger than %d bytes", math.MaxInt32)
	}
	p := jsonScanner{data: data}
	var roots []int32
	for p.space(); p.pos < len(data); p.space() {
		roots = append(roots, int32(len(p.marks)))
		if !p.value(0) {
			return nil, p.broken()
		}
	}
	t := &jsonText{data, p.marks}
	out := make([]node, len(roots))
	for i, at := range roots {
		out[i] = node{json: t, at: at}
	}
	return out, nil
}

// jsonScanner validates a text. Its methods return false where the text is not JSON.
type jsonScanner struct {
	data  []byte
	pos   int
	marks []mark
	deep  bool // nested too deep, at pos
}

var newline = []byte("\n")

// broken returns why the text is not JSON, and in which line, as encoding/json sees it.
func (p *jsonScanner) broken() error {
	if p.deep {
		return fmt.Errorf("line %d: nested deeper than %d levels", 1+bytes.Count(p.data[:p.pos], newline), limit.DocumentDepth)
	}
	var err error
	for dec := json.NewDecoder(bytes.NewReader(p.data)); err == nil; {
		var raw json.RawMessage
		err = dec.Decode(&raw)
	}
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("line %d: not JSON: the text ends early", 1+bytes.Count(p.data, newline))
	case errors.As(err, &syntax):
		at := min(max(int(syntax.Offset)-1, 0), len(p.data))
		return fmt.Errorf("line %d: not JSON: %w", 1+bytes.Count(p.data[:at], newline), err)
	}
	return fmt.Errorf("line %d: not JSON", 1+bytes.Count(p.data[:p.pos], newline))
}

// peek returns the byte at pos, 0 at the end.
func (p *jsonScanner) peek() byte {
	if p.pos < len(p.data) {
		return p.data[p.pos]
	}
	return 0
}

// space skips white space.
func (p *jsonScanner) space() {
	for p.pos < len(p.data) {
		switch p.data[p.pos] {
		case ' ', '\t', '\r', '\n':
			p.pos++
		default:
			return
		}
	}
}

func (p *jsonScanner) value(depth int) bool {
	if depth > limit.DocumentDepth {
		p.deep = true
		return false
	}
	at := len(p.marks)
	p.marks = append(p.marks, mark{begin: int32(p.pos)})
	ok := false
	switch p.peek() {
	case '{':
		ok = p.collection('}', depth)
	case '[':
		ok = p.collection(']', depth)
	case '"':
		ok = p.text()
	case 't':
		ok = p.word("true")
	case 'f':
		ok = p.word("false")
	case 'n':
		ok = p.word("null")
	default:
		ok = p.number()
	}
	p.marks[at].next = int32(len(p.marks))
	return ok
}

// collection reads a list, or a mapping, which ends with a brace.
func (p *jsonScanner) collection(end byte, depth int) bool {
	p.pos++
	if p.space(); p.peek() == end {
		p.pos++
		return true
	}
	for {
		if end == '}' && !p.key() {
			return false
		}
		if p.space(); !p.value(depth + 1) {
			return false
		}
		p.space()
		switch p.peek() {
		case end:
			p.pos++
			return true
		case ',':
			p.pos++
		default:
			return false
		}
	}
}

// key reads a key and its colon.
func (p *jsonScanner) key() bool {
	p.space()
	at := len(p.marks)
	p.marks = append(p.marks, mark{int32(p.pos), int32(at + 1)})
	if p.peek() != '"' || !p.text() {
		return false
	}
	if p.space(); p.peek() != ':' {
		return false
	}
	p.pos++
	return true
}

// text reads a string.
func (p *jsonScanner) text() bool {
	for p.pos++; p.pos < len(p.data); p.pos++ {
		switch c := p.data[p.pos]; {
		case c == '"':
			p.pos++
			return true
		case c == '\\':
			if !p.escape() {
				return false
			}
		case c < ' ':
			return false
		}
	}
	return false
}

// escape moves to the last byte of an escape sequence.
func (p *jsonScanner) escape() bool {
	p.pos++
	switch p.peek() {
	case 'b', 'f', 'n', 'r', 't', '\\', '/', '"':
		return true
	case 'u':
		for range 4 {
			p.pos++
			switch c := p.peek(); {
			case '0' <= c && c <= '9', 'a' <= c && c <= 'f', 'A' <= c && c <= 'F':
			default:
				return false
			}
		}
		return true
	}
	return false
}

func (p *jsonScanner) word(w string) bool {
	if !bytes.HasPrefix(p.data[p.pos:], []byte(w)) {
		return false
	}
	p.pos += len(w)
	return true
}

func (p *jsonScanner) number() bool {
	if p.peek() == '-' {
		p.pos++
	}
	if p.peek() == '0' {
		p.pos++
	} else if !p.digits() {
		return false
	}
	if p.peek() == '.' {
		if p.pos++; !p.digits() {
			return false
		}
	}
	if c := p.peek(); c == 'e' || c == 'E' {
		p.pos++
		if c := p.peek(); c == '+' || c == '-' {
			p.pos++
		}
		return p.digits()
	}
	return true
}

// digits reads at least one digit.
func (p *jsonScanner) digits() bool {
	begin := p.pos
	for p.pos < len(p.data) && '0' <= p.data[p.pos] && p.data[p.pos] <= '9' {
		p.pos++
	}
	return p.pos > begin
}

// tag returns the tag of the scalar at a mark.
func (t *jsonText) tag(at int32) string {
	switch t.data[t.marks[at].begin] {
	case '"':
		return strTag
	case 't', 'f':
		return boolTag
	case 'n':
		return nullTag
	}
	return floatTag
}

// text returns the scalar at a mark as it means.
func (t *jsonText) text(at int32) string {
	rest := t.data[t.marks[at].begin:]
	switch rest[0] {
	case '"':
		return unquoted(rest)
	case 't':
		return "true"
	case 'f':
		return "false"
	case 'n':
		return "null"
	}
	number := jsonScanner{data: rest}
	number.number()
	return string(rest[:number.pos])
}

// unquoted returns the string that a text begins with, which the scanner has accepted.
func unquoted(text []byte) string {
	end, plain := 1, true
	for ; text[end] != '"'; end++ {
		switch c := text[end]; {
		case c == '\\':
			end++
			plain = false
		case c >= 0x80:
			plain = false
		}
	}
	var s string
	if plain || json.Unmarshal(text[:end+1], &s) != nil {
		return string(text[1:end])
	}
	return s
}
