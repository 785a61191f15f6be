package convex

import (
	"github.com/firstcontact-ros/firstcontact/geom"
)

// vertex is a point of the difference b - a of two cores, with the two points it
// came from, all in a's frame.
type vertex struct{ w, a, b geom.Vec }

// simplex is the hull of up to four vertices p[:n] with its point v nearest to the
// origin: v = sum of lambda_i w_i with every lambda_i > 0 and sum 1. Vertices that v
// does not need are left out, unless the origin is inside.
type simplex struct {
	p      [4]vertex
	lambda [4]float64
	n      int
	v      geom.Vec
	four   [4]float64 // what tetrahedron found for four vertices around the origin
}

// subsimplex is a candidate for the nearest point: up to three of the simplex's
// vertices, by ascending index, and their weights.
type subsimplex struct {
	i      [3]int8
	n      int8
	lambda [3]float64
	v      geom.Vec
	vv     float64 // |v| squared
}

// offer makes c the candidate of n vertices with the point v, if that is nearer or c is none.
func (c *subsimplex) offer(n int8, i [3]int8, lambda [3]float64, v geom.Vec) {
	if vv := dot(v, v); vv < c.vv || c.n == 0 {
		c.n, c.i, c.lambda, c.v, c.vv = n, i, lambda, v, vv
	}
}

// solve sets c, which is to be zero, to the point of the hull of p[:m] nearest to the origin. It
// reports true if m is 4 and the origin is inside; s.four is then the weights, and c is none.
func (s *simplex) solve(m int, c *subsimplex) (inside bool) {
	switch m {
	case 1:
		s.corner(c, 0)
	case 2:
		s.edge(c, 0, 1)
	case 3:
		s.face(c, 0, 1, 2)
	default:
		return s.tetrahedron(c)
	}
	return false
}

// keep reduces the simplex to c. Indices of a subsimplex ascend, so that moving them
// down overwrites nothing that is still needed.
func (s *simplex) keep(c *subsimplex) {
	s.n, s.v = int(c.n), c.v
	for k := range s.n {
		if j := int(c.i[k]); j != k {
			s.p[k] = s.p[j]
		}
		s.lambda[k] = c.lambda[k]
	}
}

// corner, edge, face and exhaust offer their nearest points to c, which stays where it is: copying one takes as long as
// finding it.
func (s *simplex) corner(c *subsimplex, i int8) {
	c.offer(1, [3]int8{i}, [3]float64{1}, s.p[i].w)
}

// edge offers the point nearest to the origin on the edge from vertex i to j.
func (s *simplex) edge(c *subsimplex, i, j int8) {
	a, b := &s.p[i].w, &s.p[j].w
	d := sub(*b, *a)
	// Measured from the nearer end, the position loses least to rounding.
	da, db, dd := -dot(*a, d), dot(*b, d), dot(d, d)
	switch {
	case !(dd > 0), da <= 0:
		s.corner(c, i)
		return
	case db <= 0:
		s.corner(c, j)
		return
	}
	var t0, t1 float64 // weights of i and j
	if da < db {
		t1 = min(da/dd, 1)
		t0 = 1 - t1
	} else {
		t0 = min(db/dd, 1)
		t1 = 1 - t0
	}
	switch {
	case t0 == 0:
		s.corner(c, j)
	case t1 == 0:
		s.corner(c, i)
	default:
		c.offer(2, [3]int8{i, j}, [3]float64{t0, t1}, geom.Vec{X: t0*a.X + t1*b.X, Y: t0*a.Y + t1*b.Y, Z: t0*a.Z + t1*b.Z})
	}
}

// slim is the sine below which a triangle's weights are taken along its longest
// edge and the altitude on it: the common formula is off by rounding/sine along
// the needle, this one only across it, by no more than its width.
const slim = 1e-2

// face offers the point nearest to the origin on the triangle i, j, k.
func (s *simplex) face(c *subsimplex, i, j, k int8) {
	a := s.p[i].w
	ab, ac := sub(s.p[j].w, a), sub(s.p[k].w, a)
	n := cross(ab, ac)
	nn := dot(n, n)
	var beta, gamma float64
	if nn > slim*slim*dot(ab, ab)*dot(ac, ac) {
		// Barycentric coordinates of the origin's projection, measured from a.
		beta = dot(n, cross(ac, a)) / nn
		gamma = dot(n, cross(a, ab)) / nn
	} else {
		beta, gamma = s.needle(i, j, k)
	}
	alpha := 1 - beta - gamma
	if alpha > 0 && beta > 0 && gamma > 0 {
		c.offer(3, [3]int8{i, j, k}, [3]float64{alpha, beta, gamma}, along(along(scale(alpha, a), beta, s.p[j].w), gamma, s.p[k].w))
		return
	}
	// Otherwise the nearest point lies on an edge that the projection is beyond; a
	// NaN says that the triangle has no area.
	if !(alpha > 0) {
		s.edge(c, j, k)
	}
	if !(beta > 0) {
		s.edge(c, i, k)
	}
	if !(gamma > 0) {
		s.edge(c, i, j)
	}
}

// needle returns the weights of j and k in a slim triangle.
func (s *simplex) needle(i, j, k int8) (beta, gamma float64) {
	a, b, c := s.p[i].w, s.p[j].w, s.p[k].w
	ab, bc, ca := sub(b, a), sub(c, b), sub(a, c)
	lab, lbc, lca := dot(ab, ab), dot(bc, bc), dot(ca, ca)
	switch {
	case lab >= lbc && lab >= lca:
		return altitude(a, ab, neg(ca), lab)
	case lbc >= lca:
		x, y := altitude(b, bc, neg(ab), lbc) // weights of c and a
		return 1 - x - y, x
	}
	x, y := altitude(c, ca, neg(bc), lca) // weights of a and b
	return y, 1 - x - y
}

// altitude returns the weights of b and c for the origin's projection on the
// triangle from a with edges e to b, the longest, and f to c.
func altitude(a, e, f geom.Vec, ee float64) (beta, gamma float64) {
	foot := dot(f, e) / ee
	h := along(f, -foot, e)
	x := -dot(a, e) / ee
	y := -dot(along(a, x, e), h) / dot(h, h)
	return x - y*foot, y
}

// tetrahedron solves for four vertices; see solve.
func (s *simplex) tetrahedron(best *subsimplex) (inside bool) {
	a, b, c, d := s.p[0].w, s.p[1].w, s.p[2].w, s.p[3].w
	ab, ac, ad := sub(b, a), sub(c, a), sub(d, a)
	nb, nc, nd := cross(ac, ad), cross(ad, ab), cross(ab, ac)
	vol := dot(ab, nb)
	// The rounding of vol is below 16u |ab||ac||ad|: a volume of that size has no
	// sign, and every face may hold the nearest point.
	if !(vol*vol > sq(16*0x1p-53)*dot(ab, ab)*dot(ac, ac)*dot(ad, ad)) {
		s.exhaust(best)
		return false
	}
	la := dot(b, cross(sub(c, b), sub(d, b))) / vol // the volume of (origin, b, c, d)
	lb, lc, ld := -dot(a, nb)/vol, -dot(a, nc)/vol, -dot(a, nd)/vol
	if la > 0 && lb > 0 && lc > 0 && ld > 0 {
		k := 1 / (la + lb + lc + ld)
		s.four = [4]float64{la * k, lb * k, lc * k, ld * k}
		return true
	}
	// The nearest point is on a face that the origin is beyond.
	if la <= 0 {
		s.face(best, 1, 2, 3)
	}
	if lb <= 0 {
		s.face(best, 0, 2, 3)
	}
	if lc <= 0 {
		s.face(best, 0, 1, 3)
	}
	if ld <= 0 {
		s.face(best, 0, 1, 2)
	}
	return false
}

// weigh returns the point of all four vertices with weights lambda.
func (s *simplex) weigh(lambda [4]float64) (v geom.Vec) {
	for i := range s.p {
		v = along(v, lambda[i], s.p[i].w)
	}
	return v
}

// enclosed returns the length of the point v that the weights in s.four make of the
// four vertices. What rounding left of v, in a flat tetrahedron rounding times
// length over height, is taken out of the weights in up to two rounds.
func (s *simplex) enclosed(touch float64) float64 {
	v := s.weigh(s.four)
	if l := norm(v); l <= touch {
		return l
	}
	a := s.p[0].w
	ab, ac, ad := sub(s.p[1].w, a), sub(s.p[2].w, a), sub(s.p[3].w, a)
	nb, nc, nd := cross(ac, ad), cross(ad, ab), cross(ab, ac)
	vol := dot(ab, nb)
	for range 2 {
		b := max(s.four[1]-dot(v, nb)/vol, 0)
		c := max(s.four[2]-dot(v, nc)/vol, 0)
		d := max(s.four[3]-dot(v, nd)/vol, 0)
		a := max(1-b-c-d, 0)
		k := 1 / (a + b + c + d)
		next := [4]float64{a * k, b * k, c * k, d * k}
		if w := s.weigh(next); dot(w, w) < dot(v, v) {
			s.four, v = next, w
		}
	}
	return norm(v)
}

// keepFour makes the simplex all four vertices with the weights in s.four.
func (s *simplex) keepFour() {
	s.lambda, s.v, s.n = s.four, s.weigh(s.four), 4
}

// exhaust solves for four vertices by trying every face.
func (s *simplex) exhaust(c *subsimplex) {
	s.face(c, 0, 1, 2)
	s.face(c, 0, 1, 3)
	s.face(c, 0, 2, 3)
	s.face(c, 1, 2, 3)
}

// direction returns a direction from a to b along which the cores' supports are
// as far apart as v is long, if v is nearest. Near contact v itself is mostly
// rounding; v made orthogonal to an edge, and the normal of a triangle that is
// higher than v is long, are not.
func (s *simplex) direction() geom.Vec {
	switch s.n {
	case 2:
		e := sub(s.p[1].w, s.p[0].w)
		return along(s.v, -dot(s.v, e)/dot(e, e), e)
	case 3:
		ab, ac := sub(s.p[1].w, s.p[0].w), sub(s.p[2].w, s.p[0].w)
		n := cross(ab, ac)
		switch long := max(dot(ab, ab), dot(ac, ac)); {
		case dot(n, n) < long*dot(s.v, s.v):
			return s.v
		case dot(n, s.v) < 0:
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
