package model

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
)

// gridCells are random cells of an octree: cubes of three sizes on their grids.
func gridCells(r *rand.Rand, n int) []geom.Box {
	cells := make([]geom.Box, n)
	for i := range cells {
		k := math.Ldexp(0.05, r.IntN(3))
		at := geom.Vec{X: k * float64(r.IntN(9)-4), Y: k * float64(r.IntN(9)-4), Z: k * float64(r.IntN(9)-4)}
		cells[i] = geom.Box{Min: at, Max: r3.Add(at, geom.Vec{X: k, Y: k, Z: k})}
	}
	return cells
}

func cornersOf(b *geom.Box) []geom.Vec {
	var out []geom.Vec
	for i := range 8 {
		out = append(out, geom.Vec{
			X: [2]float64{b.Min.X, b.Max.X}[i&1], Y: [2]float64{b.Min.Y, b.Max.Y}[i>>1&1], Z: [2]float64{b.Min.Z, b.Max.Z}[i>>2],
		})
	}
	return out
}

// What stands for all cells holds all cells: the ball, and the hull along any
// direction.
func TestCellsFormHoldsTheCells(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 30, 500} {
		cells := gridCells(r, n)
		f, err := newForm(context.Background(), &shape.Shape{Kind: shape.Cells, Cells: cells}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if f.exact || f.open || f.leaves == nil || len(f.leaves.Cells) != n || f.leaves.Mesh != nil {
			t.Fatalf("%d cells: form %+v", n, f)
		}
		for range 200 {
			d, _ := geom.Unit(geom.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()})
			reach := f.core.SupportValue(d) + f.core.Radius
			for i := range cells {
				for _, p := range cornersOf(&cells[i]) {
					if r3.Dot(d, p) > reach+1e-14 {
						t.Fatalf("%v of cell %d is outside the hull", p, i)
					}
					if r3.Norm(r3.Sub(p, f.center)) > f.radius*(1+1e-15) {
						t.Fatalf("%v of cell %d is outside the ball", p, i)
					}
				}
			}
		}
		for i := range int32(n) {
			if p, c := f.leaves.Within(i), cells[i]; !(c.Min.X < p.X && p.X < c.Max.X && c.Min.Y < p.Y && p.Y < c.Max.Y && c.Min.Z < p.Z && p.Z < c.Max.Z) {
				t.Fatalf("%v is not within cell %d, %v", p, i, c)
			}
		}
	}
}
