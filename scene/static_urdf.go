package scene

import (
	"fmt"
	"path/filepath"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// urdf reads a URDF as a static scene.
func (r *reader) urdf(data []byte) (*Snapshot, error) {
	robot, err := urdf.Parse(data, urdf.Options{Packages: r.opts.Packages, BaseDir: filepath.Dir(r.name)})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.name, err)
	}
	s, err := staticOf(robot)
	if err == nil {
		s.nameFrame(robot.Links[robot.Root].Name, r.opts.Robot)
		s, err = seal(s)
	}
	if err == nil && r.opts.Robot != nil {
		s, err = s.For(r.opts.Robot)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.name, err)
	}
	return s, nil
}

// worldFrames are the frames of REP 105 that are not the robot's, and world: a link of such a name
// stands for that frame.
var worldFrames = []string{"world", "map", "odom", "earth"}

// nameFrame names the frame of s after its root link where a robot, which may be nil, knows that.
// Another name is one of the scene's own, such as that of a piece of furniture.
func (s *Snapshot) nameFrame(root string, of *urdf.Robot) {
	if of != nil && isFrameOf(root, of) {
		s.Frame = root
	}
	if s.Frame == "" {
		s.Warnings = append(s.Warnings, fmt.Sprintf("the robot has no frame of the name of the scene's root link, %s: it is taken to be the robot's own root link, or the frame that a motion moves that in", root))
	}
}

// isFrameOf reports whether a name is that of a link, or of a frame to which the SRDF connects the
// robot.
func isFrameOf(name string, robot *urdf.Robot) bool {
	if robot.Link(name) >= 0 {
		return true
	}
	return robot.Semantic != nil && slices.ContainsFunc(robot.Semantic.VirtualJoints, func(v urdf.VirtualJoint) bool {
		return v.ParentFrame == name
	})
}

// FromRobot returns the collision shapes of a robot as static obstacles, in the frame of its
// root link; Frame names that link if it is world, map, odom or earth. Joints are at 0 or, if 0 is out of range, in the middle of their range; mimic
// joints follow, planar and floating ones are at their origin. Objects are named link, or
// link#1, link#2, ... if a link has several shapes.
func FromRobot(robot *urdf.Robot) (*Snapshot, error) {
	s, err := staticOf(robot)
	if err != nil {
		return nil, err
	}
	return seal(s)
}

// staticOf is FromRobot before the snapshot is complete.
func staticOf(robot *urdf.Robot) (*Snapshot, error) {
	s := &Snapshot{Version: 1}
	if root := robot.Links[robot.Root].Name; slices.Contains(worldFrames, root) {
		s.Frame = root
	}
	poses := restPoses(robot)
	for i := range robot.Links {
		link := &robot.Links[i]
		for k, c := range link.Collisions {
			s.Objects = append(s.Objects, Object{
				ID:     partID(link.Name, k, len(link.Collisions)),
				PoseWS: poses[i].Mul(c.PoseLS),
				Shape:  c.Shape,
			})
		}
	}
	if len(s.Objects) == 0 {
		return nil, fmt.Errorf("robot %s has no collision geometry to make a scene of", robot.Name)
	}
	s.Warnings = append(s.Warnings, robot.Warnings...)
	s.Gaps = premise.Clone(robot.Gaps)
	return s, nil
}

// restPoses returns the pose of every link in the root link.
func restPoses(robot *urdf.Robot) []geom.Pose {
	children := make([][]int, len(robot.Links)) // joints by parent link
	for j := range robot.Joints {
		p := robot.Joints[j].Parent
		children[p] = append(children[p], j)
	}
	poses := make([]geom.Pose, len(robot.Links))
	poses[robot.Root] = geom.IdentityPose()
	for stack := []int{robot.Root}; len(stack) > 0; {
		link := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, j := range children[link] {
			joint := &robot.Joints[j]
			poses[joint.Child] = poses[link].Mul(joint.PosePC).Mul(jointMotion(joint, restPosition(robot, j)))
			stack = append(stack, joint.Child)
		}
	}
	return poses
}

// restPosition follows a mimic joint to the joint that it depends on.
func restPosition(robot *urdf.Robot, j int) float64 {
	multiplier, offset := 1.0, 0.0
	joint := &robot.Joints[j]
	for range robot.Joints { // a chain of mimic joints is no longer than that
		if joint.Mimic == nil {
			break
		}
		offset += multiplier * joint.Mimic.Offset
		multiplier *= joint.Mimic.Multiplier
		joint = &robot.Joints[joint.Mimic.Joint]
	}
	leader := 0.0
	if l := joint.Limit; l.Bounded && (l.Lower > 0 || l.Upper < 0) {
		leader = l.Lower + (l.Upper-l.Lower)/2
	}
	return multiplier*leader + offset
}

func jointMotion(joint *urdf.Joint, q float64) geom.Pose {
	switch joint.Type {
	case urdf.Revolute, urdf.Continuous:
		return geom.Pose{R: geom.AxisAngle(joint.Axis, q)}
	case urdf.Prismatic:
		return geom.Translation(r3.Scale(q, joint.Axis))
	}
	return geom.IdentityPose()
}
