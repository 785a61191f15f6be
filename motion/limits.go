package motion

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// MaxPosition (rad or m) bounds every joint position, as a control point, and every coordinate
// of a moving root link.
//
// Up to it nothing overflows: with at most six control points a joint's velocity on a piece is
// at most 1e7, its acceleration 8e7 and its jerk 5e8, or 1e6 times that for a mimic joint with
// a large multiplier, so that the products of at most six such numbers, and sums of 256 of
// them, stay below 1e100. Rounding stays small, too: float64 numbers are 1.2e-10 apart there.
const MaxPosition = min(geom.MaxLength, geom.MaxAngle)

// MaxTime (s) bounds the time of a waypoint. It is some 30,000 years; float64 numbers are 0.12
// ms apart there, so that the rest of one second of a single waypoint, and the difference of
// two times, keep the resolution of a clock.
const MaxTime = 1e12

// inRange is false for numbers beyond MaxPosition, infinities and NaN.
func inRange(x float64) bool { return math.Abs(x) <= MaxPosition }

func vecInRange(v geom.Vec) bool { return inRange(v.X) && inRange(v.Y) && inRange(v.Z) }
