package catch

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/shape"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// slider is a robot of one link that slides along x, or turns about z.
func slider(kind urdf.JointType, axis geom.Vec, at geom.Pose, s *shape.Shape) *urdf.Robot {
	return &urdf.Robot{
		Name:  "slider",
		Links: []urdf.Link{{Name: "base", ParentJoint: -1}, {Name: "tool", ParentJoint: 0, Collisions: []urdf.Collision{{PoseLS: at, Shape: s}}}},
		Joints: []urdf.Joint{{
			Name: "slide", Type: kind, Parent: 0, Child: 1, PosePC: geom.IdentityPose(), Axis: axis,
			Limit: urdf.Limit{Bounded: true, Lower: -10, Upper: 10},
		}},
	}
}

func worldOf(s *shape.Shape, at geom.Pose) *scene.Snapshot {
	return &scene.Snapshot{Objects: []scene.Object{{ID: "obstacle", Shape: s, PoseWS: at}}}
}

func at(x, y, z float64) geom.Pose { return geom.Translation(geom.Vec{X: x, Y: y, Z: z}) }

// TestClosedForms holds times of contact against those that a formula gives.
func TestClosedForms(t *testing.T) {
	x, z := geom.Vec{X: 1}, geom.Vec{Z: 1}
	wall := box(1, 4, 4)
	for _, c := range []struct {
		name  string
		robot *urdf.Robot
		world *scene.Snapshot
		from  float64
		to    float64
		q     motion.Query
		pad   float64
		want  float64 // the joint's position at the contact
	}{
		{name: "ball against a wall", robot: slider(urdf.Prismatic, x, at(0, 0, 0), ball(0.1)), world: worldOf(wall, at(2, 0, 0)), to: 3, want: 1.4},
		{name: "the same with clearance", robot: slider(urdf.Prismatic, x, at(0, 0, 0), ball(0.1)), world: worldOf(wall, at(2, 0, 0)), to: 3, q: motion.Query{Clearance: 0.05}, want: 1.35},
		{name: "the same padded", robot: slider(urdf.Prismatic, x, at(0, 0, 0), ball(0.1)), world: worldOf(wall, at(2, 0, 0)), to: 3, pad: 0.02, want: 1.38},
		{name: "point on an arm against a plane", robot: slider(urdf.Revolute, z, at(1, 0, 0), ball(1e-9)), world: worldOf(box(4, 1, 4), at(0, 1, 0)), to: 3, want: math.Asin(0.5)},
		{name: "bar that turns about its middle", robot: slider(urdf.Revolute, z, at(0, 0, 0), box(2, 0.1, 0.1)), world: worldOf(box(4, 1, 4), at(0, 1, 0)), to: 3, want: math.Asin(0.5/math.Hypot(1, 0.05)) - math.Atan(0.05)},
		{name: "a cell", robot: slider(urdf.Prismatic, x, at(0, 0, 0), ball(0.1)), world: worldOf(&shape.Shape{Kind: shape.Cells, Cells: []geom.Box{{Min: geom.Vec{X: 1}, Max: geom.Vec{X: 2, Y: 1, Z: 1}}}}, at(0, -0.5, -0.5)), to: 3, want: 0.9},
		{name: "two points", robot: slider(urdf.Prismatic, x, at(0, 0, 0), ball(0.1)), world: worldOf(&shape.Shape{Kind: shape.Points, Radius: 0.2, Points: []geom.Vec{{X: 1}, {X: 5}}}, at(0, 0, 0)), to: 3, want: 0.7},
		{name: "grazing by less than nothing", robot: slider(urdf.Prismatic, x, at(0, 0, 0), ball(0.1)), world: worldOf(ball(0.1), at(1, 0.2-1e-9, 0)), to: 3, want: 1},
	} {
		r := newRig(t, c.robot, c.world, c.pad, false)
		v := r.w.Check(context.Background(), r.bind(t, slide(c.from, c.to)), c.q)
		tol := 3e-6
		if strings.HasPrefix(c.name, "grazing") {
			tol = 1e-3 // the distance there is flat
		}
		if got := c.from + v.TOC.Hi*(c.to-c.from); v.Status != motion.Contact || math.Abs(got-c.want) > tol {
			t.Errorf("%s: %v at %g, want contact at %g", c.name, v.Status, got, c.want)
		}
	}
}

// passing is a ball that slides along a diagonal past another, so that no box along the
// axes parts them.
func passing(miss float64) (*urdf.Robot, *scene.Snapshot) {
	along, _ := geom.Unit(geom.Vec{X: 1, Y: 1, Z: 1})
	aside, _ := geom.Unit(geom.Vec{X: 1, Y: -1})
	other := r3.Add(along, r3.Scale(0.2+miss, aside))
	return slider(urdf.Prismatic, along, at(0, 0, 0), ball(0.1)), worldOf(ball(0.1), geom.Translation(other))
}

// TestNearMisses: what passes by is free, by however little more than the tolerance.
func TestNearMisses(t *testing.T) {
	for _, miss := range []float64{1e-2, 1e-3, 1e-4, 1e-5} {
		robot, world := passing(miss)
		r := newRig(t, robot, world, 0, false)
		v := r.w.Check(context.Background(), r.bind(t, slide(0, 3)), motion.Query{})
		if v.Status != motion.Free || v.ProvenUntil != 1 || r.w.Stats().HullSteps == 0 {
			t.Errorf("a miss by %g: %v until %g (%s)", miss, v.Status, v.ProvenUntil, v.Reason)
		}
		t.Logf("%g: %+v", miss, r.w.Stats())
	}
}

// TestInsideAtTheStart: a body inside a closed mesh touches none of its triangles.
func TestInsideAtTheStart(t *testing.T) {
	inElbow := at(0.1, 0.1, 0) // the corner of an L with arms 0.2 wide
	cloud := &shape.Shape{Kind: shape.Points, Radius: 1e-3, Points: []geom.Vec{{X: 9}, {}}}
	for _, s := range []*shape.Shape{ball(0.01), meshOf(elbow(0.05)), cloud} {
		for _, q := range []motion.Question{motion.FirstContact, motion.IsFree} {
			robot := slider(urdf.Prismatic, geom.Vec{X: 1}, inElbow, s)
			r := newRig(t, robot, worldOf(meshOf(elbow(1)), at(0, 0, 0)), 0, false)
			v := r.w.Check(context.Background(), r.bind(t, slide(0, 0.01)), motion.Query{Question: q})
			if v.Status != motion.Contact || v.TOC.Hi != 0 {
				t.Errorf("%v inside: %v in %v", s.Kind, v.Status, v.TOC)
			}
			r = newRig(t, slider(urdf.Prismatic, geom.Vec{X: 1}, inElbow, meshOf(elbow(1))), worldOf(s, inElbow.Mul(inElbow)), 0, false)
			if v = r.w.Check(context.Background(), r.bind(t, slide(0, 0.01)), motion.Query{Question: q}); v.Status != motion.Contact || v.TOC.Hi != 0 {
				t.Errorf("around %v: %v in %v", s.Kind, v.Status, v.TOC)
			}
		}
	}
}

// TestEndsWhenTold: a cancelled or spent check is undecided and proves no more than it
// has looked at.
func TestEndsWhenTold(t *testing.T) {
	robot, world := passing(1e-5)
	r := newRig(t, robot, world, 0, false)
	b := r.bind(t, slide(0, 3))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if v := r.w.Check(ctx, b, motion.Query{}); v.Status != motion.Undecided || v.Reason != "cancelled" || v.ProvenUntil != 0 {
		t.Errorf("cancelled: %v until %g: %s", v.Status, v.ProvenUntil, v.Reason)
	}
	if v := r.w.Check(context.Background(), b, motion.Query{Budget: time.Nanosecond}); v.Status != motion.Undecided || v.ProvenUntil >= 1 || v.Reason == "" {
		t.Errorf("spent: %v until %g: %s", v.Status, v.ProvenUntil, v.Reason)
	}
}

// TestPrepareNamesWhatIsTooFar: no hierarchy is made of boxes that are not numbers.
func TestPrepareNamesWhatIsTooFar(t *testing.T) {
	m, err := model.New(slider(urdf.Prismatic, geom.Vec{X: 1}, at(0, 0, 0), ball(0.1)), worldOf(ball(1), at(3, 0, 0)), nil, &model.Library{})
	if err != nil {
		t.Fatal(err)
	}
	far := &m.Elements[1] // which model.New refuses, too
	far.PoseFE.P.X, far.Core.Radius, far.Radius = 1.5e308, 1e308, 1e308
	m.PairUp(func(_, _ *model.Body) string { return "" })
	if _, err := Prepare(m); err == nil || !strings.Contains(err.Error(), "obstacle") {
		t.Errorf("%v", err)
	}
}

// TestProvenIsOfAllPairs: the pair that is proved apart for the shortest time counts.
func TestProvenIsOfAllPairs(t *testing.T) {
	for _, c := range []struct {
		lower []float64
		want  float64
	}{{nil, 1}, {[]float64{1, 1}, 1}, {[]float64{0.7, 0.2, 0.9}, 0.2}, {[]float64{0.1, 0.2}, 0.1}} {
		w := Worker{}
		for _, x := range c.lower {
			w.pcls = append(w.pcls, pcl{lower: x})
		}
		if got := w.proven(); got != c.want {
			t.Errorf("pairs apart until %v: proved until %g", c.lower, got)
		}
	}
}

// TestAnswers: what the method lacks is said, and never answered.
func TestAnswers(t *testing.T) {
	r := newRig(t, slider(urdf.Prismatic, geom.Vec{X: 1}, at(0, 0, 0), ball(0.1)), worldOf(ball(0.1), at(1, 0, 0)), 0, false)
	b := r.bind(t, slide(0, 0.1))
	for _, q := range []motion.Query{{Question: motion.MinClearance}, {Tube: map[string]float64{"slide": 0.1}}} {
		err := (Engine{}).Answers(q)
		if err == nil || !strings.Contains(err.Error(), "spacetime") {
			t.Errorf("%+v: %v", q, err)
		}
		if v := r.w.Check(context.Background(), b, q); v.Status != motion.Undecided || v.Reason != fmt.Sprint(err) {
			t.Errorf("%+v: %v", q, v.Status)
		}
	}
	for _, q := range []motion.Query{{}, {Question: motion.IsFree}, {Clearance: 0.1}} {
		if err := (Engine{}).Answers(q); err != nil {
			t.Error(err)
		}
	}
}

// TestSlowFirst: what is fast at last has the speed of the end of its stretch, not of the
// start or the middle.
func TestSlowFirst(t *testing.T) {
	along, _ := geom.Unit(geom.Vec{X: 1, Y: 1, Z: 1})
	robot := slider(urdf.Prismatic, along, at(0, 0, 0), ball(0.1))
	r := newRig(t, robot, worldOf(ball(0.1), geom.Translation(r3.Scale(1.6, along))), 0, false)
	m := slide(0, 3)
	m.Pieces[0].Ctrl[0] = []float64{0, 0, 0, 0, 0, 3} // 3 t^5
	want := math.Pow(1.4/3, 0.2)
	for _, sums := range []bool{false, true} {
		r.w.Options.SumsOfNorms = sums
		v := r.w.Check(context.Background(), r.bind(t, m), motion.Query{})
		if v.Status != motion.Contact || math.Abs(v.TOC.Hi-want) > 2e-6 {
			t.Errorf("%v in %v, want contact at %g", v.Status, v.TOC, want)
		}
	}
}

// TestTimeToleranceCutsTheCrawl: a generous one saves steps, and bounds the time of
// contact all the same.
func TestTimeToleranceCutsTheCrawl(t *testing.T) {
	robot := slider(urdf.Revolute, geom.Vec{Z: 1}, at(1, 0, 0), box(0.5, 0.1, 0.1))
	r := newRig(t, robot, worldOf(box(4, 1, 4), at(0, 1, 0)), 0, false)
	b := r.bind(t, slide(0, 3))
	exact := r.w.Check(context.Background(), b, motion.Query{TimeTolerance: 1e-9})
	steps := r.w.Stats().Steps
	v := r.w.Check(context.Background(), b, motion.Query{TimeTolerance: 1e-2})
	if v.Status != motion.Contact || v.TOC.Hi-v.TOC.Lo > 1e-2 || v.TOC.Lo > exact.TOC.Hi || v.TOC.Hi < exact.TOC.Lo {
		t.Errorf("%v in %v, exactly in %v", v.Status, v.TOC, exact.TOC)
	}
	if got := r.w.Stats().Steps; got >= steps {
		t.Errorf("%d steps, %d to the nanosecond", got, steps)
	}
}

// TestSteady: a check allocates nothing once its worker has grown.
func TestSteady(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	for i := range uint64(12) {
		d := newDice(4, i)
		robot := d.robot()
		r := newRig(t, robot, d.world(robot), 0, i%2 == 0)
		b := r.bind(t, d.motion(r.m.Tree, i%2 == 0))
		check := func() { r.w.Check(context.Background(), b, motion.Query{Question: motion.Question(i % 2)}) }
		for range 60 {
			check() // the Taylor models of so many stretches are kept
		}
		if n := testing.AllocsPerRun(5, check); n > 0 {
			t.Errorf("scene %d: %g allocations a check", i, n)
		}
	}
}
