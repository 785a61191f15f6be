package kin_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Motions that attain their bound. Each is made so that one term of one
// inequality is all or half of it: the term made smaller by 1 % is a false bound
// here, and a term too many shows as looseness.

// quantity names one of the bounds and the oracle's value of the same.
type quantity int

const (
	radiusOf      quantity = iota // distance of the ball's farthest point from the first axis
	reachOf                       // the same, against Tree.Reach
	displacement                  // of the ball's farthest point
	acceleration                  // of the same
	accelerationN                 // along n
	jerk
)

// attained is one such motion.
type attained struct {
	name string
	what quantity
	tr   trial
	out  geom.Vec // from the ball's centre to the point that attains it, of the ball's radius
	at   float64  // the time when
	want float64  // what it attains, in closed form
	// The bound may exceed want, and the oracle stay below it, by this part.
	slack float64
}

func (a *attained) check(t *testing.T) {
	b := a.tr.bounds()
	o := newOracle(a.tr.plan, a.tr.cs)
	p := r3.Add(a.tr.center, a.out)
	first := a.tr.moving()[a.tr.from]
	var lever float64
	x := o.carry(a.tr.link, b.stop, p, a.at, func(h int, d float64) {
		if h == first {
			lever = d
		}
	})
	bound, oracle := b.radii[a.tr.from], lever
	switch a.what {
	case reachOf:
		bound = b.reach[a.tr.from]
	case displacement:
		at := o.carry(a.tr.link, b.stop, p, a.tr.c, nil)
		bound, oracle = b.m, r3.Norm(r3.Sub(x.order(0), at.order(0)))
	case acceleration:
		bound, oracle = b.a, r3.Norm(x.order(2))
	case accelerationN:
		bound, oracle = b.along, math.Abs(r3.Dot(b.nStop, x.order(2)))
	case jerk:
		bound, oracle = b.j, r3.Norm(x.order(3))
	}
	const rounding = 1e-12
	if !(oracle >= a.want*(1-a.slack-rounding)) {
		t.Errorf("the motion attains %.15g at %g, not %.15g: this case tests less than it says", oracle, a.at, a.want)
	}
	if !(bound >= oracle*(1-rounding)) {
		t.Errorf("bound %.15g is below %.15g, attained at %g: FALSE", bound, oracle, a.at)
	}
	if !(bound <= a.want*(1+a.slack+rounding)) {
		t.Errorf("bound %.15g is loose: %.15g is attained, %g more is expected", bound, a.want, a.slack)
	}
}

func vec(x, y, z float64) geom.Vec { return geom.Vec{X: x, Y: y, Z: z} }

// pin is a revolute joint about z at a place in its parent, slide a prismatic
// one along an axis.
func pin(parent int, xyz ...float64) hinge {
	h := hinge{parent: parent, kind: urdf.Revolute, axis: alongZ}
	copy(h.xyz[:], xyz)
	return h
}

func slide(parent int, axis [3]float64) hinge {
	return hinge{parent: parent, kind: urdf.Prismatic, axis: axis}
}

// vertex is a parabola at the given rate of change of speed whose speed is zero
// in the middle.
func vertex(alpha float64) []float64 { return []float64{alpha / 8, -alpha / 8, alpha / 8} }

// ramp moves at constant speed through the value at c.
func ramp(value, c, speed float64) []float64 {
	return []float64{value - c*speed, value + (1-c)*speed}
}

// one is a trial of a robot of the given hinges on the whole of [0, 1].
func one(c float64, p plan, cs curves, center geom.Vec) trial {
	return trial{plan: p, cs: cs, c: c, lo: 0, hi: 1, link: len(p), center: center, n: vec(0, 0, 1)}
}

func (tr trial) ball(r float64) trial    { tr.radius = r; return tr }
func (tr trial) on(lo, hi float64) trial { tr.lo, tr.hi = lo, hi; return tr }
func (tr trial) along(n geom.Vec) trial  { tr.n = n; return tr }
func (tr trial) after(from int) trial    { tr.from = from; return tr }
func (tr trial) under(parent int) trial  { tr.plan[len(tr.plan)-1].parent = parent; return tr }

// slanted lies at an angle from z towards x, slantedAcross towards y.
func slanted(theta float64) geom.Vec       { return vec(math.Sin(theta), 0, math.Cos(theta)) }
func slantedAcross(theta float64) geom.Vec { return vec(0, math.Sin(theta), math.Cos(theta)) }
func sliver(c, h float64) (lo, hi float64) { return c - h, c + h }

func attainedBounds() []attained {
	unit := vec(1, 0, 0)
	const tiny = 1e-7
	lo, hi := sliver(0.5, tiny)
	const theta = 0.3
	sin := math.Sin(theta)
	wheel := 400*2*math.Pi + math.Pi/2 // rad in one piece, so that the coupling is small beside it
	return []attained{
		// Local radii.
		{
			name: "radius of a ball", what: radiusOf,
			tr:  one(0, plan{pin(0)}, curves{{0, 1}}, vec(0.3, 0.4, 5)).ball(0.25),
			out: vec(0.15, 0.2, 0), want: 0.75, slack: 1e-12,
		},
		{
			name: "radius grows by a deeper turn", what: radiusOf, // the tip starts on the first axis
			tr: one(0.5, plan{pin(0), pin(1, 1)}, curves{{0, 0}, ramp(math.Pi, 0.5, 1)}, unit),
			at: 0, want: 2 * math.Sin(0.25), slack: 1e-12,
		},
		{
			name: "radius grows by a slide, later side", what: radiusOf,
			tr: one(0.25, plan{pin(0), slide(1, alongX)}, curves{{0, 0}, {0.2, 0.6}}, vec(0, 0, 0)),
			at: 1, want: 0.6, slack: 1e-12,
		},
		{
			name: "radius grows by a slide, earlier side", what: radiusOf,
			tr: one(0.75, plan{pin(0), slide(1, alongX)}, curves{{0, 0}, {0.6, 0.2}}, vec(0, 0, 0)),
			at: 0, want: 0.6, slack: 1e-12,
		},
		{
			name: "radius grows by two slides", what: radiusOf,
			tr: one(0, plan{pin(0), slide(1, alongX), slide(2, alongX)}, curves{{0, 0}, {0, 0.3}, {0.1, 0.5}}, vec(0, 0, 0)),
			at: 1, want: 0.8, slack: 1e-12,
		},
		{
			name: "radius of a folded arm is its reach", what: radiusOf, // d + 2 R = 2.75 would be more
			tr:  one(0.5, plan{pin(0), pin(1, 1)}, curves{{0, 0}, ramp(math.Pi, 0.5, 2*math.Pi)}, vec(0.5, 0, 0)).ball(0.25),
			out: vec(0.25, 0, 0), at: 0, want: 1.75, slack: 1e-12,
		},

		// Reach.
		{
			name: "reach of a straight arm", what: reachOf,
			tr:  one(0.5, plan{pin(0), pin(1, 0.6, 0.8), pin(2, 0.3, 0.4)}, curves{{0, 0}, {0, 0}, {0, 0}}, vec(0.3, 0.4, 0)).ball(0.5),
			out: vec(0.3, 0.4, 0), at: 0.5, want: 2.5, slack: 1e-12,
		},
		{
			name: "reach of an extended slide", what: reachOf,
			tr: one(0.5, plan{pin(0), {parent: 1, kind: urdf.Prismatic, axis: alongX, xyz: [3]float64{1, 0, 0}}, pin(2, 0.25)},
				curves{{0, 0}, {-0.5, 0.5}, {0, 0}}, vec(0.5, 0, 0)),
			at: 1, want: 2.25, slack: 1e-12,
		},
		{
			name: "reach of a slide that mimics with an offset", what: reachOf,
			tr: one(0.5, plan{pin(0), {parent: 1, kind: urdf.Prismatic, axis: alongX, mimics: 1, mult: -2, offset: -0.125}},
				curves{{-0.25, 0.5}}, vec(-1, 0, 0)),
			at: 1, want: 2.125, slack: 1e-12,
		},

		// Displacement.
		{
			name: "chord of a turn", what: displacement,
			tr: one(0, plan{pin(0)}, curves{{0, 1}}, unit).ball(0.25), out: vec(0.25, 0, 0),
			at: 1, want: 2.5 * math.Sin(0.5), slack: 1e-12,
		},
		{
			name: "chord just short of half a turn", what: displacement,
			tr: one(0, plan{pin(0)}, curves{{0, 3.14}}, unit),
			at: 1, want: 2 * math.Sin(1.57), slack: 1e-12,
		},
		{
			name: "more than half a turn", what: displacement,
			tr: one(0, plan{pin(0)}, curves{{0, 4}}, unit),
			at: math.Pi / 4, want: 2, slack: 1e-12,
		},
		{
			name: "many turns", what: displacement,
			tr: one(0, plan{pin(0)}, curves{{0, 16 * math.Pi}}, unit),
			at: 1.0 / 16, want: 2, slack: 1e-12,
		},
		{
			name: "turns about one axis add", what: displacement,
			tr: one(0, plan{pin(0), pin(1), pin(2)}, curves{{0, 1e-3}, {0, 2e-3}, {0, 3e-3}}, unit),
			at: 1, want: 6e-3, slack: 1e-5,
		},
		{
			name: "slides along one axis add", what: displacement,
			tr: one(1, plan{slide(0, alongY), slide(1, alongY)}, curves{{0.5, 0}, {0.25, 0}}, unit),
			at: 0, want: 0.75, slack: 1e-12,
		},
		{
			name: "a mimic that turns back faster", what: displacement,
			tr: one(0, plan{slide(0, alongY), {parent: 0, kind: urdf.Prismatic, axis: alongX, mimics: 1, mult: -3}}, curves{{0, 0.5}}, unit).under(0),
			at: 1, want: 1.5, slack: 1e-12,
		},
		{
			name: "only joints after the parting body", what: displacement,
			tr: one(0, plan{pin(0), slide(1, alongX), pin(2)}, curves{{0, 9}, {0, 9}, {0, 1}}, unit).after(2),
			at: 1, want: 2 * math.Sin(0.5), slack: 1e-12,
		},

		// Acceleration.
		{
			name: "centripetal", what: acceleration,
			tr: one(0.5, plan{pin(0)}, curves{{0, 3}}, vec(0.75, 0, 2)).ball(0.25), out: vec(0.25, 0, 0),
			at: 0.2, want: 9, slack: 1e-12,
		},
		{
			name: "tangential", what: acceleration,
			tr: one(0.5, plan{pin(0)}, curves{vertex(2)}, unit).on(lo, hi),
			at: 0.5, want: 2, slack: 1e-6,
		},
		{
			name: "sliding", what: acceleration,
			tr: one(0.5, plan{slide(0, alongX)}, curves{{0, 0, 1}}, unit),
			at: 0.5, want: 2, slack: 1e-12,
		},
		{
			name: "the end of a cubic slide", what: acceleration, // q'' = 6t is largest at 1
			tr: one(0.25, plan{slide(0, alongX)}, curves{{0, 0, 0, 1}}, unit),
			at: 1, want: 6, slack: 1e-12,
		},
		{
			name: "two turns about one axis", what: acceleration, // (2 + 3)^2
			tr: one(0.5, plan{pin(0), pin(1)}, curves{{0, 2}, {0, 3}}, unit),
			at: 0.3, want: 25, slack: 1e-12,
		},
		{
			name: "three turns about one axis", what: acceleration,
			tr: one(0.5, plan{pin(0), {parent: 1, kind: urdf.Revolute, axis: [3]float64{0, 0, -1}}, pin(2)}, curves{{0, 2}, {0, -3}, {0, 4}}, unit),
			at: 0.3, want: 81, slack: 1e-12,
		},
		{
			name: "Coriolis of a slide through the axis", what: acceleration, // 2 v w
			tr: one(0.5, plan{pin(0), slide(1, alongX)}, curves{{0, 2}, ramp(0, 0.5, 3)}, vec(0, 0, 0)).on(lo, hi),
			at: 0.5, want: 12, slack: 1e-6,
		},
		{
			name: "a slide before a turn does not couple", what: acceleration,
			tr: one(0.5, plan{slide(0, alongX), pin(1)}, curves{{0, 50}, {0, 2}}, unit),
			at: 0.5, want: 4, slack: 1e-12,
		},
		{
			name: "turns before the parting body do not couple", what: acceleration,
			tr: one(0.5, plan{pin(0), pin(1), pin(2)}, curves{{0, 70}, {0, 2}, {0, 3}}, unit).after(1),
			at: 0.5, want: 25, slack: 1e-12,
		},
		{
			name: "speed at an end of a spline", what: acceleration, // q' = 3 t^2, q'' = 6 t at t = 1
			tr: one(0, plan{pin(0)}, curves{{0, 0, 0, 1}}, unit),
			at: 1, want: math.Hypot(9, 6), slack: 0.4,
		},
		{
			name: "speed in the middle of a spline", what: acceleration, // from rest to rest: q' = 6 t (1-t)
			tr: one(0.5, plan{pin(0)}, curves{{0, 0, 1, 1}}, unit).on(sliver(0.5, 1e-6)),
			at: 0.5, want: 2.25, slack: 1e-4,
		},

		// Acceleration along n.
		{
			name: "centripetal along n", what: accelerationN,
			tr: one(0, plan{pin(0)}, curves{{0, 3}}, unit).along(slanted(theta)),
			at: 0, want: 9 * sin, slack: 1e-12,
		},
		{
			name: "centripetal across the axis", what: accelerationN,
			tr: one(0, plan{pin(0)}, curves{{0, 3}}, unit).along(vec(1, 0, 0)),
			at: 0, want: 9, slack: 1e-12,
		},
		{
			name: "tangential along n", what: accelerationN,
			tr: one(0.5, plan{pin(0)}, curves{vertex(2)}, vec(0, 1, 0)).on(lo, hi).along(slanted(theta)),
			at: 0.5, want: 2 * sin, slack: 1e-6,
		},
		{
			name: "sliding along n", what: accelerationN, // s bounds n x u, which is 0 here
			tr: one(0.5, plan{slide(0, alongX)}, curves{{0, 0, 1}}, unit).along(vec(1, 0, 0)),
			at: 0.5, want: 2, slack: 1e-12,
		},
		{
			name: "two turns along n", what: accelerationN,
			tr: one(0.5, plan{pin(0), pin(1)}, curves{ramp(0, 0.5, 2), ramp(0, 0.5, 3)}, unit).on(lo, hi).along(slanted(theta)),
			at: 0.5, want: 25 * sin, slack: 1e-5,
		},
		{
			name: "three turns along n", what: accelerationN,
			tr: one(0.5, plan{pin(0), pin(1), pin(2)}, curves{ramp(0, 0.5, 2), ramp(0, 0.5, 3), ramp(0, 0.5, 4)}, unit).on(lo, hi).along(slanted(theta)),
			at: 0.5, want: 81 * sin, slack: 1e-5,
		},
		{
			name: "Coriolis along n", what: accelerationN,
			tr: one(0.5, plan{pin(0), slide(1, alongX)}, curves{ramp(0, 0.5, 2), ramp(0, 0.5, 3)}, vec(0, 0, 0)).on(lo, hi).along(slantedAcross(theta)),
			at: 0.5, want: 12 * sin, slack: 1e-5,
		},
		{
			// The second axis starts along n; the first turns it away by 0.05, and
			// with it a fast wheel. All but 0.1 % of the bound is the sum of delta.
			name: "an axis that is turned away from n", what: accelerationN,
			tr: one(0, plan{{kind: urdf.Revolute, axis: alongX}, pin(1)}, curves{{0, 0.05}, {0, wheel}}, unit).along(vec(0, 0, 1)),
			at: 1, want: wheel * wheel * math.Sin(0.05), slack: 3e-3,
		},
		{
			name: "an axis that two joints turn away from n", what: accelerationN,
			tr: one(0, plan{{kind: urdf.Revolute, axis: alongX}, {parent: 1, kind: urdf.Revolute, axis: alongX}, pin(2)},
				curves{{0, 0.03}, {0, 0.04}, {0, wheel}}, unit).along(vec(0, 0, 1)),
			at: 1, want: wheel * wheel * math.Sin(0.07), slack: 3e-3,
		},
		{
			name: "a wheel that is not turned stays across n", what: accelerationN, // the joint before is not revolute
			tr: one(0, plan{slide(0, alongX), pin(1)}, curves{{0, 5}, {0, 7}}, unit).along(slanted(theta)),
			at: 0, want: 49 * sin, slack: 1e-12,
		},
		{
			name: "turns before the parting body do not turn axes", what: accelerationN,
			tr: one(0, plan{{kind: urdf.Revolute, axis: alongX}, pin(1)}, curves{{0, 5}, {0, 7}}, unit).after(1).along(slanted(theta)),
			at: 0, want: 49 * sin, slack: 1e-12,
		},

		// Jerk.
		{
			name: "jerk of a turn", what: jerk, // w^3 R
			tr: one(0.5, plan{pin(0)}, curves{{0, 3}}, vec(0.75, 0, 2)).ball(0.25), out: vec(0.25, 0, 0),
			at: 0.2, want: 27, slack: 1e-12,
		},
		{
			name: "jerk of two turns about one axis", what: jerk, // (2 + 3)^3
			tr: one(0.5, plan{pin(0), pin(1)}, curves{{0, 2}, {0, 3}}, unit),
			at: 0.3, want: 125, slack: 1e-12,
		},
		{
			name: "jerk of three turns about one axis", what: jerk,
			tr: one(0.5, plan{pin(0), {parent: 1, kind: urdf.Revolute, axis: [3]float64{0, 0, -1}}, pin(2)}, curves{{0, 2}, {0, -3}, {0, 4}}, unit),
			at: 0.3, want: 729, slack: 1e-12,
		},
		{
			name: "jerk of a slide", what: jerk,
			tr: one(0.5, plan{slide(0, alongX)}, curves{{0, 0, 0, 1}}, unit),
			at: 0.5, want: 6, slack: 1e-9,
		},
		{
			name: "jerk of a slide on a turning arm", what: jerk, // 3 w^2 v, through the axis
			tr: one(0.5, plan{pin(0), slide(1, alongX)}, curves{{0, 2}, ramp(0, 0.5, 3)}, vec(0, 0, 0)).on(lo, hi),
			at: 0.5, want: 36, slack: 1e-5,
		},
		{
			name: "jerk where a turn speeds up and a slide moves", what: jerk, // 3 v alpha, at rest otherwise
			tr: one(0.5, plan{pin(0), slide(1, alongX)}, curves{vertex(2), ramp(0, 0.5, 3)}, vec(0, 0, 0)).on(sliver(0.5, 1e-7)),
			at: 0.5, want: 18, slack: 1e-5,
		},
		{
			name: "jerk where a turning arm's slide speeds up", what: jerk, // 3 w a, the slide at rest
			tr: one(0.5, plan{pin(0), slide(1, alongX)}, curves{{0, 1e-3}, vertex(2)}, vec(0, 0, 0)).on(sliver(0.5, 1e-9)),
			at: 0.5, want: 6e-3, slack: 1e-3,
		},
		{
			name: "jerk of a turn after two that speed up", what: jerk, // 3 w (a1 + a2), both at rest
			tr: one(0.5, plan{pin(0), pin(1), pin(2)}, curves{vertex(2), vertex(3), ramp(0, 0.5, 1e-3)}, unit).on(sliver(0.5, 1e-9)),
			at: 0.5, want: 15e-3, slack: 1e-3,
		},
		{
			name: "jerk of a turn that speeds up", what: jerk, // 3 w a, w small
			tr: one(0.5, plan{pin(0)}, curves{{0.25 - 5e-4, -0.25, 0.25 + 5e-4}}, unit).on(sliver(0.5, 1e-9)),
			at: 0.5, want: 6e-3, slack: 1e-3,
		},
		{
			name: "jerk of a turn whose acceleration changes", what: jerk, // from rest at rest
			tr: one(0, plan{pin(0)}, curves{{0, 0, 0, 1}}, unit).on(0, 1e-6),
			at: 0, want: 6, slack: 1e-5,
		},
		{
			name: "a slide before a turn adds no jerk", what: jerk,
			tr: one(0.5, plan{slide(0, alongX), pin(1)}, curves{{0, 50}, {0, 2}}, unit),
			at: 0.5, want: 8, slack: 1e-12,
		},
		{
			name: "turns before the parting body add no jerk", what: jerk,
			tr: one(0.5, plan{pin(0), pin(1), pin(2)}, curves{{0, 70}, {0, 2}, {0, 3}}, unit).after(1),
			at: 0.5, want: 125, slack: 1e-12,
		},
	}
}

func TestBoundsAreAttained(t *testing.T) {
	for _, a := range attainedBounds() {
		t.Run(a.name, a.check)
	}
}
