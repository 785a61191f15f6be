package ccd

import (
	"context"
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Motions whose time of contact has a closed form. Each is moved in one second,
// so that the time is the fraction of the way.

func pose(x, y, z float64) geom.Pose { return geom.Translation(geom.Vec{X: x, Y: y, Z: z}) }

func ball(r float64) *shape.Shape { return &shape.Shape{Kind: shape.Sphere, Radius: r} }

func box(x, y, z float64) *shape.Shape {
	return &shape.Shape{Kind: shape.Box, Size: geom.Vec{X: x, Y: y, Z: z}}
}

// chainOf builds a robot from the joints, each hanging on the one before; the
// shape, where given, is posed in the link that the joint moves.
type chainJoint struct {
	name   string
	kind   urdf.JointType
	origin geom.Pose
	axis   geom.Vec
	shape  *shape.Shape
	at     geom.Pose
	mimic  *urdf.Mimic
}

func chainOf(joints ...chainJoint) *urdf.Robot {
	r := &urdf.Robot{Name: "chain", Links: []urdf.Link{{Name: "base", ParentJoint: -1}}}
	for i, j := range joints {
		l := urdf.Link{Name: j.name + "_link", ParentJoint: i}
		if j.shape != nil {
			l.Collisions = []urdf.Collision{{PoseLS: j.at, Shape: j.shape}}
		}
		r.Links = append(r.Links, l)
		r.Joints = append(r.Joints, urdf.Joint{
			Name: j.name, Type: j.kind, Parent: i, Child: i + 1, PosePC: j.origin, Axis: j.axis, Mimic: j.mimic,
			Limit: urdf.Limit{Bounded: j.kind == urdf.Revolute || j.kind == urdf.Prismatic, Lower: -10, Upper: 10},
		})
	}
	return r
}

func worldOf(objects ...scene.Object) *scene.Snapshot { return &scene.Snapshot{Objects: objects} }

func object(id string, s *shape.Shape, at geom.Pose) scene.Object {
	return scene.Object{ID: id, Shape: s, PoseWS: at}
}

func check(t *testing.T, robot *urdf.Robot, world *scene.Snapshot, joints []string, from, to []float64, q motion.Query) motion.Verdict {
	t.Helper()
	c, err := New(robot, world, Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := motion.Between(joints, from, to, 1)
	if err != nil {
		t.Fatal(err)
	}
	v, err := c.Check(context.Background(), m, q)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// wantContactAt holds the verdict against the exact time: the interval must
// contain it, up to the time that the distance tolerance stands for.
func wantContactAt(t *testing.T, v motion.Verdict, toc, early float64) {
	t.Helper()
	if v.Status != motion.Contact {
		t.Fatalf("status %v (%s), want contact at %.9f", v.Status, v.Reason, toc)
	}
	if v.TOC.Hi-v.TOC.Lo > motion.DefaultTimeTolerance {
		t.Errorf("TOC [%.9f, %.9f] is wider than the time tolerance", v.TOC.Lo, v.TOC.Hi)
	}
	if v.TOC.Lo > toc+1e-12 || v.TOC.Hi < toc-early-1e-12 {
		t.Errorf("TOC [%.9f, %.9f] misses %.9f (up to %.1e early)", v.TOC.Lo, v.TOC.Hi, toc, early)
	}
	wantWitness(t, v, 0)
}

// wantWitness holds the witness points against the clearance that was asked for.
func wantWitness(t *testing.T, v motion.Verdict, clearance float64) {
	t.Helper()
	apart := math.Sqrt(sq(v.Contact.PointA.X-v.Contact.PointB.X) + sq(v.Contact.PointA.Y-v.Contact.PointB.Y) + sq(v.Contact.PointA.Z-v.Contact.PointB.Z))
	if most := clearance + motion.DefaultTolerance; v.Contact.Distance > most || apart > most+1e-9 {
		t.Errorf("witness points are %g apart, reported as %g; at most %g wanted", apart, v.Contact.Distance, most)
	}
}

func sq(x float64) float64 { return x * x }

func slider() *urdf.Robot {
	return chainOf(chainJoint{name: "x", kind: urdf.Prismatic, origin: geom.IdentityPose(), axis: geom.Vec{X: 1}, shape: ball(0.1), at: pose(0, 0, 0)})
}

func TestPrismaticAgainstPlane(t *testing.T) {
	wall := worldOf(object("wall", box(0.2, 2, 2), pose(0.8, 0, 0))) // face at 0.7
	v := check(t, slider(), wall, []string{"x"}, []float64{0}, []float64{1}, motion.Query{})
	wantContactAt(t, v, 0.6, 1e-6)
	if v.Contact.Pair.B.Name != "wall" || v.Contact.Pair.A.Name != "x_link" {
		t.Errorf("pair %v", v.Contact.Pair)
	}
	if math.Abs(v.Contact.PointB.X-0.7) > 1e-9 || math.Abs(v.Contact.Normal.X-1) > 1e-6 {
		t.Errorf("witness %v, normal %v", v.Contact.PointB, v.Contact.Normal)
	}
	v = check(t, slider(), wall, []string{"x"}, []float64{0}, []float64{0.599}, motion.Query{})
	if v.Status != motion.Free || v.ProvenUntil != 1 {
		t.Errorf("stops a millimetre before: %v until %g", v.Status, v.ProvenUntil)
	}
	v = check(t, slider(), wall, []string{"x"}, []float64{0}, []float64{0.599}, motion.Query{Clearance: 0.002})
	if v.Status != motion.Contact || math.Abs(v.TOC.Hi-0.598/0.599) > 3e-6 {
		t.Errorf("clearance 2 mm: %v at %g", v.Status, v.TOC.Hi)
	}
	wantWitness(t, v, 0.002)
}

// A ball of radius r on an arm of length l turns towards a wall at x = d: contact
// where l cos(theta) + r = d.
func TestRevoluteAgainstPlane(t *testing.T) {
	const l, r, d = 0.8, 0.1, 0.7
	arm := chainOf(chainJoint{name: "q", kind: urdf.Revolute, origin: geom.IdentityPose(), axis: geom.Vec{Z: 1}, shape: ball(r), at: pose(l, 0, 0)})
	wall := worldOf(object("wall", box(0.2, 4, 4), pose(d+0.1, 0, 0)))
	from, to := -1.5, 1.0
	theta := -math.Acos((d - r) / l)
	v := check(t, arm, wall, []string{"q"}, []float64{from}, []float64{to}, motion.Query{})
	speed := l * math.Abs(math.Sin(theta)) * (to - from)
	wantContactAt(t, v, (theta-from)/(to-from), 1e-6/speed*1.1)
}

// The same arm against a ball: contact where the centres' distance, by the law of
// cosines, is the sum of the radii.
func TestRevoluteAgainstSphere(t *testing.T) {
	const l, r, rad, at = 0.8, 0.1, 0.15, 1.0
	arm := chainOf(chainJoint{name: "q", kind: urdf.Continuous, origin: geom.IdentityPose(), axis: geom.Vec{Z: 1}, shape: ball(r), at: pose(l, 0, 0)})
	post := worldOf(object("ball", ball(rad), pose(at, 0, 0)))
	from, to := -2.0, 0.5
	theta := -math.Acos((l*l + at*at - (r+rad)*(r+rad)) / (2 * l * at))
	v := check(t, arm, post, []string{"q"}, []float64{from}, []float64{to}, motion.Query{})
	wantContactAt(t, v, (theta-from)/(to-from), 1e-5)
}

// A two-link arm with q2 = -2 q1 and equal links moves its tip on the x axis: at
// 2 l cos(q1).
func TestTipOnALine(t *testing.T) {
	const l, r = 0.5, 0.05
	arm := chainOf(
		chainJoint{name: "q1", kind: urdf.Revolute, origin: geom.IdentityPose(), axis: geom.Vec{Z: 1}},
		chainJoint{name: "q2", kind: urdf.Revolute, origin: pose(l, 0, 0), axis: geom.Vec{Z: 1}, shape: ball(r), at: pose(l, 0, 0)},
	)
	wall := worldOf(object("wall", box(0.2, 1, 1), pose(0.9+0.1, 0, 0)))
	q := math.Acos((0.9 - r) / (2 * l))
	v := check(t, arm, wall, []string{"q1", "q2"}, []float64{1.5, -3}, []float64{0, 0}, motion.Query{})
	wantContactAt(t, v, (1.5-q)/1.5, 1e-5)
	// Sliding along a floor a hair below the tip's line stays free.
	floor := worldOf(object("floor", box(4, 0.2, 4), pose(0, -0.1-r-3e-4, 0)))
	v = check(t, arm, floor, []string{"q1", "q2"}, []float64{0.6, -1.2}, []float64{0.5, -1}, motion.Query{})
	if v.Status != motion.Free {
		t.Errorf("slide 0.3 mm above the floor: %v %s", v.Status, v.Reason)
	}
}

// As a mimic joint the second axis follows by itself.
func TestMimicTipOnALine(t *testing.T) {
	const l, r = 0.5, 0.05
	arm := chainOf(
		chainJoint{name: "q1", kind: urdf.Revolute, origin: geom.IdentityPose(), axis: geom.Vec{Z: 1}},
		chainJoint{
			name: "q2", kind: urdf.Revolute, origin: pose(l, 0, 0), axis: geom.Vec{Z: 1}, shape: ball(r), at: pose(l, 0, 0),
			mimic: &urdf.Mimic{Joint: 0, Multiplier: -2, Offset: 0},
		},
	)
	wall := worldOf(object("wall", box(0.2, 1, 1), pose(0.9+0.1, 0, 0)))
	q := math.Acos((0.9 - r) / (2 * l))
	v := check(t, arm, wall, []string{"q1"}, []float64{1.5}, []float64{0}, motion.Query{})
	wantContactAt(t, v, (1.5-q)/1.5, 1e-5)
}

// A ball that grazes another at one instant: by a micrometre more than the
// tolerance it passes, by one less it touches.
func TestGrazingTangency(t *testing.T) {
	for _, gap := range []float64{1e-3, 1e-5, 3e-6, 1.5e-6, -1e-9, -1e-6} {
		post := worldOf(object("ball", ball(0.2), pose(0.5, 0.3+gap, 0)))
		v := check(t, slider(), post, []string{"x"}, []float64{0}, []float64{1}, motion.Query{})
		want := motion.Free
		if gap < 0 {
			want = motion.Contact
		}
		if v.Status != want {
			t.Errorf("gap %g: %v %s, want %v", gap, v.Status, v.Reason, want)
		}
	}
}

// There and back within one quadratic piece: the ends are the same and free.
func TestThereAndBackAgain(t *testing.T) {
	wall := worldOf(object("wall", box(0.2, 2, 2), pose(0.8, 0, 0)))
	c, err := New(slider(), wall, Options{})
	if err != nil {
		t.Fatal(err)
	}
	// x(s) = 2 s (1-s) * 1.3, largest 0.65 at s = 1/2; contact where it is 0.6.
	m := &motion.Motion{Joints: []string{"x"}, Pieces: []motion.Piece{{Start: 0, End: 1, Ctrl: [][]float64{{0, 1.3, 0}}}}}
	v, err := c.Check(context.Background(), m, motion.Query{})
	if err != nil {
		t.Fatal(err)
	}
	s := (1 - math.Sqrt(1-4*0.6/2.6)) / 2
	wantContactAt(t, v, s, 1e-5)
	m.Pieces[0].Ctrl[0][1] = 1.19
	v, err = c.Check(context.Background(), m, motion.Query{})
	if err != nil || v.Status != motion.Free {
		t.Errorf("turns back 5 mm before the wall: %v %s %v", v.Status, v.Reason, err)
	}
}

// A path that bounces at a knot: each piece is proved by itself, as no bound on
// acceleration holds across the jump in velocity.
func TestVelocityJumpAtKnot(t *testing.T) {
	wall := worldOf(object("wall", box(0.2, 2, 2), pose(0.8, 0, 0)))
	c, err := New(slider(), wall, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		tip  float64
		want motion.Status
	}{{0.599, motion.Free}, {0.601, motion.Contact}} {
		m, err := motion.Path([]string{"x"}, [][]float64{{0}, {tc.tip}, {0}}, []float64{0, 1, 2})
		if err != nil {
			t.Fatal(err)
		}
		v, err := c.Check(context.Background(), m, motion.Query{})
		if err != nil {
			t.Fatal(err)
		}
		if v.Status != tc.want {
			t.Errorf("tip %g: %v, want %v", tc.tip, v.Status, tc.want)
		}
		if tc.want == motion.Contact {
			wantContactAt(t, v, 0.6/0.601, 2e-6)
			if v.Piece != 0 {
				t.Errorf("segment %d", v.Piece)
			}
		}
	}
}

// shell is a closed mesh: a box surface with outward triangles; inner, one that
// points inward, makes it a hollow shell.
func boxMesh(half float64, inner float64) *shape.Shape {
	m := &mesh.Mesh{}
	add := func(h float64, flip bool) {
		n := int32(len(m.Vertices))
		for i := range 8 {
			s := func(bit int) float64 { return h * float64(2*(i>>bit&1)-1) }
			m.Vertices = append(m.Vertices, geom.Vec{X: s(0), Y: s(1), Z: s(2)})
		}
		for _, f := range [][4]int32{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
			a, b := [3]int32{n + f[0], n + f[1], n + f[2]}, [3]int32{n + f[0], n + f[2], n + f[3]}
			if flip {
				a[1], a[2], b[1], b[2] = a[2], a[1], b[2], b[1]
			}
			m.Triangles = append(m.Triangles, a, b)
		}
	}
	add(half, false)
	if inner > 0 {
		add(inner, true)
	}
	return &shape.Shape{Kind: shape.Mesh, Mesh: m, Source: "test mesh"}
}

// lMesh is a closed mesh that is not convex: an L of two boxes sharing a surface.
func lMesh() *shape.Shape {
	// The L's outline in the xy plane, extruded by 0.1 both ways.
	outline := []geom.Vec{{X: 0, Y: 0}, {X: 1, Y: 0}, {X: 1, Y: 0.2}, {X: 0.2, Y: 0.2}, {X: 0.2, Y: 1}, {X: 0, Y: 1}}
	m := &mesh.Mesh{}
	for _, z := range []float64{-0.1, 0.1} {
		for _, p := range outline {
			m.Vertices = append(m.Vertices, geom.Vec{X: p.X, Y: p.Y, Z: z})
		}
	}
	caps := [][3]int32{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}
	for _, c := range caps {
		m.Triangles = append(m.Triangles, [3]int32{c[0], c[2], c[1]}, [3]int32{c[0] + 6, c[1] + 6, c[2] + 6})
	}
	for i := range int32(6) {
		j := (i + 1) % 6
		m.Triangles = append(m.Triangles, [3]int32{i, j, j + 6}, [3]int32{i, j + 6, i + 6})
	}
	return &shape.Shape{Kind: shape.Mesh, Mesh: m, Source: "test L"}
}

// A ball inside a solid is in contact though no surfaces touch; one inside the
// cavity of an open box is not.
func TestBallInsideSolid(t *testing.T) {
	for _, tc := range []struct {
		name  string
		shape *shape.Shape
		want  motion.Status
	}{
		{"solid box mesh", boxMesh(1, 0), motion.Contact},
		{"solid box", box(2, 2, 2), motion.Contact},
	} {
		t.Run(tc.name, func(t *testing.T) {
			v := check(t, slider(), worldOf(object("thing", tc.shape, pose(0, 0, 0))), []string{"x"}, []float64{-0.3}, []float64{0.3}, motion.Query{})
			if v.Status != tc.want {
				t.Errorf("%v %s", v.Status, v.Reason)
			}
			if v.Status == motion.Contact && v.TOC.Lo != 0 {
				t.Errorf("TOC %v, want from 0", v.TOC)
			}
		})
	}
}

// An L whose corner cavity a ball crosses: free inside the hull, contact at the
// arm's face.
func TestNonConvexCavity(t *testing.T) {
	l := worldOf(object("L", lMesh(), pose(0, 0, 0)))
	robot := chainOf(chainJoint{name: "x", kind: urdf.Prismatic, origin: pose(0, 0.5, 0), axis: geom.Vec{X: 1}, shape: ball(0.1), at: pose(0, 0, 0)})
	v := check(t, robot, l, []string{"x"}, []float64{0.9}, []float64{0.31}, motion.Query{})
	if v.Status != motion.Free {
		t.Fatalf("in the cavity: %v %s", v.Status, v.Reason)
	}
	v = check(t, robot, l, []string{"x"}, []float64{0.9}, []float64{0.1}, motion.Query{})
	wantContactAt(t, v, 0.6/0.8, 2e-6)
	// A ball that starts within the L's foot, touching no surface.
	small := chainOf(chainJoint{name: "x", kind: urdf.Prismatic, origin: pose(0, 0.1, 0), axis: geom.Vec{X: 1}, shape: ball(0.02), at: pose(0, 0, 0)})
	v = check(t, small, l, []string{"x"}, []float64{0.3}, []float64{0.6}, motion.Query{})
	if v.Status != motion.Contact || v.TOC.Lo != 0 {
		t.Errorf("inside the foot: %v from %g", v.Status, v.TOC.Lo)
	}
}

// A mesh that carries the world inside it: the roles swapped.
func TestWorldInsideLink(t *testing.T) {
	robot := chainOf(chainJoint{name: "x", kind: urdf.Prismatic, origin: geom.IdentityPose(), axis: geom.Vec{X: 1}, shape: lMesh(), at: pose(0, 0, 0)})
	v := check(t, robot, worldOf(object("pea", ball(0.02), pose(0.5, 0.1, 0))), []string{"x"}, []float64{-0.1}, []float64{0.1}, motion.Query{})
	if v.Status != motion.Contact || v.TOC.Lo != 0 {
		t.Errorf("%v from %g", v.Status, v.TOC.Lo)
	}
	v = check(t, robot, worldOf(object("pea", ball(0.02), pose(0.5, 0.5, 0))), []string{"x"}, []float64{-0.1}, []float64{0.1}, motion.Query{})
	if v.Status != motion.Free {
		t.Errorf("in the cavity: %v %s", v.Status, v.Reason)
	}
}

// A shell around the ball that its motion never reaches: a hollow mesh is two
// components, both closed; between them is solid, inside the inner is not the
// solid's surface but counts as inside of the outer. The product takes a closed
// component as a solid of its own, so this is contact: never free by mistake.
func TestHollowShellIsSolid(t *testing.T) {
	v := check(t, slider(), worldOf(object("shell", boxMesh(1, 0.9), pose(0, 0, 0))), []string{"x"}, []float64{-0.1}, []float64{0.1}, motion.Query{})
	if v.Status != motion.Contact {
		t.Errorf("%v: a closed component is a solid", v.Status)
	}
}
