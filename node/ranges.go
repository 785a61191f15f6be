package node

import (
	"fmt"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
)

// takeRanges puts the ranges of a request into a query.
func takeRanges(q *motion.DistanceQuery, ranges []fcmsgs.DistanceRange) error {
	if len(ranges) > limit.MessageRanges {
		return fmt.Errorf("ranges has %d entries: at most %d are taken", len(ranges), limit.MessageRanges)
	}
	for i := range ranges {
		r := &ranges[i]
		own := motion.DistanceRange{Min: r.Min, Max: r.Max}
		if r.Of == fcmsgs.DistanceRangePair {
			q.Ranges = append(q.Ranges, motion.PairRange{A: r.A, B: r.B, DistanceRange: own})
			continue
		}
		class := map[uint8]**motion.DistanceRange{
			fcmsgs.DistanceRangeSelf: &q.SelfRange, fcmsgs.DistanceRangeWorld: &q.WorldRange, fcmsgs.DistanceRangeAttached: &q.AttachedRange,
		}[r.Of]
		switch {
		case class == nil:
			return fmt.Errorf("ranges[%d] is of %d: give SELF (1), WORLD (2), ATTACHED (3) or PAIR (4)", i, r.Of)
		case *class != nil:
			return fmt.Errorf("ranges[%d] is the second of its class: give one", i)
		case r.A != "" || r.B != "":
			return fmt.Errorf("ranges[%d] names %s and %s, but is of a class: give of PAIR (4), or no names", i, r.A, r.B)
		}
		*class = &own
	}
	return nil
}
