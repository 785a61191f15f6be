package verify

import "math"

// A straight piece of a continuous joint takes the short way: whole turns are subtracted, but
// only if that changes nothing else. Then every pose is the same after so many turns, so that
// turns subtracted on one piece do not affect the next. Pieces of higher degree determine
// their turns themselves.

// unwind records the turns that are subtracted.
func (c *course) unwind(t *tree) {
	if c.m.KeepTurns {
		return
	}
	for row, name := range c.m.Joints {
		for p := range c.m.Pieces {
			ctrl := c.m.Pieces[p].Ctrl[row]
			if len(ctrl) != 2 {
				continue
			}
			n := shortWay(ctrl[0], ctrl[1])
			if n == 0 || !t.returns(name, n) {
				continue
			}
			if c.turns[row] == nil {
				c.turns[row] = make([]int, len(c.m.Pieces))
			}
			c.turns[row][p] = n
		}
	}
}

// returns reports whether the variable is a continuous joint's, and everything that moves with
// it is back at its pose after n turns: all joints that rotate with it do so by whole turns.
func (t *tree) returns(variable string, n int) bool {
	found := false
	for i := range t.joints {
		s := &t.joints[i].source
		if s.ctrl != nil || s.variable != variable {
			continue
		}
		found = true
		if !s.continuous || s.mult != 0 && (t.joints[i].slides || !whole(s.mult, float64(n))) {
			return false
		}
	}
	return found
}

// whole reports whether a product is a whole number. The fused operation rounds once, so that
// it is 0 only if the product is exact.
func whole(a, b float64) bool {
	n := math.Round(a * b)
	return math.FMA(a, b, -n) == 0
}

// twoPi is four times half of pi, whose tail is positive.
var twoPi = interval{4 * halfPi, math.Nextafter(4*halfPi, 7)}

// shortWay returns how many turns the short way from one position to another leaves out, by
// the rule of docs/motions.md in float64: none up to half a turn, otherwise the fewest that
// leave at most half a turn. So exactly half a turn keeps the direction of the positions.
func shortWay(from, to float64) int {
	way := to - from
	turns := math.Ceil(math.Abs(way)/(2*math.Pi) - 0.5)
	if !(turns > 0 && turns <= maxAngle) || math.Abs(way) <= math.Pi {
		return 0 // half a turn or less; or an invalid joint position, which placing will report
	}
	return int(math.Copysign(turns, way))
}
