package linkspheres

import (
	"math"
	"math/big"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
)

// Twins of the rules in numbers of 300 bits: every float64 is one of them exactly, and
// what they round is far below what float64 does.

func wide() *big.Float                 { return new(big.Float).SetPrec(300) }
func number(x float64) *big.Float      { return wide().SetFloat64(x) }
func plus(a, b *big.Float) *big.Float  { return wide().Add(a, b) }
func minus(a, b *big.Float) *big.Float { return wide().Sub(a, b) }
func times(a, b *big.Float) *big.Float { return wide().Mul(a, b) }
func over(a, b *big.Float) *big.Float  { return wide().Quo(a, b) }
func root(a *big.Float) *big.Float {
	if a.Sign() <= 0 {
		return wide()
	}
	return wide().Sqrt(a)
}

// wideVec is a point or direction of 300 bits.
type wideVec [3]*big.Float

func widened(v geom.Vec) wideVec { return wideVec{number(v.X), number(v.Y), number(v.Z)} }
func (a wideVec) sub(b wideVec) wideVec {
	return wideVec{minus(a[0], b[0]), minus(a[1], b[1]), minus(a[2], b[2])}
}

func (a wideVec) add(b wideVec) wideVec {
	return wideVec{plus(a[0], b[0]), plus(a[1], b[1]), plus(a[2], b[2])}
}

func (a wideVec) scale(t *big.Float) wideVec {
	return wideVec{times(t, a[0]), times(t, a[1]), times(t, a[2])}
}

func (a wideVec) dot(b wideVec) *big.Float {
	return plus(times(a[0], b[0]), plus(times(a[1], b[1]), times(a[2], b[2])))
}

func (a wideVec) cross(b wideVec) wideVec {
	m := func(i, j int) *big.Float { return minus(times(a[i], b[j]), times(a[j], b[i])) }
	return wideVec{m(1, 2), m(2, 0), m(0, 1)}
}
func (a wideVec) length() *big.Float { return root(a.dot(a)) }

// placed is R v + P as its numbers say.
func placed(p geom.Pose, v wideVec) wideVec {
	r := &p.R
	row := func(x, y, z float64) *big.Float {
		return wideVec{number(x), number(y), number(z)}.dot(v)
	}
	return wideVec{row(r.XX, r.XY, r.XZ), row(r.YX, r.YY, r.YZ), row(r.ZX, r.ZY, r.ZZ)}.add(widened(p.P))
}

// power is |x - c|^2 - r^2.
func power(b *Ball, x wideVec) *big.Float {
	d := x.sub(widened(b.Center))
	return minus(d.dot(d), times(number(b.Radius), number(b.Radius)))
}

// holdsExactly reports that x is in the ball.
func holdsExactly(b *Ball, x wideVec) bool { return power(b, x).Sign() <= 0 }

// triangleDistance is the distance of p from the triangle.
func triangleDistance(c *tri.Triangle, at geom.Vec) *big.Float {
	p, a, b, d := widened(at), widened(c[0]), widened(c[1]), widened(c[2])
	best := segmentDistance(p, a, b)
	for _, x := range []*big.Float{segmentDistance(p, b, d), segmentDistance(p, d, a)} {
		if x.Cmp(best) < 0 {
			best = x
		}
	}
	n := b.sub(a).cross(d.sub(a))
	if n.dot(n).Sign() == 0 {
		return best
	}
	side := func(v, w wideVec) int { return w.sub(v).cross(p.sub(v)).dot(n).Sign() }
	if side(a, b) >= 0 && side(b, d) >= 0 && side(d, a) >= 0 {
		h := over(p.sub(a).dot(n), n.length())
		if h.Abs(h).Cmp(best) < 0 {
			best = h
		}
	}
	return best
}

func segmentDistance(p, a, b wideVec) *big.Float {
	d := b.sub(a)
	t := wide()
	if dd := d.dot(d); dd.Sign() > 0 {
		t = over(p.sub(a).dot(d), dd)
	}
	if t.Sign() < 0 {
		t = wide()
	}
	if t.Cmp(number(1)) > 0 {
		t = number(1)
	}
	return p.sub(a.add(d.scale(t))).length()
}

func float(x *big.Float) float64 {
	f, _ := x.Float64()
	return f
}

// atMost reports a <= b for a float64 a that may be infinite.
func atMost(a float64, b *big.Float) bool {
	if math.IsInf(a, -1) {
		return true
	}
	return !math.IsNaN(a) && !math.IsInf(a, 1) && number(a).Cmp(b) <= 0
}
