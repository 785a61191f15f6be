package urdf

import (
	"maps"
	"slices"

	"github.com/firstcontact-ros/firstcontact/premise"
)

// Clone returns a deep copy of r except for the shapes, which the function shape may replace
// by copies; a nil function keeps them. The index of names is rebuilt from the current names
// of links and joints.
func (r *Robot) Clone(shape func(*Collision)) *Robot {
	c := *r
	c.Links, c.Joints = slices.Clone(r.Links), slices.Clone(r.Joints)
	c.Warnings = slices.Clone(r.Warnings)
	c.Gaps = premise.Clone(r.Gaps)
	c.linkIndex, c.jointIndex = make(map[string]int, len(r.Links)), make(map[string]int, len(r.Joints))
	for i := range c.Links {
		l := &c.Links[i]
		l.Collisions = slices.Clone(l.Collisions)
		if shape != nil {
			for k := range l.Collisions {
				shape(&l.Collisions[k])
			}
		}
		if _, twice := c.linkIndex[l.Name]; !twice {
			c.linkIndex[l.Name] = i
		}
	}
	for i := range c.Joints {
		j := &c.Joints[i]
		if j.Mimic != nil {
			m := *j.Mimic
			j.Mimic = &m
		}
		if _, twice := c.jointIndex[j.Name]; !twice {
			c.jointIndex[j.Name] = i
		}
	}
	c.Semantic = r.Semantic.clone()
	c.Parts = slices.Clone(r.Parts)
	for i := range c.Parts {
		if part := c.Parts[i].Robot; part != nil {
			c.Parts[i].Robot = part.Clone(shape)
		}
	}
	return &c
}

func (s *Semantic) clone() *Semantic {
	if s == nil {
		return nil
	}
	c := *s
	c.Groups, c.States = slices.Clone(s.Groups), slices.Clone(s.States)
	for i := range c.Groups {
		g := &c.Groups[i]
		g.Joints, g.Links = slices.Clone(g.Joints), slices.Clone(g.Links)
	}
	for i := range c.States {
		c.States[i].Positions = maps.Clone(c.States[i].Positions)
	}
	c.VirtualJoints, c.PassiveJoints = slices.Clone(s.VirtualJoints), slices.Clone(s.PassiveJoints)
	c.Disabled = slices.Clone(s.Disabled)
	c.Incomplete = maps.Clone(s.Incomplete)
	for group, names := range c.Incomplete {
		c.Incomplete[group] = slices.Clone(names)
	}
	return &c
}
