package catch

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/spacetime"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/shape"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

var timeZero time.Time

// rig is a robot in a world, and a worker of this method and of the default one.
type rig struct {
	m     *model.Model
	w     *Worker
	other *spacetime.Worker
}

// newRig compiles robot and world. Links that a joint holds together are no pairs.
func newRig(t testing.TB, robot *urdf.Robot, world *scene.Snapshot, padding float64, rooted bool) *rig {
	t.Helper()
	build := model.New
	if rooted {
		build = model.NewRooted
	}
	m, err := build(robot, world, func(string) float64 { return padding }, &model.Library{})
	if err != nil {
		t.Fatal(err)
	}
	m.PairUp(func(a, b *model.Body) string { return held(robot, a, b) })
	return rigOf(t, m)
}

func rigOf(t testing.TB, m *model.Model) *rig {
	t.Helper()
	p, err := Prepare(m)
	if err != nil {
		t.Fatal(err)
	}
	return &rig{m: m, w: p.NewWorker(), other: spacetime.NewWorker(m)}
}

func held(robot *urdf.Robot, a, b *model.Body) string {
	for i := range robot.Joints {
		j := &robot.Joints[i]
		if a.Link == j.Parent && b.Link == j.Child || a.Link == j.Child && b.Link == j.Parent {
			return "held together by a joint"
		}
	}
	if a.Link == b.Link {
		return "one link"
	}
	return ""
}

func (r *rig) bind(t testing.TB, m *motion.Motion) *kin.Course {
	t.Helper()
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	b, err := kin.Bind(r.m.Tree, m, make([]float64, len(r.m.Tree.Dofs)))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// dice makes random robots, worlds and motions; equal seeds give equal ones.
type dice struct{ *rand.Rand }

func newDice(seed, i uint64) dice { return dice{rand.New(rand.NewPCG(seed, i))} }

func (d dice) in(lo, hi float64) float64 { return lo + (hi-lo)*d.Float64() }

// spread is a number between lo and hi, every power of ten equally likely.
func (d dice) spread(lo, hi float64) float64 {
	return math.Exp(d.in(math.Log(lo), math.Log(hi)))
}

func (d dice) vec(size float64) geom.Vec {
	return geom.Vec{X: d.in(-size, size), Y: d.in(-size, size), Z: d.in(-size, size)}
}

func (d dice) unit() geom.Vec {
	for {
		if v, ok := geom.Unit(geom.Vec{X: d.NormFloat64(), Y: d.NormFloat64(), Z: d.NormFloat64()}); ok {
			return v
		}
	}
}

func (d dice) pose(size float64) geom.Pose {
	return geom.Pose{R: geom.AxisAngle(d.unit(), d.in(-3, 3)), P: d.vec(size)}
}

func (d dice) axis() geom.Vec {
	return [...]geom.Vec{{X: 1}, {Y: 1}, {Z: 1}, d.unit()}[d.IntN(4)]
}

// shape draws any kind there is, meshes open and closed among them.
func (d dice) shape(size float64) *shape.Shape {
	r, l := d.in(0.2, 1)*size, d.in(0.5, 3)*size
	switch d.IntN(10) {
	case 0:
		return ball(r)
	case 1:
		return box(r, l, d.in(0.1, 1)*size)
	case 2:
		return &shape.Shape{Kind: shape.Cylinder, Radius: r, Length: l}
	case 3:
		return &shape.Shape{Kind: shape.Capsule, Radius: r, Length: l}
	case 4:
		return &shape.Shape{Kind: shape.Cone, Radius: r, Length: l}
	case 5:
		return meshOf(elbow(size))
	case 6:
		return meshOf(d.soup(size))
	case 7:
		return meshOf(elbow(size), d.soup(size))
	case 8:
		return d.cells(size)
	}
	s := &shape.Shape{Kind: shape.Points, Radius: 0.1 * r}
	for range 6 {
		s.Points = append(s.Points, d.vec(l))
	}
	return s
}

// soup is triangles that have nothing to do with each other.
func (d dice) soup(size float64) *mesh.Mesh {
	m := &mesh.Mesh{}
	for i := range int32(4) {
		at := d.vec(size)
		m.Vertices = append(m.Vertices, at, r3.Add(at, d.vec(size)), r3.Add(at, d.vec(size)))
		m.Triangles = append(m.Triangles, [3]int32{3 * i, 3*i + 1, 3*i + 2})
	}
	return m
}

func (d dice) cells(size float64) *shape.Shape {
	s := &shape.Shape{Kind: shape.Cells}
	for range 6 {
		side := 0.5 * size * float64(1+d.IntN(2))
		at := geom.Vec{X: side * float64(d.IntN(6)-3), Y: side * float64(d.IntN(6)-3), Z: side * float64(d.IntN(6)-3)}
		s.Cells = append(s.Cells, geom.Box{Min: at, Max: r3.Add(at, geom.Vec{X: side, Y: side, Z: side})})
	}
	return s
}

// robot draws a tree of up to five joints of every type.
func (d dice) robot() *urdf.Robot {
	r := &urdf.Robot{Name: "random", Links: []urdf.Link{{Name: "base", ParentJoint: -1}}}
	if d.IntN(2) == 0 {
		r.Links[0].Collisions = d.parts()
	}
	kinds := [...]urdf.JointType{urdf.Revolute, urdf.Revolute, urdf.Continuous, urdf.Prismatic, urdf.Planar, urdf.Fixed}
	for i := range 1 + d.IntN(5) {
		parent := d.IntN(len(r.Links))
		if d.IntN(3) > 0 {
			parent = len(r.Links) - 1
		}
		j := urdf.Joint{
			Name: fmt.Sprint("joint", i), Type: kinds[d.IntN(min(len(kinds), 5+i))], Parent: parent, Child: i + 1,
			PosePC: d.pose(0.4), Axis: d.axis(), Limit: urdf.Limit{Bounded: true, Lower: -10, Upper: 10},
		}
		if j.Type == urdf.Continuous {
			j.Limit = urdf.Limit{}
		}
		if single(j.Type) && i > 0 && d.IntN(4) == 0 && single(r.Joints[i-1].Type) && r.Joints[i-1].Mimic == nil {
			j.Mimic = &urdf.Mimic{Joint: i - 1, Multiplier: d.in(-2, 2), Offset: d.in(-1, 1)}
		}
		r.Links = append(r.Links, urdf.Link{Name: fmt.Sprint("link", i), ParentJoint: i, Collisions: d.parts()})
		r.Joints = append(r.Joints, j)
	}
	return r
}

func single(t urdf.JointType) bool {
	return t == urdf.Revolute || t == urdf.Continuous || t == urdf.Prismatic
}

func (d dice) parts() (parts []urdf.Collision) {
	for range 1 + d.IntN(2) {
		parts = append(parts, urdf.Collision{PoseLS: d.pose(0.15), Shape: d.shape(0.12)})
	}
	return parts
}

// world draws objects, of which one may be attached to the robot.
func (d dice) world(robot *urdf.Robot) *scene.Snapshot {
	w := &scene.Snapshot{}
	for i := range 1 + d.IntN(6) {
		o := scene.Object{ID: fmt.Sprint("object", i), Shape: d.shape(0.2), PoseWS: d.pose(0.9)}
		if d.IntN(5) == 0 {
			o.Padding = d.in(0, 0.05)
		}
		w.Objects = append(w.Objects, o)
	}
	if d.IntN(3) == 0 {
		w.Objects = append(w.Objects, scene.Object{
			ID: "held", Shape: d.shape(0.1), PoseWS: d.pose(0.2), AttachedTo: robot.Links[len(robot.Links)-1].Name,
		})
	}
	return w
}

// motion draws one to three pieces of random degree, continuous at the knots; rooted
// ones move the root too.
func (d dice) motion(tree *kin.Tree, rooted bool) *motion.Motion {
	m := &motion.Motion{KeepTurns: d.IntN(2) == 0}
	for i := range tree.Dofs {
		if tree.Dofs[i].Name != "" {
			m.Joints = append(m.Joints, tree.Dofs[i].Name)
		}
	}
	last := make([]float64, len(m.Joints))
	for j := range last {
		last[j] = d.in(-1, 1)
	}
	size := [...]float64{0.05, 0.5, 2}[d.IntN(3)]
	pieces := 1 + d.IntN(3)
	for p := range pieces {
		piece := motion.Piece{Start: float64(p), End: float64(p) + 1}
		degree := [...]int{1, 1, 1, 2, 3, 5}[d.IntN(6)]
		for j := range m.Joints {
			ctrl := []float64{last[j]}
			for range degree {
				ctrl = append(ctrl, last[j]+d.in(-size, size))
			}
			last[j] = ctrl[degree]
			piece.Ctrl = append(piece.Ctrl, ctrl)
		}
		m.Pieces = append(m.Pieces, piece)
	}
	if rooted {
		var times []float64
		var poses []geom.Pose
		at := geom.Pose{R: geom.AxisAngle(d.unit(), d.in(-2, 2)), P: d.vec(0.3)}
		for p := range pieces + 1 {
			times, poses = append(times, float64(p)), append(poses, at)
			at = geom.Pose{R: geom.AxisAngle(d.unit(), d.in(-1, 1)).Mul(at.R), P: r3.Add(at.P, d.vec(0.3))}
		}
		m.Root, _ = motion.RootThrough(times, poses)
	}
	return m
}

func ball(r float64) *shape.Shape { return &shape.Shape{Kind: shape.Sphere, Radius: r} }

func box(x, y, z float64) *shape.Shape {
	return &shape.Shape{Kind: shape.Box, Size: geom.Vec{X: x, Y: y, Z: z}}
}

// meshOf is several meshes as one shape, each a component of its own.
func meshOf(ms ...*mesh.Mesh) *shape.Shape {
	out := &mesh.Mesh{}
	for _, m := range ms {
		n := int32(len(out.Vertices))
		out.Vertices = append(out.Vertices, m.Vertices...)
		for _, t := range m.Triangles {
			out.Triangles = append(out.Triangles, [3]int32{t[0] + n, t[1] + n, t[2] + n})
		}
	}
	return &shape.Shape{Kind: shape.Mesh, Mesh: out, Source: "made in the test"}
}

// elbow is a closed mesh that is not convex: an L in the plane of x and y whose arms
// reach out by size, a fifth of that wide, and as thick.
func elbow(size float64) *mesh.Mesh {
	w := size / 5
	m := &mesh.Mesh{}
	for _, z := range []float64{-w / 2, w / 2} {
		for _, p := range []geom.Vec{{}, {X: size}, {X: size, Y: w}, {X: w, Y: w}, {X: w, Y: size}, {Y: size}} {
			m.Vertices = append(m.Vertices, geom.Vec{X: p.X, Y: p.Y, Z: z})
		}
	}
	for _, c := range [][3]int32{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}} {
		m.Triangles = append(m.Triangles, [3]int32{c[0], c[2], c[1]}, [3]int32{c[0] + 6, c[1] + 6, c[2] + 6})
	}
	for i := range int32(6) {
		j := (i + 1) % 6
		m.Triangles = append(m.Triangles, [3]int32{i, j, j + 6}, [3]int32{i, j + 6, i + 6})
	}
	return m
}
