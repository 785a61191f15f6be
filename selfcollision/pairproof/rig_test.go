package pairproof

import (
	"fmt"
	"os"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/shape"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// hinge is a joint of a robot made in a test, and the link that it moves.
type hinge struct {
	parent int // link; 0 is the root
	kind   urdf.JointType
	origin geom.Pose
	axis   geom.Vec
	lo, hi float64
	mimics int // joint number + 1
	mult   float64
	offset float64
	parts  []urdf.Collision
}

// robotOf builds a robot; base is what the root link is made of.
func robotOf(base []urdf.Collision, hinges ...hinge) *urdf.Robot {
	r := &urdf.Robot{Name: "rig", Links: []urdf.Link{{Name: "l0", ParentJoint: -1, Collisions: base}}}
	for i, h := range hinges {
		j := urdf.Joint{
			Name: fmt.Sprint("j", i), Type: h.kind, Parent: h.parent, Child: i + 1, PosePC: h.origin, Axis: h.axis,
			Limit: urdf.Limit{Bounded: h.kind == urdf.Revolute || h.kind == urdf.Prismatic, Lower: h.lo, Upper: h.hi},
		}
		if j.PosePC == (geom.Pose{}) {
			j.PosePC = geom.IdentityPose()
		}
		if h.mimics > 0 {
			j.Mimic = &urdf.Mimic{Joint: h.mimics - 1, Multiplier: h.mult, Offset: h.offset}
		}
		r.Links = append(r.Links, urdf.Link{Name: fmt.Sprint("l", i+1), ParentJoint: i, Collisions: h.parts})
		r.Joints = append(r.Joints, j)
	}
	return r
}

func at(x, y, z float64) geom.Pose { return geom.Translation(geom.Vec{X: x, Y: y, Z: z}) }

func ball(at geom.Pose, r float64) []urdf.Collision {
	return []urdf.Collision{{PoseLS: at, Shape: &shape.Shape{Kind: shape.Sphere, Radius: r}}}
}

func box(at geom.Pose, x, y, z float64) []urdf.Collision {
	return []urdf.Collision{{PoseLS: at, Shape: &shape.Shape{Kind: shape.Box, Size: geom.Vec{X: x, Y: y, Z: z}}}}
}

func meshed(m *mesh.Mesh) []urdf.Collision {
	return []urdf.Collision{{PoseLS: geom.IdentityPose(), Shape: &shape.Shape{Kind: shape.Mesh, Mesh: m, Source: "made in the test"}}}
}

var ey, ez = geom.Vec{Y: 1}, geom.Vec{Z: 1}

// shared loads a robot of the shared folder, where that is there.
func shared(t testing.TB, file string) *urdf.Robot {
	t.Helper()
	const root = "../../../shared/robots/"
	if _, err := os.Stat(root + file); err != nil {
		t.Skip("no shared robots")
	}
	r, err := urdf.Load(root+file, urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
