package bisect

import (
	"context"
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// FIXED-RES-BISECTION (SSL04 I-B, V-A, after its [28]): it bisects segments until a
// configuration collides or all pieces are shorter than epsilon in the Euclidean metric
// of configurations, the longest first. It looks between configurations nowhere: that it
// found nothing proves nothing. It is here to be compared with, and it gives no verdict.

// SampledEdge is a segment that the fixed-resolution checker tests. What was tested of
// it is remembered, as SBL does.
type SampledEdge struct {
	course  kin.Course
	segment *Segment
	length  float64 // in configuration space
	level   int     // 2^level equal parts have tested ends
	next    int     // of the midpoints of the next level
	hit     bool
	at      float64 // where, where hit
	pair    int32   // which
}

// Collides reports whether a configuration of the edge was found to collide, and where
// along it.
func (e *SampledEdge) Collides() (at float64, found bool) { return e.at, e.hit }

// spacing is how far the tested configurations are apart.
func (e *SampledEdge) spacing() float64 { return e.length / math.Ldexp(1, e.level) }

// FixedRes is the fixed-resolution checker over a path checker's pairs and
// configurations. Its ends are taken to be free, as a planner's milestones are.
type FixedRes struct {
	c       *PathChecker
	Epsilon float64 // rad or m; 0 goes on until a collision is found
}

// NewFixedRes returns the checker with the resolution epsilon. It fails on a negative
// one.
func (c *PathChecker) NewFixedRes(epsilon float64) (*FixedRes, error) {
	if !(epsilon >= 0) {
		return nil, fmt.Errorf("resolution %g must be zero or more", epsilon)
	}
	return &FixedRes{c: c, Epsilon: epsilon}, nil
}

// Edge returns a segment to be tested. It fails on numbers that are not finite.
func (f *FixedRes) Edge(from, to []float64) (*SampledEdge, error) {
	m, err := motion.Between(f.c.joints, from, to, 1)
	if err != nil {
		return nil, err
	}
	e := &SampledEdge{}
	e.course.Bind(f.c.w.p.m.Tree, m, f.c.state, f.c.rows)
	e.segment = f.c.w.newSegment(&e.course, 0, false)
	var ctrl [kin.MaxDegree + 1]float64
	for d := range f.c.w.p.m.Tree.Dofs {
		points := e.course.AppendCtrl(ctrl[:0], d, 0)
		e.length += square(points[len(points)-1] - points[0])
	}
	e.length = math.Sqrt(e.length)
	return e, nil
}

func square(x float64) float64 { return x * x }

// TestPath tests edges together, the one with the widest spacing first, and returns the
// index of one found to collide. A negative index says that no tested configuration
// collides, which is no proof; ended says that the context ended the test before the
// resolution was reached.
func (f *FixedRes) TestPath(ctx context.Context, path []*SampledEdge) (collides int, ended bool) {
	f.c.start(ctx)
	for {
		widest := -1
		for i, e := range path {
			if e.hit {
				return i, false
			}
			if e.spacing() > f.Epsilon && e.level < maxLevel && (widest < 0 || e.spacing() > path[widest].spacing()) {
				widest = i
			}
		}
		if widest < 0 {
			return -1, false
		}
		if !f.refine(path[widest]) {
			return -1, true
		}
	}
}

// maxLevel is where rounding ends.
const maxLevel = 48

// refine tests the middles between the tested configurations; false: the clock is out.
func (f *FixedRes) refine(e *SampledEdge) bool {
	w := f.c.w
	w.load(e.segment)
	parts := 1 << e.level
	for ; e.next < parts; e.next++ {
		if w.clock.Out() {
			return false
		}
		t := (float64(e.next) + 0.5) / float64(parts)
		if pair, touches := w.collidesAt(e.segment, t); touches {
			e.hit, e.at, e.pair = true, t, pair
			return true
		}
	}
	e.level, e.next = e.level+1, 0
	return true
}

// collidesAt is COLL-CHECKER for all pairs, except those that never meet, at one
// configuration.
func (w *Worker) collidesAt(s *Segment, t float64) (pair int32, touches bool) {
	c := w.config(s, t)
	for _, pair := range w.pairs {
		if w.neverMeets(pair) {
			continue
		}
		g := w.greedyAt(c, pair)
		begin := w.startTimer()
		touches = g.collides(0, 0)
		w.stopTimer(begin, &w.stats.DistanceTime)
		w.countDistance(g)
		if touches {
			return pair, true
		}
	}
	return -1, false
}
