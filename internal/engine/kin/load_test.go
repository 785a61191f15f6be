package kin_test

import (
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/twin"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Whatever piece curves were loaded with before, of whatever degrees, they are what new ones are, and so is all that they tell of an
// interval, wherever it is written; and they are where the motion is.
func TestLoadedCurvesForget(t *testing.T) {
	robot := plan{
		{kind: urdf.Continuous, axis: alongZ},
		{kind: urdf.Prismatic, axis: alongX},
		{kind: urdf.Revolute, axis: alongX},
		{kind: urdf.Revolute, axis: alongZ},
	}
	tree := robot.tree(t)
	const size = kin.MaxDegree + 1
	turned := 0
	for i := range 300 {
		d := chance.New(79, uint64(i))
		m := &motion.Motion{Joints: []string{"j0", "j1", "j3"}} // j2 is held
		ends := []float64{d.In(-1, 1), d.In(-1, 1), d.In(-1, 1)}
		for p := range 2 + d.IntN(4) {
			piece := motion.Piece{Start: float64(p), End: float64(p + 1), Ctrl: make([][]float64, len(ends))}
			for j := range ends {
				row := []float64{ends[j]}
				for range []int{0, 1, 1, 1, 2, 3, 5}[d.IntN(7)] {
					row = append(row, d.In(-2, 2))
				}
				if j == 0 && len(row) == 2 && d.IntN(4) == 0 {
					row[1] = row[0] + 5 // the short way is the other one
				}
				ends[j], piece.Ctrl[j] = row[len(row)-1], row
			}
			m.Pieces = append(m.Pieces, piece)
		}
		c, err := kin.Bind(tree, m, []float64{0, 0, d.In(-1, 1), 0})
		if err != nil {
			t.Fatal(err)
		}
		if c.Turned() {
			turned++
		}
		n := len(tree.Dofs)
		used, usedBuf := make([]kin.Curve, n), make([]float64, n*kin.CurveSize(size))
		around := make([]kin.Around, n)
		for range 12 {
			p := d.IntN(len(m.Pieces))
			fresh, freshBuf := make([]kin.Curve, n), make([]float64, n*kin.CurveSize(size))
			c.Load(p, used, usedBuf)
			c.Load(p, fresh, freshBuf)
			lo := d.In(0, 0.5)
			hi := d.In(lo, 1)
			at := d.In(lo, hi)
			for v := range n {
				ctrl := c.AppendCtrl(nil, v, p)
				used[v].SetAround(&around[v], at, lo, hi)
				if want := fresh[v].Around(at, lo, hi); around[v] != want {
					t.Fatalf("case %d, variable %d: %+v, of a new curve %+v", i, v, around[v], want)
				}
				q := [3]float64{}
				used[v].Sample([]float64{lo, at, hi}, q[:])
				for k, s := range [...]float64{lo, at, hi} {
					if want := twin.Bernstein(ctrl, s); !(math.Abs(q[k]-want) <= 1e-14*(1+math.Abs(want))*4) {
						t.Fatalf("case %d, variable %d at %g: %g, not %g", i, v, s, q[k], want)
					}
				}
				if used[v].Line() {
					if from, to := used[v].Ends(lo, hi); from != q[0] || to != q[2] {
						t.Fatalf("case %d, variable %d: ends %g and %g, not %g and %g", i, v, from, to, q[0], q[2])
					}
				}
			}
		}
	}
	if turned < 30 || turned > 270 {
		t.Errorf("turns are taken off in %d of 300 motions", turned)
	}
}
