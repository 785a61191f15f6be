package spacetime

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/place"
	"github.com/firstcontact-ros/firstcontact/internal/engine/rules"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/shape"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/ruletest"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Random chains at random times: each rule is asked for the largest clearance that
// it grants, and the twin samples the interval for one that is smaller.

func (d dice) shape(size float64) *shape.Shape {
	r, l := d.In(0.1, 1)*size, d.In(0.3, 3)*size
	switch d.IntN(9) {
	case 0:
		return ball(r)
	case 1:
		return box(r, l, d.In(0.05, 1)*size)
	case 2:
		return &shape.Shape{Kind: shape.Cylinder, Radius: r, Length: l}
	case 3:
		return &shape.Shape{Kind: shape.Capsule, Radius: r, Length: l}
	case 4:
		return &shape.Shape{Kind: shape.Cone, Radius: r, Length: l}
	case 5:
		return meshShape(boxMesh(r, d.Vec(size)))
	case 6:
		return meshShape(joined(boxMesh(r, d.Vec(size)), boxMesh(0.5*r, d.Vec(2*size))))
	case 7:
		m := elbow()
		for i := range m.Vertices {
			m.Vertices[i] = r3.Scale(size, m.Vertices[i])
		}
		return meshShape(m)
	}
	points := make([]geom.Vec, 1+d.IntN(6))
	for i := range points {
		points[i] = d.Vec(l)
	}
	return pointsShape(0.1*r*float64(d.IntN(2)), points...)
}

func (d dice) parts(n int) (out []urdf.Collision) {
	for range n {
		out = append(out, urdf.Collision{PoseLS: d.Pose(d.Spread(1e-3, 0.5)), Shape: d.shape(d.Spread(1e-3, 0.3))})
	}
	return out
}

// robot has some links with branches, slides and mimics.
func (d dice) robot() *urdf.Robot {
	hs := make([]hinge, 1+d.IntN(6))
	for i := range hs {
		h := hinge{parent: i, kind: urdf.Revolute, axis: d.Axis(), origin: d.Pose(d.Spread(1e-3, 1)), parts: d.parts(d.IntN(3))}
		if d.IntN(3) == 0 {
			h.parent = d.IntN(i + 1)
		}
		switch d.IntN(6) {
		case 0, 1:
			h.kind = urdf.Prismatic
		case 2:
			h.kind = urdf.Fixed
		}
		if i > 0 && d.IntN(5) == 0 && hs[i-1].mimics == 0 && hs[i-1].kind != urdf.Fixed {
			h.mimics, h.mult, h.offset = i, d.In(-2, 2), d.In(-1, 1)
		}
		hs[i] = h
	}
	hs[len(hs)-1].parts = d.parts(1 + d.IntN(2))
	return robotOf(d.parts(d.IntN(2)), hs...)
}

// motionOf draws one piece of any degree for each joint that has a variable.
func (d dice) motionOf(r *urdf.Robot) *motion.Motion {
	m := &motion.Motion{Pieces: []motion.Piece{{End: 1}}, KeepTurns: true}
	size := d.Spread(1e-3, 4)
	for i := range r.Joints {
		if r.Joints[i].Type == urdf.Fixed || r.Joints[i].Mimic != nil {
			continue
		}
		ctrl := make([]float64, 1+d.IntN(6))
		for k := range ctrl {
			ctrl[k] = d.In(-size, size)
		}
		m.Joints = append(m.Joints, r.Joints[i].Name)
		m.Pieces[0].Ctrl = append(m.Pieces[0].Ctrl, ctrl)
	}
	return m
}

// trial is a pair of parts on an interval.
type trial struct {
	*rig
	e         entry
	c, lo, hi float64
	a, b      solid
	base      int
}

// newTrial returns false where chance made nothing to try.
func newTrial(t *testing.T, d dice) (*trial, bool) {
	robot := d.robot()
	world := worldOf()
	for i := range d.IntN(3) {
		world.Objects = append(world.Objects, object(fmt.Sprint("o", i), d.shape(d.Spread(1e-2, 1)), d.Pose(1)))
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
	tr.a = tr.solidOf(q.A, pa).restricted(ea, tr.e.a)
	tr.b = tr.solidOf(q.B, pb).restricted(eb, tr.e.b)
	tr.base = tr.parting(tr.a.link, tr.b.link)
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
	found := convex.Distance(p.A.Core, p.A.Pose, p.B.Core, p.B.Pose, nil)
	from := func(s float64) geom.Vec {
		return r3.Sub(tr.seen(tr.b.link, tr.base, 0, s, tr.c, tr.b.points[0]), tr.seen(tr.a.link, tr.base, 0, s, tr.c, tr.a.points[0]))
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
	a := convex.Core{Kind: convex.Hull, Vertices: tr.a.points, Radius: tr.a.radius}
	b := convex.Core{Kind: convex.Hull, Vertices: tr.b.points, Radius: tr.b.radius}
	r := convex.Distance(&a, tr.rig.pose(tr.a.link, tr.base, 0, s, tr.c), &b, tr.rig.pose(tr.b.link, tr.base, 0, s, tr.c), nil)
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
			gap := func(s float64) float64 { return tr.gap(n, tr.a, tr.b, tr.base, 0, s, tr.c) }
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
			return tr.w.prove(tr.e, false).apart
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
