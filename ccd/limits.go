package ccd

import "github.com/firstcontact-ros/firstcontact/motion"

// limitTolerance in rad or m: controllers print limits with six digits.
const limitTolerance = 1e-6

// leavesLimits reports whether the joint leaves [lo, hi] at some time of the
// motion. Control points may lie outside where the polynomial does not: those of
// a spline that stops at a limit do.
func leavesLimits(m *motion.Motion, joint string, lo, hi float64) bool {
	for row, name := range m.Joints {
		if name != joint {
			continue
		}
		for p := range m.Pieces {
			if outside(m.Pieces[p].Ctrl[row], lo-limitTolerance, hi+limitTolerance, 0) {
				return true
			}
		}
	}
	return false
}

// outside reports whether the Bernstein polynomial c leaves [lo, hi], by halving:
// its ends are values, its control points bound it. What 30 halvings leave open
// differs from a limit by less than rounding.
func outside(c []float64, lo, hi float64, halvings int) bool {
	within := true
	for _, x := range c {
		within = within && x >= lo && x <= hi
	}
	switch first, last := c[0], c[len(c)-1]; {
	case within:
		return false
	case first < lo || first > hi || last < lo || last > hi:
		return true
	case halvings == 30:
		return false
	}
	left, right := make([]float64, len(c)), append([]float64(nil), c...)
	for k := range c {
		left[k] = right[0]
		for i := range len(c) - 1 - k {
			right[i] = (right[i] + right[i+1]) / 2
		}
	}
	return outside(left, lo, hi, halvings+1) || outside(right, lo, hi, halvings+1)
}
