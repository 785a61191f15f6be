package spacetime

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/internal/engine/place"
	"github.com/firstcontact-ros/firstcontact/internal/engine/rules"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/ruletest"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/twin"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Random chains at random times: each rule is asked for the largest clearance that
// it grants, and the twin samples the interval for one that is smaller.

// robot has some links with branches, slides and mimics, of sizes that span orders of
// magnitude; the last one has a shape.
func (d dice) robot() *urdf.Robot {
	parts := func(n int) (out []urdf.Collision) {
		for range n {
			out = append(out, urdf.Collision{PoseLS: d.Pose(d.Spread(1e-3, 0.5)), Shape: d.shape(d.Spread(1e-3, 0.3))})
		}
		return out
	}
	r := d.Robot(robots.Plan{
		Joints: 1 + d.IntN(6),
		Kinds:  []urdf.JointType{urdf.Revolute, urdf.Revolute, urdf.Revolute, urdf.Prismatic, urdf.Prismatic, urdf.Fixed},
		Mimic:  5, Odd: 8, Far: 1e3,
		Origin: func() geom.Pose { return d.Pose(d.Spread(1e-3, 1)) },
		Limit:  func(urdf.JointType) urdf.Limit { return urdf.Limit{Bounded: true, Lower: -1e6, Upper: 1e6} },
		Parts:  func() []urdf.Collision { return parts(d.IntN(3)) },
		Base:   func() []urdf.Collision { return parts(d.IntN(2)) },
	})
	if last := &r.Links[len(r.Links)-1]; len(last.Collisions) == 0 {
		last.Collisions = parts(1 + d.IntN(2))
	}
	return r
}

// shape draws one whose points the twin knows.
func (d dice) shape(size float64) *shape.Shape { return d.Shape(size, robots.Hulls...) }

// motionOf draws one piece of any degree for each joint that has a variable.
func (d dice) motionOf(r *urdf.Robot) *motion.Motion {
	return d.Motion(r, robots.Travel{Pieces: 1, Mixed: true, Degrees: []int{0, 1, 2, 3, 4, 5}, Sizes: []float64{d.Spread(1e-3, 4)}})
}

// pieceMotion draws one to three pieces that meet at their knots.
func (d dice) pieceMotion(r *urdf.Robot) *motion.Motion {
	return d.Motion(r, robots.Travel{Timed: true, Mixed: true, Degrees: []int{1, 2, 3, 4}, Sizes: []float64{d.Spread(0.3, 4)}})
}

// trial is a pair of parts on an interval.
type trial struct {
	*rig
	e         entry
	c, lo, hi float64
	a, b      twin.Solid
	base      int
}

// newTrial returns false where chance made nothing to try.
func newTrial(t *testing.T, d dice) (*trial, bool) {
	robot := d.robot()
	world := robots.World()
	for i := range d.IntN(3) {
		world.Objects = append(world.Objects, robots.Object(fmt.Sprint("o", i), d.shape(d.Spread(1e-2, 1)), d.Pose(1)))
	}
	m := d.motionOf(robot)
	if len(m.Joints) == 0 {
		return nil, false
	}
	padding := [...]float64{0, 0.01}[d.IntN(2)]
	tr := &trial{rig: newRig(t, robot, world, padding, m)}
	if len(tr.model.Pairs) == 0 {
		return nil, false
	}
	tr.lo = d.Float64()
	tr.hi = math.Min(1, tr.lo+d.Spread(1e-3, 1))
	tr.c = [...]float64{tr.lo + (tr.hi-tr.lo)/2, tr.lo, tr.hi, d.In(tr.lo, tr.hi)}[d.IntN(4)]
	tr.e = entry{int32(d.IntN(len(tr.model.Pairs))), volume.Whole, volume.Whole}
	q := &tr.model.Pairs[tr.e.pair]
	ea, eb := &tr.model.Elements[q.A], &tr.model.Elements[q.B]
	for _, side := range []struct {
		e    *int32
		tree int
	}{{&tr.e.a, nodes(tr, q.A)}, {&tr.e.b, nodes(tr, q.B)}} {
		if side.tree > 0 && d.IntN(2) == 0 {
			*side.e = int32(d.IntN(side.tree))
		}
	}
	pa, pb := padding, padding
	tr.a = restricted(tr.solidOf(q.A, pa), ea, tr.e.a)
	tr.b = restricted(tr.solidOf(q.B, pb), eb, tr.e.b)
	tr.base = twin.Parting(tr.Robot, tr.a.Link, tr.b.Link)
	tr.place(0, tr.c, tr.lo, tr.hi)
	return tr, true
}

func nodes(tr *trial, element int) int {
	e := &tr.model.Elements[element]
	if e.Exact {
		return 0
	}
	return len(e.Leaves.Tree.Nodes)
}

// times are where the interval is sampled.
func (tr *trial) times(d dice) []float64 {
	ts := []float64{tr.lo, tr.hi, tr.c}
	for i := range 20 {
		ts = append(ts, math.Min(tr.hi, tr.lo+(tr.hi-tr.lo)*(float64(i)+d.Float64())/20))
	}
	return ts
}

// pair is the placed pair with the trial's parts for cores.
func (tr *trial) pair() *place.Pair {
	q, p := &tr.model.Pairs[tr.e.pair], tr.w.at.Pair(tr.e.pair)
	p.A.Core = volume.Core(&tr.model.Elements[q.A], tr.e.a, &tr.w.partA)
	p.B.Core = volume.Core(&tr.model.Elements[q.B], tr.e.b, &tr.w.partB)
	return p
}

// directions are random, from ball to ball, of the closest points at c, and where
// the parts are about to come close.
func (tr *trial) directions(d dice) []geom.Vec {
	p := tr.pair()
	out := []geom.Vec{d.Unit()}
	found := convex.Distance(p.A.Core, &p.A.Pose, p.B.Core, &p.B.Pose, nil)
	from := func(s float64) geom.Vec {
		return r3.Sub(tr.Seen(tr.b.Link, tr.base, 0, s, tr.c, tr.b.Points[0]), tr.Seen(tr.a.Link, tr.base, 0, s, tr.c, tr.a.Points[0]))
	}
	for _, v := range []geom.Vec{found.Normal, from(tr.c), r3.Sub(from(tr.c), from(tr.lo)), r3.Sub(from(tr.c), from(tr.hi))} {
		if n, ok := geom.Unit(v); ok {
			out = append(out, n)
		}
	}
	return out
}

// distance is an upper bound of the parts' distance at s: that of two points of
// their hulls, or, of a mesh's part, of two of its vertices' hulls.
func (tr *trial) distance(s float64) float64 {
	a := convex.Core{Kind: convex.Hull, Vertices: tr.a.Points, Radius: tr.a.Radius}
	b := convex.Core{Kind: convex.Hull, Vertices: tr.b.Points, Radius: tr.b.Radius}
	poseA, poseB := tr.Pose(tr.a.Link, tr.base, 0, s, tr.c), tr.Pose(tr.b.Link, tr.base, 0, s, tr.c)
	r := convex.Distance(&a, &poseA, &b, &poseB, nil)
	if r.Overlap {
		return 0
	}
	return r.Distance
}

// shares is how much of what the rules took off was needed, and how often they
// granted anything.
type shares struct {
	top     map[string]float64
	granted map[string]int
}

func TestRulesOnRandomChains(t *testing.T) {
	found := shares{map[string]float64{}, map[string]int{}}
	for i := range rounds(watched(2500)) {
		d := newDice(41, uint64(i))
		tr, ok := newTrial(t, d)
		if !ok {
			continue
		}
		for _, n := range tr.directions(d) {
			gap := func(s float64) float64 { return tr.Gap(n, &tr.a, &tr.b, tr.base, 0, s, tr.c) }
			p := tr.pair()
			tr.hold(t, i, d, found, "half-space", gap, func(clearance float64) bool {
				return ruletest.ApartHalfSpace(n, &p.A, &p.B, tr.w.at.H, tr.w.at.PairAccelAlong(tr.e.pair, n), clearance, p.Slack)
			})
			tr.hold(t, i, d, found, "half-space of third order", gap, func(clearance float64) bool {
				return rules.Bent(tr.w.at.PairBendAlong(tr.e.pair, p, n), tr.w.at.H) < ruletest.PartedBy(n, &p.A, &p.B, tr.w.at.H, clearance, p.Slack)
			})
			tr.hold(t, i, d, found, "displacement", gap, func(clearance float64) bool {
				return ruletest.ApartStill(n, &p.A, &p.B, p.Far, clearance, p.Slack)
			})
		}
		tr.hold(t, i, d, found, "balls of third order", tr.distance, tr.ballsOfThirdOrder)
		tr.hold(t, i, d, found, "search", tr.distance, func(clearance float64) bool {
			tr.w.clearance, tr.w.pairs[tr.e.pair].hasHint = clearance, false
			tr.w.prove(tr.e, false, false, &tr.w.outcome)
			return tr.w.outcome.apart
		})
		if t.Failed() {
			return
		}
	}
	t.Logf("granted %v, used up to %.4v", found.granted, found.top)
	for _, rule := range []string{"half-space", "half-space of third order", "displacement", "balls of third order", "search"} {
		if found.granted[rule] < 200 || found.top[rule] < 0.95 {
			t.Errorf("%s: granted %d times, of which chance used up to %g: the campaign tests too little", rule, found.granted[rule], found.top[rule])
		}
	}
}

// ballsOfThirdOrder asks for the balls around the trial's parts.
func (tr *trial) ballsOfThirdOrder(clearance float64) bool {
	q, p := &tr.model.Pairs[tr.e.pair], tr.w.at.Pair(tr.e.pair)
	ballA, ra := volume.Ball(&tr.model.Elements[q.A], tr.e.a)
	ballB, rb := volume.Ball(&tr.model.Elements[q.B], tr.e.b)
	a, b := p.A.Pose.Apply(ballA), p.B.Pose.Apply(ballB)
	arc := tr.w.at.PointsAccel(tr.e.pair, p, a, b)
	return ruletest.ApartBalls(r3.Sub(a, b), r3.Sub(p.A.Vel.At(a), p.B.Vel.At(b)), tr.w.at.H, arc, math.Inf(1), ra+rb, clearance, p.Slack)
}

// hold compares what a rule grants with what is there at sampled times.
func (tr *trial) hold(t *testing.T, i int, d dice, found shares, rule string, there func(s float64) float64, yes func(clearance float64) bool) {
	now := there(tr.c)
	got := granted(yes, math.Max(now, 1e-3))
	if got < 0 {
		return
	}
	found.granted[rule]++
	least := now
	for _, s := range tr.times(d) {
		x := there(s)
		if x < got-1e-11 {
			t.Errorf("trial %d, %s: grants %.12g on [%g, %g] around %g, but at %g there is only %.12g (pair %v)", i, rule, got, tr.lo, tr.hi, tr.c, s, x, tr.e)
			return
		}
		least = math.Min(least, x)
	}
	if took := now - got; took > 1e-6 {
		found.top[rule] = math.Max(found.top[rule], (now-least)/took)
	}
}
