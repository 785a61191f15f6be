package rsstree

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// Pair is two trees at a pose of one in the frame of the other, ready to be asked
// about distances of their nodes. It is scratch of one goroutine.
type Pair struct {
	A, B   *Tree
	PoseAB geom.Pose // of B's frame in A's

	radii float64 // of both sides
	err   float64 // of every bound, rounding alone

	grownA, grownB float64
	scratchA       leafCore
	scratchB       leafCore
	search         convex.Workspace
	placed         rect // node number placedNode of B in A's frame
	placedNode     int32
}

// leafCore is a leaf as a convex piece, made without allocating.
type leafCore struct {
	core     convex.Core
	vertices [3]geom.Vec
}

// Set makes p the pair of two trees, at a pose of B in A, that must be a rotation to
// within 2^-20 in norm. Around every point of A and B there is a ball of the radius
// grownA or grownB: of points, of a core, and padding.
func (p *Pair) Set(a, b *Tree, poseAB *geom.Pose, grownA, grownB float64) {
	p.A, p.B, p.PoseAB = a, b, *poseAB
	p.grownA, p.grownB = grownA, grownB
	p.radii = (grownA + grownB) * (1 + 2*u)
	p.err = gapRounding * (a.extent + b.extent + geom.Norm(poseAB.P) + p.radii)
	p.placedNode = -1
	if !a.sane() || !b.sane() {
		p.err = math.Inf(1) // nothing is proved about what overflows
	}
}

// Swapped makes p the pair q seen from the other side.
func (p *Pair) Swapped(q *Pair) {
	inv := q.PoseAB.Inv()
	p.Set(q.B, q.A, &inv, q.grownB, q.grownA)
}

// gapRounding bounds the rounding of gapAlong relative to |n| times the sum of both
// extents (E_A, E_B), the distance of the frames' origins (D) and the radii (r), in
// u = 2^-53:
//
//	B's centre and sides in A's frame   g(3) sum |R_ij x_j| <= 5.2 E_B, a sum E_B + D
//	difference of the centres           E_A + E_B + D
//	inner products with n               3 (E_A + E_B + D)
//	five sums of those                  5 (E_A + E_B + D)
//	length of n, quotient, radii        8 (E_A + E_B + D + r)
//
// 24 at most; the rest covers R not being quite a rotation (2^-20 relative) and the
// second order. For two triangles, whose corners take the centre's place, the same.
const gapRounding = 28 * 0x1p-53

// gapAlong returns how far the rectangles are apart along n, n.y - n.x at least for
// all points x of a and y of b, times |n|: this is what proves a bound. Where n is
// anything but the direction of the closest points it is too small, never too large.
//
// Proof. The largest n.x over the parallelogram is n.c + |n.u| + |n.v|, by its
// corners.
func gapAlong(n geom.Vec, a, b *rect) float64 {
	d := n.X*(b.c.X-a.c.X) + n.Y*(b.c.Y-a.c.Y) + n.Z*(b.c.Z-a.c.Z)
	return d -
		math.Abs(n.X*a.u.X+n.Y*a.u.Y+n.Z*a.u.Z) - math.Abs(n.X*a.v.X+n.Y*a.v.Y+n.Z*a.v.Z) -
		math.Abs(n.X*b.u.X+n.Y*b.u.Y+n.Z*b.u.Z) - math.Abs(n.X*b.v.X+n.Y*b.v.Y+n.Z*b.v.Z)
}

// Bound returns a proved lower bound of the distance of all that is below node a of
// A and node b of B, 0 if that is no more than enough. Where the volumes are farther
// apart than enough the bound is within two per cent of their distance.
func (p *Pair) Bound(a, b int32, enough float64) float64 {
	na, nb := &p.A.Nodes[a], &p.B.Nodes[b]
	if p.placedNode != b {
		p.place(nb)
		p.placedNode = b
	}
	radii := na.Radius + nb.Radius + p.radii
	lower := rectangles(&na.rect, &p.placed, radii, enough)
	lower = lower*(1-16*u) - p.err
	if !(lower > enough) {
		return 0
	}
	return lower
}

// place puts a node of B in A's frame.
func (p *Pair) place(n *Node) {
	p.placed = rect{
		c: p.PoseAB.Apply(n.rect.c), u: p.PoseAB.R.Apply(n.rect.u), v: p.PoseAB.R.Apply(n.rect.v),
		invU: n.rect.invU, invV: n.rect.invV,
	}
}

// rounds is how many steps the search for a direction takes before all features are
// tried.
const rounds = 8

// closeEnough is how much of the distance of two volumes a bound must reach for the
// search to end: a tighter one costs more than what it saves.
const closeEnough = 0.98

// rectangles returns a lower bound of the distance of two rectangles less radii: the
// gap along the difference of two points. The points are sought by projecting from
// one to the other, with a step to where the lines or planes of the sides they lie on
// are closest; the search is not trusted. Zero or less where it found none.
func rectangles(a, b *rect, radii, enough float64) float64 {
	y := b.point(0, 0)
	x := a.nearest(y.at)
	best := 0.0
	for range rounds {
		y = b.nearest(x.at)
		x = a.nearest(y.at)
		n := r3.Sub(y.at, x.at)
		d := geom.Norm(n)
		if !(d > radii+enough) {
			return 0
		}
		g := gapAlong(n, a, b)/d - radii
		if g >= closeEnough*(d-radii) {
			return g
		}
		if g > best {
			best = g
		}
		x, y = step(a, b, x, y, n)
	}
	n := closest(a, b)
	d := geom.Norm(n)
	if !(d > radii+enough) {
		return 0
	}
	return math.Max(best, gapAlong(n, a, b)/d-radii)
}

func free(x float64) bool { return x > -1 && x < 1 }

// step moves two points towards each other along the sides they lie on.
func step(a, b *rect, x, y spot, n geom.Vec) (spot, spot) {
	freeA, freeB := count(a, x), count(b, y)
	switch {
	case freeA == 1 && freeB == 1:
		return lines(a, b, x, y, n)
	case freeA == 2 && freeB >= 1:
		y = falls(b, y, r3.Cross(a.u, a.v), n)
		return a.nearest(y.at), y
	case freeB == 2 && freeA >= 1:
		x = falls(a, x, r3.Cross(b.u, b.v), r3.Scale(-1, n))
		return x, b.nearest(x.at)
	}
	return x, y
}

// count tells along how many sides a point may move both ways.
func count(r *rect, p spot) int {
	k := 0
	if free(p.s) && r.invU > 0 {
		k++
	}
	if free(p.t) && r.invV > 0 {
		k++
	}
	return k
}

// lines moves x to where the line of its side is closest to that of y's.
func lines(a, b *rect, x, y spot, n geom.Vec) (spot, spot) {
	ea, eb := a.u, b.u
	alongV := !(free(x.s) && a.invU > 0)
	if alongV {
		ea = a.v
	}
	if !(free(y.s) && b.invU > 0) {
		eb = b.v
	}
	aa, bb, ab := r3.Norm2(ea), r3.Norm2(eb), r3.Dot(ea, eb)
	if det := aa*bb - ab*ab; det > 1e-12*aa*bb {
		by := (r3.Dot(n, ea)*bb - r3.Dot(n, eb)*ab) / det
		if alongV {
			x = a.point(x.s, x.t+by)
		} else {
			x = a.point(x.s+by, x.t)
		}
	}
	return x, b.nearest(x.at)
}

// falls moves p along its rectangle towards a plane with the given normal, n from the
// plane to p, as far as the plane or the rectangle's side.
func falls(r *rect, p spot, normal, n geom.Vec) spot {
	height, du, dv := r3.Dot(n, normal), r3.Dot(r.u, normal), r3.Dot(r.v, normal)
	if free(p.s) && du != 0 {
		q := r.point(p.s-height/du, p.t)
		height += (q.s - p.s) * du
		p = q
	}
	if free(p.t) && dv != 0 {
		p = r.point(p.s, p.t-height/dv)
	}
	return p
}

// closest returns the difference of the closest points of two rectangles by all their
// features: a corner and the other rectangle, or two sides. Zero where a side pierces
// the other rectangle.
func closest(a, b *rect) geom.Vec {
	var best geom.Vec
	least := math.Inf(1)
	offer := func(x, y geom.Vec) {
		if d := r3.Sub(y, x); r3.Norm2(d) < least {
			best, least = d, r3.Norm2(d)
		}
	}
	for k := range 4 {
		s, t := float64(2*(k&1)-1), float64(k&2)-1
		x := a.point(s, t).at
		offer(x, b.nearest(x).at)
		y := b.point(s, t).at
		offer(a.nearest(y).at, y)
	}
	for i := range 4 {
		p, d := a.side(i)
		for j := range 4 {
			q, e := b.side(j)
			x := between(p, d, q, e)
			y := b.nearest(x).at
			offer(a.nearest(y).at, y)
		}
	}
	return best
}

// side returns the middle and the half of side i.
func (r *rect) side(i int) (middle, half geom.Vec) {
	sign := float64(2*(i&1) - 1)
	if i < 2 {
		return r3.Add(r.c, r3.Scale(sign, r.u)), r.v
	}
	return r3.Add(r.c, r3.Scale(sign, r.v)), r.u
}

// between returns the point of the segment p ± d nearest to the line of q and e.
func between(p, d, q, e geom.Vec) geom.Vec {
	dd, ee, de, n := r3.Norm2(d), r3.Norm2(e), r3.Dot(d, e), r3.Sub(q, p)
	det := dd*ee - de*de
	if !(det > 1e-14*dd*ee) {
		return p
	}
	return r3.Add(p, r3.Scale(clamp((r3.Dot(n, d)*ee-r3.Dot(n, e)*de)/det), d))
}
