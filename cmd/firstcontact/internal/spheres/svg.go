package spheres

import (
	"bytes"
	"fmt"
	"io"
	"math"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/answer"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/drawing"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/linkspheres"
)

// The picture of spheres: a row for each link with three views to the same scale.
const (
	rowHead            = 40.0
	pictureColumnWidth = 3*drawing.ViewSize + 2*drawing.ViewGap + 2*drawing.PageEdge
)

// drawSpheres writes an SVG picture: each link's outline, filled, with its spheres on
// it, in three views.
func drawSpheres(w io.Writer, s *Set, bodies []*linkspheres.Body) error {
	var c bytes.Buffer
	columns := 1
	if len(s.Links) > 4 {
		columns = 2
	}
	rows := (len(s.Links) + columns - 1) / columns
	rowHeight := rowHead + drawing.ViewSize + drawing.ViewGap
	width, height := float64(columns)*pictureColumnWidth, 50+float64(rows)*rowHeight+drawing.PageEdge
	fmt.Fprintf(&c, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" font-family="sans-serif" font-size="12">`+"\n", width, height)
	fmt.Fprintf(&c, `<rect width="100%%" height="100%%" fill="white"/>`+"\n")
	title := fmt.Sprintf("Spheres around the links of %s: from the front, the side and above, in each link's frame", s.Robot)
	fmt.Fprintf(&c, `<text x="%g" y="28" font-size="15">%s</text>`+"\n", drawing.PageEdge, answer.Escaped(title))
	for i := range s.Links {
		x, y := float64(i/rows)*pictureColumnWidth+drawing.PageEdge, 50+float64(i%rows)*rowHeight
		fmt.Fprintf(&c, `<g transform="translate(%g %g)">`+"\n", x, y)
		drawLink(&c, &s.Links[i], bodies[i])
		fmt.Fprint(&c, "</g>\n")
	}
	fmt.Fprint(&c, "</svg>\n")
	_, err := w.Write(c.Bytes())
	return err
}

// drawLink draws one row.
func drawLink(c *bytes.Buffer, l *coveredLink, body *linkspheres.Body) {
	box := body.Box()
	for _, s := range l.Spheres {
		r := geom.Vec{X: s.Radius, Y: s.Radius, Z: s.Radius}
		o := geom.Vec{X: s.Center[0], Y: s.Center[1], Z: s.Center[2]}
		box = box.Extend(geom.Vec{X: o.X - r.X, Y: o.Y - r.Y, Z: o.Z - r.Z}).Extend(geom.Vec{X: o.X + r.X, Y: o.Y + r.Y, Z: o.Z + r.Z})
	}
	m, h := box.Center(), box.Half()
	scale := drawing.ViewSize / (2 * math.Max(h.X, math.Max(h.Y, h.Z)))
	if math.IsInf(scale, 0) || math.IsNaN(scale) {
		scale = 1
	}
	caption := fmt.Sprintf("%d spheres, protruding by at most %s", len(l.Spheres), answer.Metres(l.Excess[1]))
	if l.Ratio != nil {
		caption += fmt.Sprintf(", %.2f times its volume", l.Ratio.Value)
	}
	fmt.Fprintf(c, `<text y="14" font-weight="bold">%s</text><text y="30" fill="#555">%s</text>`+"\n", answer.Escaped(l.Link), answer.Escaped(caption))
	pieces := drawing.Pieces(body, 2*math.Max(h.X, math.Max(h.Y, h.Z))/24)
	for i := range drawing.Views {
		v := &drawing.Views[i]
		place := func(p geom.Vec) (float64, float64) {
			return drawing.ViewSize/2 + scale*(v.Right(p)-v.Right(m)), drawing.ViewSize/2 - scale*(v.Up(p)-v.Up(m))
		}
		fmt.Fprintf(c, `<g transform="translate(%g %g)"><title>%s</title>`+"\n", float64(i)*(drawing.ViewSize+drawing.ViewGap), rowHead, answer.Escaped(l.Link+" "+v.Name))
		drawing.Outline(c, pieces, place, drawing.OfLinks)
		for _, s := range l.Spheres {
			x, y := place(geom.Vec{X: s.Center[0], Y: s.Center[1], Z: s.Center[2]})
			fmt.Fprintf(c, `<circle cx="%.1f" cy="%.1f" r="%.2f" fill="#e07b00" fill-opacity="0.10" stroke="#b35900" stroke-width="0.9"/>`+"\n", x, y, scale*s.Radius)
		}
		if i == 0 {
			drawing.Scale(c, scale)
		}
		fmt.Fprintf(c, `<text x="%g" y="%g" font-size="9" fill="#888">%s right, %s up</text></g>`+"\n", drawing.ViewSize-58, drawing.ViewSize+9, v.Across, v.Tall)
	}
}
