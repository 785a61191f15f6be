package distance

import (
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// Own tells which of the robot's own pairs can matter at a configuration, by balls around
// links and subtrees instead of one test for each pair (package romtree). It is immutable;
// all that depends on the configuration is in Balls.
type Own interface {
	// Place prepares b for a configuration, at which st places the robot.
	Place(b *Balls, st *kin.State, configuration []float64)
	// Apart tells what each pair of the model is apart at least in the configuration that
	// b was placed for; negative is unknown, and nil that nothing is known.
	Apart(b *Balls) []float64
	// Cull appends to near the pairs that may be closer than enough. The distances of
	// all others are at least the bound that it returns, +Inf where there are no others.
	Cull(b *Balls, enough float64, near []int32) ([]int32, float64)
}

// Balls are the balls of one configuration, in the root link's frame. They are the scratch
// of one goroutine.
type Balls struct {
	State  *kin.State
	Placed uint64 // the configuration, counted

	// Per frame: balls around what it carries and around its subtree, which hold for the
	// configuration of the given number. The zero number holds for none.
	Link, Tree     []convex.Ball
	LinkAt, TreeAt []uint64

	// In tells whether the robot is within its limits, Beyond for each frame whether the
	// joints beyond it are.
	In     bool
	Beyond []bool
}

// OwnPairs returns the pairs that SetOwn may leave to another: of links with each other, in
// the scope. Attached objects are not among them.
func (s *Scope) OwnPairs() []int32 {
	var out []int32
	for _, i := range s.single {
		if of := &s.of[i]; !of.world && !of.attached {
			out = append(out, i)
		}
	}
	return out
}

// SetOwn makes own decide which of OwnPairs are looked at. It must know all of them. It is
// called before the scope is used.
func (s *Scope) SetOwn(own Own) {
	s.own, s.rest, s.farOwn, s.minOwn = own, nil, 0, 0
	for _, i := range s.single {
		of := &s.of[i]
		if of.world || of.attached {
			s.rest = append(s.rest, i)
			continue
		}
		s.farOwn, s.minOwn = max(s.farOwn, of.max), max(s.minOwn, of.min)
	}
}

// seedsKept is how many of the closest pairs are looked at first in the next query.
const seedsKept = 16

// culled is the part of a ranking that works with an Own.
type culled struct {
	balls Balls
	near  []int32
	seeds []int32 // pairs that were closest, and are looked at first
	left  float64 // the least distance of what was left out
}

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

// mayRemember reports whether what was closest before may be used.
func (r *ranking) mayRemember() bool { return r.w.warmSince < r.w.q.Number }

// enoughOwn is the lower bound from which none of the pairs that may be culled matters:
// they are beyond their ranges, or cannot improve the answer and are no closer than any of
// their least distances.
func (r *ranking) enoughOwn() float64 {
	matters := max(r.out.Self.Hi, r.worstKept())
	return min(r.s.farOwn, max(r.less(matters), min(matters, r.s.minOwn)))
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
