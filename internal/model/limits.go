package model

import (
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/kin"
	"github.com/firstcontact-ros/firstcontact/internal/shape"
)

// Largest is the largest number (m, rad, or a mimic joint's multiplier) that a model is
// made of. The exact predicates multiply three coordinates and the world's tree holds
// them in float32: up to here neither overflows, and farther out rounding alone is a
// tenth of a micrometre.
const Largest = 1e9

func inRange(x float64) bool { return math.Abs(x) <= Largest }

func vecInRange(v geom.Vec) bool { return inRange(v.X) && inRange(v.Y) && inRange(v.Z) }

// sized reports a number of a valid shape that is too large.
func sized(s *shape.Shape) error {
	bad := func(what string, x any) error {
		return fmt.Errorf("%s %v is beyond %g m: check its units and scale", what, x, float64(Largest))
	}
	switch {
	case !vecInRange(s.Size):
		return bad("size", s.Size)
	case !inRange(s.Radius) || !inRange(s.Length):
		return bad("radius or length", math.Max(s.Radius, s.Length))
	}
	for _, p := range s.Points {
		if !vecInRange(p) {
			return bad("point", p)
		}
	}
	for i := range s.Cells {
		if c := &s.Cells[i]; !vecInRange(c.Min) || !vecInRange(c.Max) {
			return bad("cell", *c)
		}
	}
	if s.Mesh != nil {
		for _, v := range s.Mesh.Vertices {
			if !vecInRange(v) {
				return bad("mesh "+s.Source+": vertex", v)
			}
		}
	}
	return nil
}

// bounded reports a joint with a number that is too large.
func bounded(tree *kin.Tree) error {
	for k := range tree.Frames {
		f := &tree.Frames[k]
		if !vecInRange(f.PosePF.P) {
			return fmt.Errorf("joint %s: its origin %v is beyond %g m from that before it: check its units", f.Joint, f.PosePF.P, float64(Largest))
		}
		if !inRange(f.Mult) || !inRange(f.Offset) {
			return fmt.Errorf("joint %s: its mimic multiplier %g or offset %g is beyond %g", f.Joint, f.Mult, f.Offset, float64(Largest))
		}
	}
	return nil
}
