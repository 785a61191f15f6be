// Package robots makes robots, worlds and motions for tests: by hand (Of), and random
// ones (Dice) with joints of every kind, branches, mimic joints, parallel axes, joints on
// the spot, tiny and huge links, and shapes of every kind. Package twin places their
// links.
//
// The judges of the lab draw their own on purpose: lab/laws and lab/premises write files
// and read them with other people's libraries, lab/static knows no motion. So do the
// verifier's tests (certificate/verify). An error here must not hide one there.
package robots

import (
	"fmt"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/meshes"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Hinge is one joint of a robot made in a test, and the link that it moves.
type Hinge struct {
	Parent       int // a link: hinge i moves link i+1, link 0 is the root
	Kind         urdf.JointType
	Origin       geom.Pose // the zero value stands for no offset and no turn
	Axis         geom.Vec
	Lo, Hi       float64 // limits of a revolute or prismatic joint; both 0 stands for ±1e6
	Mimics       int     // 1 + the hinge it follows, 0 for none
	Mult, Offset float64
	Parts        []urdf.Collision // of the link
}

// JointName is the name of joint i, LinkName that of link i, in robots made by Of.
func JointName(i int) string { return fmt.Sprint("j", i) }

// LinkName is the name of link i.
func LinkName(i int) string { return fmt.Sprint("l", i) }

// Of builds a robot; base is what the root link is made of.
func Of(base []urdf.Collision, hinges ...Hinge) *urdf.Robot {
	r := &urdf.Robot{Name: "rig", Links: []urdf.Link{{Name: LinkName(0), ParentJoint: -1, Collisions: base}}}
	for i := range hinges {
		r.Joints = append(r.Joints, hinges[i].joint(i))
		r.Links = append(r.Links, urdf.Link{Name: LinkName(i + 1), ParentJoint: i, Collisions: hinges[i].Parts})
	}
	return r
}

func (h *Hinge) joint(i int) urdf.Joint {
	j := urdf.Joint{Name: JointName(i), Type: h.Kind, Parent: h.Parent, Child: i + 1, PosePC: h.Origin, Axis: h.Axis}
	if h.Kind == urdf.Revolute || h.Kind == urdf.Prismatic {
		j.Limit = urdf.Limit{Bounded: true, Lower: h.Lo, Upper: h.Hi}
		if h.Lo == 0 && h.Hi == 0 {
			j.Limit.Lower, j.Limit.Upper = -1e6, 1e6
		}
	}
	if j.PosePC == (geom.Pose{}) {
		j.PosePC = geom.IdentityPose()
	}
	if h.Mimics > 0 {
		j.Mimic = &urdf.Mimic{Joint: h.Mimics - 1, Multiplier: h.Mult, Offset: h.Offset}
	}
	return j
}

// At is a pose that does not turn.
func At(x, y, z float64) geom.Pose { return geom.Translation(geom.Vec{X: x, Y: y, Z: z}) }

// Ball is a sphere.
func Ball(radius float64) *shape.Shape { return &shape.Shape{Kind: shape.Sphere, Radius: radius} }

// Box is a box with sides of the given lengths.
func Box(x, y, z float64) *shape.Shape {
	return &shape.Shape{Kind: shape.Box, Size: geom.Vec{X: x, Y: y, Z: z}}
}

// Points is a point cloud; each point is a ball.
func Points(radius float64, points ...geom.Vec) *shape.Shape {
	return &shape.Shape{Kind: shape.Points, Radius: radius, Points: points}
}

// Mesh is several meshes as one shape, each a component of its own.
func Mesh(ms ...*mesh.Mesh) *shape.Shape {
	return &shape.Shape{Kind: shape.Mesh, Mesh: meshes.Of(ms...), Source: "made in the test"}
}

// Part is a link's geometry of one shape.
func Part(at geom.Pose, s *shape.Shape) []urdf.Collision {
	return []urdf.Collision{{PoseLS: at, Shape: s}}
}

// World is a world of the given objects.
func World(objects ...scene.Object) *scene.Snapshot { return &scene.Snapshot{Objects: objects} }

// Object is an object of a world.
func Object(id string, s *shape.Shape, at geom.Pose) scene.Object {
	return scene.Object{ID: id, Shape: s, PoseWS: at}
}
