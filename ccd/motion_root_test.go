package ccd

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/motionfile"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// onRoot moves the root link by r, for as long as the motion m of the joints
// lasts, which must be one piece.
func onRoot(t *testing.T, m *motion.Motion, r motion.RootPiece) *motion.Motion {
	t.Helper()
	moved := *m
	moved.Root = []motion.RootPiece{r}
	if err := moved.Validate(); err != nil {
		t.Fatal(err)
	}
	return &moved
}

// resting is a motion of one second in which the joint stands still.
func resting(t *testing.T, joint string) *motion.Motion {
	t.Helper()
	m, err := motion.Between([]string{joint}, []float64{0}, []float64{0}, 1)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestRootAgainstPlane(t *testing.T) {
	c := newChecker(t, slider(), worldOf(object("wall", box(0.2, 2, 2), pose(0.8, 0, 0)))) // face at 0.7
	still := resting(t, "x")
	slide := motion.RootPiece{Start: geom.IdentityPose(), Velocity: geom.Vec{X: 1}}
	v := ask(t, c, onRoot(t, still, slide), motion.Query{})
	wantContactAt(t, v, 0.6, 1e-6)
	if d := geom.Norm(r3.Sub(v.Contact.PointA, geom.Vec{X: 0.7})); d > 1e-3 {
		t.Errorf("the witness, %v, is not where the wall is in the scene's frame", v.Contact.PointA)
	}
	slide.Velocity.X = 0.599
	if v := ask(t, c, onRoot(t, still, slide), motion.Query{Question: motion.MinClearance}); v.Status != motion.Free || math.Abs(v.MinClearance.Bounds.Lo-0.001) > 1e-3 {
		t.Errorf("%v, clearance in %v", v.Status, v.MinClearance.Bounds)
	}

	// The joint and the root share the way.
	joint, err := motion.Between([]string{"x"}, []float64{0}, []float64{0.75}, 1)
	if err != nil {
		t.Fatal(err)
	}
	slide.Velocity.X = 0.25
	wantContactAt(t, ask(t, c, onRoot(t, joint, slide), motion.Query{}), 0.6, 1e-6)
	// They cancel.
	slide.Velocity.X = -0.75
	if v := ask(t, c, onRoot(t, joint, slide), motion.Query{}); v.Status != motion.Free {
		t.Errorf("the ball stands still, but the answer is %v", v.Status)
	}

	// Turned about the point itself, a ball stands still; about another it swings
	// into the wall: 0.6 = 1 - cos t.
	turn := motion.RootPiece{Start: geom.IdentityPose(), Turn: geom.Vec{Z: 3}}
	if v := ask(t, c, onRoot(t, still, turn), motion.Query{}); v.Status != motion.Free {
		t.Errorf("a ball turning about its centre: %v", v.Status)
	}
	turn.Point = geom.Vec{X: 1}
	wantContactAt(t, ask(t, c, onRoot(t, still, turn), motion.Query{}), math.Acos(0.4)/3, 1e-5)
}

// Where all shapes are the root link's, a motion of the joints has nothing to
// check, and one of the root has.
func TestRootAlone(t *testing.T) {
	robot := chainOf(chainJoint{name: "x", kind: urdf.Prismatic, origin: geom.IdentityPose(), axis: geom.Vec{X: 1}})
	robot.Links[0].Collisions = []urdf.Collision{{PoseLS: geom.IdentityPose(), Shape: ball(0.1)}}
	c := newChecker(t, robot, worldOf(object("wall", box(0.2, 2, 2), pose(0.8, 0, 0))))
	v := ask(t, c, onRoot(t, resting(t, "x"), motion.RootPiece{Start: geom.IdentityPose(), Velocity: geom.Vec{X: 1}}), motion.Query{})
	wantContactAt(t, v, 0.6, 1e-6)
}

// A root link that turns far from where it stands sweeps a large circle within one
// piece, and hits what is thin.
func TestRootSweepsFar(t *testing.T) {
	still := resting(t, "x")
	turn := motion.RootPiece{Start: pose(2, 0, 0), Turn: geom.Vec{Z: 2 * math.Pi}}
	for _, at := range []float64{0.3, 1, 2, 4, 5.5} {
		s, c := math.Sincos(at)
		// Spheres of 0.1 and 0.01 on a circle of 2 touch when the chord is 0.11.
		toc := (at - 2*math.Asin(0.055/2)) / (2 * math.Pi)
		post := worldOf(object("post", ball(0.01), pose(2*c, 2*s, 0)))
		wantContactAt(t, ask(t, newChecker(t, slider(), post), onRoot(t, still, turn), motion.Query{}), toc, 1e-6)
		beside := worldOf(object("post", ball(0.01), pose(2.12*c, 2.12*s, 0)))
		if v := ask(t, newChecker(t, slider(), beside), onRoot(t, still, turn), motion.Query{}); v.Status != motion.Free {
			t.Errorf("a post beside the circle at %g rad: %v", at, v.Status)
		}
	}
}

// Where the root link starts inside a solid, touching none of its surfaces, it is
// in contact from the start; where it only would be if it did not move, it is not.
func TestRootStartsInside(t *testing.T) {
	still := resting(t, "x")
	foot := scaled(lMesh(), 10) // the foot reaches from (0, 0) to (10, 2), 2 m thick
	for _, k := range []struct {
		start geom.Pose
		want  motion.Status
	}{
		{pose(5, 1, 0), motion.Contact},
		{pose(5, 5, 0), motion.Free},
		{geom.Pose{R: geom.AxisAngle(geom.Vec{Z: 1}, 2), P: geom.Vec{X: 5, Y: 1}}, motion.Contact},
	} {
		for _, at := range []geom.Pose{pose(0, 0, 0), pose(-5, -1, 0)} {
			c := newChecker(t, slider(), worldOf(object("L", foot, at)))
			r := motion.RootPiece{Start: k.start, Velocity: geom.Vec{X: 0.01}}
			r.Start.P = r3.Add(r.Start.P, at.P)
			v := ask(t, c, onRoot(t, still, r), motion.Query{})
			if v.Status != k.want || v.Status == motion.Contact && v.TOC.Hi > 1e-6 {
				t.Errorf("from %v, the solid at %v: %v at %g", r.Start.P, at.P, v.Status, v.TOC.Hi)
			}
		}
	}
}

// The robot's own pairs do not notice that the root link moves.
func TestRootMovesNoOwnPair(t *testing.T) {
	robot := chainOf(
		chainJoint{name: "shoulder", kind: urdf.Revolute, axis: geom.Vec{Z: 1}, origin: geom.IdentityPose(), shape: ball(0.1), at: pose(1, 0, 0)},
		chainJoint{name: "elbow", kind: urdf.Revolute, axis: geom.Vec{Z: 1}, origin: pose(1, 0, 0)},
		chainJoint{name: "wrist", kind: urdf.Prismatic, axis: geom.Vec{X: 1}, origin: geom.IdentityPose(), shape: ball(0.1), at: pose(1, 0, 0)},
	)
	robot.Semantic = &urdf.Semantic{}
	c := newChecker(t, robot, nil)
	m, err := motion.Between([]string{"wrist"}, []float64{0}, []float64{-1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	wantContactAt(t, ask(t, c, m, motion.Query{}), 0.8, 1e-6)
	r := motion.RootPiece{Start: geom.Pose{R: geom.AxisAngle(geom.Vec{X: 1}, 1), P: geom.Vec{Y: 7}}, Velocity: geom.Vec{X: 5, Y: -3}, Turn: geom.Vec{X: 3, Z: 2}}
	wantContactAt(t, ask(t, c, onRoot(t, m, r), motion.Query{}), 0.8, 1e-6)
}

// rootMotion draws a motion with a root link that moves: one or two pieces.
func (d dice) rootMotion(joints []string) *motion.Motion {
	m := d.motion(joints)
	size := [...]float64{0, 0.1, 1, 3}
	draw := func() geom.Vec { return r3.Scale(size[d.IntN(4)]*d.Float64(), d.Unit()) }
	at := d.Pose(0.3)
	for i := range m.Pieces {
		r := motion.RootPiece{Start: at, Point: r3.Add(at.P, draw()), Velocity: draw(), Turn: draw()}
		m.Root = append(m.Root, r)
		part := &motion.Motion{Joints: joints, Pieces: m.Pieces[i : i+1], Root: m.Root[i:]}
		at = part.RootAt(m.Pieces[i].End)
	}
	return m
}

// rooted is a random robot whose root link, unlike dice.robot's, may have shapes.
func (d dice) rooted() *urdf.Robot {
	r := d.robot()
	if d.IntN(2) == 0 {
		r.Links[0].Collisions = []urdf.Collision{{PoseLS: d.Pose(0.2), Shape: d.shape(0.12)}}
	}
	return r
}

// seenFrom returns the world in the frame at pose.
func seenFrom(w *scene.Snapshot, pose geom.Pose) *scene.Snapshot {
	moved := *w
	moved.Objects = append([]scene.Object(nil), w.Objects...)
	for i := range moved.Objects {
		moved.Objects[i].PoseWS = pose.Inv().Mul(w.Objects[i].PoseWS)
	}
	return &moved
}

// distanceAt is the distance at one time: that of the robot on a root link that
// stands still, in a world that has been moved instead.
func distanceAt(t *testing.T, c *Checker, m *motion.Motion, at float64) float64 {
	t.Helper()
	if len(m.Root) > 0 {
		var err error
		if c, err = c.WithWorld(seenFrom(c.World(), m.RootAt(at))); err != nil {
			t.Fatal(err)
		}
	}
	positions := map[string]float64{}
	for j, x := range m.At(at) {
		positions[m.Joints[j]] = x
	}
	d, err := c.Distance(context.Background(), positions, motion.DistanceQuery{})
	if err != nil {
		t.Fatal(err)
	}
	return math.Min(d.Self.Hi, d.World.Hi)
}

// long multiplies the work of a random test by FIRSTCONTACT_LONG.
func long(scenes int) int {
	return switches.Long.Times(scenes, 10)
}

// wantShares fails where a random test is one-sided.
func wantShares(t *testing.T, count map[motion.Status]int, scenes int) {
	t.Helper()
	t.Logf("%d scenes: %v", scenes, count)
	if n := count[motion.Undecided]; n > 0 {
		t.Errorf("%d undecided", n)
	}
	if share := float64(count[motion.Contact]) / float64(scenes); share < 0.2 || share > 0.8 {
		t.Errorf("%.0f %% of the scenes collide: the test is one-sided", 100*share)
	}
}

// TestRootInRandomScenes holds verdicts on moving root links against static
// distances at many times, in worlds that move instead.
func TestRootInRandomScenes(t *testing.T) {
	race.LeaveOut(t)
	scenes, count := long(watched(120)), map[motion.Status]int{}
	for i := range scenes {
		d := dice{chance.New(11, uint64(i))}
		c := newChecker(t, d.rooted(), d.world())
		m := d.rootMotion(c.ActiveJoints())
		q := motion.Query{}
		if d.IntN(3) == 0 {
			q.Clearance = d.In(0, 0.1)
		}
		if d.IntN(2) == 0 {
			q.Question = motion.MinClearance
		}
		v := ask(t, c, m, q)
		count[v.Status]++
		holdsAt(t, fmt.Sprintf("scene %d", i), m, q, &v, 60, func(at float64) float64 { return distanceAt(t, c, m, at) })
	}
	wantShares(t, count, scenes)
}

// holdsAt holds a verdict against distances at samples times.
func holdsAt(t *testing.T, name string, m *motion.Motion, q motion.Query, v *motion.Verdict, samples int, distance func(at float64) float64) {
	t.Helper()
	smallest, start := math.Inf(1), m.Pieces[0].Start
	for i := range samples + 1 {
		at := start + (v.ProvenUntil-start)*float64(i)/float64(samples)
		if v.Status == motion.Contact {
			if v.ProvenUntil <= start {
				break // touches from the start: nothing was proved
			}
			at -= 1e-9 * (at - start) // the end itself is not proved
		}
		d := distance(at)
		smallest = math.Min(smallest, d)
		if d <= q.Clearance-1e-9 {
			t.Fatalf("%s: %v, proven until %g, but at %g the distance is %g (clearance %g)", name, v.Status, v.ProvenUntil, at, d, q.Clearance)
		}
	}
	switch {
	case v.Status == motion.Contact:
		if d := distance(v.TOC.Hi); d > q.Clearance+2*motion.DefaultTolerance {
			t.Errorf("%s: contact at %.9f, but the distance there is %g (clearance %g)", name, v.TOC.Hi, d, q.Clearance)
		}
	case v.Status == motion.Free && v.ProvenUntil != m.Duration():
		t.Errorf("%s: free, but proven until %g of %g s", name, v.ProvenUntil, m.Duration())
	case v.MinClearance.Known:
		b := v.MinClearance.Bounds
		if smallest < b.Lo-1e-9 || b.Hi > smallest+motion.DefaultClearanceTolerance {
			t.Errorf("%s: clearance in [%g, %g], but the closest sample is %g apart", name, b.Lo, b.Hi, smallest)
		}
	}
}

// jointed returns the robot with its root link on two more joints that do what r
// does: a slide along the velocity and a turn about the axis through the point.
func jointed(robot *urdf.Robot, r *motion.RootPiece) (*urdf.Robot, geom.Vec) {
	along, ok := geom.Unit(r.Velocity)
	if !ok {
		along = geom.Vec{X: 1}
	}
	about, ok := geom.Unit(r.Turn)
	if !ok {
		about = geom.Vec{X: 1}
	}
	out := *robot
	n, j := len(robot.Links), len(robot.Joints)
	out.Links = append(append([]urdf.Link(nil), robot.Links...),
		urdf.Link{Name: "w", ParentJoint: -1}, urdf.Link{Name: "w_slide", ParentJoint: j}, urdf.Link{Name: "w_turn", ParentJoint: j + 1})
	out.Links[robot.Root].ParentJoint = j + 2
	wide := urdf.Limit{Bounded: true, Lower: -100, Upper: 100}
	out.Joints = append(append([]urdf.Joint(nil), robot.Joints...),
		urdf.Joint{Name: "root_slide", Type: urdf.Prismatic, Parent: n, Child: n + 1, PosePC: geom.IdentityPose(), Axis: along, Limit: wide},
		urdf.Joint{Name: "root_turn", Type: urdf.Revolute, Parent: n + 1, Child: n + 2, PosePC: geom.Translation(r.Point), Axis: about, Limit: wide},
		urdf.Joint{Name: "root_glue", Type: urdf.Fixed, Parent: n + 2, Child: robot.Root, PosePC: geom.Translation(r3.Scale(-1, r.Point)).Mul(r.Start)})
	out.Root = n
	return &out, geom.Vec{X: geom.Norm(r.Velocity), Y: geom.Norm(r.Turn)}
}

// TestRootIsTwoJoints holds the verdicts on a moving root link against those on a
// robot with two more joints, which knows nothing of moving roots.
func TestRootIsTwoJoints(t *testing.T) {
	scenes, count, ties := long(300), map[motion.Status]int{}, 0
	for i := range scenes {
		d := dice{chance.New(13, uint64(i))}
		robot, world := d.rooted(), d.world()
		c := newChecker(t, robot, world)
		m := d.rootMotion(c.ActiveJoints())
		m.Pieces, m.Root = m.Pieces[:1], m.Root[:1]
		q := motion.Query{}
		if d.IntN(3) == 0 {
			q.Clearance = d.In(0, 0.1)
		}
		long, rates := jointed(robot, &m.Root[0])
		mm := &motion.Motion{Joints: append(append([]string(nil), m.Joints...), "root_slide", "root_turn"), Pieces: append([]motion.Piece(nil), m.Pieces...)}
		mm.Pieces[0].Ctrl = append(append([][]float64(nil), m.Pieces[0].Ctrl...), []float64{0, rates.X}, []float64{0, rates.Y})
		v, w := ask(t, c, m, q), ask(t, newChecker(t, long, world), mm, q)
		count[v.Status]++
		if v.Status == w.Status && math.Abs(v.TOC.Hi-w.TOC.Hi) <= 1e-5 {
			continue
		}
		// Within the tolerance either answer is right.
		if v.Status == motion.Contact && (w.Status == motion.Free || v.TOC.Hi < w.TOC.Hi) {
			v, w = w, v
		}
		if d := distanceAt(t, c, m, w.TOC.Hi); w.Status != motion.Contact || d <= q.Clearance-1e-9 || d > q.Clearance+2*motion.DefaultTolerance {
			t.Errorf("scene %d: %v at %g, with joints in place of the root %v at %g; the distance there is %g", i, v.Status, v.TOC.Hi, w.Status, w.TOC.Hi, d)
		}
		ties++
	}
	wantShares(t, count, scenes)
	if ties > scenes/20 {
		t.Errorf("%d ties", ties)
	}
}

// The humanoid of the scans walks above a floor: its feet are within centimetres
// of it, and go through one that is higher.
func TestRootWalks(t *testing.T) {
	if race.Enabled {
		t.Skip("a large model, and nothing for the race detector to find")
	}
	shared := filepath.Join("..", "..", "shared")
	if _, err := os.Stat(shared); err != nil {
		t.Skipf("no real data beside the repository: %v", err)
	}
	robot := loadRobot(t, filepath.Join(shared, "robots", "g1", "g1.urdf"), "")
	columns := []string{"root_x", "root_y", "root_z", "root_qx", "root_qy", "root_qz", "root_qw"}
	for i := range robot.Joints {
		if robot.Joints[i].Type != urdf.Fixed {
			columns = append(columns, robot.Joints[i].Name)
		}
	}
	loaded, err := motionfile.Load(filepath.Join(shared, "scenes", "g1_moves", "B_HandsUp.csv"), motionfile.Options{Joints: columns, Rate: 60})
	if err != nil {
		t.Fatal(err)
	}
	m := *loaded[0].Motion
	m.Pieces, m.Root = m.Pieces[:120], m.Root[:120] // two seconds
	bare := newChecker(t, robot, nil)
	for top, want := range map[float64]motion.Status{-0.05: motion.Free, 0.1: motion.Contact} {
		c, err := bare.WithWorld(worldOf(object("floor", box(20, 20, 1), pose(0, 0, top-0.5))))
		if err != nil {
			t.Fatal(err)
		}
		q := motion.Query{NoSelf: true}
		v := ask(t, c, &m, q)
		if v.Status != want {
			t.Errorf("floor at %g m: %v", top, v.Status)
		}
		t.Logf("floor at %g m: %v in %v", top, v.Status, v.Compute)
	}
}

// watched is n, or a third under the race detector, which finds nothing in what one
// goroutine does.
func watched(n int) int {
	if race.Enabled {
		return (n + 2) / 3
	}
	return n
}
