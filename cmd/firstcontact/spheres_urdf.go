package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"

	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
)

// writeURDF writes the robot's URDF with the collision geometry of the links that
// have spheres replaced by these. All else is left as it is, to the byte; mesh files
// that it names relative to its folder are still looked for relative to the new one.
func (s *sphereSet) writeURDF(w io.Writer) error {
	if s.path == "" {
		return errors.New("the robot came from no file")
	}
	data, err := infile.Read(context.Background(), s.path, limit.DescriptionBytes)
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

// cut is a stretch of the file that goes, and what comes in its place.
type cut struct {
	from, to int64
	text     string
}

// replaceCollisions puts the spheres of each link in the place of its first
// <collision>, and takes out the others.
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

// findCollisions walks through the elements: links are children of the robot, and
// collisions children of links. Links that it found are taken out of byName.
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

// skip reads to the end of the element that has just begun, and returns where that is.
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

// lineStart is the start of the line that holds nothing but blanks before at, so that
// what is taken out leaves no empty line.
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

// collisions is the spheres of a link as URDF.
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
	_ = w.Flush() // a buffer does not fail
	return b.String()
}
