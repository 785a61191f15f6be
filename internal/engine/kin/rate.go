package kin

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// The rate of change of twists. The third order of Taylor's theorem uses the acceleration of a
// point at c itself and bounds only the remainder: a bound (A) adds up the worst case of all
// joints, but here most of it is known.

// EnsureRate computes Rate of frame f and of its ancestors, which Ensure has placed, unless
// that was done.
//
// A joint's screw S, its lever and axis, moves with the frame before it: its derivative is the
// Lie bracket [T, S] = (ang x S.lin + lin x S.ang, ang x S.ang) with that frame's twist T. So
// the derivative of q' S is (d²q/dt²) S + q' [T, S].
func (s *State) EnsureRate(f int) {
	if s.rated[f] == s.stamp {
		return
	}
	for _, k := range s.Tree.chain[f] {
		if s.rated[k] != s.stamp {
			s.rated[k] = s.stamp
			t := &s.Tree.Frames[k]
			s.rate(int(k), t, &s.dofs[t.Dof])
		}
	}
}

func (s *State) rate(k int, f *Frame, d *Around) {
	base, r := &s.Twist[f.Parent], &s.Rate[k]
	u, qd, qdd := s.AxisW[k], f.Mult*d.QD, f.Mult*d.QDD
	*r = s.Rate[f.Parent]
	turned := r3.Add(r3.Scale(qdd, u), r3.Scale(qd, r3.Cross(base.Ang, u)))
	if f.Prismatic {
		r.Lin = r3.Add(r.Lin, turned)
		return
	}
	l := r3.Cross(s.OriginW[k], u)
	r.Ang = r3.Add(r.Ang, turned)
	r.Lin = r3.Add(r.Lin, r3.Add(r3.Scale(qdd, l),
		r3.Scale(qd, r3.Add(r3.Cross(base.Ang, l), r3.Cross(base.Lin, u)))))
}

// RateRelative returns the rate of change of the twist of frame f relative to frame base, seen
// in base and written in W at c: the difference of both, minus the effect of base's own
// motion, [T_base, T_f - T_base].
func (s *State) RateRelative(f, base int) Twist {
	s.EnsureRate(f)
	if base == 0 {
		return s.Rate[f]
	}
	s.EnsureRate(base)
	r, t, v := s.Rate[f].Sub(s.Rate[base]), &s.Twist[base], s.Twist[f].Sub(s.Twist[base])
	r.Ang = r3.Sub(r.Ang, r3.Cross(t.Ang, v.Ang))
	r.Lin = r3.Sub(r.Lin, r3.Add(r3.Cross(t.Ang, v.Lin), r3.Cross(t.Lin, v.Ang)))
	return r
}

// AccelerationAt returns the acceleration of the point x of W that moves with twist t and the
// given rate of change.
func AccelerationAt(t, rate *Twist, x geom.Vec) geom.Vec {
	return r3.Add(rate.At(x), r3.Cross(t.Ang, t.At(x)))
}

// boundRate bounds the size of Rate[k] on the piece, Rush, and its error, ErrRate. Each term
// is a product of up to four factors: its error is its size times the error of the axis (ErrR)
// and its roundings, for which 64u stand, and the errors of rates, twist and origin, each
// times the other factors. Adding to the parent's rounds twice.
func (s *State) boundRate(k int, f *Frame, d *Around, origin float64) {
	p, m := f.Parent, math.Abs(f.Mult)
	v, ev := s.Speed[p], s.ErrV[p]
	w, a, wErr, aErr := m*d.Omega, m*d.Alpha, m*d.QDErr, m*d.QDDErr
	if w == 0 && a == 0 && wErr == 0 && aErr == 0 { // it does not move
		s.Rush[k], s.ErrRate[k] = s.Rush[p], s.ErrRate[p]
		return
	}
	rel := s.ErrR[k] + 64*u
	size := a + w*v.Ang // of (d²q/dt²) u + q' ang x u
	err := size*rel + aErr + wErr*v.Ang + w*ev.Ang
	rush, e := s.Rush[p], s.ErrRate[p]
	if f.Prismatic {
		rush.Lin = (rush.Lin + size) * inflate
		e.Lin += err + 4*u*rush.Lin
	} else {
		rush.Ang = (rush.Ang + size) * inflate
		rush.Lin = (rush.Lin + size*origin + w*v.Lin) * inflate
		e.Ang += err + 4*u*rush.Ang
		e.Lin += err*origin + size*s.ErrP[k] + w*v.Lin*rel + wErr*v.Lin + w*ev.Lin + 4*u*rush.Lin
	}
	s.Rush[k], s.ErrRate[k] = rush, e
}
