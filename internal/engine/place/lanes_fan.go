package place

import (
	"math/bits"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/lanes"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
)

// Fan is a plane of its own for each of some steps: its normal does not move in a body during the step.
type Fan struct {
	base    int
	normals [2][2]lanes.Point // in W: as they are and the other way round, where steps begin and where they end
	steps   uint8
	number  uint64 // of these normals
}

// Clear makes a fan one without planes, of the body of a frame.
func (f *Fan) Clear(base int) { f.base, f.steps = base, 0 }

// Steps returns the steps that have a plane.
func (f *Fan) Steps() uint8 { return f.steps }

// Set makes n the normal for a step.
func (l *Lanes) Set(f *Fan, step int, n Normal) {
	r := &l.poses[f.base].R
	for end, time := range [...]int{step, int(l.ends[step] & 7)} {
		for i := range n {
			x := r[3*i][time]*n[0] + r[3*i+1][time]*n[1] + r[3*i+2][time]*n[2]
			f.normals[0][end][i][time], f.normals[1][end][i][time] = x, -x
		}
	}
	f.steps |= 1 << step
	l.fans++
	f.number = l.fans
}

// Towards returns the normal for a step, of a fan of the root.
func (f *Fan) Towards(step int) geom.Vec {
	n := &f.normals[0][0]
	return geom.Vec{X: float64(n[0][step]), Y: float64(n[1][step]), Z: float64(n[2][step])}
}

// fanReach is how far a part reaches along the normals of a fan, where steps begin and where they end. A part of a pair is
// compared with many of the other element.
type fanReach struct {
	fan, placed uint64 // whose normals, and where the robot is
	side        int
	known       [2]bool
	rows        [2]lanes.Row
}

// along returns how far a part of an element reaches along the normals of a fan, those of a side, at one of the steps' ends.
func (l *Lanes) along(element int, p *Part, f *Fan, side, end int) *lanes.Row {
	c := &p.reach
	if c.fan != f.number || c.placed != l.placed || c.side != side {
		c.fan, c.placed, c.side, c.known = f.number, l.placed, side, [2]bool{}
	}
	if !c.known[end] {
		c.known[end] = true
		l.poses[l.r.M.Elements[element].Frame].Support(p.corners, &f.normals[side][end], &c.rows[end])
	}
	return &c.rows[end]
}

// PartsPartedBy returns those of some steps in which the planes of a fan of the body where a pair parts do
// what PartsParted asks of one. Planes of another body part nothing: seen from there paths bend otherwise.
func (l *Lanes) PartsPartedBy(q *model.Pair, a, b *Part, f *Fan, steps uint8, clearance float64) (parted uint8) {
	if steps &= f.steps; steps == 0 || f.base != q.Base {
		return 0
	}
	need := l.need(q, a, b, clearance)
	for end := range 2 {
		far, near := l.along(q.A, a, f, 0, end), l.along(q.B, b, f, 1, end)
		for rest := steps; rest != 0; rest &= rest - 1 {
			k := bits.TrailingZeros8(rest)
			time := k
			if end == 1 {
				time = int(l.ends[k] & 7)
			}
			if gap := -far[time] - near[time]; !(l.Less[time]+float64(gap) > need) {
				steps &^= 1 << k
			}
		}
		if steps == 0 {
			break
		}
	}
	return steps
}

// Reach returns how far a part of an element reaches in each step along the normal of a fan of the root, with
// the clearance and all errors: what Plane computes along one.
func (l *Lanes) Reach(element int, p *Part, f *Fan, clearance float64) (reach [lanes.Steps]float64) {
	begin, end := l.along(element, p, f, 0, 0), l.along(element, p, f, 0, 1)
	more := l.more(element, p, l.slackOf(element, p), clearance)
	for k := range reach {
		at := l.ends[k] & 7
		reach[k] = max(float64(begin[k])-l.Less[k], float64(end[at])-l.Less[at]) + more
	}
	return reach
}
