package ccd

import (
	"context"

	"github.com/firstcontact-ros/firstcontact/internal/engine/bisect"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Segments tests the segments of a planner's roadmap by the method of SSL04. What was
// proved of a segment stays with it, so that a later test goes on where the last one
// ended (section II-D). It belongs to one goroutine, and so do its segments.
type Segments struct{ c *bisect.PathChecker }

// Segment is a straight segment and what is known of it.
type Segment struct{ e *bisect.Edge }

// New returns the segment between two configurations, in the order of the joints; nothing
// is tested yet. It fails on numbers that are not finite.
func (s *Segments) New(from, to []float64) (*Segment, error) {
	e, err := s.c.Edge(from, to)
	if err != nil {
		return nil, err
	}
	return &Segment{e}, nil
}

// Status tells what is known of the segment: Free (no pair comes as close as the
// clearance), Contact (two points of a pair were found within clearance and tolerance), or
// Undecided (so far).
func (s *Segment) Status() motion.Status { return statusOf(s.e.Outcome()) }

// Priority tells which of several segments is the most likely to collide: the larger, the
// likelier (II-C). That of a segment not yet tested, or decided, is 0.
func (s *Segment) Priority() float64 { return s.e.Priority() }

func statusOf(o bisect.Outcome) motion.Status {
	switch o {
	case bisect.Free:
		return motion.Free
	case bisect.Collides:
		return motion.Contact
	}
	return motion.Undecided
}

// Test tests a segment until it is decided. It is Undecided where the context ends it, or
// with a reason where no more can be proved.
func (s *Segments) Test(ctx context.Context, of *Segment) (status motion.Status, reason string) {
	return s.TestSome(ctx, of, -1)
}

// TestSome is Test that takes at most so many elements from the segment's queue; all where
// that is negative.
func (s *Segments) TestSome(ctx context.Context, of *Segment, elements int) (status motion.Status, reason string) {
	outcome, reason := s.c.TestSome(ctx, of.e, elements)
	return statusOf(outcome), reason
}

// TestPath tests segments together, the most likely to collide first, until one is found
// to collide, whose index it returns, or all are decided; else the index is -1. What was
// proved of the other segments stays with them.
func (s *Segments) TestPath(ctx context.Context, path []*Segment) (status motion.Status, collides int, reason string) {
	edges := make([]*bisect.Edge, len(path))
	for i := range path {
		edges[i] = path[i].e
	}
	outcome, collides, reason := s.c.TestPath(ctx, edges)
	return statusOf(outcome), collides, reason
}

// Touches reports whether a configuration is in collision: whether some pair is within
// clearance and tolerance, or cannot be told from that, or one body is inside another.
func (s *Segments) Touches(at []float64) (bool, error) { return s.c.Touches(at) }

// Contact returns where a segment that collides was found to, in W; its Time is the part
// of the segment. It is zero for other segments.
func (s *Segments) Contact(of *Segment) motion.Witness { return s.c.Contact(of.e) }
