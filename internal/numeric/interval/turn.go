package interval

import "math"

// sinErr bounds the error of math.Sin and math.Cos for arguments up to 2^29: they
// reduce by three parts of pi/4 and evaluate Cephes' polynomials, whose documented
// error is below 1e-16; internal/engine/kin tests the same bound against 300-bit numbers.
const sinErr = 4 * 0x1p-53

// largestTurn is the largest angle for which sinErr is relied on.
const largestTurn = 1 << 20

// SinCos returns the sines and the cosines of the angles in a. They are the ends' values
// unless a contains a quarter turn at which one of them is extreme; angles beyond a million
// turns, and intervals of a full turn, give [-1, 1].
func SinCos(a I) (sin, cos I) {
	full := I{-1, 1}
	if !(a.Mag() <= largestTurn) || a.Hi-a.Lo >= 2*math.Pi {
		return full, full
	}
	sl, cl := math.Sincos(a.Lo)
	sh, ch := math.Sincos(a.Hi)
	sin, cos = within(sl, sh), within(cl, ch)
	// Quarters from the one at or before Lo to the one at or after Hi. If rounding is in doubt
	// there are too many, which only makes the result larger.
	const slack = 1e-9
	from := int(math.Ceil(a.Lo/(math.Pi/2) - slack))
	to := int(math.Floor(a.Hi/(math.Pi/2) + slack))
	for k := from; k <= to && k < from+4; k++ {
		switch ((k % 4) + 4) % 4 {
		case 0:
			cos.Hi = 1
		case 1:
			sin.Hi = 1
		case 2:
			cos.Lo = -1
		case 3:
			sin.Lo = -1
		}
	}
	return sin, cos
}

func within(a, b float64) I {
	i := Of(a, b)
	return I{max(i.Lo-sinErr, -1), min(i.Hi+sinErr, 1)}
}

// Sin returns the sines of the angles in a.
func (a I) Sin() I {
	s, _ := SinCos(a)
	return s
}

// Cos returns the cosines of the angles in a.
func (a I) Cos() I {
	_, c := SinCos(a)
	return c
}
