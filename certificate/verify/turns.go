package verify

import "math"

// A straight piece of a continuous joint goes the short way: whole turns are taken
// off it, but only where nothing can tell. Then every pose is the same after so many
// turns, so that turns taken off one piece mean nothing to the next. Pieces of
// higher degree say themselves how they turn.

// unwind notes the turns that are taken off.
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

// returns reports whether the variable is a continuous joint's, and everything that
// moves with it is back in its place after n turns: whether it turns, by whole turns.
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

// whole reports whether a product is a whole number. The fused operation rounds once,
// so that it is 0 only where the product is exact.
func whole(a, b float64) bool {
	n := math.Round(a * b)
	return math.FMA(a, b, -n) == 0
}

// twoPi is four times half of pi, whose tail is positive.
var twoPi = interval{4 * halfPi, math.Nextafter(4*halfPi, 7)}

// shortWay returns how many turns the short way from one position to another leaves
// out, by the rule of docs/motions.md, which is one in float64: none up to half a turn,
// and the fewest that leave at most half a turn. So exactly half a turn goes in the
// direction of the numbers.
func shortWay(from, to float64) int {
	way := to - from
	turns := math.Ceil(math.Abs(way)/(2*math.Pi) - 0.5)
	if !(turns > 0 && turns <= maxAngle) || math.Abs(way) <= math.Pi {
		return 0 // half a turn or less; or no joint position, as placing it will say
	}
	return int(math.Copysign(turns, way))
}
