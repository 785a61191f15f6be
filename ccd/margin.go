package ccd

import (
	"context"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// CheckMargin answers q as Check does. Where the motion comes within a positive
// q.Clearance, touch is the answer to q with clearance 0, which tells whether the bodies
// touch at all; otherwise touch is nil. q.Budget is that of each of the two checks.
func (c *Checker) CheckMargin(ctx context.Context, m *motion.Motion, q motion.Query) (v motion.Verdict, touch *motion.Verdict, err error) {
	v, err = c.Check(ctx, m, q)
	if err != nil || v.Status != motion.Contact || q.Clearance == 0 {
		return v, nil, err
	}
	q.Clearance = 0
	if !q.Range.IsZero() { // which v has answered
		q.Question, q.Range = motion.FirstContact, motion.DistanceRanges{}
	}
	t, err := c.Check(ctx, m, q)
	if err != nil {
		return v, nil, err
	}
	return v, &t, nil
}
