package convex

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
)

// star finds, for a point, the facet of a hull through which the ray from a point inside to it
// leaves: if the point is in the hull, it is in the tetrahedron between that point and the facet.
// What it finds is a guess: who uses it looks at the tetrahedron.
type star struct {
	ps     []geom.Vec
	facets []starFacet
	center geom.Vec
	hints  []int32 // a facet near each cell of directions, or -1
	side   int     // cells along an edge of the cube of directions
	last   int32
}

// starFacet is a triangle of a closed convex surface, counterclockwise seen from outside, and the
// facets across its edges, from v[i] to v[i+1].
type starFacet struct{ v, next [3]int32 }

// starOf returns the star of a hull's facets, whose corners are among ps, around a point of c,
// proved to be one; nil if there is none.
func starOf(c *Core, ps []geom.Vec, facets []starFacet) *star {
	if len(facets) == 0 {
		return nil
	}
	var sum geom.Vec
	for _, v := range c.Vertices {
		sum = add(sum, v)
	}
	mean := scale(1/float64(len(c.Vertices)), sum)
	// The mean of a ring is in the plane of many of its vertices, which encloses no volume.
	for _, part := range []float64{0, 0.25, 0.125} {
		v := c.Vertices[int(part*float64(len(c.Vertices)))]
		center := add(mean, scale(part, sub(v, mean)))
		if c.reach(center) == 0 {
			return newStar(center, ps, facets)
		}
	}
	return nil
}

// newStar returns the star of a hull's facets around a point of the hull.
func newStar(center geom.Vec, ps []geom.Vec, facets []starFacet) *star {
	s := &star{ps: ps, facets: facets, center: center}
	s.side = int(math.Sqrt(float64(len(facets))/6)) + 1
	s.hints = make([]int32, 6*s.side*s.side)
	for i := range s.hints {
		s.hints[i] = -1
	}
	for i := range facets {
		a, b, c := s.corners(int32(i))
		if a == center || b == center || c == center {
			continue // it is seen from its edge
		}
		s.hints[s.cell(sub(scale(1.0/3, add(add(a, b), c)), center))] = int32(i)
		s.last = int32(i)
	}
	return s
}

func (s *star) corners(facet int32) (a, b, c geom.Vec) {
	v := &s.facets[facet].v
	return s.ps[v[0]], s.ps[v[1]], s.ps[v[2]]
}

// cell returns the cell of a direction: a square of one of the cube's six sides.
func (s *star) cell(d geom.Vec) int {
	axis := largestAxis(d)
	x := [5]float64{d.X, d.Y, d.Z, d.X, d.Y}
	height, face := math.Abs(x[axis]), 2*axis
	if x[axis] < 0 {
		face++
	}
	at := func(u float64) int {
		k := (u/height + 1) / 2 * float64(s.side)
		if !(k > 0) { // the center itself, or NaN
			return 0
		}
		return min(int(k), s.side-1)
	}
	return (face*s.side+at(x[axis+1]))*s.side + at(x[axis+2])
}

// mostSteps bounds a walk. Rounding may send it in circles.
const mostSteps = 4096

// facet walks to the facet that p is behind as seen from the center, from one that is near: over
// the edge that p is farthest beyond, until p is beyond none.
func (s *star) facet(p geom.Vec) (facet int32, ok bool) {
	d := sub(p, s.center)
	f := s.hints[s.cell(d)]
	if f < 0 {
		f = s.last
	}
	for range mostSteps {
		a, b, c := s.corners(f)
		a, b, c = sub(a, s.center), sub(b, s.center), sub(c, s.center)
		worst, across := 0.0, -1
		for i, x := range [3]float64{dot(cross(a, b), d), dot(cross(b, c), d), dot(cross(c, a), d)} {
			if x < worst {
				worst, across = x, i
			}
		}
		if across < 0 {
			s.last = f
			return f, true
		}
		f = s.facets[f].next[across]
	}
	return f, false
}

// mostExactSteps bounds the steps of exact.
const mostExactSteps = 8

// exact reports whether p is in the tetrahedron of the center and a facet at most a few edges from
// f, by exact signs, and returns that facet or the last one: f itself is wrong by rounding where p
// is in the plane of the center and an edge, as the points of a grid often are.
func (s *star) exact(f int32, p geom.Vec) (facet int32, inside bool) {
	for range mostExactSteps {
		a, b, c := s.corners(f)
		if within(p, s.center, a, b, c) {
			return f, true
		}
		side := tri.Orient(s.center, a, b, c)
		across := -1
		for i, edge := range [3][2]geom.Vec{{a, b}, {b, c}, {c, a}} {
			if tri.Orient(s.center, edge[0], edge[1], p)*side < 0 {
				across = i
			}
		}
		if across < 0 {
			break
		}
		f = s.facets[f].next[across]
	}
	return f, false
}
