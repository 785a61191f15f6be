package scene

import (
	"fmt"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// linkFrames are the frames of a robot's links, as far as joint positions are known.
type linkFrames struct {
	robot  *urdf.Robot
	joints map[string]float64   // rad or m
	multi  map[string]geom.Pose // of floating and planar joints
}

// between returns the pose of link b in link a. It needs the positions of the joints between
// the two, and of no other.
func (l *linkFrames) between(a, b int) (geom.Pose, error) {
	up, down := l.chain(a), l.chain(b)
	for len(up) > 0 && len(down) > 0 && up[len(up)-1] == down[len(down)-1] {
		up, down = up[:len(up)-1], down[:len(down)-1]
	}
	poseCA, err := l.along(up, a)
	if err != nil {
		return geom.Pose{}, err
	}
	poseCB, err := l.along(down, b)
	if err != nil || len(up) == 0 {
		return poseCB, err
	}
	return poseCA.Inv().Mul(poseCB), nil
}

// chain lists the joints from a link to the root.
func (l *linkFrames) chain(link int) (joints []int) {
	for {
		j := l.robot.Links[link].ParentJoint
		if j < 0 {
			return joints
		}
		joints = append(joints, j)
		link = l.robot.Joints[j].Parent
	}
}

// along returns the pose of a link in the parent of the last of the joints above it.
func (l *linkFrames) along(joints []int, link int) (geom.Pose, error) {
	pose := geom.IdentityPose()
	for _, j := range joints {
		at, err := l.joint(j)
		if err != nil {
			return pose, fmt.Errorf("the frame of link %s moves with joint %s, %w", l.robot.Links[link].Name, l.robot.Joints[j].Name, err)
		}
		pose = at.Mul(pose)
	}
	return pose, nil
}

// joint returns the pose of a joint's child in its parent.
func (l *linkFrames) joint(j int) (geom.Pose, error) {
	joint := &l.robot.Joints[j]
	switch joint.Type {
	case urdf.Fixed:
		return joint.PosePC, nil
	case urdf.Floating, urdf.Planar:
		pose, known := l.multi[joint.Name]
		if !known {
			return pose, fmt.Errorf("whose pose is not known: give it in robot_state.multi_dof_joint_state, or give poses in a frame that does not move")
		}
		return joint.PosePC.Mul(pose), nil
	}
	q, known := l.position(joint)
	if !known {
		return geom.Pose{}, fmt.Errorf("whose position is not known: give it in robot_state.joint_state, or give poses in a frame that does not move")
	}
	return joint.PosePC.Mul(jointMotion(joint, q)), nil
}

// position follows a mimic joint to its leader.
func (l *linkFrames) position(joint *urdf.Joint) (q float64, known bool) {
	m := joint.Mimic
	if m == nil {
		q, known = l.joints[joint.Name]
		return q, known
	}
	q, known = l.joints[l.robot.Joints[m.Joint].Name]
	return m.Multiplier*q + m.Offset, known
}

// For returns s in a frame in which a Checker of the robot takes it. A scene in the frame of a
// link that fixed joints connect to the root link is moved into the root link; any other is
// returned as it is. A link that moves against the root link is an error that names the joint.
// Load does it if Options.Robot is set.
func (s *Snapshot) For(robot *urdf.Robot) (*Snapshot, error) {
	link := robot.Link(s.Frame)
	if link < 0 || link == robot.Root {
		return s, nil
	}
	l := linkFrames{robot: robot}
	poseRL, err := l.between(robot.Root, link)
	if err != nil {
		return nil, fmt.Errorf("the scene's poses are in the frame %s: %w", s.Frame, err)
	}
	moved, err := s.Moved(robot.Links[robot.Root].Name, poseRL)
	if err != nil {
		return nil, err
	}
	moved.Version = s.Version
	return moved, nil
}
