package kin_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// What is skipped ends at the time that was proved or before it, in exact arithmetic, and
// not much before; a new motion skips nothing.
func TestSkipEndsInTime(t *testing.T) {
	tree, err := kin.NewTree(plan{{kind: urdf.Revolute, axis: alongZ}}.robot())
	if err != nil {
		t.Fatal(err)
	}
	d := chance.New(77, 1)
	exact := func(x float64) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(x) }
	for range 3000 {
		var times []float64
		var points [][]float64
		at := math.Ldexp(d.Float64(), d.IntN(40)-20)
		for range 2 + d.IntN(4) {
			times, points = append(times, at), append(points, []float64{d.In(-1, 1)})
			at += math.Ldexp(d.In(0.1, 1), d.IntN(30)-15)
		}
		m, err := motion.Path([]string{"j0"}, points, times)
		if err != nil {
			continue // so short that two times are one
		}
		c, err := kin.Bind(tree, m, []float64{0})
		if err != nil {
			t.Fatal(err)
		}
		if c.From != (kin.Instant{}) {
			t.Fatalf("a new motion begins at %v", c.From)
		}
		first, end := m.Pieces[0].Start, m.Duration()
		until := [...]float64{d.In(first, end), d.In(first, end), times[d.IntN(len(times))], math.Nextafter(first, end), end, 0}[d.IntN(6)]
		c.Skip(until)
		if c.From.Piece < 0 || c.From.Piece >= len(m.Pieces) || !(c.From.At >= 0 && c.From.At < 1) {
			t.Fatalf("skipping until %g of %v begins at %v", until, times, c.From)
		}
		p := m.Pieces[c.From.Piece]
		begin := new(big.Float).Sub(exact(p.End), exact(p.Start))
		begin.Mul(begin, exact(c.From.At)).Add(begin, exact(p.Start))
		if begin.Cmp(exact(max(until, first))) > 0 {
			t.Fatalf("skipping until %g of %v begins later, at %v", until, times, c.From)
		}
		if late, _ := begin.Float64(); max(until, first)-late > 1e-14*(p.End-p.Start)+1e-300 {
			t.Fatalf("skipping until %g of %v begins at %g", until, times, late)
		}
		for i := range m.Pieces {
			if want := map[bool]float64{true: c.From.At}[i == c.From.Piece]; c.Begin(i) != want {
				t.Fatalf("piece %d begins at %g", i, c.Begin(i))
			}
		}
		if c.Skip(math.Inf(1)); c.From.Piece != len(m.Pieces) {
			t.Fatalf("all is skipped, but not from %v on", c.From)
		}
		if c.Bind(tree, m, []float64{0}, []int{0}); c.From != (kin.Instant{}) {
			t.Fatalf("bound anew it begins at %v", c.From)
		}
	}
}
