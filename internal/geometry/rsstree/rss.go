package rsstree

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// u is the largest relative error of a float64 operation.
const u = 0x1p-53

// RSS is a rectangle swept sphere: every point within Radius of the rectangle of the
// points Center + s U + t V with |s| <= 1 and |t| <= 1. U and V are half sides. They
// are orthogonal to rounding; nothing that is proved rests on that, as the rectangle
// is the parallelogram that the numbers say.
type RSS struct {
	Center, U, V geom.Vec
	Radius       float64
}

// rect is an RSS's rectangle prepared for projections: invU and invV are 1/|U|² and
// 1/|V|², 0 where the side is none.
type rect struct {
	c, u, v    geom.Vec
	invU, invV float64
}

func rectOf(r *RSS) rect {
	return rect{c: r.Center, u: r.U, v: r.V, invU: inverse(r3.Norm2(r.U)), invV: inverse(r3.Norm2(r.V))}
}

func inverse(x float64) float64 {
	if x > 0x1p-900 {
		return 1 / x
	}
	return 0
}

// spot is a point of a rectangle and its coordinates there.
type spot struct {
	at   geom.Vec
	s, t float64
}

func clamp(x float64) float64 {
	if x > 1 {
		return 1
	}
	if x < -1 {
		return -1
	}
	return x
}

// point returns the rectangle's point with the given coordinates, clamped.
func (r *rect) point(s, t float64) spot {
	s, t = clamp(s), clamp(t)
	return spot{s: s, t: t, at: geom.Vec{
		X: r.c.X + s*r.u.X + t*r.v.X,
		Y: r.c.Y + s*r.u.Y + t*r.v.Y,
		Z: r.c.Z + s*r.u.Z + t*r.v.Z,
	}}
}

// nearest returns the rectangle's point nearest to p: exactly so as far as the sides
// are orthogonal.
func (r *rect) nearest(p geom.Vec) spot {
	x, y, z := p.X-r.c.X, p.Y-r.c.Y, p.Z-r.c.Z
	return r.point(
		(x*r.u.X+y*r.u.Y+z*r.u.Z)*r.invU,
		(x*r.v.X+y*r.v.Y+z*r.v.Z)*r.invV,
	)
}

// reach returns a radius with which the sphere swept over the rectangle provably contains p,
// given the rectangle's extent.
//
// The nearest point is made with coordinates in [-1, 1], so that it is a point of the
// rectangle but for the rounding of its own sums, at most 4u of |c| + |u| + |v|; the
// difference rounds by u of both points and its length by 4u.
func (r *rect) reach(p geom.Vec, extent float64) float64 {
	q := r.nearest(p)
	d := geom.Norm(r3.Sub(p, q.at))
	size := extent + geom.Norm(p)
	return d*(1+8*u) + 8*u*size + 0x1p-500 // the last where the squares are lost
}

// extent bounds the distance of the rectangle's points from the origin.
func (r *rect) extent() float64 {
	return (geom.Norm(r.c) + geom.Norm(r.u) + geom.Norm(r.v)) * (1 + 16*u)
}

// Extent bounds the distance of the volume's points from its frame's origin.
func (r *RSS) Extent() float64 {
	q := rectOf(r)
	return (q.extent() + r.Radius) * (1 + 4*u)
}

// Reach bounds the distance of the volume's points from Center.
func (r *RSS) Reach() float64 {
	return (math.Sqrt(r3.Norm2(r.U)+r3.Norm2(r.V)+2*math.Abs(r3.Dot(r.U, r.V))) + r.Radius) * (1 + 16*u)
}
