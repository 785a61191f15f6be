package place

import (
	"math/bits"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/lanes"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
)

// Fan is a plane of its own for each of some steps: its normal does not move in a body during the step.
type Fan struct {
	base       int
	begin, end fanRow // where steps begin, and where they end
	steps      uint8
}

// fanRow are normals in W at each of the times, and what is opposite to them.
type fanRow struct{ along, back lanes.Point }

// NewFan returns a fan without planes, of the body of a frame.
func NewFan(base int) Fan { return Fan{base: base} }

// Steps returns the steps that have a plane.
func (f *Fan) Steps() uint8 { return f.steps }

// Set makes n the normal for a step.
func (l *Lanes) Set(f *Fan, step int, n Normal) {
	r := &l.poses[f.base].R
	f.begin.set(r, step, n)
	f.end.set(r, int(l.ends[step]&7), n)
	f.steps |= 1 << step
}

func (f *fanRow) set(r *[9]lanes.Row, time int, n Normal) {
	for i := range f.along {
		x := r[3*i][time]*n[0] + r[3*i+1][time]*n[1] + r[3*i+2][time]*n[2]
		f.along[i][time], f.back[i][time] = x, -x
	}
}

// Towards returns the normal for a step, of a fan of the root.
func (f *Fan) Towards(step int) geom.Vec {
	n := &f.begin.along
	return geom.Vec{X: float64(n[0][step]), Y: float64(n[1][step]), Z: float64(n[2][step])}
}

// PartsPartedBy returns those of some steps in which the planes of a fan of the body where a pair parts do
// what PartsParted asks of one.
func (l *Lanes) PartsPartedBy(q *model.Pair, a, b *Part, f *Fan, steps uint8, clearance float64) (parted uint8) {
	if steps &= f.steps; steps == 0 {
		return 0
	}
	need := l.need(q, a, b, clearance)
	gap := l.gap(q, a, b, &f.begin.along, &f.begin.back)
	for rest := steps; rest != 0; rest &= rest - 1 {
		if k := bits.TrailingZeros8(rest); !(gap[k] > need) {
			steps &^= 1 << k
		}
	}
	if steps == 0 {
		return 0
	}
	gap = l.gap(q, a, b, &f.end.along, &f.end.back)
	for rest := steps; rest != 0; rest &= rest - 1 {
		if k := bits.TrailingZeros8(rest); !(gap[l.ends[k]&7] > need) {
			steps &^= 1 << k
		}
	}
	return steps
}

// Reach returns how far a part of an element reaches in each step along the normal of a fan of the root, with
// the clearance and all errors: what Plane computes along one.
func (l *Lanes) Reach(element int, p *Part, f *Fan, clearance float64) (reach [lanes.Steps]float64) {
	var begin, end lanes.Row
	pose := &l.poses[l.r.M.Elements[element].Frame]
	pose.Support(p.corners, &f.begin.along, &begin)
	pose.Support(p.corners, &f.end.along, &end)
	more := l.more(element, p, l.slackOf(element, p), clearance)
	for k := range reach {
		at := l.ends[k] & 7
		reach[k] = max(float64(begin[k])-l.Less[k], float64(end[at])-l.Less[at]) + more
	}
	return reach
}
