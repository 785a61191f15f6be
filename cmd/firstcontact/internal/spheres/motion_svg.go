package spheres

import (
	"bytes"
	"fmt"
	"io"
	"math"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/answer"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/drawing"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/linkspheres"
)

// The picture of a robot's trees: the whole robot in three large views with the hulls of its
// chains, and a row for each link with its spheres, level by level.
const (
	robotZoom   = 2.0 // a large view is a view this many times as large
	robotHeight = 60 + robotZoom*drawing.ViewSize + 40
	levelsHead  = 54.0 // above the panels of a row: the link, what is known of it, the levels
)

// shownLevels are the levels of a link's tree that have a panel.
var shownLevels = []int{0, 1, 2, 3, 5}

// rowWidth is that of a link's row.
var rowWidth = float64(len(shownLevels))*(drawing.ViewSize+drawing.ViewGap) + drawing.PageEdge

// draw writes an SVG picture.
func (m *motionTrees) draw(w io.Writer) error {
	var c bytes.Buffer
	rowHeight := levelsHead + drawing.ViewSize + drawing.ViewGap
	width := max(rowWidth+drawing.PageEdge, 3*robotZoom*drawing.ViewSize+2*drawing.ViewGap+2*drawing.PageEdge)
	height := robotHeight + 40 + float64(len(m.links))*rowHeight + drawing.PageEdge
	fmt.Fprintf(&c, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" font-family="sans-serif" font-size="12">`+"\n", width, height)
	fmt.Fprint(&c, `<rect width="100%" height="100%" fill="white"/>`+"\n")
	title := fmt.Sprintf("Ranges of motion of %s: %d hulls, of which %d (solid) stand for the spheres around the links beyond a joint", m.robot, m.all.Hulls, m.all.Tight)
	fmt.Fprintf(&c, `<text x="%g" y="28" font-size="15">%s</text>`+"\n", drawing.PageEdge, answer.Escaped(title))
	m.drawRobot(&c)
	fmt.Fprintf(&c, `<text x="%g" y="%g" font-size="15">%s</text>`+"\n", drawing.PageEdge, robotHeight+20,
		answer.Escaped(fmt.Sprintf("Sphere trees of the links: %d spheres in up to %d levels, from the front, in each link's frame", m.all.Spheres, m.all.Levels)))
	for i := range m.links {
		fmt.Fprintf(&c, `<g transform="translate(%g %g)">`+"\n", drawing.PageEdge, robotHeight+40+float64(i)*rowHeight)
		if err := m.drawLevels(&c, &m.links[i], m.body(m.links[i].Link)); err != nil {
			return err
		}
		fmt.Fprint(&c, "</g>\n")
	}
	fmt.Fprint(&c, "</svg>\n")
	_, err := w.Write(c.Bytes())
	return err
}

func (m *motionTrees) body(link string) *linkspheres.Body {
	for _, b := range m.bodies {
		if b.Link == link {
			return b
		}
	}
	return &linkspheres.Body{}
}

// hullsShown lists the hulls to draw, in the root link's frame: of links that joints hang
// on, each place once.
func (m *motionTrees) hullsShown() (out []ccd.LinkTree) {
	for i := range m.links {
		l := m.links[i]
		if !l.Bounded || l.Beyond == 0 && !l.Tight {
			continue
		}
		l.Hull.Center = l.Pose.Apply(l.Hull.Center)
		twice := false
		for k := range out { // links of one rigid body have the same hull
			twice = twice || geom.Norm(subtract(out[k].Hull.Center, l.Hull.Center)) < 1e-9 && out[k].Beyond == l.Beyond
		}
		if !twice {
			out = append(out, l)
		}
	}
	return out
}

func subtract(a, b geom.Vec) geom.Vec { return geom.Vec{X: a.X - b.X, Y: a.Y - b.Y, Z: a.Z - b.Z} }

// drawRobot draws the robot at its default state with the hulls of its chains.
func (m *motionTrees) drawRobot(c *bytes.Buffer) {
	box := geom.EmptyBox()
	hulls := m.hullsShown()
	for i := range hulls {
		box = grownBy(box, hulls[i].Hull.Center, hulls[i].Hull.Radius)
	}
	var pieces [][4]geom.Vec
	for i := range m.links {
		for _, p := range drawing.Pieces(m.body(m.links[i].Link), 0.05) {
			for k := range p {
				p[k] = m.links[i].Pose.Apply(p[k])
				box = box.Extend(p[k])
			}
			pieces = append(pieces, p)
		}
	}
	for i := range drawing.Views {
		fmt.Fprintf(c, `<g transform="translate(%g 50) scale(%g)"><title>%s</title>`+"\n", drawing.PageEdge+float64(i)*(robotZoom*drawing.ViewSize+drawing.ViewGap), robotZoom, answer.Escaped(drawing.Views[i].Name))
		place, scale := drawing.Fit(box, &drawing.Views[i])
		drawing.Outline(c, pieces, place, drawing.OfLinks)
		for k := range hulls {
			l := &hulls[k]
			colour, dash := "#7a7a7a", ` stroke-dasharray="3 2"`
			if l.Tight {
				colour, dash = "#b35900", ""
			}
			x, y := place(l.Hull.Center)
			fmt.Fprintf(c, `<circle cx="%.1f" cy="%.1f" r="%.2f" fill="none" stroke="%s" stroke-width="0.5"%s><title>%s</title></circle>`+"\n",
				x, y, scale*l.Hull.Radius, colour, dash, answer.Escaped(fmt.Sprintf("%s and %d links beyond it: %s", l.Link, l.Beyond, answer.Metres(l.Hull.Radius))))
		}
		drawing.Axes(c, &drawing.Views[i], scale, i == 0)
		fmt.Fprint(c, "</g>\n")
	}
}

// drawLevels draws the row of a link.
func (m *motionTrees) drawLevels(c *bytes.Buffer, l *ccd.LinkTree, body *linkspheres.Body) error {
	caption := fmt.Sprintf("%d spheres in %d levels", l.Spheres, l.Levels)
	if l.Bounded && l.Beyond > 0 {
		caption += fmt.Sprintf("; its hull with %d links beyond it: %s", l.Beyond, answer.Metres(l.Hull.Radius))
	}
	fmt.Fprintf(c, `<text y="14" font-weight="bold">%s</text><text y="30" fill="#555">%s</text>`+"\n", answer.Escaped(l.Link), answer.Escaped(caption))
	panel := 0
	box := body.Box()
	var place func(geom.Vec) (float64, float64)
	var scale float64
	var pieces [][4]geom.Vec
	for _, level := range shownLevels {
		if level > 0 && level >= l.Levels {
			break
		}
		spheres, err := m.c.LinkSpheres(l.Link, level)
		if err != nil {
			return err
		}
		if panel == 0 {
			for _, s := range spheres {
				box = grownBy(box, s.Center, s.Radius)
			}
			h := box.Half()
			pieces = drawing.Pieces(body, 2*math.Max(h.X, math.Max(h.Y, h.Z))/24)
			place, scale = drawing.Fit(box, &drawing.Views[0])
		}
		fmt.Fprintf(c, `<g transform="translate(%g %g)">`+"\n", float64(panel)*(drawing.ViewSize+drawing.ViewGap), levelsHead)
		drawing.Outline(c, pieces, place, drawing.OfLinks)
		for _, s := range spheres {
			x, y := place(s.Center)
			fmt.Fprintf(c, `<circle cx="%.1f" cy="%.1f" r="%.2f" fill="#e07b00" fill-opacity="0.08" stroke="#b35900" stroke-width="0.7"/>`+"\n", x, y, scale*s.Radius)
		}
		drawing.Axes(c, &drawing.Views[0], scale, panel == 0)
		fmt.Fprintf(c, `<text x="%g" y="-4" font-size="10" text-anchor="middle">level %d: %d</text></g>`+"\n", drawing.ViewSize/2, level+1, len(spheres))
		panel++
	}
	return nil
}

// grownBy returns a box that holds a ball, too.
func grownBy(box geom.Box, center geom.Vec, r float64) geom.Box {
	return box.Extend(geom.Vec{X: center.X - r, Y: center.Y - r, Z: center.Z - r}).Extend(geom.Vec{X: center.X + r, Y: center.Y + r, Z: center.Z + r})
}
