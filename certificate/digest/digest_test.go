package digest

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

func triangle() *mesh.Mesh {
	return &mesh.Mesh{Vertices: []geom.Vec{{}, {X: 1}, {Y: 1}}, Triangles: [][3]int32{{0, 1, 2}}}
}

func robot() *urdf.Robot {
	id := geom.IdentityPose()
	return &urdf.Robot{
		Name: "r",
		Links: []urdf.Link{
			{Name: "a", ParentJoint: -1, Collisions: []urdf.Collision{{PoseLS: id, Shape: &shape.Shape{Kind: shape.Mesh, Mesh: triangle()}}}},
			{Name: "b", Collisions: []urdf.Collision{{PoseLS: id, Shape: &shape.Shape{Kind: shape.Cylinder, Radius: 1, Length: 2}}}},
			{Name: "c", ParentJoint: 1},
		},
		Joints: []urdf.Joint{
			{Name: "j", Type: urdf.Revolute, Child: 1, PosePC: id, Axis: geom.Vec{Z: 1}},
			{Name: "k", Type: urdf.Revolute, Parent: 1, Child: 2, PosePC: id, Axis: geom.Vec{Z: 1}, Mimic: &urdf.Mimic{Multiplier: 2}},
		},
	}
}

func world() *scene.Snapshot {
	return &scene.Snapshot{
		Frame: "f",
		Objects: []scene.Object{
			{ID: "o", PoseWS: geom.IdentityPose(), Shape: &shape.Shape{Kind: shape.Points, Radius: 1, Points: []geom.Vec{{X: 1}}}},
			{ID: "p", PoseWS: geom.IdentityPose(), Shape: &shape.Shape{Kind: shape.Cells, Cells: []geom.Box{{Max: geom.Vec{X: 1}}}}, AttachedTo: "a", TouchLinks: []string{"b"}},
		},
		Allowed: [][2]string{{"x", "y"}}, LinkPadding: map[string]float64{"a": 1, "b": 2},
	}
}

func course() *motion.Motion {
	return &motion.Motion{Joints: []string{"j"}, Pieces: []motion.Piece{{Start: 0, End: 1, Ctrl: [][]float64{{0, 1}}}}, Root: []motion.RootPiece{{Start: geom.IdentityPose()}}}
}

// A sum is that of the bytes that the package describes, however long names and motions are.
func TestMotionSumIsOfTheDescribedBytes(t *testing.T) {
	for _, joints := range []int{1, 3, 900} {
		m := &motion.Motion{KeepTurns: joints == 3}
		p := motion.Piece{Start: 0.5, End: 2}
		for k := range joints {
			m.Joints = append(m.Joints, strings.Repeat("joint", 1+k%7*500))
			p.Ctrl = append(p.Ctrl, []float64{float64(k), math.Copysign(0, -1), -2})
		}
		m.Pieces = []motion.Piece{p, p}

		var want []byte
		word := func(x uint64) { want = binary.LittleEndian.AppendUint64(want, x) }
		text := func(s string) {
			word(uint64(len(s)))
			want = append(want, s...)
		}
		text("firstcontact digest 1: motion")
		word(uint64(joints))
		for _, name := range m.Joints {
			text(name)
		}
		if m.KeepTurns {
			text("keeps turns")
		}
		word(2)
		for range 2 {
			word(math.Float64bits(0.5))
			word(math.Float64bits(2))
			for k := range joints {
				word(3)
				word(math.Float64bits(float64(k)))
				word(0) // -0 is 0
				word(math.Float64bits(-2))
			}
		}
		word(0)
		for range 2 { // an encoder that is used again begins anew
			if Motion(m) != sha256.Sum256(want) {
				t.Errorf("%d joints: another sum than that of the bytes", joints)
			}
		}
	}
}

// Everything that a proof depends on changes the sum, and nothing else does.
func TestSumsChangeWithContent(t *testing.T) {
	seen := map[[32]byte]string{}
	note := func(what string, sum [32]byte) {
		t.Helper()
		if other, twice := seen[sum]; twice {
			t.Errorf("%s has the sum of %s", what, other)
		}
		seen[sum] = what
	}
	same := func(what string, a, b [32]byte) {
		t.Helper()
		if a != b {
			t.Errorf("%s changes the sum", what)
		}
	}
	note("the robot", Robot(robot()))
	for what, change := range map[string]func(r *urdf.Robot){
		"a link's name":    func(r *urdf.Robot) { r.Links[1].Name = "x" },
		"a vertex":         func(r *urdf.Robot) { r.Links[0].Collisions[0].Shape.Mesh.Vertices[2].Z = 1e-9 },
		"a triangle":       func(r *urdf.Robot) { r.Links[0].Collisions[0].Shape.Mesh.Triangles[0] = [3]int32{0, 2, 1} },
		"a shape's pose":   func(r *urdf.Robot) { r.Links[0].Collisions[0].PoseLS.P.X = 1 },
		"a shape's turn":   func(r *urdf.Robot) { r.Links[0].Collisions[0].PoseLS.R.YX = 1e-17 },
		"a radius":         func(r *urdf.Robot) { r.Links[1].Collisions[0].Shape.Radius = 3 },
		"a length":         func(r *urdf.Robot) { r.Links[1].Collisions[0].Shape.Length = 3 },
		"a kind":           func(r *urdf.Robot) { r.Links[1].Collisions[0].Shape.Kind = shape.Cone },
		"no shape":         func(r *urdf.Robot) { r.Links[1].Collisions = nil },
		"a joint's name":   func(r *urdf.Robot) { r.Joints[0].Name = "x" },
		"a joint's type":   func(r *urdf.Robot) { r.Joints[0].Type = urdf.Prismatic },
		"a joint's pose":   func(r *urdf.Robot) { r.Joints[0].PosePC.P.Y = 2 },
		"an axis":          func(r *urdf.Robot) { r.Joints[0].Axis = geom.Vec{Z: -1} },
		"a multiplier":     func(r *urdf.Robot) { r.Joints[1].Mimic.Multiplier = 3 },
		"an offset":        func(r *urdf.Robot) { r.Joints[1].Mimic.Offset = 3 },
		"no mimicking":     func(r *urdf.Robot) { r.Joints[1].Mimic = nil },
		"a joint's parent": func(r *urdf.Robot) { r.Joints[1].Parent = 0 },
	} {
		r := robot()
		change(r)
		note(what, Robot(r))
	}
	note("the scene", Scene(world()))
	note("no scene", Scene(nil))
	same("an empty scene", Scene(nil), Scene(&scene.Snapshot{}))
	for what, change := range map[string]func(s *scene.Snapshot){
		"the frame":       func(s *scene.Snapshot) { s.Frame = "g" },
		"an id":           func(s *scene.Snapshot) { s.Objects[0].ID = "q" },
		"a point":         func(s *scene.Snapshot) { s.Objects[0].Shape.Points[0].Y = 1 },
		"a cell":          func(s *scene.Snapshot) { s.Objects[1].Shape.Cells[0].Max.Y = 1 },
		"an object's pad": func(s *scene.Snapshot) { s.Objects[0].Padding = 1 },
		"a pose":          func(s *scene.Snapshot) { s.Objects[0].PoseWS.P.X = 1 },
		"a link":          func(s *scene.Snapshot) { s.Objects[1].AttachedTo = "b" },
		"a touch link":    func(s *scene.Snapshot) { s.Objects[1].TouchLinks = nil },
		"an object less":  func(s *scene.Snapshot) { s.Objects = s.Objects[:1] },
		"an allowed pair": func(s *scene.Snapshot) { s.Allowed = nil },
		"a link's pad":    func(s *scene.Snapshot) { s.LinkPadding["a"] = 3 },
	} {
		s := world()
		change(s)
		note("scene: "+what, Scene(s))
	}
	s := world()
	s.Version, s.Warnings = 7, []string{"w"}
	same("a version", Scene(world()), Scene(s))

	note("the motion", Motion(course()))
	for what, change := range map[string]func(m *motion.Motion){
		"a joint":         func(m *motion.Motion) { m.Joints[0] = "k" },
		"a start":         func(m *motion.Motion) { m.Pieces[0].Start = 0.5 },
		"an end":          func(m *motion.Motion) { m.Pieces[0].End = 2 },
		"a control point": func(m *motion.Motion) { m.Pieces[0].Ctrl[0][1] = 2 },
		"a degree":        func(m *motion.Motion) { m.Pieces[0].Ctrl[0] = []float64{0, 0.5, 1} },
		"turns":           func(m *motion.Motion) { m.KeepTurns = true },
		"the root":        func(m *motion.Motion) { m.Root = nil },
		"its start":       func(m *motion.Motion) { m.Root[0].Start.P.X = 1 },
		"its point":       func(m *motion.Motion) { m.Root[0].Point.X = 1 },
		"its velocity":    func(m *motion.Motion) { m.Root[0].Velocity.X = 1 },
		"its turn":        func(m *motion.Motion) { m.Root[0].Turn.X = 1 },
	} {
		m := course()
		change(m)
		note("motion: "+what, Motion(m))
	}
	m := course()
	m.ID = "x"
	same("a motion's name", Motion(course()), Motion(m))
	same("the order of reading", Robot(robot()), Robot(robot()))
}
