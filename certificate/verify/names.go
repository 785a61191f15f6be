package verify

import (
	"fmt"
	"maps"
	"slices"
)

// names checks that every name in the scene exists: the request of a misspelt one would not be
// part of the proved statement.
func (v *verifier) names() error {
	link := func(name string) bool { return v.robot.Link(name) >= 0 }
	anybody := func(name string) bool { return link(name) || v.world.Object(name) >= 0 }
	for _, name := range slices.Sorted(maps.Keys(v.world.LinkPadding)) {
		if !link(name) {
			return fmt.Errorf("the scene pads link %s, which the robot does not have: correct the name", name)
		}
	}
	for _, p := range v.world.Allowed {
		for _, name := range p {
			if !anybody(name) && !slices.Contains(v.world.Absent, name) {
				return fmt.Errorf("the scene allows the pair %s, %s, but %s is neither a link nor an object: correct the name", p[0], p[1], name)
			}
		}
	}
	for i := range v.world.Objects {
		o := &v.world.Objects[i]
		for _, name := range o.TouchLinks {
			if !anybody(name) {
				return fmt.Errorf("object %s may touch %s, which is neither a link nor an object: correct the name", o.ID, name)
			}
		}
	}
	if joint := v.world.PlacedBy; joint != "" && !v.placesRoot(joint) {
		return fmt.Errorf("the scene is placed by the position of joint %s, which does not place the robot's root link: correct the name, or give the SRDF that defines it", joint)
	}
	return nil
}

// placesRoot reports whether the joint is the root link's virtual one, or the floating joint
// that connects the whole robot.
func (v *verifier) placesRoot(joint string) bool {
	root := v.robot.Links[v.robot.Root].Name
	if v.robot.Semantic != nil {
		for _, j := range v.robot.Semantic.VirtualJoints {
			if j.Name == joint && j.ChildLink == root {
				return true
			}
		}
	}
	k := v.robot.Joint(joint)
	return k >= 0 && v.robot.Joints[k].Parent == v.robot.Root && rootIsWorld(v.robot)
}
