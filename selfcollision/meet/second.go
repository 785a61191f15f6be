package meet

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// This file is trusted, as rules.go is.

// apartSecondOrder proves the same as apartInBox by the half-space rule (H) read
// over a box. points hold each core in their hull, in E; accel >= |n.x”| of both
// sides together where each joint k moves at a constant rate of at most delta_k.
//
// Proof. The box's configuration c + d is the end of the straight line c + s d, s in
// [0, 1], along which joint k moves at the constant rate d_k, |d_k| <= delta_k, and
// stays in the box. By Taylor's theorem n.x at its end is at most n.x + sum d_k
// n.J_k(x) + A/2, with J_k(x) = u_k x (x - o_k), or u_k of a slide, at c. What is
// before A/2 is at most n.x + sum over variables of |sum of its joints' signed
// delta_k n.J_k(x)|: a convex function of x, as it is linear but for absolute
// values, and so largest over the core at one of the points.
func apartSecondOrder(n geom.Vec, a, b *side, pointsA, pointsB []geom.Vec, accel, clearance float64) bool {
	out := -(reachSecondOrder(n, a, pointsA) + reachSecondOrder(r3.Scale(-1, n), b, pointsB) + accel/2*grown)
	return out-(a.core.Radius+b.core.Radius)*(1+8*u)-a.slack-b.slack > clearance*(1+8*u)
}

// reachSecondOrder bounds n.x + sum |d_k n.J_k(x)| over the points.
func reachSecondOrder(n geom.Vec, s *side, points []geom.Vec) float64 {
	var rate [maxVariables]struct {
		dir  geom.Vec // of x in E
		base float64
	}
	vars := 0
	for i := range s.joints {
		j := &s.joints[i]
		r := &rate[j.variable]
		vars = max(vars, j.variable+1)
		if j.prismatic {
			r.base += j.signed * r3.Dot(n, j.axis)
			continue
		}
		m := r3.Scale(j.signed, r3.Cross(n, j.axis))
		r.dir = r3.Add(r.dir, s.pose.R.ApplyInv(m))
		r.base += r3.Dot(m, r3.Sub(s.pose.P, j.origin))
	}
	dir := s.pose.R.ApplyInv(n)
	far := math.Inf(-1)
	for _, p := range points {
		v := r3.Dot(dir, p)
		for i := range rate[:vars] {
			v += math.Abs(r3.Dot(rate[i].dir, p) + rate[i].base)
		}
		far = larger(v, far)
	}
	return far + r3.Dot(n, s.pose.P)
}

// maxVariables bounds the variables that move one side, as the rule of second order
// takes them.
const maxVariables = 64

// accelAlong bounds the acceleration along n of both sides' points, (A) for joints
// that move at a constant rate of delta: see apartSecondOrder.
func (s *scratch) accelAlong(n geom.Vec, l, r *limb) float64 {
	fa, fb := s.m.Bodies[s.a].Frame, s.m.Bodies[s.b].Frame
	return s.st.AccelerationAlong(fa, s.parting, l.radii, n) + s.st.AccelerationAlong(fb, s.parting, r.radii, n)
}
