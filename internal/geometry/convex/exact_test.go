package convex

import (
	"math/big"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// The slow twin of the trusted support code, in 400-bit arithmetic: exact for
// vertices and boxes, and for discs to far below what is tested.

const precision = 400

func bf(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }

func badd(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(precision).Add(a, b) }

func bsub(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(precision).Sub(a, b) }

func bmul(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(precision).Mul(a, b) }

func bsqrt(a *big.Float) *big.Float { return new(big.Float).SetPrec(precision).Sqrt(a) }

type bigVec [3]*big.Float

func bv(v geom.Vec) bigVec { return bigVec{bf(v.X), bf(v.Y), bf(v.Z)} }

func (a bigVec) dot(b bigVec) *big.Float {
	return badd(badd(bmul(a[0], b[0]), bmul(a[1], b[1])), bmul(a[2], b[2]))
}

func (a bigVec) sub(b bigVec) bigVec {
	return bigVec{bsub(a[0], b[0]), bsub(a[1], b[1]), bsub(a[2], b[2])}
}

// back returns the inverse rotation of a by r.
func (a bigVec) back(r geom.Rot) bigVec {
	return bigVec{
		a.dot(bv(geom.Vec{X: r.XX, Y: r.YX, Z: r.ZX})),
		a.dot(bv(geom.Vec{X: r.XY, Y: r.YY, Z: r.ZY})),
		a.dot(bv(geom.Vec{X: r.XZ, Y: r.YZ, Z: r.ZZ})),
	}
}

func babs(a *big.Float) *big.Float { return new(big.Float).SetPrec(precision).Abs(a) }

func bmax(a, b *big.Float) *big.Float {
	if a.Cmp(b) < 0 {
		return b
	}
	return a
}

// exactSupport returns the maximum of d·p over the core.
func (c *Core) exactSupport(d bigVec) *big.Float {
	disc := func() *big.Float {
		return bmul(bf(c.CoreRadius), bsqrt(badd(bmul(d[0], d[0]), bmul(d[1], d[1]))))
	}
	switch c.Kind {
	case Box:
		h := bv(c.Half)
		s := bv(c.Center).dot(d)
		for i := range 3 {
			s = badd(s, bmul(h[i], babs(d[i])))
		}
		return s
	case Cylinder:
		return badd(disc(), bmul(bf(c.HalfLength), babs(d[2])))
	case Cone:
		z := bmul(bf(c.HalfLength), d[2])
		return bmax(z, bsub(disc(), z))
	}
	best := bv(c.Vertices[0]).dot(d)
	for _, v := range c.Vertices[1:] {
		best = bmax(best, bv(v).dot(d))
	}
	return best
}

// exactGap is what Gap bounds from below.
func exactGap(a *Core, pa geom.Pose, b *Core, pb geom.Pose, n geom.Vec) *big.Float {
	w := bv(n)
	g := w.dot(bv(pb.P).sub(bv(pa.P)))
	g = bsub(g, a.exactSupport(w.back(pa.R)))
	g = bsub(g, b.exactSupport(bv(neg(n)).back(pb.R)))
	return bsub(g, bmul(badd(bf(a.Radius), bf(b.Radius)), bsqrt(w.dot(w))))
}

func toFloat(x *big.Float) float64 {
	f, _ := x.Float64()
	return f
}
