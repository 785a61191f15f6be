// Package interval computes with closed intervals of numbers, vectors, matrices and poses.
// Every result contains all results of real arithmetic: each operation is rounded to nearest
// and then one unit outward.
//
// If a bound overflows or an operand is not a number, the result is unbounded: it has an
// infinite end, and no proof can use it.
package interval

import "math"

// I is the closed interval [Lo, Hi]; an end may be infinite.
type I struct{ Lo, Hi float64 }

// Point is the interval of one number.
func Point(x float64) I { return I{x, x} }

// Of is the interval between two numbers in either order.
func Of(a, b float64) I {
	if a <= b {
		return I{a, b}
	}
	if b < a {
		return I{b, a}
	}
	return everything()
}

// Within is x plus or minus err >= 0.
func Within(x, err float64) I { return outward(x-err, x+err) }

func everything() I { return I{math.Inf(-1), math.Inf(1)} }

// outward moves both ends by one unit in the last place: the error of one rounding to nearest
// is at most half of that. NaN becomes the unbounded interval.
func outward(lo, hi float64) I {
	if lo != lo || hi != hi {
		return everything()
	}
	return I{below(lo), above(hi)}
}

// below returns the number before x; for +Inf the largest finite one, because an overflowing
// sum or product exceeds it.
func below(x float64) float64 {
	if x == 0 {
		return -math.SmallestNonzeroFloat64
	}
	b := math.Float64bits(x)
	if x > 0 {
		return math.Float64frombits(b - 1)
	}
	if b == minusInf {
		return x
	}
	return math.Float64frombits(b + 1)
}

func above(x float64) float64 { return -below(-x) }

var minusInf = math.Float64bits(math.Inf(-1))

// Add returns a + b.
func (a I) Add(b I) I { return outward(a.Lo+b.Lo, a.Hi+b.Hi) }

// Sub returns a - b.
func (a I) Sub(b I) I { return outward(a.Lo-b.Hi, a.Hi-b.Lo) }

// Neg returns -a, exactly.
func (a I) Neg() I { return I{-a.Hi, -a.Lo} }

// Mul returns a b.
func (a I) Mul(b I) I {
	// The signs decide which two of the four products are the ends; of an interval
	// around 0 the products with either end of the other count.
	switch {
	case a.Lo >= 0:
		switch {
		case b.Lo >= 0:
			return outward(a.Lo*b.Lo, a.Hi*b.Hi)
		case b.Hi <= 0:
			return outward(a.Hi*b.Lo, a.Lo*b.Hi)
		}
		return outward(a.Hi*b.Lo, a.Hi*b.Hi)
	case a.Hi <= 0:
		switch {
		case b.Lo >= 0:
			return outward(a.Lo*b.Hi, a.Hi*b.Lo)
		case b.Hi <= 0:
			return outward(a.Hi*b.Hi, a.Lo*b.Lo)
		}
		return outward(a.Lo*b.Hi, a.Lo*b.Lo)
	}
	switch {
	case b.Lo >= 0:
		return outward(a.Lo*b.Hi, a.Hi*b.Hi)
	case b.Hi <= 0:
		return outward(a.Hi*b.Lo, a.Lo*b.Lo)
	}
	return outward(min(a.Lo*b.Hi, a.Hi*b.Lo), max(a.Lo*b.Lo, a.Hi*b.Hi))
}

// Scale returns k a.
func (a I) Scale(k float64) I { return a.Mul(Point(k)) }

// Div returns a / b; the unbounded interval if b contains 0.
func (a I) Div(b I) I {
	if !(b.Lo > 0 || b.Hi < 0) {
		return everything()
	}
	p, q, r, s := a.Lo/b.Lo, a.Lo/b.Hi, a.Hi/b.Lo, a.Hi/b.Hi
	return outward(min(p, q, r, s), max(p, q, r, s))
}

// Sqr returns the squares of a's numbers.
func (a I) Sqr() I {
	m := a.Abs()
	s := outward(m.Lo*m.Lo, m.Hi*m.Hi)
	s.Lo = max(s.Lo, 0)
	return s
}

// Abs returns the magnitudes of a's numbers, exactly.
func (a I) Abs() I {
	switch {
	case a.Lo >= 0:
		return a
	case a.Hi <= 0:
		return a.Neg()
	}
	return I{0, max(-a.Lo, a.Hi)}
}

// Sqrt returns the square roots of the non-negative numbers of a.
func (a I) Sqrt() I {
	r := outward(math.Sqrt(max(a.Lo, 0)), math.Sqrt(max(a.Hi, 0)))
	r.Lo = max(r.Lo, 0)
	return r
}

// Hull returns the smallest interval that contains a and b.
func (a I) Hull(b I) I { return I{min(a.Lo, b.Lo), max(a.Hi, b.Hi)} }

// Intersect returns the intersection of a and b; ok is false if it is empty.
func (a I) Intersect(b I) (c I, ok bool) {
	c = I{max(a.Lo, b.Lo), min(a.Hi, b.Hi)}
	return c, c.Lo <= c.Hi
}

// Grow returns a with both ends moved outward by r >= 0.
func (a I) Grow(r float64) I { return outward(a.Lo-r, a.Hi+r) }

// Contains reports whether x is in a.
func (a I) Contains(x float64) bool { return a.Lo <= x && x <= a.Hi }

// Holds reports whether all of b is in a.
func (a I) Holds(b I) bool { return a.Lo <= b.Lo && b.Hi <= a.Hi }

// Mag returns the largest magnitude of a's numbers.
func (a I) Mag() float64 { return max(-a.Lo, a.Hi) }

// Mig returns the smallest magnitude of a's numbers.
func (a I) Mig() float64 { return a.Abs().Lo }

// Mid returns a number in the middle of a.
func (a I) Mid() float64 {
	if m := 0.5*a.Lo + 0.5*a.Hi; a.Contains(m) {
		return m
	}
	return a.Lo
}

// Width returns an upper bound of the length of a.
func (a I) Width() float64 { return above(a.Hi - a.Lo) }
