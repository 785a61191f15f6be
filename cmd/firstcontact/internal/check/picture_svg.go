package check

import (
	"bytes"
	"fmt"
	"io"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/answer"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/drawing"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// What the picture of a still shows, and how.
const (
	ofWorld = `fill="#e8e2d4" stroke="#8a7f66" stroke-width="0.5"`
	ofStart = `fill="none" stroke="#8fa3b8" stroke-width="0.5" stroke-dasharray="2 1.5"`
	ofPairA = `fill="#e07b00" fill-opacity="0.75" stroke="#8a4b00" stroke-width="0.5"`
	ofPairB = `fill="#c0271a" fill-opacity="0.6" stroke="#7a1208" stroke-width="0.5"`
	zoom    = 1.5 // of a view
)

// write draws the still from three sides as an SVG picture.
func (s *still) write(w io.Writer) error {
	var c bytes.Buffer
	width, height := 3*zoom*drawing.ViewSize+2*drawing.ViewGap+2*drawing.PageEdge, 76+zoom*drawing.ViewSize+46
	fmt.Fprintf(&c, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" font-family="sans-serif" font-size="12">`+"\n", width, height)
	fmt.Fprint(&c, `<rect width="100%" height="100%" fill="white"/>`+"\n")
	fmt.Fprintf(&c, `<text x="%g" y="26" font-size="16">%s</text>`+"\n", drawing.PageEdge, answer.Escaped(s.title))
	fmt.Fprintf(&c, `<text x="%g" y="46" fill="#555">%s</text>`+"\n", drawing.PageEdge, answer.Escaped(s.caption))
	box := s.frame()
	for i := range drawing.Views {
		fmt.Fprintf(&c, `<g transform="translate(%g 62) scale(%g)"><title>%s</title>`+"\n", drawing.PageEdge+float64(i)*(zoom*drawing.ViewSize+drawing.ViewGap), zoom, answer.Escaped(drawing.Views[i].Name))
		place, scale := drawing.Fit(box, &drawing.Views[i])
		s.view(&c, place)
		fmt.Fprintf(&c, `<rect width="%g" height="%g" fill="none" stroke="#ddd" stroke-width="0.5"/>`+"\n", drawing.ViewSize, drawing.ViewSize)
		drawing.Axes(&c, &drawing.Views[i], scale, i == 0)
		fmt.Fprint(&c, "</g>\n")
	}
	s.legend(&c, height-14)
	fmt.Fprint(&c, "</svg>\n")
	_, err := w.Write(c.Bytes())
	return err
}

// points are those of the witness.
func (s *still) points() []geom.Vec {
	if s.witness == nil {
		return nil
	}
	return []geom.Vec{s.witness.PointA, s.witness.PointB}
}

// frame is what the views show: the robot with some room around it.
func (s *still) frame() geom.Box {
	box := geom.EmptyBox()
	for _, p := range s.points() {
		box = box.Extend(p)
	}
	for i := range s.robot {
		for _, p := range s.robot[i].pieces {
			for _, v := range p {
				box = box.Extend(v)
			}
		}
	}
	h := box.Half()
	const room = 0.25
	d := geom.Vec{X: room * h.X, Y: room * h.Y, Z: room * h.Z}
	return box.Extend(geom.Vec{X: box.Min.X - d.X, Y: box.Min.Y - d.Y, Z: box.Min.Z - d.Z}).
		Extend(geom.Vec{X: box.Max.X + d.X, Y: box.Max.Y + d.Y, Z: box.Max.Z + d.Z})
}

// view draws one view, what matters last.
func (s *still) view(c *bytes.Buffer, place func(geom.Vec) (float64, float64)) {
	for i := range s.world {
		fmt.Fprintf(c, "<g><title>%s</title>", answer.Escaped(s.world[i].body.Name))
		drawing.Outline(c, s.world[i].pieces, place, ofWorld)
		fmt.Fprint(c, "</g>\n")
	}
	drawing.Outline(c, all(s.start), place, ofStart)
	drawing.Outline(c, all(s.robot), place, drawing.OfLinks)
	if s.witness == nil {
		return
	}
	for _, side := range []struct {
		body       motion.Body
		attributes string
	}{{s.witness.Pair.A, ofPairA}, {s.witness.Pair.B, ofPairB}} {
		for _, figures := range [][]figure{s.robot, s.world} {
			for i := range figures {
				if figures[i].body == side.body {
					drawing.Outline(c, figures[i].pieces, place, side.attributes)
				}
			}
		}
	}
	for _, p := range s.points() {
		x, y := place(p)
		fmt.Fprintf(c, `<circle cx="%.1f" cy="%.1f" r="1.6" fill="white" stroke="black" stroke-width="0.7"/>`+"\n", x, y)
	}
}

// all returns the pieces of all figures, for one outline.
func all(figures []figure) (out [][4]geom.Vec) {
	for i := range figures {
		out = append(out, figures[i].pieces...)
	}
	return out
}

// legend explains colours.
func (s *still) legend(c *bytes.Buffer, y float64) {
	entries := [][2]string{{drawing.OfLinks, "the robot"}, {ofStart, "where the motion starts"}}
	if len(s.world) > 0 {
		entries = append(entries, [2]string{ofWorld, "obstacles"})
	}
	if w := s.witness; w != nil {
		entries = append(entries, [2]string{ofPairA, w.Pair.A.Name}, [2]string{ofPairB, w.Pair.B.Name})
	}
	x := drawing.PageEdge
	for _, e := range entries {
		fmt.Fprintf(c, `<rect x="%g" y="%g" width="14" height="10" %s/><text x="%g" y="%g">%s</text>`+"\n", x, y-9, e[0], x+20, y, answer.Escaped(e[1]))
		x += 44 + 6.6*float64(len(e[1]))
	}
}
