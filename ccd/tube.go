package ccd

import (
	"fmt"
	"maps"
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// maxPosition (rad or m) bounds the position of a joint, and how far it may stray.
const maxPosition = min(geom.MaxLength, geom.MaxAngle)

// tube returns q's tube with the mimic joints that follow a joint in it, or an
// error: a joint that the robot lacks or that has no position, a width that is
// negative or not finite. Widths of zero are left out, except those that keep a
// mimic joint from following; nil is no tube.
func (c *Checker) tube(given map[string]float64) (map[string]float64, error) {
	if len(given) == 0 {
		return nil, nil
	}
	wide, some := map[string]float64{}, false
	for _, name := range slices.Sorted(maps.Keys(given)) { // so that of several faults the same one is told
		width := given[name]
		if !(width >= 0 && width <= maxPosition) {
			return nil, fmt.Errorf("tube of %g around joint %s: give zero or more, and at most %g, in rad or m", width, name, float64(maxPosition))
		}
		if err := c.checkPositioned(name); err != nil {
			return nil, fmt.Errorf("tube: %w", err)
		}
		if j := c.robot.Joint(name); width > 0 || j >= 0 && c.robot.Joints[j].Mimic != nil {
			wide[name] = width
		}
		some = some || width > 0
	}
	if !some {
		return nil, nil
	}
	return c.robot.FollowTube(wide), nil
}

// checkPositioned fails unless the name is that of a variable or a mimic joint.
func (c *Checker) checkPositioned(name string) error {
	if c.model.Tree.DofIndex(name) >= 0 {
		return nil
	}
	j := c.robot.Joint(name)
	switch {
	case j < 0:
		return noJoint(c.robot, name)
	case c.robot.Joints[j].Mimic == nil:
		return fmt.Errorf("joint %s is %s and has no position", name, c.robot.Joints[j].Type)
	}
	return nil
}

// widest returns the largest width of a tube, 0 for none.
func widest(tube map[string]float64) (most float64) {
	for _, width := range tube {
		most = max(most, width)
	}
	return most
}
