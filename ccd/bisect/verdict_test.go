package bisect

import (
	"context"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/shape"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

var everyWay = []Options{
	{}, {Refined: true}, {Cover: Ends}, {Cover: UncoveredMidst}, {Order: LongestFirst}, {Order: EarliestFirst}, {NoNever: true},
}

// A ball on an arm meets a ball: the cosine law says when.
func TestFirstContactOfTwoBalls(t *testing.T) {
	const pin, ball = 0.05, 0.1
	at := geom.Vec{X: math.Cos(1.2), Y: math.Sin(1.2)}
	world := &scene.Snapshot{Objects: []scene.Object{{ID: "ball", Shape: &shape.Shape{Kind: shape.Sphere, Radius: pin}, PoseWS: geom.Translation(at)}}}
	m, err := motion.Between([]string{"turn"}, []float64{0}, []float64{2}, 4)
	if err != nil {
		t.Fatal(err)
	}
	for _, clearance := range []float64{0, 0.03} {
		want := (1.2 - 2*math.Asin((pin+ball+clearance)/2)) * 2 // 0.5 rad/s
		for _, o := range everyWay {
			r := newRig(t, arm(1, ball), world, 0, m)
			r.w.Options = o
			v := r.check(motion.Query{Clearance: clearance})
			if v.Status != motion.Contact || v.TOC.Lo > want || v.TOC.Hi < want-1e-5 || v.TOC.Hi-v.TOC.Lo > 1e-6 {
				t.Errorf("%+v, clearance %g: %v within %+v, want %.9f", o, clearance, v.Status, v.TOC, want)
			}
			if some := r.check(motion.Query{Clearance: clearance, Question: motion.IsFree}); some.Status != motion.Contact || some.TOC.Lo > want {
				t.Errorf("%+v, clearance %g: %v, proved until %g, contact at %.9f", o, clearance, some.Status, some.TOC.Lo, want)
			}
			if v.Contact.Distance > clearance+motion.DefaultTolerance || v.Contact.Pair.B.Name != "ball" {
				t.Errorf("%+v: witness %+v", o, v.Contact)
			}
			if got := geom.Norm(geom.Vec{X: v.Contact.PointB.X - v.Contact.PointA.X, Y: v.Contact.PointB.Y - v.Contact.PointA.Y, Z: v.Contact.PointB.Z - v.Contact.PointA.Z}); math.Abs(got-v.Contact.Distance) > 1e-9 {
				t.Errorf("%+v: points are %g apart, not %g", o, got, v.Contact.Distance)
			}
		}
	}
}

// A ball slides towards a wall, past pins of which it touches some before: the first is
// found, wherever they are and whatever was found of the others before.
func TestFirstOfSeveral(t *testing.T) {
	const ball, pin = 0.01, 1e-3
	d := newDice(71, 1)
	for i := range 100 {
		robot := arm(0, ball)
		robot.Joints[0].Type, robot.Joints[0].Axis = urdf.Prismatic, geom.Vec{X: 1}
		world, want := &scene.Snapshot{}, 1.0
		for _, name := range []string{"a", "b", "c"} {
			x := d.in(0.1, 1)
			world.Objects = append(world.Objects, scene.Object{ID: name, Shape: &shape.Shape{Kind: shape.Sphere, Radius: pin}, PoseWS: geom.Translation(geom.Vec{X: x})})
			want = math.Min(want, x-ball-pin)
		}
		wall := d.in(0.1, 1)
		world.Objects = append(world.Objects, scene.Object{ID: "wall", Shape: &shape.Shape{Kind: shape.Box, Size: geom.Vec{X: 2, Y: 1, Z: 1}}, PoseWS: geom.Translation(geom.Vec{X: wall + 1})})
		want = math.Min(want, wall-ball)
		m, err := motion.Between([]string{"turn"}, []float64{0}, []float64{1}, 1)
		if err != nil {
			t.Fatal(err)
		}
		r := newRig(t, robot, world, 0, m)
		for _, o := range everyWay {
			r.w.Options = o
			if v := r.check(motion.Query{}); v.Status != motion.Contact || v.TOC.Lo > want || v.TOC.Hi < want-1.1e-6 || v.TOC.Hi-v.TOC.Lo > 1e-6 {
				t.Fatalf("case %d, %+v: %v within %+v, want %.9f", i, o, v.Status, v.TOC, want)
			}
			if v := r.check(motion.Query{Question: motion.IsFree}); v.Status != motion.Contact || v.TOC.Lo > want {
				t.Fatalf("case %d, %+v: %v, proved until %g, contact at %g", i, o, v.Status, v.TOC.Lo, want)
			}
		}
	}
}

// A root link that turns about a point far from it goes as far as that asks for.
func TestRootTurnsAboutAPoint(t *testing.T) {
	robot := arm(1, 0.01)
	robot.Links[0].Collisions = made(&shape.Shape{Kind: shape.Sphere, Radius: 0.01}, geom.Vec{})
	robot.Links[1].Collisions = nil
	world := &scene.Snapshot{Objects: []scene.Object{{
		ID: "pin", Shape: &shape.Shape{Kind: shape.Sphere, Radius: 0.01}, PoseWS: geom.Translation(geom.Vec{X: math.Cos(1), Y: math.Sin(1)}),
	}}}
	m := &motion.Motion{Joints: []string{"turn"}, Pieces: []motion.Piece{{End: 1, Ctrl: [][]float64{{0}}}}, Root: []motion.RootPiece{{Start: geom.Translation(geom.Vec{X: 1}), Turn: geom.Vec{Z: 2}}}}
	r := newRig(t, robot, world, 0, m)
	got, err := r.w.PathLength(r.course, 0, 0, r.m.Pairs[0].A, geom.Vec{X: 1}, 1000)
	if err != nil {
		t.Fatal(err)
	}
	if got.Length > got.Lambda || got.Length < 1.99 || got.Lambda > 2.1 {
		t.Errorf("%+v", got)
	}
	want := (1 - 2*math.Asin(0.01)) / 2
	for _, o := range everyWay {
		r.w.Options = o
		if v := r.check(motion.Query{}); v.Status != motion.Contact || v.TOC.Lo > want || v.TOC.Hi < want-1e-5 {
			t.Errorf("%+v: %v within %+v, want %.9f", o, v.Status, v.TOC, want)
		}
	}
}

// A body inside a closed mesh touches no surface, and is in contact; one in the hole of
// a ring is not.
func TestContainment(t *testing.T) {
	ring := hollow(1) // between 0.6 and 1 from its axis, 0.3 high
	for _, tc := range []struct {
		name   string
		tip    *shape.Shape
		length float64
		want   motion.Status
	}{
		{"ball in the wall", &shape.Shape{Kind: shape.Sphere, Radius: 0.05}, 0.8, motion.Contact},
		{"mesh in the wall", elbow(0.1), 0.78, motion.Contact},
		{"points in the wall", &shape.Shape{Kind: shape.Points, Radius: 0.01, Points: []geom.Vec{{}, {Z: 0.9}}}, 0.8, motion.Contact},
		{"cells in the wall", &shape.Shape{Kind: shape.Cells, Cells: []geom.Box{{Max: geom.Vec{X: 0.05, Y: 0.05, Z: 0.05}}}}, 0.8, motion.Contact},
		{"ball in the hole", &shape.Shape{Kind: shape.Sphere, Radius: 0.05}, 0.3, motion.Free},
		{"mesh in the hole", elbow(0.1), 0.3, motion.Free},
		{"points in the hole", &shape.Shape{Kind: shape.Points, Radius: 0.01, Points: []geom.Vec{{}, {Z: 0.9}}}, 0.3, motion.Free},
	} {
		for _, o := range everyWay {
			robot := arm(1, 0.1)
			robot.Links[1].Collisions = []urdf.Collision{{PoseLS: geom.Translation(geom.Vec{X: tc.length}), Shape: tc.tip}}
			world := &scene.Snapshot{Objects: []scene.Object{{ID: "ring", Shape: ring, PoseWS: geom.IdentityPose()}}}
			m, err := motion.Between([]string{"turn"}, []float64{0}, []float64{0.05}, 1)
			if err != nil {
				t.Fatal(err)
			}
			r := newRig(t, robot, world, 0, m)
			r.w.Options = o
			for _, q := range []motion.Question{motion.IsFree, motion.FirstContact} {
				if v := r.check(motion.Query{Question: q}); v.Status != tc.want {
					t.Errorf("%s, %+v: %v %s", tc.name, o, v.Status, v.Reason)
				}
			}
			c, err := r.p.NewPathChecker([]string{"turn"}, []float64{0}, motion.Query{}, o)
			if err != nil {
				t.Fatal(err)
			}
			if touches, err := c.Touches([]float64{0}); err != nil || touches != (tc.want == motion.Contact) {
				t.Errorf("%s: touches %v, %v", tc.name, touches, err)
			}
		}
	}
}

// twoArms is two robots in one: two arms whose tips may meet.
func twoArms() *urdf.Robot {
	one := arm(1, 0.05)
	one.Links = append(one.Links, urdf.Link{Name: "other", ParentJoint: 1, Collisions: one.Links[1].Collisions})
	one.Joints = append(one.Joints, urdf.Joint{
		Name: "back", Type: urdf.Revolute, Parent: 0, Child: 2, PosePC: geom.Pose{R: geom.RPY(0, 0, math.Pi), P: geom.Vec{X: 1.5}},
		Axis: geom.Vec{Z: 1}, Limit: urdf.Limit{Bounded: true, Lower: -10, Upper: 10},
	})
	return one
}

// Two arms that swing through the same place meet if they are there together, and not
// if one is late.
func TestTwoArms(t *testing.T) {
	for _, tc := range []struct {
		name string
		to   []float64
		want motion.Status
	}{
		{"towards each other", []float64{0, 0}, motion.Contact},
		{"one after the other", []float64{0, -1.5}, motion.Free},
	} {
		m, err := motion.Between([]string{"turn", "back"}, []float64{1.5, -1.5}, tc.to, 1)
		if err != nil {
			t.Fatal(err)
		}
		r := newRig(t, twoArms(), nil, 0, m)
		for _, o := range everyWay {
			r.w.Options = o
			v := r.check(motion.Query{})
			if v.Status != tc.want {
				t.Errorf("%s, %+v: %v %s", tc.name, o, v.Status, v.Reason)
			}
			want := r.spacetime(motion.Query{})
			if v.Status == motion.Contact && (v.TOC.Lo > want.TOC.Hi || v.TOC.Hi < want.TOC.Lo-1e-5) {
				t.Errorf("%s, %+v: %+v, spacetime %+v", tc.name, o, v.TOC, want.TOC)
			}
		}
	}
}

// What the method lacks, a budget that is spent and a tolerance below all rounding end
// in Undecided with a reason.
func TestUndecided(t *testing.T) {
	// A ball slides along a plane at the clearance itself: no tolerance is met, nothing
	// is proved.
	robot := arm(1, 0.1)
	robot.Joints[0].Type, robot.Joints[0].Axis = urdf.Prismatic, geom.Vec{X: 1}
	world := &scene.Snapshot{Objects: []scene.Object{{
		ID: "floor", Shape: &shape.Shape{Kind: shape.Box, Size: geom.Vec{X: 9, Y: 9, Z: 1}}, PoseWS: geom.Translation(geom.Vec{Z: -0.6 - 1e-9}),
	}}}
	m, err := motion.Between([]string{"turn"}, []float64{0}, []float64{1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, robot, world, 0, m)
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	for _, tc := range []struct {
		name string
		ctx  context.Context
		o    Options
		q    motion.Query
		why  string
	}{
		{"tube", context.Background(), Options{}, motion.Query{Tube: map[string]float64{"turn": 0.1}}, "tube"},
		{"cancelled", gone, Options{}, motion.Query{}, "cancelled"},
		{"budget", context.Background(), Options{}, motion.Query{Tolerance: 1e-10, Budget: time.Millisecond}, "budget"},
		{"queue", context.Background(), Options{MaxQueue: 100, Order: LongestFirst}, motion.Query{Tolerance: 1e-10, Question: motion.IsFree}, "queue"},
		{"queue of volumes", context.Background(), Options{MaxQueue: 100, Order: LongestFirst, Refined: true}, motion.Query{Tolerance: 1e-10, Question: motion.IsFree}, "queue"},
	} {
		r.w.Options = tc.o
		v := r.w.Check(tc.ctx, r.course, tc.q)
		if v.Status != motion.Undecided || !strings.Contains(v.Reason, tc.why) || v.ProvenUntil > 0.5 {
			t.Errorf("%s: %v %q until %g", tc.name, v.Status, v.Reason, v.ProvenUntil)
		}
	}
	// At the default tolerance the same motion is a contact from the start.
	r.w.Options = Options{}
	if v := r.check(motion.Query{}); v.Status != motion.Contact || v.TOC.Hi != 0 {
		t.Errorf("%+v", v)
	}
}

// Pairs that the swept spheres leave out can never meet, and are left out.
func TestNeverPairs(t *testing.T) {
	left := 0
	for i := range uint64(rounds(40)) {
		r, q := random(t, 51, i)
		q.Question = motion.IsFree
		with := r.check(q)
		left += r.w.Stats().NeverPairs
		r.w.Options.NoNever = true
		without := r.check(q)
		if bad, _ := disagreement(&with, &without, &q); bad || with.Status == motion.Free && without.Status == motion.Contact {
			t.Fatalf("case %d: %+v, with all pairs %+v", i, with, without)
		}
		if r.w.Stats().NeverPairs != 0 {
			t.Error("pairs are left out that should not be")
		}
		never := r.w.never
		for k := range r.m.Pairs {
			p := &r.m.Pairs[k]
			if never[k] <= 0 {
				continue
			}
			w := r.w
			s := w.newSegment(r.course, r.course.Pieces()-1, false)
			w.load(s)
			c := w.config(s, 0.71)
			if d := exactly(&r.m.Elements[p.A], &r.m.Elements[p.B], *w.poseOf(c, p.A), *w.poseOf(c, p.B)); d < never[k]-1e-9 {
				t.Fatalf("case %d: pair %d is %g apart, never below %g is said", i, k, d, never[k])
			}
		}
	}
	if left < 20 && !race.Enabled {
		t.Errorf("only %d pairs are left out", left)
	}
}

// A worker that answered other questions gives the same answer as a fresh one.
func TestWorkersForgetNothingAndKeepNothing(t *testing.T) {
	for i := range uint64(20) {
		r, q := random(t, 61, i)
		first := r.check(q)
		other := newDice(62, i).motion(r.motn.Joints, len(r.motn.Root) > 0)
		was := r.motn
		r.bind(t, other)
		r.check(motion.Query{Question: motion.MinClearance})
		r.bind(t, was)
		again := r.check(q)
		first.Compute, again.Compute = 0, 0
		if first.Status != again.Status || first.TOC != again.TOC {
			t.Errorf("case %d: %+v, then %+v", i, first, again)
		}
	}
}

// Workers of one Prepared share it, in goroutines of their own, with equal verdicts.
func TestWorkersShareWhatIsPrepared(t *testing.T) {
	r, q := random(t, 63, 3)
	want := r.check(q)
	var g sync.WaitGroup
	for range 3 {
		g.Add(1)
		go func() {
			defer g.Done()
			w := r.p.NewWorker()
			if v := w.Check(context.Background(), r.course, q); v.Status != want.Status || v.TOC != want.TOC {
				t.Errorf("%v %+v, alone %v %+v", v.Status, v.TOC, want.Status, want.TOC)
			}
		}()
	}
	g.Wait()
}

// A shape without pieces is an error that names the body.
func TestPrepareNeedsPieces(t *testing.T) {
	r, _ := random(t, 1, 1)
	m := *r.m
	m.Elements = append([]model.Element(nil), m.Elements...)
	m.Elements[0].Leaves = &model.Leaves{}
	if _, err := Prepare(&m); err == nil || !strings.Contains(err.Error(), m.Bodies[m.Elements[0].Body].Name) {
		t.Errorf("error %v", err)
	}
}
