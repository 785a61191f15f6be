package tri

import (
	"math"
	"math/big"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// common returns a point of the segment p q and of t, which meet and of which t has an
// area: found in rational numbers, then rounded, so that it is off either by rounding
// alone, however flat they cross.
func common(p, q geom.Vec, t *Triangle) geom.Vec {
	if Orient(t[0], t[1], t[2], p) != 0 || Orient(t[0], t[1], t[2], q) != 0 {
		return cut(p, q, func(x geom.Vec) *big.Rat { return height(t, x) })
	}
	axis := 0
	for k, s := range normalSigns(t[0], t[1], t[2]) {
		if s != 0 {
			axis = k
		}
	}
	// In the plane, the segment is in t from where it crosses the last edge that it
	// comes in through; starting inside it crosses none.
	x, far := p, new(big.Rat)
	turn := signed(t[0], t[1], t[2], axis).Sign()
	for i := range 3 {
		a, b := t[i], t[next(i)]
		hp, hq := signed(a, b, p, axis), signed(a, b, q, axis)
		if hp.Sign()*turn >= 0 || hq.Sign()*turn < 0 {
			continue
		}
		if k := ratio(hp, hq); k.Cmp(far) >= 0 {
			x, far = cut(p, q, func(x geom.Vec) *big.Rat { return signed(a, b, x, axis) }), k
		}
	}
	return x
}

// cut returns where h, which is affine, is zero between p and q.
func cut(p, q geom.Vec, h func(geom.Vec) *big.Rat) geom.Vec {
	k := ratio(h(p), h(q))
	at := func(a, b float64) float64 {
		d := rational(b)
		d.Sub(d, rational(a)).Mul(d, k).Add(d, rational(a))
		x, _ := d.Float64()
		return x
	}
	return geom.Vec{X: at(p.X, q.X), Y: at(p.Y, q.Y), Z: at(p.Z, q.Z)}
}

// ratio returns hp / (hp - hq): how far between the two the value is zero.
func ratio(hp, hq *big.Rat) *big.Rat {
	d := new(big.Rat).Sub(hp, hq)
	if d.Sign() == 0 {
		return d
	}
	return d.Quo(hp, d)
}

// height is det(b-a, c-a, x-a) of t's corners.
func height(t *Triangle, x geom.Vec) *big.Rat {
	sum, w := new(big.Rat), [3]float64{x.X, x.Y, x.Z}
	a := [3]float64{t[0].X, t[0].Y, t[0].Z}
	for k := range 3 {
		d := new(big.Rat).Sub(rational(w[k]), rational(a[k]))
		sum.Add(sum, d.Mul(d, signed(t[0], t[1], t[2], k)))
	}
	return sum
}

// signed is the given coordinate of (b-a) x (c-a).
func signed(a, b, c geom.Vec, axis int) *big.Rat {
	i, j := (axis+1)%3, (axis+2)%3
	e := func(x geom.Vec, k int) *big.Rat {
		from := [3]float64{a.X, a.Y, a.Z}[k]
		d := rational([3]float64{x.X, x.Y, x.Z}[k])
		return d.Sub(d, rational(from))
	}
	l, r := e(b, i), e(b, j)
	l.Mul(l, e(c, j))
	return l.Sub(l, r.Mul(r, e(c, i)))
}

func rational(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

// close reports whether the pair's points are one but for rounding, in triangles of
// that size.
func (b *pair) close(size float64) bool { return b.dd <= (0x1p-51*size)*(0x1p-51*size) }

// extent bounds the coordinates of the segment and t.
func extent(p, q geom.Vec, t *Triangle) float64 {
	m := 0.0
	for _, x := range [5]geom.Vec{p, q, t[0], t[1], t[2]} {
		m = max(m, math.Abs(x.X), math.Abs(x.Y), math.Abs(x.Z))
	}
	return m
}
