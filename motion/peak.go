package motion

// Peak is an extremum of a joint's position, or of a derivative of it.
type Peak struct {
	Value float64 // rad or m, per second for each derivative
	Time  float64 // s
	Piece int
}

// Peak returns the first of the largest values of sign times the position of joint row of
// Joints (derivative 0), its velocity (1) or its acceleration (2), if that is larger than above;
// sign is 1 or -1, and Value has the sign of the position or derivative. m must be valid.
//
// Extrema are those of the polynomials, at their ends and where their derivative is zero, to the
// rounding of float64. A derivative is that of the pieces: steps of the velocity between two
// pieces are no acceleration.
func (m *Motion) Peak(row, derivative int, sign, above float64) (p Peak, found bool) {
	for i := range m.Pieces {
		piece := &m.Pieces[i]
		dt := piece.End - piece.Start
		c := piece.Ctrl[row]
		for range derivative {
			if c = differentiate(c, dt); len(c) == 0 {
				break
			}
		}
		if !reaches(c, sign, above) {
			continue
		}
		s, x := highest(c, sign)
		if sign*x > above {
			p, found, above = Peak{Value: x, Time: piece.Start + s*dt, Piece: i}, true, sign*x
		}
	}
	return p, found
}

// reaches reports whether a control point, and so perhaps the polynomial, is above the bound.
func reaches(c []float64, sign, above float64) bool {
	for _, x := range c {
		if sign*x > above {
			return true
		}
	}
	return false
}

// differentiate returns the control points of the derivative over a piece of dt seconds; none is
// zero.
func differentiate(c []float64, dt float64) []float64 {
	if len(c) < 2 {
		return nil
	}
	d := make([]float64, len(c)-1)
	for k := range d {
		d[k] = float64(len(d)) * (c[k+1] - c[k]) / dt
	}
	return d
}

// highest returns where in [0, 1] sign times the polynomial is largest, first, and its value
// there.
func highest(c []float64, sign float64) (s, x float64) {
	x = c[0]
	for _, t := range append(roots(differentiate(c, 1)), 1) {
		if y := bernstein(c, t); sign*y > sign*x {
			s, x = t, y
		}
	}
	return s, x
}

// roots returns where in (0, 1) the polynomial changes its sign, ascending. Between two roots of
// its derivative it is monotone, and halving finds the one root.
func roots(c []float64) (at []float64) {
	if len(c) < 2 {
		return nil
	}
	ends := append(roots(differentiate(c, 1)), 1)
	lo := 0.0
	for _, hi := range ends {
		a, b := bernstein(c, lo), bernstein(c, hi)
		if a == 0 && lo > 0 {
			at = append(at, lo)
		}
		if a < 0 && b > 0 || a > 0 && b < 0 {
			at = append(at, halve(c, lo, hi, a < 0))
		}
		lo = hi
	}
	return at
}

// halve returns the root between lo, where the polynomial is negative if rising, and hi.
func halve(c []float64, lo, hi float64, rising bool) float64 {
	for {
		mid := lo + (hi-lo)/2
		if mid <= lo || mid >= hi {
			return lo
		}
		if bernstein(c, mid) < 0 == rising {
			lo = mid
		} else {
			hi = mid
		}
	}
}
