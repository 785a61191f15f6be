package motion

import "math"

// ShortWay returns how many whole turns the short way between two positions of a continuous
// joint (rad) leaves out: it goes from the position `from` to the position to - 2 pi turns,
// half a turn or less away. Half a turn keeps the direction of to - from, and 0 to pi leaves
// nothing out. The result is odd in that difference. Positions are within MaxPosition.
//
// Whether turns may be left out depends on the joints that follow this one: ccd.Checker's
// Resolve returns what a robot does.
func ShortWay(from, to float64) (turns int) {
	d := to - from
	if math.Abs(d) <= math.Pi { // the usual case
		return 0
	}
	// The quotient less a half is exact.
	return int(math.Copysign(math.Ceil(math.Abs(d)/(2*math.Pi)-0.5), d))
}
