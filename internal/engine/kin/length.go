package kin

import "math"

// At returns the variable's position at s in [0, 1], as Around computes it.
func (c *Curve) At(s float64) float64 {
	switch len(c.pos) {
	case 1:
		return c.pos[0]
	case 2:
		return (1-s)*c.pos[0] + s*c.pos[1]
	}
	return bernsteinAt(c.pos, s)
}

// Length bounds the path length of the variable on [lo, hi], the integral of |q'| (SSL04,
// equation 7). It is |q(hi) - q(lo)| to rounding if the velocity's control points there have
// one sign.
//
// Proof. On [lo, hi] |q'| is at most the sum of |w_i| B_i, w_i the velocity's control points
// there, and each Bernstein polynomial of n has the mean 1/n. The control points have errors
// as in hull, 64u of the largest, and as Blur says.
func (c *Curve) Length(lo, hi float64) float64 {
	if len(c.vel) == 0 || hi <= lo {
		return 0
	}
	wide := stepUp(hi - lo)
	if len(c.vel) == 1 {
		return (math.Abs(c.vel[0]) + c.velOff) * wide * (1 + 8*u)
	}
	var w [MaxDegree + 1]float64
	n := copy(w[:], c.vel)
	top := maxAbs(w[:n])
	if hi < 1 {
		cutLeft(w[:n], hi)
	}
	if lo > 0 {
		cutRight(w[:n], lo/hi)
	}
	sum := 0.0
	for _, v := range w[:n] {
		sum += math.Abs(v)
	}
	return ((sum/float64(n) + 64*u*top) + c.velOff) * wide * (1 + 16*u)
}

// Straight reports whether the variable moves at a constant rate, possibly zero.
func (c *Curve) Straight() bool { return len(c.pos) <= 2 }
