package bisect

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
)

// Pairs that cannot meet (SSL04 V-A): the balls of COMPUTE-SPHERE around all that two
// links may sweep, in the frame of the body where their chains part, do not meet.
//
// Departure. As the balls are those of the joints' positions during the motion (see
// motionconstants.go), they are asked anew where joints slide.

// boundNever notes for each pair how far the balls are apart.
func (w *Worker) boundNever() {
	m := w.p.m
	if w.never == nil {
		w.never = make([]float64, len(m.Pairs))
	}
	scratch := make([]float64, 0, 64)
	for i := range m.Pairs {
		p := &m.Pairs[i]
		a, b := w.sweptBall(p, p.A, &scratch), w.sweptBall(p, p.B, &scratch)
		gap := geom.Norm(r3.Sub(a.center, b.center))*(1-8*u) - (a.radius+b.radius)*(1+4*u)
		if math.IsNaN(gap) {
			gap = 0
		}
		w.never[i] = gap - 64*u*(geom.Norm(a.center)+geom.Norm(b.center))
	}
}

// sweptBall returns a ball in the frame of a pair's base that holds an element all
// along.
func (w *Worker) sweptBall(p *model.Pair, element int, scratch *[]float64) sphere {
	e := &w.p.m.Elements[element]
	n := len(w.constants[element])
	if cap(*scratch) < n {
		*scratch = make([]float64, n)
	}
	return computeSphere(w.p.m.Tree, e.Frame, p.Parting, ballOf(e), &w.ranges, (*scratch)[:n])
}

// neverMeets reports whether a pair stays farther apart than the clearance wherever the
// motion goes.
func (w *Worker) neverMeets(pair int32) bool {
	return !w.Options.NoNever && w.never[pair] > w.clearance*(1+8*u)
}
