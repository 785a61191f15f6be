package geom

import "math"

// MaxLength (m) bounds every length and coordinate of a robot or a scene. It is far
// beyond any machine, and small enough that products of several lengths neither
// overflow nor lose what is computed from them.
const MaxLength = 1e6

// MinLength (m) is the smallest size that a shape or a cell may have. Its
// fourth power is far above the smallest numbers that float64 holds at full precision.
const MinLength = 1e-20

// MaxAngle (rad) bounds every angle that a file or a user gives.
const MaxAngle = 1e6

// Bounded reports whether every component of v is a number within MaxLength.
func Bounded(v Vec) bool {
	return math.Abs(v.X) <= MaxLength && math.Abs(v.Y) <= MaxLength && math.Abs(v.Z) <= MaxLength
}
