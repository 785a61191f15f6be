package verify

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// The judge is arithmetic of 300 bits.

func exact(x float64) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(x) }

func contains(a interval, x *big.Float) bool {
	return exact(a.lo).Cmp(x) <= 0 && x.Cmp(exact(a.hi)) <= 0
}

var numbers = rapid.OneOf(
	rapid.Float64Range(-10, 10), rapid.Float64Range(-1e-300, 1e-300), rapid.Float64Range(-1e150, 1e150),
	rapid.SampledFrom([]float64{0, 1, -1, 0.1, 0.5, 1.0 / 3, 1e-320}),
)

func drawInterval(t *rapid.T, name string) interval {
	x, y := numbers.Draw(t, name), numbers.Draw(t, name)
	return interval{min(x, y), max(x, y)}
}

func TestIntervals(t *testing.T) {
	op := func(f func(z, x, y *big.Float) *big.Float, x, y float64) *big.Float {
		return f(new(big.Float).SetPrec(300), exact(x), exact(y))
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawInterval(t, "a"), drawInterval(t, "b")
		for _, x := range [2]float64{a.lo, a.hi} {
			for _, y := range [2]float64{b.lo, b.hi} {
				for _, c := range []struct {
					name string
					got  interval
					want *big.Float
				}{
					{"add", a.add(b), op((*big.Float).Add, x, y)},
					{"sub", a.sub(b), op((*big.Float).Sub, x, y)},
					{"mul", a.mul(b), op((*big.Float).Mul, x, y)},
					{"over", a.over(7), op((*big.Float).Quo, x, 7)},
					{"hull", a.hull(b), exact(y)},
				} {
					if !contains(c.got, c.want) {
						t.Fatalf("%s of %v and %v is %v, without %v", c.name, a, b, c.got, c.want)
					}
				}
			}
			if m := a.mid(); math.Abs(x) > a.mag() || exact(a.rad()).Cmp(new(big.Float).Abs(op((*big.Float).Sub, x, m))) < 0 {
				t.Fatalf("%v: size %g, middle %g, radius %g", a, a.mag(), m, a.rad())
			}
		}
		if s := addUp(a.lo, b.lo); exact(s).Cmp(op((*big.Float).Add, a.lo, b.lo)) < 0 {
			t.Fatalf("%g + %g is rounded up to %g", a.lo, b.lo, s)
		}
		if s := addDown(a.lo, b.lo); exact(s).Cmp(op((*big.Float).Add, a.lo, b.lo)) > 0 {
			t.Fatalf("%g + %g is rounded down to %g", a.lo, b.lo, s)
		}
		if p := mulUp(a.lo, b.lo); exact(p).Cmp(op((*big.Float).Mul, a.lo, b.lo)) < 0 {
			t.Fatalf("%g %g is rounded up to %g", a.lo, b.lo, p)
		}
	})
	if x := exactly(1).sub(exactly(1)); x != (interval{}) {
		t.Errorf("1 - 1 is %v", x)
	}
	nan := interval{math.NaN(), 1}
	for _, x := range []interval{nan.add(exactly(1)), nan.mul(exactly(2)), exactly(0.5).sub(nan)} {
		if x.hi < 0 || x.mag() < 1e300 && !math.IsNaN(x.mag()) {
			t.Errorf("what is no number became %v", x)
		}
	}
}

// bigSinCos sums the series with 300 bits.
func bigSinCos(x float64) (s, c *big.Float) {
	s, c = exact(0), exact(0)
	term := exact(1)
	for k := 0; k < 400; k++ {
		switch k % 4 {
		case 0:
			c.Add(c, term)
		case 1:
			s.Add(s, term)
		case 2:
			c.Sub(c, term)
		case 3:
			s.Sub(s, term)
		}
		term.Mul(term, exact(x)).Quo(term, exact(float64(k+1)))
	}
	return s, c
}

func TestSinCos(t *testing.T) {
	widest := 0.0
	check := func(x float64) {
		s, c, err := sinCos(exactly(x))
		if err != nil {
			t.Fatal(err)
		}
		ws, wc := bigSinCos(x)
		if !contains(s, ws) || !contains(c, wc) {
			t.Fatalf("%v: sine %v, cosine %v", x, s, c)
		}
		widest = max(widest, s.hi-s.lo, c.hi-c.lo)
	}
	for k := -40; k <= 40; k++ {
		for _, e := range []float64{0, 1e-17, -1e-9, 0.3, math.Pi / 4} {
			check(float64(k)*math.Pi/2 + e)
		}
	}
	rapid.Check(t, func(t *rapid.T) { check(rapid.Float64Range(-30, 30).Draw(t, "x")) })
	if widest > 4e-15 {
		t.Errorf("intervals are %g wide", widest)
	}
	// Far out, against the library: it is right to 2^-51.
	for _, x := range []float64{1e3, 12345.678, -1e6} {
		s, c, err := sinCos(exactly(x))
		if ws, wc := math.Sincos(x); err != nil || math.Abs(s.mid()-ws) > 1e-15 || math.Abs(c.mid()-wc) > 1e-15 {
			t.Errorf("%g: %v %v, %v", x, s, c, err)
		}
	}
	if s, _, _ := sinCos(interval{0, 1}); s.lo > 0 || s.hi < math.Sin(1) {
		t.Errorf("the sine of 0 to 1 is %v", s)
	}
	for _, x := range []float64{1e7, math.Inf(1), math.NaN()} {
		if _, _, err := sinCos(exactly(x)); err == nil {
			t.Errorf("the sine of %g is known", x)
		}
	}
	for _, x := range []float64{0, 1e-9, 0.5, 1, 2, 3, 3.2, 100} {
		if got, want := chord(x), 2*math.Sin(math.Min(x, math.Pi)/2); got < want-1e-16 || x < 3 && got > want+1e-14 || got > 2 {
			t.Errorf("chord of %g is %g", x, got)
		}
	}
}

// The poses of chains hold the true ones, made with 300 bits, within their errors.
func TestRotationsHoldTheTruth(t *testing.T) {
	type matrix [3][3]*big.Float
	product := func(a, b matrix) (c matrix) {
		for i := range 3 {
			for j := range 3 {
				c[i][j] = exact(0)
				for k := range 3 {
					c[i][j].Add(c[i][j], new(big.Float).SetPrec(300).Mul(a[i][k], b[k][j]))
				}
			}
		}
		return c
	}
	// Axes of exactly unit length.
	axes := []geom.Vec{{X: 1}, {Y: 1}, {Z: 1}, {Y: -1}}
	rapid.Check(t, func(t *rapid.T) {
		r := still.r
		truth := matrix{{exact(1), exact(0), exact(0)}, {exact(0), exact(1), exact(0)}, {exact(0), exact(0), exact(1)}}
		for range rapid.IntRange(1, 12).Draw(t, "joints") {
			u := rapid.SampledFrom(axes).Draw(t, "axis")
			q := rapid.Float64Range(-7, 7).Draw(t, "angle")
			turn, err := about(u, exactly(q))
			if err != nil {
				t.Fatal(err)
			}
			r = r.then(&turn)
			s, c := bigSinCos(q)
			k := new(big.Float).SetPrec(300).Sub(exact(1), c)
			v := [3]float64{u.X, u.Y, u.Z}
			w := [3][3]float64{{0, -u.Z, u.Y}, {u.Z, 0, -u.X}, {-u.Y, u.X, 0}}
			var m matrix
			for i := range 3 {
				for j := range 3 {
					m[i][j] = new(big.Float).SetPrec(300).Mul(k, exact(v[i]*v[j]))
					m[i][j].Add(m[i][j], new(big.Float).SetPrec(300).Mul(s, exact(w[i][j])))
					if i == j {
						m[i][j].Add(m[i][j], c)
					}
				}
			}
			truth = product(truth, m)
		}
		p := geom.Vec{X: rapid.Float64Range(-3, 3).Draw(t, "x"), Y: rapid.Float64Range(-3, 3).Draw(t, "y"), Z: 1}
		got := r.apply(at(p))
		var off float64
		for i, x := range [3]float64{got.v.X, got.v.Y, got.v.Z} {
			want := exact(0)
			for j, y := range [3]float64{p.X, p.Y, p.Z} {
				want.Add(want, new(big.Float).SetPrec(300).Mul(truth[i][j], exact(y)))
			}
			d, _ := want.Sub(want, exact(x)).Float64()
			off += d * d
		}
		if math.Sqrt(off) > got.err || got.err > 1e-12 {
			t.Fatalf("a point is off by %g and said to be by %g", math.Sqrt(off), got.err)
		}
	})
	for _, bad := range []geom.Pose{{}, {R: geom.Rot{XX: 1, YY: 1, ZZ: -1}}, {R: geom.Rot{XX: 2, YY: 1, ZZ: 1}}, {R: geom.Identity(), P: geom.Vec{X: math.NaN()}}} {
		if _, err := loaded(&bad); err == nil {
			t.Errorf("%v is taken for a pose", bad)
		}
	}
}

// Curves are bounded on any interval by what they do there.
func TestCurves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ctrl := rapid.SliceOfN(rapid.Float64Range(-4, 4), 1, maxPoints).Draw(t, "ctrl")
		x, y := rapid.Float64Range(0, 1).Draw(t, "x"), rapid.Float64Range(0, 1).Draw(t, "y")
		lo, hi := min(x, y), max(x, y)
		c := lo + (hi-lo)/2
		points := make([]interval, len(ctrl))
		for i, b := range ctrl {
			points[i] = exactly(b)
		}
		a := lookAt(points, c, lo, hi)
		slope := func(ctrl []float64) []float64 {
			d := make([]float64, max(len(ctrl)-1, 1))
			for i := range len(ctrl) - 1 {
				d[i] = float64(len(ctrl)-1) * (ctrl[i+1] - ctrl[i])
			}
			return d
		}
		rate := slope(ctrl)
		const tol = 1e-12
		if math.Abs(a.q.mid()-valueAt(ctrl, c)) > tol || math.Abs(a.rate.mid()-valueAt(rate, c)) > 1e-11 || a.q.rad() > tol {
			t.Fatalf("at %g: %v %v", c, a.q, a.rate)
		}
		for k := range 11 {
			s := lo + (hi-lo)*float64(k)/10
			for _, b := range []struct{ value, bound float64 }{
				{valueAt(ctrl, s) - valueAt(ctrl, c), a.delta},
				{valueAt(rate, s), a.omega},
				{valueAt(slope(rate), s), a.alpha},
				{valueAt(ctrl, s), a.far},
			} {
				if math.Abs(b.value) > b.bound+1e-10 {
					t.Fatalf("%v on %g to %g: %g at %g is beyond %g", ctrl, lo, hi, b.value, s, b.bound)
				}
			}
		}
	})
}
