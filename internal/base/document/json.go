package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"

	"gopkg.in/yaml.v3"
)

// The tags by which yaml.v3 distinguishes scalars.
const (
	nullTag  = "!!null"
	boolTag  = "!!bool"
	strTag   = "!!str"
	intTag   = "!!int"
	floatTag = "!!float"
)

// parseJSON reads JSON into the nodes of the YAML reader. The JSON reader supports JSON's
// escapes and indentation by tabs.
//
// encoding/json finds the values of a text and validates them; its tokens would take ten times
// as long as walking through what is known to be valid.
func parseJSON(data []byte) ([]*yaml.Node, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	var roots []*yaml.Node
	var raw json.RawMessage
	for p := (jsonText{line: 1}); ; {
		err := dec.Decode(&raw)
		if errors.Is(err, io.EOF) {
			return roots, nil
		}
		if err != nil {
			return nil, broken(data, err)
		}
		end := int(dec.InputOffset())
		p.line += bytes.Count(data[p.before:end-len(raw)], newline)
		p.before, p.data, p.pos = end, raw, 0
		n, err := p.value(0)
		if err != nil {
			return nil, err
		}
		roots = append(roots, n)
	}
}

var newline = []byte("\n")

// broken tells in which line a text stops being JSON.
func broken(data []byte, err error) error {
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("line %d: not JSON: the text ends early", 1+bytes.Count(data, newline))
	case errors.As(err, &syntax):
		at := min(max(int(syntax.Offset)-1, 0), len(data))
		return fmt.Errorf("line %d: not JSON: %w", 1+bytes.Count(data[:at], newline), err)
	}
	return err
}

// jsonText walks through one valid value.
type jsonText struct {
	data   []byte
	pos    int
	line   int // at pos
	before int // the end of the value before, in the whole text
	spare  []yaml.Node
}

// next skips what separates values and returns the byte behind it.
func (p *jsonText) next() byte {
	for ; ; p.pos++ {
		switch c := p.data[p.pos]; c {
		case '\n':
			p.line++
		case ' ', '\t', '\r', ',', ':':
		default:
			return c
		}
	}
}

func (p *jsonText) value(depth int) (*yaml.Node, error) {
	first := p.next()
	if depth > limit.DocumentDepth {
		return nil, fmt.Errorf("line %d: nested deeper than %d levels", p.line, limit.DocumentDepth)
	}
	switch first {
	case '{':
		return p.collection(yaml.MappingNode, "!!map", '}', depth)
	case '[':
		return p.collection(yaml.SequenceNode, "!!seq", ']', depth)
	case '"':
		text, err := p.text()
		return p.node(strTag, text), err
	}
	word := p.word()
	switch first {
	case 'n':
		return p.node(nullTag, "null"), nil
	case 't', 'f':
		return p.node(boolTag, word), nil
	}
	return p.node(floatTag, word), nil
}

func (p *jsonText) collection(kind yaml.Kind, tag string, end byte, depth int) (*yaml.Node, error) {
	n := p.node(tag, "")
	n.Kind = kind
	p.pos++
	for p.next() != end {
		c, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		n.Content = append(n.Content, c)
	}
	p.pos++
	return n, nil
}

// text reads a string.
func (p *jsonText) text() (s string, err error) {
	begin, plain := p.pos, true
	for p.pos++; p.data[p.pos] != '"'; p.pos++ {
		switch c := p.data[p.pos]; {
		case c == '\\':
			p.pos++
			plain = false
		case c >= 0x80:
			plain = false
		}
	}
	p.pos++
	quoted := p.data[begin:p.pos]
	if plain {
		return string(quoted[1 : len(quoted)-1]), nil
	}
	return s, json.Unmarshal(quoted, &s)
}

// word reads a number, true, false or null.
func (p *jsonText) word() string {
	begin := p.pos
	for ; p.pos < len(p.data); p.pos++ {
		switch p.data[p.pos] {
		case ' ', '\t', '\r', '\n', ',', ']', '}':
			return string(p.data[begin:p.pos])
		}
	}
	return string(p.data[begin:])
}

// node returns a scalar of the present line.
func (p *jsonText) node(tag, value string) *yaml.Node {
	if len(p.spare) == 0 {
		p.spare = make([]yaml.Node, 64)
	}
	n := &p.spare[0]
	p.spare = p.spare[1:]
	n.Kind, n.Tag, n.Value, n.Line = yaml.ScalarNode, tag, value, p.line
	return n
}
