package catch

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/numeric/interval"
	"github.com/firstcontact-ros/firstcontact/internal/numeric/taylor"
)

// ZRLK07, section 5.2: the matrices of the joints as Taylor models of third order,
// multiplied along the chain (Equations 1 and 2), and boxes around links by them.
//
// Departures, to admit more motions or to be sound:
//   - A joint moves by a polynomial of degree up to five, as a mimic joint by that of
//     another, or as one of those that a moving root link hangs on. What is above the
//     third order is in the remainder of its angle; the paper's joints have constant
//     velocities.
//   - All rounding is in the remainders, and so is what the robot's own numbers, its
//     axes and its angles may be off (kin.Tree.Joint).
//   - A joint that goes most of the way round has remainders that are of no use: from
//     there on intervals stand in (taylor.SinCos).
//   - The time interval may be any part of a piece: the models' order pays the more the
//     shorter it is.

// TaylorBVH bounds where the frames and the links of a robot are while a piece of its
// motion runs. Times are the piece's own parameter, from 0 to 1. It is the scratch of
// one goroutine.
//
// A pose that it returns stands for the true one at every time of an interval [s0, s1]:
// for every x in [-1, 1] the model at x holds the pose at the middle of the interval plus
// x times half its length. It stays as it is until keepIntervals other intervals were
// asked about, or Load.
type TaylorBVH struct {
	// Intervals makes AABB use interval arithmetic, as RKLM04 does: what the boxes of
	// Figure 5 are compared with.
	Intervals bool

	tree      *kin.Tree
	boxes     LinkBoxes
	joints    []jointPath // per frame; of frame 0 unused
	turns     []plainJoint
	ctrl      [][]float64 // per variable
	ctrlErr   []blur      // per variable
	intervals intervalCache
}

// blur is how far control points are off, and how large the numbers are that they
// were made of (kin.Course.CtrlErr).
type blur struct{ maxAbs, err float64 }

// jointPath is what a joint does on a piece.
type jointPath struct {
	at         geom.Pose // of the frame in its parent's where the joint is at 0, or, if it stands still, where it is
	axis       geom.Vec
	errR, errP float64
	still      bool
}

// NewTaylorBVH returns scratch for the model's robot. boxes may be shared.
func NewTaylorBVH(m *model.Model, boxes LinkBoxes) *TaylorBVH {
	b := &TaylorBVH{
		tree: m.Tree, boxes: boxes,
		joints: make([]jointPath, len(m.Tree.Frames)), turns: make([]plainJoint, len(m.Tree.Frames)),
		ctrl: make([][]float64, len(m.Tree.Dofs)), ctrlErr: make([]blur, len(m.Tree.Dofs)),
	}
	for d := range b.ctrl {
		b.ctrl[d] = make([]float64, 0, kin.MaxDegree+1)
	}
	return b
}

// Load makes a piece of a motion the one that is bounded. What was returned before no
// longer holds.
func (b *TaylorBVH) Load(course *kin.Course, piece int) {
	b.intervals.clear()
	for k := range b.turns {
		b.turns[k].known = false
	}
	for d := range b.ctrl {
		b.ctrl[d] = course.AppendCtrl(b.ctrl[d][:0], d, piece)
		b.ctrlErr[d].maxAbs, b.ctrlErr[d].err = course.CtrlErr(d, piece)
	}
	root := course.Root(piece)
	for k := 1; k < len(b.joints); k++ {
		b.loadJoint(k, &root)
	}
}

func (b *TaylorBVH) loadJoint(k int, root *kin.Root) {
	f, j := &b.tree.Frames[k], &b.joints[k]
	most := math.Abs(f.Offset)
	j.still = true
	if f.Dof >= 0 && f.Mult != 0 {
		ctrl := b.ctrl[f.Dof]
		top := b.ctrlErr[f.Dof].maxAbs
		j.still = b.ctrlErr[f.Dof].err == 0
		for _, x := range ctrl {
			top = max(top, math.Abs(x))
			j.still = j.still && x == ctrl[0]
		}
		most = (most + math.Abs(f.Mult)*top) * (1 + 8*roundoff)
	}
	j.at, j.axis, j.errR, j.errP = b.tree.Joint(k, root, most)
	if !j.still {
		return
	}
	q := f.Offset
	if f.Dof >= 0 && f.Mult != 0 {
		q += f.Mult * b.ctrl[f.Dof][0]
	}
	// errR and errP are of a joint at any position, computed like this.
	switch {
	case q == 0:
	case f.Prismatic:
		j.at = j.at.Mul(geom.Translation(geom.Vec{X: q * j.axis.X, Y: q * j.axis.Y, Z: q * j.axis.Z}))
	default:
		j.at = j.at.Mul(geom.Pose{R: geom.AxisAngle(j.axis, q)})
	}
}

// roundoff is the largest relative error of one float64 operation.
const roundoff = 0x1p-53

// PoseWF returns the Taylor matrix of a frame in the world on [s0, s1].
func (b *TaylorBVH) PoseWF(frame int, s0, s1 float64) *taylor.Pose { return b.PoseBF(0, frame, s0, s1) }

// PoseBF is PoseWF in the frame base, which is 0 or on the frame's chain.
func (b *TaylorBVH) PoseBF(base, frame int, s0, s1 float64) *taylor.Pose {
	return b.pose(b.during(s0, s1), base, frame)
}

func (b *TaylorBVH) during(s0, s1 float64) *timeInterval {
	return b.intervals.at(s0, s1, len(b.joints))
}

// pose multiplies the matrices of the chain from base to frame (Equation 1).
func (b *TaylorBVH) pose(s *timeInterval, base, frame int) *taylor.Pose {
	seen := s.from(base)
	p := &seen.pose[frame]
	if seen.hasPose[frame] {
		return p
	}
	seen.hasPose[frame] = true
	if frame == base {
		*p = taylor.Identity()
		return p
	}
	j := &b.joints[frame]
	*p = b.pose(s, base, b.tree.Frames[frame].Parent).Then(j.at, j.errR, j.errP)
	if j.still {
		return p
	}
	q := b.position(s, frame)
	if b.tree.Frames[frame].Prismatic {
		p.Slide(j.axis, &q)
	} else {
		p.Turn(j.axis, &q)
	}
	return p
}

// position is the model of a joint's position. That of its variable may err as package
// taylor expects; the multiplier and the offset are numbers.
func (b *TaylorBVH) position(s *timeInterval, frame int) taylor.Model {
	f := &b.tree.Frames[frame]
	q := taylor.Polynomial(b.ctrl[f.Dof], s.lo, s.hi)
	if e := b.ctrlErr[f.Dof].err; e != 0 {
		q = q.Grow(e)
	}
	if f.Mult != 1 {
		q = q.Scale(f.Mult)
	}
	if f.Offset != 0 {
		q = q.AddConst(f.Offset)
	}
	return q
}

// AABB returns a box in the world around an element all along [s0, s1], padding
// included.
func (b *TaylorBVH) AABB(element int, s0, s1 float64) geom.Box {
	return b.AABBIn(0, element, s0, s1)
}

// AABBIn is AABB in the frame base, which is 0 or on the chain of the element's frame:
// of two links of one robot only what moves them relative to each other is in boxes in
// the frame where their chains part.
func (b *TaylorBVH) AABBIn(base, element int, s0, s1 float64) geom.Box {
	o, s := &b.boxes[element], b.during(s0, s1)
	var v interval.Vec
	if b.Intervals {
		v = o.boundPlain(b.plain(s, base, o.Frame))
	} else {
		v = o.bound(b.pose(s, base, o.Frame))
	}
	return v.Grow(o.Radius).Box()
}
