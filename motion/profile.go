package motion

import (
	"fmt"
	"math"
	"time"
)

// ProfileQuery asks for the smallest distance over the time of a motion. The zero value asks
// for all pairs, to a millimetre.
type ProfileQuery struct {
	// Tolerance (m) is how far apart the bounds may be; 0 means DefaultClearanceTolerance, and
	// 1e-7 is the minimum.
	Tolerance float64
	// Range is the distance range interval of each pair. A pair found closer than its
	// Min ends the profile there (DistanceProfile.Stopped); where a lower bound before
	// is above zero, every pair is proved farther apart than its Min less Tolerance. A
	// pair does not count while it is farther apart than its Max.
	Range DistanceRanges
	// Budget of computing time; 0 means none. When it is spent the rest of the profile
	// is Unknown.
	Budget time.Duration
	// Deadline is when the search ends on the wall clock, as in Query; zero means never.
	// The rest of the profile is then Unknown.
	Deadline time.Time
	// NoSelf and NoWorld leave out self pairs, or pairs with the world.
	NoSelf, NoWorld bool
}

// minProfileTolerance (m) is the smallest tolerance: rounding errors are far below it.
const minProfileTolerance = 1e-7

// Validate returns an error if a number of the query is invalid.
func (q *ProfileQuery) Validate() error {
	switch {
	case !(q.Tolerance >= 0) || math.IsInf(q.Tolerance, 0) || q.Tolerance > 0 && q.Tolerance < minProfileTolerance:
		return fmt.Errorf("a profile with tolerance %g m: give %g or more", q.Tolerance, minProfileTolerance)
	case q.Budget < 0:
		return fmt.Errorf("budget %v must be zero (none) or more", q.Budget)
	}
	return q.Range.Validate()
}

// DistanceProfile bounds the smallest distance of any checked pair at every time of a
// motion. Its spans follow one another without gaps from 0 to the end of the motion.
// Lower bounds are proved, upper bounds are distances of points of the bodies.
type DistanceProfile struct {
	Spans []ProfileSpan
	// Stopped says that a pair came closer than its Min of ProfileQuery.Range, as At
	// shows, and that the profile ends there: the last span, which is Unknown, begins no
	// later.
	Stopped bool
	At      Witness
	// Reason says why the profile is incomplete; it is empty otherwise. The last span
	// is then Unknown.
	Reason string

	Compute time.Duration // computing time of the thread, as in Verdict
	Work    Work
}

// ProfileSpan bounds the smallest distance from Start to End by two straight lines. The
// distance is nowhere below the line through Lower and nowhere above that through Upper. The
// lines are no farther apart than the tolerance, except if Beyond or Unknown.
type ProfileSpan struct {
	Start, End float64    // s
	Lower      [2]float64 // m, at Start and at End
	Upper      [2]float64 // m, at Start and at End
	// At is a pair and two of its points, at a time within the span. They are no farther apart
	// than Upper then, and by no more than the tolerance closer. Upper bounds the distance of
	// this pair throughout the span.
	At Witness
	// Beyond says that all pairs are farther apart than their Max throughout the span;
	// Lower is then the smallest Max. Upper is +Inf, or that of some pair that was
	// measured.
	Beyond bool
	// Unknown says that the budget, the deadline or the context ended before this span. Lower is 0
	// and Upper +Inf.
	Unknown bool
}

// Bounds returns the bounds (m) of the smallest distance at a time t (s) of the motion.
// Outside the motion they are 0 and +Inf.
func (p *DistanceProfile) Bounds(t float64) Interval {
	for i := range p.Spans {
		if s := &p.Spans[i]; t >= s.Start && t <= s.End {
			return Interval{Lo: s.along(s.Lower, t), Hi: s.along(s.Upper, t)}
		}
	}
	return Interval{Lo: 0, Hi: math.Inf(1)}
}

// along returns the height of a line over the span at t, given its heights at the ends.
func (s *ProfileSpan) along(ends [2]float64, t float64) float64 {
	if s.Start == s.End || ends[0] == ends[1] {
		return min(ends[0], ends[1])
	}
	x := (t - s.Start) / (s.End - s.Start)
	return ends[0]*(1-x) + ends[1]*x
}
