package spacetime

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/place"
	"github.com/firstcontact-ros/firstcontact/internal/engine/rules"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/ruletest"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/twin"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Motions that use up what a rule grants. Each rule is asked for the largest
// clearance that it proves, and the twin for the smallest that there is: the rule
// may not grant more, and in these motions not noticeably less, so that a term
// made smaller by 1 % shows as a false proof and a term too many as a loose one.

// rule tries to prove pair 0, as it is placed, more than clearance apart along n
// or, for the ball rule, in any direction.
type rule func(w *Worker, n geom.Vec, clearance float64) bool

func byHalfSpace(w *Worker, n geom.Vec, clearance float64) bool {
	p := wholePair(w)
	return ruletest.ApartHalfSpace(n, &p.A, &p.B, w.at.H, w.at.PairAccelAlong(0, n), clearance, p.Slack)
}

func byBend(w *Worker, n geom.Vec, clearance float64) bool {
	p := wholePair(w)
	return rules.Bent(w.at.PairBendAlong(0, p, n), w.at.H) < ruletest.PartedBy(n, &p.A, &p.B, w.at.H, clearance, p.Slack)
}

func byDisplacement(w *Worker, n geom.Vec, clearance float64) bool {
	p := wholePair(w)
	return ruletest.ApartStill(n, &p.A, &p.B, p.Far, clearance, p.Slack)
}

// bySearch lets the engine choose rule and direction; with balls for shapes it
// tries the ball rule first.
func bySearch(w *Worker, _ geom.Vec, clearance float64) bool {
	w.clearance = clearance
	w.pairs[0].hasHint = false
	w.prove(entry{0, volume.Whole, volume.Whole}, false, false, &w.outcome)
	return w.outcome.apart
}

// wholePair is pair 0 with both elements as single convex pieces.
func wholePair(w *Worker) *place.Pair {
	q, p := &w.m.Pairs[0], w.at.Pair(0)
	p.A.Core = volume.Core(&w.m.Elements[q.A], volume.Whole, &w.partA)
	p.B.Core = volume.Core(&w.m.Elements[q.B], volume.Whole, &w.partB)
	return p
}

// granted returns the largest clearance, up to most, that yes says yes to; -1 if
// it says so to none.
func granted(yes func(clearance float64) bool, most float64) float64 {
	if !yes(0) {
		return -1
	}
	lo, hi := 0.0, most
	for range 60 {
		if mid := lo + (hi-lo)/2; yes(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// attained is a motion in which a rule loses no more than it must.
type attained struct {
	name  string
	rule  rule
	robot *urdf.Robot
	world *scene.Snapshot
	ctrl  [][]float64
	n     geom.Vec // from A to B; zero for distances between the middles of balls
	c     float64  // of [0, 1]; 0 stands for the middle, -1 for 0
	// loose is how much more than the truth the rule may take off, as a part of it.
	loose float64
}

const small = 1e-4 // radius of what stands for a point

// arm is a ball of the given radius on an arm of length 1 along x, turning about z
// at the given place.
func arm(place geom.Pose, lever, radius float64) robots.Hinge {
	return robots.Hinge{Kind: urdf.Revolute, Origin: place, Axis: geom.Vec{Z: 1}, Parts: robots.Part(robots.At(lever, 0, 0), robots.Ball(radius))}
}

func slide(place geom.Pose, axis geom.Vec, radius float64) robots.Hinge {
	return robots.Hinge{Kind: urdf.Prismatic, Origin: place, Axis: axis, Parts: robots.Part(robots.At(0, 0, 0), robots.Ball(radius))}
}

var (
	ex = geom.Vec{X: 1}
	ey = geom.Vec{Y: 1}
	ez = geom.Vec{Z: 1}
)

// square is the control points of k (s - 1/2)^2, cube of k (s - 1/2)^3.
func square(k float64) []float64 { return []float64{k / 4, -k / 4, k / 4} }
func cube(k float64) []float64   { return []float64{-k / 8, k / 8, -k / 8, k / 8} }

func on(parent int, h robots.Hinge) robots.Hinge {
	h.Parent = parent
	return h
}

func attainedCases() []attained {
	wall := func(x float64) *scene.Snapshot {
		return robots.World(robots.Object("wall", robots.Box(0.2, 9, 9), robots.At(x+0.1, 0, 0)))
	}
	behind := func(x float64) *scene.Snapshot {
		return robots.World(robots.Object("wall", robots.Box(0.2, 9, 9), robots.At(x-0.1, 0, 0)))
	}
	back := r3.Scale(-1, ex)
	sliding := robots.Of(nil, slide(robots.At(0, 0, 0), ex, 0.1))
	turning := robots.Of(nil, arm(robots.At(0, 0, 0), 1, small))
	rod := robots.Of(nil, robots.Hinge{Kind: urdf.Revolute, Axis: ez, Parts: robots.Part(robots.At(0, 0, 0), robots.Box(2, 2*small, 2*small))})
	facing := robots.Of(nil, arm(robots.At(0, 0, 0), 1, small), arm(robots.At(1.5, 0, 0), -1, small))
	beads := robots.Of(nil, slide(robots.At(0, 0, 0), ex, 0.1), slide(robots.At(1, 0.2, 0), ex, 0.2))
	// The far bead slides on a beam that turns so that it stays in place in the world.
	beam := robots.Of(nil, arm(robots.At(0, 0, 0), 0, small), on(1, slide(robots.At(1, 2, 0), ex, small)))
	apartBeads := robots.Of(nil, slide(robots.At(0, 0, 0), ex, 0.1), slide(robots.At(1, 0, 0), ex, 0.2))
	carried := robots.Of(nil, robots.Hinge{Kind: urdf.Revolute, Axis: ez}, on(1, slide(robots.At(0, 0, 0), ex, 0.1)), on(1, slide(robots.At(1, 0, 0), ex, 0.2)))
	// Chords of 1/2 rad each: both ends move along the same line, towards each other.
	along := geom.Vec{X: math.Cos(math.Pi/2 + 0.25), Y: math.Sin(math.Pi/2 + 0.25)}
	chords := robots.Of(nil, arm(robots.At(0, 0, 0), 1, small), arm(robots.At(4*along.X, 4*along.Y, 0), -1, small))
	half := []float64{-0.5, 0.5}
	return []attained{
		// First order: both ends of the interval, both sides, at the same time.
		{name: "slide to a wall", rule: byHalfSpace, robot: sliding, world: wall(1), ctrl: [][]float64{{0, 0.5}}, n: ex, loose: 1e-9},
		{name: "slide from a wall", rule: byHalfSpace, robot: sliding, world: wall(1), ctrl: [][]float64{{0.5, 0}}, n: ex, loose: 1e-9},
		{name: "slide, seen from the start", rule: byHalfSpace, robot: sliding, world: wall(1), ctrl: [][]float64{{0, 0.5}}, n: ex, c: -1, loose: 1e-9},
		{name: "slide, seen from the end", rule: byHalfSpace, robot: sliding, world: wall(1), ctrl: [][]float64{{0.5, 0}}, n: ex, c: 1, loose: 1e-9},
		{name: "slide, seen from a third", rule: byHalfSpace, robot: sliding, world: wall(1), ctrl: [][]float64{{0, 0.5}}, n: ex, c: 0.3, loose: 1e-9},
		{name: "beads meet", rule: byHalfSpace, robot: beads, ctrl: [][]float64{{0, 0.1}, {0.1, 0}}, n: ex, loose: 1e-9},
		{name: "beads part", rule: byHalfSpace, robot: beads, ctrl: [][]float64{{0.1, 0}, {0, 0.1}}, n: ex, loose: 1e-9},
		{name: "beads in step", rule: byHalfSpace, robot: beads, ctrl: [][]float64{{0, 3}, {0, 3}}, n: ex, loose: 1e-9},
		{name: "one bead moves, A", rule: byHalfSpace, robot: beads, ctrl: [][]float64{{0, 0.2}, {0}}, n: ex, loose: 1e-9},
		{name: "one bead moves, B", rule: byHalfSpace, robot: beads, ctrl: [][]float64{{0}, {0, -0.2}}, n: ex, loose: 1e-9},
		{name: "rod turns towards a wall", rule: byHalfSpace, robot: rod, world: robots.World(robots.Object("wall", robots.Box(9, 0.2, 9), robots.At(0, 0.6, 0))), ctrl: [][]float64{{-1e-3, 1e-3}}, n: ey, loose: 2e-3},
		{name: "bead on a turning beam", rule: byHalfSpace, robot: beam, ctrl: [][]float64{{0.025, -0.025}, {0, -0.1}}, n: ex, loose: 1e-9},
		{name: "bead on a beam that turns the other way", rule: byHalfSpace, robot: beam, ctrl: [][]float64{{-0.025, 0.025}, {0, -0.1}}, n: ex, loose: 1e-9},

		// Second order, of either side and of both.
		{name: "slide there and back", rule: byHalfSpace, robot: sliding, world: wall(1), ctrl: [][]float64{square(1)}, n: ex, loose: 1e-9},
		{name: "turn past a wall behind", rule: byHalfSpace, robot: turning, world: behind(0.5), ctrl: [][]float64{{-0.1, 0.1}}, n: back, loose: 3e-3},
		{name: "two turn towards each other", rule: byHalfSpace, robot: facing, ctrl: [][]float64{{-0.1, 0.1}, {-0.1, 0.1}}, n: back, loose: 3e-3},
		{name: "only A turns", rule: byHalfSpace, robot: facing, ctrl: [][]float64{{-0.1, 0.1}, {0}}, n: back, loose: 3e-3},
		{name: "only B turns", rule: byHalfSpace, robot: facing, ctrl: [][]float64{{0}, {-0.1, 0.1}}, n: back, loose: 3e-3},
		{name: "turn and slide, in step", rule: byHalfSpace, robot: robots.Of(nil, on(0, slide(robots.At(0, 0, 0), back, small)), on(1, arm(robots.At(0, 0, 0), 1, small))), world: behind(0), ctrl: [][]float64{square(0.2), {-0.1, 0.1}}, n: back, loose: 3e-3},

		// Third order: what bends at c is known, of either side and of both.
		{name: "bend: slide there and back", rule: byBend, robot: sliding, world: wall(1), ctrl: [][]float64{square(1)}, n: ex, loose: 1e-9},
		{name: "bend: slide there and back, behind", rule: byBend, robot: sliding, world: behind(-1), ctrl: [][]float64{square(-1)}, n: back, loose: 1e-9},
		{name: "bend: slide ever faster", rule: byBend, robot: sliding, world: wall(1), ctrl: [][]float64{cube(1)}, n: ex, loose: 1e-9},
		{name: "bend: beads ever faster", rule: byBend, robot: beads, ctrl: [][]float64{cube(0.4), cube(-0.4)}, n: ex, loose: 1e-9},
		{name: "bend: A ever faster", rule: byBend, robot: beads, ctrl: [][]float64{cube(0.4), {0}}, n: ex, loose: 1e-9},
		{name: "bend: B ever faster", rule: byBend, robot: beads, ctrl: [][]float64{{0}, cube(-0.4)}, n: ex, loose: 1e-9},
		{name: "bend: beads there and back in step", rule: byBend, robot: beads, ctrl: [][]float64{square(3), square(3)}, n: ex, loose: 1e-9},
		{name: "bend: A there and back", rule: byBend, robot: beads, ctrl: [][]float64{square(0.4), {0}}, n: ex, loose: 1e-9},
		{name: "bend: B there and back", rule: byBend, robot: beads, ctrl: [][]float64{{0}, square(-0.4)}, n: ex, loose: 1e-9},
		{name: "bend: turn past a wall behind", rule: byBend, robot: turning, world: behind(0.5), ctrl: [][]float64{{-0.1, 0.1}}, n: back, loose: 0.1},
		{name: "bend: two turn towards each other", rule: byBend, robot: facing, ctrl: [][]float64{{-0.1, 0.1}, {-0.1, 0.1}}, n: back, loose: 0.1},
		{name: "bend: a slide on a turning arm", rule: byBend, robot: robots.Of(nil, robots.Hinge{Kind: urdf.Revolute, Axis: ez}, on(1, slide(robots.At(0, 0, 0), ey, small))), world: robots.World(robots.Object("wall", robots.Box(0.2, 9, 9), robots.At(-0.6, 0, 0))), ctrl: [][]float64{{-0.1, 0.1}, {-0.5, 0.5}}, n: back, loose: 0.2},
		{name: "bend: bead on a turning beam", rule: byBend, robot: beam, ctrl: [][]float64{{0.025, -0.025}, {0, -0.1}}, n: ex, loose: 1e-9},
		{name: "bend: turn of a long rod", rule: byBend, robot: rod, world: robots.World(robots.Object("wall", robots.Box(9, 0.2, 9), robots.At(0, 0.6, 0))), ctrl: [][]float64{square(0.4)}, n: ey, loose: 0.3},

		// Displacement alone.
		{name: "chord towards a wall", rule: byDisplacement, robot: turning, world: robots.World(robots.Object("wall", robots.Box(9, 9, 0.2), geom.Pose{R: lookAlong(along), P: r3.Scale(3, along)})), ctrl: [][]float64{half}, n: along, loose: 1e-3},
		{name: "two chords", rule: byDisplacement, robot: chords, ctrl: [][]float64{half, half}, n: along, loose: 1e-3},
		{name: "a slide is its own chord", rule: byDisplacement, robot: sliding, world: wall(1), ctrl: [][]float64{{-0.4, 0.4}}, n: ex, loose: 1e-9},

		// Balls: the difference of the centres' paths, both ends and both sides.
		{name: "balls meet at the end", rule: bySearch, robot: beads, ctrl: [][]float64{{0, 0.1}, {0.1, 0}}, loose: 0.05},
		{name: "balls meet at the start", rule: bySearch, robot: beads, ctrl: [][]float64{{0.1, 0}, {0, 0.1}}, loose: 0.05},
		// Balls on slides that another joint carries: it may turn as it likes.
		{name: "carried balls, A there and back", rule: bySearch, robot: carried, ctrl: [][]float64{{0}, square(1), {0}}, loose: 1e-6},
		{name: "carried balls, B there and back", rule: bySearch, robot: carried, ctrl: [][]float64{{0}, {0}, square(-1)}, loose: 1e-6},
		{name: "carried balls, both there and back", rule: bySearch, robot: carried, ctrl: [][]float64{{0}, square(0.5), square(-0.5)}, loose: 1e-6},
		{name: "carried balls that move far, A", rule: byDisplacement, robot: carried, ctrl: [][]float64{{0}, {0, 0.3}, {0}}, n: ex, loose: 1e-6},
		{name: "carried balls that move far, B", rule: byDisplacement, robot: carried, ctrl: [][]float64{{0}, {0}, {0, -0.3}}, n: ex, loose: 1e-6},
		{name: "balls there and back, A", rule: bySearch, robot: apartBeads, ctrl: [][]float64{square(1), {0}}, loose: 1e-6},
		{name: "balls there and back, B", rule: bySearch, robot: apartBeads, ctrl: [][]float64{{0}, square(-1)}, loose: 1e-6},
		{name: "balls ever faster, A", rule: bySearch, robot: apartBeads, ctrl: [][]float64{cube(0.4), {0}}, loose: 1e-6},
		{name: "balls ever faster, B", rule: bySearch, robot: apartBeads, ctrl: [][]float64{{0}, cube(-0.4)}, loose: 1e-6},
		{name: "carried balls ever faster, both", rule: bySearch, robot: carried, ctrl: [][]float64{{0}, cube(0.4), cube(-0.4)}, loose: 1e-6},
		{name: "ball passes a ball", rule: bySearch, robot: sliding, world: robots.World(robots.Object("ball", robots.Ball(0.2), robots.At(0, 0.5, 0))), ctrl: [][]float64{{-3, 1}}, loose: 1e-9},
		{name: "ball stops before a ball", rule: bySearch, robot: sliding, world: robots.World(robots.Object("ball", robots.Ball(0.2), robots.At(1, 0, 0))), ctrl: [][]float64{square(1)}, loose: 1e-9},
		{name: "ball turns past a ball", rule: bySearch, robot: turning, world: robots.World(robots.Object("ball", robots.Ball(0.2), robots.At(0.5, 0.1, 0))), ctrl: [][]float64{{-0.1, 0.1}}, loose: 5e-3},
		{name: "half a turn", rule: bySearch, robot: turning, world: robots.World(robots.Object("ball", robots.Ball(0.5), robots.At(-3, 0, 0))), ctrl: [][]float64{{-math.Pi, math.Pi}}, loose: 1e-3},
		// The turn slows down, across the way from ball to ball at c, which is along
		// the Axis: only a bound with all s = 1 sees that.
		{name: "ball comes down on a ball beside it", rule: bySearch, robot: robots.Of(nil, on(0, slide(robots.At(0, 0, 0), ez, small)), on(1, arm(robots.At(0, 0, 0), 1, small))), world: robots.World(robots.Object("ball", robots.Ball(small), robots.At(1, 0, 0))), ctrl: [][]float64{{2, 0}, {-0.15, 0.05, 0.05}}, loose: 0.2},
	}
}

// lookAlong returns a rotation that takes z to n.
func lookAlong(n geom.Vec) geom.Rot {
	axis, ok := geom.Unit(r3.Cross(ez, n))
	if !ok {
		return geom.Identity()
	}
	return geom.AxisAngle(axis, math.Acos(n.Z))
}

// measure returns the gap along n, or the distance of the balls' surfaces, at s.
func (a *attained) measure(r *rig, s, c float64) float64 {
	q := &r.model.Pairs[0]
	sa, sb := r.solidOf(q.A, 0), r.solidOf(q.B, 0)
	base := twin.Parting(r.Robot, sa.Link, sb.Link)
	if a.n != (geom.Vec{}) {
		return r.Gap(a.n, &sa, &sb, base, 0, s, c)
	}
	xa, xb := r.Seen(sa.Link, base, 0, s, c, sa.Points[0]), r.Seen(sb.Link, base, 0, s, c, sb.Points[0])
	return r3.Norm(r3.Sub(xa, xb)) - sa.Radius - sb.Radius
}

func TestRulesAreAttained(t *testing.T) {
	for _, a := range attainedCases() {
		t.Run(a.name, a.hold)
	}
}

// hold holds what the rule grants against what there is.
func (a attained) hold(t *testing.T) {
	r := newRig(t, a.robot, a.world, 0, robots.Move(a.ctrl...))
	q := &r.model.Pairs[0]
	if last := len(r.model.Elements) - 1; len(r.model.Pairs) > 1 {
		*q = r.model.Pairs[len(r.model.Pairs)-1] // the last two; others only carry them
		if q.A != last-1 || q.B != last {
			t.Fatalf("pair %v", q)
		}
	}
	c := a.c
	switch c {
	case 0:
		c = 0.5
	case -1:
		c = 0
	}
	r.place(0, c, 0, 1)
	least := math.Inf(1)
	const samples = 1000
	for i := range samples + 1 {
		least = math.Min(least, a.measure(r, float64(i)/samples, c))
	}
	now := a.measure(r, c, c)
	got := granted(func(clearance float64) bool { return a.rule(r.w, a.n, clearance) }, now)
	t.Logf("apart by %.9g at c, by %.9g at least; granted %.9g", now, least, got)
	if !(least > 0) {
		t.Fatal("the bodies meet: nothing is to be granted")
	}
	if got > least+1e-12 {
		t.Errorf("grants %.12g, but only %.12g is there", got, least)
	}
	if now-got > (now-least)*(1+a.loose)+1e-9 {
		t.Errorf("grants %.12g of %.12g: takes off %.3g times what it must", got, least, (now-got)/(now-least))
	}
}
