package enginetest

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/shape"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Dice draws random robots, worlds and motions. Equal seeds draw equal ones.
type Dice struct{ chance.Dice }

// NewDice returns the dice of case i of a seed.
func NewDice(seed, i uint64) Dice { return Dice{chance.New(seed, i)} }

func (d Dice) axis() geom.Vec {
	return [...]geom.Vec{{X: 1}, {Y: -1}, {Z: 1}, d.Unit()}[d.IntN(4)]
}

// Shape draws a shape of any kind, with meshes that are open, closed, convex and not.
func (d Dice) Shape(size float64) *shape.Shape {
	r, l := d.In(0.2, 1)*size, d.In(0.5, 3)*size
	switch d.IntN(12) {
	case 0:
		return Ball(r)
	case 1:
		return Box(r, l, d.In(0.1, 1)*size)
	case 2:
		return &shape.Shape{Kind: shape.Cylinder, Radius: r, Length: l}
	case 3:
		return &shape.Shape{Kind: shape.Capsule, Radius: r, Length: l}
	case 4:
		return &shape.Shape{Kind: shape.Cone, Radius: r, Length: l}
	case 5:
		return MeshOf(Elbow(l))
	case 6:
		return MeshOf(Ring(l))
	case 7:
		return MeshOf(d.Soup(4, size))
	case 8:
		return MeshOf(Elbow(size), d.Soup(4, size))
	case 9:
		return MeshOf(Cube(size), Cube(size/3)) // a shell with a cavity
	case 10:
		return d.cells(size)
	}
	s := &shape.Shape{Kind: shape.Points, Radius: 0.1 * r}
	for range 1 + d.IntN(6) {
		s.Points = append(s.Points, d.Vec(l))
	}
	return s
}

func (d Dice) cells(size float64) *shape.Shape {
	s := &shape.Shape{Kind: shape.Cells}
	for range 1 + d.IntN(6) {
		side := 0.5 * size * float64(1+d.IntN(2))
		at := geom.Vec{X: side * float64(d.IntN(6)-3), Y: side * float64(d.IntN(6)-3), Z: side * float64(d.IntN(6)-3)}
		s.Cells = append(s.Cells, geom.Box{Min: at, Max: r3.Add(at, geom.Vec{X: side, Y: side, Z: side})})
	}
	return s
}

// Robot draws a tree of up to five joints of every type, some of which follow others.
func (d Dice) Robot() *urdf.Robot {
	r := &urdf.Robot{Name: "random", Links: []urdf.Link{{Name: "base", ParentJoint: -1}}}
	if d.IntN(2) == 0 {
		r.Links[0].Collisions = d.parts()
	}
	for i := range 1 + d.IntN(5) {
		r.Joints = append(r.Joints, d.joint(r, i))
		r.Links = append(r.Links, urdf.Link{Name: fmt.Sprint("link", i), ParentJoint: i, Collisions: d.parts()})
	}
	return r
}

func (d Dice) joint(r *urdf.Robot, i int) urdf.Joint {
	parent := len(r.Links) - 1
	if d.IntN(3) == 0 { // another arm
		parent = d.IntN(len(r.Links))
	}
	kinds := [...]urdf.JointType{urdf.Revolute, urdf.Revolute, urdf.Continuous, urdf.Prismatic, urdf.Planar, urdf.Fixed}
	j := urdf.Joint{
		Name: fmt.Sprint("joint", i), Type: kinds[d.IntN(min(len(kinds), 5+i))], Parent: parent, Child: i + 1,
		PosePC: d.Pose(0.4), Axis: d.axis(), Limit: urdf.Limit{Bounded: true, Lower: -10, Upper: 10},
	}
	switch j.Type {
	case urdf.Continuous:
		j.Limit = urdf.Limit{}
	case urdf.Planar:
		j.Axis, j.Limit = geom.Vec{Z: 1}, urdf.Limit{}
	}
	if i > 0 && d.IntN(4) == 0 && hasOneVariable(j.Type) && hasOneVariable(r.Joints[i-1].Type) && r.Joints[i-1].Mimic == nil {
		j.Mimic = &urdf.Mimic{Joint: i - 1, Multiplier: d.In(-2, 2), Offset: d.In(-1, 1)}
	}
	return j
}

func hasOneVariable(t urdf.JointType) bool {
	return t == urdf.Revolute || t == urdf.Continuous || t == urdf.Prismatic
}

func (d Dice) parts() (parts []urdf.Collision) {
	for range 1 + d.IntN(2) {
		parts = append(parts, urdf.Collision{PoseLS: d.Pose(0.15), Shape: d.Shape(0.12)})
	}
	return parts
}

// World draws objects, padded or not; one may be attached to the robot's last link.
func (d Dice) World(robot *urdf.Robot) *scene.Snapshot {
	w := &scene.Snapshot{}
	for i := range 1 + d.IntN(6) {
		o := scene.Object{ID: fmt.Sprint("object", i), Shape: d.Shape(0.2), PoseWS: d.Pose(0.9)}
		if d.IntN(5) == 0 {
			o.Padding = d.In(0, 0.05)
		}
		w.Objects = append(w.Objects, o)
	}
	if d.IntN(3) == 0 {
		w.Objects = append(w.Objects, scene.Object{
			ID: "held", Shape: d.Shape(0.1), PoseWS: d.Pose(0.2), AttachedTo: robot.Links[len(robot.Links)-1].Name,
		})
	}
	return w
}

// Variables lists what a motion of the robot may name.
func Variables(robot *urdf.Robot) (names []string) {
	for i := range robot.Joints {
		switch j := &robot.Joints[i]; {
		case j.Mimic != nil || j.Type == urdf.Fixed:
		case j.Type == urdf.Planar:
			names = append(names, j.Name+"/x", j.Name+"/y", j.Name+"/theta")
		default:
			names = append(names, j.Name)
		}
	}
	return names
}

// Motion draws a motion of the robot: one to three pieces that begin at any time, of any
// degree, which meet at their knots. It may leave out joints, move the root link if
// rooted, and go around continuous joints more than once.
func (d Dice) Motion(robot *urdf.Robot, rooted bool) *motion.Motion {
	m := &motion.Motion{Joints: Variables(robot), KeepTurns: d.IntN(2) == 0}
	if len(m.Joints) > 1 && d.IntN(4) == 0 {
		m.Joints = m.Joints[:len(m.Joints)-1]
	}
	at := make([]float64, len(m.Joints))
	for j := range at {
		at[j] = d.In(-1, 1)
	}
	size := [...]float64{0.05, 0.5, 2}[d.IntN(3)]
	start := d.In(0, 1) * float64(d.IntN(2))
	for range 1 + d.IntN(3) {
		p := motion.Piece{Start: start, End: start + d.Spread(0.1, 10)}
		degree := [...]int{1, 1, 1, 2, 3, 5}[d.IntN(6)]
		for j := range at {
			ctrl := []float64{at[j]}
			for range degree {
				ctrl = append(ctrl, at[j]+d.In(-size, size))
			}
			if degree == 1 && !m.KeepTurns && d.IntN(3) == 0 && isContinuous(robot, m.Joints[j]) {
				ctrl[1] += 2 * math.Pi * float64(d.IntN(41)-20) // the same pose, the short way
			}
			at[j] = ctrl[degree]
			p.Ctrl = append(p.Ctrl, ctrl)
		}
		m.Pieces = append(m.Pieces, p)
		start = p.End
	}
	if rooted {
		d.moveRoot(m)
	}
	return m
}

// moveRoot lets the root link move, straight from pose to pose or about a point.
func (d Dice) moveRoot(m *motion.Motion) {
	if len(m.Pieces) == 1 && d.IntN(2) == 0 {
		slow := 1 / (m.Pieces[0].End - m.Pieces[0].Start)
		m.Root = []motion.RootPiece{{Start: d.Pose(0.3), Point: d.Vec(0.3), Velocity: d.Vec(0.5 * slow), Turn: d.Vec(slow)}}
		return
	}
	times, poses := []float64{m.Pieces[0].Start}, []geom.Pose{{R: geom.AxisAngle(d.Unit(), d.In(-2, 2)), P: d.Vec(0.3)}}
	for i := range m.Pieces {
		last := poses[i]
		times = append(times, m.Pieces[i].End)
		poses = append(poses, geom.Pose{R: geom.AxisAngle(d.Unit(), d.In(-1, 1)).Mul(last.R), P: r3.Add(last.P, d.Vec(0.3))})
	}
	m.Root, _ = motion.RootThrough(times, poses)
}

func isContinuous(robot *urdf.Robot, variable string) bool {
	for i := range robot.Joints {
		if robot.Joints[i].Name == variable {
			return robot.Joints[i].Type == urdf.Continuous
		}
	}
	return false
}
