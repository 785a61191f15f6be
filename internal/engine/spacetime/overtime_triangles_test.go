package spacetime

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/distance"
	"github.com/firstcontact-ros/firstcontact/internal/engine/lanes"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// shapeOf returns a shape of an element: some triangle of a mesh; ok is false where it is none.
func (d dice) shapeOf(e *model.Element) (node int32, ok bool) {
	if !volume.IsMesh(e) {
		return 0, false
	}
	node = int32(d.IntN(len(e.Leaves.Tree.Nodes)))
	for volume.CanOpen(e, node) {
		node = e.Leaves.Tree.Nodes[node].Left + int32(d.IntN(2))
	}
	return node, true
}

// placedAt moves a triangle of an element to where the lanes have that at a time.
func (o *overTime) placedAt(element int, node int32, k int) (tri.Triangle, geom.Pose) {
	pose := o.s.w.stepped.lanes.Pose(element, k)
	t := volume.Triangle(o.s.w.m.Elements[element].Leaves, node)
	for i := range t {
		t[i] = pose.Apply(t[i])
	}
	return t, pose
}

// What is looked at of two triangles, grown or not, is a point of each, which are as far apart as is said, and hardly farther
// than the closest that float64 finds.
func TestClosestTrianglesAreOnTheirShapes(t *testing.T) {
	var self, world, grown, touching int
	for i := range rounds(60) {
		d := newDice(96, uint64(i))
		r := d.waving(t)
		r = newRig(t, r.Robot, r.world, [...]float64{0, 0.003}[d.IntN(2)], r.Motion)
		if r.profile(t, motion.ProfileQuery{}); r.w.stepped.lanes == nil {
			continue
		}
		w := r.w
		o := overTime{}
		r.place(0, 0.5, 0, 1)
		if !o.begin(w, 1e-3) {
			continue
		}
		o.s.bend(pendingInterval{hi: 1})
		w.stepped.lanes.Move()
		check := func(of distance.Shapes, k int, a, b tri.Triangle, poseA, poseB geom.Pose, radii float64) {
			t.Helper()
			c := o.look(of, k)
			exact := math.Max(0, tri.Distance(&a, &b).Distance-radii)
			if math.Abs(c.distance-exact) > 1e-6+exact/500 {
				t.Fatalf("motion %d, time %d: %v is %g apart, but said to be %g", i, k, of, exact, c.distance)
			}
			if c.distance == 0 {
				touching++
				return
			}
			between := r3.Sub(poseB.Apply(c.onB), poseA.Apply(c.onA))
			if err := math.Abs(geom.Norm(between) - c.distance); err > 1e-6 {
				t.Fatalf("motion %d, time %d: points that are %g apart for a distance of %g", i, k, geom.Norm(between), c.distance)
			}
			if n, _ := geom.Unit(between); c.distance > 1e-3 && geom.Norm(r3.Sub(n, c.normal)) > 1e-3 {
				t.Fatalf("motion %d, time %d: the normal %v of points along %v", i, k, c.normal, n)
			}
			for _, at := range [...]geom.Vec{r3.Sub(poseA.Apply(c.onA), tri.ClosestPoint(&a, poseA.Apply(c.onA))), r3.Sub(poseB.Apply(c.onB), tri.ClosestPoint(&b, poseB.Apply(c.onB)))} {
				if geom.Norm(at) > radii+1e-6 {
					t.Fatalf("motion %d, time %d: a point is %g off its triangle, which is grown by %g at most", i, k, geom.Norm(at), radii)
				}
			}
			if radii > 0 {
				grown++
			}
		}
		for range 40 {
			pair := d.IntN(len(r.model.Pairs))
			q, k := &r.model.Pairs[pair], d.IntN(lanes.Times)
			ea, eb := &r.model.Elements[q.A], &r.model.Elements[q.B]
			nodeA, okA := d.shapeOf(ea)
			if !okA {
				continue
			}
			a, poseA := o.placedAt(q.A, nodeA, k)
			if nodeB, ok := d.shapeOf(eb); ok {
				b, poseB := o.placedAt(q.B, nodeB, k)
				check(distance.Shapes{Of: distance.Start(pair), A: nodeA, B: nodeB}, k, a, b, poseA, poseB, volume.Radius(ea)+volume.Radius(eb))
				self++
			}
			if n := len(r.model.World.Items); n > 0 && r.model.Bodies[ea.Body].Link > 0 {
				item := int32(d.IntN(n))
				if it := &r.model.World.Items[item]; it.Leaf >= 0 {
					check(distance.Shapes{Of: distance.AgainstWorld(q.A), A: nodeA, B: item}, k, a, tri.Triangle(it.Vertices), poseA, geom.IdentityPose(), volume.Radius(ea)+it.Radius)
					world++
				}
			}
		}
	}
	if t.Logf("%d of the robot, %d of the world, %d of them grown, %d touching", self, world, grown, touching); self < 500 || world < 200 || grown < 200 || touching < 1 {
		t.Error("a poor test")
	}
}
