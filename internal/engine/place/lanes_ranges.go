package place

import (
	"math/bits"

	"github.com/firstcontact-ros/firstcontact/internal/engine/lanes"
)

// placing says what the lanes are.
type placing uint8

const (
	ofInterval placing = iota // times of one interval
	ofTwo                     // of two motions
	ofMany                    // robots at rest, or where pieces begin and end
)

// Ranges computes the range of a variable in each step, from its least to its largest value, in rad or m.
func (l *Lanes) Ranges(dof int, out *[lanes.Steps][2]float64) {
	var q [lanes.Times]float64
	l.positions(dof, &q)
	bow := l.bows[dof]
	for k := range out {
		x, y := q[k], q[l.ends[k]&7]
		out[k] = [2]float64{min(x, y) - bow, max(x, y) + bow}
	}
}

// Range returns a range of a variable that holds those of some steps.
func (l *Lanes) Range(dof int, steps uint8) (lo, hi float64) {
	first, bow := bits.TrailingZeros8(steps), l.bows[dof]
	if c := &l.r.curves[dof]; l.times == ofInterval && c.Line() {
		x, y := c.Ends(l.Times[first], l.Times[bits.Len8(steps)])
		return min(x, y) - bow, max(x, y) + bow
	}
	var q [lanes.Times]float64
	l.positions(dof, &q)
	lo, hi = q[first], q[first]
	for rest := steps; rest != 0; rest &= rest - 1 {
		k := bits.TrailingZeros8(rest)
		x, y := q[k], q[l.ends[k]&7]
		lo, hi = min(lo, x, y), max(hi, x, y)
	}
	return lo - bow, hi + bow
}

// positions computes where a variable is at each of the times.
func (l *Lanes) positions(dof int, q *[lanes.Times]float64) {
	switch l.times {
	case ofMany:
		for i := range q {
			q[i] = l.shared.starts[min(i, l.shared.count-1)][dof]
		}
	case ofTwo:
		l.shared.moving[0].of[dof].Sample(thirds[:], q[:half])
		l.shared.moving[1].of[dof].Sample(thirds[:], q[half:])
	default:
		l.r.curves[dof].Sample(l.Times[:], q[:])
	}
}

// bow bounds by how much each variable departs from its chord in a step, and what is computed of it from what it is (kin.State counts
// less of that for a joint). The robot may be placed elsewhere before Ranges asks. It reports whether a joint moves, as far as around
// tells.
func (l *Lanes) bow() (moves bool) {
	half := l.departs(1)
	for d := range l.bows {
		a := &l.r.around[d]
		l.bows[d] = a.Alpha*half + 64*u*a.MaxAbs
		moves = moves || a.Omega != 0
	}
	return moves
}
