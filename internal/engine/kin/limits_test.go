package kin_test

import (
	"math"
	"slices"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// The largest position of each variable is that of its control points, or of where it is held; beyond limits are those with a control
// point more than a millionth beyond them.
func TestPositionsAndLimits(t *testing.T) {
	robot := plan{
		{kind: urdf.Revolute, axis: alongZ},
		{kind: urdf.Prismatic, axis: alongX},
		{kind: urdf.Revolute, axis: alongX},
		{kind: urdf.Continuous, axis: alongZ},
	}.robot()
	limits := [][2]float64{{-1, 2}, {-0.5, 0.25}, {-3, 3}}
	for j, l := range limits {
		robot.Joints[j].Limit = urdf.Limit{Bounded: true, Lower: l[0], Upper: l[1]}
	}
	tree, err := kin.NewTree(robot)
	if err != nil {
		t.Fatal(err)
	}
	if got := len(tree.Dofs); got != 4 || !tree.Dofs[0].Bounded || tree.Dofs[3].Bounded {
		t.Fatalf("%d variables, %+v", got, tree.Dofs)
	}
	var c kin.Course
	var seen [3]int // within, at and beyond limits
	for i := range 5000 {
		d := chance.New(78, uint64(i))
		named := []string{"j0", "j1", "j3"} // j2 is held
		at := func(j int) float64 {
			if j == 3 {
				return d.In(-3, 0)
			}
			l := limits[j]
			switch d.IntN(25) {
			case 0:
				return l[d.IntN(2)]
			case 1:
				return l[0] - d.In(0, 2e-6)
			case 2:
				return l[1] + d.In(0, 2e-6)
			case 3:
				return l[0] - 1e-6
			case 4:
				return l[1] + 1e-6
			}
			return d.In(l[0], l[1])
		}
		m := &motion.Motion{Joints: named}
		ends := []float64{at(0), at(1), at(3)}
		for p := range 1 + d.IntN(3) {
			piece := motion.Piece{Start: float64(p), End: float64(p + 1), Ctrl: make([][]float64, len(named))}
			for j, end := range ends {
				row := []float64{end}
				for range d.IntN(4) {
					row = append(row, at([]int{0, 1, 3}[j]))
				}
				ends[j], piece.Ctrl[j] = row[len(row)-1], row
			}
			m.Pieces = append(m.Pieces, piece)
		}
		if err := m.Validate(); err != nil {
			t.Fatal(err)
		}
		state, rows := []float64{9, 9, d.In(-9, 9), 9}, []int{0, 1, -1, 2}
		c.Bind(tree, m, state, rows)
		want, beyond := []float64{0, 0, math.Abs(state[2]), 0}, []int(nil)
		for v, row := range rows {
			off := 0.0
			for _, p := range m.Pieces {
				if row < 0 {
					break
				}
				for _, x := range p.Ctrl[row] {
					want[v] = math.Max(want[v], math.Abs(x))
					if v < len(limits) {
						off = math.Max(off, math.Max((limits[v][0]-1e-6)-x, x-(limits[v][1]+1e-6)))
					}
				}
			}
			if off > 0 {
				beyond = append(beyond, v)
			}
		}
		for v := range rows {
			if got := c.MaxAbs(v); got != want[v] {
				t.Errorf("case %d: the largest position of variable %d is %.17g, not %.17g", i, v, got, want[v])
			}
		}
		if !slices.Equal(c.BeyondLimits, beyond) {
			t.Errorf("case %d: beyond limits are %v, not %v", i, c.BeyondLimits, beyond)
		}
		seen[min(2, len(beyond))]++
	}
	if t.Log(seen); min(seen[0], seen[1], seen[2]) < 20 {
		t.Error("a poor test")
	}
}

// Where turns are taken off one variable, another's largest position is that of its control points still.
func TestPositionsBesideTurns(t *testing.T) {
	tree := plan{{kind: urdf.Continuous, axis: alongZ}, {kind: urdf.Continuous, axis: alongX}}.tree(t)
	m := &motion.Motion{Joints: []string{"j0", "j1"}, Pieces: []motion.Piece{{End: 1, Ctrl: [][]float64{{0, 5}, {0.5, -2}}}}}
	c, err := kin.Bind(tree, m, []float64{0, 0})
	if err != nil {
		t.Fatal(err)
	}
	if !c.Turned() || c.MaxAbs(0) < 5 || c.MaxAbs(1) != 2 {
		t.Errorf("turned: %v; %g, %g", c.Turned(), c.MaxAbs(0), c.MaxAbs(1))
	}
}
