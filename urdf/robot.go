// Package urdf reads URDF and SRDF into an immutable Robot: links, joints, limits, mimic
// relations, exact collision shapes and allowed pairs.
package urdf

import (
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// JointType is the type of a URDF joint.
type JointType uint8

// The joint types of URDF.
const (
	Fixed JointType = iota
	Revolute
	Continuous
	Prismatic
	Planar
	Floating
)

var jointTypeNames = [...]string{"fixed", "revolute", "continuous", "prismatic", "planar", "floating"}

// String returns the type as URDF spells it.
func (t JointType) String() string { return jointTypeNames[t] }

// Robot is a kinematic tree with collision shapes. It is immutable once loaded
// and may be shared by any number of goroutines.
type Robot struct {
	Name   string
	Path   string // the file it came from, for messages; may be empty
	Links  []Link
	Joints []Joint // in file order; Links[Root] is the only link without a parent joint
	Root   int

	// Semantic is the content of the SRDF, nil without one.
	Semantic *Semantic

	// Warnings tell what a user should know about the model, once each: links without
	// collision geometry, packages found under another name, SRDF names that the URDF lacks.
	Warnings []string

	// Gaps lists what the files of the robot leave open and what can hide a collision, such as
	// the axes of a glTF mesh; Names is the link. A check of the robot is Free only if each of
	// them is accepted.
	Gaps []premise.Premise

	// Parts are the robots that Join combined, in the order of Links. It is empty for a
	// single robot and for joined robots with one SRDF for all.
	Parts []Part

	linkIndex, jointIndex map[string]int // nil in a Robot built by hand
	srdfWarnings          int            // number of the last Warnings that come from the SRDF
}

// Link is one rigid body.
type Link struct {
	Name        string
	ParentJoint int // index into Robot.Joints, -1 for the root
	Collisions  []Collision
}

// Collision is one collision element: a shape with a pose in the link's frame.
type Collision struct {
	Name   string
	PoseLS geom.Pose // the shape's frame S in the link's frame L
	Shape  *shape.Shape
}

// Joint connects a parent link to a child link. The child's frame at zero is PosePC in the
// parent's frame; the joint rotates about or slides along Axis, a unit vector in the child's
// frame (for planar joints the plane's normal).
type Joint struct {
	Name          string
	Type          JointType
	Parent, Child int // indices into Robot.Links
	PosePC        geom.Pose
	Axis          geom.Vec
	Limit         Limit
	Mimic         *Mimic // nil unless the joint follows another
}

// Limit is a joint's range. Bounded is false for continuous, planar, floating and fixed
// joints, whose Lower and Upper have no meaning.
type Limit struct {
	Bounded      bool
	Lower, Upper float64 // rad or m
	Velocity     float64 // rad/s or m/s, 0 if the file gives none
}

// Mimic makes a joint's position Multiplier * (position of Joint) + Offset. Joint is
// independent: Load has resolved chains of mimic joints.
type Mimic struct {
	Joint              int // index into Robot.Joints
	Multiplier, Offset float64
}

// Semantic is the content of an SRDF that affects collision checking. Names that the URDF
// lacks have been removed, with a warning in Robot.Warnings.
type Semantic struct {
	Path          string
	Groups        []Group
	States        []GroupState
	VirtualJoints []VirtualJoint
	PassiveJoints []string

	// Incomplete lists, by group, the members that the SRDF names and the robot lacks. A query
	// about such a group is an error.
	Incomplete map[string][]string

	// Disabled lists the pairs that are not checked, each once, smaller link index first:
	// disable_collisions, and disable_default_collisions except enable_collisions.
	Disabled []DisabledPair
	// Unknown counts the pairs that are left out because they name a link that the robot lacks.
	Unknown int
}

// Group is a named planning group with chains and subgroups expanded. Joints are those that
// move (fixed and virtual ones are left out), Links the links named and the child links of all
// joints named, each once, in the order of the file.
type Group struct {
	Name   string
	Joints []string
	Links  []string
}

// GroupState is a named configuration of a group: joint name to position. Joints
// of several degrees of freedom, virtual ones included, have no entry.
type GroupState struct {
	Name, Group string
	Positions   map[string]float64
}

// VirtualJoint attaches the root to the world: Type fixed, planar or floating.
type VirtualJoint struct {
	Name, Type, ParentFrame, ChildLink string
}

// DisabledPair is an allowed pair of links (indices, A < B).
type DisabledPair struct {
	A, B   int
	Reason string
}

// Link returns the index of the named link, or -1.
func (r *Robot) Link(name string) int {
	if r.linkIndex != nil {
		if i, ok := r.linkIndex[name]; ok {
			return i
		}
		return -1
	}
	return slices.IndexFunc(r.Links, func(l Link) bool { return l.Name == name })
}

// Joint returns the index of the named joint, or -1.
func (r *Robot) Joint(name string) int {
	if r.jointIndex != nil {
		if i, ok := r.jointIndex[name]; ok {
			return i
		}
		return -1
	}
	return slices.IndexFunc(r.Joints, func(j Joint) bool { return j.Name == name })
}

func (r *Robot) linkNames() []string {
	out := make([]string, len(r.Links))
	for i := range out {
		out[i] = r.Links[i].Name
	}
	return out
}

func (r *Robot) jointNames() []string {
	out := make([]string, len(r.Joints))
	for i := range out {
		out[i] = r.Joints[i].Name
	}
	return out
}
