package kin_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
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
		sin, cos := bigSincos(num(x))
		for _, e := range []struct {
			of   string
			got  float64
			want *big.Float
		}{{"sine of Sincos", s, sin}, {"cosine of Sincos", c, cos}, {"Sin", math.Sin(x), sin}} {
			d := float(abs(sub(num(e.got), e.want)))
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

// The twin's own sine and cosine: they solve s^2 + c^2 = 1, the angle sum and
// known values to 200 bits.
func TestBigSincos(t *testing.T) {
	small := func(what string, x *big.Float) {
		t.Helper()
		if x.Sign() != 0 && x.MantExp(nil) > -200 {
			t.Errorf("%s is off by %g", what, float(x))
		}
	}
	// pi by Machin's formula.
	arctan := func(inverse float64) *big.Float {
		x := quo(num(1), num(inverse))
		sum, power, square := num(0), x, mul(x, x)
		for n := 1.0; power.MantExp(nil) > -precision; n += 2 {
			sum = add(sum, quo(power, num(n)))
			power = neg(mul(power, square))
		}
		return sum
	}
	pi := sub(mul(num(16), arctan(5)), mul(num(4), arctan(239)))
	s, c := bigSincos(quo(pi, num(6)))
	small("sin(pi/6)", sub(s, num(0.5)))
	small("cos(pi/6)", sub(mul(c, c), num(0.75)))
	s, c = bigSincos(mul(pi, num(31)))
	small("sin(31 pi)", s)
	small("cos(31 pi)", add(c, num(1)))
	r := source(42)
	for range 50 {
		x, y := num(symmetric(r, 1000)), num(symmetric(r, 1))
		sx, cx := bigSincos(x)
		sy, cy := bigSincos(y)
		s, c := bigSincos(add(x, y))
		small("1", sub(add(mul(sx, sx), mul(cx, cx)), num(1)))
		small("sine of a sum", sub(s, add(mul(sx, cy), mul(cx, sy))))
		small("cosine of a sum", sub(c, sub(mul(cx, cy), mul(sx, sy))))
	}
}

// A chord is an upper bound of 2 sin(min(delta, pi)/2), to the last bit, and no
// more than rounding above it; a prismatic joint's is delta itself.
func TestChord(t *testing.T) {
	tree := plan{pin(0), slide(0, alongX)}.tree(t)
	s := kin.NewState(tree)
	check := func(delta float64) {
		s.Set([]kin.Around{{Delta: delta}, {Delta: delta}})
		want := num(2)
		if delta < math.Pi {
			sin, _ := bigSincos(num(delta / 2))
			want = mul(num(2), sin)
		}
		got := num(s.Chord[1])
		if !atMost(want, got) || !atMost(got, add(want, num(0x1p-49))) || !atMost(got, num(math.Max(delta, 0))) {
			t.Errorf("chord of %v is %v, want %v", delta, s.Chord[1], float(want))
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
