package articulate

// The simultaneous solver: RKLM04, sections 5.2.2 to 5.2.4.
//
// All equations that the OBB trees leave are solved together: over an interval of time
// the matrices of the links are bounded once, every active equation is evaluated, those
// that cannot have a root there are discarded, and the rest is looked at in the earlier
// half of the interval and then in the later one, so that the first contact is found
// first. Newton's interval step (Eq. 18) culls an equation from a half, or from both,
// and where it shortens a half for all of them the half is shortened.
//
// Departures.
//   - Where the derivative's bounds hold 0, which Eq. 18 does not admit, the mean value
//     form f(m) + [a, b] (t - m) may still show that there is no root.
//   - At the threshold the paper checks once whether the features touch, and drops the
//     equation if not (see contact.go). Here the pair of leaves is first tried with a
//     direction that parts it (leaf.go), then its distance decides: within clearance and
//     tolerance it is a contact, with that as a witness; otherwise the interval is split
//     further, until nothing is left of it that float64 can split. What then is neither
//     refuted nor touching makes the verdict Undecided.
//   - Convex leaves (leaf.go) are active beside equations.

import (
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/numeric/interval"
)

// outcome of a search in an interval of time.
type outcome uint8

const (
	proven  outcome = iota // nothing touches in it
	touched                // Worker.found tells what
	stopped                // the clock or the numbers ran out: Worker.clock.Reason
	split                  // too much to solve at once: look at shorter intervals
)

// found is a contact, and until when nothing touches.
type found struct {
	pair   *activePair
	touch  engine.Touch
	at     float64 // the time of the touch, a parameter of the piece
	proven float64 // nothing touches before
}

// solve looks for the first root in [lo, hi] of the equations in the arena from first on.
func (w *Worker) solve(lo, hi float64, first, count int) outcome {
	if w.clock.Look() {
		w.proved = lo
		return stopped
	}
	begin := len(w.items)
	defer func() { w.items = w.items[:begin] }()
	w.look(lo, hi)
	left, ok := w.narrowAll(lo, hi, first, count)
	if !ok {
		w.proved = lo
		return stopped
	}
	if len(w.items) == begin {
		return proven
	}
	if left.Lo > lo || left.Hi < hi {
		w.stats.Shortened++
		lo, hi = max(lo, left.Lo), min(hi, left.Hi)
	}
	return w.descend(lo, hi, begin, len(w.items)-begin)
}

// narrowAll appends the equations that may have a root in [lo, hi], with their windows
// narrowed, to the arena. It returns the hull of the windows, and false if the clock ran
// out.
func (w *Worker) narrowAll(lo, hi float64, first, count int) (left interval.I, ok bool) {
	left = interval.I{Lo: hi, Hi: lo} // empty
	for i := first; i < first+count; i++ {
		e := w.items[i]
		if e.window.Lo > hi || e.window.Hi < lo {
			continue
		}
		if w.clock.Out() {
			return left, false
		}
		// An interval much longer than that in which boxes overlap would tell nothing.
		if hi-lo <= e.long {
			window, root := w.narrow(&e, lo, hi)
			if !root {
				w.stats.Refuted++
				continue
			}
			e.window = window
		}
		left = left.Hull(e.window)
		w.items = append(w.items, e)
	}
	return left, true
}

// look makes [lo, hi] the interval at hand.
func (w *Worker) look(lo, hi float64) {
	w.stats.Intervals++
	w.stamp++
	w.span = lens{lo, hi, w.stamp}
	mid := middleOf(lo, hi)
	w.instant = lens{mid, mid, w.stamp}
}

func middleOf(lo, hi float64) float64 { return min(max(lo+(hi-lo)/2, lo), hi) }

// descend decides what is left of an interval, or splits it.
func (w *Worker) descend(lo, hi float64, first, count int) outcome {
	if w.anyTouch && w.probe(lo, hi, first, count) {
		return touched
	}
	mid := middleOf(lo, hi)
	last := mid == lo || mid == hi
	if last || hi-lo <= w.threshold {
		if count = w.dismiss(lo, hi, first, count); count == 0 {
			return proven
		}
		if w.settle(lo, hi, first, count) {
			return touched
		}
	}
	if last {
		w.proved = lo
		w.clock.Reason = "a pair is closer than the numbers can tell, but shows no contact"
		return stopped
	}
	if o := w.solve(lo, mid, first, count); o != proven {
		return o
	}
	return w.solve(mid, hi, first, count)
}

// narrow returns where in [lo, hi] an equation may have a root.
func (w *Worker) narrow(e *equation, lo, hi float64) (window interval.I, root bool) {
	whole := interval.I{Lo: lo, Hi: hi}
	if e.kind == convexGap {
		return whole, !w.parted(&w.active[e.pair], e.leafA, e.leafB, &w.gaps[e.a])
	}
	w.stats.Evaluations++
	f, possible := w.value(e)
	if !possible || !f.Contains(0) {
		return whole, false
	}
	if w.Options.NoNewton || hi-lo <= 0 {
		return whole, true
	}
	return w.newton(e, whole)
}

// newton is Eq. 18, by its mean value form where the derivative may be 0.
func (w *Worker) newton(e *equation, whole interval.I) (window interval.I, root bool) {
	w.stats.NewtonSteps++
	rate, at := w.rate(e), w.valueAt(e)
	m := interval.Point(w.instant.lo)
	if rate.Contains(0) {
		if at.Add(rate.Mul(whole.Sub(m))).Contains(0) {
			return whole, true
		}
		w.stats.NewtonCulled++
		return whole, false
	}
	window, root = m.Sub(at.Div(rate)).Intersect(whole)
	if !root {
		w.stats.NewtonCulled++
	}
	return window, root
}

// dismiss leaves out what belongs to leaves that a direction parts all along, and returns
// how many are left.
func (w *Worker) dismiss(lo, hi float64, first, count int) (left int) {
	w.look(lo, hi)
	for i := first; i < first+count; i++ {
		e := &w.items[i]
		if w.parted(&w.active[e.pair], e.leafA, e.leafB, nil) {
			continue
		}
		w.items[first+left] = *e
		left++
	}
	return left
}

// settle looks for contacts among what is left of an interval within the threshold, and
// takes the closest at the time that has any.
func (w *Worker) settle(lo, hi float64, first, count int) bool {
	for _, at := range [3]float64{middleOf(lo, hi), hi, lo} {
		w.contacts = w.contacts[:0]
		for i := first; i < first+count; i++ {
			e := &w.items[i]
			p := &w.active[e.pair]
			if i > first && e.sameLeaves(&w.items[i-1]) {
				continue // several equations may be of the same leaves, one after another
			}
			if t := w.touchAt(p, e.leafA, e.leafB, at); t.Distance <= w.clearance+w.tolerance {
				w.contacts = append(w.contacts, found{p, t, at, lo})
			}
		}
		if len(w.contacts) > 0 {
			w.found = w.contacts[0]
			for _, c := range w.contacts {
				if c.touch.Distance < w.found.touch.Distance {
					w.found = c
				}
			}
			return true
		}
	}
	return false
}

func (e *equation) sameLeaves(f *equation) bool {
	return e.pair == f.pair && e.leafA == f.leafA && e.leafB == f.leafB
}

// probe looks whether one of the pairs touches in the middle of the interval, where any
// contact will do.
func (w *Worker) probe(lo, hi float64, first, count int) bool {
	at := middleOf(lo, hi)
	for i := first; i < first+min(count, probes); i++ {
		e := &w.items[i]
		p := &w.active[e.pair]
		if t := w.touchAt(p, e.leafA, e.leafB, at); t.Distance <= w.clearance {
			w.found = found{p, t, at, lo}
			w.contacts = append(w.contacts[:0], w.found)
			return true
		}
	}
	return false
}

// probes is how many pairs are looked at in the middle of an interval.
const probes = 4
