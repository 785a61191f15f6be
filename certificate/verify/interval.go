package verify

import "math"

// interval holds a real number between lo and hi. Every operation returns an
// interval around all results that the operands allow, rounded outward.
type interval struct{ lo, hi float64 }

func exactly(x float64) interval { return interval{x, x} }

func (a interval) add(b interval) interval {
	return interval{addDown(a.lo, b.lo), addUp(a.hi, b.hi)}
}

func (a interval) neg() interval           { return interval{-a.hi, -a.lo} }
func (a interval) sub(b interval) interval { return a.add(b.neg()) }

// mul steps outward from the smallest and largest of the products of the ends,
// except where one factor is zero.
func (a interval) mul(b interval) interval {
	if a == (interval{}) || b == (interval{}) {
		return interval{}
	}
	if a.lo >= 0 && b.lo >= 0 {
		return interval{down(a.lo * b.lo), up(a.hi * b.hi)}
	}
	p, q, r, s := a.lo*b.lo, a.lo*b.hi, a.hi*b.lo, a.hi*b.hi
	return interval{down(min(p, q, r, s)), up(max(p, q, r, s))} // a NaN in any stays one
}

// over divides by a positive whole number.
func (a interval) over(n float64) interval {
	return interval{down(a.lo / n), up(a.hi / n)}
}

// up and down return the next float64 numbers: bounds of a real number that was rounded to x.
func up(x float64) float64   { return math.Nextafter(x, math.Inf(1)) }
func down(x float64) float64 { return math.Nextafter(x, math.Inf(-1)) }

// mag is the largest magnitude of a number in a.
func (a interval) mag() float64 { return math.Max(math.Abs(a.lo), math.Abs(a.hi)) }

// mid is a number in the middle of a, and rad an upper bound of the distance from it to either
// end.
func (a interval) mid() float64 { return a.lo + (a.hi-a.lo)/2 }

func (a interval) rad() float64 {
	m := a.mid()
	return math.Max(addUp(a.hi, -m), addUp(m, -a.lo))
}

// hull is the smallest interval around a and b.
func (a interval) hull(b interval) interval {
	return interval{math.Min(a.lo, b.lo), math.Max(a.hi, b.hi)}
}

// addUp and addDown round a sum up and down. The error of the rounded sum is a float64 itself
// (Knuth's two-sum), whose sign decides whether to take a step.
func addUp(a, b float64) float64 {
	s := a + b
	if twoSum(a, b, s) > 0 {
		return up(s)
	}
	return s
}

func addDown(a, b float64) float64 { return -addUp(-a, -b) }

func twoSum(a, b, s float64) float64 {
	bb := s - a
	return (a - (s - bb)) + (b - bb)
}

// mulUp rounds a product up.
func mulUp(a, b float64) float64 {
	if a == 0 || b == 0 {
		return 0 * a * b // which is NaN next to an infinity
	}
	return up(float64(a * b))
}

// u is the largest relative error of one float64 operation.
const u = 0x1p-53

// above returns more than any result that fewer than 30 roundings can have made too small:
// bounds are sums, products and roots of numbers that are zero or more, each rounding reduces
// them by at most the factor 1 - u, and 2^-48 is 32 u. The constant covers underflow, which
// under a root is 2^-511 at most.
func above(x float64) float64 { return x*(1+0x1p-48) + 0x1p-500 }
