package bisect

import (
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
)

// Path lengths (SSL04 Lemma 2 and what follows it). No point of a link traces a curve
// longer than
//
//	lambda = sum over joints k of r_k times the integral of |q'_k|
//
// over the joints that move the link; for two links of one tree only those after the
// body where their chains part, seen in that body's frame (IV-B). A mimic joint goes
// |multiplier| times as far as the joint it follows.
//
// Departures. On pieces of higher degree the integral is bounded by the velocity's
// control points on the interval (kin.Curve.Length), which is |q(b) - q(a)| only where
// the joint does not turn back. It must be length: with chords, or with the
// difference of the end positions, the inequality is false.

// lengths is how far each joint goes on an interval of a piece.
type lengths struct {
	of     *Segment
	lo, hi float64
	joint  []float64 // per frame: |multiplier| times the variable's
}

// lengthsOn works out how far the joints go on [lo, hi] of the segment, which is
// loaded.
func (w *Worker) lengthsOn(s *Segment, lo, hi float64) []float64 {
	l := &w.lengths
	if l.of == s && l.lo == lo && l.hi == hi {
		return l.joint
	}
	l.of, l.lo, l.hi = s, lo, hi
	for d := range w.curves {
		w.dofLength[d] = w.curves[d].Length(lo, hi)
	}
	frames := w.p.m.Tree.Frames
	for k := 1; k < len(frames); k++ {
		f := &frames[k]
		m := f.Mult
		if m < 0 {
			m = -m
		}
		l.joint[k] = m * w.dofLength[f.Dof]
	}
	return l.joint
}

// lambda bounds the sum of the lengths of the curves that the points of both elements
// of a pair trace on [lo, hi].
func (w *Worker) lambda(s *Segment, pair int32, lo, hi float64) float64 {
	joint, p := w.lengthsOn(s, lo, hi), &w.p.m.Pairs[pair]
	return (w.lambdaOf(p.A, p, joint) + w.lambdaOf(p.B, p, joint)) * inflate
}

// lambdaOf is the term of one element, lambda_i in the paper.
func (w *Worker) lambdaOf(element int, p *model.Pair, joint []float64) float64 {
	chain, sum := w.p.m.Tree.Chain(w.p.m.Elements[element].Frame), 0.0
	for i := p.Parting; i < len(chain); i++ {
		sum += w.constants[element][i] * joint[chain[i]]
	}
	return sum
}
