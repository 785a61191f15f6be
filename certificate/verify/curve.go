package verify

// A joint's position on one piece is a polynomial in the piece's parameter, given
// by its Bernstein control points over [0, 1].

// maxPoints is the maximum number of control points on a piece; motion.Validate checks it.
const maxPoints = 6

// around describes a joint on an interval of time around c.
type around struct {
	q, rate interval // position and velocity at c
	delta   float64  // bounds |q(t) - q(c)|
	omega   float64  // bounds |q'(t)|
	alpha   float64  // bounds |q''(t)|
	far     float64  // bounds |q(t)| on the whole piece
}

// lookAt evaluates the polynomial at c and bounds it on [lo, hi]: between its smallest and
// largest control points over that interval.
func lookAt(ctrl []interval, c, lo, hi float64) around {
	rates := derivative(ctrl)
	a := around{q: blossom(ctrl, c, c, 0), rate: blossom(rates, c, c, 0)}
	for _, b := range ctrl {
		a.far = max(a.far, b.mag())
	}
	a.delta = restrict(ctrl, lo, hi).sub(a.q).mag()
	a.omega = restrict(rates, lo, hi).mag()
	a.alpha = restrict(derivative(rates), lo, hi).mag()
	// At constant speed this bounds the displacement more tightly than two positions do.
	a.delta = min(a.delta, mulUp(a.omega, max(addUp(hi, -c), addUp(c, -lo))))
	return a
}

func derivative(b []interval) []interval {
	d := make([]interval, max(len(b)-1, 0))
	for i := range d {
		d[i] = exactly(float64(len(d))).mul(b[i+1].sub(b[i]))
	}
	return d
}

// restrict returns the range of the control points over [lo, hi].
func restrict(b []interval, lo, hi float64) interval {
	if len(b) == 0 {
		return interval{}
	}
	r := blossom(b, lo, hi, 0)
	for i := 1; i < len(b); i++ {
		r = r.hull(blossom(b, lo, hi, i))
	}
	return r
}

// blossom is de Casteljau's repeated interpolation at hi in the first n steps
// and at lo in the others: control point n over [lo, hi], and for lo = hi the
// polynomial's value.
func blossom(b []interval, lo, hi float64, n int) interval {
	if len(b) == 0 {
		return interval{}
	}
	var w [maxPoints]interval
	left := w[:copy(w[:], b)]
	for step := 0; len(left) > 1; step++ {
		t := lo
		if step < n {
			t = hi
		}
		s, rest := exactly(t), exactly(1).sub(exactly(t))
		for i := range len(left) - 1 {
			left[i] = left[i].mul(rest).add(left[i+1].mul(s))
		}
		left = left[:len(left)-1]
	}
	return left[0]
}
