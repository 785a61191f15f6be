package motion

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestShortWay(t *testing.T) {
	above := math.Nextafter(math.Pi, 4)
	for _, c := range []struct {
		from, to float64
		turns    int
	}{
		{0, 0, 0},
		{0, math.Pi, 0},
		{math.Pi, 0, 0},
		{0, -math.Pi, 0}, // half a turn goes directly
		{0, above, 1},
		{0, -above, -1},
		{3.1, -3.1, -1},
		{-3.1, 3.1, 1},
		{0, 2 * math.Pi, 1},
		{0, 6, 1},
		{6, 0, -1},
		{0, 3 * math.Pi, 1},
		{3 * math.Pi, 0, -1}, // half a turn is left in the direction of the numbers
		{0, 5 * math.Pi, 2},
		{0.1, 0.2 + 4*math.Pi, 2},
		{-1e6, 1e6, 318310},
	} {
		if got := ShortWay(c.from, c.to); got != c.turns {
			t.Errorf("from %v to %v: %d turns, want %d", c.from, c.to, got, c.turns)
		}
	}
	d := rand.New(rand.NewPCG(1, 2))
	for range 10_000 {
		a, b := 100*d.NormFloat64(), 100*d.NormFloat64()
		k := ShortWay(a, b)
		if left := b - a - 2*math.Pi*float64(k); math.Abs(left) > math.Pi+1e-12 || ShortWay(b, a) != -k {
			t.Fatalf("from %v to %v: %d turns leave %v, backwards %d", a, b, k, left, ShortWay(b, a))
		}
	}
}
