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

// A root that no motion moves stands upright: its angle turns it about z, both ways.
func TestStillRootTurnsAboutZ(t *testing.T) {
	tree, err := kin.NewRootedTree(plan{{kind: urdf.Revolute, axis: alongZ}}.robot())
	if err != nil {
		t.Fatal(err)
	}
	s := kin.NewState(tree)
	frame := len(tree.Frames) - 1
	for _, angle := range []float64{0.7, -0.7} {
		as := make([]kin.Around, len(tree.Dofs))
		as[len(as)-1] = kin.Around{Q: angle, QD: 1, MaxAbs: 1, Omega: 1}
		s.Set(as)
		k := int(tree.Chain(frame)[kin.RootDofs-1])
		if s.AxisW[k] != (geom.Vec{Z: 1}) || s.Twist[frame].Ang != (geom.Vec{Z: 1}) {
			t.Errorf("the root turns about %v, at %v", s.AxisW[k], s.Twist[frame].Ang)
		}
		x := s.PoseWF[frame].R.Apply(geom.Vec{X: 1})
		if math.Abs(x.X-math.Cos(angle)) > 1e-15 || math.Abs(x.Y-math.Sin(angle)) > 1e-15 {
			t.Errorf("turned by %g, x is at %v", angle, x)
		}
	}
}
