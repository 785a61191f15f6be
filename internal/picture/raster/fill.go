package raster

import "math"

// A picture's samples are at the middles of the cells of a grid. Corners of triangles are rounded
// to a fraction of a cell, and a sample belongs to a triangle by the signs of integers: those
// that share an edge share no sample, and leave none out.

// cell is the size of a cell in the units of corners.
const cell = 1 << 8

// corner is a corner of a triangle on the grid.
type corner struct {
	x, y int32   // units of a cell
	near float32 // greater is nearer
}

// cornerAt rounds a position in cells. The caller has clipped it.
func cornerAt(x, y, near float64) corner {
	return corner{int32(math.RoundToEven(cell * x)), int32(math.RoundToEven(cell * y)), float32(near)}
}

// grid is the samples of a picture or of a part of it.
type grid struct {
	width, height int
	top           int // the row of the picture that is the first here
	near          []float32
	id            []uint32 // which triangle; nil if nobody asks
}

// clear removes all triangles.
func (g *grid) clear(far float32) {
	for i := range g.near {
		g.near[i] = far
	}
	clear(g.id)
}

// edge is A x + B y + C, positive inside. x and y count cells.
type edge struct{ a, b, c int64 }

// edgeOf is the edge from p to q of a triangle whose inside is where the edge is positive.
func edgeOf(p, q corner) edge {
	a, b := int64(p.y)-int64(q.y), int64(q.x)-int64(p.x)
	e := edge{a * cell, b * cell, a*(cell/2-int64(p.x)) + b*(cell/2-int64(p.y))}
	if a < 0 || a == 0 && b < 0 { // a sample on the edge belongs to one side
		e.c--
	}
	return e
}

// fill gives samples of a triangle its id, where it is the nearest so far. hidden, if not nil,
// leaves out those that are behind it, or no more than a thousandth of their distance before.
func (g *grid) fill(p, q, r corner, id uint32, hidden []float32) {
	area := (int64(q.x)-int64(p.x))*(int64(r.y)-int64(p.y)) - (int64(q.y)-int64(p.y))*(int64(r.x)-int64(p.x))
	if area == 0 {
		return
	}
	if area < 0 {
		q, r, area = r, q, -area
	}
	left, right := span(min(p.x, q.x, r.x), max(p.x, q.x, r.x), 0, g.width)
	first, last := span(min(p.y, q.y, r.y), max(p.y, q.y, r.y), g.top, g.height)
	if left > right || first > last {
		return
	}
	edges := [3]edge{edgeOf(p, q), edgeOf(q, r), edgeOf(r, p)}
	plane := planeOf(p, q, r, area)
	for y := first; y <= last; y++ {
		from, to := left, right
		for k := range edges {
			from, to = edges[k].within(y, from, to)
		}
		if from > to {
			continue
		}
		row := (y - g.top) * g.width
		at := plane.row(y)
		for x := from; x <= to; x++ {
			near, i := plane.at(at, x), row+x
			if near <= g.near[i] || hidden != nil && near <= 1.001*hidden[i] {
				continue
			}
			g.near[i] = near
			if g.id != nil {
				g.id[i] = id
			}
		}
	}
}

// span returns the samples between two corners, within those of the grid.
func span(low, high int32, begin, n int) (first, last int) {
	first = int((int64(low) - cell/2 + cell - 1) >> 8)
	last = int((int64(high) - cell/2) >> 8)
	return max(first, begin), min(last, begin+n-1)
}

// within returns which of the samples of a row are inside the edge.
func (e *edge) within(y, from, to int) (first, last int) {
	at := e.b*int64(y) + e.c
	switch {
	case e.a > 0: // x >= -at/a
		for n := 0; from <= to && e.a*int64(from)+at < 0; n++ {
			if n == 4 {
				return max(from, int(ceilDiv(-at, e.a))), to
			}
			from++
		}
	case e.a < 0: // x <= at/-a
		for n := 0; from <= to && e.a*int64(to)+at < 0; n++ {
			if n == 4 {
				return from, min(to, int(floorDiv(at, -e.a)))
			}
			to--
		}
	case at < 0:
		return 1, 0
	}
	return from, to
}

// floorDiv divides by a positive number and rounds down.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// ceilDiv divides by a positive number and rounds up.
func ceilDiv(a, b int64) int64 { return -floorDiv(-a, b) }

// plane is how near a triangle is, over the grid.
type plane struct {
	x, y, near float64 // of a corner
	dx, dy     float64 // per cell
	low, high  float64 // of the corners: rounding them must not lead beyond
}

func planeOf(p, q, r corner, area int64) plane {
	n := float64(p.near)
	a, b := float64(q.near)-n, float64(r.near)-n
	f := cell / float64(area)
	return plane{
		x: float64(p.x) / cell, y: float64(p.y) / cell, near: n,
		dx:  float64((float64(a*float64(r.y-p.y)) - float64(b*float64(q.y-p.y))) * f),
		dy:  float64((float64(b*float64(q.x-p.x)) - float64(a*float64(r.x-p.x))) * f),
		low: float64(min(p.near, q.near, r.near)), high: float64(max(p.near, q.near, r.near)),
	}
}

// row returns how near the plane is in a row, at the corner's column.
func (p *plane) row(y int) float64 { return p.near + float64(p.dy*(float64(y)+0.5-p.y)) }

// at returns how near it is at a sample.
func (p *plane) at(row float64, x int) float32 {
	n := row + float64(p.dx*(float64(x)+0.5-p.x))
	return float32(min(max(n, p.low), p.high))
}
