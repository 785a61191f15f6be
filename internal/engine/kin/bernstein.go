package kin

import "math"

// Curve is one variable's polynomial on one piece in Bernstein form over
// [0, 1], with its derivatives' control points.
type Curve struct {
	pos, vel, acc, jerk []float64

	maxAbs  float64 // the largest |control point| of pos: bounds |q| on the piece
	velErr  float64 // of the velocity evaluated at any time of the piece
	velOff  float64 // by how much vel errs if the control points do (Blur)
	accErr  float64 // what the rounding of vel adds to the error of acc
	jerkErr float64 // what the roundings of vel and acc add to the error of jerk
	topAcc  float64 // the largest |control point| of acc
}

// MaxDegree is the highest polynomial degree of a piece.
const MaxDegree = 5

// NewCurve makes the curve of control points ctrl, at most MaxDegree+1 of them,
// in the given buffer, which must hold CurveSize(len(ctrl)) numbers.
func NewCurve(ctrl, buf []float64) Curve {
	var c Curve
	c.Set(ctrl, buf)
	return c
}

// Set makes c the curve that NewCurve returns.
func (c *Curve) Set(ctrl, buf []float64) {
	n := len(ctrl)
	if n == 2 && len(c.pos) == 2 && &c.pos[0] == &buf[0] {
		c.setLine(ctrl[0], ctrl[1])
		return
	}
	c.pos, c.velOff = buf[:n:n], 0
	copy(c.pos, ctrl)
	if n == 1 { // it rests
		c.vel, c.acc, c.jerk = nil, nil, nil
		c.maxAbs, c.velErr, c.accErr, c.jerkErr, c.topAcc = math.Abs(c.pos[0]), 0, 0, 0, 0
		return
	}
	if n == 2 { // a line, as most are
		c.vel, c.acc, c.jerk = buf[2:3:3], nil, nil
		c.accErr, c.jerkErr, c.topAcc = 0, 0, 0
		c.setLine(ctrl[0], ctrl[1])
		return
	}
	buf = buf[n:]
	c.vel, buf = derivative(c.pos, buf)
	c.acc, buf = derivative(c.vel, buf)
	c.jerk, _ = derivative(c.acc, buf)
	top := maxAbs(c.vel)
	c.velErr, c.accErr, c.topAcc = 16*u*top, 5*u*float64(len(c.acc))*top, maxAbs(c.acc)
	c.jerkErr = float64(len(c.jerk)) * (3*c.accErr + 5*u*c.topAcc)
	c.maxAbs = maxAbs(ctrl)
}

// setLine sets a curve of two control points, which it was before.
func (c *Curve) setLine(from, to float64) {
	v := to - from
	c.pos[0], c.pos[1], c.vel[0] = from, to, v
	c.maxAbs, c.velErr, c.velOff = max(math.Abs(from), math.Abs(to)), 16*u*math.Abs(v), 0
}

// Blur says that each control point has an error of up to err, and that numbers as large as
// maxAbs were used to compute it. Call it once, after Set.
//
// A difference of two control points then has an additional error of 2 err, and a velocity n
// times that; accelerations and jerks are differences of those.
func (c *Curve) Blur(maxAbs, err float64) {
	c.maxAbs = max(c.maxAbs, maxAbs)
	n := float64(len(c.pos) - 1)
	if n < 1 || err == 0 {
		return
	}
	c.velOff = 2 * n * err
	c.velErr += c.velOff
	c.accErr += 2 * (n - 1) * c.velOff
	c.jerkErr += 4 * (n - 1) * max(n-2, 0) * c.velOff
}

// CurveSize returns how many numbers a Curve of n control points stores.
func CurveSize(n int) int { return n + max(n-1, 0) + max(n-2, 0) + max(n-3, 0) }

// derivative writes the control points of the derivative into buf.
func derivative(b, buf []float64) (d, rest []float64) {
	n := len(b) - 1
	if n < 1 {
		return nil, buf
	}
	d, rest = buf[:n:n], buf[n:]
	for i := range d {
		d[i] = float64(n) * (b[i+1] - b[i])
	}
	return d, rest
}

// Constant reports whether the curve is constant.
func (c *Curve) Constant() bool {
	if c.velOff != 0 {
		return false
	}
	for _, b := range c.pos[1:] {
		if b != c.pos[0] {
			return false
		}
	}
	return true
}

// Around describes a variable on an interval around the time c: its position, velocity and
// acceleration at c, and bounds for the whole interval.
type Around struct {
	Q, QD, QDD float64

	Delta  float64 // >= |q(t) - q(c)|
	Omega  float64 // >= |q'(t)|
	Alpha  float64 // >= |q''(t)|
	Beta   float64 // >= |q'''(t)|
	MaxAbs float64 // >= |q| on the piece; scales the rounding error of Q
	QDErr  float64 // >= |QD - q'(c)|: four interpolations (12u) of rounded differences (2u)
	QDDErr float64 // >= |QDD - q''(c)|: three interpolations (9u), the differences (2u), and accErr
}

// Around evaluates the curve at c and bounds it on [lo, hi], which contains c;
// all three lie in [0, 1]. Times and rates are in the piece's own parameter.
// The bounds are hulls of the derivatives' control points on [lo, hi].
func (c *Curve) Around(at, lo, hi float64) (a Around) {
	c.SetAround(&a, at, lo, hi)
	return a
}

// SetAround sets a to what Around returns. Its numbers are written one by one: copying those that were just written would wait
// for them.
func (c *Curve) SetAround(a *Around, at, lo, hi float64) {
	a.QDD, a.Alpha, a.Beta, a.QDDErr = 0, 0, 0, 0
	a.MaxAbs, a.QDErr = c.maxAbs, c.velErr
	if len(c.pos) == 1 {
		a.Q, a.QD, a.Delta, a.Omega = c.pos[0], 0, 0, 0
		return
	}
	h := max(hi-at, at-lo)
	if h > 0 { // else it is exact, and the smallest number is slow to compute with
		h = stepUp(h)
	}
	if len(c.pos) == 2 { // linear: the derivative is one control point
		v := c.vel[0]
		w := c.blurred(math.Abs(v) * (1 + 2*u)) // v is a rounded difference
		a.Q, a.QD = (1-at)*c.pos[0]+at*c.pos[1], v
		a.Delta, a.Omega = w*h, w
		return
	}
	a.Q, a.QD = bernsteinAt(c.pos, at), bernsteinAt(c.vel, at)
	a.Omega = c.blurred(hull(c.vel, lo, hi))
	a.Alpha = hull(c.acc, lo, hi) + c.accErr
	a.Delta = a.Omega * h
	a.QDD, a.QDDErr = bernsteinAt(c.acc, at), c.accErr+16*u*c.topAcc
	a.Beta = hull(c.jerk, lo, hi) + c.jerkErr
}

// blurred adds the effect of Blur to a bound of the velocity.
func (c *Curve) blurred(speed float64) float64 {
	if c.velOff == 0 {
		return speed
	}
	return (speed + c.velOff) * (1 + 2*u)
}

// bernsteinAt evaluates by de Casteljau's repeated interpolation.
func bernsteinAt(b []float64, s float64) float64 {
	var w [MaxDegree + 1]float64
	n := copy(w[:], b)
	if n == 0 {
		return 0
	}
	for n--; n > 0; n-- {
		for i := 0; i < n; i++ {
			w[i] = (1-s)*w[i] + s*w[i+1]
		}
	}
	return w[0]
}

// hull bounds |polynomial| on [lo, hi]: it computes the control points there by cutting at hi
// and then at lo/hi. Each of the two cuts interpolates at most five times, and each
// interpolation has an error of at most 3u of the largest control point; the cut's own
// parameter has an error of 2u, which moves a value by at most 2u * 5 * 2 times that; and the
// control points themselves, n times a difference, were rounded twice: 2u. 64u of the largest
// control point covers the sum.
//
// If the subtracted control points were themselves rounded, as velocities are before they give
// accelerations, their errors do not shrink with the difference: two velocities with errors of
// 2u each make n times their difference wrong by 4u n of the larger one. That is Curve.accErr,
// with a fifth u for the rounding of its sum with the hull. One order higher, accelerations
// have errors of 4u(n-1) of the largest velocity and 2u of themselves, and m times the
// difference of two has twice m times that: Curve.jerkErr.
func hull(b []float64, lo, hi float64) float64 {
	var w [MaxDegree + 1]float64
	n := copy(w[:], b)
	if n == 0 {
		return 0
	}
	top := maxAbs(w[:n])
	if hi < 1 {
		cutLeft(w[:n], hi)
	}
	if lo > 0 && hi > 0 {
		cutRight(w[:n], lo/hi)
	}
	return min(maxAbs(w[:n])+64*u*top, top*(1+4*u))
}

// cutLeft replaces control points over [0, 1] by those over [0, s].
func cutLeft(w []float64, s float64) {
	for k := 1; k < len(w); k++ {
		for i := len(w) - 1; i >= k; i-- {
			w[i] = (1-s)*w[i-1] + s*w[i]
		}
	}
}

// cutRight replaces control points over [0, 1] by those over [s, 1].
func cutRight(w []float64, s float64) {
	for k := 1; k < len(w); k++ {
		for i := 0; i < len(w)-k; i++ {
			w[i] = (1-s)*w[i] + s*w[i+1]
		}
	}
}

func maxAbs(xs []float64) float64 {
	m := 0.0
	for _, x := range xs {
		m = max(m, math.Abs(x))
	}
	return m
}
