package chance

import (
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// Draws stay in their ranges, cover them, and repeat with the seed.
func TestDraws(t *testing.T) {
	d, again, other := New(1, 2), New(1, 2), New(1, 3)
	var lo, hi, axes [4]int
	same := true
	for range 2000 {
		x := d.In(-2, 6)
		if y := again.In(-2, 6); x != y {
			t.Fatalf("%g after %g from the same seed", y, x)
		}
		same = same && x == other.In(-2, 6)
		s := New(7, math.Float64bits(x)).Spread(1e-3, 1e3)
		v, u := d.Vec(0.5), d.Unit()
		again.Vec(0.5)
		again.Unit()
		if x < -2 || x > 6 || s < 1e-3 || s > 1e3*(1+1e-12) || math.Abs(geom.Norm(u)-1) > 1e-12 {
			t.Fatal(x, s, u)
		}
		for i, c := range [...]float64{(x + 2) / 8, math.Log10(s)/6 + 0.5, v.X + 0.5, u.Z/2 + 0.5} {
			if c < -1e-9 || c > 1+1e-9 {
				t.Fatalf("%d: %g", i, c)
			}
			if c < 0.1 {
				lo[i]++
			}
			if c > 0.9 {
				hi[i]++
			}
		}
	}
	for i := range lo {
		if lo[i] < 100 || hi[i] < 100 {
			t.Errorf("%d: %d low, %d high", i, lo[i], hi[i])
		}
	}
	if same {
		t.Error("another stream gives the same numbers")
	}
	for range 400 {
		switch a := d.Axis(); {
		case a.X == 1:
			axes[0]++
		case a.Y == 1:
			axes[1]++
		case a.Z == 1:
			axes[2]++
		default:
			axes[3]++
		}
		if p := d.Pose(2); math.Abs(p.P.X) > 2 || math.Abs(geom.Norm(p.R.Apply(geom.Vec{X: 1}))-1) > 1e-12 {
			t.Fatal(p)
		}
	}
	for i, n := range axes {
		if n < 60 {
			t.Errorf("axis %d: %d times", i, n)
		}
	}
}
