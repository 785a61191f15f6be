// Package xmltree reads an XML document of bounded depth and size into a tree of elements, for
// COLLADA, URDF and SRDF.
package xmltree

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
)

// Node is one element. Names are local: Space holds the namespace, as its address if the
// document declares the prefix, otherwise as the prefix.
type Node struct {
	Name  string
	Space string
	Attrs []xml.Attr
	Text  string // all character data directly inside the element
	Kids  []*Node
	Line  int // where the start tag ends, from 1

	// Prefixed says that the name has a prefix: programs without namespaces, such as urdfdom,
	// know the element by another name than Name.
	Prefixed bool

	inner string // the namespace of names without a prefix, inside the element and of its own
}

// Parse reads one document. XML that is not well-formed, a truncated document, more than one
// root and anything beyond the limits are errors. If skip is not nil, elements that it accepts
// by local name are left out with their content. Latin-1 is supported; encodings other than it
// and UTF-8 are errors.
func Parse(data []byte, skip func(name string) bool) (*Node, error) {
	if !utf8.Valid(data) && !declaresEncoding(data) {
		// A stray byte in an author's name must not make the geometry unreadable.
		data = bytes.ToValidUTF8(data, []byte("\uFFFD"))
	}
	p := &parser{dec: xml.NewDecoder(bytes.NewReader(data)), skip: skip}
	p.dec.CharsetReader = charset
	for {
		tok, err := p.dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("not well-formed XML (truncated or damaged?): %w", err)
		}
		if err := p.token(tok); err != nil {
			return nil, err
		}
	}
	if p.root == nil {
		return nil, errors.New("there is no XML element")
	}
	return p.root, nil
}

type parser struct {
	dec   *xml.Decoder
	skip  func(string) bool
	root  *Node
	open  []*Node
	text  []*strings.Builder // one for each open node, nil until it has text
	nodes int
}

func (p *parser) token(tok xml.Token) error {
	switch tok := tok.(type) {
	case xml.StartElement:
		if len(p.open) > 0 && p.skip != nil && p.skip(tok.Name.Local) {
			if err := p.dec.Skip(); err != nil {
				return fmt.Errorf("not well-formed XML (truncated or damaged?): %w", err)
			}
			return nil
		}
		return p.start(tok)
	case xml.EndElement:
		last := len(p.open) - 1
		if b := p.text[last]; b != nil {
			p.open[last].Text = b.String()
		}
		p.open, p.text = p.open[:last], p.text[:last]
	case xml.CharData:
		if len(p.open) > 0 && len(bytes.TrimSpace(tok)) > 0 {
			p.addText(tok)
		}
	}
	return nil
}

func (p *parser) start(tok xml.StartElement) error {
	line, _ := p.dec.InputPos()
	p.nodes++
	switch {
	case p.nodes > limit.XMLElements:
		return fmt.Errorf("line %d: more than %d XML elements", line, limit.XMLElements)
	case len(p.open) >= limit.XMLDepth:
		return fmt.Errorf("line %d: XML elements nested deeper than %d", line, limit.XMLDepth)
	case len(tok.Attr) > limit.XMLAttributes:
		return fmt.Errorf("line %d: <%s> has more than %d attributes", line, tok.Name.Local, limit.XMLAttributes)
	}
	for i, a := range tok.Attr {
		for _, b := range tok.Attr[:i] {
			if a.Name == b.Name {
				return fmt.Errorf("line %d: <%s> has the attribute %s twice", line, tok.Name.Local, a.Name.Local)
			}
		}
	}
	n := &Node{Name: tok.Name.Local, Space: tok.Name.Space, Attrs: tok.Attr, Line: line}
	if len(p.open) > 0 {
		parent := p.open[len(p.open)-1]
		parent.Kids = append(parent.Kids, n)
		n.inner = parent.inner
	} else if p.root != nil {
		return fmt.Errorf("line %d: a second root element <%s>", line, n.Name)
	} else {
		p.root = n
	}
	for _, a := range tok.Attr {
		if a.Name.Space == "" && a.Name.Local == "xmlns" {
			n.inner = a.Value
		}
	}
	n.Prefixed = n.Space != n.inner
	p.open, p.text = append(p.open, n), append(p.text, nil)
	return nil
}

func (p *parser) addText(s []byte) {
	b := &p.text[len(p.text)-1]
	if *b == nil {
		*b = new(strings.Builder)
	} else {
		(*b).WriteByte(' ') // a comment between two numbers keeps them apart
	}
	(*b).Write(s)
}

// Attr returns the value of the attribute of that local name outside any
// namespace, and whether n has it.
func (n *Node) Attr(name string) (string, bool) {
	for _, a := range n.Attrs {
		if a.Name.Space == "" && a.Name.Local == name {
			return a.Value, true
		}
	}
	return "", false
}

// Child returns the first child of that name, or nil; n may be nil.
func (n *Node) Child(name string) *Node {
	if n == nil {
		return nil
	}
	for _, k := range n.Kids {
		if k.Name == name {
			return k
		}
	}
	return nil
}

// All returns the children of that name in order; n may be nil.
func (n *Node) All(name string) []*Node {
	if n == nil {
		return nil
	}
	var out []*Node
	for _, k := range n.Kids {
		if k.Name == name {
			out = append(out, k)
		}
	}
	return out
}

// Walk calls f for n and all its descendants in document order.
func (n *Node) Walk(f func(*Node)) {
	f(n)
	for _, k := range n.Kids {
		k.Walk(f)
	}
}

func declaresEncoding(data []byte) bool {
	head := data[:min(len(data), 200)]
	end := bytes.Index(head, []byte("?>"))
	return end >= 0 && bytes.Contains(head[:end], []byte("encoding")) &&
		!bytes.Contains(bytes.ToLower(head[:end]), []byte("utf-8"))
}

func charset(label string, in io.Reader) (io.Reader, error) {
	switch strings.ToLower(label) {
	case "us-ascii", "ascii", "iso-8859-1", "latin1", "windows-1252":
		return &latin1{in: in}, nil
	}
	return nil, fmt.Errorf("encoding %s is not supported: save the file as UTF-8", label)
}

// latin1 turns every byte into the code point of the same number.
type latin1 struct {
	in   io.Reader
	rest []byte
	buf  [1024]byte
}

func (l *latin1) Read(p []byte) (int, error) {
	if len(l.rest) == 0 {
		n, err := l.in.Read(l.buf[:])
		if n == 0 {
			return 0, err
		}
		l.rest = l.rest[:0]
		for _, c := range l.buf[:n] {
			l.rest = utf8.AppendRune(l.rest, rune(c))
		}
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}
