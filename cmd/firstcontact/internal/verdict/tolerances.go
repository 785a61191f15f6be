package verdict

import (
	"cmp"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// Tolerances says how exact an answer about a motion is.
type Tolerances struct {
	// m: a pair counts as touching within it.
	Tolerance float64 `json:"tolerance"`
	// s: the interval of toc is no wider.
	Time float64 `json:"time_tolerance"`
	// m: the bounds of min_clearance differ by no more; 0 if it is not asked for.
	Clearance float64 `json:"clearance_tolerance"`
}

// TolerancesOf returns the tolerances that a query is answered with.
func TolerancesOf(q motion.Query) Tolerances {
	t := Tolerances{Tolerance: cmp.Or(q.Tolerance, motion.DefaultTolerance), Time: cmp.Or(q.TimeTolerance, motion.DefaultTimeTolerance)}
	if q.Question == motion.MinClearance {
		t.Clearance = cmp.Or(q.ClearanceTolerance, motion.DefaultClearanceTolerance)
	}
	return t
}
