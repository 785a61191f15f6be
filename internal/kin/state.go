package kin

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// State is the robot around one time c: poses and velocities at c, and what the
// joints do on the interval. It is the scratch of one goroutine, reused from
// call to call; nothing in it allocates after New.
//
// All vectors are in the root link's frame W.
type State struct {
	Tree *Tree

	PoseWF []geom.Pose // per frame, at c
	Twist  []Twist     // per frame, relative to the root, at c

	// Per joint (frame), the root's unused.
	AxisW   []geom.Vec // unit axis u_k at c
	OriginW []geom.Vec // a point of the axis o_k at c
	Delta   []float64
	Omega   []float64
	Alpha   []float64
	Chord   []float64

	// ErrR and ErrP bound the error of PoseWF: a point at p in frame f is placed
	// with an error of at most ErrP[f] + ErrR[f] |p|.
	ErrR, ErrP []float64
	// ErrV bounds the error of Twist: a point at distance d from W's origin gets a
	// velocity wrong by at most ErrV[f].Lin + ErrV[f].Ang d.
	ErrV []TwistErr
}

// Twist is the velocity field v(x) = Lin + Ang x x of a frame.
type Twist struct{ Lin, Ang geom.Vec }

// TwistErr bounds the error of a twist's parts.
type TwistErr struct{ Lin, Ang float64 }

// Sub returns the twist relative to one that moves with base.
func (t Twist) Sub(base Twist) Twist {
	return Twist{Lin: r3.Sub(t.Lin, base.Lin), Ang: r3.Sub(t.Ang, base.Ang)}
}

// At returns the velocity of the point x of W that moves along.
func (t Twist) At(x geom.Vec) geom.Vec { return r3.Add(t.Lin, r3.Cross(t.Ang, x)) }

// NewState returns scratch for the tree.
func NewState(t *Tree) *State {
	n := len(t.Frames)
	f := make([]float64, 6*n)
	s := &State{
		Tree: t, PoseWF: make([]geom.Pose, n), Twist: make([]Twist, n),
		AxisW: make([]geom.Vec, n), OriginW: make([]geom.Vec, n),
		Delta: f[:n], Omega: f[n : 2*n], Alpha: f[2*n : 3*n], Chord: f[3*n : 4*n],
		ErrR: f[4*n : 5*n], ErrP: f[5*n:], ErrV: make([]TwistErr, n),
	}
	s.PoseWF[0] = geom.IdentityPose()
	return s
}

// Set places the robot: dofs says what each variable of the tree does on the
// interval.
func (s *State) Set(dofs []Around) {
	for k := 1; k < len(s.Tree.Frames); k++ {
		f := &s.Tree.Frames[k]
		s.move(k, f, &dofs[f.Dof])
	}
}

// move places frame k, whose parent is placed.
func (s *State) move(k int, f *Frame, d *Around) {
	p := f.Parent
	m := math.Abs(f.Mult)
	q, qd := f.Mult*d.Q+f.Offset, f.Mult*d.QD
	s.Delta[k], s.Omega[k], s.Alpha[k] = m*d.Delta, m*d.Omega, m*d.Alpha
	qErr := anglePerValue * (m*d.MaxAbs + math.Abs(f.Offset))

	base := s.PoseWF[p].Mul(f.PosePF)
	axis := base.R.Apply(f.Axis)
	s.AxisW[k], s.OriginW[k] = axis, base.P
	s.ErrR[k] = s.ErrR[p] + rotPerJoint + f.fixErr.rot
	s.ErrP[k] = s.ErrP[p] + s.ErrR[p]*geom.Norm(f.PosePF.P) + posPerJoint*(geom.Norm(base.P)+geom.Norm(f.PosePF.P)) + f.fixErr.pos
	if f.Prismatic {
		s.Chord[k] = s.Delta[k]
		base.P = r3.Add(base.P, r3.Scale(q, axis))
		s.ErrP[k] += qErr + (s.ErrR[k]+posPerJoint)*math.Abs(q)
		s.Twist[k] = Twist{Lin: r3.Add(s.Twist[p].Lin, r3.Scale(qd, axis)), Ang: s.Twist[p].Ang}
	} else {
		s.Chord[k] = chord(s.Delta[k])
		base.R = base.R.Mul(geom.AxisAngle(f.Axis, q))
		s.ErrR[k] += qErr
		w := r3.Scale(qd, axis)
		s.Twist[k] = Twist{Lin: r3.Add(s.Twist[p].Lin, r3.Cross(base.P, w)), Ang: r3.Add(s.Twist[p].Ang, w)}
	}
	s.PoseWF[k] = base
	s.ErrV[k] = s.twistErr(k, p, f.Prismatic, m*d.QDErr)
}

// twistErr bounds the error of Twist[k], where the joint's own rate errs by
// rateErr. Its part w = q' u errs further by its axis (ErrR) and 4 roundings, and
// the lever o x w by the origin (ErrP) and 8 roundings, for which 64u stand; the
// rate's error is an absolute one, as |q'| may be all but zero on the interval
// where the curve's control points are not. Adding to the parent's rounds once
// more.
func (s *State) twistErr(k, p int, prismatic bool, rateErr float64) TwistErr {
	w, e := s.Omega[k], s.ErrV[p]
	own := w*(s.ErrR[k]+64*u) + rateErr
	if prismatic {
		e.Lin += own + 2*u*geom.Norm(s.Twist[k].Lin)
		return e
	}
	e.Ang += own + 2*u*geom.Norm(s.Twist[k].Ang)
	e.Lin += own*geom.Norm(s.OriginW[k]) + w*s.ErrP[k] + 2*u*geom.Norm(s.Twist[k].Lin)
	return e
}

// Reach writes into r, for each joint of the chain of frame f (root first), a
// distance from the joint's axis that no point of a ball of the given centre
// (in frame f) and radius exceeds in any configuration whose prismatic
// variables stay within +-limit[k]: the constant of SSL04 section IV-C. It
// holds only for motions within those limits.
func (t *Tree) Reach(f int, center geom.Vec, radius float64, limit func(k int) float64, r []float64) {
	chain := t.chain[f]
	d := geom.Norm(center) + radius
	for i := len(chain) - 1; i >= 0; i-- {
		k := &t.Frames[chain[i]]
		// A frame's origin lies on its own axis, so d, the distance to that
		// origin, bounds the distance to the axis; turning keeps it.
		r[i] = d * inflate
		if k.Prismatic {
			d += limit(int(chain[i]))
		}
		d += geom.Norm(k.PosePF.P)
	}
}
