package spacetime

import (
	"context"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Whole verdicts about random robots, against distances at sampled times. The twin
// places every triangle by itself, knows no hierarchy, and tells the inside of a
// mesh by the twin.Solid angle it is seen under.

// piece is a convex part of a solid, posed in its link, with a ball around it.
type piece struct {
	core   convex.Core
	at     geom.Pose
	points []geom.Vec // of the part, in the link, as the ball's middle is
	center geom.Vec
	reach  float64
}

// pieces cuts element i into what it is made of.
func (r *rig) pieces(i int) []piece {
	e := &r.model.Elements[i]
	s := r.solidOf(i, e.Padding)
	var out []piece
	add := func(points ...geom.Vec) {
		p := piece{core: convex.Core{Kind: convex.Hull, Vertices: points, Radius: s.Radius}, at: geom.IdentityPose(), points: points, center: points[0]}
		for _, x := range points {
			p.reach = math.Max(p.reach, r3.Norm(r3.Sub(x, p.center)))
		}
		p.reach += s.Radius
		out = append(out, p)
	}
	switch {
	case e.Leaves == nil:
		add(s.Points...)
		if e.Core.Kind == convex.Cylinder || e.Core.Kind == convex.Cone { // points of a rim are not all of it
			out[0].core, out[0].at = e.Core, s.At
		}
	case e.Leaves.Mesh == nil:
		for _, x := range s.Points {
			add(x)
		}
	default:
		for _, t := range e.Leaves.Mesh.Triangles {
			add(s.Points[t[0]], s.Points[t[1]], s.Points[t[2]])
		}
	}
	return out
}

// apart is an upper bound of the distance of a pair at s, 0 where one twin.Solid
// contains a point of the other; +Inf where it is more than limit.
func (r *rig) apart(q *model.Pair, piece int, s, limit float64) float64 {
	link := func(i int) int { return max(r.model.Bodies[r.model.Elements[i].Body].Link, r.Robot.Root) }
	poseA, poseB := r.Pose(link(q.A), r.Robot.Root, piece, s, s), r.Pose(link(q.B), r.Robot.Root, piece, s, s)
	if x, o := r.ball(q.A, poseA), r.ball(q.B, poseB); r3.Norm(r3.Sub(x.Center, o.Center))-x.Radius-o.Radius > limit {
		return math.Inf(1)
	}
	best := math.Inf(1)
	as, bs := r.cut(q.A), r.cut(q.B)
	for i := range as {
		a := &as[i]
		ca := poseA.Apply(a.center)
		for k := range bs {
			b := &bs[k]
			if r3.Norm(r3.Sub(ca, poseB.Apply(b.center)))-a.reach-b.reach > math.Min(limit, best) {
				continue
			}
			ofA, ofB := poseA.Mul(a.at), poseB.Mul(b.at)
			d := convex.Distance(&a.core, &ofA, &b.core, &ofB, nil)
			if d.Overlap {
				return 0
			}
			best = math.Min(best, d.Distance)
		}
	}
	if r.holds(q.A, q.B, poseA.Inv().Mul(poseB)) || r.holds(q.B, q.A, poseB.Inv().Mul(poseA)) {
		return 0
	}
	return best
}

// ball is the element's ball, as the model has it, where the twin puts its link.
func (r *rig) ball(i int, pose geom.Pose) convex.Ball {
	s := r.cut(i)
	b := convex.Ball{Center: pose.Apply(s[0].center)}
	for k := range s {
		b.Radius = math.Max(b.Radius, r3.Norm(r3.Sub(s[k].center, s[0].center))+s[k].reach)
	}
	return b
}

func (r *rig) cut(i int) []piece {
	if r.cuts == nil {
		r.cuts = make([][]piece, len(r.model.Elements))
	}
	if r.cuts[i] == nil {
		r.cuts[i] = r.pieces(i)
	}
	return r.cuts[i]
}

// holds tells whether a closed component of element i's mesh encloses a vertex of
// element k, whose link is at the given pose in i's.
func (r *rig) holds(i, k int, pose geom.Pose) bool {
	e := &r.model.Elements[i]
	if e.Leaves == nil || e.Leaves.Mesh == nil {
		return false // a convex piece: overlap is distance 0
	}
	at := r.solidOf(i, 0).Points
	for _, c := range mesh.ComponentsOf(e.Leaves.Mesh) {
		if !closed(e.Leaves.Mesh, c.Triangles) {
			continue
		}
		for _, p := range r.cut(k) {
			for _, x := range p.points {
				if math.Abs(solidAngle(e.Leaves.Mesh, c.Triangles, at, pose.Apply(x))) > 2*math.Pi {
					return true
				}
			}
		}
	}
	return false
}

// closed reports whether each edge belongs to an even number of the triangles.
func closed(m *mesh.Mesh, triangles []int32) bool {
	odd := map[[2]int32]bool{}
	for _, k := range triangles {
		t := m.Triangles[k]
		for i := range t {
			a, b := t[i], t[(i+1)%3]
			e := [2]int32{min(a, b), max(a, b)}
			if odd[e] = !odd[e]; !odd[e] {
				delete(odd, e)
			}
		}
	}
	return len(odd) == 0
}

// solidAngle of a surface, seen from x (van Oosterom, Strackee 1983).
func solidAngle(m *mesh.Mesh, triangles []int32, at []geom.Vec, x geom.Vec) float64 {
	var sum float64
	for _, k := range triangles {
		t := m.Triangles[k]
		a, b, c := r3.Sub(at[t[0]], x), r3.Sub(at[t[1]], x), r3.Sub(at[t[2]], x)
		la, lb, lc := r3.Norm(a), r3.Norm(b), r3.Norm(c)
		sum += 2 * math.Atan2(r3.Dot(a, r3.Cross(b, c)), la*lb*lc+r3.Dot(a, b)*lc+r3.Dot(b, c)*la+r3.Dot(c, a)*lb)
	}
	return sum
}

// nearest is the smallest distance of all pairs at a time in seconds, +Inf where
// all are farther apart than limit.
func (r *rig) nearest(at, limit float64) float64 {
	k := r.Motion.PieceAt(at)
	p := r.Motion.Pieces[k]
	best := math.Inf(1)
	for i := range r.model.Pairs {
		best = math.Min(best, r.apart(&r.model.Pairs[i], k, (at-p.Start)/(p.End-p.Start), limit))
	}
	return best
}

func TestVerdictsOnRandomRobots(t *testing.T) {
	count := map[motion.Status]int{}
	seen := 0
	for i := range rounds(watched(250)) {
		d := newDice(61, uint64(i))
		robot, world := d.robot(), robots.World()
		for k := range 2 + d.IntN(7) {
			o := robots.Object(fmt.Sprint("o", k), d.shape(d.Spread(0.05, 0.7)), d.Pose(1))
			o.Padding = [...]float64{0, 0.02}[d.IntN(2)]
			world.Objects = append(world.Objects, o)
		}
		m := d.pieceMotion(robot)
		if len(m.Joints) == 0 {
			continue
		}
		r := newRig(t, robot, world, [...]float64{0, 0.01}[d.IntN(2)], m)
		// Pairs that touch from the start say nothing of the rest.
		r.dropTouching(m.Pieces[0].Start)
		if len(r.model.Pairs) == 0 {
			continue
		}
		q := motion.Query{Question: motion.Question(d.IntN(3)), Clearance: d.In(0, 0.05) * float64(d.IntN(2))}
		v := r.check(q)
		count[v.Status]++
		seen++
		r.hold(t, i, q, &v)
	}
	t.Logf("%d motions: %v", seen, count)
	if n := count[motion.Undecided]; n > 0 {
		t.Errorf("%d undecided", n)
	}
	if share := float64(count[motion.Contact]) / float64(seen); share < 0.2 || share > 0.8 {
		t.Errorf("%.0f %% of the motions collide: the test is one-sided", 100*share)
	}
}

func (r *rig) dropTouching(at float64) {
	var keep []model.Pair
	for i := range r.model.Pairs {
		if r.apart(&r.model.Pairs[i], 0, 0, 0.1) > 0.06 {
			keep = append(keep, r.model.Pairs[i])
		}
	}
	r.model.CheckOnly(keep)
	r.w = NewWorker(r.model)
}

// hold compares a verdict with what the twin sees.
func (r *rig) hold(t *testing.T, i int, q motion.Query, v *motion.Verdict) {
	start := r.Motion.Pieces[0].Start
	end := math.Max(start, v.ProvenUntil)
	b := v.MinClearance.Bounds
	floor := q.Clearance
	if v.MinClearance.Known {
		floor = b.Lo
	}
	const samples = 60
	for k := range samples {
		at := start + (end-start)*(float64(k)+0.5)/samples
		if d := r.nearest(at, floor); d < floor-1e-9 {
			t.Errorf("motion %d, question %d: %v, proven until %g, but at %g the distance is %g (clearance %g, at least %g)",
				i, q.Question, v.Status, v.ProvenUntil, at, d, q.Clearance, floor)
			return
		}
	}
	for _, w := range []*motion.Witness{&v.Contact, &v.MinClearance.At} {
		if w == &v.Contact && v.Status != motion.Contact || w == &v.MinClearance.At && !v.MinClearance.Known {
			continue
		}
		most := q.Clearance + motion.DefaultTolerance
		if w != &v.Contact {
			most = b.Hi
		}
		if d := r.nearest(w.Time, most+1e-6); !(d <= most+1e-9) {
			t.Errorf("motion %d, question %d: a witness of distance %g at %g, where the distance is %g", i, q.Question, w.Distance, w.Time, d)
		}
	}
}

// Where no pair is asked about, yes or no is answered as first contact is.
func TestNothingToHit(t *testing.T) {
	r := newRig(t, robots.Of(nil, slide(robots.At(0, 0, 0), ex, 0.1)), nil, 0, robots.Move([]float64{0, 1}))
	if len(r.model.Pairs) > 0 {
		t.Fatalf("%d pairs", len(r.model.Pairs))
	}
	for _, q := range []motion.Question{motion.IsFree, motion.FirstContact} {
		if v := r.w.Check(context.Background(), r.bound, motion.Query{Question: q}); v.Status != motion.Free {
			t.Errorf("question %v: %v, %s", q, v.Status, v.Reason)
		}
	}
}
