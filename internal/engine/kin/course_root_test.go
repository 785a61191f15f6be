package kin_test

import (
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// The largest position of each variable of a moving root counts both ends of every piece,
// whichever way the root moves.
func TestLargestPositionsOfTheRoot(t *testing.T) {
	tree, err := kin.NewRootedTree(plan{{kind: urdf.Revolute, axis: alongZ}}.robot())
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []geom.Vec{{X: 2, Y: 3, Z: 5}, {X: -2, Y: -3, Z: -5}} {
		m := &motion.Motion{
			Joints: []string{"j0"},
			Pieces: []motion.Piece{{Start: 0, End: 2, Ctrl: [][]float64{{0}}}},
			Root: []motion.RootPiece{{
				Start: geom.IdentityPose(), Point: geom.Vec{X: 1, Y: 1, Z: 1}, Velocity: v, Turn: geom.Vec{Z: 0.7},
			}},
		}
		c, err := kin.Bind(tree, m, make([]float64, len(tree.Dofs)))
		if err != nil {
			t.Fatal(err)
		}
		first := len(tree.Dofs) - kin.RootDofs
		for i, end := range []float64{1 + 2*v.X, 1 + 2*v.Y, 1 + 2*v.Z, 1.4} {
			want := end
			if i < 3 {
				want = max(1, math.Abs(end))
			}
			if got := c.MaxAbs(first + i); !(got >= want) || got > want*1.001 {
				t.Errorf("velocity %v: variable %d gets to %g, bound %g", v, i, want, got)
			}
		}
	}
}
