package bench

import (
	"context"
	"fmt"
	"slices"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// benchTracker measures distances at the starts of segments.
type benchTracker struct {
	tracker *ccd.DistanceTracker
	starts  [][]float64 // in the tracker's joint order
}

func newBenchTracker(c *ccd.Checker, q motion.DistanceQuery, segments []*motion.Motion) (*benchTracker, error) {
	g, err := c.DistanceTracker(q)
	if err != nil {
		return nil, err
	}
	b := &benchTracker{tracker: g}
	joints, state := c.ActiveJoints(), c.State()
	for _, s := range segments {
		at := s.At(0)
		q := make([]float64, len(joints))
		for i, name := range joints {
			q[i] = state[name]
		}
		for i, name := range s.Joints {
			k := slices.Index(joints, name)
			if k < 0 {
				return nil, fmt.Errorf("%s: the robot has no independent joint %s", s.ID, name)
			}
			q[k] = at[i]
		}
		b.starts = append(b.starts, q)
	}
	return b, nil
}

// check measures at the start of a segment. Touching is Contact; the smallest distance is
// reported as a clearance.
func (b *benchTracker) check(ctx context.Context, segment int) (motion.Verdict, error) {
	d, err := b.tracker.Distance(ctx, b.starts[segment])
	if err != nil {
		return motion.Verdict{}, err
	}
	v := motion.Verdict{Status: motion.Free}
	if len(d.Pairs) == 0 {
		return v, nil
	}
	p := &d.Pairs[0]
	if p.Bounds.Hi <= 0 {
		v.Status, v.Contact = motion.Contact, p.Witness
	}
	v.MinClearance.Known, v.MinClearance.Bounds, v.MinClearance.At = true, p.Bounds, p.Witness
	return v, nil
}
