package ruletest

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/rules"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
)

// u is the largest relative error of a float64 operation.
const u = 0x1p-53

// Dice draws convex pieces and sides, besides robots and worlds. Sizes, speeds and
// distances span orders of magnitude.
type Dice struct{ robots.Dice }

// NewDice returns the dice of case i of a seed.
func NewDice(seed, i uint64) Dice { return Dice{robots.NewDice(seed, i)} }

// Core draws a convex piece of any kind.
func (d Dice) Core(size float64) *convex.Core {
	c := &convex.Core{Kind: convex.Kind(d.IntN(7))}
	if d.IntN(2) == 0 {
		c.Radius = d.Spread(1e-4, 1) * size
	}
	n := map[convex.Kind]int{convex.Point: 1, convex.Segment: 2, convex.Triangle: 3, convex.Hull: 4 + d.IntN(100)}[c.Kind]
	for range n {
		c.Vertices = append(c.Vertices, d.Vec(size))
	}
	switch c.Kind {
	case convex.Box:
		v := d.Vec(size)
		c.Center, c.Half = d.Vec(size), geom.Vec{X: math.Abs(v.X), Y: math.Abs(v.Y), Z: math.Abs(v.Z)}
	case convex.Cylinder, convex.Cone:
		c.CoreRadius, c.HalfLength = d.In(0, size), d.In(0, size)
	}
	if n > 3 && d.IntN(2) == 0 {
		if measured, err := convex.New(*c); err == nil {
			c = &measured
		}
	}
	return c
}

// Side draws an element at a time, in motion or not.
func (d Dice) Side() *rules.Side {
	size := d.Spread(1e-3, 10)
	s := &rules.Side{Core: d.Core(size), Pose: d.Pose(d.Spread(1e-3, 1e3))}
	if d.IntN(4) > 0 {
		s.Vel = kin.Twist{Lin: d.Vec(d.Spread(1e-6, 1e3)), Ang: d.Vec(d.Spread(1e-6, 1e3))}
	}
	return s
}

// Own is the part of rules.SlackOf that stands for the rules' own arithmetic.
func Own(s *rules.Side, h float64) float64 {
	x := geom.Norm(s.Pose.P) + s.Core.Extent() + s.Core.Radius
	return 64 * u * (x + h*(geom.Norm(s.Vel.Lin)+geom.Norm(s.Vel.Ang)*x))
}

// Offset draws by how much a case is to miss its threshold: rounding, a few times
// the slack, or much more.
func (d Dice) Offset(slack, size float64) float64 {
	switch d.IntN(4) {
	case 0:
		return d.In(-1, 1) * 4 * u * size
	case 1:
		return d.In(-1, 1) * d.Spread(1e-3, 1) * size
	}
	return d.In(-3, 3) * slack
}

// Extreme draws a number of any size that a float64 has, most of them where squares
// overflow or are lost.
func (d Dice) Extreme() float64 {
	x := [...]float64{0, 1e-320, 1e-308, 1e-160, 1e-77, 1, 1e77, 1e150, 1e155, 1e200, 1e300, math.MaxFloat64, math.Inf(1), math.NaN(), d.Spread(1e-9, 1e9)}[d.IntN(15)]
	if d.IntN(2) == 0 {
		x *= d.Float64()
	}
	return x * float64(1-2*d.IntN(2))
}

// ExtremeVec draws a vector of such numbers.
func (d Dice) ExtremeVec() geom.Vec {
	v := geom.Vec{X: d.Extreme(), Y: d.Extreme(), Z: d.Extreme()}
	if d.IntN(3) == 0 {
		v.Y, v.Z = 0, 0
	}
	return v
}

// Norm1 is no less than the length.
func Norm1(v geom.Vec) float64 { return math.Abs(v.X) + math.Abs(v.Y) + math.Abs(v.Z) }

// ExtremeSide draws a side of such numbers.
func (d Dice) ExtremeSide() *rules.Side {
	v := d.ExtremeVec()
	s := &rules.Side{Pose: d.Pose(1), Core: &convex.Core{Kind: convex.Hull}}
	s.Pose.P = v
	for range 4 + d.IntN(12) {
		s.Core.Vertices = append(s.Core.Vertices, d.ExtremeVec())
	}
	if d.IntN(2) == 0 {
		s.Core = &convex.Core{Kind: convex.Box, Center: d.ExtremeVec(), Half: geom.Vec{X: math.Abs(v.Z), Y: math.Abs(v.X), Z: math.Abs(v.Y)}}
	}
	if d.IntN(2) == 0 {
		s.Vel = kin.Twist{Lin: d.ExtremeVec(), Ang: d.ExtremeVec()}
	}
	s.Core.Radius = math.Abs(d.Extreme())
	return s
}

// SizeOf bounds every number that the half-space rule computes with for a side.
func SizeOf(s *rules.Side, h float64) float64 {
	x := Norm1(s.Pose.P) + s.Core.Radius + Norm1(s.Core.Center) + Norm1(s.Core.Half)
	for _, v := range s.Core.Vertices {
		x += Norm1(v)
	}
	return x + h*(Norm1(s.Vel.Lin)+Norm1(s.Vel.Ang)*x)
}

// IsNumber reports whether all of them are finite, so that there is an exact twin.
func IsNumber(xs ...float64) bool {
	for _, x := range xs {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}
