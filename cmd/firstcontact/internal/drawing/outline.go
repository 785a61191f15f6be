// Package drawing draws what has a shape from three sides, as parts of SVG pictures: outlines to one
// scale, on pages of views side by side.
package drawing

import (
	"bytes"
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// OfLinks are the attributes of the outline of a link.
const OfLinks = `fill="#b9c7d6" stroke="#33475b" stroke-width="0.8"`

// Outline draws what pieces cover, as one path with the given attributes. A piece is four corners
// (m), which place puts on the page of a view.
func Outline(c *bytes.Buffer, pieces [][4]geom.Vec, place func(geom.Vec) (float64, float64), attributes string) {
	k := newMask()
	for j := range pieces {
		k.fill(pieces[j], place)
	}
	if path := k.outline(); path != "" {
		fmt.Fprintf(c, `<path d="%s" %s fill-rule="evenodd"/>`+"\n", path, attributes)
	}
}

// mask is a view's page in cells, set where the link is visible.
type mask struct {
	cells [(maskSide + 2) * (maskSide + 2)]bool // with an empty edge all around
}

func newMask() *mask { return &mask{} }

const (
	maskSide = 160 // cells along the longer side of an outline's grid
	maskCell = ViewSize / maskSide
)

func (m *mask) set(i, j int) {
	if 0 <= i && i < maskSide && 0 <= j && j < maskSide {
		m.cells[(j+1)*(maskSide+2)+i+1] = true
	}
}

func (m *mask) at(i, j int) bool { return m.cells[(j+1)*(maskSide+2)+i+1] }

// fill marks the cells of a piece: those whose centre is in the quadrilateral, and those along
// its edges, so that thin parts are visible.
func (m *mask) fill(corners [4]geom.Vec, place func(geom.Vec) (float64, float64)) {
	var x, y [4]float64
	for k, v := range corners {
		px, py := place(v)
		x[k], y[k] = px/maskCell-0.5, py/maskCell-0.5
	}
	for k := range 4 {
		m.line(x[k], y[k], x[(k+1)%4], y[(k+1)%4])
	}
	low, high := min(y[0], y[1], y[2], y[3]), max(y[0], y[1], y[2], y[3])
	for j := max(0, int(math.Ceil(low))); j <= min(maskSide-1, int(math.Floor(high))); j++ {
		from, to := math.Inf(1), math.Inf(-1) // the pieces are nearly convex
		for k := range 4 {
			a, b := k, (k+1)%4
			if (y[a]-float64(j))*(y[b]-float64(j)) > 0 || y[a] == y[b] {
				continue
			}
			t := x[a] + (float64(j)-y[a])/(y[b]-y[a])*(x[b]-x[a])
			from, to = math.Min(from, t), math.Max(to, t)
		}
		for i := max(0, int(math.Ceil(from))); float64(i) <= to && i < maskSide; i++ {
			m.set(i, j)
		}
	}
}

// line marks the cells of a line, as far as it is on the page.
func (m *mask) line(x0, y0, x1, y1 float64) {
	x0, y0, x1, y1, ok := clipped(x0, y0, x1, y1)
	if !ok {
		return
	}
	n := int(math.Ceil(math.Max(math.Abs(x1-x0), math.Abs(y1-y0)))) + 1
	for k := range n + 1 {
		t := float64(k) / float64(n)
		m.set(int(math.Round(x0+t*(x1-x0))), int(math.Round(y0+t*(y1-y0))))
	}
}

// clipped returns the part of a line that lies on the page with a margin of a cell (Liang and
// Barsky), and false if there is none.
func clipped(x0, y0, x1, y1 float64) (a, b, c, d float64, ok bool) {
	from, to := 0.0, 1.0
	for _, side := range [...][2]float64{{x0 - x1, x0 + 1}, {x1 - x0, maskSide - x0}, {y0 - y1, y0 + 1}, {y1 - y0, maskSide - y0}} {
		switch p, q := side[0], side[1]; {
		case p == 0 && q < 0:
			return 0, 0, 0, 0, false
		case p < 0:
			from = math.Max(from, q/p)
		case p > 0:
			to = math.Min(to, q/p)
		}
	}
	return x0 + from*(x1-x0), y0 + from*(y1-y0), x0 + to*(x1-x0), y0 + to*(y1-y0), from <= to
}

// spot is a corner of cells.
type spot struct{ x, y int }

// outline traces the border between marked and unmarked cells, as an SVG path in the page's
// coordinates with nearly straight parts drawn straight.
func (m *mask) outline() string {
	next, starts := m.borders()
	var b bytes.Buffer
	for _, s := range starts {
		if loop := takeLoop(next, s); len(loop) >= 3 {
			drawLoop(&b, loop)
		}
	}
	return b.String()
}

// borders returns the borders between inside and outside by where they start, and their
// starts in order. Each has the inside on its right; two may start at one spot.
func (m *mask) borders() (next map[spot][]spot, starts []spot) {
	next = map[spot][]spot{}
	add := func(a, b spot) {
		next[a] = append(next[a], b)
		starts = append(starts, a)
	}
	for j := range maskSide {
		for i := range maskSide {
			if !m.at(i, j) {
				continue
			}
			if !m.at(i, j-1) {
				add(spot{i, j}, spot{i + 1, j})
			}
			if !m.at(i+1, j) {
				add(spot{i + 1, j}, spot{i + 1, j + 1})
			}
			if !m.at(i, j+1) {
				add(spot{i + 1, j + 1}, spot{i, j + 1})
			}
			if !m.at(i-1, j) {
				add(spot{i, j + 1}, spot{i, j})
			}
		}
	}
	return next, starts
}

// takeLoop follows borders from a spot until there are none, and takes them from next.
func takeLoop(next map[spot][]spot, at spot) (loop []spot) {
	for len(next[at]) > 0 {
		list := next[at]
		to := list[len(list)-1]
		next[at] = list[:len(list)-1]
		loop = append(loop, at)
		at = to
	}
	return loop
}

// drawLoop draws a closed line through the spots, straightened half by half.
func drawLoop(b *bytes.Buffer, loop []spot) {
	half := len(loop) / 2
	kept := append(straightened(loop[:half+1]), straightened(append(loop[half:], loop[0]))...)
	for k, p := range kept {
		letter := byte('L')
		if k == 0 {
			letter = 'M'
		}
		fmt.Fprintf(b, "%c%.1f %.1f", letter, float64(p.x)*maskCell, float64(p.y)*maskCell)
	}
	b.WriteByte('Z')
}

// straightened removes points no farther than a cell from the chord (Douglas and Peucker), and
// the last point.
func straightened(line []spot) []spot {
	first, last := line[0], line[len(line)-1]
	dx, dy := float64(last.x-first.x), float64(last.y-first.y)
	l := math.Hypot(dx, dy)
	far, at := 0.9, 0
	for k := 1; k < len(line)-1; k++ {
		px, py := float64(line[k].x-first.x), float64(line[k].y-first.y)
		d := math.Hypot(px, py)
		if l > 0 {
			d = math.Abs(px*dy-py*dx) / l
		}
		if d > far {
			far, at = d, k
		}
	}
	if at == 0 {
		return []spot{first}
	}
	return append(straightened(line[:at+1]), straightened(line[at:])...)
}
