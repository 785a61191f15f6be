package bisect

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

var everyWay = []Options{
	{}, {Refined: true}, {Cover: Ends}, {Cover: UncoveredMidst}, {Order: LongestFirst}, {Order: EarliestFirst}, {NoNever: true},
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
		if disagree(&q, &with, &without) || with.Status == motion.Free && without.Status == motion.Contact {
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
