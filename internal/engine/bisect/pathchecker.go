package bisect

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Outcome is what is known of a segment or a path.
type Outcome uint8

// The outcomes. The zero value is that nothing is decided.
const (
	Undecided Outcome = iota // its queue holds what is left; test it again to go on
	Free                     // proved: no pair comes as close as the clearance
	Collides                 // two points of a pair were found within clearance and tolerance
)

var outcomeNames = [...]string{"undecided", "free", "collides"}

// String returns the outcome in lower case.
func (o Outcome) String() string {
	if int(o) < len(outcomeNames) {
		return outcomeNames[o]
	}
	return fmt.Sprintf("outcome(%d)", uint8(o))
}

// PathChecker tests segments of roadmaps and paths, and keeps for each what was proved
// of it, as planners want that delay their collision tests (SSL04 II-D). It belongs to
// one goroutine, and so do its edges.
type PathChecker struct {
	w      *Worker
	q      motion.Query
	joints []string
	rows   []int
	state  []float64
}

// PathsOf returns a path checker of a *ccd.Bisection with options of its own, for
// measurements. Package ccd sets it, as no exported method of ccd may mention this package.
var PathsOf func(bisection any, joints []string, q motion.Query, o Options) (*PathChecker, error)

// NewPathChecker returns a checker of segments between positions of the given joints
// (rad or m); state gives every variable of the tree its position where it is none of
// them. Of q the clearance, the tolerance, and which pairs are asked about count.
func (p *Prepared) NewPathChecker(joints []string, state []float64, q motion.Query, o Options) (*PathChecker, error) {
	if err := (Engine{}).Abilities().Lack(motion.Bisect, &q); err != nil {
		return nil, err
	}
	rows, err := p.m.Tree.Rows(joints)
	if err != nil {
		return nil, err
	}
	if len(state) != len(p.m.Tree.Dofs) {
		return nil, fmt.Errorf("%d positions are given for %d variables of the robot", len(state), len(p.m.Tree.Dofs))
	}
	q.Question, q.Budget = motion.IsFree, 0
	q.Tube = maps.Clone(q.Tube)
	c := &PathChecker{w: p.NewWorker(), q: q, joints: slices.Clone(joints), rows: rows, state: slices.Clone(state)}
	c.w.Options = o
	c.w.ask(context.Background(), &c.q)
	return c, nil
}

// Edge is a segment of a path or roadmap, with the queue of what is not yet proved of
// it.
type Edge struct {
	s      *Segment
	course kin.Course
}

// Edge returns the straight segment between two configurations, in the order of the
// checker's joints; nothing is tested yet. It fails on numbers that are not finite.
func (c *PathChecker) Edge(from, to []float64) (*Edge, error) {
	m, err := motion.Between(c.joints, from, to, 1)
	if err != nil {
		return nil, err
	}
	e := &Edge{}
	e.course.Bind(c.w.p.m.Tree, m, c.state, c.rows)
	e.s = c.w.newSegment(&e.course, 0, true)
	return e, nil
}

// Outcome tells what is known of the edge so far.
func (e *Edge) Outcome() Outcome {
	switch {
	case e.s.hit != nil:
		return Collides
	case e.s.stuck == "" && e.s.whole && e.s.queue.Len() == 0:
		return Free
	}
	return Undecided
}

// Left returns how many elements its queue holds.
func (e *Edge) Left() int { return e.s.queue.Len() }

// Priority tells which of several edges is the most likely to collide: the larger, the
// likelier (II-C). That of an edge not yet tested, or decided, is 0.
func (e *Edge) Priority() float64 { return e.s.priority() }

// Contact returns where an edge that collides was found to, in W; its Time is the part
// of the edge.
func (c *PathChecker) Contact(e *Edge) motion.Witness {
	h := e.s.hit
	if h == nil {
		return motion.Witness{}
	}
	return engine.Witness(c.w.p.m, &c.w.p.m.Pairs[h.pair], &h.at, h.t, h.poseA, h.poseB)
}

// Test tests an edge until it is decided. It is Undecided where the context ends it,
// or with a reason where no more can be proved.
func (c *PathChecker) Test(ctx context.Context, e *Edge) (Outcome, string) {
	return c.TestSome(ctx, e, -1)
}

// TestSome is Test that takes at most so many elements from the queue; all where that
// is negative. The next test goes on where this one ended.
func (c *PathChecker) TestSome(ctx context.Context, e *Edge, elements int) (Outcome, string) {
	c.start(ctx)
	s, w := e.s, c.w
	if e.Outcome() != Undecided || s.stuck != "" {
		return e.Outcome(), s.stuck
	}
	w.load(s)
	if !s.begun {
		w.begin(s)
	}
	for ; elements != 0 && s.hit == nil && s.stuck == "" && s.queue.Len() > 0 && !w.clock.Out(); elements-- {
		w.step(s)
	}
	return e.Outcome(), w.why(s)
}

// TestPath tests edges together, the most likely to collide first, until one is found
// to collide, whose index it returns, or all are decided; else the index is -1. What was
// proved of the other edges stays with them.
func (c *PathChecker) TestPath(ctx context.Context, path []*Edge) (outcome Outcome, collides int, reason string) {
	c.start(ctx)
	segments := make([]*Segment, len(path))
	for i, e := range path {
		segments[i] = e.s
	}
	hit := c.w.testPath(segments)
	outcome = Free
	for i, e := range path {
		switch {
		case hit != nil && e.s == hit:
			return Collides, i, ""
		case e.Outcome() != Free:
			outcome = Undecided
		}
	}
	if outcome == Undecided {
		reason = c.w.stuck(segments)
	}
	return outcome, -1, reason
}

// Touches reports whether a configuration is in collision: whether some pair is within
// clearance and tolerance, or cannot be told from that, or one body is inside another.
func (c *PathChecker) Touches(at []float64) (bool, error) {
	m, err := motion.Path(c.joints, [][]float64{at}, nil)
	if err != nil {
		return false, err
	}
	c.start(context.Background())
	var course kin.Course
	course.Bind(c.w.p.m.Tree, m, c.state, c.rows)
	s := c.w.newSegment(&course, 0, true)
	c.w.load(s)
	for _, pair := range c.w.pairs {
		e := element{pair: pair}
		if c.w.neverMeets(pair) {
			continue
		}
		if !c.w.startsOutside(s, pair) || !c.w.measureEnd(s, &e, 0, &e.atA) || e.atA == 0 {
			return true, nil
		}
	}
	return false, nil
}

// Stats returns what the checker did since it was made.
func (c *PathChecker) Stats() Stats { return c.w.stats }

func (c *PathChecker) start(ctx context.Context) {
	c.w.clock.Watch(ctx)
}

// why tells why a segment's test ended without an answer, "" if it has one.
func (w *Worker) why(s *Segment) string {
	if s.hit != nil || s.stuck == "" && s.whole && s.queue.Len() == 0 {
		return ""
	}
	if s.stuck != "" {
		return s.stuck
	}
	return w.clock.Reason
}
