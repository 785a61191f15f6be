package kin_test

import (
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/exact"
)

// specialAngles are where sine and cosine vanish, peak or cross, their
// neighbours, and numbers of every size up to 100.
func specialAngles() []float64 {
	xs := []float64{0, math.SmallestNonzeroFloat64, 0x1p-1022, 100, math.Nextafter(100, 0)}
	for k := 1; float64(k)*math.Pi/4 <= 100; k++ {
		x := float64(k) * math.Pi / 4
		xs = append(xs, x, math.Nextafter(x, 0), math.Nextafter(x, 101), x-1e-9, x+1e-9)
	}
	for e := -60; e < 7; e++ {
		xs = append(xs, math.Ldexp(1, e), math.Ldexp(1.5, e))
	}
	return xs
}

// The absolute error that every rotation's bound counts on: 2^-51 on the target
// that runs this test. math.Sin is checked with it; chords use it.
func TestSincosError(t *testing.T) {
	const most = 0x1p-51
	var worst float64
	check := func(x float64) {
		s, c := math.Sincos(x)
		sin, cos := exact.Sincos(exact.Of(x))
		for _, e := range []struct {
			of   string
			got  float64
			want exact.Num
		}{{"sine of Sincos", s, sin}, {"cosine of Sincos", c, cos}, {"Sin", math.Sin(x), sin}} {
			d := exact.Of(e.got).Minus(e.want).Abs().Float()
			worst = math.Max(worst, d)
			if !(d <= most) {
				t.Errorf("%s of %v errs by %g, more than 2^-51", e.of, x, d)
			}
		}
	}
	for _, x := range specialAngles() {
		check(x)
		check(-x)
	}
	r := source(41)
	for range rounds(1500) {
		check(symmetric(r, 100))
		check(symmetric(r, math.Pi))
	}
	t.Logf("largest error %.4g = %.3f * 2^-51", worst, worst/most)
}

// A chord is an upper bound of 2 sin(min(delta, pi)/2), to the last bit, and no
// more than rounding above it; a prismatic joint's is delta itself.
func TestChord(t *testing.T) {
	tree := plan{pin(0), slide(0, alongX)}.tree(t)
	s := kin.NewState(tree)
	check := func(delta float64) {
		s.Set([]kin.Around{{Delta: delta}, {Delta: delta}})
		want := exact.Chord(delta)
		got := exact.Of(s.Chord[1])
		if !want.AtMost(got) || !got.AtMost(want.Plus(exact.Of(0x1p-49))) || !got.AtMost(exact.Of(math.Max(delta, 0))) {
			t.Errorf("chord of %v is %v, want %v", delta, s.Chord[1], want.Float())
		}
		if s.Chord[2] != delta {
			t.Errorf("a slide by %v has the chord %v", delta, s.Chord[2])
		}
	}
	for _, x := range specialAngles() {
		check(x)
	}
	r := source(43)
	for range rounds(600) {
		check(3.2 * r.Float64())
	}
}
