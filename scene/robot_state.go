package scene

import (
	"fmt"

	"github.com/firstcontact-ros/firstcontact/internal/base/document"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// stateMessage reads a moveit_msgs/RobotState.
func stateMessage(v document.Value) (*StateMessage, error) {
	f, err := v.Fields("robot_state", "joint_state", "multi_dof_joint_state", "attached_collision_objects", "is_diff")
	if err != nil {
		return nil, err
	}
	m := &StateMessage{From: v}
	if m.Diff, err = document.Optional(f, "is_diff", document.Value.Bool); err != nil {
		return nil, err
	}
	if j, ok := f.Get("joint_state"); ok {
		if err := m.readJoints(j); err != nil {
			return nil, err
		}
	}
	if multi, ok := f.Get("multi_dof_joint_state"); ok {
		if err := m.readMulti(multi); err != nil {
			return nil, err
		}
	}
	items, err := document.Optional(f, "attached_collision_objects", document.Value.List)
	if err != nil {
		return nil, err
	}
	for i, item := range items {
		a, err := attachMessage(item.Of(fmt.Sprintf("attached_collision_objects[%d]", i)))
		if err != nil {
			return nil, err
		}
		m.Attached = append(m.Attached, a)
	}
	return m, nil
}

// readJoints reads the positions of a sensor_msgs/JointState.
func (m *StateMessage) readJoints(v document.Value) error {
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
	m.Joints = map[string]float64{}
	for i, name := range names {
		m.Joints[name] = positions[i]
	}
	return nil
}

// readMulti reads a sensor_msgs/MultiDOFJointState.
func (m *StateMessage) readMulti(v document.Value) error {
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
	m.MultiAt = f.Value
	if m.MultiIn, err = headerFrame(f); err != nil {
		return err
	}
	for i, name := range names {
		pose, err := rosTransform(transforms[i])
		if err != nil {
			return err
		}
		m.Multi = append(m.Multi, JointPose{Joint: name, Pose: pose})
	}
	return nil
}

// robotState does what a moveit_msgs/RobotState says: where joints and root link are, which
// gives the frames of links, and the attached objects. change is set if it is part of a change of
// the scene.
func (p *planning) robotState(m *StateMessage, change bool) error {
	if m == nil {
		return nil
	}
	if m.replaces(change) {
		p.carried = objectList{}
	}
	for name, position := range m.Joints {
		p.frames.links.joints[name] = position
	}
	if err := p.multiDOF(m); err != nil {
		return err
	}
	for i := range m.Attached {
		if err := p.robotObject(&m.Attached[i], m.Diff); err != nil {
			return err
		}
	}
	return nil
}

// replaces reports whether what the robot carried before is gone. In a change MoveIt keeps it
// unless the state says where joints are: where nobody fills in the state, is_diff is false, too.
func (m *StateMessage) replaces(change bool) bool {
	return !m.Diff && (!change || len(m.Joints)+len(m.Multi) > 0)
}

// multiDOF keeps the poses of planar and floating joints of the robot, and of the virtual joint
// of its root link.
func (p *planning) multiDOF(m *StateMessage) error {
	var virtual []string
	for _, j := range m.Multi {
		p.frames.links.multi[j.Joint] = j.Pose
		if own, base := p.ownJoint(j.Joint); !own || base {
			virtual = append(virtual, j.Joint)
			p.frames.poseWR, p.frames.byOwn = j.Pose, base
		}
	}
	if len(virtual) == 0 {
		return nil
	}
	return p.placeRobot(m, virtual)
}

// ownJoint reports whether a joint is one of the URDF's, and whether it is a floating one below
// the root link, on which the whole robot may hang.
func (p *planning) ownJoint(name string) (own, base bool) {
	robot := p.robot
	if robot == nil {
		return false, false
	}
	k := robot.Joint(name)
	return k >= 0, k >= 0 && robot.Joints[k].Parent == robot.Root && robot.Joints[k].Type == urdf.Floating
}

// placeRobot notes that a virtual joint places the root link in the planning frame.
func (p *planning) placeRobot(m *StateMessage, names []string) error {
	if len(names) > 1 {
		return m.MultiAt.Errorf("multi_dof_joint_state has the joints %v: only one, the virtual joint of the root link, is supported", names)
	}
	if err := p.frames.name(m.MultiAt, m.MultiIn); err != nil {
		return err
	}
	if names[0] == "" {
		return m.MultiAt.Errorf("multi_dof_joint_state has a joint without a name: name the virtual joint of the root link")
	}
	p.frames.placed, p.frames.placedBy, p.frames.placedAt = true, names[0], m.MultiAt
	return nil
}
