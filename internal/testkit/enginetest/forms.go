package enginetest

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/meshes"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Slider is a robot of one joint, "slide", that moves one link with one shape.
func Slider(kind urdf.JointType, axis geom.Vec, at geom.Pose, s *shape.Shape) *urdf.Robot {
	return &urdf.Robot{
		Name:  "slider",
		Links: []urdf.Link{{Name: "base", ParentJoint: -1}, {Name: "tool", ParentJoint: 0, Collisions: []urdf.Collision{{PoseLS: at, Shape: s}}}},
		Joints: []urdf.Joint{{
			Name: "slide", Type: kind, Parent: 0, Child: 1, PosePC: geom.IdentityPose(), Axis: axis,
			Limit: urdf.Limit{Bounded: true, Lower: -10, Upper: 10},
		}},
	}
}

// Slide is a motion of a Slider, of one second, with the given control points.
func Slide(ctrl ...float64) *motion.Motion {
	return &motion.Motion{Joints: []string{"slide"}, Pieces: []motion.Piece{{End: 1, Ctrl: [][]float64{ctrl}}}}
}

// WorldOf is a world of one object.
func WorldOf(s *shape.Shape, at geom.Pose) *scene.Snapshot {
	return &scene.Snapshot{Objects: []scene.Object{{ID: "obstacle", Shape: s, PoseWS: at}}}
}

// vary calls f with a worker for each of the engine's options that Vary makes of some
// cases.
func (s *Suite) vary(t testing.TB, c *Case, f func(w engine.Worker)) {
	t.Helper()
	n := 1
	if s.Vary != nil {
		n = 8
	}
	for i := range n {
		f(s.worker(t, c, i))
	}
}

// form is a motion whose first contact a formula gives.
type form struct {
	name  string
	robot *urdf.Robot
	world *scene.Snapshot
	m     *motion.Motion
	q     motion.Query
	pad   float64
	want  float64 // time of contact in s, negative for a free motion
	tol   float64 // 0 means 3e-6 s
	piece int     // of the contact
}

func forms() []form {
	x, z := geom.Vec{X: 1}, geom.Vec{Z: 1}
	along, _ := geom.Unit(geom.Vec{X: 1, Y: 1, Z: 1})
	wall := WorldOf(robots.Box(1, 4, 4), robots.At(2, 0, 0))
	ball := Slider(urdf.Prismatic, x, robots.At(0, 0, 0), robots.Ball(0.1))
	shelf := WorldOf(robots.Box(4, 1, 4), robots.At(0, 1, 0))
	cells := &shape.Shape{Kind: shape.Cells, Cells: []geom.Box{{Min: geom.Vec{X: 1}, Max: geom.Vec{X: 2, Y: 1, Z: 1}}}}
	points := &shape.Shape{Kind: shape.Points, Radius: 0.2, Points: []geom.Vec{{X: 1}, {X: 5}}}
	arm := func(r float64) *urdf.Robot { return Slider(urdf.Revolute, z, robots.At(1, 0, 0), robots.Ball(r)) }
	pin := WorldOf(robots.Ball(0.05), robots.At(math.Cos(1.2), math.Sin(1.2), 0))
	meet := func(reach float64) float64 { return (1.2 - 2*math.Asin(reach/2)) / 2 } // at 2 rad/s, by the chord
	pieces := &motion.Motion{Joints: []string{"slide"}, Pieces: []motion.Piece{{End: 0.5, Ctrl: [][]float64{{-2, -1}}}, {Start: 0.5, End: 2, Ctrl: [][]float64{{-1, 1}}}}}
	fs := []form{
		{name: "ball against a wall", robot: ball, world: wall, m: Slide(0, 3), want: 1.4 / 3},
		{name: "with clearance", robot: ball, world: wall, m: Slide(0, 3), q: motion.Query{Clearance: 0.05}, want: 1.35 / 3},
		{name: "padded", robot: ball, world: wall, m: Slide(0, 3), pad: 0.02, want: 1.38 / 3},
		{name: "from far away", robot: ball, world: WorldOf(robots.Box(1, 4, 4), robots.At(2, 0, 0)), m: Slide(-7, 3), want: 8.4 / 10},
		{name: "point on an arm against a plane", robot: arm(1e-9), world: shelf, m: Slide(0, 3), want: math.Asin(0.5) / 3},
		{name: "bar that turns about its middle", robot: Slider(urdf.Revolute, z, robots.At(0, 0, 0), robots.Box(2, 0.1, 0.1)), world: shelf, m: Slide(0, 3), want: (math.Asin(0.5/math.Hypot(1, 0.05)) - math.Atan(0.05)) / 3},
		{name: "a cell", robot: ball, world: WorldOf(cells, robots.At(0, -0.5, -0.5)), m: Slide(0, 3), want: 0.3},
		{name: "two points", robot: ball, world: WorldOf(points, robots.At(0, 0, 0)), m: Slide(0, 3), want: 0.7 / 3},
		{name: "a mesh", robot: Slider(urdf.Prismatic, x, robots.At(0, 0, 0), robots.Mesh(meshes.Elbow(0.5))), world: WorldOf(robots.Mesh(meshes.Elbow(1)), robots.At(2, -0.5, 0)), m: Slide(0, 3), want: 0.5},
		{name: "grazing by less than nothing", robot: ball, world: WorldOf(robots.Ball(0.1), robots.At(1, 0.2-1e-9, 0)), m: Slide(0, 3), want: 1. / 3, tol: 1e-3},
		{name: "slow first, fast at last", robot: Slider(urdf.Prismatic, along, robots.At(0, 0, 0), robots.Ball(0.1)), world: WorldOf(robots.Ball(0.1), geom.Translation(r3.Scale(1.6, along))), m: Slide(0, 0, 0, 0, 0, 3), want: math.Pow(1.4/3, 0.2)},
		{name: "two balls on a circle", robot: arm(0.1), world: pin, m: Slide(0, 2), want: meet(0.15)},
		{name: "two balls on a circle, with clearance", robot: arm(0.1), world: pin, m: Slide(0, 2), q: motion.Query{Clearance: 0.03}, want: meet(0.18)},
		{name: "in the second piece", robot: arm(0.1), world: WorldOf(robots.Ball(0.1), robots.At(1, 0, 0)), m: pieces, want: 0.5 + 1.5*(1-2*math.Asin(0.1))/2, piece: 1},
		{name: "in the second piece, with clearance", robot: arm(0.1), world: WorldOf(robots.Ball(0.1), robots.At(1, 0, 0)), m: pieces, q: motion.Query{Clearance: 0.05}, want: 0.5 + 1.5*(1-2*math.Asin(0.125))/2, piece: 1},
		{name: "nothing to hit", robot: ball, world: nil, m: Slide(0, 3), want: -1},
		{name: "the world is not asked about", robot: ball, world: wall, m: Slide(0, 3), q: motion.Query{NoWorld: true}, want: -1},
		{name: "the robot itself is not asked about", robot: ball, world: wall, m: Slide(0, 3), q: motion.Query{NoSelf: true}, want: 1.4 / 3},
	}
	return append(append(fs, aboutAPoint()), several()...)
}

// aboutAPoint is a root link that turns about a point far from it.
func aboutAPoint() form {
	robot := Slider(urdf.Revolute, geom.Vec{Z: 1}, robots.At(1, 0, 0), robots.Ball(0.01))
	robot.Links[0].Collisions, robot.Links[1].Collisions = robot.Links[1].Collisions, nil
	robot.Links[0].Collisions[0].PoseLS = geom.IdentityPose()
	m := Slide(0, 0)
	m.Root = []motion.RootPiece{{Start: robots.At(1, 0, 0), Turn: geom.Vec{Z: 2}}}
	return form{name: "a root link about a point", robot: robot, world: WorldOf(robots.Ball(0.01), robots.At(math.Cos(1), math.Sin(1), 0)), m: m, want: (1 - 2*math.Asin(0.01)) / 2}
}

// several are robots of one tree: two sliders, two arms.
func several() []form {
	slider := Slider(urdf.Prismatic, geom.Vec{X: 1}, robots.At(0, 0, 0), robots.Mesh(meshes.Elbow(0.5)))
	two, err := urdf.Join("cell", []urdf.Part{{Name: "a", Robot: slider, PoseW: geom.IdentityPose()}, {Name: "b", Robot: slider, PoseW: robots.At(2, 0, 0)}})
	if err != nil {
		panic(err)
	}
	sliding := func(a, b float64) *motion.Motion {
		return &motion.Motion{Joints: []string{"a/slide", "b/slide"}, Pieces: []motion.Piece{{End: 1, Ctrl: [][]float64{{0, a}, {0, b}}}}}
	}
	arms := Slider(urdf.Revolute, geom.Vec{Z: 1}, robots.At(1, 0, 0), robots.Ball(0.05))
	arms.Links = append(arms.Links, urdf.Link{Name: "other", ParentJoint: 1, Collisions: arms.Links[1].Collisions})
	arms.Joints = append(arms.Joints, urdf.Joint{
		Name: "back", Type: urdf.Revolute, Parent: 0, Child: 2, PosePC: geom.Pose{R: geom.RPY(0, 0, math.Pi), P: geom.Vec{X: 1.5}},
		Axis: geom.Vec{Z: 1}, Limit: urdf.Limit{Bounded: true, Lower: -10, Upper: 10},
	})
	swinging := func(a, b float64) *motion.Motion {
		return &motion.Motion{Joints: []string{"slide", "back"}, Pieces: []motion.Piece{{End: 1, Ctrl: [][]float64{{1.5, a}, {-1.5, b}}}}}
	}
	// Both tips are on the line between the arms, 1.5 - 2 cos a apart, where the angle a
	// is 1.5 (1 - t).
	return []form{
		{name: "two robots towards each other", robot: two, m: sliding(1, -1), want: 0.75},
		{name: "one robot behind the other", robot: two, m: sliding(2, 2), want: -1},
		{name: "two robots, without their pairs", robot: two, m: sliding(1, -1), q: motion.Query{NoSelf: true}, want: -1},
		{name: "two arms towards each other", robot: arms, m: swinging(0, 0), want: 1 - math.Acos(0.7)/1.5},
		{name: "two arms, one after the other", robot: arms, m: swinging(0, -1.5), want: -1},
	}
}

// ClosedForms holds times of contact against those that a formula gives.
func ClosedForms(t testing.TB, s *Suite) {
	for _, f := range forms() {
		c := New(t, f.robot, f.world, f.pad, f.m)
		s.vary(t, c, func(w engine.Worker) {
			f.hold(t, w, c, motion.FirstContact)
			f.hold(t, w, c, motion.IsFree)
		})
	}
}

func (f *form) hold(t testing.TB, w engine.Worker, c *Case, asked motion.Question) {
	t.Helper()
	q := f.q
	q.Question = asked
	v := ask(w, c, q)
	tol := f.tol
	if tol == 0 {
		tol = 3e-6
	}
	switch {
	case f.want < 0:
		if v.Status != motion.Free || v.ProvenUntil != f.m.Duration() {
			t.Errorf("%s: %v until %g (%s), want free", f.name, v.Status, v.ProvenUntil, v.Reason)
		}
		return
	case v.Status != motion.Contact || v.TOC.Lo > f.want+1e-9 || v.Contact.Time < f.want-tol:
		t.Errorf("%s, question %d: %v in %v (%s), want contact at %.9f", f.name, asked, v.Status, v.TOC, v.Reason, f.want)
	case asked == motion.FirstContact && (v.TOC.Hi > f.want+tol || v.TOC.Hi-v.TOC.Lo > motion.DefaultTimeTolerance || v.Piece != f.piece):
		t.Errorf("%s: contact in %v of piece %d, want %.9f of piece %d", f.name, v.TOC, v.Piece, f.want, f.piece)
	}
	for _, wrong := range c.judgeWitness(&q, &v.Contact) {
		t.Errorf("%s, question %d: %s", f.name, asked, wrong)
	}
}

// NearMisses: what passes by is free, by however little more than the tolerance. The
// ball slides along a diagonal, so that no box along the axes parts it from the other.
func NearMisses(t testing.TB, s *Suite) {
	along, _ := geom.Unit(geom.Vec{X: 1, Y: 1, Z: 1})
	aside, _ := geom.Unit(geom.Vec{X: 1, Y: -1})
	for _, miss := range []float64{1e-2, 1e-3, 1e-4, 1e-5} {
		other := r3.Add(along, r3.Scale(0.2+miss, aside))
		c := New(t, Slider(urdf.Prismatic, along, robots.At(0, 0, 0), robots.Ball(0.1)), WorldOf(robots.Ball(0.1), geom.Translation(other)), 0, Slide(0, 3))
		s.vary(t, c, func(w engine.Worker) {
			for _, asked := range []motion.Question{motion.FirstContact, motion.IsFree} {
				if v := ask(w, c, motion.Query{Question: asked}); v.Status != motion.Free || v.ProvenUntil != 1 {
					t.Errorf("a miss by %g: %v until %g (%s)", miss, v.Status, v.ProvenUntil, v.Reason)
				}
			}
		})
	}
}

// FirstOfSeveral: a ball slides towards a wall, past pins of which it touches some
// before. The first is found wherever it is, whatever was found of the others before.
func FirstOfSeveral(t testing.TB, s *Suite) {
	const ball, pin = 0.01, 1e-3
	d := NewDice(71, 1)
	for i := range s.cases(60) {
		world, want := &scene.Snapshot{}, 1.0
		for _, name := range []string{"a", "b", "c"} {
			x := d.In(0.1, 1)
			world.Objects = append(world.Objects, scene.Object{ID: name, Shape: robots.Ball(pin), PoseWS: robots.At(x, 0, 0)})
			want = math.Min(want, x-ball-pin)
		}
		wall := d.In(0.1, 1)
		world.Objects = append(world.Objects, scene.Object{ID: "wall", Shape: robots.Box(2, 1, 1), PoseWS: robots.At(wall+1, 0, 0)})
		want = math.Min(want, wall-ball)
		f := form{name: fmt.Sprint("case ", i), m: Slide(0, 1), want: want}
		c := New(t, Slider(urdf.Prismatic, geom.Vec{X: 1}, robots.At(0, 0, 0), robots.Ball(ball)), world, 0, f.m)
		w := s.worker(t, c, i)
		f.hold(t, w, c, motion.FirstContact)
		if v := ask(w, c, motion.Query{Question: motion.IsFree}); v.Status != motion.Contact || v.TOC.Lo > want {
			t.Errorf("case %d: %v, proven until %g, contact at %g", i, v.Status, v.TOC.Lo, want)
		}
	}
}

// FromTheStart: what touches, overlaps or is inside something where the motion starts
// is a contact then; what is in a hole is not inside.
func FromTheStart(t testing.TB, s *Suite) {
	inCorner := robots.At(0.1, 0.1, 0) // in the corner of an elbow with arms 0.2 wide
	cloud := &shape.Shape{Kind: shape.Points, Radius: 1e-3, Points: []geom.Vec{{X: 9}, {}}}
	cells := &shape.Shape{Kind: shape.Cells, Cells: []geom.Box{{Max: geom.Vec{X: 0.02, Y: 0.02, Z: 0.02}}, {Min: geom.Vec{X: 9}, Max: geom.Vec{X: 9.1, Y: 0.1, Z: 0.1}}}}
	elbow, ring := robots.Mesh(meshes.Elbow(1)), robots.Mesh(meshes.Ring(1))
	for _, f := range []struct {
		name  string
		tool  *shape.Shape
		at    geom.Pose
		world *scene.Snapshot
		free  bool
	}{
		{"touching a box", robots.Ball(0.1), robots.At(0, 0, 0), WorldOf(robots.Box(1, 1, 1), robots.At(0.6, 0, 0)), false},
		{"overlapping a box", robots.Ball(0.1), robots.At(0, 0, 0), WorldOf(robots.Box(1, 1, 1), robots.At(0.55, 0, 0)), false},
		{"inside a box", robots.Ball(0.1), robots.At(0, 0, 0), WorldOf(robots.Box(1, 1, 1), robots.At(0, 0, 0)), false},
		{"around a box", robots.Box(1, 1, 1), robots.At(0, 0, 0), WorldOf(robots.Ball(0.1), robots.At(0, 0, 0)), false},
		{"ball inside a mesh", robots.Ball(0.01), inCorner, WorldOf(elbow, robots.At(0, 0, 0)), false},
		{"mesh inside a mesh", robots.Mesh(meshes.Elbow(0.05)), inCorner, WorldOf(elbow, robots.At(0, 0, 0)), false},
		{"points inside a mesh", cloud, inCorner, WorldOf(elbow, robots.At(0, 0, 0)), false},
		{"cells inside a mesh", cells, inCorner, WorldOf(elbow, robots.At(0, 0, 0)), false},
		{"mesh around a ball", elbow, inCorner, WorldOf(robots.Ball(0.01), inCorner.Mul(inCorner)), false},
		{"mesh around a mesh", elbow, inCorner, WorldOf(robots.Mesh(meshes.Elbow(0.05)), inCorner.Mul(inCorner)), false},
		{"mesh around points", elbow, inCorner, WorldOf(cloud, inCorner.Mul(inCorner)), false},
		{"mesh around cells", elbow, inCorner, WorldOf(cells, inCorner.Mul(inCorner)), false},
		{"ball in the wall of a ring", robots.Ball(0.05), robots.At(0.8, 0, 0), WorldOf(ring, robots.At(0, 0, 0)), false},
		{"mesh in the wall of a ring", robots.Mesh(meshes.Elbow(0.1)), robots.At(0.78, 0, 0), WorldOf(ring, robots.At(0, 0, 0)), false},
		{"ball in the hole of a ring", robots.Ball(0.05), robots.At(0.3, 0, 0), WorldOf(ring, robots.At(0, 0, 0)), true},
		{"mesh in the hole of a ring", robots.Mesh(meshes.Elbow(0.1)), robots.At(0.3, 0, 0), WorldOf(ring, robots.At(0, 0, 0)), true},
		{"points in the hole of a ring", cloud, robots.At(0.3, 0, 0), WorldOf(ring, robots.At(0, 0, 0)), true},
		{"cells in the hole of a ring", cells, robots.At(0.3, 0, 0), WorldOf(ring, robots.At(0, 0, 0)), true},
	} {
		c := New(t, Slider(urdf.Prismatic, geom.Vec{X: 1}, f.at, f.tool), f.world, 0, Slide(0, 0.01))
		s.vary(t, c, func(w engine.Worker) {
			for _, asked := range []motion.Question{motion.FirstContact, motion.IsFree} {
				switch v := ask(w, c, motion.Query{Question: asked}); {
				case f.free && v.Status != motion.Free:
					t.Errorf("%s: %v in %v (%s), want free", f.name, v.Status, v.TOC, v.Reason)
				case !f.free && (v.Status != motion.Contact || v.TOC.Lo != 0 || asked == motion.FirstContact && v.TOC.Hi > motion.DefaultTimeTolerance):
					t.Errorf("%s: %v in %v (%s), want contact from the start", f.name, v.Status, v.TOC, v.Reason)
				}
			}
		})
	}
}

// StandingStill: motions in which nothing moves, of all joints or of one, are as free as
// their one configuration.
func StandingStill(t testing.TB, s *Suite) {
	count := map[motion.Status]int{}
	for i := range s.cases(30) {
		c := Random(t, 8, uint64(i))
		if len(c.Model.Pairs) == 0 || len(c.Motion.Root) > 0 || len(c.Motion.Joints) == 0 {
			continue
		}
		w := s.worker(t, c, i)
		moving := c.Motion
		still := &motion.Motion{Joints: moving.Joints, Pieces: []motion.Piece{{End: 2}, {Start: 2, End: 3}}}
		for _, ctrl := range moving.Pieces[0].Ctrl {
			still.Pieces[0].Ctrl = append(still.Pieces[0].Ctrl, []float64{ctrl[0], ctrl[0]})
			still.Pieces[1].Ctrl = append(still.Pieces[1].Ctrl, []float64{ctrl[0], ctrl[0], ctrl[0], ctrl[0]})
		}
		for _, m := range []*motion.Motion{still, {Joints: still.Joints[:1], Pieces: []motion.Piece{{End: 1, Ctrl: [][]float64{{0.3, 0.3}}}}}} {
			at := c.With(t, m)
			q := s.Query
			q.Clearance = [...]float64{0, 0.02}[i%2]
			_, d := at.nearest(0, &q)
			v := ask(w, at, q)
			count[v.Status]++
			most := q.Clearance + engine.OrDefault(q.Tolerance, motion.DefaultTolerance)
			switch {
			case v.Status == motion.Free && d > q.Clearance-1e-9 && v.ProvenUntil == m.Duration():
			case v.Status == motion.Contact && d <= most+1e-9 && v.TOC.Lo == 0 && v.TOC.Hi <= engine.OrDefault(q.TimeTolerance, motion.DefaultTimeTolerance):
			default:
				t.Errorf("case %d, %d joints: %v in %v until %g (%s) at a distance of %g, clearance %g", i, len(m.Joints), v.Status, v.TOC, v.ProvenUntil, v.Reason, d, q.Clearance)
			}
		}
	}
	t.Logf("%v", count)
}

// ClearanceAtTheEdge asks for a little less and a little more than the smallest distance
// of a motion, which the default engine finds to a micrometre. An engine that finds it
// itself must find the same.
func ClearanceAtTheEdge(t testing.TB, s *Suite) {
	const edge = 3e-6
	asked := 0
	for i := range s.cases(40) {
		c := Random(t, 9, uint64(i))
		near := ask(Reference(t, c.Model), c, motion.Query{Question: motion.MinClearance, ClearanceTolerance: 1e-6})
		b := near.MinClearance.Bounds
		if near.Status != motion.Free || !near.MinClearance.Known || b.Lo < 2*edge {
			continue
		}
		asked++
		w := s.worker(t, c, i)
		q := s.Query
		q.Clearance = b.Lo - edge
		if v := ask(w, c, q); v.Status != motion.Free {
			t.Errorf("case %d: %v in %v with a clearance of %g less than there is (%s)", i, v.Status, v.TOC, edge, v.Reason)
		}
		q.Clearance = b.Hi + edge
		if v := ask(w, c, q); v.Status != motion.Contact {
			t.Errorf("case %d: %v with a clearance of %g more than %g (%s)", i, v.Status, edge, b.Hi, v.Reason)
		}
		if i%3 == 0 && s.Engine.Abilities().Clearance { // it takes long
			s.sameClearance(t, i, c, w, b)
		}
	}
	if asked < s.cases(40)/5 {
		t.Errorf("only %d motions had a clearance", asked)
	}
}

// sameClearance asks for the smallest distance, which lies within other bounds of it.
func (s *Suite) sameClearance(t testing.TB, i int, c *Case, w engine.Worker, other motion.Interval) {
	t.Helper()
	q := s.Query
	q.Question = motion.MinClearance
	v := ask(w, c, q)
	b := v.MinClearance.Bounds
	if v.Status != motion.Free || !v.MinClearance.Known || b.Lo > other.Hi || b.Hi < other.Lo || b.Hi-b.Lo > motion.DefaultClearanceTolerance*(1+1e-9) || b.Hi < b.Lo {
		t.Errorf("case %d: %v, the smallest distance is within %+v (%s), the default engine's within %v", i, v.Status, v.MinClearance, v.Reason, other)
	}
	if at := v.MinClearance.At; v.MinClearance.Known && math.Abs(at.Distance-b.Hi) > 1e-9 {
		t.Errorf("case %d: the witness of %v is %g m apart", i, b, at.Distance)
	}
}
