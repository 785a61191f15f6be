package bisect

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/spacetime"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/shape"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// dice makes random robots, worlds and motions.
type dice struct{ *rand.Rand }

func newDice(seed, i uint64) dice { return dice{rand.New(rand.NewPCG(seed, i))} }

func (d dice) in(lo, hi float64) float64 { return lo + (hi-lo)*d.Float64() }

func (d dice) vec(size float64) geom.Vec {
	return geom.Vec{X: d.in(-size, size), Y: d.in(-size, size), Z: d.in(-size, size)}
}

func (d dice) unit() geom.Vec {
	for {
		if v, ok := geom.Unit(d.vec(1)); ok {
			return v
		}
	}
}

func (d dice) pose(reach float64) geom.Pose {
	return geom.Pose{R: geom.AxisAngle(d.unit(), d.in(-3, 3)), P: d.vec(reach)}
}

// grown is a mesh extruded from an outline in the plane of x and y, by h both ways.
func extruded(outline []geom.Vec, caps [][3]int32, h float64) *shape.Shape {
	m, n := &mesh.Mesh{}, int32(len(outline))
	for _, z := range []float64{-h, h} {
		for _, p := range outline {
			m.Vertices = append(m.Vertices, geom.Vec{X: p.X, Y: p.Y, Z: z})
		}
	}
	for _, c := range caps {
		m.Triangles = append(m.Triangles, [3]int32{c[0], c[2], c[1]}, [3]int32{c[0] + n, c[1] + n, c[2] + n})
	}
	for i := range n {
		j := (i + 1) % n
		m.Triangles = append(m.Triangles, [3]int32{i, j, j + n}, [3]int32{i, j + n, i + n})
	}
	return meshShape(m)
}

func meshShape(m *mesh.Mesh) *shape.Shape {
	return &shape.Shape{Kind: shape.Mesh, Mesh: m, Source: "made"}
}

// elbow is an L with arms of length s.
func elbow(s float64) *shape.Shape {
	k := 0.25 * s
	return extruded(
		[]geom.Vec{{}, {X: s}, {X: s, Y: k}, {X: k, Y: k}, {X: k, Y: s}, {Y: s}},
		[][3]int32{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}, 0.1*s)
}

// hollow is a closed mesh in the form of a square ring, which is not convex.
func hollow(s float64) *shape.Shape {
	m := &mesh.Mesh{}
	for _, h := range []float64{-0.3 * s, 0.3 * s} {
		for _, r := range []float64{s, 0.6 * s} {
			m.Vertices = append(m.Vertices, geom.Vec{X: -r, Y: -r, Z: h}, geom.Vec{X: r, Y: -r, Z: h}, geom.Vec{X: r, Y: r, Z: h}, geom.Vec{X: -r, Y: r, Z: h})
		}
	}
	quad := func(a, b, c, d int32) {
		m.Triangles = append(m.Triangles, [3]int32{a, b, c}, [3]int32{a, c, d})
	}
	for i := range int32(4) {
		j := (i + 1) % 4
		quad(i, j, j+4, i+4)       // below
		quad(i+8, i+12, j+12, j+8) // above
		quad(i, i+8, j+8, j)       // outside
		quad(i+4, j+4, j+12, i+12) // inside
	}
	return meshShape(m)
}

func (d dice) shape(size float64) *shape.Shape {
	r, l := d.in(0.2, 1)*size, d.in(0.5, 3)*size
	switch d.IntN(10) {
	case 0:
		return &shape.Shape{Kind: shape.Sphere, Radius: r}
	case 1:
		return &shape.Shape{Kind: shape.Box, Size: geom.Vec{X: r, Y: l, Z: d.in(0.1, 1) * size}}
	case 2:
		return &shape.Shape{Kind: shape.Cylinder, Radius: r, Length: l}
	case 3:
		return &shape.Shape{Kind: shape.Capsule, Radius: r, Length: l}
	case 4:
		return &shape.Shape{Kind: shape.Cone, Radius: r, Length: l}
	case 5:
		return elbow(l)
	case 6:
		return hollow(l)
	case 7:
		return &shape.Shape{Kind: shape.Cells, Cells: d.cells(size)}
	case 8: // a soup: an open surface
		m := &mesh.Mesh{}
		for k := range int32(4) {
			at := d.vec(size)
			m.Vertices = append(m.Vertices, at, r3.Add(at, d.vec(size)), r3.Add(at, d.vec(size)))
			m.Triangles = append(m.Triangles, [3]int32{3 * k, 3*k + 1, 3*k + 2})
		}
		return meshShape(m)
	}
	points := make([]geom.Vec, 5)
	for i := range points {
		points[i] = d.vec(l)
	}
	return &shape.Shape{Kind: shape.Points, Radius: 0.1 * r, Points: points}
}

func (d dice) cells(size float64) []geom.Box {
	cells := make([]geom.Box, 6)
	for i := range cells {
		side := 0.5 * size * float64(1+d.IntN(2))
		at := geom.Vec{X: side * float64(d.IntN(6)-3), Y: side * float64(d.IntN(6)-3), Z: side * float64(d.IntN(6)-3)}
		cells[i] = geom.Box{Min: at, Max: r3.Add(at, geom.Vec{X: side, Y: side, Z: side})}
	}
	return cells
}

func (d dice) robot() *urdf.Robot {
	r := &urdf.Robot{Name: "random", Links: []urdf.Link{{Name: "base", ParentJoint: -1}}}
	for i := range 1 + d.IntN(5) {
		parent := len(r.Links) - 1
		if d.IntN(3) == 0 { // another arm
			parent = d.IntN(len(r.Links))
		}
		l := urdf.Link{Name: fmt.Sprint("link", i), ParentJoint: i}
		for range 1 + d.IntN(2) {
			l.Collisions = append(l.Collisions, urdf.Collision{PoseLS: d.pose(0.15), Shape: d.shape(0.12)})
		}
		j := urdf.Joint{
			Name: fmt.Sprint("joint", i), Parent: parent, Child: i + 1, PosePC: d.pose(0.4), Axis: d.unit(),
			Type: [...]urdf.JointType{urdf.Revolute, urdf.Revolute, urdf.Prismatic, urdf.Continuous, urdf.Planar, urdf.Fixed}[d.IntN(6)],
		}
		if i == 0 {
			j.Type = urdf.Revolute
		}
		if j.Type == urdf.Revolute || j.Type == urdf.Prismatic {
			j.Limit = urdf.Limit{Bounded: true, Lower: -10, Upper: 10}
			if i > 0 && d.IntN(4) == 0 && r.Joints[i-1].Mimic == nil && r.Joints[i-1].Limit.Bounded {
				j.Mimic = &urdf.Mimic{Joint: i - 1, Multiplier: d.in(-2, 2), Offset: d.in(-1, 1)}
			}
		}
		r.Links, r.Joints = append(r.Links, l), append(r.Joints, j)
	}
	return r
}

func (d dice) world() *scene.Snapshot {
	w := &scene.Snapshot{}
	for i := range 1 + d.IntN(6) {
		w.Objects = append(w.Objects, scene.Object{ID: fmt.Sprint("object", i), Shape: d.shape(0.2), PoseWS: d.pose(0.8)})
	}
	return w
}

// motion makes one or two pieces of random degree, continuous at the knot.
func (d dice) motion(joints []string, rooted bool) *motion.Motion {
	m := &motion.Motion{Joints: joints}
	last := make([]float64, len(joints))
	for j := range last {
		last[j] = d.in(-1, 1)
	}
	size := [...]float64{0.05, 0.5, 3}[d.IntN(3)]
	pieces := 1 + d.IntN(2)
	if rooted {
		pieces = 1
		m.Root = []motion.RootPiece{{Start: d.pose(0.3), Point: d.vec(0.3), Velocity: d.vec(size), Turn: r3.Scale(size, d.vec(1))}}
	}
	for p := range pieces {
		piece := motion.Piece{Start: 2 * float64(p), End: 2 * float64(p+1)}
		degree := [...]int{1, 1, 1, 2, 3, 5}[d.IntN(6)]
		for j := range joints {
			ctrl := make([]float64, degree+1)
			ctrl[0] = last[j]
			for k := range degree {
				ctrl[k+1] = last[j] + d.in(-size, size)
			}
			last[j] = ctrl[degree]
			piece.Ctrl = append(piece.Ctrl, ctrl)
		}
		m.Pieces = append(m.Pieces, piece)
	}
	return m
}

// made is a link of one shape.
func made(s *shape.Shape, at geom.Vec) []urdf.Collision {
	return []urdf.Collision{{PoseLS: geom.Translation(at), Shape: s}}
}

// rig is a robot in a world with one motion.
type rig struct {
	m      *model.Model
	course *kin.Course
	motn   *motion.Motion
	p      *Prepared
	w      *Worker
}

func newRig(t testing.TB, robot *urdf.Robot, world *scene.Snapshot, padding float64, m *motion.Motion) *rig {
	t.Helper()
	build := model.New
	if len(m.Root) > 0 {
		build = model.NewRooted
	}
	md, err := build(robot, world, func(string) float64 { return padding }, &model.Library{})
	if err != nil {
		t.Fatal(err)
	}
	md.PairUp(func(a, b *model.Body) string { return adjacent(robot, a, b) })
	r := &rig{m: md}
	r.p, err = Prepare(md)
	if err != nil {
		t.Fatal(err)
	}
	r.w = r.p.NewWorker()
	r.bind(t, m)
	return r
}

// adjacent leaves out neighbouring links.
func adjacent(robot *urdf.Robot, a, b *model.Body) string {
	if a.Link < 0 || b.Link < 0 {
		return ""
	}
	for i := range robot.Joints {
		j := &robot.Joints[i]
		if j.Parent == a.Link && j.Child == b.Link || j.Parent == b.Link && j.Child == a.Link {
			return "adjacent"
		}
	}
	return ""
}

func (r *rig) bind(t testing.TB, m *motion.Motion) {
	t.Helper()
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	c, err := kin.Bind(r.m.Tree, m, make([]float64, len(r.m.Tree.Dofs)))
	if err != nil {
		t.Fatal(err)
	}
	r.course, r.motn = c, m
}

func (r *rig) check(q motion.Query) motion.Verdict {
	return r.w.Check(context.Background(), r.course, q)
}

func (r *rig) spacetime(q motion.Query) motion.Verdict {
	return spacetime.NewWorker(r.m).Check(context.Background(), r.course, q)
}

// random makes rig i of a seed.
func random(t testing.TB, seed, i uint64) (*rig, motion.Query) {
	t.Helper()
	d := newDice(seed, i)
	robot, world := d.robot(), d.world()
	rooted := d.IntN(5) == 0
	padding := 0.0
	if d.IntN(4) == 0 {
		padding = d.in(0, 0.02)
	}
	joints := names(robot)
	r := newRig(t, robot, world, padding, d.motion(joints, rooted))
	q := motion.Query{TimeTolerance: 1e-4, Tolerance: 1e-5}
	if d.IntN(3) == 0 {
		q.Clearance = d.in(0, 0.05)
	}
	return r, q
}

// names lists the variables of a robot that a motion may give.
func names(robot *urdf.Robot) []string {
	var out []string
	for i := range robot.Joints {
		switch j := &robot.Joints[i]; {
		case j.Mimic != nil || j.Type == urdf.Fixed:
		case j.Type == urdf.Planar:
			out = append(out, j.Name+"/x", j.Name+"/y", j.Name+"/theta")
		default:
			out = append(out, j.Name)
		}
	}
	return out
}

// rounds is how many cases a test tries: n, and many more where FIRSTCONTACT_LONG says.
func rounds(n int) int {
	if race.Enabled && !switches.Long.Set() {
		return (n + 3) / 4
	}
	return switches.Long.Times(n, 10)
}
