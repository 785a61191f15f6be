package spacetime

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// Where a first contact is known to be before a time, the search goes on towards the time at
// which the two leaves found there first touch: Newton's method on the distance of two convex
// pieces takes a microsecond a step. It proves nothing. What it finds is a witness, the search
// proves what is before it, and may meet an earlier one.

// mostSteps is the maximum number of times at which pinpoint looks at two leaves.
const mostSteps = 16

// firstBack is by which part of what is left pinpoint goes back at first where Newton's step
// has gone too far.
const firstBack = 1. / 32

// pinpoint moves the witness to about the time at which its leaves first come as close as a
// witness must be. The two are apart at the time free. The interval being filtered is lost.
func (s *search) pinpoint(free float64) {
	gap, rate := s.gapOf(s.leaves, free)
	back := firstBack
	for range mostSteps {
		left := s.res.hitAt - free
		if !(gap > 0) || left <= s.timeTol/2 || s.w.q.Out() {
			return
		}
		t := free + gap/rate
		if !(t > free && t < s.res.hitAt) {
			t = s.res.hitAt - back*left
			back = min(1./2, 4*back)
		}
		if !(t > free && t < s.res.hitAt) {
			return
		}
		gapThen, rateThen := s.gapOf(s.leaves, t)
		if s.res.hitAt > t {
			free, gap, rate, back = t, gapThen, rateThen, firstBack
		} else if gapThen > -s.w.tolerance*(3./8) {
			return // as early as a witness can be
		}
	}
}

// foresee looks at the leaves that are predicted to touch within [lo, hi], whose middle is c,
// and pinpoints the time if they do.
func (s *search) foresee(lo, c, hi float64, p *prediction) {
	t := p.about(c)
	if !(t > lo && t < hi) {
		return
	}
	if s.gapOf(p.of, t); s.res.hit && s.res.hitAt == t {
		if p.at > c {
			lo = c
		}
		s.pinpoint(lo)
	}
}

// about returns a time at which what is predicted at c has happened, or has not ended.
func (p *prediction) about(c float64) float64 {
	if p.at < c {
		return p.at - p.doubt
	}
	return p.at + p.doubt
}

// gapOf looks at two leaves at a time, and takes note of them if they are a witness. It returns
// by how much more they are apart than a witness about to touch, half the tolerance beyond the
// clearance, and how fast they come closer.
func (s *search) gapOf(e entry, t float64) (gap, rate float64) {
	w := s.w
	w.place(t, t, t)
	w.q.Work.Distances++
	pair, swapped := e.pair, false
	var found convex.Result
	if pair >= 0 {
		q, p := &w.m.Pairs[pair], w.at.Pair(pair)
		a, b := volume.Core(&w.m.Elements[q.A], e.a, &w.partA), volume.Core(&w.m.Elements[q.B], e.b, &w.partB)
		found = convex.Distance(a, &p.A.Pose, b, &p.B.Pose, &s.toward)
		rate = r3.Dot(found.Normal, r3.Sub(p.A.Vel.At(found.PointA), p.B.Vel.At(found.PointB)))
	} else {
		element, it := int(^pair), &w.m.World.Items[^e.b]
		el, at := &w.m.Elements[element], w.at.Element(element)
		pair = w.m.Against[element][it.Element-w.m.First]
		swapped = w.m.Pairs[pair].A != element
		core, pose := volume.ItemCore(w.m, it, &w.partB)
		found = convex.Distance(volume.Core(el, e.a, &w.partA), &at.Pose, core, pose, &s.toward)
		rate = r3.Dot(found.Normal, w.at.State.Twist[el.Frame].At(found.PointA))
	}
	if found.Overlap {
		found.Distance = 0
	}
	s.meet(e, pair, &found, swapped)
	return found.Distance - w.clearance - w.tolerance/2 - w.at.Pair(pair).Tube, rate
}
