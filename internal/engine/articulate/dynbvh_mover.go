package articulate

// Interval matrices of the arbitrary in-between motion: RKLM04, sections 3.3 and 4.1.
//
// The orientation of a link in its parent is cos(q) A + sin(q) B + C and its position
// c + q s (equations 2 to 4); the matrices of the chain are multiplied (equation 6), all
// of it in intervals over the time interval.
//
// Departures, each to admit more motions or to be sound:
//   - q is a polynomial of degree up to five on each piece of the motion, not omega t: its
//     range over the interval takes the place of omega times the interval. Mimic,
//     prismatic and continuous joints and a root link that moves are joints like others.
//   - The numbers a robot is loaded from, axes and angles, are rounded: each joint's matrix is
//     widened by what kin.Tree.Joint says that makes.
//   - Two links of one robot are compared in the frame of the link where their chains
//     part (PoseBF): what moves both of them alike is not in the intervals then.
//   - Matrices are kept per interval for every frame that was asked about, as the
//     simultaneous solver of section 5.2.2 wants it; so is their derivative.

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/numeric/interval"
)

// Mover bounds where the frames of a robot are while a piece of its motion runs, and how
// fast they move. Times are the piece's own parameter, from 0 to 1, and rates are per
// that. It is the scratch of one goroutine.
type Mover struct {
	tree   *kin.Tree
	joints []jointMotion // per frame; of frame 0 unused
	curves []curve       // per variable
	maxAbs []float64     // per variable: bounds its |position| on the piece
	course *kin.Course
	piece  int
	root   kin.Root
	spans  spanCache
	// instants are spans of one time each, which would else push intervals out.
	instants spanCache
}

// jointMotion is one joint on the current piece: its matrix is cos(q) A + sin(q) B + C
// for a revolute one, and its frame's place is P, to which a prismatic one adds q S.
type jointMotion struct {
	a, b, c    interval.Mat
	p, s       interval.Vec
	errR, errP float64
	errV       float64 // of the joint's rate
	mult       float64
	offset     float64
	still      bool // it does not move on the piece
	made       bool // its matrices are worked out
}

// NewMover returns a mover for the tree; Load tells it a motion.
func NewMover(tree *kin.Tree) *Mover {
	return &Mover{
		tree: tree, joints: make([]jointMotion, len(tree.Frames)), curves: make([]curve, len(tree.Dofs)), maxAbs: make([]float64, len(tree.Dofs)),
		spans: newSpanCache(len(tree.Frames)), instants: newSpanCache(len(tree.Frames)),
	}
}

// Load makes a piece of a motion the one that the mover bounds. What it returned before
// no longer holds.
func (m *Mover) Load(course *kin.Course, piece int) {
	m.course, m.piece, m.root = course, piece, course.Root(piece)
	m.spans.clear()
	m.instants.clear()
	var buf [kin.MaxDegree + 1]float64
	for d := range m.curves {
		ctrl := course.AppendCtrl(buf[:0], d, piece)
		most, err := course.CtrlErr(d, piece)
		m.curves[d].set(ctrl, err)
		for _, x := range ctrl {
			most = max(most, math.Abs(x))
		}
		m.maxAbs[d] = most
	}
	for k := 1; k < len(m.joints); k++ {
		m.loadJoint(k, m.maxAbs)
	}
}

// loadJoint makes what of a joint depends on the piece: how far it may be off, and, for
// those that move a root link, its place.
func (m *Mover) loadJoint(k int, maxAbs []float64) {
	f, j := &m.tree.Frames[k], &m.joints[k]
	most := (math.Abs(f.Mult)*maxAbs[f.Dof] + math.Abs(f.Offset)) * (1 + 8*u)
	pose, axis, errR, errP := m.tree.Joint(k, &m.root, most)
	// A rate is up to five times the difference of two control points, which are rounded.
	j.errR, j.errP, j.errV = errR, errP, 32*u*most
	j.still = f.Mult == 0 || m.curves[f.Dof].still()
	if m.tree.OfRoot(k) || !j.made {
		j.place(f, pose, axis)
	}
}

// place works out the joint's matrices (equation 4). With R in front of them, of the
// rotation about the axis itself C = u u^T, A = 1 - C and B = u*.
func (j *jointMotion) place(f *kin.Frame, pose geom.Pose, axis geom.Vec) {
	j.made = true
	j.mult, j.offset = f.Mult, f.Offset
	j.p = interval.OfVec(pose.P).Grow(noZero)
	r, ax := interval.OfRot(pose.R), interval.OfVec(axis)
	if f.Prismatic {
		j.c, j.s = grown(r), r.Apply(ax).Grow(noZero)
		return
	}
	zero := interval.I{}
	c := interval.Mat{ax.Scale(ax.X), ax.Scale(ax.Y), ax.Scale(ax.Z)}
	a := c.Scale(interval.Point(-1))
	one := interval.OfRot(geom.Identity())
	a = a.Add(&one)
	b := interval.Mat{
		{X: zero, Y: ax.Z.Neg(), Z: ax.Y},
		{X: ax.Z, Y: zero, Z: ax.X.Neg()},
		{X: ax.Y.Neg(), Y: ax.X, Z: zero},
	}
	j.a, j.b, j.c = grown(r.Mul(&a)), grown(r.Mul(&b)), grown(r.Mul(&c))
}

// noZero is far below what rounding makes of any length, but large enough that no product
// of a few such numbers is next to zero, where processors are slow.
const noZero = 0x1p-90

func grown(m interval.Mat) interval.Mat {
	for i := range m {
		m[i] = m[i].Grow(noZero)
	}
	return m
}

// position bounds the derivative of the given order of the joint that moves frame k.
func (m *Mover) position(k, order int, lo, hi float64) interval.I {
	j, f := &m.joints[k], &m.tree.Frames[k]
	q := m.curves[f.Dof].on(order, lo, hi)
	if j.mult != 1 {
		q = q.Scale(j.mult)
	}
	if order == 0 && j.offset != 0 {
		q = q.Add(interval.Point(j.offset))
	}
	return q
}

// local bounds the pose of frame k in its parent's (equations 2 and 3). Rounding of what
// was loaded is in errR and errP.
func (m *Mover) local(k int, lo, hi float64) interval.Pose {
	j := &m.joints[k]
	q := m.position(k, 0, lo, hi)
	p := interval.Pose{R: j.c, P: j.p}
	if m.tree.Frames[k].Prismatic {
		p.P = p.P.Add(j.s.Scale(q))
	} else {
		sin, cos := interval.SinCos(q)
		a, b := j.a.Scale(cos), j.b.Scale(sin)
		p.R = p.R.Add(&a)
		p.R = p.R.Add(&b)
	}
	for i := range p.R {
		p.R[i] = p.R[i].Grow(j.errR)
	}
	p.R, p.P = p.R.Rotation(), p.P.Grow(j.errP)
	return p
}

// localRate bounds the derivative of local. The true joint turns as fast, about an axis
// and from an orientation that are errR off together at most, so that its derivative,
// q' times a rotation about the axis times the axis' cross product, is off by q' times as
// much and the few roundings of the axis.
func (m *Mover) localRate(k int, lo, hi float64) interval.Pose {
	j := &m.joints[k]
	q, qd := m.position(k, 0, lo, hi), m.position(k, 1, lo, hi)
	slack := (qd.Mag()*(j.errR+16*u) + j.errV) * (1 + 4*u)
	var p interval.Pose
	if m.tree.Frames[k].Prismatic {
		p.P = j.s.Scale(qd).Grow(slack)
		return p
	}
	sin, cos := interval.SinCos(q)
	a, b := j.a.Scale(sin.Neg().Mul(qd)), j.b.Scale(cos.Mul(qd))
	p.R = a.Add(&b)
	for i := range p.R {
		p.R[i] = p.R[i].Grow(slack)
	}
	return p
}

// PoseWF bounds the pose of a frame in the world while s0 <= s <= s1. A result holds
// until keepSpans other intervals have been asked about, or Load.
func (m *Mover) PoseWF(frame int, s0, s1 float64) *interval.Pose { return m.PoseBF(0, frame, s0, s1) }

// RateWF bounds the derivative by s of a frame's pose in the world: R of its matrix, P of
// its place. A point fixed at x in the frame moves at R x + P.
func (m *Mover) RateWF(frame int, s0, s1 float64) *interval.Pose { return m.RateBF(0, frame, s0, s1) }

// PoseBF is PoseWF in the frame base, which is 0 or on the frame's chain.
func (m *Mover) PoseBF(base, frame int, s0, s1 float64) *interval.Pose {
	return m.pose(m.spans.at(s0, s1), base, frame)
}

// RateBF is RateWF in the frame base, which is 0 or on the frame's chain.
func (m *Mover) RateBF(base, frame int, s0, s1 float64) *interval.Pose {
	return m.rate(m.spans.at(s0, s1), base, frame)
}

// instant is PoseBF at one time.
func (m *Mover) instant(base, frame int, s float64) *interval.Pose {
	return m.pose(m.instants.at(s, s), base, frame)
}

// pose composes the chain from base to frame (equation 6).
func (m *Mover) pose(s *span, base, frame int) *interval.Pose {
	seen := s.from(base)
	p := &seen.pose[frame]
	if seen.hasPose[frame] {
		return p
	}
	seen.hasPose[frame] = true
	if frame == base {
		*p = interval.OfPose(geom.IdentityPose())
		return p
	}
	parent := m.tree.Frames[frame].Parent
	if parent == base {
		*p = *m.localOf(s, frame)
		return p
	}
	*p = m.pose(s, base, parent).Mul(m.localOf(s, frame))
	p.R = p.R.Rotation()
	return p
}

func (m *Mover) localOf(s *span, k int) *interval.Pose {
	if !s.hasLocal[k] {
		s.hasLocal[k], s.local[k] = true, m.local(k, s.lo, s.hi)
	}
	return &s.local[k]
}

// rate is the product rule on what pose composes.
func (m *Mover) rate(s *span, base, frame int) *interval.Pose {
	seen := s.from(base)
	d := &seen.rate[frame]
	if seen.hasRate[frame] {
		return d
	}
	seen.hasRate[frame] = true
	*d = interval.Pose{}
	if frame == base {
		return d
	}
	parent := m.tree.Frames[frame].Parent
	before, local := m.pose(s, base, parent), m.localOf(s, frame)
	dBefore := m.rate(s, base, parent)
	if parent != base {
		d.R, d.P = dBefore.R.Mul(&local.R), dBefore.Apply(local.P)
	}
	if !m.joints[frame].still {
		own := m.localRate(frame, s.lo, s.hi)
		turned := before.R.Mul(&own.R)
		d.R, d.P = d.R.Add(&turned), d.P.Add(before.R.Apply(own.P))
	}
	return d
}
