package bisect

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/enginetest"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// exactly is the distance of two elements, all pieces against all.
func exactly(a, b *model.Element, poseA, poseB geom.Pose) float64 {
	least := math.Inf(1)
	for _, x := range enginetest.Pieces(a) {
		for _, y := range enginetest.Pieces(b) {
			least = math.Min(least, convex.Distance(&x, &poseA, &y, &poseB, nil).Distance)
		}
	}
	return least
}

// Every way to measure is a lower bound of the distance; EXACT-DIST is it, APPROX-DIST
// at least half of it, and GREEDY-DIST positive where bodies are apart. What they test
// is in the order of the paper's Table I.
func TestDistances(t *testing.T) {
	var bv [4]int
	sum, apart, together := 0.0, 0, 0
	for i := range uint64(rounds(60)) {
		r, _ := random(t, 21, i)
		for k := range r.m.Pairs {
			s := 0.37
			c := r.w
			exact, err := c.Measure(r.course, 0, s, k, Exact, math.Inf(1))
			if err != nil {
				t.Fatal(err)
			}
			p := &r.m.Pairs[k]
			at := c.config(c.loaded, s)
			want := exactly(&r.m.Elements[p.A], &r.m.Elements[p.B], *c.poseOf(at, p.A), *c.poseOf(at, p.B))
			if exact.Distance > want || exact.Distance < want-1e-7 {
				t.Fatalf("case %d, pair %d: EXACT-DIST %.12g, want %.12g", i, k, exact.Distance, want)
			}
			greedy, _ := c.Measure(r.course, 0, s, k, Greedy, 0)
			approx, _ := c.Measure(r.course, 0, s, k, Approximate, 0)
			coll, _ := c.Measure(r.course, 0, s, k, CollisionOnly, 0)
			if want < 1e-6 {
				together++
				continue
			}
			apart++
			sum += greedy.Distance / want
			if !(greedy.Distance > 0) || greedy.Distance > want {
				t.Fatalf("case %d, pair %d: GREEDY-DIST %g of %g", i, k, greedy.Distance, want)
			}
			if approx.Distance > want || approx.Distance < (1-epsilon)*want-1e-9 {
				t.Fatalf("case %d, pair %d: APPROX-DIST %g of %g", i, k, approx.Distance, want)
			}
			if coll.Distance != 1 {
				t.Fatalf("case %d, pair %d: COLL-CHECKER says %g at %g", i, k, coll.Distance, want)
			}
			for j, m := range [4]Measurement{coll, greedy, approx, exact} {
				bv[j] += m.BVTests + m.TriTests
			}
		}
	}
	t.Logf("%d apart, %d together; GREEDY-DIST is %.2f of the distance; tests of COLL-CHECKER, GREEDY, APPROX, EXACT: %v", apart, together, sum/float64(apart), bv)
	if !race.Enabled && (apart < 200 || together < 20) {
		t.Error("the test is one-sided")
	}
	if !(bv[0] <= bv[1]) || !(bv[1] < bv[3]) {
		t.Errorf("tests are not in the paper's order: %v", bv)
	}
}

// A course that is bound to another motion is measured on that.
func TestMeasureFollowsTheMotion(t *testing.T) {
	r, _ := thinRig(t, 1)
	first, err := r.w.Measure(r.course, 0, 0, 0, Exact, math.Inf(1))
	if err != nil {
		t.Fatal(err)
	}
	m, err := motion.Between([]string{"turn"}, []float64{0.5}, []float64{2}, 1)
	if err != nil {
		t.Fatal(err)
	}
	r.course.Bind(r.m.Tree, m, []float64{0}, []int{0})
	then, err := r.w.Measure(r.course, 0, 0, 0, Exact, math.Inf(1))
	if err != nil {
		t.Fatal(err)
	}
	if want := 2*math.Sin(0.25) - 2e-3; math.Abs(then.Distance-want) > 1e-9 || math.Abs(first.Distance-(2*math.Sin(0.5)-2e-3)) > 1e-9 {
		t.Errorf("%g, then %g, want %g", first.Distance, then.Distance, want)
	}
}

// A bad case of GREEDY-DIST (Fig. 5): bodies far apart in volumes that are close. The
// bound is one all the same, and a hundredth of the distance.
func TestGreedyBadCase(t *testing.T) {
	// Two corners of wire, whose rectangles lie side by side.
	wires := func(ends ...geom.Vec) *shape.Shape {
		m := &mesh.Mesh{}
		for i := 1; i < len(ends); i++ {
			for k := range 16 {
				at := func(k int) geom.Vec {
					return r3.Add(ends[i-1], r3.Scale(float64(k)/16, r3.Sub(ends[i], ends[i-1])))
				}
				n := int32(len(m.Vertices))
				m.Vertices = append(m.Vertices, at(k), at(k+1), at(k))
				m.Triangles = append(m.Triangles, [3]int32{n, n + 1, n + 2})
			}
		}
		return meshShape(m)
	}
	lower, upper := wires(geom.Vec{Y: 1}, geom.Vec{}, geom.Vec{X: 2}), wires(geom.Vec{Y: 1}, geom.Vec{X: 2, Y: 1}, geom.Vec{X: 2})
	robot := &urdf.Robot{
		Name: "bars", Links: []urdf.Link{{Name: "a", ParentJoint: -1}, {Name: "b", ParentJoint: 0, Collisions: []urdf.Collision{{PoseLS: geom.IdentityPose(), Shape: lower}}}},
		Joints: []urdf.Joint{{Name: "j", Type: urdf.Prismatic, Parent: 0, Child: 1, PosePC: geom.IdentityPose(), Axis: geom.Vec{X: 1}, Limit: urdf.Limit{Bounded: true, Lower: -9, Upper: 9}}},
	}
	world := &scene.Snapshot{Objects: []scene.Object{{ID: "c", Shape: upper, PoseWS: geom.Translation(geom.Vec{X: 2.01})}}}
	m, err := motion.Between([]string{"j"}, []float64{0}, []float64{0.1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, robot, world, 0, m)
	greedy, err := r.w.Measure(r.course, 0, 0, 0, Greedy, 0)
	if err != nil {
		t.Fatal(err)
	}
	exact, _ := r.w.Measure(r.course, 0, 0, 0, Exact, math.Inf(1))
	t.Logf("GREEDY-DIST %g, EXACT-DIST %g", greedy.Distance, exact.Distance)
	if greedy.Distance > 0.0101 || exact.Distance < 0.99 || !(greedy.Distance > 0) {
		t.Error("this is no bad case")
	}
	if _, err := r.w.Measure(r.course, 0, 2, 0, Greedy, 0); err == nil {
		t.Error("a time outside the piece is measured")
	}
	if _, err := r.w.Measure(r.course, 0, 0, 7, Greedy, 0); err == nil {
		t.Error("a pair that is none is measured")
	}
}
