package convex

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// tryNormals looks for a larger support gap along natural normals of the shapes: if faces or
// sides are very close, the search's own direction is mostly rounding, and these are not.
func (g *search) tryNormals() {
	q := g.poseAB.R.TurnBack(sub(g.onB, g.poseAB.P))
	d := g.dir()
	back := g.poseAB.R.TurnBack(neg(d))
	for i := range 2 {
		if n := g.a.normal(i, g.onA, d); dot(n, d) > 0 {
			g.noteAlong(&n)
		}
		if n := g.b.normal(i, q, back); dot(n, back) > 0 {
			n = neg(g.poseAB.R.Turn(n))
			g.noteAlong(&n)
		}
	}
}

// normal returns the i-th normal, of two, that the core may have near its point p
// in about the direction d; zero if it has none.
func (c *Core) normal(i int, p, d geom.Vec) geom.Vec {
	switch {
	case c.Kind == Segment && i == 0:
		return across(d, sub(c.Vertices[1], c.Vertices[0]))
	case c.Kind == Triangle:
		return triangleNormal(i, c.Vertices, d)
	case c.Kind == Box:
		return boxNormal(i, d)
	case c.Kind == Cylinder && i == 0:
		return geom.Vec{Z: d.Z}
	case c.Kind == Cylinder:
		return geom.Vec{X: p.X, Y: p.Y}
	case c.Kind == Cone && i == 0:
		return geom.Vec{Z: -1}
	case c.Kind == Cone:
		return geom.Vec{X: 2 * c.HalfLength * p.X, Y: 2 * c.HalfLength * p.Y, Z: c.CoreRadius * lengthXY(p)}
	}
	return geom.Vec{}
}

// across returns the part of d at right angles to e.
func across(d, e geom.Vec) geom.Vec { return along(d, -dot(d, e)/dot(e, e), e) }

// triangleNormal returns the normal of the triangle on d's side, or d made
// orthogonal to the edge that it is most nearly orthogonal to.
func triangleNormal(i int, v []geom.Vec, d geom.Vec) geom.Vec {
	ab, bc, ca := sub(v[1], v[0]), sub(v[2], v[1]), sub(v[0], v[2])
	if i == 0 {
		n := cross(ab, bc)
		return scale(dot(n, d), n)
	}
	best, least := geom.Vec{}, math.Inf(1)
	for _, e := range [...]geom.Vec{ab, bc, ca} {
		if s := sq(dot(d, e)) / dot(e, e); s < least {
			best, least = across(d, e), s
		}
	}
	return best
}

// boxNormal returns d with its two smallest coordinates left out (a face), or the
// smallest (an edge).
func boxNormal(i int, d geom.Vec) geom.Vec {
	x, y, z := math.Abs(d.X), math.Abs(d.Y), math.Abs(d.Z)
	if i == 0 {
		m := max(x, max(y, z))
		switch {
		case x == m:
			return geom.Vec{X: d.X}
		case y == m:
			return geom.Vec{Y: d.Y}
		}
		return geom.Vec{Z: d.Z}
	}
	m := min(x, min(y, z))
	switch {
	case x == m:
		d.X = 0
	case y == m:
		d.Y = 0
	default:
		d.Z = 0
	}
	return d
}
