package ccd

import (
	"fmt"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/spelling"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// placement is how the root link stands in the frame of a scene.
type placement uint8

const (
	unplaced placement = iota // the frame is not known
	anywhere                  // no frame is named: it is the root link's, unless a motion moves that
	atRoot                    // the frame is the root link's
	fixed                     // the SRDF fixes the root link to the frame
	floating                  // the SRDF lets the root link float, or drive, in the frame
	based                     // the frame is the root link's, which stands for the world
)

// baseJoint returns the name of the floating joint that the whole robot hangs on,
// as in a URDF whose root link, of no shape, stands for the world; or "". Moving
// such a root link is moving the robot in the world.
func baseJoint(robot *urdf.Robot) string {
	if len(robot.Links[robot.Root].Collisions) > 0 {
		return ""
	}
	name := ""
	for i := range robot.Joints {
		j := &robot.Joints[i]
		switch {
		case j.Parent != robot.Root:
		case name != "" || j.Type != urdf.Floating || j.PosePC != geom.IdentityPose():
			return ""
		default:
			name = j.Name
		}
	}
	return name
}

// standing returns an object that is attached to the link that stands for the world, "" if there is none. It stands
// where it is, but would be moved with that link.
func (c *Checker) standing(world *scene.Snapshot) string {
	if world == nil || c.base == "" {
		return ""
	}
	root := c.robot.Links[c.robot.Root].Name
	for i := range world.Objects {
		if world.Objects[i].AttachedTo == root {
			return world.Objects[i].ID
		}
	}
	return ""
}

// CheckRootJoint returns an error unless the multi-DOF joint of that name moves the root
// link, as Motion.Root does. Such a joint is a floating or planar virtual joint of the
// SRDF, or the floating joint of a URDF below a root link that only names the world.
func (c *Checker) CheckRootJoint(joint string) error {
	if joint != "" && joint == baseJoint(c.robot) {
		return nil
	}
	root := c.robot.Links[c.robot.Root].Name
	if c.robot.Semantic == nil {
		return fmt.Errorf("multi-DOF joint %s is no floating joint that the whole robot hangs on: give the SRDF whose virtual joint it is", joint)
	}
	for _, v := range c.robot.Semantic.VirtualJoints {
		if v.Name == joint && v.ChildLink == root && v.Type != "fixed" {
			return nil
		}
	}
	return fmt.Errorf("multi-DOF joint %s is no floating or planar virtual joint of the root link %s in the SRDF: no other can be checked", joint, root)
}

// place tells how the root link stands in a scene's frame.
func (c *Checker) place(world *scene.Snapshot) placement {
	root := c.robot.Links[c.robot.Root].Name
	switch {
	case world == nil || world.Frame == "":
		return anywhere
	case world.Frame == root && baseJoint(c.robot) != "":
		return based
	case world.Frame == root:
		return atRoot
	case c.robot.Semantic == nil:
		return unplaced
	}
	found := unplaced
	for _, j := range c.robot.Semantic.VirtualJoints {
		if j.ParentFrame != world.Frame || j.ChildLink != root {
			continue
		}
		if j.Type == "fixed" {
			return fixed
		}
		found = floating
	}
	return found
}

// checkFrame fails on a scene in a frame of which nothing is known: its obstacles
// would be looked for in the wrong place.
func (c *Checker) checkFrame(world *scene.Snapshot) error {
	if c.place(world) != unplaced {
		return nil
	}
	root := c.robot.Links[c.robot.Root].Name
	if c.robot.Link(world.Frame) >= 0 {
		return fmt.Errorf("the scene's poses are in the frame of link %s, but the robot's root link is %s: load the scene with its robot (scene.Options.Robot, Snapshot.For), or give them in the root link", world.Frame, root)
	}
	known := []string{root}
	for i := range c.robot.Links {
		known = append(known, c.robot.Links[i].Name)
	}
	if c.robot.Semantic != nil {
		for _, j := range c.robot.Semantic.VirtualJoints {
			known = append(known, j.ParentFrame)
		}
	}
	return fmt.Errorf("the scene's poses are in frame %s, but the robot's root link is %s%s: give them in that frame", world.Frame, root, spelling.Hint(world.Frame, known))
}

// checkRoot fails on a motion that moves the root link where the scene moves with
// it or the SRDF says that it stands still, and on one that does not say where
// the root link is in a frame in which it floats.
func (c *Checker) checkRoot(m *motion.Motion) error {
	moves, root := len(m.Root) > 0, c.robot.Links[c.robot.Root].Name
	switch at := c.place(c.world); {
	case moves && at == atRoot:
		return fmt.Errorf("the motion moves the root link %s, and the scene's poses are in its frame: give them in the frame that the motion moves it in", root)
	case moves && c.world != nil && c.world.PlacedBy != "":
		return fmt.Errorf("the motion moves the root link %s, and the scene's poses are relative to it where joint %s placed it: leave multi_dof_joint_state out of the scene, so that its poses stay in the frame that the motion moves the link in", root, c.world.PlacedBy)
	case moves && c.standing(c.world) != "":
		return fmt.Errorf("object %s is attached to link %s, which stands for the world, and the motion moves the robot in it: give the object as an obstacle that is not attached", c.standing(c.world), root)
	case moves && at == fixed:
		return fmt.Errorf("the motion moves the root link %s, which the SRDF fixes to the scene's frame %s", root, c.world.Frame)
	case !moves && at == floating:
		return c.whereIsRoot()
	}
	return nil
}

func (c *Checker) whereIsRoot() error {
	root := c.robot.Links[c.robot.Root].Name
	return fmt.Errorf("the scene's poses are in frame %s, in which the root link %s floats: give a motion that places it, or the scene in the frame %s", c.world.Frame, root, root)
}
