package main

import (
	"bytes"
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/linkspheres"
)

// Of a page: a view is a square of this many units, with a gap between two, and an edge all around.
const (
	viewSize, viewGap = 200.0, 16.0
	pageEdge          = 20.0
)

// view looks along one axis of the link's frame.
type view struct {
	name         string
	right, up    func(v geom.Vec) float64
	across, tall string
}

var views = [...]view{
	{"from the front (along y)", func(v geom.Vec) float64 { return v.X }, func(v geom.Vec) float64 { return v.Z }, "x", "z"},
	{"from the side (along x)", func(v geom.Vec) float64 { return v.Y }, func(v geom.Vec) float64 { return v.Z }, "y", "z"},
	{"from above (along z)", func(v geom.Vec) float64 { return v.X }, func(v geom.Vec) float64 { return v.Y }, "x", "y"},
}

// fitted places what is in a box on the page of a view.
func fitted(box geom.Box, v *view) (place func(geom.Vec) (float64, float64), scale float64) {
	m, h := box.Center(), box.Half()
	scale = viewSize / (2 * math.Max(h.X, math.Max(h.Y, h.Z)))
	if math.IsInf(scale, 0) || math.IsNaN(scale) {
		scale = 1
	}
	return func(p geom.Vec) (float64, float64) {
		return viewSize/2 + scale*(v.right(p)-v.right(m)), viewSize/2 - scale*(v.up(p)-v.up(m))
	}, scale
}

// drawAxes names the axes of a view, and draws its scale.
func drawAxes(c *bytes.Buffer, v *view, scale float64, bar bool) {
	if bar {
		drawScale(c, scale)
	}
	fmt.Fprintf(c, `<text x="%g" y="%g" font-size="9" fill="#888">%s right, %s up</text>`+"\n", viewSize-58, viewSize+9, v.across, v.tall)
}

// drawScale draws a bar of a round length.
func drawScale(c *bytes.Buffer, scale float64) {
	length := math.Pow(10, math.Floor(math.Log10(viewSize/2/scale)))
	for _, k := range [...]float64{5, 2} {
		if k*length*scale <= viewSize/2 {
			length *= k
			break
		}
	}
	fmt.Fprintf(c, `<path d="M0 %g v4 h%.2f v-4" fill="none" stroke="black"/><text x="%.2f" y="%g" font-size="9">%s</text>`+"\n",
		viewSize+3, length*scale, length*scale+4, viewSize+9, escaped(fmt.Sprintf("%.4g mm", 1e3*length)))
}

// shownPieces returns the corners of the pieces of the link's surface, with round ones
// approximated closely enough for a picture.
func shownPieces(body *linkspheres.Body, size float64) [][4]geom.Vec {
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
