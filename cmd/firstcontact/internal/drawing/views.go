package drawing

import (
	"bytes"
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/answer"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/linkspheres"
)

// Of a page: a view is a square of this many units, with a gap between two, and an edge all around.
const (
	ViewSize, ViewGap = 200.0, 16.0
	PageEdge          = 20.0
)

// View looks along an axis of the frame that it shows.
type View struct {
	Name         string                   // such as "from above (along z)"
	Right, Up    func(v geom.Vec) float64 // the coordinates that it shows, m
	Across, Tall string                   // their axes
}

// Views are the three views of a picture.
var Views = [...]View{
	{"from the front (along y)", func(v geom.Vec) float64 { return v.X }, func(v geom.Vec) float64 { return v.Z }, "x", "z"},
	{"from the side (along x)", func(v geom.Vec) float64 { return v.Y }, func(v geom.Vec) float64 { return v.Z }, "y", "z"},
	{"from above (along z)", func(v geom.Vec) float64 { return v.X }, func(v geom.Vec) float64 { return v.Y }, "x", "y"},
}

// Fit returns where points (m) in a box are on the page of a view, and how many units a metre has.
func Fit(box geom.Box, v *View) (place func(geom.Vec) (float64, float64), scale float64) {
	m, h := box.Center(), box.Half()
	scale = ViewSize / (2 * math.Max(h.X, math.Max(h.Y, h.Z)))
	if math.IsInf(scale, 0) || math.IsNaN(scale) {
		scale = 1
	}
	return func(p geom.Vec) (float64, float64) {
		return ViewSize/2 + scale*(v.Right(p)-v.Right(m)), ViewSize/2 - scale*(v.Up(p)-v.Up(m))
	}, scale
}

// Axes names the axes of a view, and draws its scale if bar says so.
func Axes(c *bytes.Buffer, v *View, scale float64, bar bool) {
	if bar {
		Scale(c, scale)
	}
	fmt.Fprintf(c, `<text x="%g" y="%g" font-size="9" fill="#888">%s right, %s up</text>`+"\n", ViewSize-58, ViewSize+9, v.Across, v.Tall)
}

// Scale draws a bar of a round length below a view of so many units per metre.
func Scale(c *bytes.Buffer, scale float64) {
	length := math.Pow(10, math.Floor(math.Log10(ViewSize/2/scale)))
	for _, k := range [...]float64{5, 2} {
		if k*length*scale <= ViewSize/2 {
			length *= k
			break
		}
	}
	fmt.Fprintf(c, `<path d="M0 %g v4 h%.2f v-4" fill="none" stroke="black"/><text x="%.2f" y="%g" font-size="9">%s</text>`+"\n",
		ViewSize+3, length*scale, length*scale+4, ViewSize+9, answer.Escaped(fmt.Sprintf("%.4g mm", 1e3*length)))
}

// Pieces returns the corners of the pieces of a body's surface, m, those of round ones no longer
// than size.
func Pieces(body *linkspheres.Body, size float64) [][4]geom.Vec {
	var out [][4]geom.Vec
	var show func(p linkspheres.Piece, depth int)
	show = func(p linkspheres.Piece, depth int) {
		if !p.Flat() && p.Span() > size && depth < 12 {
			a, b := p.Halves()
			show(a, depth+1)
			show(b, depth+1)
			return
		}
		out = append(out, p.Corners())
	}
	for _, p := range body.Pieces() {
		show(p, 0)
	}
	return out
}
