package spacetime

import (
	"context"
	"math"
	"testing"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/meshes"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// What a verdict claims beyond the rules: the order of time, that every part of
// every body is looked at, and that nothing is carried over from one question to
// the next. Each test fails when one condition is dropped.

// line is a rig of one ball that slides along x through the given waypoints, one
// second each, in a world.
func line(t *testing.T, radius float64, world *scene.Snapshot, waypoints ...float64) *rig {
	t.Helper()
	return newRig(t, robots.Of(nil, slide(robots.At(0, 0, 0), ex, radius)), world, 0, through(waypoints...))
}

// through moves joint 0 through waypoints, one second each.
func through(waypoints ...float64) *motion.Motion {
	m := &motion.Motion{Joints: []string{robots.JointName(0)}, KeepTurns: true}
	for i := 1; i < len(waypoints); i++ {
		m.Pieces = append(m.Pieces, motion.Piece{Start: float64(i - 1), End: float64(i), Ctrl: [][]float64{{waypoints[i-1], waypoints[i]}}})
	}
	return m
}

// wantContact holds a verdict against the exact time of first contact; the
// witness may come `early` before it, as it only has to be within the tolerance.
func wantContact(t *testing.T, v motion.Verdict, toc, early float64) {
	t.Helper()
	if v.Status != motion.Contact {
		t.Fatalf("%v (%s), want contact at %.9g", v.Status, v.Reason, toc)
	}
	if v.TOC.Lo > toc || v.TOC.Hi < toc-early || v.TOC.Hi > toc+motion.DefaultTimeTolerance {
		t.Errorf("time of contact in [%.9f, %.9f], want %.9f", v.TOC.Lo, v.TOC.Hi, toc)
	}
	if v.TOC.Hi-v.TOC.Lo > motion.DefaultTimeTolerance {
		t.Errorf("time of contact in [%.9f, %.9f]: wider than the tolerance", v.TOC.Lo, v.TOC.Hi)
	}
	if v.ProvenUntil != v.TOC.Lo {
		t.Errorf("proven until %g, contact from %g", v.ProvenUntil, v.TOC.Lo)
	}
	if v.Contact.Distance > motion.DefaultTolerance || v.Contact.Time != v.TOC.Hi {
		t.Errorf("witness of distance %g at %g", v.Contact.Distance, v.Contact.Time)
	}
}

func wantFree(t *testing.T, v motion.Verdict, until float64) {
	t.Helper()
	if v.Status != motion.Free || v.ProvenUntil != until {
		t.Fatalf("%v until %g (%s), want free until %g", v.Status, v.ProvenUntil, v.Reason, until)
	}
}

func TestFirstOfSeveralContacts(t *testing.T) {
	thin := func(id string, x float64) scene.Object {
		return robots.Object(id, robots.Box(0.01, 1, 1), robots.At(x+0.005, 0, 0))
	}
	for _, objects := range [][]scene.Object{
		{thin("near", 1), thin("far", 2), thin("farther", 2.9)},
		{thin("farther", 2.9), thin("far", 2), thin("near", 1)},
	} {
		r := line(t, 0.1, robots.World(objects...), 0, 3)
		v := r.check(motion.Query{})
		wantContact(t, v, 0.3, 1e-6)
		if v.Contact.Pair.B.Name != "near" {
			t.Errorf("touches %s first", v.Contact.Pair.B.Name)
		}
	}
}

// Pieces are looked at in their order, each with its own curves and its own time.
func TestPiecesInTheirOrder(t *testing.T) {
	wall := robots.World(robots.Object("wall", robots.Box(0.2, 2, 2), robots.At(1.1, 0, 0)))
	r := line(t, 0.1, wall, 0, 0.5, -3, 0.85, 0)
	wantFree(t, r.check(motion.Query{}), 4)
	r.bind(t, through(0, 0.5, -3, 2, 0.8))
	v := r.check(motion.Query{})
	wantContact(t, v, 2+3.9/5, 1e-6)
	if v.Piece != 2 {
		t.Errorf("segment %d, want 2", v.Piece)
	}
	r.bind(t, through(0, 0.95, 0))
	wantContact(t, r.check(motion.Query{}), 0.9/0.95, 2e-6)
	r.bind(t, through(0, 0.5, 0.95))
	wantContact(t, r.check(motion.Query{}), 1+0.4/0.45, 3e-6)
	m := through(0, 0.5, 0.95)
	m.Pieces[0].Start, m.Pieces[0].End, m.Pieces[1].Start, m.Pieces[1].End = 3, 3.25, 3.25, 12.25
	r.bind(t, m)
	wantContact(t, r.check(motion.Query{}), 3.25+9*0.4/0.45, 3e-5)
}

// A jump in velocity at a knot: the turn back at the wall is no part of either
// piece's polynomial.
func TestBoundsEndAtKnots(t *testing.T) {
	wall := robots.World(robots.Object("wall", robots.Box(0.2, 2, 2), robots.At(1.1, 0, 0)))
	r := line(t, 0.1, wall, 0, 0.8999, 0)
	wantFree(t, r.check(motion.Query{}), 2)
	r.bind(t, through(0, 0.9001, 0))
	wantContact(t, r.check(motion.Query{}), 0.9/0.9001, 2e-6)
}

// A motion that only touches between the times where one would look.
func TestBriefContact(t *testing.T) {
	for _, x := range []float64{0.1234567, 0.49999, 0.50001, 0.777} {
		// The ball flies past an edge, closest at the part x of its way.
		post := robots.World(robots.Object("post", robots.Ball(0.1), robots.At(20*x, 0.2-1e-6, 0)))
		r := line(t, 0.1, post, 0, 20)
		v := r.check(motion.Query{Tolerance: 1e-9, TimeTolerance: 1e-9})
		toc := x - math.Sqrt(0.04-(0.2-1e-6)*(0.2-1e-6))/20
		if v.Status != motion.Contact || v.TOC.Lo > toc || v.TOC.Hi < toc-1e-7 || v.TOC.Hi > toc+1e-9 {
			t.Errorf("%v in [%.9g, %.9g], want contact at %.9g", v.Status, v.TOC.Lo, v.TOC.Hi, toc)
		}
		post.Objects[0].PoseWS.P.Y = 0.2 + 3e-6
		wantFree(t, line(t, 0.1, post, 0, 20).check(motion.Query{}), 1)
	}
}

// Solids.

func TestInsideFromTheStart(t *testing.T) {
	out := robots.Of(nil, robots.Hinge{Kind: urdf.Prismatic, Axis: ey, Origin: robots.At(0.5, 0, 0), Parts: robots.Part(robots.At(0, 0, 0), robots.Ball(0.02))})
	pair := meshes.Of(meshes.At(geom.Vec{X: 5}, meshes.Cube(0.01)), meshes.At(geom.Vec{}, meshes.Cube(0.01)))
	far := robots.Of(nil, robots.Hinge{Kind: urdf.Prismatic, Axis: ey, Origin: robots.At(0.5, 0, 0), Parts: robots.Part(robots.At(0, 0, 0), robots.Mesh(pair))})
	cloud := robots.Points(0.001, geom.Vec{X: 5}, geom.Vec{Z: 4}, geom.Vec{}, geom.Vec{X: -5})
	points := robots.Of(nil, robots.Hinge{Kind: urdf.Prismatic, Axis: ey, Origin: robots.At(0.5, 0, 0), Parts: robots.Part(robots.At(0, 0, 0), cloud)})
	solid := robots.Mesh(meshes.Elbow(1))
	carried := robots.Of(nil, robots.Hinge{Kind: urdf.Prismatic, Axis: ey, Parts: robots.Part(robots.At(0, 0, 0), solid)})
	for _, c := range []struct {
		name  string
		robot *urdf.Robot
		world *scene.Snapshot
		ctrl  []float64
	}{
		{"stays inside", out, robots.World(robots.Object("L", solid, robots.At(0, 0, 0))), []float64{0.05, 0.15}},
		{"leaves", out, robots.World(robots.Object("L", solid, robots.At(0, 0, 0))), []float64{0.05, 1.5}},
		{"its second part", far, robots.World(robots.Object("L", solid, robots.At(0, 0, 0))), []float64{0.05, 1.5}},
		{"one of its points", points, robots.World(robots.Object("L", solid, robots.At(0, 0, 0))), []float64{0.05, 1.5}},
		{"the world inside the robot", carried, robots.World(robots.Object("pea", robots.Ball(0.02), robots.At(0.5, 0.1, 0))), []float64{0.03, 1.5}},
		{"the second part of the world", carried, robots.World(robots.Object("peas", robots.Mesh(pair), robots.At(0.5, 0.1, 0))), []float64{0.03, 1.5}},
		{"points of the world", carried, robots.World(robots.Object("cloud", cloud, robots.At(0.5, 0.1, 0))), []float64{0.03, 1.5}},
		{"a box in the second part of a mesh", robots.Of(nil, robots.Hinge{Kind: urdf.Prismatic, Axis: ey, Parts: robots.Part(robots.At(0, 0, 0), robots.Box(0.1, 0.1, 0.1))}), robots.World(robots.Object("two", robots.Mesh(meshes.Of(meshes.At(geom.Vec{X: 2}, meshes.Cube(0.2)), meshes.At(geom.Vec{}, meshes.Cube(0.2)))), robots.At(0, 0, 0))), []float64{0, 1.5}},
		{"a mesh's second part in a box", far, robots.World(robots.Object("box", robots.Box(1, 1, 1), robots.At(0.5, 0, 0))), []float64{0, 3}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, c.robot, c.world, 0, robots.Move(c.ctrl))
			for _, q := range []motion.Query{{}, {Question: motion.IsFree}, {Question: motion.MinClearance}} {
				v := r.check(q)
				if v.Status != motion.Contact || v.TOC.Lo != 0 || v.ProvenUntil != 0 {
					t.Errorf("question %d: %v, proven until %g; want contact from 0", q.Question, v.Status, v.ProvenUntil)
				}
			}
		})
	}
}

// A body that begins inside and is outside half way was not free before it left,
// whatever had been looked at first.
func TestNothingIsProvedOfWhatBeganInside(t *testing.T) {
	robot := robots.Of(nil, robots.Hinge{Kind: urdf.Prismatic, Axis: ey, Origin: robots.At(0.5, 0, 0), Parts: robots.Part(robots.At(0, 0, 0), robots.Ball(0.02))})
	r := newRig(t, robot, robots.World(robots.Object("L", robots.Mesh(meshes.Elbow(1)), robots.At(0, 0, 0))), 0, robots.Move([]float64{0.05, 1.5}))
	for k := range 60 {
		v := r.check(motion.Query{Question: motion.IsFree, Budget: time.Duration(k*k) * 100 * time.Nanosecond})
		if v.Status == motion.Free || v.ProvenUntil > 0 || v.TOC.Lo > 0 {
			t.Fatalf("%v, proven until %g, though the ball begins inside", v.Status, v.ProvenUntil)
		}
	}
}

// What was outside in one motion may be inside in the next.
func TestOutsideIsForgotten(t *testing.T) {
	robot := robots.Of(nil, robots.Hinge{Kind: urdf.Prismatic, Axis: ey, Origin: robots.At(0.5, 0, 0), Parts: robots.Part(robots.At(0, 0, 0), robots.Ball(0.02))})
	r := newRig(t, robot, robots.World(robots.Object("L", robots.Mesh(meshes.Elbow(1)), robots.At(0, 0, 0))), 0, robots.Move([]float64{0.3, 0.4}))
	wantFree(t, r.check(motion.Query{}), 1)
	r.bind(t, robots.Move([]float64{0.08, 0.12}))
	wantContact(t, r.check(motion.Query{}), 0, 0)
}

// What an open mesh encloses is not inside it.
func TestOpenMeshHasNoInside(t *testing.T) {
	open := meshes.At(geom.Vec{}, meshes.Cube(1))
	open.Triangles = open.Triangles[1:]
	// Even where another part of the mesh is closed.
	for _, m := range []*mesh.Mesh{open, meshes.Of(open, meshes.At(geom.Vec{Z: 5}, meshes.Cube(0.1))), meshes.Of(meshes.At(geom.Vec{Z: 5}, meshes.Cube(0.1)), open)} {
		r := line(t, 0.1, robots.World(robots.Object("crate", robots.Mesh(m), robots.At(0, 0, 0))), -0.3, 0.3)
		wantFree(t, r.check(motion.Query{}), 1)
		r.bind(t, through(0, 2))
		wantContact(t, r.check(motion.Query{}), 0.45, 1e-6)
	}
}

// The corner of an L is not full: the hull alone proves nothing there and
// touches nothing.
func TestHullIsNotTheShape(t *testing.T) {
	l := robots.World(robots.Object("L", robots.Mesh(meshes.Elbow(1)), robots.At(0, 0, 0)))
	r := newRig(t, robots.Of(nil, slide(robots.At(0, 0.5, 0), ex, 0.1)), l, 0, through(0.9, 0.301))
	wantFree(t, r.check(motion.Query{}), 1)
	r.bind(t, through(0.9, 0.1))
	wantContact(t, r.check(motion.Query{}), 0.75, 2e-6)
}

// Every triangle is looked at, however the tree is opened: a ball is sent against
// the middle and every corner of each, from where it touches that one only.
func TestEveryTriangleCounts(t *testing.T) {
	m := meshes.Elbow(1)
	for k, tri := range m.Triangles {
		a, b, c := m.Vertices[tri[0]], m.Vertices[tri[1]], m.Vertices[tri[2]]
		n, _ := geom.Unit(r3.Cross(r3.Sub(b, a), r3.Sub(c, a)))
		p := r3.Scale(1./3, r3.Add(r3.Add(a, b), c))
		// Down to the triangle along its normal, in the corner of the L too.
		drop := robots.Hinge{Kind: urdf.Prismatic, Axis: n, Origin: geom.Translation(p), Parts: robots.Part(robots.At(0, 0, 0), robots.Ball(0.01))}
		for _, swap := range []bool{false, true} {
			r := newRig(t, robots.Of(nil, drop), robots.World(robots.Object("L", robots.Mesh(m), robots.At(0, 0, 0))), 0, robots.Move([]float64{0.1, 0}))
			if swap { // the robot carries the mesh, the ball hangs in the world
				lift := robots.Hinge{Kind: urdf.Prismatic, Axis: n, Parts: robots.Part(robots.At(0, 0, 0), robots.Mesh(m))}
				r = newRig(t, robots.Of(nil, lift), robots.World(robots.Object("ball", robots.Ball(0.01), geom.Translation(p))), 0, robots.Move([]float64{-0.1, 0}))
			}
			v := r.check(motion.Query{})
			if v.Status != motion.Contact || math.Abs(v.TOC.Hi-0.9) > 2e-5 {
				t.Errorf("triangle %d, swapped %v: %v at %g, want contact at 0.9", k, swap, v.Status, v.TOC.Hi)
			}
		}
	}
}

// Every point of a cloud is.
func TestEveryPointCounts(t *testing.T) {
	d := newDice(51, 0)
	var points []geom.Vec
	for range 40 {
		points = append(points, d.Vec(1))
	}
	cloud := robots.Points(1e-3, points...)
	for k, p := range points {
		drop := robots.Hinge{Kind: urdf.Prismatic, Axis: ez, Origin: geom.Translation(p), Parts: robots.Part(robots.At(0, 0, 0), robots.Ball(0.009))}
		r := newRig(t, robots.Of(nil, drop), robots.World(robots.Object("cloud", cloud, robots.At(0, 0, 0))), 0, robots.Move([]float64{0.02, 0}))
		v := r.check(motion.Query{})
		if v.Status != motion.Contact || math.Abs(v.TOC.Hi-0.5) > 1e-4 {
			t.Errorf("point %d: %v at %g", k, v.Status, v.TOC.Hi)
		}
		if v = r.check(motion.Query{Clearance: 0.005}); v.Status != motion.Contact || math.Abs(v.TOC.Hi-0.25) > 1e-4 {
			t.Errorf("point %d, clearance 5 mm: %v at %g", k, v.Status, v.TOC.Hi)
		}
	}
}

// Padding grows whatever stands for the shape: the exact core, the hull, the
// parts of a hierarchy, points.
func TestPadding(t *testing.T) {
	const pad = 0.05
	corner := robots.World(robots.Object("L", robots.Mesh(meshes.Elbow(1)), robots.At(0, 0, 0)))
	padded := func(s *scene.Snapshot) *scene.Snapshot {
		w := *s
		w.Objects = append([]scene.Object(nil), s.Objects...)
		for i := range w.Objects {
			w.Objects[i].Padding = pad
		}
		return &w
	}
	plate := robots.World(robots.Object("plate", robots.Box(0.2, 2, 2), robots.At(-0.1, 0.5, 0))) // face at x = 0
	dust := robots.World(robots.Object("dust", robots.Points(0.01, geom.Vec{X: 0.19, Y: 0.5}, geom.Vec{X: -1, Y: 3}), robots.At(0, 0, 0)))
	for _, c := range []struct {
		name  string
		world *scene.Snapshot
		shape *shape.Shape
		face  float64 // the world's, along x at y = 0.5
		half  float64 // what the shape needs towards it
	}{
		{"ball and mesh", corner, robots.Ball(0.1), 0.2, 0.1},
		{"mesh and mesh", corner, robots.Mesh(meshes.Of(meshes.At(geom.Vec{}, meshes.Cube(0.1)), meshes.At(geom.Vec{X: 0.5}, meshes.Cube(0.01)))), 0.2, 0.1},
		{"convex mesh and mesh", corner, robots.Mesh(meshes.At(geom.Vec{}, meshes.Cube(0.1))), 0.2, 0.1},
		{"points and mesh", corner, robots.Points(0.02, geom.Vec{}, geom.Vec{X: 0.3}), 0.2, 0.02},
		{"ball and box", plate, robots.Ball(0.1), 0, 0.1},
		{"cylinder and box", plate, &shape.Shape{Kind: shape.Cylinder, Radius: 0.1, Length: 0.3}, 0, 0.1},
		{"ball and points", dust, robots.Ball(0.1), 0.2, 0.1},
		{"mesh and points", dust, robots.Mesh(meshes.Elbow(1)), 0.2, 0},
	} {
		for _, both := range []bool{false, true} {
			robot := robots.Of(nil, robots.Hinge{Kind: urdf.Prismatic, Axis: ex, Origin: robots.At(0, 0.5, 0), Parts: robots.Part(robots.At(0, 0, 0), c.shape)})
			world, off := c.world, pad
			if both {
				world, off = padded(c.world), 2*pad
			}
			touch := c.face + c.half + off
			r := newRig(t, robot, world, pad, robots.Move([]float64{0.6, touch + 1e-3}))
			if v := r.check(motion.Query{}); v.Status != motion.Free {
				t.Errorf("%s, both %v: %v at %g (%v), want free a millimetre before", c.name, both, v.Status, v.TOC.Hi, v.Contact)
			}
			r.bind(t, robots.Move([]float64{0.6, touch - 1e-3}))
			if v := r.check(motion.Query{}); v.Status != motion.Contact || v.TOC.Lo > (0.6-touch)/(0.601-touch) || v.TOC.Hi < 0.95 {
				t.Errorf("%s, both %v: %v in %v, want contact a millimetre before the end", c.name, both, v.Status, v.TOC)
			}
		}
	}
}

// The constants of reach hold for the motion that they were made for only: here
// a slide brings the ball ten metres from the axis it then turns about.
func TestReachIsOfTheMotion(t *testing.T) {
	wheel := robots.Hinge{Kind: urdf.Revolute, Axis: ez}
	out := on(1, slide(robots.At(0, 0, 0), ex, 0.1))
	world := robots.World(robots.Object("post", robots.Ball(0.1), geom.Translation(r3.Scale(10, geom.Vec{X: math.Cos(2.3), Y: math.Sin(2.3)}))))
	r := newRig(t, robots.Of(nil, wheel, out), world, 0, robots.Move([]float64{0, 1}, []float64{0, 0.5}))
	wantFree(t, r.check(motion.Query{}), 1)
	r.bind(t, robots.Move([]float64{0, 3}, []float64{10}))
	wantContact(t, r.check(motion.Query{}), (2.3-2*math.Asin(0.01))/3, 1e-6)
	// Out and back within one piece: the ends say nothing.
	r.bind(t, robots.Move([]float64{0, 4.6}, []float64{0, 20, 0}))
	wantContact(t, r.check(motion.Query{}), firstTouch(r, 0.2), 1e-5)
	// In several pieces, of which the first stays near.
	m := robots.Move([]float64{0}, []float64{0, 0.5})
	m.Pieces = append(m.Pieces,
		motion.Piece{Start: 1, End: 2, Ctrl: [][]float64{{0, 0.1}, {0.5, 10}}},
		motion.Piece{Start: 2, End: 3, Ctrl: [][]float64{{0.1, 3}, {10, 10}}})
	r.bind(t, m)
	wantContact(t, r.check(motion.Query{}), 2+(2.2-2*math.Asin(0.01))/2.9, 1e-6)
	// Carried out by a mimic joint's offset, or its multiplier.
	lead, follow := robots.Hinge{Kind: urdf.Prismatic, Axis: ex}, out
	follow.Mimics, follow.Offset = 1, 10
	r = newRig(t, robots.Of(nil, wheel, follow), world, 0, robots.Move([]float64{0, 3}))
	wantContact(t, r.check(motion.Query{}), (2.3-2*math.Asin(0.01))/3, 1e-6)
	follow = on(1, slide(robots.At(0, 0, 0), ex, 0.1))
	follow.Mimics = 2
	for _, mult := range []float64{10, -10} {
		follow.Mult = mult
		r = newRig(t, robots.Of(nil, wheel, lead, follow), world, 0, robots.Move([]float64{0, 3}, []float64{10 / mult}))
		wantContact(t, r.check(motion.Query{}), (2.3-2*math.Asin(0.01))/3, 1e-6)
	}
	// Held where the state puts it.
	r = newRig(t, robots.Of(nil, wheel, out), world, 0, robots.Move([]float64{0, 3}))
	var err error
	if r.bound, err = kin.Bind(r.model.Tree, r.Motion, []float64{0, 10}); err != nil {
		t.Fatal(err)
	}
	wantContact(t, r.check(motion.Query{}), (2.3-2*math.Asin(0.01))/3, 1e-6)
}

// firstTouch finds by sampling when the ball's centre comes within reach of the
// post's.
func firstTouch(r *rig, reach float64) float64 {
	post := r.world.Objects[0].PoseWS.P
	for s := 0.0; s < 1; s += 1e-6 {
		if r3.Norm(r3.Sub(r.ToRoot(2, 0, s, geom.Vec{}), post)) <= reach {
			return s
		}
	}
	return math.NaN()
}

// A continuous joint goes the short way, unless the motion keeps its turns.
func TestTurns(t *testing.T) {
	wheel := robots.Hinge{Kind: urdf.Continuous, Axis: ez, Parts: robots.Part(robots.At(1, 0, 0), robots.Ball(0.05))}
	post := robots.World(robots.Object("post", robots.Ball(0.05), robots.At(-1, 0, 0)))
	gap := 2 * math.Asin(0.05)
	r := newRig(t, robots.Of(nil, wheel), post, 0, through(3, -3))
	wantFree(t, r.check(motion.Query{}), 1)
	m := through(3, -3)
	m.KeepTurns = false
	r.bind(t, m)
	wantContact(t, r.check(motion.Query{}), (math.Pi-gap-3)/(2*math.Pi-6), 1e-5)
	// From there on everything is a turn farther: the next piece ends where it says.
	m = through(2.5, -2.5, -0.5, 2.5)
	m.KeepTurns = false
	post.Objects[0].PoseWS = robots.At(math.Cos(1.7), math.Sin(1.7), 0)
	r = newRig(t, robots.Of(nil, wheel), post, 0, m)
	wantContact(t, r.check(motion.Query{}), 2+(2.2-gap)/3, 1e-5)
	// More than one turn takes the short way, too.
	m = through(0.1, 0.2+4*math.Pi)
	m.KeepTurns = false
	r.bind(t, m)
	wantFree(t, r.check(motion.Query{}), 1)
}

// A mimic joint turns with its multiplier and from its offset.
func TestMimicsFollow(t *testing.T) {
	lead := robots.Hinge{Kind: urdf.Revolute, Axis: ez}
	follow := robots.Hinge{Kind: urdf.Revolute, Axis: ez, Mimics: 1, Mult: -2, Offset: 0.5, Parts: robots.Part(robots.At(1, 0, 0), robots.Ball(0.05))}
	post := robots.World(robots.Object("post", robots.Ball(0.05), robots.At(math.Cos(-0.7), math.Sin(-0.7), 0)))
	r := newRig(t, robots.Of(nil, lead, follow), post, 0, robots.Move([]float64{0, 1}))
	wantContact(t, r.check(motion.Query{}), (1.2-2*math.Asin(0.05))/2, 1e-6)
}

// Links are judged relative to the body where their chains part.
func TestBodiesOfOneTree(t *testing.T) {
	// A fast carousel with two slides that meet half way.
	wheel := robots.Hinge{Kind: urdf.Revolute, Axis: ez}
	left, right := on(1, slide(robots.At(-1, 5, 0), ex, 0.1)), on(1, slide(robots.At(1, 5, 0), ex, 0.1))
	r := newRig(t, robots.Of(nil, wheel, left, right), nil, 0, robots.Move([]float64{0, 50}, []float64{0, 1}, []float64{0, -1}))
	wantContact(t, r.check(motion.Query{}), 0.9, 1e-6)
	r.bind(t, robots.Move([]float64{0, 50}, []float64{0, 0.85}, []float64{0, -0.85}))
	v := r.check(motion.Query{})
	wantFree(t, v, 1)
	if v.Work.Intervals > 40 {
		t.Errorf("%d intervals: the carousel's own turn is no part of the question", v.Work.Intervals)
	}
}

func TestQuestionsOfSelfAndWorld(t *testing.T) {
	wall := robots.World(robots.Object("wall", robots.Box(0.2, 2, 2), robots.At(2.1, 0, 0)))
	r := newRig(t, robots.Of(robots.Part(robots.At(1, 0, 0), robots.Ball(0.1)), slide(robots.At(0, 0, 0), ex, 0.1)), wall, 0, robots.Move([]float64{0, 3}))
	wantContact(t, r.check(motion.Query{}), 0.8/3, 1e-6)
	wantContact(t, r.check(motion.Query{NoSelf: true}), 1.9/3, 1e-6)
	wantContact(t, r.check(motion.Query{NoWorld: true}), 0.8/3, 1e-6)
	wantFree(t, r.check(motion.Query{NoSelf: true, NoWorld: true}), 1)
	r.bind(t, robots.Move([]float64{1.3, 3}))
	wantFree(t, r.check(motion.Query{NoWorld: true}), 1)
}

// Clearance: what is within it counts as a contact, at the time it gets there.
func TestClearanceIsKept(t *testing.T) {
	wall := robots.World(robots.Object("wall", robots.Box(0.2, 2, 2), robots.At(1.1, 0, 0)))
	r := line(t, 0.1, wall, 0, 0.8)
	for _, clearance := range []float64{0.0999, 0.1001, 0.3} {
		v := r.check(motion.Query{Clearance: clearance})
		if clearance < 0.1 {
			wantFree(t, v, 1)
			continue
		}
		toc := (0.9 - clearance) / 0.8
		if v.Status != motion.Contact || v.TOC.Lo > toc || v.TOC.Hi < toc-2e-6 || v.TOC.Hi > toc+1e-6 {
			t.Errorf("clearance %g: %v in %v, want contact at %g", clearance, v.Status, v.TOC, toc)
		}
	}
	for _, tol := range []float64{1e-9, 1e-4, 0.05} {
		v := r.check(motion.Query{Clearance: 0.2, Tolerance: tol})
		if v.Status != motion.Contact || v.Contact.Distance > 0.2+tol || v.TOC.Lo > 0.7/0.8 {
			t.Errorf("tolerance %g: %v, distance %g", tol, v.Status, v.Contact.Distance)
		}
	}
}

// The smallest distance over a motion, between what is proved and what is seen.
func TestMinClearanceIsBounded(t *testing.T) {
	posts := robots.World(robots.Object("a", robots.Ball(0.1), robots.At(0.3, 0.5, 0)), robots.Object("b", robots.Ball(0.1), robots.At(1.7, 0.45, 0)))
	r := line(t, 0.1, posts, 0, 1, 2)
	for _, tol := range []float64{1e-2, 1e-4, 1e-6} {
		v := r.check(motion.Query{Question: motion.MinClearance, ClearanceTolerance: tol})
		b := v.MinClearance.Bounds
		if v.Status != motion.Free || !v.MinClearance.Known || b.Lo > 0.25 || b.Hi < 0.25-1e-12 || b.Hi-b.Lo > tol*1.001 {
			t.Errorf("tolerance %g: %v, clearance in %v, want 0.25", tol, v.Status, b)
		}
		if at := v.MinClearance.At; at.Pair.B.Name != "b" || math.Abs(at.Time-1.7) > math.Sqrt(2*tol) {
			t.Errorf("closest to %s at %g", at.Pair.B.Name, at.Time)
		}
	}
	v := r.check(motion.Query{Question: motion.MinClearance, Clearance: 0.2})
	if v.Status != motion.Free || v.MinClearance.Bounds.Lo < 0.2 {
		t.Errorf("with clearance 0.2: %v, %v", v.Status, v.MinClearance.Bounds)
	}
	r.bind(t, through(0, 1))
	v = r.check(motion.Query{Question: motion.MinClearance, NoWorld: true})
	if v.Status != motion.Free || v.MinClearance.Known {
		t.Errorf("without pairs: %v", v.MinClearance)
	}
}

// A spent budget or a caller who has gone is never free; what was proved by then
// holds.
func TestSpentBudgetIsUndecided(t *testing.T) {
	// A ball threads its way between posts that it nearly touches.
	world := robots.World()
	for i := range 40 {
		x := 0.25 * float64(i)
		world.Objects = append(world.Objects, robots.Object(string(rune('A'+i)), robots.Ball(0.1), robots.At(x, 0.2001, 0)), robots.Object(string(rune('a'+i))+"'", robots.Ball(0.1), robots.At(x, -0.2001, 0)))
	}
	world.Objects = append(world.Objects, robots.Object("end", robots.Ball(0.1), robots.At(9.5, 0, 0))) // touched at x = 9.3
	r := line(t, 0.1, world, 0, 10)
	undecided, grows := 0, 0
	for k := range 200 {
		q := motion.Query{Budget: time.Duration(1+k) * 200 * time.Nanosecond}
		if k%2 == 1 {
			q.Question = motion.MinClearance
		}
		v := r.check(q)
		switch v.Status {
		case motion.Free:
			t.Fatalf("free with %v to spend", q.Budget)
		case motion.Undecided:
			undecided++
			if v.Reason == "" {
				t.Error("undecided for no reason")
			}
			if v.ProvenUntil > 0.93 {
				t.Errorf("proven until %g, past the contact at 0.93", v.ProvenUntil)
			}
			if v.ProvenUntil > 0 {
				grows++
			}
		case motion.Contact:
			wantContact(t, v, 0.93, 1e-6)
		}
	}
	if undecided < 5 || grows < 1 {
		t.Errorf("%d undecided, %d of them with something proved: the budgets test nothing", undecided, grows)
	}
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	for _, q := range []motion.Question{motion.FirstContact, motion.IsFree, motion.MinClearance} {
		v := r.w.Check(gone, r.bound, motion.Query{Question: q})
		if v.Status != motion.Undecided || v.ProvenUntil != 0 || v.Reason == "" {
			t.Errorf("cancelled, question %d: %v until %g, %q", q, v.Status, v.ProvenUntil, v.Reason)
		}
	}
	late, cancel := context.WithDeadline(context.Background(), time.Now().Add(-time.Second))
	defer cancel()
	if v := r.w.Check(late, r.bound, motion.Query{Budget: time.Hour}); v.Status != motion.Undecided {
		t.Errorf("past its deadline: %v", v.Status)
	}
}

// A pair that stays within rounding of the clearance cannot be told: no verdict,
// and nothing proved.
func TestWithinRoundingIsUndecided(t *testing.T) {
	post := robots.World(robots.Object("post", robots.Ball(0.1), robots.At(0.5, 0.2+1e-15, 0)))
	v := line(t, 0.1, post, 0, 1).check(motion.Query{Tolerance: 1e-18})
	if v.Status != motion.Undecided || v.ProvenUntil > 0.5 || v.Reason == "" {
		t.Errorf("%v until %g, %q", v.Status, v.ProvenUntil, v.Reason)
	}
}

// A robot or a world put together in code may lack what readers make sure of: it
// is refused, not checked as something smaller.
func TestPosesMustBeRigid(t *testing.T) {
	build := func(robot *urdf.Robot, world *scene.Snapshot) error {
		_, err := model.New(robot, world, nil, &model.Library{})
		return err
	}
	good := func() *urdf.Robot { return robots.Of(nil, slide(robots.At(0, 0, 0), ex, 0.1)) }
	if err := build(good(), robots.World(robots.Object("o", robots.Ball(1), robots.At(0, 0, 0)))); err != nil {
		t.Fatal(err)
	}
	nan := geom.IdentityPose()
	nan.P.X = math.NaN()
	mirror := geom.IdentityPose()
	mirror.R.XX = -1
	big := geom.IdentityPose()
	big.R.YY = 1.001
	for _, p := range []geom.Pose{{}, nan, mirror, big} {
		if err := build(good(), robots.World(robots.Object("o", robots.Ball(1), p))); err == nil {
			t.Errorf("an object at %v", p)
		}
		r := good()
		r.Links[1].Collisions[0].PoseLS = p
		if err := build(r, nil); err == nil {
			t.Errorf("a shape at %v", p)
		}
		r = good()
		r.Joints[0].PosePC = p
		if err := build(r, nil); err == nil {
			t.Errorf("a joint at %v", p)
		}
	}
	for _, axis := range []geom.Vec{{}, {X: 2}, {X: math.NaN()}} {
		r := good()
		r.Joints[0].Axis = axis
		if err := build(r, nil); err == nil {
			t.Errorf("an axis %v", axis)
		}
	}
	for _, padding := range []float64{-1e-9, math.NaN(), math.Inf(1)} {
		o := robots.Object("o", robots.Ball(1), robots.At(0, 0, 0))
		o.Padding = padding
		if err := build(good(), robots.World(o)); err == nil {
			t.Errorf("padding %g", padding)
		}
	}
}
