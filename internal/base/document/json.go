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
func parseJSON(data []byte) ([]*yaml.Node, error) {
	p := jsonParser{data: data, dec: json.NewDecoder(bytes.NewReader(data)), line: 1}
	p.dec.UseNumber()
	var roots []*yaml.Node
	for {
		n, err := p.value(0)
		if errors.Is(err, io.EOF) && n == nil {
			return roots, nil
		}
		if err != nil {
			return nil, err
		}
		roots = append(roots, n)
	}
}

type jsonParser struct {
	data      []byte
	dec       *json.Decoder
	line, pos int // the line at byte pos
}

// value returns nil and io.EOF if the text ends before a value begins.
func (p *jsonParser) value(depth int) (*yaml.Node, error) {
	tok, err := p.dec.Token()
	if errors.Is(err, io.EOF) && depth == 0 {
		return nil, io.EOF
	}
	line := p.lineNow()
	if err != nil {
		return nil, p.broken(err)
	}
	if depth > limit.DocumentDepth {
		return nil, fmt.Errorf("line %d: nested deeper than %d levels", line, limit.DocumentDepth)
	}
	scalar := func(tag, value string) (*yaml.Node, error) {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: value, Line: line}, nil
	}
	switch t := tok.(type) {
	case json.Delim:
		return p.collection(t, line, depth)
	case string:
		return scalar(strTag, t)
	case json.Number:
		return scalar(floatTag, t.String())
	case bool:
		return scalar(boolTag, fmt.Sprint(t))
	}
	return scalar(nullTag, "null")
}

func (p *jsonParser) collection(open json.Delim, line, depth int) (*yaml.Node, error) {
	n := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Line: line}
	if open == '{' {
		n.Kind, n.Tag = yaml.MappingNode, "!!map"
	}
	for p.dec.More() {
		c, err := p.value(depth + 1) // keys of an object are strings to Token
		if err != nil {
			return nil, p.broken(err)
		}
		n.Content = append(n.Content, c)
	}
	if _, err := p.dec.Token(); err != nil {
		return nil, p.broken(err)
	}
	return n, nil
}

func (p *jsonParser) lineNow() int {
	at := min(int(p.dec.InputOffset()), len(p.data))
	p.line += bytes.Count(p.data[p.pos:at], []byte("\n"))
	p.pos = at
	return p.line
}

func (p *jsonParser) broken(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("line %d: not JSON: the text ends early", p.lineNow())
	}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("line %d: not JSON: %w", p.lineNow(), err)
	}
	return err
}
