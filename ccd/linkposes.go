package ccd

import (
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
)

// LinkPoses returns where each link of the robot is, by its name, in the root link's frame:
// with the given positions (rad or m) of joints, and the others as in State. Names and
// positions are held to the same rules as in Distance. The poses are meant for pictures:
// they carry no bound of their rounding.
func (c *Checker) LinkPoses(positions map[string]float64) (map[string]geom.Pose, error) {
	tree := c.model.Tree
	state := append([]float64(nil), c.state...)
	if err := setVariables(c.robot, tree, state, positions); err != nil {
		return nil, err
	}
	st := framesAt(tree, state)
	out := make(map[string]geom.Pose, len(c.robot.Links))
	for i := range c.robot.Links {
		out[c.robot.Links[i].Name] = st.PoseWF[tree.LinkFrame[i]].Mul(tree.LinkPose[i])
	}
	return out, nil
}

// framesAt returns the frames of a tree at a configuration.
func framesAt(tree *kin.Tree, state []float64) *kin.State {
	st := kin.NewState(tree)
	at := make([]kin.Around, len(state))
	for i, q := range state {
		at[i] = kin.Around{Q: q}
	}
	st.Set(at)
	return st
}
