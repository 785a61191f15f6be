package plausible

import (
	"fmt"
	"slices"

	"github.com/firstcontact-ros/firstcontact/internal/base/oneline"
)

// fewJoints is the share of a robot's joints that a motion should name.
const fewJoints = 0.5

// named is what the joints that a motion names say by themselves.
type named struct {
	joints   []string
	at       []int // in the robot, -1 for those that it lacks
	findings []Finding
}

// Named lists what is implausible about a motion that names these joints alone. Motion lists it,
// too; Named serves who adds joints to a motion before it is checked.
func (m *Model) Named(joints []string) []Finding { return slices.Clone(m.named(joints).findings) }

// named remembers its last answer: motions that follow each other mostly name the same joints.
func (m *Model) named(joints []string) *named {
	if n := m.robot.last.Load(); n != nil && slices.Equal(n.joints, joints) {
		return n
	}
	n := &named{joints: slices.Clone(joints), at: make([]int, len(joints))}
	for k, name := range joints {
		n.at[k] = m.robot.Joint(name)
	}
	n.findings = m.held(n.at)
	m.robot.last.Store(n)
	return n
}

// held judges which joints are held because a motion does not name them, by the indices of those that it names.
func (m *Model) held(at []int) []Finding {
	moved, n := make([]bool, len(m.robot.Joints)), 0
	for _, i := range at {
		if i >= 0 {
			moved[i] = true
		}
	}
	var still []string
	for _, i := range m.robot.active {
		if moved[i] {
			n++
		} else {
			still = append(still, m.robot.Joints[i].Name)
		}
	}
	if len(still) == 0 {
		return nil
	}
	if between := m.heldBetween(moved); len(between) > 0 {
		return []Finding{found("held-between", float64(len(between)), 0,
			fmt.Sprintf("the motion moves joints before and after %s, but does not name it: it is held", oneline.Few(between)), between...)}
	}
	whole, missing := m.groups(moved)
	if len(missing) > 0 {
		return []Finding{found("incomplete-group", float64(len(missing)), 0,
			fmt.Sprintf("the motion names most joints of %s, but not %s: it is held", whole, oneline.Few(missing)), missing...)}
	}
	share := float64(n) / float64(len(m.robot.active))
	if whole != "" || share >= fewJoints {
		return nil
	}
	return []Finding{found("few-joints", share, fewJoints,
		fmt.Sprintf("the motion names %d of the robot's %d joints: the others are held", n, len(m.robot.active)), still...)}
}

// heldBetween lists the joints that are held although joints above and below them move.
func (m *Model) heldBetween(moved []bool) []string {
	all := m.robot.measured().bodies
	above, below := make([]bool, len(all)), make([]bool, len(all))
	for i := 1; i < len(all); i++ {
		if p := all[i].parent; p > 0 {
			above[i] = above[p] || moved[all[p].joint]
		}
	}
	for i := len(all) - 1; i > 0; i-- {
		if p := all[i].parent; p > 0 && (below[i] || moved[all[i].joint]) {
			below[p] = true
		}
	}
	var out []string
	for i := 1; i < len(all); i++ {
		if j := all[i].joint; above[i] && below[i] && !moved[j] && slices.Contains(m.robot.active, j) {
			out = append(out, m.robot.Joints[j].Name)
		}
	}
	return out
}

// groups compares the joints that move with the SRDF's groups. If each belongs to a group all of
// whose joints move, it returns the name of one; otherwise the group most of whose joints move,
// and those that do not.
func (m *Model) groups(moved []bool) (group string, missing []string) {
	s := m.robot.Semantic
	if s == nil {
		return "", nil
	}
	covered := make([]bool, len(moved))
	most := fewJoints
	for i := range s.Groups {
		g := &s.Groups[i]
		var of, held []int
		for _, name := range g.Joints {
			j := m.robot.Joint(name)
			if j < 0 || !slices.Contains(m.robot.active, j) {
				continue
			}
			if of = append(of, j); !moved[j] {
				held = append(held, j)
			}
		}
		switch share := 1 - float64(len(held))/float64(max(len(of), 1)); {
		case len(of) == 0:
		case len(held) == 0:
			for _, j := range of {
				covered[j] = true
			}
			if len(missing) == 0 {
				group = g.Name
			}
		case share > most:
			most, group, missing = share, g.Name, nil
			for _, j := range held {
				missing = append(missing, m.robot.Joints[j].Name)
			}
		}
	}
	for j := range moved {
		if moved[j] && !covered[j] {
			if len(missing) == 0 {
				return "", nil // of no group
			}
			return "group " + group, missing
		}
	}
	return group, nil
}
