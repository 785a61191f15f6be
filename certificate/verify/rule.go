package verify

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/certificate"
	"github.com/firstcontact-ros/firstcontact/geom"
)

// apart decides whether an item of the interval is true: its sides stay more than clearance
// apart, for all deviations within the tubes, and a side of the world more than the robot
// jumps at a seam.
func (m *moment) apart(i *certificate.Item, clearance float64) (bool, error) {
	var ca, cb *geom.Vec
	if i.HasCenterA {
		ca = &i.CenterA
	}
	if i.HasCenterB {
		cb = &i.CenterB
	}
	a, err := m.newSide(i.A, ca)
	if err != nil {
		return false, err
	}
	b, err := m.newSide(i.B, cb)
	if err != nil {
		return false, err
	}
	if i.HasNormal {
		return m.parted(i.Normal, a, b, clearance), nil
	}
	for _, n := range m.betweenCentres(a, b) {
		if m.parted(n, a, b, clearance) {
			return true, nil
		}
	}
	return false, nil
}

// parted decides whether the direction n, fixed in the frame of the body at which the chains
// of a and b part, separates them on the whole interval, by either of two rules. n need not
// have length 1, only about: every term is multiplied by |n|. An n whose length underflows
// would make clearance and radii vanish.
//
// Half-spaces. By Taylor, a point x of the core of a satisfies at c + tau
//
//	n.x(c + tau) <= n.x + tau n.v' + A tau²/2
//
// and the maximum of the linear part over all points is convex in tau, so that on [-h, h] it
// is attained at an end; so is the sum of that of a along n and that of b along -n. If at both
// ends the sum, plus A h²/2 of both sides, stays below minus the clearance, the sides are
// farther apart than the clearance during the whole interval.
//
// Displacement. At c the sides are apart by more than the clearance and both displacements.
func (m *moment) parted(normal geom.Vec, a, b *side, clearance float64) bool {
	n, minusN := at(normal), at(times(-1, normal))
	size := length(normal)
	if !(size >= 0.5 && size <= 2) {
		return false
	}
	from := parting(a.chain(), b.chain())
	need := above(size * (clearance + a.stray(from) + b.stray(from) + m.jump(a, b)))
	ga, ka := a.drift(from, n)
	gb, kb := b.drift(from, minusN)
	sum := func(tau float64) float64 {
		return addUp(a.farthestAlong(n, ga, ka, tau, size), b.farthestAlong(minusN, gb, kb, tau, size))
	}
	moved := above(size * (a.displacement(from) + b.displacement(from)))
	if addUp(sum(0), addUp(need, moved)) < 0 {
		return true
	}
	accel := above(a.acceleration(from, n, size) + b.acceleration(from, minusN, size))
	bent := above(0.5 * accel * m.h * m.h)
	return addUp(sum(-m.h), addUp(need, bent)) < 0 && addUp(sum(m.h), addUp(need, bent)) < 0
}

// jump bounds how far a point of either side jumps at a seam relative to the other: 0 if both
// belong to the robot.
func (m *moment) jump(a, b *side) float64 {
	if x, y := m.bodies[a.body], m.bodies[b.body]; x.link < 0 || y.link < 0 {
		return above(x.jump + y.jump)
	}
	return 0
}

// betweenCentres returns directions that may separate two balls: between their centres where
// those come closest in linear motion, and at c. They are candidates and need not be exact.
func (m *moment) betweenCentres(a, b *side) []geom.Vec {
	xa, xb := m.poseOf(a.body).place(at(a.center)).v, m.poseOf(b.body).place(at(b.center)).v
	from := parting(a.chain(), b.chain())
	velocity := func(s *side, x geom.Vec) (v geom.Vec) {
		for i, axis := range [3]geom.Vec{{X: 1}, {Y: 1}, {Z: 1}} {
			g, k := s.drift(from, at(axis))
			c := dot(g.v, x) + k.mid()
			switch i {
			case 0:
				v.X = c
			case 1:
				v.Y = c
			case 2:
				v.Z = c
			}
		}
		return v
	}
	x0, x1 := minus(xb, xa), minus(velocity(b, xb), velocity(a, xa))
	var s float64
	if v2 := dot(x1, x1); v2 > 0 {
		s = math.Max(-m.h, math.Min(m.h, -dot(x0, x1)/v2))
	}
	var out []geom.Vec
	for _, d := range [...]geom.Vec{plus(x0, times(s, x1)), x0} {
		if l := math.Sqrt(dot(d, d)); l > 0 {
			out = append(out, times(1/l, d))
		}
	}
	return out
}
