package romtree

import (
	"context"
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/distance"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// SelfQuery measures the distance of a robot to itself by the three steps of SPHERE,
// section IV, over the kinematic tree: a link against the subtrees that hang on it, these
// subtrees against each other, and each within itself. Balls around subtrees at the
// current configuration, and tables of proved distances, exclude most links.
//
// The paper traverses the tree in its order; SelfQuery opens the nearest pair first and
// stops once none is nearer than the running bound. It holds the memory of one goroutine.
type SelfQuery struct {
	*skeleton
	tables    *Tables // nil for none
	useTables bool
	pairs     [][]int32 // per two frames, the smaller first: the model's pairs

	q      Question
	queue  queue
	best   distance.Closest
	lowest float64
	last   int32 // the pair that was closest, -1 for none
	first  int32 // the pair that was measured before all others, -1 for none
	work   SelfWork
}

// Question sets the accuracy of a distance. The zero value asks for the closest pair to
// rounding.
type Question struct {
	Max       float64 // m: pairs farther apart do not matter; 0 means no limit
	Tolerance float64 // m: the bounds may be this far apart,
	Relative  float64 // and by this part of the distance, in [0, 1)

	// LeaveOutNever leaves out pairs that the tables prove farther apart than Clearance
	// throughout, as the paper does: the answer is that of the pairs that can meet.
	LeaveOutNever bool
	Clearance     float64
	// Cold ignores which pair was closest the last time.
	Cold bool
}

// SelfDistance is the answer: Bounds enclose the distance of the closest pair.
type SelfDistance struct {
	Bounds motion.Interval // m: +Inf to +Inf if no pair is checked
	Found  bool            // there is a witness; not if everything is beyond Max
	motion.Witness
	// LinkA and LinkB are the points in the frames of their links, or of the links that carry
	// their objects.
	LinkA, LinkB geom.Vec
	Work         SelfWork
}

// SelfWork counts the work of a query.
type SelfWork struct {
	Balls    int // pairs of balls
	ByTable  int // subtrees and links left out by a table
	ByBall   int // and by their balls
	Links    int // pairs of links that were opened
	Hulls    int // pairs of shapes whose hulls were compared
	Measured int // pairs of shapes whose distance was computed
}

// NewSelfQuery returns a query of the model. rom and tables make it faster and may be
// nil; they are used for configurations for which they hold.
func NewSelfQuery(m *model.Model, rom *RangeOfMotion, tables *Tables) *SelfQuery {
	n := len(m.Tree.Frames)
	s := &SelfQuery{skeleton: newSkeleton(m, rom), tables: tables, last: -1, pairs: make([][]int32, n*n)}
	for i := range m.Pairs {
		if p := &m.Pairs[i]; !p.World {
			at := s.between(int32(m.Elements[p.A].Frame), int32(m.Elements[p.B].Frame))
			*at = append(*at, int32(i))
		}
	}
	return s
}

// between is where the pairs of two frames stand.
func (s *SelfQuery) between(a, b int32) *[]int32 {
	return &s.pairs[int(min(a, b))*len(s.own)+int(max(a, b))]
}

// Distance bounds the distance of the closest checked pair, at a configuration of one position
// per variable. It fails on invalid tolerances, on a configuration that is not finite or of
// another length, and if the context ends it early.
func (s *SelfQuery) Distance(ctx context.Context, state []float64, q Question) (SelfDistance, error) {
	if err := s.check(state, q); err != nil {
		return SelfDistance{}, err
	}
	s.q, s.work = q, SelfWork{}
	s.place(ctx, state, !q.Cold)
	s.useTables = s.tables != nil && s.tables.Holds(s.m, state, nil)
	s.best, s.lowest = distance.Closest{Upper: math.Inf(1), Pair: -1}, math.Inf(1)
	s.queue.Reset()
	s.first = -1
	if s.last >= 0 && !q.Cold && !s.leftOut(s.last) {
		s.again()
	}
	s.within(0, math.Inf(-1))
	s.search()
	if why := s.w.Ended(); why != "" {
		return SelfDistance{}, fmt.Errorf("the distance query ended early: %s", why)
	}
	return s.answer(), nil
}

// enough is the lower bound from which nothing can improve the answer.
func (s *SelfQuery) enough() float64 { return s.q.enough(s.best.Upper) }

// search opens the nearest item until nothing can improve the answer.
func (s *SelfQuery) search() {
	for s.queue.Len() > 0 && s.w.Ended() == "" && s.best.Upper > 0 {
		if s.queue.Top().Key >= s.enough() {
			s.lowest = min(s.lowest, s.queue.Top().Key)
			return
		}
		switch n := s.queue.pop(); n.kind {
		case twoLinks:
			s.openLinks(n)
		case linkAndTree:
			s.openTree(n)
		case twoTrees:
			s.openTrees(n)
		case twoShapes:
			s.compareHulls(n)
		default:
			s.measure(n)
		}
	}
}

// within queues the steps for the subtree of frame k: its links and each other and the
// subtrees below it (step 1), those and each other (step 2), and, because a subtree has no
// distance to itself, step 3 at once.
func (s *SelfQuery) within(k int32, lower float64) {
	if s.byTable(func(t *Tables) float64 { return t.SelfFree(int(k)) }, &lower) {
		return
	}
	s.queueLinks(k, k, lower)
	for i, c := range s.children[k] {
		s.queueTree(k, c, lower)
		for _, d := range s.children[k][:i] {
			s.queueTrees(c, d, lower)
		}
	}
	for _, c := range s.children[k] {
		s.within(c, lower)
	}
}

// byTable reports whether a table excludes something, and otherwise raises its lower bound to
// the table's entry.
func (s *SelfQuery) byTable(entry func(*Tables) float64, lower *float64) bool {
	if !s.useTables {
		return false
	}
	e := entry(s.tables)
	switch {
	case math.IsInf(e, 1), s.q.LeaveOutNever && e >= s.q.Clearance:
		s.work.ByTable++
		return true // not checked
	case e >= s.enough():
		s.work.ByTable++
		s.lowest = min(s.lowest, e)
		return true
	}
	if e >= 0 {
		*lower = max(*lower, e)
	}
	return false
}

// push queues two sides unless their balls are too far apart to matter.
func (s *SelfQuery) push(kind uint8, a, b int32, ballA, ballB *convex.Ball, lower float64) {
	s.work.Balls++
	lower = max(lower, ballsApart(ballA, ballB))
	if lower >= s.enough() {
		s.work.ByBall++
		s.lowest = min(s.lowest, lower)
		return
	}
	s.queue.push(item{lower, a, b, kind})
}

func (s *SelfQuery) queueLinks(a, b int32, lower float64) {
	if len(*s.between(a, b)) == 0 || s.byTable(func(t *Tables) float64 { return t.Frame(int(a), int(b)) }, &lower) {
		return
	}
	if a == b { // one frame: one ball covers all its shapes, which are examined one by one
		s.openLinks(item{lower, a, b, twoLinks})
		return
	}
	s.push(twoLinks, a, b, &s.link[a], &s.link[b], lower)
}

func (s *SelfQuery) queueTree(a, b int32, lower float64) {
	if s.own[a].Radius < 0 || s.byTable(func(t *Tables) float64 { return t.Rigid(int(a), int(b)) }, &lower) {
		return
	}
	s.push(linkAndTree, a, b, &s.link[a], &s.tree[b], lower)
}

func (s *SelfQuery) queueTrees(a, b int32, lower float64) {
	if s.byTable(func(t *Tables) float64 { return t.Motion(int(a), int(b)) }, &lower) {
		return
	}
	s.push(twoTrees, a, b, &s.tree[a], &s.tree[b], lower)
}

// openTree compares a link with the link at the root of a subtree, and with the subtrees below
// that.
func (s *SelfQuery) openTree(n item) {
	s.queueLinks(n.a, n.b, n.lower)
	for _, c := range s.children[n.b] {
		s.queueTree(n.a, c, n.lower)
	}
}

// openTrees opens the larger of two subtrees.
func (s *SelfQuery) openTrees(n item) {
	if s.tree[n.a].Radius < s.tree[n.b].Radius {
		n.a, n.b = n.b, n.a
	}
	s.queueTree(n.a, n.b, n.lower)
	for _, c := range s.children[n.a] {
		s.queueTrees(c, n.b, n.lower)
	}
}

// openLinks queues the pairs of shapes of two frames.
func (s *SelfQuery) openLinks(n item) {
	s.work.Links++
	for _, i := range *s.between(n.a, n.b) {
		p := &s.m.Pairs[i]
		lower := n.lower
		a, b := s.m.Elements[p.A].Body, s.m.Elements[p.B].Body
		if s.byTable(func(t *Tables) float64 { return t.Base(a, b) }, &lower) {
			continue
		}
		ballA, ballB := s.element(p.A), s.element(p.B)
		s.push(twoShapes, i, i, &ballA, &ballB, lower)
	}
}

// compareHulls compares two shapes by their hulls. If a shape is more than its hull,
// they are put back into the queue with what their hulls say, so that those are measured
// first that are likely to be the closest.
func (s *SelfQuery) compareHulls(n item) {
	if n.a == s.first {
		return // done
	}
	s.work.Hulls++
	c, number := s.w.LookByHulls(n.a, s.enough(), s.q.Tolerance, s.q.Relative)
	s.note(&c, n.a)
	if number < 0 {
		s.lowest = min(s.lowest, c.Lower)
		return
	}
	s.queue.push(item{max(n.lower, c.Lower), n.a, number, twoMeshes})
}

// measure continues compareHulls to the exact distance.
func (s *SelfQuery) measure(n item) {
	s.work.Measured++
	c := s.w.Resume(n.b, s.enough(), s.q.Tolerance, s.q.Relative)
	s.lowest = min(s.lowest, c.Lower)
	s.note(&c, n.a)
}

// again measures first the pair that was closest the last time.
func (s *SelfQuery) again() {
	s.first = s.last
	c := s.w.Look(s.first, s.enough(), s.q.Tolerance, s.q.Relative)
	s.lowest = min(s.lowest, c.Lower)
	s.note(&c, s.first)
}

// leftOut reports whether the question excludes a pair.
func (s *SelfQuery) leftOut(pair int32) bool {
	p := &s.m.Pairs[pair]
	return s.useTables && s.q.LeaveOutNever && s.tables.Base(s.m.Elements[p.A].Body, s.m.Elements[p.B].Body) >= s.q.Clearance
}

func (s *SelfQuery) note(c *distance.Closest, pair int32) {
	if c.Pair >= 0 && c.Upper < s.best.Upper {
		s.best, s.last = *c, pair
	}
}

func (s *SelfQuery) answer() SelfDistance {
	out := SelfDistance{Bounds: motion.Interval{Lo: max(0, min(s.lowest, s.best.Upper)), Hi: s.best.Upper}, Work: s.work}
	if s.best.Pair < 0 {
		return out
	}
	out.Found, out.Witness = true, s.w.WitnessOf(&s.best)
	p := &s.m.Pairs[s.best.Pair]
	out.LinkA, out.LinkB = s.inLink(p.A, out.PointA), s.inLink(p.B, out.PointB)
	return out
}
