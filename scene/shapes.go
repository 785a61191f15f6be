package scene

import (
	"context"
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// The constructors below make objects for New and With, which validate them.
// Lengths are metres; poseWS is the pose of the shape's frame S in the
// snapshot's frame.

// NewBox returns a box of the given full side lengths around its origin.
func NewBox(id string, poseWS geom.Pose, size geom.Vec) Object {
	return Object{ID: id, PoseWS: poseWS, Shape: &Shape{Kind: shape.Box, Size: size}}
}

// NewSphere returns a ball around its origin.
func NewSphere(id string, poseWS geom.Pose, radius float64) Object {
	return Object{ID: id, PoseWS: poseWS, Shape: &Shape{Kind: shape.Sphere, Radius: radius}}
}

// NewCylinder returns a cylinder along its z axis, with the middle of its length at the
// origin.
func NewCylinder(id string, poseWS geom.Pose, radius, length float64) Object {
	return Object{ID: id, PoseWS: poseWS, Shape: &Shape{Kind: shape.Cylinder, Radius: radius, Length: length}}
}

// NewCapsule returns all points within radius of a segment of the given length along z, with
// its middle at the origin: the caps lie beyond the segment.
func NewCapsule(id string, poseWS geom.Pose, radius, length float64) Object {
	return Object{ID: id, PoseWS: poseWS, Shape: &Shape{Kind: shape.Capsule, Radius: radius, Length: length}}
}

// NewCone returns a cone along its z axis, with the middle of its length at the origin and its
// tip at +length/2.
func NewCone(id string, poseWS geom.Pose, radius, length float64) Object {
	return Object{ID: id, PoseWS: poseWS, Shape: &Shape{Kind: shape.Cone, Radius: radius, Length: length}}
}

// NewMesh returns a triangle mesh; triangles index vertices. Vertices at the same place are
// merged, so that a closed surface is recognized as closed. The slices are copied.
func NewMesh(id string, poseWS geom.Pose, vertices []geom.Vec, triangles [][3]int32) Object {
	return Object{ID: id, PoseWS: poseWS, Shape: &Shape{Kind: shape.Mesh, Mesh: weld(vertices, triangles)}}
}

// weld leaves triangles with invalid indices unchanged, for Validate to find.
func weld(vertices []geom.Vec, triangles [][3]int32) *mesh.Mesh {
	m := &mesh.Mesh{Triangles: slices.Clone(triangles)}
	at := map[geom.Vec]int32{}
	for i := range m.Triangles {
		for c, k := range m.Triangles[i] {
			if k < 0 || int(k) >= len(vertices) {
				return &mesh.Mesh{Vertices: slices.Clone(vertices), Triangles: slices.Clone(triangles)}
			}
			v := vertices[k]
			v = geom.Vec{X: v.X + 0, Y: v.Y + 0, Z: v.Z + 0} // -0 and 0 are the same place
			welded, ok := at[v]
			if !ok {
				welded = int32(len(m.Vertices))
				at[v] = welded
				m.Vertices = append(m.Vertices, v)
			}
			m.Triangles[i][c] = welded
		}
	}
	return m
}

// LoadMesh is like NewMesh for a mesh file (STL, OBJ, COLLADA, glTF, PLY), its coordinates
// multiplied by scale. A glTF mesh is taken as it stands: its y axis stays y. What the file leaves
// open and can hide a collision is returned as gaps: give them to WithGaps of the snapshot that
// has the object, or nothing knows of them.
func LoadMesh(id string, poseWS geom.Pose, path string, scale geom.Vec) (Object, []premise.Premise, error) {
	f, err := mesh.LoadContext(context.Background(), path, scale)
	if err != nil {
		return Object{}, nil, err
	}
	o := Object{ID: id, PoseWS: poseWS, Shape: &Shape{Kind: shape.Mesh, Mesh: f.Mesh, Source: path}}
	return o, gapsOfMesh(id, path, f.Gaps), nil
}

// NewPoints returns a cloud of points, each a ball of the given radius. The
// slice is copied.
func NewPoints(id string, poseWS geom.Pose, points []geom.Vec, radius float64) Object {
	return Object{ID: id, PoseWS: poseWS, Shape: &Shape{Kind: shape.Points, Points: slices.Clone(points), Radius: radius}}
}

// Attach returns o as a body attached to link, where poseLS is the pose of the shape's frame
// in the link's. It may touch that link and touchLinks.
func (o Object) Attach(link string, poseLS geom.Pose, touchLinks ...string) Object {
	o.AttachedTo, o.PoseWS, o.TouchLinks = link, poseLS, slices.Clone(touchLinks)
	return o
}
