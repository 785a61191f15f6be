package scene

import (
	"fmt"

	"github.com/firstcontact-ros/firstcontact/internal/base/document"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// robotState reads a moveit_msgs/RobotState: where joints and root link are, which gives the
// frames of links, and the attached objects.
func (p *planningScene) robotState(v document.Value) error {
	f, err := v.Fields("robot_state", "joint_state", "multi_dof_joint_state", "attached_collision_objects", "is_diff")
	if err != nil {
		return err
	}
	diff, err := document.Optional(f, "is_diff", document.Value.Bool)
	if err != nil {
		return err
	}
	if !diff {
		p.carried = objectList{}
	}
	if j, ok := f.Get("joint_state"); ok && p.opts.Robot != nil {
		if err := p.jointState(j); err != nil {
			return err
		}
	}
	if m, ok := f.Get("multi_dof_joint_state"); ok {
		if err := p.multiDOF(m); err != nil {
			return err
		}
	}
	attached, ok := f.Get("attached_collision_objects")
	if !ok {
		return nil
	}
	items, err := attached.List("attached_collision_objects")
	if err != nil {
		return err
	}
	for i, item := range items {
		if err := p.attachedObject(item.Of(fmt.Sprintf("attached_collision_objects[%d]", i)), diff); err != nil {
			return err
		}
	}
	return nil
}

// jointState keeps the positions of a sensor_msgs/JointState.
func (p *planningScene) jointState(v document.Value) error {
	f, err := v.AnyFields("joint_state")
	if err != nil {
		return err
	}
	names, err := document.Optional(f, "name", document.Value.Strs)
	if err != nil {
		return err
	}
	positions, err := document.Optional(f, "position", func(v document.Value, name string) ([]float64, error) { return v.Floats(name, -1) })
	if err != nil {
		return err
	}
	if len(names) != len(positions) {
		return v.Errorf("joint_state has %d names and %d positions: give one each", len(names), len(positions))
	}
	for i, name := range names {
		p.frames.links.joints[name] = positions[i]
	}
	return nil
}

// multiDOF reads the poses of planar and floating joints of the robot, and of the virtual joint
// of its root link.
func (p *planningScene) multiDOF(v document.Value) error {
	f, err := v.Fields("multi_dof_joint_state", "header", "joint_names", "transforms", "twist", "wrench")
	if err != nil {
		return err
	}
	names, err := document.Optional(f, "joint_names", document.Value.Strs)
	if err != nil {
		return err
	}
	transforms, err := document.Optional(f, "transforms", document.Value.List)
	if err != nil {
		return err
	}
	if len(names) != len(transforms) {
		return v.Errorf("multi_dof_joint_state has %d joint_names and %d transforms: give one each", len(names), len(transforms))
	}
	var virtual []string
	for i, name := range names {
		pose, err := rosTransform(transforms[i])
		if err != nil {
			return err
		}
		p.frames.links.multi[name] = pose
		if own, base := p.ownJoint(name); !own || base {
			virtual = append(virtual, name)
			p.frames.poseWR, p.frames.byOwn = pose, base
		}
	}
	if len(virtual) == 0 {
		return nil
	}
	return p.placeRobot(f, virtual)
}

// ownJoint reports whether a joint is one of the URDF's, and whether it is a floating one below
// the root link, on which the whole robot may hang.
func (p *planningScene) ownJoint(name string) (own, base bool) {
	robot := p.opts.Robot
	if robot == nil {
		return false, false
	}
	k := robot.Joint(name)
	return k >= 0, k >= 0 && robot.Joints[k].Parent == robot.Root && robot.Joints[k].Type == urdf.Floating
}

// placeRobot notes that a virtual joint places the root link in the planning frame.
func (p *planningScene) placeRobot(f document.Fields, names []string) error {
	if len(names) > 1 {
		return f.Errorf("multi_dof_joint_state has the joints %v: only one, the virtual joint of the root link, is supported", names)
	}
	if err := p.frames.name(f); err != nil {
		return err
	}
	if names[0] == "" {
		return f.Errorf("multi_dof_joint_state has a joint without a name: name the virtual joint of the root link")
	}
	p.frames.placed, p.frames.placedBy, p.frames.placedAt = true, names[0], f.Value
	return nil
}
