package articulate

import (
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/enginetest"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/meshes"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// chance makes random robots, worlds and motions; equal seeds make equal ones.
type chance struct{ enginetest.Dice }

func newChance(seed, i uint64) chance { return chance{enginetest.NewDice(seed, i)} }

// shape is one of every kind that a model knows, of few pieces: judges here measure all
// pieces against all.
func (d chance) shape(size float64) *shape.Shape {
	return d.Shape(size, robots.Sphere, robots.Block, robots.Cylinder, robots.Capsule, robots.Cone, robots.Shards, robots.Cell, robots.Cloud)
}

// soup is a mesh of n triangles that have nothing to do with each other, longer than wide.
func (d chance) soup(n int, size float64) *mesh.Mesh {
	return meshes.Shards(d.Dice.Dice.Dice, n, geom.Vec{X: size, Y: 0.3 * size, Z: 0.2 * size})
}

// robot is one of n joints of all kinds that move, some mimicking others, some branching.
func (d chance) robot(n int) *urdf.Robot {
	parts := func() (parts []urdf.Collision) {
		for range 1 + d.IntN(2) {
			parts = append(parts, urdf.Collision{PoseLS: d.Pose(0.1), Shape: d.shape(0.15)})
		}
		return parts
	}
	return d.Dice.Dice.Robot(robots.Plan{
		Joints: n,
		Kinds:  []urdf.JointType{urdf.Revolute, urdf.Revolute, urdf.Continuous, urdf.Prismatic, urdf.Fixed},
		Branch: 5, Odd: 12, Parts: parts, Base: parts,
	})
}

// motion is one of a piece that moves every variable, to any degree, by up to turn; the
// root too where the robot's tree lets it.
func (d chance) motion(tree *kin.Tree, turn float64, moves bool) *motion.Motion {
	var names []string
	for _, dof := range tree.Dofs {
		if dof.Name != "" {
			names = append(names, dof.Name)
		}
	}
	degrees := make([]int, kin.MaxDegree)
	for i := range degrees {
		degrees[i] = 1 + i
	}
	m := d.MotionOf(names, robots.Travel{Pieces: 1, Mixed: true, Degrees: degrees, Sizes: []float64{turn}})
	m.Pieces[0].Start, m.Pieces[0].End = 1, 3
	if moves {
		m.Root = []motion.RootPiece{{Start: d.Pose(1), Point: d.Vec(1), Velocity: d.Vec(0.5 * turn), Turn: d.Vec(turn)}}
	}
	return m
}

// stage is a robot in a world with one motion.
type stage struct {
	model  *model.Model
	course *kin.Course
	mover  *Mover
	state  *kin.State
	curves []kin.Curve
	buf    []float64
	around []kin.Around
}

func newStage(t testing.TB, robot *urdf.Robot, world *scene.Snapshot, padding float64, moves bool, motionOf func(*kin.Tree) *motion.Motion) *stage {
	t.Helper()
	build := model.New
	if moves {
		build = model.NewRooted
	}
	m, err := build(robot, world, func(string) float64 { return padding }, &model.Library{})
	if err != nil {
		t.Fatal(err)
	}
	m.PairUp(func(_, _ *model.Body) string { return "" })
	mo := motionOf(m.Tree)
	if err := mo.Validate(); err != nil {
		t.Fatal(err)
	}
	c, err := kin.Bind(m.Tree, mo, make([]float64, len(m.Tree.Dofs)))
	if err != nil {
		t.Fatal(err)
	}
	n := len(m.Tree.Dofs)
	s := &stage{
		model: m, course: c, mover: NewMover(m.Tree), state: kin.NewState(m.Tree),
		curves: make([]kin.Curve, n), buf: make([]float64, n*kin.CurveSize(kin.MaxDegree+1)), around: make([]kin.Around, n),
	}
	s.mover.Load(c, 0)
	c.Load(0, s.curves, s.buf)
	s.state.Root = c.Root(0)
	for d := range s.curves {
		s.around[d] = s.curves[d].Around(0.5, 0, 1)
	}
	s.state.Bound(s.around)
	return s
}

// randomStage is one that chance makes; turn is how far its joints go.
func randomStage(t testing.TB, d chance, joints int, turn float64) *stage {
	moves := d.IntN(3) == 0
	padding := [...]float64{0, 0.02}[d.IntN(2)]
	return newStage(t, d.robot(joints), nil, padding, moves, func(tree *kin.Tree) *motion.Motion {
		return d.motion(tree, turn, moves)
	})
}

// at places the robot at s in [0, 1], by package kin.
func (s *stage) at(x float64) {
	for d := range s.curves {
		s.around[d] = s.curves[d].Around(x, x, x)
	}
	s.state.Place(s.around)
	for k := range s.model.Tree.Frames {
		s.state.Ensure(k)
	}
}

// err is how far the point p of a frame may be off where kin places it.
func (s *stage) err(frame int, p geom.Vec) float64 {
	return s.state.ErrP[frame] + s.state.ErrR[frame]*geom.Norm(p)
}

// sample is a random point of an element's shape, padding included, in its frame F.
func (d chance) sample(e *model.Element) geom.Vec {
	points, radius := trueCorners(e)
	var p geom.Vec
	sum := 0.0
	for range 4 { // four corners, as many as a hull's point needs
		w := d.In(0, 1)
		q := points[d.IntN(len(points))]
		p, sum = geom.Vec{X: p.X + w*q.X, Y: p.Y + w*q.Y, Z: p.Z + w*q.Z}, sum+w
	}
	if sum < 0.1 || d.IntN(3) == 0 { // often a corner itself
		p, sum = points[d.IntN(len(points))], 1
	}
	n := d.Unit()
	return e.PoseFE.Apply(geom.Vec{X: p.X/sum + radius*n.X, Y: p.Y/sum + radius*n.Y, Z: p.Z/sum + radius*n.Z})
}

// trueCorners are points of the shape itself, whose hull with the radius is in its hull:
// what corners gives but for round rims, which are not those of polygons around them.
func trueCorners(e *model.Element) ([]geom.Vec, float64) {
	c := &e.Core
	var rim []geom.Vec
	for i := range 64 {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / 64)
		rim = append(rim, geom.Vec{X: c.CoreRadius * cos, Y: c.CoreRadius * sin, Z: -c.HalfLength})
	}
	if e.Leaves == nil && c.HalfLength > 0 {
		if points := coreCorners(c); len(points) == rimCorners+1 {
			return append(rim, geom.Vec{Z: c.HalfLength}), c.Radius
		}
		for _, p := range rim[:64] {
			rim = append(rim, geom.Vec{X: p.X, Y: p.Y, Z: c.HalfLength})
		}
		return rim, c.Radius
	}
	return corners(e)
}

// motionOf makes one piece of one second of the joints' control points.
func motionOf(joints []string, ctrl ...[]float64) func(*kin.Tree) *motion.Motion {
	return func(*kin.Tree) *motion.Motion {
		return &motion.Motion{Joints: joints, Pieces: []motion.Piece{{Start: 0, End: 1, Ctrl: ctrl}}, KeepTurns: true}
	}
}
