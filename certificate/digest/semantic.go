package digest

import (
	"maps"
	"slices"

	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Semantic returns the sum of the robot's SRDF, as far as the robot has what it names: pairs
// that are not checked, groups, states, virtual and passive joints. A robot without an SRDF has
// the sum of an empty one. Certificates do not have this sum: they list each pair instead.
func Semantic(r *urdf.Robot) [32]byte {
	s := r.Semantic
	if s == nil {
		s = &urdf.Semantic{}
	}
	e := newEncoder("semantic")
	e.count(len(s.Disabled))
	for _, p := range s.Disabled {
		e.text(r.Links[p.A].Name)
		e.text(r.Links[p.B].Name)
		e.text(p.Reason)
	}
	e.count(len(s.Groups))
	for _, g := range s.Groups {
		e.text(g.Name)
		e.texts(g.Joints)
		e.texts(g.Links)
	}
	e.count(len(s.States))
	for _, state := range s.States {
		e.text(state.Name)
		e.text(state.Group)
		e.count(len(state.Positions))
		for _, joint := range slices.Sorted(maps.Keys(state.Positions)) {
			e.text(joint)
			e.number(state.Positions[joint])
		}
	}
	e.count(len(s.VirtualJoints))
	for _, v := range s.VirtualJoints {
		e.texts([]string{v.Name, v.Type, v.ParentFrame, v.ChildLink})
	}
	e.texts(s.PassiveJoints)
	e.count(len(s.Incomplete))
	for _, group := range slices.Sorted(maps.Keys(s.Incomplete)) {
		e.text(group)
		e.texts(s.Incomplete[group])
	}
	return e.sum()
}

func (e *encoder) texts(list []string) {
	e.count(len(list))
	for _, s := range list {
		e.text(s)
	}
}
