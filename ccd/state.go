package ccd

import (
	"fmt"
	"math"
	"sort"

	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// setVariables puts a given configuration into state.
func setVariables(robot *urdf.Robot, tree *kin.Tree, state []float64, wanted map[string]float64) error {
	names := make([]string, 0, len(wanted))
	for name := range wanted {
		names = append(names, name)
	}
	sort.Strings(names) // so that of several faults the same one is told
	for _, name := range names {
		if err := setVariable(robot, tree, state, name, wanted[name]); err != nil {
			return err
		}
	}
	for _, name := range names {
		if err := checkFollower(robot, tree, state, name, wanted[name]); err != nil {
			return err
		}
	}
	return nil
}

func badPosition(joint string, x float64) error {
	return fmt.Errorf("position %g of joint %s is not finite, or beyond %g (rad or m)", x, joint, float64(maxPosition))
}

// setVariable puts one position of a given configuration into state. A mimic joint has no variable of its own: see checkFollower.
func setVariable(robot *urdf.Robot, tree *kin.Tree, state []float64, name string, x float64) error {
	if !(math.Abs(x) <= maxPosition) {
		return badPosition(name, x)
	}
	if d := tree.DofIndex(name); d >= 0 {
		state[d] = x
		return nil
	}
	j := robot.Joint(name)
	if j < 0 {
		return noJoint(robot, name)
	}
	if robot.Joints[j].Mimic == nil {
		return fmt.Errorf("joint %s is %s and has no position", name, robot.Joints[j].Type)
	}
	return nil
}

// checkFollower fails on a position of a mimic joint other than where it stands by what it follows, named or not: no
// configuration is checked that is not the one that was given.
func checkFollower(robot *urdf.Robot, tree *kin.Tree, state []float64, name string, x float64) error {
	j := robot.Joint(name)
	if tree.DofIndex(name) >= 0 || j < 0 {
		return nil
	}
	mimic := robot.Joints[j].Mimic
	if p, ok := standsAt(robot, tree, state, mimic.Joint); ok && !follows(x, p, mimic) {
		return contradicts(name, robot.Joints[mimic.Joint].Name, x, mimic, p)
	}
	return nil
}

// standsAt returns where a joint stands in a state; false for one that has no position.
func standsAt(robot *urdf.Robot, tree *kin.Tree, state []float64, joint int) (x float64, ok bool) {
	j := &robot.Joints[joint]
	if d := tree.DofIndex(j.Name); d >= 0 {
		return state[d], true
	}
	if j.Mimic == nil {
		return 0, false
	}
	if x, ok = standsAt(robot, tree, state, j.Mimic.Joint); ok {
		x = j.Mimic.Multiplier*x + j.Mimic.Offset
	}
	return x, ok
}

// mimicTolerance in rad or m: files print positions with six digits.
const mimicTolerance = 1e-5

func follows(x, parent float64, m *urdf.Mimic) bool {
	return math.Abs(x-(m.Multiplier*parent+m.Offset)) <= mimicTolerance
}

func contradicts(name, parent string, x float64, m *urdf.Mimic, p float64) error {
	return fmt.Errorf("joint %s is given at %g, but it mimics %s, which is at %g, and so stands at %g: leave it out, correct it, or give %s",
		name, x, parent, p, m.Multiplier*p+m.Offset, parent)
}

// withoutMimics returns the motion without the rows of mimic joints, which
// follow their parents by themselves; a row that does something else is an error.
func (c *Checker) withoutMimics(m *motion.Motion) (*motion.Motion, error) {
	var keep []int
	for i, name := range m.Joints {
		j := c.robot.Joint(name)
		if j < 0 || c.robot.Joints[j].Mimic == nil {
			keep = append(keep, i)
			continue
		}
		if err := c.checkMimic(m, i, c.robot.Joints[j].Mimic); err != nil {
			return nil, err
		}
	}
	switch len(keep) {
	case len(m.Joints):
		return m, nil
	case 0:
		return nil, fmt.Errorf("the motion names mimic joints only: name the joints they follow")
	}
	out := &motion.Motion{ID: m.ID, Root: m.Root, KeepTurns: m.KeepTurns, Gaps: m.Gaps, Pieces: make([]motion.Piece, len(m.Pieces))}
	for _, i := range keep {
		out.Joints = append(out.Joints, m.Joints[i])
	}
	for p := range m.Pieces {
		out.Pieces[p] = motion.Piece{Start: m.Pieces[p].Start, End: m.Pieces[p].End}
		for _, i := range keep {
			out.Pieces[p].Ctrl = append(out.Pieces[p].Ctrl, m.Pieces[p].Ctrl[i])
		}
	}
	return out, nil
}

// checkMimic compares a mimic joint's control points with those it should have.
func (c *Checker) checkMimic(m *motion.Motion, row int, mimic *urdf.Mimic) error {
	name, parent := m.Joints[row], c.robot.Joints[mimic.Joint].Name
	source := -1
	for i, n := range m.Joints {
		if n == parent {
			source = i
		}
	}
	if source < 0 {
		return fmt.Errorf("joint %s mimics %s, which the motion does not name: name %s instead", name, parent, parent)
	}
	for p := range m.Pieces {
		own, from := m.Pieces[p].Ctrl[row], m.Pieces[p].Ctrl[source]
		if len(own) != len(from) {
			return fmt.Errorf("joint %s mimics %s but has a polynomial of another degree: leave it out", name, parent)
		}
		for i := range own {
			if !follows(own[i], from[i], mimic) {
				return contradicts(name, parent, own[i], mimic, from[i])
			}
		}
	}
	return nil
}

// State returns the position (rad or m), by name, that each of the ActiveJoints has where
// a motion or a distance query does not name it.
func (c *Checker) State() map[string]float64 {
	state := map[string]float64{}
	for i, x := range c.state {
		state[c.model.Tree.Dofs[i].Name] = x
	}
	return state
}
