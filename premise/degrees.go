package premise

import (
	"fmt"
	"math"
)

// MaxRPY (rad) is the largest angle of an origin that is taken for radians: a whole turn, with
// room for rounding.
const MaxRPY = 2*math.Pi + 0.01

// Degrees is the gap that the roll, pitch and yaw of a pose look like degrees, if they do. what
// says whose they are, as in "the origin of joint elbow"; name is its name.
func Degrees(what, name string, rpy [3]float64) (Premise, bool) {
	most := max(math.Abs(rpy[0]), math.Abs(rpy[1]), math.Abs(rpy[2]))
	if most <= MaxRPY {
		return Premise{}, false
	}
	return Premise{
		Kind: Implausible, Names: []string{"rpy-degrees", name}, Value: most,
		Detail: fmt.Sprintf("%s is turned by rpy (%g, %g, %g), more than a whole turn: this looks like degrees", what, rpy[0], rpy[1], rpy[2]),
		Remedy: "write rpy in radians: 90 degrees are 1.5708",
	}, true
}
