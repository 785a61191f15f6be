package articulate

import (
	"fmt"
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/engine/agreement"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
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
	var c agreement.Tally
	for i := range trials(14) {
		d := newChance(9, uint64(i))
		r := randomTrial(t, d)
		q := motion.Query{}
		if d.IntN(3) == 0 {
			q.Clearance = d.In(0, 0.05)
		}
		r.w.Options = Options{}
		all := r.check(q)
		for k, o := range options {
			r.w.Options = o
			v := r.check(q)
			hold(t, &c, fmt.Sprintf("trial %d, options %d", i, k), q, v, all)
			if v.Status != all.Status && c.Ties == 0 {
				t.Errorf("trial %d, options %+v: %v instead of %v", i, o, v.Status, all.Status)
			}
		}
	}
	t.Log(&c)
	if !race.Enabled && min(c.Contact, c.Free) < 20 {
		t.Errorf("%v: the test is one-sided", &c)
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
