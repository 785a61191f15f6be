package urdf

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"unicode/utf8"
)

// WriteSRDF returns an SRDF for r that disables exactly the given pairs, each once, with the
// given reasons.
//
// source is the text of an SRDF to start from: everything other than pairs stays unchanged
// byte for byte, including comments and spaces, and so do its entries that name a link which r
// lacks, as they may be for another variant of the robot. The new entries replace its other
// disable_collisions, disable_default_collisions and enable_collisions, at the position of the
// first of them. Without a source the SRDF contains only the pairs.
//
// A source that LoadSRDF would refuse is an error, and so is one with letters in another
// encoding than UTF-8. WriteSRDF reads its result again to verify it.
func WriteSRDF(r *Robot, source []byte, pairs []DisabledPair) ([]byte, error) {
	if source == nil {
		source = []byte("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n" + `<robot name="` + attrText(r.Name) + "\">\n</robot>\n")
	}
	before, err := ParseSRDF(r, source)
	if err != nil {
		return nil, err
	}
	if !utf8.Valid(source) {
		return nil, errors.New("the SRDF has letters that are not UTF-8: save it as UTF-8 first")
	}
	e := &srdfEdit{robot: r, source: source}
	if err := e.scan(); err != nil {
		return nil, fmt.Errorf("SRDF: %w", err)
	}
	out := e.with(pairs)
	if err := saysSame(r, before, out, pairs); err != nil {
		return nil, err
	}
	return out, nil
}

// attrText escapes a text for an attribute.
func attrText(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // a buffer never fails
	return b.String()
}

// srdfEdit finds the elements of pairs in an SRDF.
type srdfEdit struct {
	robot  *Robot
	source []byte
	cuts   [][2]int // removed elements, whole lines if they contain nothing else
	at     int      // position of the new entries
	closed int      // where the root's tag ends in "/>", otherwise 0
	space  string   // the root's namespace: elements of others have another meaning
	indent string
}

// scan walks the document and records the elements of pairs directly below the root.
func (e *srdfEdit) scan() error {
	d := xml.NewDecoder(bytes.NewReader(e.source))
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // only ASCII matters: offsets stay valid
	for depth := 0; ; {
		start := int(d.InputOffset())
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			if depth == 0 {
				e.space = tok.Name.Space
			}
			if end := int(d.InputOffset()); depth == 0 && bytes.HasSuffix(e.source[:end], []byte("/>")) {
				e.closed, e.at = end-len("/>"), end
			}
			if depth == 1 && e.goes(tok) {
				if err := d.Skip(); err != nil {
					return err
				}
				e.cut(start, int(d.InputOffset()))
				continue
			}
			depth++
		case xml.EndElement:
			if depth--; depth == 0 && e.closed == 0 && len(e.cuts) == 0 {
				e.at = e.lineStart(start)
			}
		}
	}
	if len(e.cuts) > 0 {
		e.at = e.cuts[0][0]
	} else {
		e.indent = "    "
	}
	return nil
}

// goes reports whether the element is about pairs, and only about links of the robot.
func (e *srdfEdit) goes(tok xml.StartElement) bool {
	var names []string
	if tok.Name.Space != e.space && !namesOwnSpace(tok) {
		return false
	}
	switch tok.Name.Local {
	case "disable_collisions", "enable_collisions":
		names = []string{"link1", "link2"}
	case "disable_default_collisions":
		names = []string{"link"}
	default:
		return false
	}
	for _, name := range names {
		for _, a := range tok.Attr {
			if a.Name.Space == "" && a.Name.Local == name && e.robot.Link(a.Value) < 0 {
				return false
			}
		}
	}
	return true
}

// namesOwnSpace reports whether an element has a namespace of its own, and no prefix: it is read.
func namesOwnSpace(tok xml.StartElement) bool {
	return slices.ContainsFunc(tok.Attr, func(a xml.Attr) bool {
		return a.Name.Space == "" && a.Name.Local == "xmlns" && a.Value == tok.Name.Space
	})
}

// lineStart is the start of the line of position i if only spaces precede i, otherwise i.
func (e *srdfEdit) lineStart(i int) int {
	k := i
	for k > 0 && (e.source[k-1] == ' ' || e.source[k-1] == '\t') {
		k--
	}
	if k == 0 || e.source[k-1] == '\n' {
		return k
	}
	return i
}

// cut records that the element is removed, with its line if nothing else is on it.
func (e *srdfEdit) cut(start, end int) {
	from, to := e.lineStart(start), end
	for to < len(e.source) && (e.source[to] == ' ' || e.source[to] == '\t' || e.source[to] == '\r') {
		to++
	}
	alone := from == 0 || e.source[from-1] == '\n'
	if !alone || to < len(e.source) && e.source[to] != '\n' {
		from, to = start, end
	} else if to < len(e.source) {
		to++
	}
	if len(e.cuts) == 0 {
		e.indent = string(e.source[e.lineStart(start):start])
	}
	e.cuts = append(e.cuts, [2]int{from, to})
}

// with returns the document with the pairs in place of the removed elements.
func (e *srdfEdit) with(pairs []DisabledPair) []byte {
	newline := "\n"
	if bytes.Contains(e.source, []byte("\r\n")) {
		newline = "\r\n"
	}
	var entries bytes.Buffer
	if e.at > 0 && e.source[e.at-1] != '\n' && len(pairs) > 0 {
		entries.WriteString(newline)
	}
	for _, p := range pairs {
		fmt.Fprintf(&entries, `%s<disable_collisions link1="%s" link2="%s" reason="%s"/>%s`,
			e.indent, attrText(e.robot.Links[p.A].Name), attrText(e.robot.Links[p.B].Name), attrText(p.Reason), newline)
	}
	var out bytes.Buffer
	if e.closed > 0 {
		name := e.rootName()
		out.Write(e.source[:e.closed])
		out.WriteString(">")
		out.Write(entries.Bytes())
		out.WriteString("</" + name + ">")
		out.Write(e.source[e.at:])
		return out.Bytes()
	}
	done := 0
	for _, c := range append([][2]int{{e.at, e.at}}, e.cuts...) {
		out.Write(e.source[done:c[0]])
		if c == [2]int{e.at, e.at} {
			out.Write(entries.Bytes())
		}
		done = c[1]
	}
	out.Write(e.source[done:])
	return out.Bytes()
}

// rootName is the name in the root's tag, including its prefix.
func (e *srdfEdit) rootName() string {
	tag := e.source[bytes.LastIndexByte(e.source[:e.closed], '<')+1 : e.closed]
	if i := bytes.IndexAny(tag, " \t\r\n/"); i >= 0 {
		tag = tag[:i]
	}
	return string(tag)
}

// saysSame fails unless the text disables the pairs and otherwise has the same content as
// before.
func saysSame(r, before *Robot, text []byte, pairs []DisabledPair) error {
	after, err := ParseSRDF(r, text)
	if err != nil {
		return fmt.Errorf("the SRDF that was written cannot be read: %w", err)
	}
	was, is := *before.Semantic, *after.Semantic
	disabled := is.Disabled
	was.Disabled, is.Disabled = nil, nil
	if !reflect.DeepEqual(was, is) {
		return errors.New("the SRDF that was written has lost content of the given one")
	}
	want := map[[2]int]string{}
	for _, p := range pairs {
		want[ordered(p.A, p.B)] = p.Reason
	}
	if len(want) != len(pairs) || len(disabled) != len(want) {
		return fmt.Errorf("the SRDF that was written disables %d pairs instead of %d: check whether one is given twice", len(disabled), len(pairs))
	}
	for _, p := range disabled {
		if reason, ok := want[[2]int{p.A, p.B}]; !ok || reason != p.Reason {
			return fmt.Errorf("the SRDF that was written disables %s and %s for the reason %q", r.Links[p.A].Name, r.Links[p.B].Name, p.Reason)
		}
	}
	return nil
}
