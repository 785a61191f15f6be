package mesh

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func TestTurn(t *testing.T) {
	const huge, tiny = math.MaxFloat64, math.SmallestNonzeroFloat64
	for _, c := range []struct {
		name    string
		a, b, c point
		want    int
	}{
		{"left", point{0, 0}, point{1, 0}, point{1, 1}, 1},
		{"right", point{0, 0}, point{1, 0}, point{1, -1}, -1},
		{"straight along an axis", point{0, 3}, point{1, 3}, point{5, 3}, 0},
		{"straight across", point{0, 0}, point{0.1, 0.1}, point{0.3, 0.3}, 0},
		{"back", point{0, 0}, point{3, 1}, point{0, 0}, 0},
		{"one place", point{2, 1}, point{2, 1}, point{2, 1}, 0},
		{"left by one bit", point{1, 1}, point{3, 3}, point{2, math.Nextafter(2, 3)}, 1},
		{"right by one bit", point{1, 1}, point{3, 3}, point{2, math.Nextafter(2, 1)}, -1},
		{"far apart in size", point{1, 1}, point{1 + 0x1p-52, 1}, point{-1e300, 1 + 0x1p-52}, 1},
		{"overflow", point{-huge, -huge}, point{huge, huge}, point{0, tiny}, 1},
		{"underflow", point{0, 0}, point{tiny, tiny}, point{tiny, 2 * tiny}, 1},
		{"underflow to the right", point{0, 0}, point{tiny, tiny}, point{2 * tiny, tiny}, -1},
		{
			"underflow of inexact differences",
			point{-0x1.80edcdce8b46cp-592, -0x1.002c74c76356ap-590},
			point{0x1p-538, 0x1.8p-537},
			point{0x1.8p-536, 0x1.2p-534},
			1,
		},
		{"sliver of a rotated square", point{-7.5732388632710688, 3.62733923553786}, point{5.3987045420958539e-16, -6.5732388632710688}, point{-1.682941969615793, -4.3064437302024174}, -1},
	} {
		for k, p := range [3][3]point{{c.a, c.b, c.c}, {c.b, c.c, c.a}, {c.c, c.a, c.b}} {
			if got := turn(p[0], p[1], p[2]); got != c.want {
				t.Errorf("%s, from point %d: %d, want %d", c.name, k, got, c.want)
			}
			if got := turn(p[1], p[0], p[2]); got != -c.want {
				t.Errorf("%s, mirrored, from point %d: %d, want %d", c.name, k, got, -c.want)
			}
		}
	}
}

// turn agrees with rational numbers, near straight lines above all, where
// floating point alone does not.
func TestTurnIsExact(t *testing.T) {
	n, wrong := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		coordinate := rapid.OneOf(
			rapid.Float64Range(-2, 2),
			rapid.Float64(),
			rapid.Map(rapid.IntRange(-8, 8), func(i int) float64 { return float64(i) / 10 }),
		)
		a := point{coordinate.Draw(t, "ax"), coordinate.Draw(t, "ay")}
		b := point{coordinate.Draw(t, "bx"), coordinate.Draw(t, "by")}
		s := rapid.Float64Range(-2, 2).Draw(t, "s")
		c := point{a.x + s*(b.x-a.x), a.y + s*(b.y-a.y)} // straight, but for rounding
		if rapid.Bool().Draw(t, "anywhere") || !finite(c) {
			c = point{coordinate.Draw(t, "cx"), coordinate.Draw(t, "cy")}
		}
		want := turnRational(a, b, c)
		if got := turn(a, b, c); got != want {
			t.Fatalf("%v, %v, %v: %d, want %d", a, b, c, got, want)
		}
		n++
		if d := (b.x-a.x)*(c.y-a.y) - (b.y-a.y)*(c.x-a.x); d > 0 != (want > 0) || d < 0 != (want < 0) {
			wrong++
		}
	})
	if t.Logf("floating point alone is wrong %d times in %d", wrong, n); n >= 100 && 50*wrong < n {
		t.Errorf("floating point alone is wrong only %d times in %d: the drawn points are too easy", wrong, n)
	}
}

func finite(p point) bool { return p.x-p.x == 0 && p.y-p.y == 0 }

func turnRational(a, b, c point) int {
	rat := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	times := func(x, y float64) *big.Rat { return new(big.Rat).Mul(rat(x), rat(y)) }
	d := new(big.Rat)
	for _, e := range [3][2]point{{a, b}, {b, c}, {c, a}} { // shoelace
		d.Add(d, times(e[0].x, e[1].y))
		d.Sub(d, times(e[0].y, e[1].x))
	}
	return d.Sign()
}
