package spacetime

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/rules"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// profiler makes a profile: earlier half first, splitting each interval until its bounds are
// close enough.
type profiler struct {
	w      *Worker
	pieces []motion.Piece
	piece  int
	tol    float64
	limit  float64 // the largest Max: what is farther apart counts for no pair
	far    float64 // the smallest Max
	out    motion.DistanceProfile
	spans  []motion.ProfileSpan // of out
	steps  overTime

	nothing bool // a search found no points nearer than the limit
	// apart: all surfaces are proved apart from w.startAt until here, so that a part outside
	// at that time is still outside.
	apart bool
	last  openSpan
	// starts counts how often apart ended or began.
	starts int
}

// run covers [lo, hi] of the piece, without steps. It looks at the clock: what touches needs no proof, which would.
func (p *profiler) run(lo, hi float64) {
	if !p.w.q.Out() && !p.tryWhole(lo, hi) {
		p.halve(lo, hi)
	}
}

// tryWhole covers [lo, hi] by one span, if it can.
func (p *profiler) tryWhole(lo, hi float64) bool {
	p.w.place(lo+(hi-lo)/2, lo, hi)
	span, ok := p.cover()
	if ok {
		p.emit(lo, hi, span)
	}
	return ok
}

// halve covers both halves of [lo, hi].
func (p *profiler) halve(lo, hi float64) {
	c := lo + (hi-lo)/2
	switch {
	case p.w.q.Reason != "":
	case hi-lo < minWidth:
		p.w.q.Reason = tooShort
	default:
		p.run(lo, c)
		p.run(c, hi)
	}
}

// cover tries to bound the current interval: by the points that were closest before, and if
// the proof finds closer ones by the closest points.
func (p *profiler) cover() (span motion.ProfileSpan, ok bool) {
	w := p.w
	t := p.first()
	if p.stops(&t) {
		return span, false
	}
	for range 2 {
		span, ok = p.spanOf(&t)
		if !ok {
			return span, false
		}
		closer, proved := p.prove(&span)
		if proved || w.q.Reason != "" {
			if span.Beyond {
				span.Lower = [2]float64{p.far, p.far}
			}
			return span, proved
		}
		if closer.Pair < 0 || closer.Distance >= t.Distance-p.tol/8 && t.Pair >= 0 {
			return span, false
		}
		if t = p.search(closer.Distance); t.Pair < 0 {
			t = closer
		}
		if p.stops(&t) {
			return span, false
		}
	}
	return span, false
}

// first returns points that are likely among the closest: of the parts that were closest last,
// otherwise of the pair that is likely to be the closest, or of any.
func (p *profiler) first() engine.PairTouch {
	if t, ok := p.w.Repeat(); ok {
		return t
	}
	if p.nothing {
		return engine.PairTouch{Pair: -1}
	}
	t := p.w.Nearest(p.w.likely(), p.limit, p.tol, roughly)
	p.nothing = t.Pair < 0
	return t
}

// stops reports whether points that were found are closer than the Min of their pair,
// which ends the profile.
func (p *profiler) stops(t *engine.PairTouch) bool {
	w := p.w
	if !w.ranged.on || t.Pair < 0 || !(t.Distance+w.at.Pair(t.Pair).Slack < w.ranged.pairs[t.Pair].Min) {
		return false
	}
	p.stop(t)
	return true
}

// stop ends the profile at the current time, at which a pair is closer than its Min.
func (p *profiler) stop(t *engine.PairTouch) {
	if p.w.q.Reason == "" || p.w.q.Reason == isStopped {
		p.w.q.Reason = isStopped
		p.out.Stopped, p.out.At = true, p.w.witnessOf(&touch{*t, false}, p.at(p.w.at.C))
	}
}

// search returns the closest points nearer than a distance.
func (p *profiler) search(below float64) engine.PairTouch {
	return p.w.Nearest(p.w.starts, below, p.tol/8, 0)
}

// spanOf returns the bounds to prove on the current interval if its closest points are t;
// false if trying is not worthwhile.
func (p *profiler) spanOf(t *engine.PairTouch) (s motion.ProfileSpan, ok bool) {
	w, far := p.w, p.limit
	if t.Pair < 0 {
		return motion.ProfileSpan{Lower: [2]float64{far, far}, Upper: [2]float64{math.Inf(1), math.Inf(1)}, Beyond: true}, true
	}
	l := w.lineOf(t)
	below := func(upper float64) float64 { return max(0, min(upper-p.tol*(1-1e-6), far)) }
	s = motion.ProfileSpan{Lower: [2]float64{below(l.Before), below(l.After)}, Upper: [2]float64{l.Before, l.After}, At: w.witnessOf(&touch{*t, false}, w.at.C)}
	s.Beyond = s.Lower[0] == far && s.Lower[1] == far
	for i := range s.Lower {
		if !s.Beyond && s.Upper[i]-s.Lower[i] > p.tol { // if the line rises past the limit
			return s, false
		}
	}
	return s, s.Beyond || w.within(t, l, p.tol)
}

// lineOf returns a line that bounds the distance of two points of a pair, in W at c, from
// above. The points are within their elements' balls, to which the bound of acceleration
// applies.
func (w *Worker) lineOf(t *engine.PairTouch) rules.Line {
	p := w.at.Pair(t.Pair)
	points := rules.Points{
		X0: r3.Sub(t.B, t.A), X1: r3.Sub(p.B.Vel.At(t.B), p.A.Vel.At(t.A)),
		H: w.at.H, Accel: p.Accel, Slack: p.Slack,
	}
	return points.AboveDistance()
}

// within reports whether the points of a line may prove, as far as the rules can
// tell, that they stay above it less tol: both ends less what the acceleration and
// the turning of their difference take off. It saves trying; no proof rests on it.
func (w *Worker) within(t *engine.PairTouch, l rules.Line, tol float64) bool {
	between := r3.Sub(t.B, t.A)
	n, ok := geom.Unit(between)
	if !ok {
		return max(l.Before, l.After) <= tol
	}
	p := w.at.Pair(t.Pair)
	rate := r3.Dot(n, r3.Sub(p.B.Vel.At(t.B), p.A.Vel.At(t.A))) * w.at.H
	less := geom.Norm(between) - w.at.PairAccelAlong(t.Pair, n)*w.at.H*w.at.H/2
	return (less-rate > l.Before-tol || l.Before <= tol) && (less+rate > l.After-tol || l.After <= tol)
}

// prove tries to prove the lower bounds on the current interval. If it fails it may return
// closer points.
func (p *profiler) prove(s *motion.ProfileSpan) (closer engine.PairTouch, proved bool) {
	w := p.w
	if s.Lower == [2]float64{} {
		p.apart = false // nothing is proved, and containment is unknown
		p.starts++
		return closer, true
	}
	if !p.apart {
		p.starts++
		w.startHere()
	}
	w.clearance, w.rise = max(s.Lower[0], s.Lower[1]), s.Lower[1]-s.Lower[0]
	best := &w.closest
	*best = closest{
		tol: math.Inf(1), floor: w.clearance, need: w.clearance, rise: w.rise, beyond: p.tol,
		best: engine.PairTouch{Pair: -1, Touch: engine.Touch{Distance: math.Inf(1)}},
	}
	search := search{w: w, closest: best, ranged: w.ranged.on}
	if w.ranged.on && w.ranged.hasMin {
		best.keep = &w.ranged.keep
	}
	w.arena = append(w.arena[:0], w.startGroups...)
	first := len(w.arena)
	search.filter(0, first)
	proved = len(w.arena) == first && w.q.Reason == ""
	p.apart = p.apart || proved
	if best.stopped {
		p.stop(&best.best)
	}
	return best.best, proved
}

// startHere uses the current time for containment checks from now on.
func (w *Worker) startHere() {
	w.start.SetHere(w.at)
	for i := range w.pairs {
		w.pairs[i].outside = false
	}
	for i := range w.elements {
		w.elements[i].outside = false
	}
}

// at returns the time (s) of a parameter of the piece.
func (p *profiler) at(x float64) float64 {
	piece := &p.pieces[p.piece]
	if x == 1 {
		return piece.End
	}
	return piece.Start + x*(piece.End-piece.Start)
}

// emit adds a span for [lo, hi] of the piece.
func (p *profiler) emit(lo, hi float64, s motion.ProfileSpan) {
	piece := &p.pieces[p.piece]
	s.Start, s.End = p.at(lo), p.at(hi)
	if n := len(p.spans); n > 0 {
		s.Start = p.spans[n-1].End
	}
	if s.At.Pair != (motion.Pair{}) {
		s.At.Time = min(s.End, max(s.Start, p.at(p.w.at.C)))
	}
	// Both lines were drawn over [c-h, c+h], which is wider than the span by rounding;
	// times are rounded as well (8u of their size), and so are the lines' values.
	for _, ends := range [...]*[2]float64{&s.Lower, &s.Upper} {
		if math.IsInf(ends[0], 0) {
			continue
		}
		steep := math.Abs(ends[1]-ends[0]) / (hi - lo)
		off := steep*(8*u*(math.Abs(piece.Start)+math.Abs(piece.End))/(piece.End-piece.Start)+4*u) + 8*u*(ends[0]+ends[1])
		if ends == &s.Lower {
			off = -off
		}
		ends[0], ends[1] = max(0, ends[0]+off), max(0, ends[1]+off)
	}
	p.spans = append(p.spans, s)
}
