package convex

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// vertex is a point of the difference b - a of two cores, with the two points it
// came from, all in a's frame.
type vertex struct{ w, a, b geom.Vec }

// simplex is the hull of up to four vertices and, after solve, its point v
// nearest to the origin: v = sum of lambda_i w_i with every lambda_i > 0 and sum 1.
// Vertices that v does not need are dropped, unless the origin is inside.
type simplex struct {
	p      [4]vertex
	lambda [4]float64
	n      int
	v      geom.Vec
}

// part is a candidate for the nearest point: up to three of the simplex's
// vertices, by index, and their weights.
type part struct {
	i      [3]int8
	n      int8
	lambda [3]float64
	v      geom.Vec
	vv     float64 // |v| squared
}

// solve finds the nearest point of the simplex. It reports true if the origin is
// inside a tetrahedron; v is then what rounding leaves of zero.
func (s *simplex) solve() bool {
	switch s.n {
	case 1:
		s.lambda[0], s.v = 1, s.p[0].w
		return false
	case 2:
		s.keep(s.edge(0, 1))
		return false
	case 3:
		s.keep(s.face(0, 1, 2))
		return false
	}
	return s.tetrahedron()
}

// keep reduces the simplex to c. Indices of a part ascend, so that moving them
// down overwrites nothing that is still needed.
func (s *simplex) keep(c part) {
	s.n, s.v = int(c.n), c.v
	for k := range s.n {
		if j := int(c.i[k]); j != k {
			s.p[k] = s.p[j]
		}
		s.lambda[k] = c.lambda[k]
	}
}

func (s *simplex) corner(i int8) part {
	w := s.p[i].w
	return part{i: [3]int8{i}, n: 1, lambda: [3]float64{1}, v: w, vv: dot(w, w)}
}

// edge returns the point nearest to the origin on the edge from vertex i to j.
func (s *simplex) edge(i, j int8) part {
	a, b := s.p[i].w, s.p[j].w
	d := sub(b, a)
	// Measured from the nearer end, the position loses least to rounding.
	da, db, dd := -dot(a, d), dot(b, d), dot(d, d)
	switch {
	case !(dd > 0):
		return s.corner(i)
	case da <= 0:
		return s.corner(i)
	case db <= 0:
		return s.corner(j)
	}
	var t0, t1 float64 // weights of i and j
	if da < db {
		t1 = math.Min(da/dd, 1)
		t0 = 1 - t1
	} else {
		t0 = math.Min(db/dd, 1)
		t1 = 1 - t0
	}
	if t0 == 0 {
		return s.corner(j)
	}
	if t1 == 0 {
		return s.corner(i)
	}
	v := geom.Vec{X: t0*a.X + t1*b.X, Y: t0*a.Y + t1*b.Y, Z: t0*a.Z + t1*b.Z}
	return part{i: [3]int8{i, j}, n: 2, lambda: [3]float64{t0, t1}, v: v, vv: dot(v, v)}
}

// flat is the sine below which a triangle's plane is left to its edges: its
// normal would be off by more than u/flat = 1e-4, and its width, which bounds
// what the edges miss, is flat times its length.
const flat = 1e-12

// face returns the point nearest to the origin on the triangle i, j, k.
func (s *simplex) face(i, j, k int8) part {
	a := s.p[i].w
	ab, ac := sub(s.p[j].w, a), sub(s.p[k].w, a)
	n := cross(ab, ac)
	nn := dot(n, n)
	if !(nn > flat*flat*dot(ab, ab)*dot(ac, ac)) {
		return nearest(nearest(s.edge(i, j), s.edge(i, k)), s.edge(j, k))
	}
	// Barycentric coordinates of the origin's projection, measured from a.
	beta := dot(n, cross(ac, a)) / nn
	gamma := dot(n, cross(a, ab)) / nn
	alpha := 1 - beta - gamma
	if alpha > 0 && beta > 0 && gamma > 0 {
		v := along(along(scale(alpha, a), beta, s.p[j].w), gamma, s.p[k].w)
		return part{i: [3]int8{i, j, k}, n: 3, lambda: [3]float64{alpha, beta, gamma}, v: v, vv: dot(v, v)}
	}
	// Otherwise the nearest point lies on an edge that the projection is beyond.
	c := part{vv: math.Inf(1)}
	if alpha <= 0 {
		c = s.edge(j, k)
	}
	if beta <= 0 {
		c = nearest(c, s.edge(i, k))
	}
	if gamma <= 0 {
		c = nearest(c, s.edge(i, j))
	}
	return c
}

func nearest(a, b part) part {
	if b.vv < a.vv {
		return b
	}
	return a
}

// tetrahedron solves for four vertices; see solve.
func (s *simplex) tetrahedron() bool {
	a, b, c, d := s.p[0].w, s.p[1].w, s.p[2].w, s.p[3].w
	ab, ac, ad := sub(b, a), sub(c, a), sub(d, a)
	nb, nc, nd := cross(ac, ad), cross(ad, ab), cross(ab, ac)
	vol := dot(ab, nb)
	// The rounding of vol is below 16u |ab||ac||ad|: a volume of that size has no
	// sign, and every face may hold the nearest point.
	solid := vol*vol > sq(16*0x1p-53)*dot(ab, ab)*dot(ac, ac)*dot(ad, ad)
	var la, lb, lc, ld float64
	if solid {
		na := cross(sub(c, b), sub(d, b))
		la = dot(b, na) / vol // the volume of (origin, b, c, d)
		lb, lc, ld = -dot(a, nb)/vol, -dot(a, nc)/vol, -dot(a, nd)/vol
		if la > 0 && lb > 0 && lc > 0 && ld > 0 {
			s.weigh(la, lb, lc, ld)
			return true
		}
	}
	best := part{vv: math.Inf(1)}
	if la <= 0 {
		best = s.face(1, 2, 3)
	}
	if lb <= 0 {
		best = nearest(best, s.face(0, 2, 3))
	}
	if lc <= 0 {
		best = nearest(best, s.face(0, 1, 3))
	}
	if ld <= 0 {
		best = nearest(best, s.face(0, 1, 2))
	}
	s.keep(best)
	return false
}

// weigh sets the weights of all four vertices, normalised.
func (s *simplex) weigh(a, b, c, d float64) {
	k := 1 / (a + b + c + d)
	s.lambda = [4]float64{a * k, b * k, c * k, d * k}
	s.v = geom.Vec{}
	for i := range s.p {
		s.v = along(s.v, s.lambda[i], s.p[i].w)
	}
}

// exhaust solves for four vertices by trying every face, as tetrahedron does
// where the origin is not inside.
func (s *simplex) exhaust() {
	s.keep(nearest(nearest(s.face(0, 1, 2), s.face(0, 1, 3)), nearest(s.face(0, 2, 3), s.face(1, 2, 3))))
}

// direction returns a direction from a to b along which the cores' supports are
// as far apart as v is long, if v is nearest. Near contact v itself is mostly
// rounding; a triangle's own normal, and v made orthogonal to an edge, are not.
func (s *simplex) direction() geom.Vec {
	switch s.n {
	case 2:
		e := sub(s.p[1].w, s.p[0].w)
		return along(s.v, -dot(s.v, e)/dot(e, e), e)
	case 3:
		n := cross(sub(s.p[1].w, s.p[0].w), sub(s.p[2].w, s.p[0].w))
		if dot(n, s.v) < 0 {
			return neg(n)
		}
		return n
	}
	return s.v
}

// witness returns the weighted points of both cores, in a's frame.
func (s *simplex) witness() (onA, onB geom.Vec) {
	for i := range s.n {
		onA = along(onA, s.lambda[i], s.p[i].a)
		onB = along(onB, s.lambda[i], s.p[i].b)
	}
	return onA, onB
}

// has reports whether w is one of the vertices already.
func (s *simplex) has(w geom.Vec) bool {
	for i := range s.n {
		if s.p[i].w == w {
			return true
		}
	}
	return false
}

func sq(x float64) float64 { return x * x }
