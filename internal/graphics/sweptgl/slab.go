//go:build gl && cgo

package sweptgl

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// A slab of a solid is a direction n and two numbers such that lo <= n.p <= hi for every point p
// of it. Which directions are taken decides how tight the images are, never what they prove.
//
// The direction is rounded to float32 first, so that no error of it is left. n.p of a corner is
// then a sum of three products of float32 numbers, which float64 holds exactly, but for
// two roundings; the radius adds r |n|.

// slabFloats is how many numbers a slab is: n, lo, hi.
const slabFloats = 5

// appendSlab appends the slab of s along n.
func appendSlab(to []float32, s *solid, n geom.Vec) []float32 {
	size := max(math.Abs(n.X), math.Abs(n.Y), math.Abs(n.Z))
	if !(size > 1e-30) || math.IsInf(size, 0) {
		return append(to, 0, 0, 0, -1, 1) // which says nothing
	}
	x, y, z := float32(n.X/size), float32(n.Y/size), float32(n.Z/size)
	n = geom.Vec{X: float64(x), Y: float64(y), Z: float64(z)}
	lo, hi, most := math.Inf(1), math.Inf(-1), 0.0
	for i := range s.n {
		p := s.at(i)
		v := r3.Dot(n, p)
		lo, hi = min(lo, v), max(hi, v)
		most = max(most, math.Abs(p.X)+math.Abs(p.Y)+math.Abs(p.Z))
	}
	out := float64(s.radius)*geom.Norm(n)*(1+0x1p-45) + 0x1p-45*most
	return append(to, x, y, z, downward(lo-out), upward(hi+out))
}

// across returns the direction in a view's plane that is across the line from p to q as seen
// there.
func across(axis int, p, q geom.Vec) geom.Vec {
	d := r3.Sub(q, p)
	switch axis {
	case 0:
		return geom.Vec{Y: -d.Z, Z: d.Y}
	case 1:
		return geom.Vec{X: d.Z, Z: -d.X}
	}
	return geom.Vec{X: -d.Y, Y: d.X}
}

// along is a vector along the direction of view.
func along(axis int, size float64) geom.Vec {
	switch axis {
	case 0:
		return geom.Vec{X: size}
	case 1:
		return geom.Vec{Y: size}
	}
	return geom.Vec{Z: size}
}

// Slabs of a slice in a view: across each pair of its corners, halfway from there to the direction
// of view on both sides, as slices are round, and its four faces.
const sliceSlabs = 3*6 + 4

func appendSliceSlabs(to []float32, s *solid, axis int) []float32 {
	for i := range 4 {
		for j := i + 1; j < 4; j++ {
			n := across(axis, s.at(i), s.at(j))
			view := along(axis, geom.Norm(n))
			to = appendSlab(to, s, n)
			to = appendSlab(to, s, r3.Add(n, view))
			to = appendSlab(to, s, r3.Sub(n, view))
		}
	}
	for i := range 4 {
		a, b, c := s.at((i+1)%4), s.at((i+2)%4), s.at((i+3)%4)
		to = appendSlab(to, s, r3.Cross(r3.Sub(b, a), r3.Sub(c, a)))
	}
	return to
}

// Slabs of a slice that is drawn alone: besides, directions evenly within 53 degrees of that of view,
// as what is left there is often a thousandth of the slice's size away. What is farther from a
// direction of view is nearer to another.
const (
	capSlabs   = 64
	roundSlabs = sliceSlabs + capSlabs
)

func appendRoundSlabs(to []float32, s *solid, axis int) []float32 {
	to = appendSliceSlabs(to, s, axis)
	for i := range capSlabs {
		up := 1 - 0.4*(float64(i)+0.5)/capSlabs
		out, turn := math.Sqrt(1-up*up), math.Pi*(3-math.Sqrt(5))*float64(i)
		n := r3.Add(along(axis, up), along((axis+1)%3, out*math.Cos(turn)))
		to = appendSlab(to, s, r3.Add(n, along((axis+2)%3, out*math.Sin(turn))))
	}
	return to
}

// Slabs of a piece of the world in a view: of a triangle its sides, as seen there, and its plane; of
// others the faces of a box and diagonals.
const itemSlabs = 4

func appendItemSlabs(to []float32, s *solid, axis int) []float32 {
	full := len(to) + itemSlabs*slabFloats
	switch {
	case s.kind == convex.Triangle:
		a, b, c := s.at(0), s.at(1), s.at(2)
		to = appendSlab(to, s, across(axis, a, b))
		to = appendSlab(to, s, across(axis, b, c))
		to = appendSlab(to, s, across(axis, c, a))
		to = appendSlab(to, s, r3.Cross(r3.Sub(b, a), r3.Sub(c, a)))
	case s.kind == convex.Box:
		for i := range 3 {
			to = appendSlab(to, s, r3.Sub(s.at(1<<i), s.at(0)))
		}
	case s.n == 2:
		n := across(axis, s.at(0), s.at(1))
		view := along(axis, geom.Norm(n))
		to = appendSlab(to, s, n)
		to = appendSlab(to, s, r3.Add(n, view))
		to = appendSlab(to, s, r3.Sub(n, view))
	default: // diagonals
		for i := range 4 {
			to = appendSlab(to, s, geom.Vec{X: sign(i & 1), Y: sign(i >> 1 & 1), Z: 1})
		}
	}
	for len(to) < full {
		to = append(to, 0, 0, 0, -1, 1)
	}
	return to
}
