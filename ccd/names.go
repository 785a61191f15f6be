package ccd

import (
	"fmt"
	"maps"
	"slices"

	"github.com/firstcontact-ros/firstcontact/internal/base/spelling"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// checkNames fails on a scene in a frame of which nothing is known, and on padding,
// allowed pairs and attachments that name what is neither a link nor, where one may
// stand, an object: a misspelt name would have no effect, unnoticed.
func (c *Checker) checkNames(world *scene.Snapshot) error {
	if err := c.checkFrame(world); err != nil {
		return err
	}
	n := names{links: map[string]bool{}, objects: map[string]bool{}}
	for i := range c.robot.Links {
		n.links[c.robot.Links[i].Name] = true
	}
	if world != nil {
		for i := range world.Objects {
			n.objects[world.Objects[i].ID] = true
		}
	}
	if err := n.padding("the options give padding for", c.opts.LinkPadding); err != nil {
		return err
	}
	if err := n.pairs("the options allow", c.opts.Allowed, nil); err != nil || world == nil {
		return err
	}
	if err := n.padding("the scene's link_padding names", world.LinkPadding); err != nil {
		return err
	}
	if err := n.pairs("the scene allows", world.Allowed, world.Absent); err != nil {
		return err
	}
	for i := range world.Objects {
		if err := n.attachment(&world.Objects[i]); err != nil {
			return err
		}
	}
	return c.checkPlacing(world)
}

// names are those that something has.
type names struct{ links, objects map[string]bool }

// padding fails on a link that is not there.
func (n *names) padding(whose string, given map[string]float64) error {
	for _, link := range slices.Sorted(maps.Keys(given)) { // so that of several faults the same one is told
		if !n.links[link] {
			return fmt.Errorf("%s link %s, which the robot does not have%s: correct the name or leave it out", whose, link, n.hint(link, false))
		}
	}
	return nil
}

// pairs fails on a pair of which nothing has a name, unless that is listed as absent.
func (n *names) pairs(whose string, pairs [][2]string, absent []string) error {
	for _, p := range pairs {
		for _, name := range p {
			if !n.links[name] && !n.objects[name] && !slices.Contains(absent, name) {
				return fmt.Errorf("%s the pair %s, %s, but %s is neither a link nor an object%s: correct the name or leave the pair out",
					whose, p[0], p[1], name, n.hint(name, true))
			}
		}
	}
	return nil
}

// attachment fails on an object that hangs on, or may touch, what is not there.
func (n *names) attachment(o *scene.Object) error {
	if o.AttachedTo != "" && !n.links[o.AttachedTo] {
		return fmt.Errorf("object %s: it is attached to link %s, which the robot does not have%s: correct the name", o.ID, o.AttachedTo, n.hint(o.AttachedTo, false))
	}
	for _, name := range o.TouchLinks {
		if !n.links[name] && !n.objects[name] {
			return fmt.Errorf("object %s: its touch link %s is neither a link nor an object%s: correct the name or leave it out", o.ID, name, n.hint(name, true))
		}
	}
	return nil
}

// hint tells which name was probably meant.
func (n *names) hint(name string, objects bool) string {
	known := slices.Sorted(maps.Keys(n.links))
	if objects {
		known = append(known, slices.Sorted(maps.Keys(n.objects))...)
	}
	return spelling.Hint(name, known)
}

// checkPlacing fails where a joint that is said to place the robot among the obstacles
// is not one that does.
func (c *Checker) checkPlacing(world *scene.Snapshot) error {
	joint := world.PlacedBy
	root := c.robot.Links[c.robot.Root].Name
	switch {
	case joint == "":
		return nil
	case joint == c.base:
		if id := c.standing(world); id != "" {
			return fmt.Errorf("object %s is attached to link %s, which stands for the world, and joint %s places the robot in it: give the object as an obstacle that is not attached", id, root, joint)
		}
		return nil
	}
	var virtual []string
	if c.robot.Semantic != nil {
		for _, v := range c.robot.Semantic.VirtualJoints {
			if v.ChildLink != root {
				continue
			}
			if v.Name == joint {
				return nil
			}
			virtual = append(virtual, v.Name)
		}
	}
	if len(virtual) == 0 {
		return fmt.Errorf("the scene places the robot by the position of joint %s, but no virtual joint of the root link %s is known: give the SRDF that names it, or a scene in the frame %s",
			joint, root, root)
	}
	return fmt.Errorf("the scene places the robot by the position of joint %s, but the virtual joint of the root link %s is %s%s: correct the name",
		joint, root, virtual[0], spelling.Hint(joint, virtual))
}

// noJoint is the error of a joint that the robot does not have.
func noJoint(robot *urdf.Robot, name string) error {
	known := make([]string, len(robot.Joints))
	for i := range known {
		known[i] = robot.Joints[i].Name
	}
	return fmt.Errorf("the robot has no joint %s%s", name, spelling.Hint(name, known))
}
