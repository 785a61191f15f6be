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
	begin, end lanes.Point // in W, where steps begin, and where they end
	steps      uint8
}

// NewFan returns a fan without planes, of the body of a frame.
func NewFan(base int) Fan { return Fan{base: base} }

// Steps returns the steps that have a plane.
func (f *Fan) Steps() uint8 { return f.steps }

// Set makes n the normal for a step.
func (l *Lanes) Set(f *Fan, step int, n Normal) {
	r := &l.poses[f.base].R
	turn(r, step, n, &f.begin)
	turn(r, int(l.ends[step]&7), n, &f.end)
	f.steps |= 1 << step
}

// turn turns a normal to W at one of the times.
func turn(r *[9]lanes.Row, time int, n Normal, to *lanes.Point) {
	for i := range to {
		to[i][time] = r[3*i][time]*n[0] + r[3*i+1][time]*n[1] + r[3*i+2][time]*n[2]
	}
}

// Towards returns the normal for a step, of a fan of the root.
func (f *Fan) Towards(step int) geom.Vec {
	n := &f.begin
	return geom.Vec{X: float64(n[0][step]), Y: float64(n[1][step]), Z: float64(n[2][step])}
}

// PartsPartedBy returns those of some steps in which the planes of a fan of the body where a pair parts do
// what PartsParted asks of one.
func (l *Lanes) PartsPartedBy(q *model.Pair, a, b *Part, f *Fan, steps uint8, clearance float64) (parted uint8) {
	if steps &= f.steps; steps == 0 {
		return 0
	}
	var gap lanes.Row
	need := l.need(q, a, b, clearance)
	l.gap(q, a, b, &f.begin, &gap)
	for rest := steps; rest != 0; rest &= rest - 1 {
		if k := bits.TrailingZeros8(rest); !(l.Less[k]+float64(gap[k]) > need) {
			steps &^= 1 << k
		}
	}
	if steps == 0 {
		return 0
	}
	l.gap(q, a, b, &f.end, &gap)
	for rest := steps; rest != 0; rest &= rest - 1 {
		k := bits.TrailingZeros8(rest)
		if end := l.ends[k] & 7; !(l.Less[end]+float64(gap[end]) > need) {
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
	pose.Support(p.corners, &f.begin, &begin)
	pose.Support(p.corners, &f.end, &end)
	more := l.more(element, p, l.slackOf(element, p), clearance)
	for k := range reach {
		at := l.ends[k] & 7
		reach[k] = max(float64(begin[k])-l.Less[k], float64(end[at])-l.Less[at]) + more
	}
	return reach
}
