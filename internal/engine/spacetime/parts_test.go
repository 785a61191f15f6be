package spacetime

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/meshes"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// hollow is a mesh far from convex: what is close to it is mostly inside of its hull.
func (d dice) hollow() *shape.Shape {
	size := d.In(0.1, 0.3)
	elbow := meshes.Elbow(size)
	switch d.IntN(3) {
	case 0:
		return robots.Mesh(elbow)
	case 1:
		return robots.Mesh(meshes.Ring(size))
	}
	return robots.Mesh(meshes.Of(elbow, meshes.At(geom.Vec{X: d.In(-0.2, 0.2), Y: d.In(-0.2, 0.2), Z: size}, meshes.Ring(size/2)), meshes.At(geom.Vec{Z: -size}, meshes.Elbow(size/2))))
}

// wrist is two hollow links with a joint or two between them, close to each other.
func (d dice) wrist() *urdf.Robot {
	turn := func() robots.Hinge {
		return robots.Hinge{Kind: urdf.Revolute, Axis: d.Unit(), Origin: robots.At(d.In(-0.1, 0.1), d.In(-0.1, 0.1), d.In(0, 0.1))}
	}
	a, b, c := turn(), turn(), turn()
	a.Parts = robots.Part(robots.At(0, 0, 0), d.hollow())
	b.Parent, c.Parent = 1, 2
	c.Parts = robots.Part(d.Pose(0.25), d.hollow())
	return robots.Of(nil, a, b, c)
}

// The smallest distance of links that are not convex and close to each other is within its bounds, which are as
// close as asked for. It is searched by their parts, on steps.
func TestSmallestDistancesOfHollowLinks(t *testing.T) {
	free, parts, near := 0, 0, 0
	for i := range rounds(160) {
		d := newDice(91, uint64(i))
		from, to := d.state(3, 1.5), make([]float64, 3)
		size := d.Spread(0.01, 1)
		for k := range to {
			to[k] = from[k] + d.In(-size, size)
		}
		ctrl := make([][]float64, 3)
		for k := range ctrl {
			ctrl[k] = []float64{from[k], to[k]}
		}
		r := newRig(t, d.wrist(), robots.World(), 0, robots.Move(ctrl...))
		q := motion.Query{Question: motion.MinClearance, ClearanceTolerance: []float64{0, 1e-4, 1e-2}[d.IntN(3)]}
		v := r.check(q)
		if v.Status != motion.Free {
			continue
		}
		free++
		r.holdSmallest(t, fmt.Sprint("wrist ", i), q, &v)
		r.check(motion.Query{Question: motion.MinClearance, ClearanceTolerance: 1e-3, Clearance: v.MinClearance.Bounds.Lo / 2})
		if again := r.check(q); again.MinClearance != v.MinClearance || again.Work != v.Work {
			t.Errorf("wrist %d: asked again %+v, %+v, at first %+v, %+v", i, again.MinClearance, again.Work, v.MinClearance, v.Work)
		}
		if r.w.stepped.parts.corners > 0 {
			parts++
		}
		if v.MinClearance.Bounds.Hi < 0.05 {
			near++
		}
	}
	if t.Logf("%d free, %d by parts, %d of them close", free, parts, near); free < 50 || parts < 40 || near < 15 {
		t.Error("a poor test")
	}
}

// covers reports whether an entry is of what is below a leaf of each element of its pair.
func (r *rig) covers(e entry, leafA, leafB int32) bool {
	q := &r.model.Pairs[e.pair]
	below := func(element int, node, leaf int32) bool {
		if node == volume.Whole {
			return true
		}
		n := &r.model.Elements[element].Leaves.Tree.Nodes[node]
		return n.First <= leaf && leaf < n.First+n.Count
	}
	return below(q.A, e.a, leafA) && below(q.B, e.b, leafB)
}

// triangles returns an element's triangles in W where the robot is placed, in the order of its hierarchy.
func (r *rig) triangles(element int) []convex.Core {
	e, pose := &r.model.Elements[element], r.w.at.Element(element).Pose
	out := make([]convex.Core, len(e.Leaves.Tree.Order))
	for i, k := range e.Leaves.Tree.Order {
		for _, v := range e.Leaves.Mesh.Triangles[k] {
			out[i].Vertices = append(out[i].Vertices, pose.Apply(e.Leaves.Mesh.Vertices[v]))
		}
		out[i].Kind = convex.Triangle
	}
	return out
}

// What the steps of a search for the smallest distance leave out is apart by what is to be proved: each two triangles
// that are closer at some time are below an entry that is left for that time.
func TestStepsOfPartsLeaveOutWhatIsApart(t *testing.T) {
	apart, close, left, here, found := 0, 0, 0, geom.IdentityPose(), convex.Workspace{}
	for i := range rounds(160) {
		d := newDice(92, uint64(i))
		from, size := d.state(3, 1.5), d.Spread(0.1, 1)
		var ctrl [][]float64
		for k := range from {
			ctrl = append(ctrl, []float64{from[k], from[k] + d.In(-size, size)})
		}
		r := newRig(t, d.wrist(), robots.World(), 0, robots.Move(ctrl...))
		w, q := r.w, motion.Query{Question: motion.MinClearance}
		if w.Check(context.Background(), r.bound, q).Status != motion.Free {
			continue
		}
		w.begin(context.Background(), &q)
		w.selectPairs(&q)
		w.load(r.bound, 0)
		need := r.nearest(d.Float64(), math.Inf(1)) * d.In(0.9, 1.6)
		w.clearance = need
		w.closest = closest{tol: 1, need: need, best: engine.PairTouch{Pair: -1}} // of distance 0: nothing lowers what is to be proved
		s := search{w: w, closest: &w.closest}
		w.arena = append(w.arena[:0], w.startGroups...)
		w.stepped.runs = w.stepped.runs[:0]
		whole := pendingInterval{hi: 1, last: int32(len(w.arena))}
		if !s.worthSteps(&whole) {
			t.Fatal("no steps")
		}
		s.trySteps(whole)
		for _, run := range w.stepped.runs {
			left += int(run.last - run.first)
		}
		for range 12 {
			c := d.Float64()
			w.place(c, c, c)
			for pair := range r.model.Pairs {
				p := &r.model.Pairs[pair]
				as, bs := r.triangles(p.A), r.triangles(p.B)
				for a := range as {
					for b := range bs {
						x := convex.Bounded(&as[a], &here, &bs[b], &here, w.clearance, &found)
						if x.Lower > w.clearance {
							apart++
							continue
						}
						close++
						covered := false
						for _, run := range w.stepped.runs {
							for _, e := range w.arena[run.first:run.last] {
								covered = covered || run.lo <= c && c <= run.hi && e.pair == int32(pair) && r.covers(e, int32(a), int32(b))
							}
						}
						if !covered && x.Distance < w.clearance-1e-9 {
							t.Fatalf("wrist %d: triangles %d and %d of pair %d are %g apart at %g, less than %g, but were left out", i, a, b, pair, x.Distance, c, w.clearance)
						}
					}
				}
			}
		}
	}
	if t.Logf("%d apart, %d close, %d entries left", apart, close, left); apart < 100000 || close < 1000 || left < 100 {
		t.Error("a poor test")
	}
}
