package kin_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// The errors of a rooted state's poses cover how far points jump at the seams, at
// most and not by much more.
func TestErrorsCoverJumps(t *testing.T) {
	d := rand.New(rand.NewPCG(8, 8))
	vec := func(size float64) geom.Vec {
		return geom.Vec{X: size * d.NormFloat64(), Y: size * d.NormFloat64(), Z: size * d.NormFloat64()}
	}
	arm := plan{{kind: urdf.Revolute, axis: alongZ, xyz: [3]float64{0.3, 0, 0}}, {parent: 1, kind: urdf.Prismatic, axis: alongX, xyz: [3]float64{0.2, 0.5, 0}}}
	tree, err := kin.NewRootedTree(arm.robot())
	if err != nil {
		t.Fatal(err)
	}
	tightest := math.Inf(1)
	for range rounds(200) {
		first := motion.RootPiece{Start: geom.Pose{R: geom.AxisAngle(unit(vec(1)), d.Float64()), P: vec(1)}, Point: vec(1), Velocity: vec(1), Turn: vec(1)}
		m := &motion.Motion{Joints: []string{"j0", "j1"}, Root: []motion.RootPiece{first, {}}}
		for i := range 2 {
			m.Pieces = append(m.Pieces, motion.Piece{Start: float64(i), End: float64(i + 1), Ctrl: [][]float64{{0.5}, {0.7}}})
		}
		end := endOf(&first)
		turn := geom.AxisAngle(unit(vec(1)), 3e-10*d.Float64())
		slide := vec(2e-10)
		m.Root[1].Start = geom.Pose{R: turn.Mul(end.R), P: r3.Add(end.P, slide)}
		if err := m.Validate(); err != nil {
			t.Fatal(err)
		}
		c, err := kin.Bind(tree, m, make([]float64, len(tree.Dofs)))
		if err != nil {
			t.Fatal(err)
		}
		s := kin.NewState(tree)
		s.Root = c.Root(0)
		around := make([]kin.Around, len(tree.Dofs))
		around[0], around[1] = kin.Around{Q: 0.5, MaxAbs: 0.5}, kin.Around{Q: 0.7, MaxAbs: 0.7}
		s.Bound(around)
		tip := tree.LinkFrame[2]
		for range 20 {
			// A point of the tip, in the root link at rest there.
			p := vec(1)
			inRoot := geom.Pose{R: geom.AxisAngle(geom.Vec{Z: 1}, 0.5), P: geom.Vec{X: 0.3}}.Apply(r3.Add(p, geom.Vec{X: 0.9, Y: 0.5}))
			jump := geom.Norm(r3.Sub(m.Root[1].Start.Apply(inRoot), end.Apply(inRoot)))
			allowed := s.ErrP[tip] + s.ErrR[tip]*geom.Norm(p)
			if jump > allowed {
				t.Fatalf("a point jumps by %g, allowed %g", jump, allowed)
			}
			if jump > 1e-11 {
				tightest = min(tightest, allowed/jump)
			}
		}
	}
	if tightest > 2 {
		t.Errorf("jumps are never more than 1/%.1f of what is allowed", tightest)
	}
}

func unit(v geom.Vec) geom.Vec {
	u, _ := geom.Unit(v)
	return u
}

func endOf(r *motion.RootPiece) geom.Pose {
	turn := geom.AxisAngle(unit(r.Turn), r3.Norm(r.Turn))
	arm := r3.Sub(r.Start.P, r.Point)
	return geom.Pose{R: turn.Mul(r.Start.R), P: r3.Add(r3.Add(r.Point, r.Velocity), turn.Apply(arm))}
}
