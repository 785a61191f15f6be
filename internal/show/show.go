// Package show turns a robot, a scene, a motion and what was found of it into what can be
// drawn: triangles, poses over time, bounds of distances, witness points, and words. The
// pages of package viewer draw it in a browser; other pictures take the same bodies and poses.
//
// A drawing proves nothing: round shapes are faceted and large meshes simplified. No number of
// an answer passes through a drawing.
package show

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// DefaultTriangles is how many triangles of a body are drawn at most, unless more are wanted.
const DefaultTriangles = 4000

// Mesh is a surface to draw, in metres.
type Mesh struct {
	Vertices  []float32 // x, y and z of each
	Triangles []uint32  // three indices of vertices each, counterclockwise seen from outside where the shape's are
	Of        int       // triangles of the whole shape; more than are drawn if it was simplified
}

// Body is a link or an object to draw.
type Body struct {
	Name string
	Kind motion.BodyKind
	Link int       // index of the link that it moves with; -1: it rests in the frame of the scene
	Pose geom.Pose // of the mesh, in the frame of that link or of the scene
	Mesh Mesh      // empty for a link without collision geometry
}

// Links returns the links of a robot, at the same indices, each with the triangles of all its
// collision shapes: about `most` of them at most, or all if most is 0. Padding is not drawn.
func Links(robot *urdf.Robot, most int) []Body {
	out := make([]Body, len(robot.Links))
	for i := range robot.Links {
		l := &robot.Links[i]
		out[i] = Body{Name: l.Name, Kind: motion.RobotLink, Link: i, Pose: geom.IdentityPose()}
		share := most
		if most > 0 {
			share = max(12, most/max(1, len(l.Collisions)))
		}
		for k := range l.Collisions {
			out[i].Mesh.add(MeshOf(l.Collisions[k].Shape, share), l.Collisions[k].PoseLS)
		}
	}
	return out
}

// Objects returns the obstacles of a scene, and the objects that links of the robot carry. The
// scene may be nil.
func Objects(robot *urdf.Robot, world *scene.Snapshot, most int) []Body {
	if world == nil {
		return nil
	}
	var out []Body
	for i := range world.Objects {
		o := &world.Objects[i]
		b := Body{Name: o.ID, Kind: motion.WorldObject, Link: -1, Pose: o.PoseWS, Mesh: MeshOf(o.Shape, shareOf(o.Shape, most))}
		if o.AttachedTo != "" {
			b.Kind, b.Link = motion.AttachedObject, robot.Link(o.AttachedTo)
		}
		out = append(out, b)
	}
	return out
}

// shareOf returns how many triangles of an object are drawn at most: of one that is made of many
// small bodies more than of others, because what is left of few of them is not like it.
func shareOf(s *shape.Shape, most int) int {
	switch s.Kind {
	case shape.Points:
		return 8 * most
	case shape.Cells:
		return 4 * most
	}
	return most
}

// PosesAt returns where the links are at a time (s) of a motion, by their indices, in the frame
// of the scene. The motion is one that c.Resolve returned.
func PosesAt(c *ccd.Checker, resolved *motion.Motion, t float64) ([]geom.Pose, error) {
	positions := map[string]float64{}
	for i, x := range resolved.At(t) {
		positions[resolved.Joints[i]] = x
	}
	poses, err := c.LinkPoses(positions)
	if err != nil {
		return nil, err
	}
	root := resolved.RootAt(t)
	out := make([]geom.Pose, len(c.Robot().Links))
	for i := range out {
		out[i] = poses[c.Robot().Links[i].Name]
		if len(resolved.Root) > 0 {
			out[i] = root.Mul(out[i])
		}
	}
	return out, nil
}

// add appends another mesh, placed by a pose.
func (m *Mesh) add(o Mesh, pose geom.Pose) {
	first := uint32(len(m.Vertices) / 3)
	for i := 0; i+2 < len(o.Vertices); i += 3 {
		m.vertex(pose.Apply(geom.Vec{X: float64(o.Vertices[i]), Y: float64(o.Vertices[i+1]), Z: float64(o.Vertices[i+2])}))
	}
	for _, k := range o.Triangles {
		m.Triangles = append(m.Triangles, first+k)
	}
	m.Of += o.Of
}

// vertex appends a vertex and returns its index.
func (m *Mesh) vertex(v geom.Vec) uint32 {
	m.Vertices = append(m.Vertices, float32(v.X), float32(v.Y), float32(v.Z))
	return uint32(len(m.Vertices)/3 - 1)
}

func (m *Mesh) triangle(a, b, c uint32) { m.Triangles = append(m.Triangles, a, b, c) }

// Box returns the box around the mesh, empty for one without vertices.
func (m *Mesh) Box() geom.Box {
	box := geom.EmptyBox()
	for i := 0; i+2 < len(m.Vertices); i += 3 {
		box = box.Extend(geom.Vec{X: float64(m.Vertices[i]), Y: float64(m.Vertices[i+1]), Z: float64(m.Vertices[i+2])})
	}
	return box
}

// circle returns points of a circle around z, counterclockwise.
func circle(radius, z float64, sides int) []geom.Vec {
	out := make([]geom.Vec, sides)
	for i := range out {
		sin, cos := sinCos(2 * math.Pi * float64(i) / float64(sides))
		out[i] = geom.Vec{X: radius * cos, Y: radius * sin, Z: z}
	}
	return out
}

// sinCos is rounded so that every processor draws the same points: the last bits of math.Sincos
// depend on whether multiplications and additions are fused.
func sinCos(angle float64) (sin, cos float64) {
	const grain = 1 << 24
	sin, cos = math.Sincos(angle)
	return math.Round(sin*grain) / grain, math.Round(cos*grain) / grain
}
