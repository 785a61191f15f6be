package scene

import (
	"fmt"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// Place is where a message, or a part of one, comes from. Errorf returns an error that names it.
type Place interface {
	Errorf(format string, args ...any) error
}

// Named is a Place with a name.
type Named string

// Errorf returns an error that begins with the name.
func (n Named) Errorf(format string, args ...any) error {
	return fmt.Errorf("%s: %w", string(n), fmt.Errorf(format, args...))
}

// PlanningMessage is a moveit_msgs/PlanningScene: a whole scene or, if Diff is set, a change of
// one. Lengths are metres, angles radians.
type PlanningMessage struct {
	From       Place
	Diff       bool
	Robot      string // robot_model_name
	Transforms []FrameTransform
	Scales     []LinkNumber
	Paddings   []LinkNumber // m
	State      *StateMessage
	World      *WorldMessage
	Allowed    *AllowedMessage
}

// FrameTransform is an entry of fixed_frame_transforms: the pose of Child in Frame.
type FrameTransform struct {
	From         Place
	Frame, Child string
	Pose         geom.Pose
}

// LinkNumber is a moveit_msgs/LinkPadding or LinkScale.
type LinkNumber struct {
	From  Place
	Link  string
	Value float64
}

// StateMessage is a moveit_msgs/RobotState.
type StateMessage struct {
	From     Place
	Diff     bool
	Joints   map[string]float64 // rad or m
	Multi    []JointPose        // multi_dof_joint_state
	MultiIn  string             // the frame of its header
	MultiAt  Place
	Attached []AttachMessage
}

// JointPose is the pose of a joint of several degrees of freedom.
type JointPose struct {
	Joint string
	Pose  geom.Pose
}

// AttachMessage is a moveit_msgs/AttachedCollisionObject.
type AttachMessage struct {
	Link       string
	TouchLinks []string
	Object     ObjectMessage
}

// WorldMessage is a moveit_msgs/PlanningSceneWorld. An Octomap of nil leaves the octree as it is.
type WorldMessage struct {
	From    Place
	Octomap *OctomapMessage
	Objects []ObjectMessage
}

// OctomapMessage is an octomap_msgs/OctomapWithPose. A Tree without Data takes the octree away.
type OctomapMessage struct {
	From  Place
	Frame string
	Stamp int64 // ns
	Pose  geom.Pose
	Tree  Octree
}

// Operation is what a CollisionObject asks for.
type Operation int

// The operations, with the numbers of moveit_msgs/CollisionObject.
const (
	OpAdd Operation = iota
	OpRemove
	OpAppend
	OpMove
)

// ObjectMessage is a moveit_msgs/CollisionObject.
type ObjectMessage struct {
	From      Place
	ID        string
	Operation Operation
	Frame     string // of the pose
	Stamp     int64  // ns: when the frame was there
	Pose      geom.Pose
	Shapes    []PosedShape
	Subframes map[string]geom.Pose // in the object
	Notes     []string             // what a user should know of how it was read
	Fault     error                // why its content was not understood; nil if it was
}

// PosedShape is a shape and its pose in its object.
type PosedShape struct {
	Shape  *Shape
	PoseOS geom.Pose
}

// AllowedMessage is a moveit_msgs/AllowedCollisionMatrix.
type AllowedMessage struct {
	From     Place
	Names    []string
	Rows     [][]bool
	Defaults []string
	Values   []bool // of Defaults
}
