package node

import (
	"errors"
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/config"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
)

// takeRanges adds the ranges of a request to those of a query.
func takeRanges(q *motion.DistanceRanges, ranges []fcmsgs.DistanceRange) error {
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

// classes are the classes of pairs with parameters of their own.
var classes = [...]string{"self", "world", "attached"}

// classRanges reads the distance ranges of all pairs and of classes.
func classRanges(v config.Values) motion.DistanceRanges {
	r := motion.DistanceRanges{Min: v.Double("distance_range.min"), Max: v.Double("distance_range.max")}
	for i, of := range [...]**motion.DistanceRange{&r.SelfRange, &r.WorldRange, &r.AttachedRange} {
		low, high := v.Double("distance_range."+classes[i]+".min"), v.Double("distance_range."+classes[i]+".max")
		if low < 0 && high < 0 {
			continue
		}
		own := motion.DistanceRange{Min: r.Min, Max: r.Max}
		if low >= 0 {
			own.Min = low
		}
		if high >= 0 {
			own.Max = high
		}
		*of = &own
	}
	return r
}

// rangeWords lists ranges for the log.
func rangeWords(r motion.DistanceRanges) string {
	text := fmt.Sprintf("%g to %g m", r.Min, r.Max)
	for i, own := range [...]*motion.DistanceRange{r.SelfRange, r.WorldRange, r.AttachedRange} {
		if own != nil {
			text += fmt.Sprintf(", %s %g to %g m", classes[i], own.Min, own.Max)
		}
	}
	return text
}

// checkRanges reports ranges of classes that are empty, or end before the distances that
// levels depend on.
func checkRanges(v config.Values) error {
	r, warn := classRanges(v), v.Double("warn_distance")
	var errs []error
	if low, high := v.Double("trajectory.min_distance"), v.Double("trajectory.max_distance"); high > 0 && low > high {
		errs = append(errs, fmt.Errorf("parameter trajectory.max_distance: %g m is below trajectory.min_distance, %g m: raise the first or lower the second", high, low))
	}
	for i, own := range [...]*motion.DistanceRange{r.SelfRange, r.WorldRange, r.AttachedRange} {
		name := "distance_range." + classes[i]
		switch {
		case own == nil:
		case own.Max < own.Min:
			errs = append(errs, fmt.Errorf("parameter %s.max: pairs %s have the range %g m to %g m: lower %[1]s.min or raise %[1]s.max", name, classes[i], own.Min, own.Max))
		case own.Max < warn:
			errs = append(errs, fmt.Errorf("parameter %s.max: %g m is below warn_distance, %g m, and the level WARN needs distances up to that: raise the first or lower the second", name, own.Max, warn))
		}
	}
	return errors.Join(errs...)
}

// wider makes a search go a little beyond the thresholds of levels, so that the tolerance
// of distances leaves no doubt about a pair that the search passes over.
const wider = 1 + 2*tolerance

// searched is the range to search for one that levels are graded by.
func searched(r motion.DistanceRange, warn float64, stops bool) motion.DistanceRange {
	s := motion.DistanceRange{Max: max(r.Max, r.Min*wider, warn*wider)}
	if stops {
		s.Min = r.Min * wider
	}
	return s
}

// search is the query for the distances that a model's levels are graded by. If it stops,
// it does at a pair closer than its minimum; if not, every pair keeps its minimum.
func (l *limits) search(m *model, k int, stops bool) motion.DistanceQuery {
	q := motion.DistanceQuery{K: k, Relative: tolerance}
	all := searched(motion.DistanceRange{Min: l.ranges.Min, Max: l.ranges.Max}, l.warn, stops)
	q.Min, q.Max = all.Min, all.Max
	own := [...]*motion.DistanceRange{l.ranges.SelfRange, l.ranges.WorldRange, l.ranges.AttachedRange}
	for i, of := range [...]**motion.DistanceRange{&q.SelfRange, &q.WorldRange, &q.AttachedRange} {
		if own[i] != nil {
			r := searched(*own[i], l.warn, stops)
			*of = &r
		}
	}
	for _, pair := range m.measured() {
		r := m.margins[pair]
		q.Ranges = append(q.Ranges, motion.PairRange{A: pair[0], B: pair[1], DistanceRange: searched(motion.DistanceRange{Min: r.stop, Max: r.far}, r.warn, stops)})
	}
	return q
}

// near is the query for the pairs that are closer than where their level WARN begins. Of a pair with
// a margin of its own that is often much less than where it begins for others: such pairs are close by
// design, and that they are clear of their margins is proved sooner than how far apart they are.
func (l *limits) near(m *model) motion.DistanceQuery {
	q := motion.DistanceQuery{K: 1 + len(m.margins), DistanceRanges: motion.DistanceRanges{Max: l.warn * wider}, Relative: tolerance}
	for _, pair := range m.measured() {
		own := motion.DistanceRange{Max: max(m.margins[pair].warn*wider, motion.DefaultTolerance)} // 0 would be without end
		q.Ranges = append(q.Ranges, motion.PairRange{A: pair[0], B: pair[1], DistanceRange: own})
	}
	return q
}

// within fills in the bounds of a state's distances. Lower bounds of what is beyond the
// maximum of its range say no more than that.
func (l *limits) within(s *fcmsgs.CollisionState, d *motion.Distances) {
	self, world, held := l.ranges.OfClass(false, false).Max, l.ranges.OfClass(true, false).Max, 0.0
	if l.ranges.AttachedRange != nil {
		held = l.ranges.AttachedRange.Max
	}
	self, world = max(self, held), max(world, held)
	s.SelfLower, s.SelfUpper = capped(d.Self, self)
	s.WorldLower, s.WorldUpper = capped(d.World, world)
	s.AttachedLower, s.AttachedUpper = capped(d.Attached, max(self, world))
	s.DistanceLower, s.DistanceUpper = min(s.SelfLower, s.WorldLower, max(self, world)), min(s.SelfUpper, s.WorldUpper)
	s.Stopped, s.BeyondMax = d.Stopped, !d.Stopped && math.IsInf(s.DistanceUpper, 1)
}

// capped is an interval of a class whose pairs may all be beyond the maximum of their ranges.
func capped(x motion.Interval, far float64) (lower, upper float64) {
	if math.IsInf(x.Hi, 1) && !math.IsInf(x.Lo, 1) {
		x.Lo = min(x.Lo, far)
	}
	return x.Lo, x.Hi
}

// unmeasured says that nothing is known of a state's distances.
func unmeasured(s *fcmsgs.CollisionState) {
	for _, x := range distancesIn(s) {
		*x = nan
	}
	s.Stopped, s.BeyondMax = false, false
}

// joinDistances makes the bounds of a state's distances hold for another's configuration,
// too. min returns NaN if either operand is NaN, that is, if nothing is proved.
func joinDistances(s, other *fcmsgs.CollisionState) {
	own, others := distancesIn(s), distancesIn(other)
	for i := range own {
		*own[i] = min(*own[i], *others[i])
	}
	s.Stopped, s.BeyondMax = s.Stopped || other.Stopped, s.BeyondMax && other.BeyondMax
}

func distancesIn(s *fcmsgs.CollisionState) [8]*float64 {
	return [...]*float64{
		&s.DistanceLower, &s.DistanceUpper, &s.SelfLower, &s.SelfUpper, &s.WorldLower, &s.WorldUpper, &s.AttachedLower, &s.AttachedUpper,
	}
}
