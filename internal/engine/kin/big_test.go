package kin_test

import (
	"math/big"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Arbitrary-precision arithmetic for the twins: 300 bits, against which the
// rounding of float64 is all there is to see.

const precision = 300

func num(x float64) *big.Float       { return new(big.Float).SetPrec(precision).SetFloat64(x) }
func add(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(precision).Add(a, b) }
func sub(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(precision).Sub(a, b) }
func mul(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(precision).Mul(a, b) }
func quo(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(precision).Quo(a, b) }
func abs(a *big.Float) *big.Float    { return new(big.Float).SetPrec(precision).Abs(a) }
func neg(a *big.Float) *big.Float    { return new(big.Float).SetPrec(precision).Neg(a) }
func root(a *big.Float) *big.Float   { return new(big.Float).SetPrec(precision).Sqrt(a) }
func atMost(a, b *big.Float) bool    { return a.Cmp(b) <= 0 }
func largest(a, b *big.Float) *big.Float {
	if a.Cmp(b) >= 0 {
		return a
	}
	return b
}

func float(a *big.Float) float64 {
	f, _ := a.Float64()
	return f
}

// bigSincos sums the series of exp(i x/2^k) and squares it k times, each of
// which at most doubles an error that starts at 2^-290.
func bigSincos(x *big.Float) (sin, cos *big.Float) {
	k := max(0, x.MantExp(nil)+8)
	y := new(big.Float).SetPrec(precision)
	y.SetMantExp(x, -k)
	sin, cos = num(0), num(1)
	term := num(1)
	for n := 1; term.Sign() != 0 && term.MantExp(nil) > -precision; n++ {
		term = quo(mul(term, y), num(float64(n)))
		signed := term
		if n&2 != 0 {
			signed = neg(term)
		}
		if n&1 != 0 {
			sin = add(sin, signed)
		} else {
			cos = add(cos, signed)
		}
	}
	for range k {
		sin, cos = mul(num(2), mul(sin, cos)), sub(mul(cos, cos), mul(sin, sin))
	}
	return sin, cos
}

// bigVec is a vector, bigRot a matrix by rows.
type (
	bigVec [3]*big.Float
	bigRot [3]bigVec
)

func bigTriple(a [3]float64) bigVec { return bigVec{num(a[0]), num(a[1]), num(a[2])} }

func (a bigVec) plus(b bigVec) bigVec {
	return bigVec{add(a[0], b[0]), add(a[1], b[1]), add(a[2], b[2])}
}

func (a bigVec) minus(b bigVec) bigVec {
	return bigVec{sub(a[0], b[0]), sub(a[1], b[1]), sub(a[2], b[2])}
}

func (a bigVec) scaled(k *big.Float) bigVec {
	return bigVec{mul(k, a[0]), mul(k, a[1]), mul(k, a[2])}
}

func (a bigVec) dot(b bigVec) *big.Float {
	return add(add(mul(a[0], b[0]), mul(a[1], b[1])), mul(a[2], b[2]))
}

func (a bigVec) cross(b bigVec) bigVec {
	var c bigVec
	for i := range c {
		j, k := (i+1)%3, (i+2)%3
		c[i] = sub(mul(a[j], b[k]), mul(a[k], b[j]))
	}
	return c
}

func (a bigVec) norm() *big.Float { return root(a.dot(a)) }

func (a bigVec) unit() bigVec { return a.scaled(quo(num(1), a.norm())) }

// off is the distance from a to the float64 vector v.
func (a bigVec) off(v geom.Vec) *big.Float { return a.minus(bigTriple(asTriple(v))).norm() }

func (r bigRot) apply(v bigVec) bigVec { return bigVec{r[0].dot(v), r[1].dot(v), r[2].dot(v)} }

func (r bigRot) times(s bigRot) bigRot {
	var t bigRot
	for i := range t {
		for j := range t[i] {
			t[i][j] = r[i].dot(bigVec{s[0][j], s[1][j], s[2][j]})
		}
	}
	return t
}

// off is the distance from r to the float64 matrix m in the Frobenius norm.
func (r bigRot) off(m geom.Rot) *big.Float {
	rows := [3]geom.Vec{{X: m.XX, Y: m.XY, Z: m.XZ}, {X: m.YX, Y: m.YY, Z: m.YZ}, {X: m.ZX, Y: m.ZY, Z: m.ZZ}}
	sum := num(0)
	for i, row := range rows {
		d := r[i].off(row)
		sum = add(sum, mul(d, d))
	}
	return root(sum)
}

func bigIdentity() bigRot {
	return bigRot{bigTriple(alongX), bigTriple(alongY), bigTriple(alongZ)}
}

// bigTurn is the rotation about the unit axis u.
func bigTurn(u bigVec, angle *big.Float) bigRot {
	s, c := bigSincos(angle)
	var columns [3]bigVec
	for i, e := range bigIdentity() {
		along := mul(u.dot(e), sub(num(1), c))
		columns[i] = e.scaled(c).plus(u.cross(e).scaled(s)).plus(u.scaled(along))
	}
	var r bigRot
	for i := range r {
		r[i] = bigVec{columns[0][i], columns[1][i], columns[2][i]}
	}
	return r
}

// bigPose is a pose, bigTwist the velocity field lin + ang x x.
type (
	bigPose struct {
		r bigRot
		p bigVec
	}
	bigTwist struct{ lin, ang bigVec }
)

// twin is what the twin knows of a link.
type twin struct {
	pose         bigPose // in the root's frame
	twist, rate  bigTwist
	axis, origin bigVec // of the hinge that moves it
}

// bigPolynomial evaluates Bernstein control points and two derivatives at t.
func bigPolynomial(ctrl []float64, t float64) (q, qd, qdd *big.Float) {
	w := make([]*big.Float, len(ctrl))
	d := make([]*big.Float, len(ctrl))
	dd := make([]*big.Float, len(ctrl))
	for i, b := range ctrl {
		w[i], d[i], dd[i] = num(b), num(0), num(0)
	}
	s, rest := num(t), sub(num(1), num(t))
	for n := len(w) - 1; n > 0; n-- {
		for i := range n {
			dd[i] = add(add(mul(rest, dd[i]), mul(s, dd[i+1])), mul(num(2), sub(d[i+1], d[i])))
			d[i] = add(add(mul(rest, d[i]), mul(s, d[i+1])), sub(w[i+1], w[i]))
			w[i] = add(mul(rest, w[i]), mul(s, w[i+1]))
		}
	}
	return w[0], d[0], dd[0]
}

// bigForward is forward kinematics of a plan's links at time t, from the numbers
// of the file: angles and axes as written, not as rounded by the loader.
func bigForward(p plan, cs curves, t float64) []twin {
	o := newOracle(p, cs)
	zero := bigTriple([3]float64{})
	links := []twin{{pose: bigPose{bigIdentity(), zero}, twist: bigTwist{zero, zero}, rate: bigTwist{zero, zero}}}
	for i, h := range p {
		up := links[h.parent]
		at := twin{twist: up.twist, rate: up.rate}
		at.pose.p = up.pose.p.plus(up.pose.r.apply(bigTriple(h.xyz)))
		at.pose.r = up.pose.r
		for _, k := range []int{2, 1, 0} { // yaw, pitch, roll
			at.pose.r = at.pose.r.times(bigTurn(bigIdentity()[k], num(h.rpy[k])))
		}
		if h.kind != urdf.Fixed {
			q, qd, qdd := bigPolynomial(cs[o.dofOf[i]], t)
			if h.mimics > 0 {
				q, qd, qdd = add(mul(num(h.mult), q), num(h.offset)), mul(num(h.mult), qd), mul(num(h.mult), qdd)
			}
			u := bigTriple(h.axis).unit()
			at.axis, at.origin = at.pose.r.apply(u), at.pose.p
			w := at.axis.scaled(qd)
			if h.kind == urdf.Prismatic {
				at.pose.p = at.pose.p.plus(at.axis.scaled(q))
				at.twist.lin = up.twist.lin.plus(w)
				// The axis turns with the body before it.
				at.rate.lin = up.rate.lin.plus(at.axis.scaled(qdd)).plus(up.twist.ang.cross(w))
			} else {
				at.pose.r = at.pose.r.times(bigTurn(u, q))
				at.twist.ang = up.twist.ang.plus(w)
				at.twist.lin = up.twist.lin.plus(at.origin.cross(w))
				// (o x w)' by the product rule: o moves and w turns with the body before.
				wRate := at.axis.scaled(qdd).plus(up.twist.ang.cross(w))
				oRate := up.twist.lin.plus(up.twist.ang.cross(at.origin))
				at.rate.ang = up.rate.ang.plus(wRate)
				at.rate.lin = up.rate.lin.plus(oRate.cross(w)).plus(at.origin.cross(wRate))
			}
		}
		links = append(links, at)
	}
	return links
}
