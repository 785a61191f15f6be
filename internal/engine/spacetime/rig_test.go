package spacetime

import (
	"context"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/shape"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/ruletest"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// hinge is one joint of a test robot and the shapes of the link that it moves.
type hinge struct {
	parent int // link index: hinge i moves link i+1, link 0 is the root
	kind   urdf.JointType
	origin geom.Pose
	axis   geom.Vec
	mimics int // 1 + the hinge it follows, 0 for none
	mult   float64
	offset float64
	parts  []urdf.Collision
}

// robotOf builds a robot; base is what the root link is made of.
func robotOf(base []urdf.Collision, hinges ...hinge) *urdf.Robot {
	r := &urdf.Robot{Name: "rig", Links: []urdf.Link{{Name: "l0", ParentJoint: -1, Collisions: base}}}
	for i, h := range hinges {
		j := urdf.Joint{
			Name: jointName(i), Type: h.kind, Parent: h.parent, Child: i + 1, PosePC: h.origin, Axis: h.axis,
			Limit: urdf.Limit{Bounded: h.kind == urdf.Revolute || h.kind == urdf.Prismatic, Lower: -1e6, Upper: 1e6},
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

func jointName(i int) string { return fmt.Sprint("j", i) }

// rig is a robot in a world with one motion, and a worker that looks at it.
type rig struct {
	robot *urdf.Robot
	world *scene.Snapshot
	model *model.Model
	motn  *motion.Motion
	bound *kin.Course
	w     *Worker

	cuts [][]piece // of the elements, once they are needed
}

// newRig compiles robot and world; nothing is left out but what off says.
func newRig(t testing.TB, robot *urdf.Robot, world *scene.Snapshot, padding float64, m *motion.Motion) *rig {
	t.Helper()
	md, err := model.New(robot, world, func(string) float64 { return padding }, &model.Library{})
	if err != nil {
		t.Fatal(err)
	}
	md.PairUp(func(_, _ *model.Body) string { return "" })
	r := &rig{robot: robot, world: world, model: md, w: NewWorker(md)}
	r.bind(t, m)
	return r
}

// bind gives the rig another motion; joints that it does not name stand at zero.
func (r *rig) bind(t testing.TB, m *motion.Motion) {
	t.Helper()
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	r.bindAnySize(t, m)
}

// bindAnySize is bind for a motion whose numbers may be larger than those of motions:
// the rules do not rely on that bound.
func (r *rig) bindAnySize(t testing.TB, m *motion.Motion) {
	t.Helper()
	b, err := kin.Bind(r.model.Tree, m, make([]float64, len(r.model.Tree.Dofs)))
	if err != nil {
		t.Fatal(err)
	}
	r.motn, r.bound = m, b
}

// place lets the worker look at [lo, hi] around c of one piece.
func (r *rig) place(piece int, c, lo, hi float64) {
	r.w.begin(context.Background(), motion.Query{})
	r.w.at.ReachFor(r.bound)
	r.w.load(r.bound, piece)
	r.w.place(c, lo, hi)
}

// check answers a query about the rig's motion with the same worker each time.
func (r *rig) check(q motion.Query) motion.Verdict {
	return r.w.Check(context.Background(), r.bound, q)
}

// move is the motion of one piece of one second with the given control points
// for each of joints 0, 1, ...
func move(ctrl ...[]float64) *motion.Motion {
	m := &motion.Motion{Pieces: []motion.Piece{{Start: 0, End: 1, Ctrl: ctrl}}, KeepTurns: true}
	for i := range ctrl {
		m.Joints = append(m.Joints, jointName(i))
	}
	return m
}

// The twin: positions and points of links by other formulas than those of kin,
// joint by joint, with nothing composed.

// bernstein evaluates a polynomial by its definition.
func bernstein(ctrl []float64, s float64) float64 {
	n := len(ctrl) - 1
	var sum float64
	choose := 1.0
	for k, c := range ctrl {
		sum += c * choose * math.Pow(s, float64(k)) * math.Pow(1-s, float64(n-k))
		choose = choose * float64(n-k) / float64(k+1)
	}
	return sum
}

// position of joint i on a piece at the parameter s.
func (r *rig) position(i, piece int, s float64) float64 {
	j := &r.robot.Joints[i]
	if j.Mimic != nil {
		return j.Mimic.Multiplier*r.position(j.Mimic.Joint, piece, s) + j.Mimic.Offset
	}
	for row, name := range r.motn.Joints {
		if name == j.Name {
			return bernstein(r.motn.Pieces[piece].Ctrl[row], s)
		}
	}
	return 0
}

// turned rotates v about the unit vector k by Rodrigues' formula.
func turned(v, k geom.Vec, angle float64) geom.Vec {
	s, c := math.Sincos(angle)
	return r3.Add(r3.Add(r3.Scale(c, v), r3.Scale(s, r3.Cross(k, v))), r3.Scale(r3.Dot(k, v)*(1-c), k))
}

// out takes a point of the link that joint i moves to its parent link.
func (r *rig) out(i, piece int, s float64, x geom.Vec) geom.Vec {
	j := &r.robot.Joints[i]
	switch q := r.position(i, piece, s); j.Type {
	case urdf.Revolute, urdf.Continuous:
		x = turned(x, j.Axis, q)
	case urdf.Prismatic:
		x = r3.Add(x, r3.Scale(q, j.Axis))
	}
	return j.PosePC.Apply(x)
}

// in is the inverse of out.
func (r *rig) in(i, piece int, s float64, x geom.Vec) geom.Vec {
	j := &r.robot.Joints[i]
	x = j.PosePC.ApplyInv(x)
	switch q := r.position(i, piece, s); j.Type {
	case urdf.Revolute, urdf.Continuous:
		return turned(x, j.Axis, -q)
	case urdf.Prismatic:
		return r3.Sub(x, r3.Scale(q, j.Axis))
	}
	return x
}

// toRoot takes a point of a link to the root link's frame.
func (r *rig) toRoot(link, piece int, s float64, x geom.Vec) geom.Vec {
	for link != r.robot.Root {
		i := r.robot.Links[link].ParentJoint
		x, link = r.out(i, piece, s, x), r.robot.Joints[i].Parent
	}
	return x
}

// fromRoot is the inverse of toRoot.
func (r *rig) fromRoot(link, piece int, s float64, x geom.Vec) geom.Vec {
	path := r.path(link)
	for k := len(path) - 1; k >= 0; k-- {
		x = r.in(path[k], piece, s, x)
	}
	return x
}

// path lists the joints from a link in to the root.
func (r *rig) path(link int) (joints []int) {
	for link != r.robot.Root {
		i := r.robot.Links[link].ParentJoint
		joints, link = append(joints, i), r.robot.Joints[i].Parent
	}
	return joints
}

// parting returns the last link that the chains of two links share.
func (r *rig) parting(a, b int) int {
	on := map[int]bool{r.robot.Root: true}
	for l := a; l != r.robot.Root; l = r.robot.Joints[r.robot.Links[l].ParentJoint].Parent {
		on[l] = true
	}
	for !on[b] {
		b = r.robot.Joints[r.robot.Links[b].ParentJoint].Parent
	}
	return b
}

// seen takes a point of a link at s to W, where the link base is frozen at c.
func (r *rig) seen(link, base, piece int, s, c float64, x geom.Vec) geom.Vec {
	x = r.fromRoot(base, piece, s, r.toRoot(link, piece, s, x))
	return r.toRoot(base, piece, c, x)
}

// solid is a collision element in its link's frame: points, and a ball of the
// given radius around each of them, whose hull is in the element and, but for
// round sides of cylinders and cones, is its hull.
type solid struct {
	link   int
	points []geom.Vec
	radius float64
	at     geom.Pose // of the shape in the link
}

// solidOf describes element i of the model from what it was made of.
func (r *rig) solidOf(i int, padding float64) solid {
	e := &r.model.Elements[i]
	body := &r.model.Bodies[e.Body]
	nth := 0
	for _, k := range body.Elements {
		if k == i {
			break
		}
		nth++
	}
	if body.Kind == motion.RobotLink {
		c := &r.robot.Links[body.Link].Collisions[nth]
		return solidIn(body.Link, c.PoseLS, c.Shape, padding)
	}
	for k := range r.world.Objects {
		if o := &r.world.Objects[k]; o.ID == body.Name {
			return solidIn(max(body.Link, r.robot.Root), o.PoseWS, o.Shape, o.Padding)
		}
	}
	panic("no such body")
}

func solidIn(link int, at geom.Pose, s *shape.Shape, padding float64) solid {
	out := solid{link: link, radius: padding, at: at}
	switch s.Kind {
	case shape.Box:
		for k := range 8 {
			f := func(bit int) float64 { return float64(k>>bit&1) - 0.5 }
			out.points = append(out.points, geom.Vec{X: f(0) * s.Size.X, Y: f(1) * s.Size.Y, Z: f(2) * s.Size.Z})
		}
	case shape.Sphere:
		out.points, out.radius = []geom.Vec{{}}, out.radius+s.Radius
	case shape.Capsule:
		out.points = []geom.Vec{{Z: -s.Length / 2}, {Z: s.Length / 2}}
		out.radius += s.Radius
	case shape.Cylinder, shape.Cone:
		for k := range 24 {
			y, x := math.Sincos(2 * math.Pi * float64(k) / 24)
			out.points = append(out.points, geom.Vec{X: s.Radius * x, Y: s.Radius * y, Z: -s.Length / 2})
			if s.Kind == shape.Cylinder {
				out.points = append(out.points, geom.Vec{X: s.Radius * x, Y: s.Radius * y, Z: s.Length / 2})
			}
		}
		out.points = append(out.points, geom.Vec{Z: s.Length / 2})
	case shape.Mesh:
		out.points = append(out.points, s.Mesh.Vertices...)
	case shape.Points:
		out.points, out.radius = append(out.points, s.Points...), out.radius+s.Radius
	}
	for i := range out.points {
		out.points[i] = at.Apply(out.points[i])
	}
	return out
}

// restricted keeps what lies under a node of an element's hierarchy.
func (s solid) restricted(e *model.Element, node int32) solid {
	if node == volume.Whole {
		return s
	}
	n := &e.Leaves.Tree.Nodes[node]
	var keep []geom.Vec
	for _, k := range e.Leaves.Tree.Order[n.First : n.First+n.Count] {
		if e.Leaves.Mesh == nil {
			keep = append(keep, s.points[k])
			continue
		}
		for _, v := range e.Leaves.Mesh.Triangles[k] {
			keep = append(keep, s.points[v])
		}
	}
	s.points = keep
	return s
}

// pose of a link at s, seen from base at c, by carrying its origin and axes.
func (r *rig) pose(link, base, piece int, s, c float64) geom.Pose {
	o := r.seen(link, base, piece, s, c, geom.Vec{})
	x := r3.Sub(r.seen(link, base, piece, s, c, geom.Vec{X: 1}), o)
	y := r3.Sub(r.seen(link, base, piece, s, c, geom.Vec{Y: 1}), o)
	z := r3.Sub(r.seen(link, base, piece, s, c, geom.Vec{Z: 1}), o)
	return geom.Pose{P: o, R: geom.Rot{XX: x.X, XY: y.X, XZ: z.X, YX: x.Y, YY: y.Y, YZ: z.Y, ZX: x.Z, ZY: y.Z, ZZ: z.Z}}
}

// highest returns the largest n.x over the solid at s, seen from base at c.
func (r *rig) highest(n geom.Vec, b solid, base, piece int, s, c float64) float64 {
	pose := r.pose(b.link, base, piece, s, c)
	local, top := pose.R.ApplyInv(n), math.Inf(-1)
	for _, x := range b.points {
		top = math.Max(top, r3.Dot(local, x))
	}
	return top + r3.Dot(n, pose.P) + b.radius
}

// gap is how far apart the solids are along n at s, seen from base at c.
func (r *rig) gap(n geom.Vec, a, b solid, base, piece int, s, c float64) float64 {
	return -r.highest(n, a, base, piece, s, c) - r.highest(r3.Scale(-1, n), b, base, piece, s, c)
}

// Shapes.

func at(x, y, z float64) geom.Pose { return geom.Translation(geom.Vec{X: x, Y: y, Z: z}) }

func ball(r float64) *shape.Shape { return &shape.Shape{Kind: shape.Sphere, Radius: r} }

func box(x, y, z float64) *shape.Shape {
	return &shape.Shape{Kind: shape.Box, Size: geom.Vec{X: x, Y: y, Z: z}}
}

func made(p geom.Pose, s *shape.Shape) []urdf.Collision {
	return []urdf.Collision{{PoseLS: p, Shape: s}}
}

func worldOf(objects ...scene.Object) *scene.Snapshot { return &scene.Snapshot{Objects: objects} }

func object(id string, s *shape.Shape, p geom.Pose) scene.Object {
	return scene.Object{ID: id, Shape: s, PoseWS: p}
}

// boxMesh is a closed mesh of a cube, made of 12 triangles; it is convex.
func boxMesh(half float64, middle geom.Vec) *mesh.Mesh {
	m := &mesh.Mesh{}
	for k := range 8 {
		f := func(bit int) float64 { return half * float64(2*(k>>bit&1)-1) }
		m.Vertices = append(m.Vertices, r3.Add(middle, geom.Vec{X: f(0), Y: f(1), Z: f(2)}))
	}
	for _, q := range [][4]int32{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
		m.Triangles = append(m.Triangles, [3]int32{q[0], q[1], q[2]}, [3]int32{q[0], q[2], q[3]})
	}
	return m
}

// joined is several meshes as one, each a component of its own.
func joined(ms ...*mesh.Mesh) *mesh.Mesh {
	out := &mesh.Mesh{}
	for _, m := range ms {
		n := int32(len(out.Vertices))
		out.Vertices = append(out.Vertices, m.Vertices...)
		for _, t := range m.Triangles {
			out.Triangles = append(out.Triangles, [3]int32{t[0] + n, t[1] + n, t[2] + n})
		}
	}
	return out
}

// elbow is a closed mesh that is not convex: an L of thickness 0.2 (z from -0.1 to
// 0.1) whose arms of width 0.2 reach 1 along x and y from the origin.
func elbow() *mesh.Mesh {
	outline := []geom.Vec{{}, {X: 1}, {X: 1, Y: 0.2}, {X: 0.2, Y: 0.2}, {X: 0.2, Y: 1}, {Y: 1}}
	m := &mesh.Mesh{}
	for _, z := range []float64{-0.1, 0.1} {
		for _, p := range outline {
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

func meshShape(m *mesh.Mesh) *shape.Shape {
	return &shape.Shape{Kind: shape.Mesh, Mesh: m, Source: "made in the test"}
}

func pointsShape(radius float64, points ...geom.Vec) *shape.Shape {
	return &shape.Shape{Kind: shape.Points, Radius: radius, Points: points}
}

// Chance.

// rounds is n, or many times n in the long form.
func rounds(n int) int {
	return switches.Long.Times(n, 50)
}

// dice is a source of random robots and motions; equal seeds give equal ones.
type dice struct{ ruletest.Dice }

func newDice(seed, i uint64) dice { return dice{ruletest.NewDice(seed, i)} }

// watched is n, or a quarter under the race detector, which slows twins in long numbers
// most and finds nothing in what one goroutine does.
func watched(n int) int {
	if race.Enabled {
		return (n + 3) / 4
	}
	return n
}
