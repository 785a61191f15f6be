package ruletest

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/rules"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/exact"
)

// Reach is the largest n.(x + tau v(x)) over a side's core.
func Reach(n exact.Vec, s *rules.Side, tau exact.Num) exact.Num {
	m := n.Plus(n.Cross(exact.VecOf(s.Vel.Ang)).Scaled(tau))
	local := exact.RotOf(s.Pose.R).ApplyInv(m)
	return Support(local, s.Core).Plus(m.Dot(exact.VecOf(s.Pose.P))).Plus(tau.Times(n.Dot(exact.VecOf(s.Vel.Lin))))
}

// Support is the largest d.x over a core, its radius not included.
func Support(d exact.Vec, c *convex.Core) exact.Num {
	flat := d[0].Times(d[0]).Plus(d[1].Times(d[1])).Sqrt().Times(exact.Of(c.CoreRadius))
	tip := d[2].Times(exact.Of(c.HalfLength))
	switch c.Kind {
	case convex.Box:
		sum := d.Dot(exact.VecOf(c.Center))
		for i, h := range [3]float64{c.Half.X, c.Half.Y, c.Half.Z} {
			sum = sum.Plus(d[i].Abs().Times(exact.Of(h)))
		}
		return sum
	case convex.Cylinder:
		return flat.Plus(tip.Abs())
	case convex.Cone:
		return tip.Max(flat.Minus(tip))
	}
	top := d.Dot(exact.VecOf(c.Vertices[0]))
	for _, v := range c.Vertices[1:] {
		top = top.Max(d.Dot(exact.VecOf(v)))
	}
	return top
}

// RoomHalfSpace is by how much the half-space rule holds, in exact numbers; it is
// proved where this is more than zero.
func RoomHalfSpace(n geom.Vec, a, b *rules.Side, h, accel, clearance float64) exact.Num {
	e, back := exact.VecOf(n), exact.VecOf(r3.Scale(-1, n))
	at := func(tau float64) exact.Num { return Reach(e, a, exact.Of(tau)).Plus(Reach(back, b, exact.Of(tau))) }
	gap := exact.Of(0).Minus(at(h).Max(at(-h)))
	off := exact.Of(clearance).Plus(exact.Of(a.Core.Radius)).Plus(exact.Of(b.Core.Radius)).Times(e.Norm())
	return gap.Minus(off).Minus(exact.Of(accel).Times(exact.Of(h)).Times(exact.Of(h)).Times(exact.Of(0.5)))
}

// RoomStill is the same for displacement alone.
func RoomStill(n geom.Vec, a, b *rules.Side, far, clearance float64) exact.Num {
	return RoomHalfSpace(n, a, b, 0, 0, 0).Minus(exact.Of(far).Plus(exact.Of(clearance)).Times(exact.VecOf(n).Norm()))
}

// RoomBalls is the same for the ball rule.
func RoomBalls(x0, x1 geom.Vec, h, accel, far, radii, clearance float64) exact.Num {
	need := exact.Of(radii).Plus(exact.Of(clearance))
	e0, e1 := exact.VecOf(x0), exact.VecOf(x1)
	still := e0.Norm().Minus(need).Minus(exact.Of(far))
	s := exact.Of(0)
	if v2 := e1.Dot(e1); v2.Sign() > 0 {
		s = e0.Dot(e1).Over(v2)
		s = exact.Of(0).Minus(s).Min(exact.Of(h)).Max(exact.Of(-h))
	}
	moving := e0.Plus(e1.Scaled(s)).Norm().Minus(need).Minus(exact.Of(accel).Times(exact.Of(h)).Times(exact.Of(h)).Times(exact.Of(0.5)))
	return still.Max(moving)
}

// RoomAtEnds is by how much the half-space rule holds for a clearance that is a line,
// in exact numbers.
func RoomAtEnds(n geom.Vec, a, b *rules.Side, h, accel, before, after float64) exact.Num {
	e, back := exact.VecOf(n), exact.VecOf(r3.Scale(-1, n))
	radii := exact.Of(a.Core.Radius).Plus(exact.Of(b.Core.Radius))
	at := func(tau, clearance float64) exact.Num {
		reach := Reach(e, a, exact.Of(tau)).Plus(Reach(back, b, exact.Of(tau)))
		return exact.Of(0).Minus(reach).Minus(radii.Plus(exact.Of(clearance)).Times(e.Norm()))
	}
	return at(h, after).Min(at(-h, before)).Minus(exact.Of(accel).Times(exact.Of(h)).Times(exact.Of(h)).Times(exact.Of(0.5)))
}
