package taylor_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/firstcontact-ros/firstcontact/internal/numeric/interval"
	"github.com/firstcontact-ros/firstcontact/internal/numeric/taylor"
)

func TestSinesHoldWhatTheyShould(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := some(t, "a")
		if rapid.Bool().Draw(t, "linear") { // as the angle of most joints
			a.C[2], a.C[3], a.R = 0, 0, interval.I{}
		}
		sin, cos := taylor.SinCos(&a)
		for _, x := range places {
			v := value(t, &a, x)
			s, c := sincos(v)
			if !holds(&sin, x, s) {
				t.Fatalf("sine of %v at %g: %s is not in %v", a, x, s.Text('g', 20), sin)
			}
			if !holds(&cos, x, c) {
				t.Fatalf("cosine of %v at %g: %s is not in %v", a, x, c.Text('g', 20), cos)
			}
		}
	})
}

// The remainder of the sine of an angle that changes evenly is what it differs from its
// Taylor polynomial, no more ("determining the exact resulting interval remainder").
func TestRemainderIsExact(t *testing.T) {
	for _, c := range []float64{-3, -1.2, -0.05, 0, 1e-3, 0.3, 0.8, 1.5, math.Pi / 2, 2.5} {
		for _, w := range []float64{1e-2, 0.1, 0.4, 0.9, 1.5} {
			angle := taylor.Model{C: [4]float64{c, w}}
			sin, cos := taylor.SinCos(&angle)
			for name, f := range map[string]struct {
				m *taylor.Model
				f func(float64) float64
			}{"sin": {&sin, math.Sin}, "cos": {&cos, math.Cos}} {
				lo, hi := math.Inf(1), math.Inf(-1)
				for k := -1000; k <= 1000; k++ {
					x := float64(k) / 1000
					d := f.f(c+w*x) - (f.m.C[0] + x*(f.m.C[1]+x*(f.m.C[2]+x*f.m.C[3])))
					lo, hi = math.Min(lo, d), math.Max(hi, d)
				}
				if slack := 1e-14 + 1e-6*(hi-lo); lo-f.m.R.Lo > slack || f.m.R.Hi-hi > slack {
					t.Errorf("%s around %g +- %g: remainder %v, in truth [%g, %g]", name, c, w, f.m.R, lo, hi)
				}
			}
		}
	}
}

// ZRLK07, section 5.1: cos t + sqrt(3) sin t on [0, pi/2] is in [1, 2]; intervals say
// [0, 1 + sqrt(3)].
func TestTheSumOfThePaper(t *testing.T) {
	stretch := interval.I{Lo: 0, Hi: math.Pi / 2}
	sinI, cosI := interval.SinCos(stretch)
	plain := cosI.Add(sinI.Scale(math.Sqrt(3)))
	angle := taylor.Polynomial([]float64{0, math.Pi / 2}, 0, 1)
	sin, cos := taylor.SinCos(&angle)
	sin = sin.Scale(math.Sqrt(3))
	sum := cos.Add(&sin)
	model := sum.Bound()
	t.Logf("intervals %v, Taylor models %v", plain, model)
	if plain.Lo > 1e-9 || plain.Hi < 1+math.Sqrt(3) {
		t.Errorf("intervals give %v, the paper [0, 1 + sqrt 3]", plain)
	}
	if !model.Holds(interval.Of(1, 2)) || model.Width() > 1.07 {
		t.Errorf("Taylor models give %v for [1, 2]", model)
	}
}

// However far a joint goes, its sine is no wider than that of interval arithmetic.
func TestLongTurnsAreNoWiderThanIntervals(t *testing.T) {
	for _, w := range []float64{2, 3, 5, 6.1, 7, 50, 1e7} {
		angle := taylor.Model{C: [4]float64{0.3, w}}
		sin, cos := taylor.SinCos(&angle)
		if s, c := sin.R.Width(), cos.R.Width(); s > 2+1e-9 || c > 2+1e-9 {
			t.Errorf("turning by %g either way leaves remainders %g and %g wide", w, s, c)
		}
	}
}

// An angle that is known but for rounding is the usual one: what it may be off counts
// where it is small, too.
func TestSinesCountWhatAnAngleIsOff(t *testing.T) {
	for _, off := range []float64{1e-15, 1e-12, 9e-10, 1e-6, 1e-2} {
		a := taylor.Model{C: [4]float64{0.8, 0.01}, R: interval.I{Lo: -off, Hi: off}}
		sin, cos := taylor.SinCos(&a)
		for _, x := range places {
			for _, r := range []float64{-off, off} {
				s, c := sincos(add(cubic(&a, x), num(r)))
				if !holds(&sin, x, s) || !holds(&cos, x, c) {
					t.Errorf("off by %g at %g: %s and %s are not in %v and %v", r, x, s.Text('g', 20), c.Text('g', 20), sin, cos)
				}
			}
		}
	}
}
