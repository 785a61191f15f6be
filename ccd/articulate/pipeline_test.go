package articulate

import (
	"context"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/shape"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// What stages are on, and where the thresholds are, changes no verdict.
func TestStagesDoNotChangeVerdicts(t *testing.T) {
	options := []Options{
		{NoDynamicBVH: true},
		{NoSweptCull: true},
		{NoDynamicBVH: true, NoSweptCull: true},
		{NoNewton: true},
		{OneStep: true},
		{MaxRefinement: -1},
		{MaxRefinement: 7, Grain: 0.1},
		{Grain: 0.5, MaxActive: 16},
		{NoDynamicBVH: true, NoSweptCull: true, NoNewton: true, MaxRefinement: 1, Timed: true},
	}
	var c tally
	for i := range trials(14) {
		d := newChance(9, uint64(i))
		r := randomTrial(t, d)
		q := motion.Query{}
		if d.IntN(3) == 0 {
			q.Clearance = d.in(0, 0.05)
		}
		r.w.Options = Options{}
		all := r.check(q)
		for k, o := range options {
			r.w.Options = o
			v := r.check(q)
			c.hold(t, fmt.Sprintf("trial %d, options %d", i, k), q, v, all)
			if v.Status != all.Status && c.ties == 0 {
				t.Errorf("trial %d, options %+v: %v instead of %v", i, o, v.Status, all.Status)
			}
		}
	}
	t.Logf("%v, ties %d, disagreements %d", c.count, c.ties, c.disagree)
	if !race.Enabled && min(c.count[motion.Contact], c.count[motion.Free]) < 20 {
		t.Errorf("%v: the test is one-sided", c.count)
	}
}

// Stats tells what each stage did, and nothing of one that is off.
func TestStats(t *testing.T) {
	ball := &shape.Shape{Kind: shape.Sphere, Radius: 0.1}
	soup := &shape.Shape{Kind: shape.Mesh, Mesh: newChance(10, 0).soup(40, 0.5)}
	far := worldOf(ball, soup)
	far.Objects = append(far.Objects, scene.Object{ID: "far", PoseWS: geom.Translation(geom.Vec{X: 50}), Shape: soup})
	r := newTrial(t, modelOf(t, arm(2, &shape.Shape{Kind: shape.Mesh, Mesh: newChance(10, 1).soup(40, 0.5)}), far), turning([]string{"j0", "j1"}, 1, 1))
	r.check(motion.Query{})
	s := r.w.Stats()
	if s.Pairs != 6 || s.PairsIn[0] < 6 || s.PairsOut[0] < 2 || s.PairsIn[2] == 0 || s.BVHTests == 0 || s.SweptTests == 0 || s.BoxTests == 0 || s.Leaves == 0 || s.Equations == 0 {
		t.Errorf("%+v", s)
	}
	if s.Total != 0 || s.Solver != 0 {
		t.Errorf("durations without being asked for: %+v", s)
	}
	r.w.Options = Options{NoDynamicBVH: true, NoSweptCull: true}
	r.check(motion.Query{})
	if s = r.w.Stats(); s.BVHTests != 0 || s.SweptTests != 0 || s.PairsIn[0] != 0 || s.PairsIn[1] != 0 || s.PairsIn[2] < 6 {
		t.Errorf("stages that are off: %+v", s)
	}
}

// A worker answers like a new one whatever it was asked before; workers share what was
// prepared.
func TestWorkersShareAndForget(t *testing.T) {
	for i := range 12 {
		d := newChance(11, uint64(i))
		r := randomTrial(t, d)
		moves := len(r.course.Motion.Root) > 0
		var trials []*trial
		var fresh []motion.Verdict
		for range 4 {
			other := newTrial(t, r.model, d.motion(r.model.Tree, 0.5, moves))
			trials, fresh = append(trials, other), append(fresh, other.check(motion.Query{}))
		}
		var wg sync.WaitGroup
		for range 2 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				w := r.w.p.NewWorker()
				for k, other := range trials {
					v := w.Check(context.Background(), other.course, motion.Query{})
					if v.Status != fresh[k].Status || v.TOC != fresh[k].TOC || v.Contact.PointA != fresh[k].Contact.PointA {
						t.Errorf("trial %d: %v %v after other questions, %v %v before", i, v.Status, v.TOC, fresh[k].Status, fresh[k].TOC)
					}
				}
			}()
		}
		wg.Wait()
	}
}

// What the method lacks is an error with a remedy, and no verdict.
func TestAnswers(t *testing.T) {
	ball := &shape.Shape{Kind: shape.Sphere, Radius: 0.1}
	r := newTrial(t, modelOf(t, arm(1, ball), worldOf(ball)), turning([]string{"j0"}, 1))
	for _, q := range []motion.Query{{Question: motion.MinClearance}, {Tube: map[string]float64{"j0": 0.1}}} {
		err := (Engine{}).Answers(q)
		if err == nil || !strings.Contains(err.Error(), "spacetime") {
			t.Errorf("%+v: %v", q, err)
		}
		if v := r.check(q); v.Status != motion.Undecided || v.Reason == "" {
			t.Errorf("%+v: %v, reason %q", q, v.Status, v.Reason)
		}
	}
	for _, q := range []motion.Query{{}, {Question: motion.IsFree, Clearance: 0.1, Workers: 3, NoSelf: true}} {
		if err := (Engine{}).Answers(q); err != nil {
			t.Errorf("%+v: %v", q, err)
		}
	}
	if _, err := Prepare(nil); err == nil {
		t.Error("no model is prepared")
	}
}

// A check that is stopped says so, and claims no more than it has proved.
func TestStoppedChecksAreUndecided(t *testing.T) {
	d := newChance(12, 0)
	soup := func() *shape.Shape { return &shape.Shape{Kind: shape.Mesh, Mesh: d.soup(60, 0.8)} }
	r := newTrial(t, modelOf(t, arm(3, soup()), worldOf(soup())), turning([]string{"j0", "j1", "j2"}, 2, 2, 2))
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	if v := r.w.Check(gone, r.course, motion.Query{}); v.Status != motion.Undecided || v.ProvenUntil != 0 || v.Reason == "" {
		t.Errorf("a check that was cancelled before it began: %+v", v)
	}
	full := r.check(motion.Query{})
	if v := r.check(motion.Query{Budget: time.Nanosecond}); v.Status != motion.Undecided || v.ProvenUntil > full.TOC.Hi && full.Status == motion.Contact {
		t.Errorf("a check without time: %+v", v)
	}
}

// The root link's box, a wall and a ball: times of contact are those of the formulas.
func TestTimesOfContactAreThoseOfFormulas(t *testing.T) {
	// A ball of radius r on a metre of arm turns towards another: they touch where the
	// chord is 2 r.
	const r, from, to = 0.1, -2, 1
	ball := &shape.Shape{Kind: shape.Sphere, Radius: r}
	robot := arm(1, ball)
	robot.Links[1].Collisions[0].PoseLS = geom.Translation(geom.Vec{X: 1})
	mo := &motion.Motion{Joints: []string{"j0"}, Pieces: []motion.Piece{{End: 0.5, Ctrl: [][]float64{{from, -1}}}, {Start: 0.5, End: 2, Ctrl: [][]float64{{-1, to}}}}}
	trial := newTrial(t, modelOf(t, robot, worldOf(ball)), mo)
	for _, clearance := range []float64{0, 0.05} {
		angle := -2 * math.Asin((2*r+clearance)/2)
		want := 0.5 + 1.5*(angle+1)/(to+1)
		v := trial.check(motion.Query{Clearance: clearance})
		if v.Status != motion.Contact || v.TOC.Lo > want+1e-9 || math.Abs(v.TOC.Hi-want) > 2e-6 || v.Segment != 1 {
			t.Errorf("clearance %g: %v at %v, want %.9f", clearance, v.Status, v.TOC, want)
		}
	}
}

// All contacts at the time of contact are told: a table's four legs come down at once,
// which is more than one pair of triangles.
func TestContactsAreAllTold(t *testing.T) {
	legs := &mesh.Mesh{}
	for _, at := range []geom.Vec{{X: 1, Y: 1}, {X: -1, Y: 1}, {X: 1, Y: -1}, {X: -1, Y: -1}} {
		n := int32(len(legs.Vertices))
		legs.Vertices = append(legs.Vertices, at, geom.Vec{X: 0.9 * at.X, Y: at.Y, Z: 1}, geom.Vec{X: at.X, Y: 0.9 * at.Y, Z: 1})
		legs.Triangles = append(legs.Triangles, [3]int32{n, n + 1, n + 2})
	}
	robot := arm(1, &shape.Shape{Kind: shape.Mesh, Mesh: legs})
	robot.Joints[0].Type, robot.Joints[0].PosePC = urdf.Prismatic, geom.Translation(geom.Vec{X: 1, Z: 0.5})
	ground := prism([]geom.Vec{{X: -2, Y: -2}, {X: 2, Y: -2}, {X: 2, Y: 2}, {X: 1.5, Y: 2}, {Y: 1.7}, {X: -2, Y: 2}}, 0.1) // not convex
	r := newTrial(t, modelOf(t, robot, worldOf(&shape.Shape{Kind: shape.Mesh, Mesh: ground})), turning([]string{"j0"}, -1))
	v := r.check(motion.Query{})
	if v.Status != motion.Contact || math.Abs(v.TOC.Hi-0.4) > 2e-6 {
		t.Fatalf("%v at %v", v.Status, v.TOC)
	}
	legsDown := map[[2]bool]bool{}
	own := false
	for _, c := range r.w.Contacts() {
		legsDown[[2]bool{c.PointA.X > 1, c.PointA.Y > 0}] = true
		own = own || c == v.Contact
		if c.Distance > motion.DefaultTolerance || c.Time != v.TOC.Hi || c.Pair != v.Contact.Pair {
			t.Errorf("%+v beside %+v", c, v.Contact)
		}
	}
	if len(legsDown) != 4 || !own {
		t.Errorf("%d of 4 legs are told to touch; the verdict's own contact among them: %v", len(legsDown), own)
	}
}
