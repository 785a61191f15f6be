package ccd

import (
	"math"

	methods "github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// askedRanges are distance ranges that make sense for a model.
type askedRanges struct {
	model *model.Model
	of    motion.DistanceRanges
}

// checkRanges fails on distance ranges that make no sense, unless they are those of the
// last question.
func (c *Checker) checkRanges(q *motion.DistanceRanges) error {
	if q.IsZero() {
		return nil
	}
	if last := c.lastRange.Load(); last != nil && last.model == c.model && methods.SameRanges(&last.of, q) {
		return nil
	}
	if _, err := methods.RangesOf(c.model, q); err != nil {
		return err
	}
	c.lastRange.Store(&askedRanges{c.model, q.Clone()})
	return nil
}

// ownRanges returns the largest Min and the largest Max, +Inf for none, that a pair of
// the robot's own may have.
func ownRanges(q *motion.DistanceRanges) (least, most float64) {
	all := []motion.DistanceRange{q.OfClass(false, false), q.OfClass(false, true)}
	for i := range q.Ranges {
		all = append(all, q.Ranges[i].DistanceRange)
	}
	for _, r := range all {
		if r.Max == 0 {
			r.Max = math.Inf(1)
		}
		least, most = max(least, r.Min), max(most, r.Max)
	}
	return least, most
}
