package convex

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
)

// Convexity measures whether the closed surface of some triangles of m (nil: all) is convex:
// deviation is the largest height of one of their vertices over the plane of one of them, from
// the outside, and convex says that it is at most tol. The solid is then its hull up to dents
// about as deep (deeper only if the dent is in a knife edge). Measuring stops at the first
// height above tol, so that the deviation of a surface that is not convex is only a lower
// bound.
//
// Triangles slimmer than tol have no plane to speak of and are passed over; so are
// the vertices that c, the hull of the triangles' vertices, leaves out: heights are
// those over c's vertices, c.Radius included, and off by about 1e-15 of the size.
// A mesh whose triangles run clockwise throughout is read the other way round.
func Convexity(m *mesh.Mesh, triangles []int32, c *Core, tol float64) (deviation float64, convex bool) {
	if len(c.Vertices) == 0 {
		return math.Inf(1), false
	}
	s := surface{m, triangles}
	sign := 1.0
	if s.volume(c.Vertices[0]) < 0 {
		sign = -1
	}
	for i := range s.len() {
		a, n, ok := s.plane(i, tol)
		if !ok {
			continue
		}
		n = scale(sign, n)
		if h := c.SupportValue(n) - dot(n, a) + c.Radius; h > deviation {
			if deviation = h; h > tol {
				return deviation, false
			}
		}
	}
	return deviation, deviation <= tol
}

// IsConvex reports whether the whole of m, a closed surface, is convex within tol;
// see Convexity. It makes the hull for it; an m without one is not convex.
func IsConvex(m *mesh.Mesh, tol float64) (deviation float64, convex bool) {
	c, err := HullOf(m.Vertices)
	if err != nil {
		return math.Inf(1), false
	}
	return Convexity(m, nil, &c, tol)
}

// surface is some triangles of a mesh.
type surface struct {
	m         *mesh.Mesh
	triangles []int32
}

func (s surface) len() int {
	if s.triangles == nil {
		return len(s.m.Triangles)
	}
	return len(s.triangles)
}

func (s surface) corners(i int) (a, b, c geom.Vec) {
	if s.triangles != nil {
		i = int(s.triangles[i])
	}
	t := s.m.Triangles[i]
	return s.m.Vertices[t[0]], s.m.Vertices[t[1]], s.m.Vertices[t[2]]
}

// volume returns six times the signed volume, measured from o.
func (s surface) volume(o geom.Vec) float64 {
	var sum float64
	for i := range s.len() {
		a, b, c := s.corners(i)
		sum += dot(sub(a, o), cross(sub(b, o), sub(c, o)))
	}
	return sum
}

// plane returns a corner and the unit normal of triangle i, if its least altitude
// is more than slim.
func (s surface) plane(i int, slim float64) (a, n geom.Vec, ok bool) {
	a, b, c := s.corners(i)
	n = cross(sub(b, a), sub(c, a))
	long := max(norm(sub(b, a)), max(norm(sub(c, b)), norm(sub(a, c))))
	if !(norm(n) > slim*long) {
		return a, n, false
	}
	n, ok = geom.Unit(n)
	return a, n, ok
}
