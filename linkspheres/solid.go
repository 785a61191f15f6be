package linkspheres

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
)

// solid is one solid of a link, in the link's frame.
type solid interface {
	// signed bounds the signed distance of p from the solid, negative inside: the
	// ball around p of radius lo misses the solid if lo > 0, that of radius -hi is in
	// it if hi < 0, and the solid has a point within max(hi, 0) of p.
	signed(p geom.Vec) (lo, hi float64)
	// box holds the solid.
	box() geom.Box
}

// round is a primitive: a ball, or the turn of a convex profile about its own z axis,
// or a box.
type round struct {
	shape  *shape.Shape
	pose   geom.Pose // of the shape in the link
	skew   float64   // how far pose.R is from a rotation, in all of its entries
	extent float64   // of the shape: no point of it is farther from its origin
	off    float64   // how far rounding moved the shape before it came here
	bounds geom.Box
}

// signed goes to the shape's own frame, where the signed distance is a closed form.
//
// Rounding: let R' be the rotation nearest to R, so |R - R'| <= skew. The point is
// off by (skew + 8u)(|p - P| + |P| + |p|) there, and the solid by skew times its
// extent and by off. The closed forms below are 1-Lipschitz in the point and take at most 30
// operations on numbers no larger than |p - P| + 2 extent.
func (s *round) signed(p geom.Vec) (lo, hi float64) {
	q := s.pose.ApplyInv(p)
	d := signedDistance(s.shape, q)
	err := s.err(p)
	return d - err, d + err
}

func (s *round) box() geom.Box { return s.bounds }

// signedDistance is that of q from a primitive in its own frame.
func signedDistance(s *shape.Shape, q geom.Vec) float64 {
	h := s.Length / 2
	rho := math.Hypot(q.X, q.Y)
	switch s.Kind {
	case shape.Box:
		return outsideBox(math.Abs(q.X)-s.Size.X/2, math.Abs(q.Y)-s.Size.Y/2, math.Abs(q.Z)-s.Size.Z/2)
	case shape.Sphere:
		return geom.Norm(q) - s.Radius
	case shape.Capsule:
		return math.Hypot(rho, math.Max(math.Abs(q.Z)-h, 0)) - s.Radius
	case shape.Cylinder:
		return outsideBox(rho-s.Radius, math.Abs(q.Z)-h, math.Inf(-1))
	}
	return outsideCone(rho, q.Z, s.Radius, h)
}

// outsideBox returns the signed distance from a box, given by how far the point is
// beyond each pair of sides.
func outsideBox(x, y, z float64) float64 {
	if m := math.Max(x, math.Max(y, z)); m <= 0 {
		return m
	}
	return geom.Norm(geom.Vec{X: math.Max(x, 0), Y: math.Max(y, 0), Z: math.Max(z, 0)})
}

// outsideCone returns the signed distance from the cone of base radius r at -h and
// tip at h, for a point at distance rho from its axis and height z.
func outsideCone(rho, z, r, h float64) float64 {
	slant := math.Hypot(r, 2*h)
	n := [2]float64{2 * h / slant, r / slant} // outward, of the slant
	if m := math.Max(-h-z, float64(n[0]*rho)+n[1]*(z-h)); m <= 0 {
		return m
	}
	toBase := math.Hypot(math.Max(rho-r, 0), z+h)
	t := math.Min(math.Max((float64(-r*(rho-r))+2*h*(z+h))/(slant*slant), 0), 1)
	toSlant := math.Hypot(rho-(r-t*r), z-(2*t*h-h))
	return math.Min(toBase, toSlant)
}

// meshSolid is faces of a mesh that enclose something together, their corners rounded to
// the link's frame; of is what they enclose, from the corners as they were.
//
// err bounds how far rounding moved a corner, hence any point of a triangle. Move the
// corners back along straight lines: what crossings tell at a point that stays
// farther than err from the surface cannot change on the way, so that within 2 err
// the rounded solid and the true one are the same.
type meshSolid struct {
	mesh   *mesh.Mesh
	of     *mesh.Solid
	tree   *bvh.Tree
	err    float64
	bounds geom.Box // of the true solid
}

func (s *meshSolid) box() geom.Box { return s.bounds }

func (s *meshSolid) signed(p geom.Vec) (lo, hi float64) {
	near, far := surfaceDistance(s.tree, s.mesh, p)
	near, far = near-2*s.err, far+2*s.err
	switch inside, ok := bvh.Inside(s.tree, s.mesh, s.of, p); {
	case !ok: // every ray that was tried met an edge
		return math.Min(-far, 0), far
	case inside:
		// p is in the rounded solid, so the true one has a point within 2 err.
		return -far, math.Min(-near, 2*s.err)
	}
	return near, far
}

// surfaceDistance bounds the distance from p to the triangles of the tree, which is
// not empty.
//
// lo: a triangle is beyond the plane across d through its first corner in that
// direction, whatever d is; d leads to the point that was found closest. Each corner
// less p, times d, is off by 6u of |corner - p| |d|, and the quotient by 6u of itself.
// hi: see reachOf.
func surfaceDistance(t *bvh.Tree, m *mesh.Mesh, p geom.Vec) (lo, hi float64) {
	var stack [2 * bvh.MaxDepth]int32
	top := 1
	lo = math.Inf(1)
	best, nearest := math.Inf(1), int32(0)
	for top > 0 {
		top--
		n := &t.Nodes[stack[top]]
		if boxDistance(&n.Box, p) >= lo {
			continue
		}
		if !n.Leaf() {
			l, r := n.Left, n.Left+1
			if boxDistance(&t.Nodes[l].Box, p) < boxDistance(&t.Nodes[r].Box, p) {
				l, r = r, l
			}
			stack[top], stack[top+1] = l, r
			top += 2
			continue
		}
		for _, k := range t.Order[n.First : n.First+n.Count] {
			c := corners(m, k)
			q := tri.ClosestPoint(&c, p)
			if d := beyond(&c, p, q); d < lo {
				lo = d
			}
			if d := square(q, p); d < best || math.IsInf(best, 1) {
				best, nearest = d, k
			}
		}
	}
	c := corners(m, nearest)
	return lo, reachOf(&c, p)
}

// boxDistance is a bound from below on the distance from p to the box.
func boxDistance(b *geom.Box, p geom.Vec) float64 {
	x := math.Max(0, math.Max(b.Min.X-p.X, p.X-b.Max.X))
	y := math.Max(0, math.Max(b.Min.Y-p.Y, p.Y-b.Max.Y))
	z := math.Max(0, math.Max(b.Min.Z-p.Z, p.Z-b.Max.Z))
	return below(x, y, z)
}

// beyond returns a bound from below on the distance from p to the triangle, by the
// direction to q.
func beyond(c *tri.Triangle, p, q geom.Vec) float64 {
	d := sub(q, p)
	dd := geom.Norm(d)
	if !(dd > tiny) {
		return 0
	}
	least, far := math.Inf(1), 0.0
	for _, v := range c {
		w := sub(v, p)
		least = math.Min(least, dot(w, d)/dd)
		far = math.Max(far, size1(w))
	}
	return math.Max(least-16*u*far-tiny, 0)
}

// reachOf returns a bound from above on the distance from p to the triangle: that to
// a point of it, the mean of its corners with weights that are not negative. The
// weights may be bad, as in needles, where those of an edge do better. The point is
// off by 4u of the largest corner, their sum's rounding included.
func reachOf(c *tri.Triangle, p geom.Vec) float64 {
	least := math.Inf(1)
	scale := math.Max(size1(c[0]), math.Max(size1(c[1]), size1(c[2])))
	try := func(a, b float64) {
		a = math.Min(math.Max(a, 0), 1)
		b = math.Min(math.Max(b, 0), 1-a)
		w := 1 - a - b
		if !(w >= 0) { // by rounding, or NaN
			w = 0
		}
		x := w*c[0].X + a*c[1].X + b*c[2].X
		y := w*c[0].Y + a*c[1].Y + b*c[2].Y
		z := w*c[0].Z + a*c[1].Z + b*c[2].Z
		if d := above(x-p.X, y-p.Y, z-p.Z); d < least {
			least = d
		}
	}
	ab, ac, ap := sub(c[1], c[0]), sub(c[2], c[0]), sub(p, c[0])
	n := cross(ab, ac)
	if nn := dot(n, n); nn > 0 {
		try(dot(cross(ap, ac), n)/nn, dot(cross(ab, ap), n)/nn)
	}
	try(0, 0)
	if d := dot(ab, ab); d > 0 {
		try(dot(ap, ab)/d, 0)
	}
	if d := dot(ac, ac); d > 0 {
		try(0, dot(ap, ac)/d)
	}
	if bc := sub(c[2], c[1]); dot(bc, bc) > 0 {
		t := math.Min(math.Max(dot(sub(p, c[1]), bc)/dot(bc, bc), 0), 1)
		try(1-t, t)
	}
	return least + 16*u*scale + tiny
}

func corners(m *mesh.Mesh, k int32) tri.Triangle {
	t := &m.Triangles[k]
	return tri.Triangle{m.Vertices[t[0]], m.Vertices[t[1]], m.Vertices[t[2]]}
}

// size1 bounds the length of v by the sum of its coordinates' sizes, up to 3u.
func size1(v geom.Vec) float64 { return math.Abs(v.X) + math.Abs(v.Y) + math.Abs(v.Z) }

func sub(a, b geom.Vec) geom.Vec { return geom.Vec{X: a.X - b.X, Y: a.Y - b.Y, Z: a.Z - b.Z} }
func add(a, b geom.Vec) geom.Vec { return geom.Vec{X: a.X + b.X, Y: a.Y + b.Y, Z: a.Z + b.Z} }
func dot(a, b geom.Vec) float64  { return a.X*b.X + a.Y*b.Y + a.Z*b.Z }
func scale(f float64, a geom.Vec) geom.Vec {
	return geom.Vec{X: f * a.X, Y: f * a.Y, Z: f * a.Z}
}
func along(a geom.Vec, f float64, d geom.Vec) geom.Vec { return add(a, scale(f, d)) }
func cross(a, b geom.Vec) geom.Vec {
	return geom.Vec{X: a.Y*b.Z - a.Z*b.Y, Y: a.Z*b.X - a.X*b.Z, Z: a.X*b.Y - a.Y*b.X}
}

func square(a, b geom.Vec) float64 {
	x, y, z := a.X-b.X, a.Y-b.Y, a.Z-b.Z
	return x*x + y*y + z*z
}
