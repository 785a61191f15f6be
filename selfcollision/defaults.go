// Package selfcollision knows about the robot against itself: which pairs of
// links are checked and which are left out.
package selfcollision

import (
	"github.com/firstcontact-ros/firstcontact/ccd/spacetime"
	"github.com/firstcontact-ros/firstcontact/internal/model"
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
// left as Defaults needed them.
func Defaults(robot *urdf.Robot, m *model.Model, state []float64) []LeftOut {
	var out []LeftOut
	m.PairUp(func(a, b *model.Body) string {
		if !adjacent(robot, a.Link, b.Link) {
			return ""
		}
		out = append(out, leftOut(a.Link, b.Link, Adjacent))
		return Adjacent
	})
	w := spacetime.NewWorker(m)
	for _, p := range w.Touching(state) {
		out = append(out, leftOut(m.Bodies[p[0]].Link, m.Bodies[p[1]].Link, TouchAtRest))
	}
	return out
}

func leftOut(a, b int, reason string) LeftOut {
	return LeftOut{A: min(a, b), B: max(a, b), Reason: reason}
}

// adjacent reports whether a joint connects the two links.
func adjacent(robot *urdf.Robot, a, b int) bool {
	parent := func(l int) int {
		if j := robot.Links[l].ParentJoint; j >= 0 {
			return robot.Joints[j].Parent
		}
		return -1
	}
	return parent(a) == b || parent(b) == a
}
