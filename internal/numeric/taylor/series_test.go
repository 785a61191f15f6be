package taylor

import (
	"math"
	"math/big"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/numeric/interval"
)

// The series that bound what a Taylor polynomial leaves out enclose it, and are tight.
func TestSeriesEnclose(t *testing.T) {
	for _, w := range []float64{0, 1e-160, 1e-9, 1e-3, 0.1, 0.7, 1.3, 1.9, 2, 2.1, 3, 5, 6.2, 9, 40} {
		a, b := beyond(w)
		for name, c := range map[string]struct {
			got  interval.I
			want *big.Float
		}{"cosine": {beyondCos(w), a}, "sine": {beyondSin(w), b}} {
			if c.want.Cmp(big.NewFloat(c.got.Lo)) < 0 || c.want.Cmp(big.NewFloat(c.got.Hi)) > 0 {
				t.Errorf("%s at %g: %s is not in %v", name, w, c.want.Text('g', 20), c.got)
			}
			v, _ := c.want.Float64()
			if c.got.Width() > 1e-6*v+1e-300 {
				t.Errorf("%s at %g: %g wide around %g", name, w, c.got.Width(), v)
			}
		}
	}
}

// beyond returns cos w - 1 + w^2/2 and sin w - w + w^3/6 by 60 and more terms with 400
// bits.
func beyond(w float64) (a, b *big.Float) {
	num := func(x float64) *big.Float { return new(big.Float).SetPrec(400).SetFloat64(x) }
	a, b = num(0), num(0)
	term := num(1) // w^n / n!
	for n := range 240 {
		if n > 0 {
			term = num(0).Quo(num(0).Mul(term, num(w)), num(float64(n)))
		}
		signed := num(0).Set(term)
		if n&2 != 0 {
			signed.Neg(signed)
		}
		switch {
		case n < 4:
		case n%2 == 0:
			a = num(0).Add(a, signed)
		default:
			b = num(0).Add(b, signed)
		}
	}
	return a, b
}

// What is left of sine and cosine for any signs of theirs, on stretches of any length.
func TestLeftHoldsAllAngles(t *testing.T) {
	for _, c := range []float64{-2, -0.1, 0, 0.2, 1.4, 2.9} {
		s, k := math.Sincos(c)
		for _, w := range []float64{0.1, 1, 3, 5.9, 6.5, 20} {
			got := left(interval.Within(s, 1e-9), interval.Within(k, 1e-9), beyondCos(w), beyondSin(w), w)
			lo, hi := 0.0, 0.0
			for i := -2000; i <= 2000; i++ {
				v := float64(i) / 2000 * w
				y := s*(math.Cos(v)-1+v*v/2) + k*(math.Sin(v)-v+v*v*v/6)
				lo, hi = math.Min(lo, y), math.Max(hi, y)
			}
			if err := 1e-15 * (1 + w*w*w); got.Lo > lo+err || got.Hi < hi-err { // y is rounded
				t.Errorf("around %g +- %g: [%g, %g] is not in %v", c, w, lo, hi, got)
			}
		}
	}
}
