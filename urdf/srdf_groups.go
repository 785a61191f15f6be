package urdf

import (
	"fmt"
	"slices"

	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh/xmltree"
)

// readGroups expands every group.
func (s *srdf) readGroups(root *xmltree.Node) error {
	e := &expander{srdf: s, defs: map[string]*xmltree.Node{}, done: map[string]*members{}}
	var order []string
	for _, n := range root.All("group") {
		name, err := text(n, "name")
		if err != nil {
			return err
		}
		if e.defs[name] != nil {
			return fmt.Errorf("line %d: a second group %q: rename one", n.Line, name)
		}
		e.defs[name] = n
		order = append(order, name)
	}
	for _, name := range order {
		m, err := e.group(name, 0)
		if err != nil {
			return err
		}
		s.sem.Groups = append(s.sem.Groups, m.named(s.robot, name))
		if lacks := m.unknown.list; len(lacks) > 0 {
			if s.sem.Incomplete == nil {
				s.sem.Incomplete = map[string][]string{}
			}
			s.sem.Incomplete[name] = lacks
		}
	}
	return nil
}

// members are the joints and links of a group, as indices.
type members struct {
	joints, links set[int]
	unknown       set[string] // names that the robot lacks
}

func (m *members) addJoint(r *Robot, i int) {
	m.joints.add(i)
	m.links.add(r.Joints[i].Child)
}

// lacks records the name in an attribute as one that the robot lacks.
func (m *members) lacks(n *xmltree.Node, attr string) {
	name, _ := n.Attr(attr)
	m.unknown.add(name)
}

func (m *members) named(r *Robot, name string) Group {
	g := Group{Name: name}
	for _, j := range m.joints.list {
		if r.Joints[j].Type != Fixed {
			g.Joints = append(g.Joints, r.Joints[j].Name)
		}
	}
	for _, l := range m.links.list {
		g.Links = append(g.Links, r.Links[l].Name)
	}
	return g
}

type expander struct {
	*srdf
	defs map[string]*xmltree.Node
	done map[string]*members
}

// maxGroupDepth bounds the nesting of groups, which may form a cycle.
const maxGroupDepth = 100

// group returns the members of a group that is defined.
func (e *expander) group(name string, depth int) (*members, error) {
	if m := e.done[name]; m != nil {
		return m, nil
	}
	if depth > maxGroupDepth {
		return nil, fmt.Errorf("groups nested deeper than %d: does group %q contain itself?", maxGroupDepth, name)
	}
	m := new(members)
	for _, n := range e.defs[name].Kids {
		if err := e.member(n, m, depth); err != nil {
			return nil, err
		}
	}
	e.done[name] = m
	return m, nil
}

func (e *expander) member(n *xmltree.Node, m *members, depth int) error {
	switch n.Name {
	case "joint":
		name, err := text(n, "name")
		if err != nil {
			return err
		}
		if i := e.robot.Joint(name); i >= 0 {
			m.addJoint(e.robot, i)
		} else if !e.virtual(name) {
			e.joints.add(name)
			m.unknown.add(name)
		}
	case "link":
		i, ok, err := e.link(n, "name")
		if ok {
			e.addWithJoint(m, i)
		} else if err == nil {
			m.lacks(n, "name")
		}
		return err
	case "chain":
		return e.chain(n, m)
	case "group":
		return e.subgroup(n, m, depth)
	}
	return nil
}

// addWithJoint adds a link and the joint that moves it.
func (e *expander) addWithJoint(m *members, link int) {
	if j := e.robot.Links[link].ParentJoint; j >= 0 {
		m.addJoint(e.robot, j)
	}
	m.links.add(link)
}

func (e *expander) subgroup(n *xmltree.Node, m *members, depth int) error {
	name, err := text(n, "name")
	if err != nil {
		return err
	}
	if e.defs[name] == nil {
		e.groups.add(name)
		m.unknown.add(name)
		return nil
	}
	sub, err := e.group(name, depth+1)
	if err != nil {
		return err
	}
	for _, j := range sub.joints.list {
		m.addJoint(e.robot, j)
	}
	for _, l := range sub.links.list {
		m.links.add(l)
	}
	for _, name := range sub.unknown.list {
		m.unknown.add(name)
	}
	return nil
}

// chain adds the joints between base_link and tip_link. As in MoveIt the chain may first lead
// up, to the link where the two branches meet.
func (e *expander) chain(n *xmltree.Node, m *members) error {
	base, okBase, err := e.link(n, "base_link")
	if err != nil {
		return err
	}
	tip, okTip, err := e.link(n, "tip_link")
	if err != nil {
		return err
	}
	if !okBase {
		m.lacks(n, "base_link")
	}
	if !okTip {
		m.lacks(n, "tip_link")
	}
	if !okBase || !okTip {
		return nil
	}
	up, down := e.toRoot(base), e.toRoot(tip)
	for len(up) > 0 && len(down) > 0 && up[len(up)-1] == down[len(down)-1] {
		up, down = up[:len(up)-1], down[:len(down)-1]
	}
	slices.Reverse(down)
	for _, j := range append(up, down...) {
		m.addJoint(e.robot, j)
	}
	return nil
}

// toRoot lists the joints from a link up to the root.
func (e *expander) toRoot(link int) (joints []int) {
	for j := e.robot.Links[link].ParentJoint; j >= 0; j = e.robot.Links[e.robot.Joints[j].Parent].ParentJoint {
		joints = append(joints, j)
	}
	return joints
}
