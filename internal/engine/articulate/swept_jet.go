package articulate

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/numeric/interval"
)

// Derivatives of surfaces in intervals, for the error of their tessellation (RKLM04,
// section 4.2.2.2: "bound the derivatives of the progenitor surface" and of what is made
// of it). Where the paper has them worked out by hand, after Farouki, these jets carry
// them through every operation.

// jet is what a function of (t, s) and its derivatives up to the second order may be.
type jet struct{ f, t, s, tt, ts, ss interval.I }

func (a jet) sub(b jet) jet {
	return jet{a.f.Sub(b.f), a.t.Sub(b.t), a.s.Sub(b.s), a.tt.Sub(b.tt), a.ts.Sub(b.ts), a.ss.Sub(b.ss)}
}

func (a jet) add(b jet) jet {
	return jet{a.f.Add(b.f), a.t.Add(b.t), a.s.Add(b.s), a.tt.Add(b.tt), a.ts.Add(b.ts), a.ss.Add(b.ss)}
}

// mul is the product rule, twice.
func (a jet) mul(b jet) jet {
	return jet{
		f:  times(a.f, b.f),
		t:  times(a.t, b.f).Add(times(a.f, b.t)),
		s:  times(a.s, b.f).Add(times(a.f, b.s)),
		tt: times(a.tt, b.f).Add(times(a.t, b.t).Scale(2)).Add(times(a.f, b.tt)),
		ts: times(a.ts, b.f).Add(times(a.t, b.s)).Add(times(a.s, b.t)).Add(times(a.f, b.ts)),
		ss: times(a.ss, b.f).Add(times(a.s, b.s).Scale(2)).Add(times(a.f, b.ss)),
	}
}

// times is a product that is zero where a factor is, as derivatives often are: rounded
// outward it would be the smallest number there is, which processors are slow with.
func times(a, b interval.I) interval.I {
	if a == (interval.I{}) || b == (interval.I{}) {
		return interval.I{}
	}
	return a.Mul(b)
}

// jetVec is a vector of them.
type jetVec struct{ x, y, z jet }

// alongT is a curve as a surface that does not depend on s: its value and two derivatives.
func alongT(f, d, dd interval.Vec) jetVec {
	return jetVec{
		jet{f: f.X, t: d.X, tt: dd.X}, jet{f: f.Y, t: d.Y, tt: dd.Y}, jet{f: f.Z, t: d.Z, tt: dd.Z},
	}
}

func constant(v geom.Vec) jetVec {
	return alongT(interval.OfVec(v), interval.Vec{}, interval.Vec{})
}

func (a jetVec) add(b jetVec) jetVec { return jetVec{a.x.add(b.x), a.y.add(b.y), a.z.add(b.z)} }

func (a jetVec) scale(k jet) jetVec { return jetVec{a.x.mul(k), a.y.mul(k), a.z.mul(k)} }

func (a jetVec) cross(b jetVec) jetVec {
	return jetVec{
		a.y.mul(b.z).sub(a.z.mul(b.y)), a.z.mul(b.x).sub(a.x.mul(b.z)), a.x.mul(b.y).sub(a.y.mul(b.x)),
	}
}

// sizes are the largest lengths of a vector's derivatives, and the least and the largest of
// its own.
type sizes struct{ least, most, t, s, tt, ts, ss float64 }

func (a *jetVec) sizes() sizes {
	size := func(x, y, z interval.I) float64 { return interval.Vec{X: x, Y: y, Z: z}.Norm().Hi }
	f := interval.Vec{X: a.x.f, Y: a.y.f, Z: a.z.f}.Norm()
	return sizes{
		least: f.Lo, most: f.Hi,
		t: size(a.x.t, a.y.t, a.z.t), s: size(a.x.s, a.y.s, a.z.s),
		tt: size(a.x.tt, a.y.tt, a.z.tt), ts: size(a.x.ts, a.y.ts, a.z.ts), ss: size(a.x.ss, a.y.ss, a.z.ss),
	}
}

// unit returns bounds of the derivatives of n = N/|N|, infinite where N may be zero.
//
// With P = 1 - n n^T, n_u = P N_u / |N|, and
//
//	n_uv = P N_uv / |N| - ( (n.N_u) P N_v + (n.N_v) P N_u ) / |N|^2 - (n_u.n_v) n
//
// If N_u and N_v make angles a and b with n, the second term is no longer than |sin(a + b)| |N_u|
// |N_v| / |N|^2, and the last, which is normal to it, than |sin a sin b| of the same:
//
//	|n_u| <= |N_u| / |N|,   |n_uv| <= |N_uv| / |N| + sqrt(2) |N_u| |N_v| / |N|^2
func (z sizes) unit() sizes {
	if !(z.least > 0) {
		x := math.Inf(1)
		return sizes{0, 1, x, x, x, x, x}
	}
	k := (1 + 16*u) / z.least
	second := func(uv, a, b float64) float64 { return k * (uv + math.Sqrt2*k*a*b) }
	return sizes{
		least: 1, most: 1, t: k * z.t, s: k * z.s,
		tt: second(z.tt, z.t, z.t), ts: second(z.ts, z.t, z.s), ss: second(z.ss, z.s, z.s),
	}
}

// path is where a point is and its derivatives by time, up to the fourth.
type path [orders]interval.Vec

// path bounds the path of a point of a frame, in the world, from lo to hi: joint by joint
// from the point outward to the root, each a product of Taylor series. The numbers that the
// robot is loaded with are taken as they are.
func (m *Mover) path(frame int, p geom.Vec, lo, hi float64) path {
	series := path{interval.OfVec(p)}
	for k := frame; k > 0; k = m.tree.Frames[k].Parent {
		series = m.carry(k, series, lo, hi)
	}
	for i, factorial := 2, 2.0; i < orders; i++ {
		series[i] = series[i].Scale(interval.Point(factorial))
		factorial *= float64(i + 1)
	}
	return series
}

// carry takes a point's series from frame k to the one it hangs on.
func (m *Mover) carry(k int, p path, lo, hi float64) path {
	j := &m.joints[k]
	var q [orders]interval.I
	factorial := 1.0
	for i := range q {
		factorial *= max(float64(i), 1)
		q[i] = m.position(k, i, lo, hi).Div(interval.Point(factorial))
	}
	var out path
	if m.tree.Frames[k].Prismatic {
		for i := range out {
			out[i] = j.c.Apply(p[i]).Add(j.s.Scale(q[i]))
		}
	} else {
		out = turnSeries(j, &q, &p)
	}
	out[0] = out[0].Add(j.p)
	for i := range out {
		out[i] = out[i].Grow(noZero)
	}
	return out
}

// turnSeries returns the series of (cos(q) A + sin(q) B + C) p. Those of sine and cosine
// follow from s' = q' c and c' = -q' s: k s_k is the sum of i q_i c_(k-i), i = 1 .. k.
func turnSeries(j *jointMotion, q *[orders]interval.I, p *path) (out path) {
	var sin, cos [orders]interval.I
	sin[0], cos[0] = interval.SinCos(q[0])
	for k := 1; k < orders; k++ {
		for i := 1; i <= k; i++ {
			iq := q[i].Scale(float64(i))
			sin[k], cos[k] = sin[k].Add(iq.Mul(cos[k-i])), cos[k].Sub(iq.Mul(sin[k-i]))
		}
		n := interval.Point(float64(k))
		sin[k], cos[k] = sin[k].Div(n), cos[k].Div(n)
	}
	for k := range orders {
		out[k] = j.c.Apply(p[k])
	}
	for i := range orders {
		ap, bp := j.a.Apply(p[i]), j.b.Apply(p[i])
		for k := i; k < orders; k++ {
			out[k] = out[k].Add(ap.Scale(cos[k-i])).Add(bp.Scale(sin[k-i]))
		}
	}
	return out
}
