// Package scene describes the robot's surroundings: boxes, cylinders, meshes, points and
// attached objects in immutable snapshots, and readers of scene files.
package scene

import (
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// Shape is an exact collision shape in its own frame, in metres. Kind, which prints as scene
// files spell it, determines which fields are used:
//
//   - box: Size, the full side lengths, about the origin
//   - sphere: Radius
//   - cylinder: Radius and Length, along z with the middle at the origin
//   - capsule: likewise; Length is that of the axis, and the caps stand beyond it
//   - cone: Radius of the base and Length, along z, with the tip at +Length/2
//   - mesh: Mesh, its Vertices and Triangles, with the scale applied
//   - points: Points, each a ball of Radius
//   - cells: Cells, boxes along the axes, each of them solid
//
// Make shapes with NewBox and the other constructors of objects. The links of urdf.Robot
// have shapes of the same type.
type Shape = shape.Shape

// Snapshot is one state of the world. It is immutable once built, by New or a
// reader, and may be shared by any number of goroutines.
type Snapshot struct {
	Frame   string // frame of every pose; empty means the robot's root link
	Objects []Object
	Version uint64   // grows with every change
	Hash    [32]byte // of the content: equal hashes mean equal worlds

	// Allowed lists pairs of names (object or link) that are not checked: allowed pairs.
	Allowed [][2]string
	// LinkPadding is the padding in metres by link name.
	LinkPadding map[string]float64
	// Absent lists names in Allowed that need not exist: objects that Without removed, and
	// entries of MoveIt's allowed collision matrix, which keeps those of removed objects. Any
	// other name that neither the robot nor the scene has is an error of the checker. A pair
	// with an absent name allows nothing.
	Absent []string
	// PlacedBy is the joint by whose position the obstacles were transformed into the robot's
	// root link; empty if they were not. It must be the root link's virtual joint.
	PlacedBy string

	// Gaps lists what the source of the scene requires and Objects lack. A check in this scene
	// is Free only if each of them is accepted.
	Gaps []premise.Premise

	Warnings []string

	digests [][32]byte                   // one per object, so that With hashes only new objects
	gapsOf  map[string][]premise.Premise // by object, those of Gaps that WithGaps told of it
}

// Object is one obstacle or, if AttachedTo names a link, a body attached to that link.
type Object struct {
	ID      string
	PoseWS  geom.Pose // the shape's frame S in the snapshot's frame, or in the link AttachedTo
	Shape   *Shape
	Padding float64 // metres, added all around

	AttachedTo string
	TouchLinks []string // links the attached object may touch, besides AttachedTo
}
