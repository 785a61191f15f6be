package engine

import "math"

// u is the largest relative error of one float64 operation.
const u = 0x1p-53

// TimeBelow turns the parameter s of a piece from start to end into seconds, rounded
// down: the product and the sum err by at most a unit in the last place each.
func TimeBelow(start, end, s float64) float64 {
	if s <= 0 {
		return start
	}
	t := start + s*(end-start)
	return max(start, t-4*u*(math.Abs(t)+end-start))
}

// TimeAbove is TimeBelow rounded up.
func TimeAbove(start, end, s float64) float64 {
	if s <= 0 {
		return start
	}
	t := start + s*(end-start)
	return min(end, t+4*u*(math.Abs(t)+end-start))
}

// OrDefault returns x, or def where x is 0: the number was not given.
func OrDefault(x, def float64) float64 {
	if x > 0 {
		return x
	}
	return def
}
