package distance

// seedsKept is how many of the closest pairs are looked at first in the next query.
const seedsKept = 16

// runCulled is run where not every pair is looked at. The pairs that were closest in the
// query before come first, so that little is left that matters.
func (r *ranking) runCulled(state []float64) {
	w, s, c := r.w, r.s, &r.culled
	s.own.Place(&c.balls, w.at.State, state)
	if !r.mayRemember() {
		c.seeds = c.seeds[:0]
	}
	for _, i := range c.seeds {
		r.consider(r.bounded(i))
	}
	c.near, c.left = c.near[:0], 0
	if !r.out.Stopped {
		c.near, c.left = s.own.Cull(&c.balls, r.enoughOwn(), c.near)
	}
	r.out.Self.Lo = min(r.out.Self.Lo, max(c.left, 0))
	r.candidates(c.near)
	r.without(c.seeds)
	r.candidates(s.rest)
	open := r.open
	if at := r.first(); at >= 0 && len(c.seeds) == 0 {
		open[0], open[at] = open[at], open[0]
		r.consider(open[0])
		open = open[1:]
	}
	r.rest(r.leaveApart(open))
	r.search()
	r.world()
}

// without takes out of the candidates those pairs that were looked at before.
func (r *ranking) without(seen []int32) {
	if len(seen) == 0 {
		return
	}
	keep := r.open[:0]
	for _, c := range r.open {
		if !contains(seen, c.pair) {
			keep = append(keep, c)
		}
	}
	r.open = keep
}

// leaveApart returns the candidates that may still matter, for what they are known to be
// apart within the robot's limits, too. Their order stays, as a bound for all
// configurations tells little of how close a pair is at one. It overwrites them.
func (r *ranking) leaveApart(open []candidate) []candidate {
	apart := r.s.own.Apart(&r.culled.balls)
	if apart == nil {
		return open
	}
	keep := open[:0]
	for _, c := range open {
		of := &r.s.of[c.pair]
		if lower := max(c.lower, apart[c.pair]); lower >= r.useful(of) {
			r.leave(of, lower)
			continue
		}
		keep = append(keep, c)
	}
	return keep
}

// enoughOwn is the lower bound from which none of the pairs that may be culled matters:
// they are beyond their ranges, or cannot improve the answer and keep all of their ranges'
// minima.
func (r *ranking) enoughOwn() float64 {
	matters := max(r.out.Self.Hi, r.worstKept())
	return min(r.s.farOwn, max(r.less(matters), r.s.minOwn))
}

// remember notes which of the robot's own pairs were the closest.
func (r *ranking) remember() {
	c := &r.culled
	c.seeds = c.seeds[:0]
	for i := range r.kept {
		if f := &r.kept[i]; !r.s.of[f.touch.Pair].world && !r.s.of[f.touch.Pair].attached && len(c.seeds) < seedsKept {
			c.seeds = append(c.seeds, f.touch.Pair)
			if k := len(c.seeds) - 1; f.touch.Pair == r.last {
				c.seeds[0], c.seeds[k] = c.seeds[k], c.seeds[0]
			}
		}
	}
}
