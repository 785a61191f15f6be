package ccd

import (
	"context"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// CheckMargin answers q like Check and, where the motion comes within a positive
// q.Clearance, asks on whether it touches at all: touch is then the answer to q
// with clearance 0, else nil. Both answers share one budget only through ctx.
func (c *Checker) CheckMargin(ctx context.Context, m *motion.Motion, q motion.Query) (v motion.Verdict, touch *motion.Verdict, err error) {
	v, err = c.Check(ctx, m, q)
	if err != nil || v.Status != motion.Contact || q.Clearance == 0 {
		return v, nil, err
	}
	q.Clearance = 0
	t, err := c.Check(ctx, m, q)
	if err != nil {
		return v, nil, err
	}
	return v, &t, nil
}
