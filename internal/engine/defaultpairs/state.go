package defaultpairs

import (
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// State returns the model's default state, one position per variable of the tree: that
// of the first SRDF group state that names the joint, else 0 or, where the limits
// exclude 0, the middle of the range.
func State(robot *urdf.Robot, tree *kin.Tree) []float64 {
	state := make([]float64, len(tree.Dofs))
	for i := range tree.Dofs {
		d := &tree.Dofs[i]
		if d.Bounded && (d.Lo > 0 || d.Hi < 0) {
			state[i] = d.Lo + (d.Hi-d.Lo)/2
		}
	}
	if robot.Semantic == nil {
		return state
	}
	states := robot.Semantic.States
	for i := len(states) - 1; i >= 0; i-- { // the first wins
		for name, x := range states[i].Positions {
			if d := tree.DofIndex(name); d >= 0 {
				state[d] = x
			}
		}
	}
	return state
}
