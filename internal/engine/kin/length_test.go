package kin

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Length is never below what a fine polygon measures, near it on short intervals, and
// counts the way back.
func TestLengthOfCurves(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for i := range 3000 {
		ctrl := make([]float64, 1+r.IntN(MaxDegree+1))
		for k := range ctrl {
			ctrl[k] = 4*r.Float64() - 2
		}
		c := NewCurve(ctrl, make([]float64, CurveSize(MaxDegree+1)))
		lo := r.Float64()
		hi := lo + (1-lo)*r.Float64()
		if i%2 == 0 {
			hi = lo + (1-lo)*1e-3*r.Float64()
		}
		const steps = 200
		polygon, last := 0.0, c.At(lo)
		for k := 1; k <= steps; k++ {
			q := c.At(lo + (hi-lo)*float64(k)/steps)
			polygon, last = polygon+math.Abs(q-last), q
		}
		got := c.Length(lo, hi)
		if got < polygon-1e-15*steps {
			t.Fatalf("%v on [%g, %g]: length %.17g, polygon %.17g", ctrl, lo, hi, got, polygon)
		}
		if i%2 == 0 && got > polygon+1e-4*(hi-lo)+1e-12 && got > 1.5*polygon+0.05*(hi-lo) {
			t.Errorf("%v on [%g, %g]: length %g is loose, polygon %g", ctrl, lo, hi, got, polygon)
		}
		if q := c.Around(lo, lo, hi).Q; q != c.At(lo) {
			t.Fatalf("At %g is %g, Around says %g", lo, c.At(lo), q)
		}
	}
	there := NewCurve([]float64{0, 2, 0}, make([]float64, CurveSize(3)))
	if got := there.Length(0, 1); got < 2 {
		t.Errorf("there and back is %g, want 2 at least", got)
	}
	for _, half := range [][2]float64{{0, 0.5}, {0.5, 1}} {
		if got := there.Length(half[0], half[1]); math.Abs(got-1) > 1e-12 {
			t.Errorf("one way is %g, want 1", got)
		}
	}
	if there.Straight() {
		t.Error("a parabola is no straight line")
	}
}
