package place

import (
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/lanes"
)

// Several motions in the lanes at once: robots at rest, one in each step, or two motions of one
// piece, of which each has half of the lanes and a step of no meaning lies between them; or pieces of one motion, of which each is
// a step. What a piece's bounds are for one motion is here the largest of those for all, so that it holds for each.

// MostAtRest is how many robots at rest share the lanes.
const MostAtRest = lanes.Steps

// half is how many lanes each of two motions has.
const half = lanes.Times / 2

// shared is what motions that share the lanes need.
type shared struct {
	starts [lanes.Times][]float64 // of each robot at rest or piece, by variable
	count  int                    // of starts
	moving [2]curves
}

// thirds are the times of each of two motions.
var thirds = [half]float64{0, 1. / 3, 2. / 3, 1}

// curves has a curve for each variable of a motion.
type curves struct {
	of  []kin.Curve
	buf []float64
}

// StepsOf returns the steps of one of the robots at rest, or of one of two motions.
func StepsOf(i int, rest bool) uint8 {
	if rest {
		return 1 << i
	}
	return (1<<(half-1) - 1) << (i * half)
}

// PlaceAtRest places up to MostAtRest robots that rest (Course.Rests) where their motions are, one in each
// step. It fails where numbers are too large for float32. The root link stands still, ReachFor has been called
// for the courses, and joints do not deviate (Stray).
func (l *Lanes) PlaceAtRest(courses []*kin.Course, clearance float64) (ok bool) {
	for d := range l.r.around {
		l.r.around[d] = kin.Around{}
	}
	for i, b := range courses {
		s := l.shared.starts[i][:0]
		for d := range l.r.around {
			l.r.around[d].MaxAbs = max(l.r.around[d].MaxAbs, b.MaxAbs(d))
			s = append(s, b.StartOf(d))
		}
		l.shared.starts[i] = s
	}
	if !l.boundShared() {
		return false
	}
	l.bend()
	l.ends, l.times, l.shared.count = lanes.Separate, ofMany, len(courses)
	l.stand(len(courses))
	l.place(clearance)
	return true
}

// stand sets where the joints are in the first n of the lanes, at rest in each; the others repeat the last of these.
func (l *Lanes) stand(n int) {
	var q [lanes.Times]float64
	for k := range l.turns {
		f := &l.r.M.Tree.Frames[k+1]
		for i := range q {
			q[i] = l.shared.starts[min(i, n-1)][f.Dof]
		}
		setJoint(f, &q, &l.turns[k])
	}
}

// PlaceTwo places two motions of one piece at the ends and thirds of each. It fails as PlaceAtRest does, and where the robot's points
// may depart by more than mostBend from their chords.
func (l *Lanes) PlaceTwo(a, b *kin.Course, mostBend, clearance float64) (ok bool) {
	moving := &l.shared.moving
	for i, b := range [2]*kin.Course{a, b} {
		if moving[i].of == nil {
			moving[i] = curves{make([]kin.Curve, len(l.r.curves)), make([]float64, len(l.r.curveBuf))}
		}
		b.Load(0, moving[i].of, moving[i].buf)
	}
	for d := range l.r.around {
		x, y := moving[0].of[d].Around(0.5, 0, 1), moving[1].of[d].Around(0.5, 0, 1)
		l.r.around[d] = kin.Around{Omega: max(x.Omega, y.Omega), Alpha: max(x.Alpha, y.Alpha), MaxAbs: max(x.MaxAbs, y.MaxAbs)}
	}
	if !l.boundShared() {
		return false
	}
	l.width = 1. / (half - 1) * (1 + 1e-9)
	if !(l.bend() <= mostBend) {
		return false
	}
	l.times = ofTwo
	times, q := thirds, [lanes.Times]float64{}
	for k := range l.turns {
		f := &l.r.M.Tree.Frames[k+1]
		moving[0].of[f.Dof].Sample(times[:], q[:half])
		moving[1].of[f.Dof].Sample(times[:], q[half:])
		setJoint(f, &q, &l.turns[k])
	}
	l.place(clearance)
	return true
}

// PlacePieces places n pieces of a motion, at most lanes.Steps, each as one step. It fails as PlaceTwo does. No turns are
// subtracted from the motion (Course.Turned), so that a piece begins where the last one ends.
func (l *Lanes) PlacePieces(b *kin.Course, first, n int, mostBend, clearance float64) (ok bool) {
	for d := range l.r.around {
		l.r.around[d] = kin.Around{MaxAbs: b.MaxAbs(d)}
	}
	for k := range n {
		b.Load(first+k, l.r.curves, l.r.curveBuf)
		for d := range l.r.around {
			a, all := l.r.curves[d].Around(0.5, 0, 1), &l.r.around[d]
			all.Omega, all.Alpha = max(all.Omega, a.Omega), max(all.Alpha, a.Alpha)
		}
		l.shared.starts[k] = b.AppendEnds(l.shared.starts[k][:0], first+k, false)
	}
	l.shared.starts[n] = b.AppendEnds(l.shared.starts[n][:0], first+n-1, true)
	if !l.boundShared() {
		return false
	}
	l.width = 1 + 1e-9
	if !(l.bend() <= mostBend) {
		return false
	}
	l.times, l.shared.count = ofMany, n+1
	l.stand(n + 1)
	l.place(clearance)
	return true
}

// boundShared bounds errors for joints within the ranges of around. They do not depend on rates.
func (l *Lanes) boundShared() (ok bool) {
	l.r.atRest, l.r.aroundPiece = false, false
	l.r.standRoot()
	return l.r.bound(l.r.around) && l.Bound()
}
