package verify

import (
	"fmt"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// frame checks that the scene's poses are in a frame in which the root link is fixed, or in
// which the motion moves it.
func (v *verifier) frame() error {
	frame, root := v.world.Frame, v.robot.Links[v.robot.Root].Name
	moves, known, held := len(v.motion.Root) > 0, false, false
	switch {
	case moves && v.world.PlacedBy != "":
		return fmt.Errorf("the motion moves the root link %s, and the scene's poses are relative to it where joint %s placed it", root, v.world.PlacedBy)
	case (moves || v.world.PlacedBy != "") && v.standing() != "":
		return fmt.Errorf("object %s is attached to link %s, which stands for the world in which the robot moves: give it as an obstacle that is not attached", v.standing(), root)
	case frame == "":
		return nil
	case frame == root:
		known, held = true, !rootIsWorld(v.robot)
		if !held {
			return nil
		}
	case v.robot.Semantic != nil:
		for _, j := range v.robot.Semantic.VirtualJoints {
			if j.ParentFrame == frame && j.ChildLink == root {
				known, held = true, held || j.Type == "fixed"
			}
		}
	}
	switch {
	case !known:
		return fmt.Errorf("the scene's poses are in frame %s, but the robot's root link is %s: give them in that frame", frame, root)
	case moves && held:
		return fmt.Errorf("the motion moves the root link %s, which is fixed in the scene's frame %s", root, frame)
	case !moves && !held:
		return fmt.Errorf("the root link %s floats in the scene's frame %s, and the motion does not give its pose", root, frame)
	}
	return nil
}

// standing returns an object that is attached to a root link that is only a name for the world, "" if there is none.
func (v *verifier) standing() string {
	for i := range v.world.Objects {
		if o := &v.world.Objects[i]; o.AttachedTo == v.robot.Links[v.robot.Root].Name && rootIsWorld(v.robot) {
			return o.ID
		}
	}
	return ""
}

// rootIsWorld reports whether the root link is only a name for the world: it has no shape, and
// one floating joint connects the whole robot to it.
func rootIsWorld(r *urdf.Robot) bool {
	if len(r.Links[r.Root].Collisions) > 0 {
		return false
	}
	n := 0
	for i := range r.Joints {
		j := &r.Joints[i]
		if j.Parent != r.Root {
			continue
		}
		if n++; n > 1 || j.Type != urdf.Floating || j.PosePC != (geom.Pose{R: geom.Rot{XX: 1, YY: 1, ZZ: 1}}) {
			return false
		}
	}
	return n == 1
}
