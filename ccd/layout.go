package ccd

import (
	"slices"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// layout is what the joints that a motion names mean for the robot. Planners ask
// about one list of joints again and again, so the last one is remembered.
type layout struct {
	joints []string
	mimics bool     // some of them follow others
	rows   []int    // per variable of the tree: its place among joints, negative if none
	held   []string // joints that stand still

	premises []premise.Premise // of every verdict about such a motion; shared
	gap      *premise.Premise  // the first open one of them; nil for none
}

// layoutOf validates a motion and returns the layout of its joints; rows and held are only there where none mimics. Joints that
// are those of the last layout are valid.
func (c *Checker) layoutOf(m *motion.Motion) (*layout, error) {
	if l := c.layouts.Load(); m != nil && l != nil && slices.Equal(l.joints, m.Joints) {
		return l, m.ValidatePieces()
	}
	if err := m.Validate(); err != nil {
		return nil, err
	}
	l := &layout{joints: slices.Clone(m.Joints)}
	for _, name := range m.Joints {
		j := c.robot.Joint(name)
		l.mimics = l.mimics || j >= 0 && c.robot.Joints[j].Mimic != nil
	}
	if !l.mimics {
		var err error
		if l.rows, err = c.model.Tree.Rows(m.Joints); err != nil {
			return nil, err
		}
		for d, row := range l.rows {
			if row < 0 {
				l.held = append(l.held, c.model.Tree.Dofs[d].Name)
			}
		}
		l.premises = slices.Concat(c.premises(), c.heldPremises(l.rows))
		l.premises = slices.Clip(l.premises)
		l.gap = firstOpen(l.premises)
	}
	c.layouts.Store(l)
	return l, nil
}

// plain validates m and returns it without its mimic joints, checked, and its layout.
func (c *Checker) plain(m *motion.Motion) (*motion.Motion, *layout, error) {
	l, err := c.layoutOf(m)
	if err != nil || !l.mimics {
		return m, l, err
	}
	if m, err = c.withoutMimics(m); err != nil {
		return nil, nil, err
	}
	l, err = c.layoutOf(m)
	return m, l, err
}
