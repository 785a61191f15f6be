package spheres

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
)

// writeURDF writes the robot's URDF with the collision geometry of links with spheres replaced
// by these. Everything else stays unchanged byte by byte; mesh files with relative names are
// then relative to the new folder.
func (s *Set) writeURDF(w io.Writer) error {
	if s.source == nil {
		return errors.New("the robot was not read from a file")
	}
	data, err := s.source()
	if err != nil {
		return err
	}
	out, err := replaceCollisions(data, s.Links)
	if err != nil {
		return fmt.Errorf("%s: %w", s.path, err)
	}
	_, err = w.Write(out)
	return err
}

// cut is a removed range of the file, and its replacement.
type cut struct {
	from, to int64
	text     string
}

// replaceCollisions replaces the first <collision> of each link by its spheres, and removes
// the others.
func replaceCollisions(data []byte, links []coveredLink) ([]byte, error) {
	byName := map[string]*coveredLink{}
	for i := range links {
		byName[links[i].Link] = &links[i]
	}
	cuts, err := findCollisions(data, byName)
	if err != nil {
		return nil, err
	}
	if len(byName) > 0 {
		return nil, fmt.Errorf("%d links with spheres were not found in it", len(byName))
	}
	var out bytes.Buffer
	at := int64(0)
	for _, c := range cuts {
		out.Write(data[at:c.from])
		out.WriteString(c.text)
		at = c.to
	}
	out.Write(data[at:])
	return out.Bytes(), nil
}

// findCollisions walks through the elements: links are children of the robot, and collisions
// children of links. It removes the links that it finds from byName.
func findCollisions(data []byte, byName map[string]*coveredLink) ([]cut, error) {
	d := xml.NewDecoder(bytes.NewReader(data))
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // only ASCII matters here
	var cuts []cut
	var link *coveredLink
	depth, first := 0, false
	for {
		start := d.InputOffset()
		token, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			return cuts, nil
		}
		if err != nil {
			return nil, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			depth++
			switch {
			case depth == 2 && t.Name.Local == "link":
				name := attribute(t, "name")
				link, first = byName[name], true
				delete(byName, name)
			case depth == 3 && t.Name.Local == "collision" && link != nil:
				end, err := skip(d)
				if err != nil {
					return nil, err
				}
				depth--
				c := cut{from: start, to: end}
				if first {
					c.text, first = collisions(link), false
				} else {
					c.from = lineStart(data, start)
				}
				cuts = append(cuts, c)
			}
		case xml.EndElement:
			depth--
			if depth == 1 {
				link = nil
			}
		}
	}
}

// skip reads to the end of the current element, and returns its offset.
func skip(d *xml.Decoder) (int64, error) {
	for depth := 1; depth > 0; {
		token, err := d.RawToken()
		if err != nil {
			return 0, err
		}
		switch token.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		}
	}
	return d.InputOffset(), nil
}

// lineStart is the start of the line if only blanks precede at, so that removing an element
// leaves no empty line.
func lineStart(data []byte, at int64) int64 {
	for i := at; i > 0; i-- {
		switch data[i-1] {
		case ' ', '\t', '\r':
		case '\n':
			return i - 1
		default:
			return at
		}
	}
	return at
}

func attribute(t xml.StartElement, name string) string {
	for _, a := range t.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// collisions returns the spheres of a link as URDF.
func collisions(c *coveredLink) string {
	var b bytes.Buffer
	w := bufio.NewWriter(&b)
	for i, s := range c.Spheres {
		if i > 0 {
			fmt.Fprint(w, "\n    ")
		}
		fmt.Fprintf(w, `<collision><origin xyz="%s %s %s" rpy="0 0 0"/><geometry><sphere radius="%s"/></geometry></collision>`,
			exact(s.Center[0]), exact(s.Center[1]), exact(s.Center[2]), exact(s.Radius))
	}
	_ = w.Flush() // a buffer never fails
	return b.String()
}
