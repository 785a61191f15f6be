package kin

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// State is the robot around one time c: poses and velocities at c, and the joints' motion on
// the interval. It is the scratch memory of one goroutine, reused from call to call; nothing
// in it allocates after New.
//
// Bound starts a piece of the motion, Place an interval on it; a frame is computed when Ensure
// first requests it. All vectors are in the root link's frame W.
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
	Beta    []float64
	Chord   []float64

	// ErrR and ErrP bound the error of PoseWF on the whole piece: a point at p in frame f is
	// placed with an error of at most ErrP[f] + ErrR[f] |p|. ErrP is infinite if numbers are
	// too large to compute with (farthest).
	ErrR, ErrP []float64
	// ErrV bounds the error of Twist on the whole piece: a point at distance d from
	// W's origin gets a velocity wrong by at most ErrV[f].Lin + ErrV[f].Ang d.
	ErrV []TwistErr
	// Stray is how far each joint may deviate from its variable's motion at any time;
	// StrayChord is the resulting deviation of a point at distance 1 from its axis. The local
	// radii include it (engine: tube). Both are zero unless SetStray was called.
	Stray, StrayChord []float64
	// Root is the motion of a moving root on the piece; set before Bound.
	Root Root

	// Rate is the rate of change of Twist at c, of the frames that EnsureRate has computed;
	// ErrRate bounds its error on the whole piece, as ErrV does that of Twist.
	Rate    []Twist
	ErrRate []TwistErr

	// Far bounds |PoseWF.P|, Speed the size of Twist and Rush that of Rate, on the whole
	// piece.
	Far         []float64
	Speed, Rush []TwistErr

	dofs  []Around
	stamp uint64
	fresh []uint64 // per frame: the stamp it was worked out for
	rated []uint64 // likewise, Rate
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

// Root is how a root link moves on a piece: about the unit axis, through the point that the
// first three root variables give; Pose is that of the link at angle zero, with its position
// relative to that point. Jump is how far the link jumps at a seam of its motion: it counts as
// an error of its pose.
type Root struct {
	Axis geom.Vec
	Pose geom.Pose
	Jump Jump
}

// SetStray sets how far joint k may deviate from its motion (rad or m).
func (s *State) SetStray(k int, by float64) {
	s.Stray[k], s.StrayChord[k] = by, by
	if !s.Tree.Frames[k].Prismatic {
		s.StrayChord[k] = chord(by)
	}
}

// NewState returns scratch for the tree.
func NewState(t *Tree) *State {
	n := len(t.Frames)
	f := make([]float64, 10*n)
	s := &State{
		Tree: t, PoseWF: make([]geom.Pose, n), Twist: make([]Twist, n),
		AxisW: make([]geom.Vec, n), OriginW: make([]geom.Vec, n),
		Delta: f[:n], Omega: f[n : 2*n], Alpha: f[2*n : 3*n], Chord: f[3*n : 4*n],
		ErrR: f[4*n : 5*n], ErrP: f[5*n : 6*n], ErrV: make([]TwistErr, n),
		Far: f[6*n : 7*n], Stray: f[7*n : 8*n], StrayChord: f[8*n : 9*n], Beta: f[9*n:],
		Speed: make([]TwistErr, n), fresh: make([]uint64, n),
		Rate: make([]Twist, n), ErrRate: make([]TwistErr, n), Rush: make([]TwistErr, n), rated: make([]uint64, n),
	}
	s.PoseWF[0] = geom.IdentityPose()
	s.Root = StillRoot()
	return s
}

// Set places every frame for an interval that is a whole piece: dofs describes each variable
// of the tree on it.
func (s *State) Set(dofs []Around) {
	s.Bound(dofs)
	s.Place(dofs)
	for k := range s.Tree.Frames {
		s.Ensure(k)
	}
}

// Bound starts a piece: dofs describes each variable on the whole of it.
func (s *State) Bound(dofs []Around) {
	for k := 1; k < len(s.Tree.Frames); k++ {
		s.bound(k, &s.Tree.Frames[k], &dofs[s.Tree.Frames[k].Dof])
	}
}

// Place starts an interval of the piece: dofs describes each variable on it and must not
// change until the next call.
func (s *State) Place(dofs []Around) {
	s.dofs = dofs
	s.stamp++
	s.fresh[0], s.rated[0] = s.stamp, s.stamp
}

// PlaceFrom is Place with frame f at the identity and at rest, whatever dofs say: frames beyond it are placed
// as seen from it. No others may be asked for until the next call.
func (s *State) PlaceFrom(f int, dofs []Around) {
	s.Place(dofs)
	for _, k := range s.Tree.chain[f] {
		s.fresh[k] = s.stamp
	}
	s.PoseWF[f], s.Twist[f] = geom.IdentityPose(), Twist{}
}

// Ensure computes frame f and its ancestors, unless that was done.
func (s *State) Ensure(f int) {
	if s.fresh[f] == s.stamp {
		return
	}
	for _, k := range s.Tree.chain[f] {
		if s.fresh[k] != s.stamp {
			s.fresh[k] = s.stamp
			t := &s.Tree.Frames[k]
			s.move(int(k), t, &s.dofs[t.Dof])
		}
	}
}

// bound computes the constants of frame k on a piece: its range, its speed, and the errors of
// its pose and twist. They grow along the chain.
//
// Far is a sum of at most 3 maxChain lengths that err by 3u each, Speed of
// products of those: scaling by inflate covers it.
func (s *State) bound(k int, f *Frame, d *Around) {
	p := f.Parent
	m := math.Abs(f.Mult)
	q, w := m*d.MaxAbs+math.Abs(f.Offset), m*d.Omega
	qErr := anglePerValue * q
	length := geom.Norm(s.pose(f).P)
	origin := (s.Far[p] + length) * inflate
	s.ErrR[k] = s.ErrR[p] + rotPerJoint + f.fixErr.rot
	s.ErrP[k] = s.ErrP[p] + s.ErrR[p]*length + posPerJoint*(origin+length) + f.fixErr.pos
	if f.root == rootPose {
		s.ErrR[k] += s.Root.Jump.Rot
		s.ErrP[k] += s.Root.Jump.Pos
	}
	s.Far[k], s.Speed[k] = origin, s.Speed[p]
	if f.Prismatic {
		s.ErrP[k] += qErr + (s.ErrR[k]+posPerJoint)*(q+s.Stray[k])
		s.Far[k] = (origin + q) * inflate
		s.Speed[k].Lin += w * inflate
	} else {
		s.ErrR[k] += qErr
		s.Speed[k].Lin += w * origin * inflate
		s.Speed[k].Ang += w * inflate
	}
	s.ErrV[k] = s.twistErr(k, p, f.Prismatic, w, origin, m*d.QDErr)
	s.boundRate(k, f, d, origin)
	if v, a := s.Speed[k], s.Rush[k]; !(s.Far[k]+v.Lin+v.Ang+a.Lin+a.Ang <= farthest) {
		s.ErrP[k] = math.Inf(1)
	}
}

// twistErr bounds the error of Twist[k], where the joint's own rate is at most w
// and errs by rateErr. Its part q' u errs further by its axis (ErrR) and 4
// roundings, and the lever o x w by the origin (ErrP) and 8 roundings, for which
// 64u stand; the rate's error is an absolute one, as |q'| may be all but zero on
// the interval where the curve's control points are not. Adding to the parent's
// rounds once more.
func (s *State) twistErr(k, p int, prismatic bool, w, origin, rateErr float64) TwistErr {
	e := s.ErrV[p]
	own := w*(s.ErrR[k]+64*u) + rateErr
	if prismatic {
		e.Lin += own + 2*u*s.Speed[k].Lin
		return e
	}
	e.Ang += own + 2*u*s.Speed[k].Ang
	e.Lin += own*origin + w*s.ErrP[k] + 2*u*s.Speed[k].Lin
	return e
}

// move places frame k, whose parent is placed.
func (s *State) move(k int, f *Frame, d *Around) {
	p, at := f.Parent, &s.PoseWF[k]
	m := math.Abs(f.Mult)
	q, qd := f.Mult*d.Q+f.Offset, f.Mult*d.QD
	s.Delta[k], s.Omega[k], s.Alpha[k], s.Beta[k] = m*d.Delta, m*d.Omega, m*d.Alpha, m*d.Beta

	at.Compose(&s.PoseWF[p], s.pose(f))
	local := f.Axis
	if f.root == rootAxis {
		local = s.Root.Axis
	}
	axis := at.R.Turn(local)
	s.AxisW[k], s.OriginW[k] = axis, at.P
	t, base := &s.Twist[k], &s.Twist[p]
	if f.Prismatic {
		s.Chord[k] = s.Delta[k]
		at.P = r3.Add(at.P, r3.Scale(q, axis))
		t.Lin, t.Ang = r3.Add(base.Lin, r3.Scale(qd, axis)), base.Ang
		return
	}
	s.Chord[k] = chord(s.Delta[k])
	turn(&at.R, local, q)
	w := r3.Scale(qd, axis)
	t.Lin, t.Ang = r3.Add(base.Lin, r3.Cross(at.P, w)), r3.Add(base.Ang, w)
}

// pose returns the pose in the parent's frame of the joint that moves f.
func (s *State) pose(f *Frame) *geom.Pose {
	if f.root == rootPose {
		return &s.Root.Pose
	}
	return &f.PosePF
}

// turn appends to r the rotation by q about an axis. About an axis of coordinates
// two columns are mixed, with fewer roundings than the general product has.
func turn(r *geom.Rot, axis geom.Vec, q float64) {
	switch {
	case axis.X == 0 && axis.Y == 0:
		turnZ(r, math.Copysign(q, q*axis.Z))
	case axis.X == 0 && axis.Z == 0:
		turnY(r, math.Copysign(q, q*axis.Y))
	case axis.Y == 0 && axis.Z == 0:
		turnX(r, math.Copysign(q, q*axis.X))
	default:
		before := *r
		*r = before.Mul(geom.AxisAngle(axis, q))
	}
}

func turnX(r *geom.Rot, q float64) {
	s, c := math.Sincos(q)
	r.XY, r.XZ = c*r.XY+s*r.XZ, c*r.XZ-s*r.XY
	r.YY, r.YZ = c*r.YY+s*r.YZ, c*r.YZ-s*r.YY
	r.ZY, r.ZZ = c*r.ZY+s*r.ZZ, c*r.ZZ-s*r.ZY
}

func turnY(r *geom.Rot, q float64) {
	s, c := math.Sincos(q)
	r.XX, r.XZ = c*r.XX-s*r.XZ, c*r.XZ+s*r.XX
	r.YX, r.YZ = c*r.YX-s*r.YZ, c*r.YZ+s*r.YX
	r.ZX, r.ZZ = c*r.ZX-s*r.ZZ, c*r.ZZ+s*r.ZX
}

func turnZ(r *geom.Rot, q float64) {
	s, c := math.Sincos(q)
	r.XX, r.XY = c*r.XX+s*r.XY, c*r.XY-s*r.XX
	r.YX, r.YY = c*r.YX+s*r.YY, c*r.YY-s*r.YX
	r.ZX, r.ZY = c*r.ZX+s*r.ZY, c*r.ZY-s*r.ZX
}

// Reach writes into r, for each joint of the chain of frame f (root first), a distance from
// the joint's axis that no point of a ball of the given centre (in frame f) and radius exceeds
// in any configuration whose prismatic variables stay within +-limit[k]: the constant of SSL04
// section IV-C. It holds only for motions within those limits, deviations included. For the
// last root frame limit gives how far State.Root's pose may be from the point.
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
		if k.root == rootPose {
			d += limit(int(chain[i])) // how far the link's origin is from the point
		}
		d += geom.Norm(k.PosePF.P)
	}
}
