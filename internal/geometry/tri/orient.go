package tri

import (
	"math"
	"math/big"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// Orient returns the sign of (b-a) x (c-a) · (d-a), exactly: 1 if d lies on the
// side of the plane of a, b, c from which they turn counterclockwise, -1 if on the
// other, 0 if the four points are in one plane. Coordinates are finite and below
// 2^200 in size.
func Orient(a, b, c, d geom.Vec) int {
	u, v, w := sub(b, a), sub(c, a), sub(d, a)
	yz, zy := u.Y*v.Z, u.Z*v.Y
	zx, xz := u.Z*v.X, u.X*v.Z
	xy, yx := u.X*v.Y, u.Y*v.X
	det := w.X*(yz-zy) + w.Y*(zx-xz) + w.Z*(xy-yx)
	size := math.Abs(w.X)*(math.Abs(yz)+math.Abs(zy)) +
		math.Abs(w.Y)*(math.Abs(zx)+math.Abs(xz)) +
		math.Abs(w.Z)*(math.Abs(xy)+math.Abs(yx))
	bound := orientRounding * size
	if size > notSmall {
		if det > bound {
			return 1
		}
		if det < -bound {
			return -1
		}
	}
	return orientExact(a, b, c, d)
}

// orientRounding times the sum of the sizes of the determinant's six terms bounds
// its rounding error. Each term passes through 3 differences, 1 product, 1
// difference, 1 product and 2 sums: 8 roundings, so it is off by (1+u)^8 - 1 with
// u = 2^-53. The size is computed with as many, hence 8u (1 + 17u) < 9u.
//
// Lost squares: where the size exceeds notSmall, what underflow adds, at most
// 6 * 2^200 * 2^-1074, is below u * notSmall = 2^-853.
const (
	orientRounding = 9 * 0x1p-53
	notSmall       = 0x1p-800
)

// orientExact is Orient in integers: every finite float64 is one after scaling all
// by a common power of two, which keeps the sign.
func orientExact(a, b, c, d geom.Vec) int {
	x := scaled(a, b, c, d)
	e := func(p, k int) *big.Int { return new(big.Int).Sub(x[3*p+k], x[k]) }
	minor := func(i, j int) *big.Int { return det2(e(1, i), e(1, j), e(2, i), e(2, j)) }
	det := new(big.Int).Mul(e(3, 0), minor(1, 2))
	det.Add(det, new(big.Int).Mul(e(3, 1), minor(2, 0)))
	det.Add(det, new(big.Int).Mul(e(3, 2), minor(0, 1)))
	return det.Sign()
}

// det2 returns a d - b c.
func det2(a, b, c, d *big.Int) *big.Int {
	l, r := new(big.Int).Mul(a, d), new(big.Int).Mul(b, c)
	return l.Sub(l, r)
}

// normalSigns returns the signs of the coordinates of (b-a) x (c-a), exactly.
func normalSigns(a, b, c geom.Vec) [3]int {
	u, v := sub(b, a), sub(c, a)
	return [3]int{
		minorSign(u.Y, v.Z, u.Z, v.Y, a, b, c, 1, 2),
		minorSign(u.Z, v.X, u.X, v.Z, a, b, c, 2, 0),
		minorSign(u.X, v.Y, u.Y, v.X, a, b, c, 0, 1),
	}
}

// minorSign returns the sign of p q - r s, with factors that are differences of
// coordinates i and j of b, a and c, a. Each product is off by 3 roundings and the
// difference adds one: 4u, and 5u with the rounding of the bound.
func minorSign(p, q, r, s float64, a, b, c geom.Vec, i, j int) int {
	l, m := p*q, r*s
	size := math.Abs(l) + math.Abs(m)
	if d := l - m; size > notSmall && math.Abs(d) > 5*0x1p-53*size {
		if d > 0 {
			return 1
		}
		return -1
	}
	x := scaled(a, b, c)
	e := func(p, k int) *big.Int { return new(big.Int).Sub(x[3*p+k], x[k]) }
	return det2(e(1, i), e(1, j), e(2, i), e(2, j)).Sign()
}

// scaled returns the coordinates of the points, x y z each, as integers times one
// common power of two.
func scaled(points ...geom.Vec) []*big.Int {
	type number struct {
		mantissa int64
		exponent int
	}
	ns := make([]number, 0, 3*len(points))
	low := math.MaxInt
	for _, p := range points {
		for _, x := range [3]float64{p.X, p.Y, p.Z} {
			f, e := math.Frexp(x)
			n := number{int64(f * (1 << 53)), e}
			if n.mantissa != 0 {
				low = min(low, e)
			}
			ns = append(ns, n)
		}
	}
	out := make([]*big.Int, len(ns))
	for i, n := range ns {
		out[i] = big.NewInt(n.mantissa)
		if n.mantissa != 0 {
			out[i].Lsh(out[i], uint(n.exponent-low))
		}
	}
	return out
}

// Collinear reports whether three points lie on one line, exactly.
func Collinear(a, b, c geom.Vec) bool { return normalSigns(a, b, c) == [3]int{} }

// Turn returns the sign of the turn from a over b to c, exactly, as seen along the
// given coordinate axis (0, 1 or 2) from its positive end: 1 for counterclockwise.
func Turn(a, b, c geom.Vec, axis int) int { return normalSigns(a, b, c)[axis] }
