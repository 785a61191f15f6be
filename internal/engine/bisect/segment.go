package bisect

import (
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
)

// Segment is one piece of a motion with the queue of what is not yet proved about it
// (SSL04 II-D). The queue stays from test to test, so that nothing is proved twice. It
// belongs to the worker that made it.
type Segment struct {
	id     uint64
	course *kin.Course
	piece  int
	from   float64 // where the test begins: before, all is proved apart

	queue    queue
	begun    bool
	whole    bool // the queue holds all that is not proved
	straight bool // all joints move at constant rates
	inside   bool // what is inside what at its start is asked about
	hit      *touch
	stuck    string // why no more can be proved
}

// touch is where a pair was found within the tolerance.
type touch struct {
	pair int32
	t    float64
	at   engine.Touch
	// where both elements were
	poseA, poseB geom.Pose
}

// priority tells which of several segments is the most likely to collide: that of its
// first element.
func (s *Segment) priority() float64 {
	if s.queue.Len() == 0 {
		return 0
	}
	return s.queue.Top().Value.priority
}

// newSegment returns a segment of a bound motion. Where inside, bodies are surfaces
// that must be shown not to start inside one another.
func (w *Worker) newSegment(c *kin.Course, piece int, inside bool) *Segment {
	w.segments++
	return &Segment{id: w.segments, course: c, piece: piece, from: c.Begin(piece), inside: inside}
}

// load makes the segment the one that the worker's curves and constants are of.
func (w *Worker) load(s *Segment) {
	if w.loaded == s {
		return
	}
	if w.bound != s.course {
		w.bindConstants(s.course)
	}
	w.loaded, w.cache.placed = s, nil
	s.course.Load(s.piece, w.curves, w.curveBuf)
	w.boundErrors(s.course, s.piece)
	s.straight = true
	for d := range w.curves {
		s.straight = s.straight && w.curves[d].Straight()
	}
}

// bindConstants works out the motion constants for a motion. Without prismatic joints
// and a moving root they are the same for all.
func (w *Worker) bindConstants(c *kin.Course) {
	w.bound = c
	if w.constantsKnown && (!w.varying || w.ranges.stay(w.p.m.Tree, c)) {
		return
	}
	w.constantsKnown = true
	w.ranges.set(w.p.m.Tree, c)
	for i := range w.constants {
		w.p.constantsOf(i, &w.ranges, w.constants[i])
	}
	w.boundNever()
}

// begin fills the queue with all pairs that need to be tested (step 1 of Fig. 2). The
// segment is loaded.
//
// Departure. The paper's segments join configurations known to be free; ours may start
// or end in contact. A pair whose path is covered by the distance at one end alone is
// not looked at at the other.
func (w *Worker) begin(s *Segment) {
	s.begun = true
	for _, pair := range w.pairs {
		if w.clock.Out() {
			s.queue, s.begun = queue{}, false // nothing is proved of the pairs left
			return
		}
		if w.neverMeets(pair) {
			w.stats.NeverPairs++
			continue
		}
		e := element{pair: pair, a: s.from, b: 1, lambda: w.lambda(s, pair, s.from, 1)}
		if s.inside && !w.startsOutside(s, pair) {
			return
		}
		if !w.measureEnd(s, &e, s.from, &e.atA) {
			return
		}
		if !e.covered() && !w.measureEnd(s, &e, 1, &e.atB) && w.order != EarliestFirst {
			return
		}
		w.insert(s, e)
	}
	s.whole = true
}

// measureEnd measures an element's pair at one of its ends; false says that it touches
// there, which ends the segment's test where any contact will do.
func (w *Worker) measureEnd(s *Segment, e *element, t float64, at *float64) bool {
	if s.hit != nil && t >= s.hit.t {
		return true // the question is not about it
	}
	c := w.config(s, t)
	d, touches := w.greedyDist(c, e.pair, e.x, e.y)
	*at = d
	if touches {
		w.note(s, c, e.pair)
	}
	return !touches
}

// note remembers a touch that was found at c, if it is the first in time.
func (w *Worker) note(s *Segment, c *config, pair int32) {
	if s.hit != nil && s.hit.t <= c.t {
		return
	}
	p := &w.p.m.Pairs[pair]
	s.hit = &touch{pair: pair, t: c.t, poseA: *w.poseOf(c, p.A), poseB: *w.poseOf(c, p.B)}
	h := &s.hit.at
	h.A, h.B, h.Normal, h.Distance = w.touchOf(c, pair)
}

// startsOutside shows that neither body of a pair starts inside the other, where
// surfaces apart all along do not. False: one does, or it cannot be told.
//
// Volumes hold the solids too, as both are convex: what their roots part is outside.
func (w *Worker) startsOutside(s *Segment, pair int32) bool {
	p := &w.p.m.Pairs[pair]
	a, b := &w.p.m.Elements[p.A], &w.p.m.Elements[p.B]
	if !engine.Encloses(a) && !engine.Encloses(b) {
		return true
	}
	c := w.config(s, 0)
	g := w.greedyAt(c, pair)
	if g.pair.Bound(0, 0, w.slackOfPair(p.A, p.B)) > 0 {
		return true
	}
	inside, at, ok := w.solids.Inside(a, w.poseOf(c, p.A), b, w.poseOf(c, p.B))
	switch {
	case !ok:
		s.stuck = "cannot tell whether one mesh lies inside the other"
		return false
	case inside:
		s.hit = &touch{pair: pair, poseA: *w.poseOf(c, p.A), poseB: *w.poseOf(c, p.B), at: engine.Touch{A: at, B: at}}
		return false
	}
	return true
}

// seconds turns a time of the segment into one of the motion, rounded up.
func (s *Segment) seconds(t float64) float64 {
	p := &s.course.Motion.Pieces[s.piece]
	return engine.TimeAbove(p.Start, p.End, t)
}
