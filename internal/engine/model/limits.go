package model

import (
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
)

// Largest is the largest number (m, rad, or a mimic joint's multiplier) in a model.
// geom.MaxLength bounds the numbers of single shapes, poses and joints; this bounds the sums
// over rigidly joined links. The exact predicates multiply three coordinates, and the world's
// tree stores them as float32: up to here neither overflows, and beyond it rounding alone is a
// tenth of a micrometre.
const Largest = 1e9

func inRange(x float64) bool { return math.Abs(x) <= Largest }

func vecInRange(v geom.Vec) bool { return inRange(v.X) && inRange(v.Y) && inRange(v.Z) }

// bounded returns an error about a joint with a number that is too large.
func bounded(tree *kin.Tree) error {
	for k := range tree.Frames {
		f := &tree.Frames[k]
		if !vecInRange(f.PosePF.P) {
			return fmt.Errorf("joint %s: its origin %v is more than %g m from the previous joint's: check its units", f.Joint, f.PosePF.P, float64(Largest))
		}
		if !inRange(f.Mult) || !inRange(f.Offset) {
			return fmt.Errorf("joint %s: its mimic multiplier %g or offset %g is beyond %g", f.Joint, f.Mult, f.Offset, float64(Largest))
		}
	}
	return nil
}
