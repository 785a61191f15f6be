package taylor

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/internal/numeric/interval"
)

// SinCos returns models of the sine and the cosine of a model.
//
// The argument is c + v + r with c the cubic's value at 0, v its rest, |v| <= w, and r
// in the remainder. With S and K the sine and cosine of c,
//
//	sin(c + v) = S (1 - v^2/2 + A(v)) + K (v - v^3/6 + B(v))
//	cos(c + v) = K (1 - v^2/2 + A(v)) - S (v - v^3/6 + B(v))
//
// and r adds what the mean value theorem says: r times a cosine, or less a sine, of
// something in between. The remainder of the series is bounded exactly (see left).
//
// Where it is as wide as all that the function can be on the stretch, as for a joint
// that goes most of the way round, the model is one of order zero: no order is wider
// than interval arithmetic. That ZRLK07 does not have, whose links turn little between
// two frames.
func SinCos(x *Model) (sin, cos Model) {
	v := *x
	c := v.C[0]
	v.C[0], v.R = 0, interval.I{}
	w := turned(&v)
	s, k := interval.SinCos(interval.Point(c))

	var square, cube Model
	if v.C[2] == 0 && v.C[3] == 0 {
		square, cube = powers(v.C[1])
	} else {
		square = v.Mul(&v)
		cube = square.Mul(&v)
	}
	a, b := beyondCos(w), beyondSin(w)
	sin = series(&v, &square, &cube, s, k, w, left(s, k, a, b, w))
	cos = series(&v, &square, &cube, k, s.Neg(), w, left(k, s.Neg(), a, b, w))
	if off := x.R.Mag(); w < 0.5 && off < 1e-9 { // no slope is above 1, and no remainder too wide
		sin.grow(off)
		cos.grow(off)
		return sin, cos
	}
	between := interval.Point(c).Add(interval.Within(0, w))
	all := between.Add(x.R)
	slopeS, slopeC := interval.SinCos(all.Hull(between))
	sin.R = sin.R.Add(slopeC.Mul(x.R))
	cos.R = cos.R.Sub(slopeS.Mul(x.R))
	sinAll, cosAll := interval.SinCos(all)
	return narrower(sin, sinAll), narrower(cos, cosAll)
}

// turned bounds |v|.
func turned(v *Model) float64 {
	if v.C[2] == 0 && v.C[3] == 0 {
		return math.Abs(v.C[1])
	}
	return v.Bound().Mag()
}

// powers returns the square and the cube of k x.
func powers(k float64) (square, cube Model) {
	square.C[2], cube.C[3] = k*k, k*k*k
	square.grow(4 * u * square.C[2])
	cube.grow(8 * u * math.Abs(cube.C[3]))
	return square, cube
}

// series returns p + q v - p/2 v^2 - q/6 v^3 + left: the sine of c + v where p and q
// are the sine and cosine of c, and its cosine where they are the cosine and minus the
// sine.
func series(v, square, cube *Model, p, q interval.I, w float64, left interval.I) Model {
	mp, mq := p.Mid(), q.Mid()
	m := lin(v, square, cube, mq, -mp/2, -mq/6)
	m.C[0] = mp
	// What the middles are off, in every term of order up to three: and roundings of
	// mp/2 and mq/6.
	offP, offQ := p.Width(), q.Width()
	m.R = m.R.Add(left)
	m.grow((offP+2*u)*(1+w*w/2) + (offQ+2*u)*(w+w*w*w/6))
	return m
}

// correlated is how many times as wide as the function's range a model may be: what it
// knows of how the function changes is worth that much in sums with others. Boxes around
// arms of one to eight links that turn by up to 6 rad in each joint were smallest, on
// average, for 1.5, and little larger for 1.25 and for 2.
const correlated = 1.5

// narrower returns the model, or one of order zero where that says as much.
func narrower(m Model, all interval.I) Model {
	if m.R.Width() < all.Width() && m.Bound().Width() < correlated*all.Width() {
		return m
	}
	return Of(all)
}

// left bounds p A(v) + q B(v) for |v| <= w, with
//
//	A(v) = cos v - 1 + v^2/2   and   B(v) = sin v - v + v^3/6.
//
// A is even, B is odd and B' = A; A, B and B/A rise for v > 0. (A' = v - sin v >= 0.
// A quotient of two functions that are 0 at 0 rises where that of their derivatives
// does: B/A by A/(v - sin v), this by (v - sin v)/(1 - cos v), whose derivative has the
// sign of tan(v/2) - v/2 for v < pi, and of no less than 0 up to 2 pi.) So for p > 0
// the largest value is p A(w) + |q| B(w), and the least one, where |q| B works against
// A, is that of A (p - |q| B/A): 0, or the value at w if that is below. Beyond 2 pi
// no caller needs it: then -|q| B(w) is a bound.
func left(p, q, a, b interval.I, w float64) interval.I {
	if p.Lo < 0 && p.Hi > 0 {
		return left(interval.I{Lo: 0, Hi: p.Hi}, q, a, b, w).Hull(left(interval.I{Lo: p.Lo, Hi: 0}, q, a, b, w))
	}
	if p.Lo < 0 {
		return left(p.Neg(), q, a, b, w).Neg()
	}
	against := interval.Point(q.Mag()).Mul(b) // q B at w, of whatever sign
	most := interval.Point(p.Hi).Mul(a).Add(against)
	least := against.Neg()
	if w < 6 {
		least = interval.Point(p.Lo).Mul(a).Sub(against)
	}
	return interval.I{Lo: min(0, least.Lo), Hi: most.Hi}
}

// beyondCos returns A(w) for w >= 0.
//
// Up to 2 by the series, whose terms alternate and shrink, so that the sum lies between
// two partial sums; their difference is below 2^-21 of the first term there.
func beyondCos(w float64) interval.I {
	x := w * w
	if w <= 2 {
		lo, hi := shrinking(x, &cosSeries)
		return interval.I{Lo: x * x * (1. / 24) * lo, Hi: x*x*(1./24)*hi + tiny}
	}
	_, c := interval.SinCos(interval.Point(w))
	return c.Sub(interval.Point(1)).Add(interval.Point(w).Sqr().Scale(0.5))
}

// beyondSin returns B(w) for w >= 0.
func beyondSin(w float64) interval.I {
	x := w * w
	if w <= 2 {
		lo, hi := shrinking(x, &sinSeries)
		return interval.I{Lo: x * x * w * (1. / 120) * lo, Hi: x*x*w*(1./120)*hi + tiny}
	}
	s, _ := interval.SinCos(interval.Point(w))
	return s.Sub(interval.Point(w)).Add(interval.Point(w).Sqr().Mul(interval.Point(w)).Div(interval.Point(6)))
}

// By how much each term of the series is less than the one before it, apart from x.
var (
	cosSeries = [5]float64{1. / 30, 1. / 56, 1. / 90, 1. / 132, 1. / 182}
	sinSeries = [5]float64{1. / 42, 1. / 72, 1. / 110, 1. / 156, 1. / 210}
)

// shrinking bounds 1 - k0 x (1 - k1 x (1 - ... k4 x [0, 1])) for 0 <= x <= 4. The value is
// above 0.86; each of the factors but for the last is between 0.86 and 1 and the terms
// below 0.14, so that 5 u of a term each is less than 8 u in all. A factor in front, of
// five roundings, and the last product have 8 u more.
func shrinking(x float64, k *[5]float64) (lo, hi float64) {
	lo, hi = 0, 1
	for i := 4; i >= 0; i-- {
		lo, hi = 1-x*k[i]*hi, 1-x*k[i]*lo
	}
	return lo * (1 - 32*u), hi * (1 + 32*u)
}
