package spacetime

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/lanes"
	"github.com/firstcontact-ros/firstcontact/internal/engine/rules"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Spans of steps: two lines for each step, or for several together.

// emitStep adds the spans of a step.
func (p *profiler) emitStep(of *stepSpan, lo, hi float64) {
	p.join(&of.parts[0], lo, of.split)
	if of.split < hi {
		p.join(&of.parts[1], of.split, hi)
	}
}

// join adds a span, or joins it to the one before of the same pair.
func (p *profiler) join(of *stepBounds, lo, hi float64) {
	last := &p.last
	if last.is && p.steps.pairOf(last.of) == p.steps.pairOf(of.of) {
		at := (lo - last.lo) / (hi - last.lo)
		lower, okLower := rules.Below(last.lower, of.lower, at)
		upper := rules.Above(last.upper, of.upper, at)
		if joined := (stepBounds{lower, upper, last.of, last.at}); okLower && p.steps.within(&joined) {
			last.stepBounds, last.hi = joined, hi
			return
		}
	}
	p.close()
	*last = openSpan{*of, lo, hi, true}
}

// close emits the open span.
func (p *profiler) close() {
	of := &p.last
	if !of.is {
		return
	}
	of.is = false
	p.w.place(of.at, of.at, of.at)
	t := p.w.ClosestOf(of.of)
	p.emit(of.lo, of.hi, motion.ProfileSpan{
		Lower: [2]float64{of.lower.Before, of.lower.After}, Upper: [2]float64{of.upper.Before, of.upper.After},
		At: p.w.witnessOf(&touch{t, false}, p.w.at.C),
	})
}

// spans sets the bounds of steps that are proved, and returns those of which the bounds are close enough to each other.
func (o *overTime) spans(row *[lanes.Steps]stepSpan, proved uint8) (kept uint8) {
	for k := range row {
		if proved>>k&1 != 0 && o.span(&row[k], k) {
			kept |= 1 << k
		}
	}
	return kept
}

// span bounds the distance in a step that is proved: from above by what is closest where it begins, by what is closest
// where it ends, or by one after the other.
func (o *overTime) span(s *stepSpan, k int) bool {
	times := &o.s.w.stepped.lanes.Times
	a, b := &o.near[k], &o.near[k+1]
	first, second := &s.parts[0], &s.parts[1]
	lower := rules.Line{Before: o.lower[k], After: o.lower[k+1]}
	s.split = times[k+1]
	*first = stepBounds{lower: lower, of: a.of, at: times[k]}
	if a.of == b.of {
		return o.above(first, a, b)
	}
	later, earlier := o.look(a.of, k+1), o.look(b.of, k)
	if o.above(first, a, later) {
		return true
	}
	*second = stepBounds{lower: lower, of: b.of, at: times[k+1]}
	if o.above(second, earlier, b) {
		*first = *second
		return true
	}
	at, ok := rules.Crossing(first.upper, second.upper)
	if !ok {
		return false
	}
	s.split = times[k] + at*(times[k+1]-times[k])
	first.lower, second.lower = lower.Split(at)
	first.upper, _ = first.upper.Split(at)
	_, second.upper = second.upper.Split(at)
	return s.split > times[k] && s.split < times[k+1] && o.within(first) && o.within(second)
}

// within reports whether a part's bounds are close enough to each other.
func (o *overTime) within(s *stepBounds) bool {
	return s.upper.Before-s.lower.Before <= o.tol*(1-1e-6) && s.upper.After-s.lower.After <= o.tol*(1-1e-6)
}

// above bounds the distance in a step from above by that of two shapes at its ends, and reports whether that is close
// enough to the lower bound.
func (o *overTime) above(s *stepBounds, a, b *closeAt) bool {
	l := o.s.w.stepped.lanes
	slide := rules.Slide{Bend: o.more(a.of), Slack: max(a.slack, b.slack)}
	way := func(x, y geom.Vec) float64 { return geom.Norm(r3.Sub(x, y)) + 5*slide.Slack } // with what the points err by
	if a.of.Of >= 0 {
		q := &o.s.w.m.Pairs[a.of.Of]
		slide.Turned = l.TurnFrom(q.A, q.Parting)*way(a.onA, b.onA) + l.TurnFrom(q.B, q.Parting)*way(a.onB, b.onB)
	} else {
		slide.Turned = l.TurnFrom(int(^a.of.Of), 0) * way(a.onA, b.onA)
	}
	s.upper = slide.AboveDistance(a.distance, b.distance)
	return o.within(s)
}
