package taylor

import "math"

// Polynomial returns the model of a polynomial on the stretch [s0, s1] of [0, 1], in x =
// (s - middle)/half. ctrl are its control points over [0, 1], at most six of them, each
// of which may be 8 u of the largest one off.
//
// What is of order four and five goes to the remainder: a joint's motion of such a
// degree has one, others have none but rounding.
//
// With n the degree, the coefficient of x^k is binomial(n, k) half^k D_k, D_k the k-th
// differences of the control points, interpolated at the middle. A difference of order k
// errs by k 2^k u of the largest control point, the interpolation by 3 (n - k) u of
// 2^k times that and the factors by n + 3 roundings: added up over k less than
// (4 n + 3) u (1 + 2 half)^n of it.
func Polynomial(ctrl []float64, s0, s1 float64) Model {
	n := len(ctrl) - 1
	mid, half := Stretch(s0, s1)
	var b, w [6]float64
	copy(b[:], ctrl)
	top := 0.0
	for _, x := range ctrl {
		top = max(top, math.Abs(x))
	}
	var c [6]float64
	factor := 1.0 // binomial(n, k) half^k
	for k := 0; k <= n; k++ {
		w = b
		for l := n - k; l > 0; l-- {
			for i := range l {
				w[i] = (1-mid)*w[i] + mid*w[i+1]
			}
		}
		c[k] = factor * w[0]
		factor *= half * float64(n-k) / float64(k+1)
		for i := range n - k {
			b[i] = b[i+1] - b[i]
		}
	}
	m := Model{C: [4]float64{c[0], c[1], c[2], c[3]}, R: aboveThird(c[4], c[5], 0)}
	grown := 1.0
	for range n {
		grown *= 1 + 2*half
	}
	m.grow(float64(8*n+16) * u * top * grown)
	return m
}

// Rate returns the model of the derivative by s of the polynomial: of the control points
// n (b[i+1] - b[i]), each wrong by 2 u of itself and what the b are off.
//
// It is made of the polynomial itself. A model has no derivative of its own, as nothing
// is known of how its remainder changes.
func Rate(ctrl []float64, s0, s1 float64) Model {
	n := len(ctrl) - 1
	if n < 1 {
		return Model{}
	}
	var d [5]float64
	top := 0.0
	for i := range n {
		d[i] = float64(n) * (ctrl[i+1] - ctrl[i])
		top = max(top, math.Abs(ctrl[i]), math.Abs(ctrl[i+1]))
	}
	m := Polynomial(d[:n], s0, s1)
	m.grow(float64(40*n) * u * top)
	return m
}

// Stretch returns the middle of [s0, s1] and half its length, rounded up so that every s in it
// is middle + x half for an x in [-1, 1].
func Stretch(s0, s1 float64) (middle, half float64) {
	middle = 0.5*s0 + 0.5*s1
	return middle, math.Nextafter(max(s1-middle, middle-s0), math.Inf(1))
}
