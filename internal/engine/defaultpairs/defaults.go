// Package defaultpairs decides which pairs of links are not checked when no SRDF
// says so: links that a joint connects, and links that touch at the default state.
// It also tells when so many pairs touch that the model itself is in doubt.
package defaultpairs

import (
	"context"
	"fmt"
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/engine/distance"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// LeftOut is a pair of links (indices, A < B) that is not checked, and why.
type LeftOut struct {
	A, B   int
	Reason string
}

// The reasons for which a pair is left out where no SRDF says what to check.
const (
	Adjacent    = "adjacent"
	TouchAtRest = "touch at the default state"
)

// Defaults lists the pairs of links that are not checked where no SRDF says so:
// those that a joint connects, and those that touch at the given configuration
// (one position per variable of the tree), as they then overlap by design. It
// is an assumption, not a proof. m is the robot without a world; its pairs are
// left as Defaults needed them. It fails where more than limit.RobotPairs of its
// elements may touch.
func Defaults(robot *urdf.Robot, m *model.Model, state []float64) ([]LeftOut, error) {
	var out []LeftOut
	joined := joinedBodies(robot, m)
	for _, p := range joined {
		out = append(out, leftOut(m, p, Adjacent))
	}
	close, err := mayTouch(m, state, joined)
	if err != nil {
		return nil, fmt.Errorf("robot %s: %w", robot.Name, err)
	}
	m.PairOnly(close)
	for _, p := range distance.New(m).Touching(state) {
		out = append(out, leftOut(m, p, TouchAtRest))
	}
	return out, nil
}

// WithoutSRDF returns the pairs that Defaults leaves out of a robot without an SRDF, or
// of those joined robots that have none; nothing if an SRDF covers all. m and state are
// as for Defaults.
func WithoutSRDF(robot *urdf.Robot, m *model.Model, state []float64) ([]LeftOut, error) {
	if len(robot.Parts) == 0 {
		if robot.Semantic != nil {
			return nil, nil
		}
		return Defaults(robot, m, state)
	}
	bySRDF := func(p urdf.Part) bool { return p.Robot.Semantic != nil }
	if !slices.ContainsFunc(robot.Parts, func(p urdf.Part) bool { return !bySRDF(p) }) {
		return nil, nil
	}
	out, err := Defaults(robot, m, state)
	return slices.DeleteFunc(out, func(p LeftOut) bool {
		part := robot.Part(p.A)
		return part < 0 || part != robot.Part(p.B) || bySRDF(robot.Parts[part])
	}), err
}

func leftOut(m *model.Model, bodies [2]int, reason string) LeftOut {
	a, b := m.Bodies[bodies[0]].Link, m.Bodies[bodies[1]].Link
	return LeftOut{A: min(a, b), B: max(a, b), Reason: reason}
}

// joinedBodies lists the pairs of bodies whose links a joint connects, in order.
func joinedBodies(robot *urdf.Robot, m *model.Model) [][2]int {
	body := make(map[int]int, len(m.Bodies))
	for i := range m.Bodies {
		body[m.Bodies[i].Link] = i
	}
	var out [][2]int
	for i := range m.Bodies {
		joint := robot.Links[m.Bodies[i].Link].ParentJoint
		if joint < 0 {
			continue
		}
		if k, has := body[robot.Joints[joint].Parent]; has {
			out = append(out, [2]int{min(i, k), max(i, k)})
		}
	}
	sortPairs(out)
	return out
}

// mayTouch lists the pairs of bodies whose elements' boxes overlap at a configuration,
// but for those listed.
func mayTouch(m *model.Model, state []float64, but [][2]int) ([][2]int, error) {
	m.PairOnly(nil)
	w := distance.New(m)
	w.At(context.Background(), state, false)
	boxes, all := make([]geom.Box, m.Real), make([]int32, m.Real)
	for i := range boxes {
		e := &m.Elements[i]
		_, _, slack := w.ElementBall(i) // places its frame
		boxes[i], all[i] = e.BoxAt(w.State().PoseWF[e.Frame].Mul(e.PoseFE), slack+motion.DefaultTolerance), int32(i)
	}
	seen := make(map[[2]int]bool, len(but))
	for _, p := range but {
		seen[p] = true
	}
	var out [][2]int
	n := 0
	model.Overlapping(boxes, all, func(x, y int32) bool {
		a, b := m.Elements[x].Body, m.Elements[y].Body
		p := [2]int{min(a, b), max(a, b)}
		if a != b && !seen[p] {
			seen[p] = true
			out = append(out, p)
			n += len(m.Bodies[a].Elements) * len(m.Bodies[b].Elements)
		}
		return n <= limit.RobotPairs
	})
	if n > limit.RobotPairs {
		return nil, fmt.Errorf("more than %d pairs of its collision elements may touch at the default state: "+
			"check the units and the origins of its links, give an SRDF, or join collision elements", limit.RobotPairs)
	}
	sortPairs(out)
	return out, nil
}

func sortPairs(pairs [][2]int) {
	slices.SortFunc(pairs, func(p, q [2]int) int { return slices.Compare(p[:], q[:]) })
}
