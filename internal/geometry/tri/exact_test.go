package tri

import (
	"math/big"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// The slow twin: closest points in rational numbers, exact.

type ratVec [3]*big.Rat

func toRat(v geom.Vec) ratVec {
	f := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	return ratVec{f(v.X), f(v.Y), f(v.Z)}
}

func (a ratVec) sub(b ratVec) (c ratVec) {
	for i := range c {
		c[i] = new(big.Rat).Sub(a[i], b[i])
	}
	return c
}

func (a ratVec) along(k *big.Rat, d ratVec) (c ratVec) {
	for i := range c {
		c[i] = new(big.Rat).Mul(k, d[i])
		c[i].Add(c[i], a[i])
	}
	return c
}

func (a ratVec) dot(b ratVec) *big.Rat {
	s := new(big.Rat)
	for i := range a {
		s.Add(s, new(big.Rat).Mul(a[i], b[i]))
	}
	return s
}

func (a ratVec) cross(b ratVec) (c ratVec) {
	for i := range c {
		j, k := (i+1)%3, (i+2)%3
		c[i] = new(big.Rat).Sub(new(big.Rat).Mul(a[j], b[k]), new(big.Rat).Mul(a[k], b[j]))
	}
	return c
}

// exactToSegment returns the squared distance of p to the segment a b.
func exactToSegment(a, b, p ratVec) *big.Rat {
	d := b.sub(a)
	k := new(big.Rat)
	if dd := d.dot(d); dd.Sign() > 0 {
		k.Quo(p.sub(a).dot(d), dd)
	}
	if k.Sign() < 0 {
		k.SetInt64(0)
	}
	if one := big.NewRat(1, 1); k.Cmp(one) > 0 {
		k = one
	}
	r := p.sub(a.along(k, d))
	return r.dot(r)
}

// exactToTriangle returns the squared distance of p to t.
func exactToTriangle(t [3]ratVec, p ratVec) *big.Rat {
	best := exactToSegment(t[0], t[1], p)
	for i := 1; i < 3; i++ {
		if d := exactToSegment(t[i], t[(i+1)%3], p); d.Cmp(best) < 0 {
			best = d
		}
	}
	n := t[1].sub(t[0]).cross(t[2].sub(t[0]))
	nn := n.dot(n)
	if nn.Sign() == 0 {
		return best
	}
	for i := range 3 {
		if n.cross(t[(i+1)%3].sub(t[i])).dot(p.sub(t[i])).Sign() < 0 {
			return best
		}
	}
	h := p.sub(t[0]).dot(n)
	return new(big.Rat).Quo(h.Mul(h, h), nn)
}

func ratTriangle(t *Triangle) [3]ratVec { return [3]ratVec{toRat(t[0]), toRat(t[1]), toRat(t[2])} }

func ratRoot(x *big.Rat) float64 {
	f, _ := new(big.Float).Sqrt(new(big.Float).SetPrec(200).SetRat(x)).Float64()
	return f
}

// offTriangle is how far p is from t.
func offTriangle(t *Triangle, p geom.Vec) float64 {
	return ratRoot(exactToTriangle(ratTriangle(t), toRat(p)))
}

// exactDistance is the distance of two triangles that do not intersect.
func exactDistance(s, t *Triangle) float64 {
	a, b := ratTriangle(s), ratTriangle(t)
	best := exactToTriangle(b, a[0])
	offer := func(d *big.Rat) {
		if d != nil && d.Cmp(best) < 0 {
			best = d
		}
	}
	for i := range 3 {
		offer(exactToTriangle(b, a[i]))
		offer(exactToTriangle(a, b[i]))
		for j := range 3 {
			offer(exactInner(a[i], a[(i+1)%3], b[j], b[(j+1)%3]))
		}
	}
	return ratRoot(best)
}

// exactInner returns the squared distance of two lines if their closest points lie
// inside both segments, else nil.
func exactInner(p0, p1, q0, q1 ratVec) *big.Rat {
	d1, d2, r := p1.sub(p0), q1.sub(q0), q0.sub(p0)
	n := d1.cross(d2)
	nn := n.dot(n)
	if nn.Sign() == 0 {
		return nil
	}
	for _, d := range []ratVec{d1, d2} {
		k := r.cross(d).dot(n)
		if k.Sign() < 0 || k.Cmp(nn) > 0 {
			return nil
		}
	}
	h := r.dot(n)
	return new(big.Rat).Quo(h.Mul(h, h), nn)
}

// exactMeet reports whether a segment meets a triangle that is no segment.
func exactMeet(p, q geom.Vec, t *Triangle) bool {
	a, b, tr := toRat(p), toRat(q), ratTriangle(t)
	n := tr[1].sub(tr[0]).cross(tr[2].sub(tr[0]))
	ha, hb := a.sub(tr[0]).dot(n), b.sub(tr[0]).dot(n)
	if ha.Sign()*hb.Sign() > 0 {
		return false
	}
	if ha.Sign() == 0 && hb.Sign() == 0 { // in the plane: an end inside or an edge met
		if exactToTriangle(tr, a).Sign() == 0 || exactToTriangle(tr, b).Sign() == 0 {
			return true
		}
		for i := range 3 {
			if d := exactInner(a, b, tr[i], tr[(i+1)%3]); d != nil && d.Sign() == 0 {
				return true
			}
			if exactToSegment(a, b, tr[i]).Sign() == 0 {
				return true
			}
		}
		return false
	}
	k := new(big.Rat).Quo(ha, new(big.Rat).Sub(ha, hb))
	return exactToTriangle(tr, a.along(k, b.sub(a))).Sign() == 0
}

func exactOrient(a, b, c, d geom.Vec) int {
	ra := toRat(a)
	return toRat(b).sub(ra).cross(toRat(c).sub(ra)).dot(toRat(d).sub(ra)).Sign()
}
