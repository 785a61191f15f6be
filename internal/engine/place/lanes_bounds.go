package place

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/internal/engine/lanes"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
)

// v is the largest relative error of a float32 operation.
const v = 0x1p-24

// laneErr bounds the errors of a frame's float32 pose on a piece: a point at p in the frame is
// placed with an error of at most pos + rot |p|. The frame's origin is within far of the root's.
// Own is the part of pos that is due to float32.
type laneErr struct{ rot, pos, own, far float64 }

// Per joint, in the Frobenius norm: a product of two rotations in float32 errs by 9v, that of the
// fixed one being rounded to float32 by 2v more; cosine and sine err by 5v each, 2v of it as angles of up to 4 are
// rounded, which makes 10v, and mix two columns, 5v. That is less than rotPerLane, and what is left of it covers that errors
// grow by factors of 1 + 4v.
//
// State.ErrR and State.ErrP count a joint's errors in float64 as State computes it. Here axes are turned
// to z, which composes twice more, and whole turns are subtracted from angles; twice as much covers both.
const rotPerLane = 40 * v

// farthestLane (m) keeps sums and products far from the largest float32.
const farthestLane = 1e9

// Bound starts a piece of a motion. It reports false where numbers are too large for float32.
//
// The origin of a frame errs by that of its parent, by the parent's turn along the way to it,
// and by 16v of the numbers that are multiplied and added, the rounding of the fixed way included;
// a slide of q adds the error of the axis along it.
func (l *Lanes) Bound() bool {
	l.ends, l.times = lanes.Joined, ofInterval
	if l.bounds == l.r.bounds && l.r.steady {
		return l.fits
	}
	l.bounds, l.fits, l.apart.of = l.r.bounds, false, nil
	st, t := l.r.State, l.r.M.Tree
	for k := 1; k < len(t.Frames); k++ {
		f, own := &t.Frames[k], &l.frames[k]
		e, up := &l.errs[k], &l.errs[f.Parent]
		rot := rotPerLane * own.depth
		e.own = up.own + (rot-rotPerLane)*own.length + 16*v*(st.Far[f.Parent]+own.length)
		if f.Prismatic {
			e.own += (rot + 32*v) * (math.Abs(f.Mult)*l.r.around[f.Dof].MaxAbs + math.Abs(f.Offset))
		}
		e.rot, e.pos, e.far = rot+2*st.ErrR[k], e.own+2*st.ErrP[k], st.Far[k]
		if !(e.far < farthestLane && e.pos < farthestLane) {
			return false
		}
	}
	l.takeReach()
	l.takeSlack()
	l.fits = true
	return true
}

// takeReach copies how far elements reach from the joints' axes. It is constant without prismatic
// joints.
func (l *Lanes) takeReach() {
	if l.reached && l.r.steady {
		return
	}
	l.reached = true
	for row, el := range l.moving {
		s := &l.shapes[row]
		copy(s.reach, l.r.elements[el].reach)
		for i, k := range l.mounts[el].chain {
			if l.r.M.Tree.Frames[k].Prismatic {
				s.reach[i] = 1
			}
			l.turning.reach[row/lanes.Times*len(l.factor)+int(k)-1][row%lanes.Times] = above32(s.reach[i])
		}
	}
}

// takeSlack bounds the errors of the elements' positions.
func (l *Lanes) takeSlack() {
	for row := range l.shapes {
		s := &l.shapes[row]
		s.slack = l.errs[l.boxes[row].Frame].slackAt(s.rho)
		l.fixed[row] = s.radius + s.slack
	}
}

// laneBend is a frame's part in the bend of paths on an interval: the joints before it turn by up
// to before, it itself by omega, and coefficient is what its reach is multiplied by in
// kin.State.Acceleration, from the root on.
type laneBend struct{ before, omega, coefficient float64 }

// Bend starts an interval of the piece, not shorter than 2^-20, and returns by how much the robot's points may
// depart from their chords in a step. Times are rounded by less than 1e-9 of a step: each by 2^-54 at most.
func (l *Lanes) Bend(lo, hi float64) (most float64) {
	l.width = (hi - lo) / lanes.Steps * (1 + 1e-9)
	for i := range l.Times {
		l.Times[i] = lo + (hi-lo)*float64(i)/lanes.Steps
	}
	l.Times[lanes.Steps] = hi
	r := l.r
	if r.rests {
		l.bow()
		return l.stay()
	}
	if whole := lo == 0 && hi == 1 && r.aroundPiece; !whole {
		r.aroundPiece = false
		c := lo + (hi-lo)/2
		for i := range r.curves {
			r.curves[i].SetAround(&r.around[i], c, lo, hi)
		}
	}
	return l.bend()
}

// bend is Bend for steps of the width that is set, and joints as around bounds them.
//
// The acceleration of kin.State.Acceleration is a sum over joints, of up to 2^8 numbers that are zero or more: in float32 it is low
// by less than 2^9 v. What is too small for a float32 is lost; slack is larger.
func (l *Lanes) bend() (most float64) {
	r := l.r
	l.apart.of = nil
	if moves := l.bow(); !moves {
		return l.stay()
	}
	l.still = false
	half := l.departs(1 + 0x1p-14)
	for k := 1; k < len(l.bends); k++ {
		f, b := &r.M.Tree.Frames[k], &l.bends[k]
		d, m, up := &r.around[f.Dof], math.Abs(f.Mult), &l.bends[f.Parent]
		w := m * d.Omega
		b.before, b.omega = up.before, w
		if !r.M.Tree.Frames[f.Parent].Prismatic {
			b.before += up.omega
		}
		b.coefficient = m*d.Alpha + 2*w*b.before
		if !f.Prismatic {
			b.coefficient += w * w
		}
		l.factor[k-1] = above32(b.coefficient * half)
	}
	lanes.Sums(l.turning.reach, l.factor, l.turning.bend)
	largest := uint32(0) // bits of numbers that are zero or more are ordered as these are, those of a NaN behind
	for i := range l.turning.bend {
		for _, x := range &l.turning.bend[i] {
			largest = max(largest, math.Float32bits(x))
		}
	}
	return float64(math.Float32frombits(largest))
}

// bendAt is by how much a point of the element of a row departs from its chord in a step, seen from the root.
func (l *Lanes) bendAt(row int) float64 {
	return float64(l.turning.bend[row/lanes.Times][row%lanes.Times])
}

// stay is bend where nothing moves.
func (l *Lanes) stay() float64 {
	l.apart.of = nil
	if !l.still {
		l.still = true
		clear(l.turning.bend)
	}
	return 0
}

// departs returns by how much a point may depart from its chord whose acceleration is at most accel.
func (l *Lanes) departs(accel float64) float64 {
	return accel * l.width * l.width / 8 * (1 + 1e-9)
}

// TurnFrom returns by how much (rad) an element turns at most in a step, seen from the body after the first joints of
// its chain.
func (l *Lanes) TurnFrom(element, from int) (angle float64) {
	if l.still {
		return 0
	}
	for _, k := range l.mounts[element].chain[from:] {
		if !l.r.M.Tree.Frames[k].Prismatic {
			angle += l.bends[k].omega
		}
	}
	return angle * l.width * (1 + 1e-9)
}

// BendFrom returns by how much a point of an element may depart from its chord in a step, seen from
// the body after the first joints of its chain.
//
// The acceleration is that of kin.State.Acceleration: there the joints before k count only from that body on,
// and the sum of those before it is taken off here. The difference loses at most a few roundings of
// what it is taken from.
func (l *Lanes) BendFrom(element, from int) float64 {
	chain := l.mounts[element].chain
	if l.still || len(chain) == from {
		return 0
	}
	s := l.shape(element)
	var accel, turn float64
	for i, k := range chain[from:] {
		b := &l.bends[k]
		accel += s.reach[from+i] * b.coefficient
		turn += s.reach[from+i] * b.omega
	}
	return l.departs(accel - 2*l.bends[chain[from]].before*turn + 1e-9*accel)
}

// pairBend is by how much the points of a pair depart from their chords in a step.
type pairBend struct {
	of   *model.Pair
	bend float64
}

// BendOfPair returns by how much a point of each of a pair's elements may depart from its chord in a step, both together,
// seen from the body where their chains part.
func (l *Lanes) BendOfPair(q *model.Pair) float64 {
	if l.apart.of != q {
		l.apart = pairBend{q, l.BendFrom(q.A, q.Parting) + l.BendFrom(q.B, q.Parting)}
	}
	return l.apart.bend
}
