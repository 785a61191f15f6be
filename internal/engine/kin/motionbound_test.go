package kin_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// measured is the largest share of each bound that a sample reached: above 1 the
// bound is false, and where no trial comes near 1 the campaign tests nothing.
type measured struct {
	reach, radius, displacement, acceleration, along, taylor, taylorAlong, jerk, third float64
}

func (m *measured) raise(o measured) {
	m.reach = math.Max(m.reach, o.reach)
	m.radius = math.Max(m.radius, o.radius)
	m.displacement = math.Max(m.displacement, o.displacement)
	m.acceleration = math.Max(m.acceleration, o.acceleration)
	m.along = math.Max(m.along, o.along)
	m.taylor = math.Max(m.taylor, o.taylor)
	m.taylorAlong = math.Max(m.taylorAlong, o.taylorAlong)
	m.jerk = math.Max(m.jerk, o.jerk)
	m.third = math.Max(m.third, o.third)
}

// bounds are what the code under test says of a trial.
type bounds struct {
	state        *kin.State
	frame        int
	reach, radii []float64
	m, a, along  float64
	j            float64
	stop         int // the link after the first `from` joints
	nStop        geom.Vec
	hingeOf      []int // per joint of the chain
	err          rounding
}

func (tr *trial) bounds() bounds {
	tree := tr.plan.treeOrDie()
	b := bounds{state: place(tree, tr.cs, tr.c, tr.lo, tr.hi), frame: tree.LinkFrame[tr.link], hingeOf: tr.moving()}
	centerF := tree.LinkPose[tr.link].Apply(tr.center)
	whole := tr.cs.at(tr.c, 0, 1)
	limit := func(k int) float64 {
		f := &tree.Frames[k]
		return math.Abs(f.Mult)*whole[f.Dof].MaxAbs + math.Abs(f.Offset)
	}
	n := len(tree.Chain(b.frame))
	b.reach, b.radii = make([]float64, n), make([]float64, n)
	tree.Reach(b.frame, centerF, tr.radius, limit, b.reach)
	b.state.Radii(b.frame, b.state.PoseWF[b.frame].Apply(centerF), tr.radius, b.reach, b.radii)
	b.m = b.state.Displacement(b.frame, tr.from, b.radii)
	b.a, b.j = b.state.Acceleration(b.frame, tr.from, b.radii)
	b.along = b.state.AccelerationAlong(b.frame, tr.from, b.radii, tr.n)
	if tr.from > 0 {
		b.stop = b.hingeOf[tr.from-1] + 1
	}
	b.nStop = poseWL(b.state, b.stop).R.ApplyInv(tr.n)
	b.oracleErr(centerF, tr, whole, limit)
	return b
}

// oracleErr bounds the rounding of the oracle, which the samples are allowed: an
// angle of size q is wrong by 1e-15 q, and a rate by 1e-14 q for a curve with
// control points of that size, however slow it is.
func (b *bounds) oracleErr(centerF geom.Vec, tr *trial, whole []kin.Around, limit func(int) float64) {
	tree := b.state.Tree
	size, angle, turning := r3.Norm(centerF)+tr.radius, 0.0, 0.0
	levers := slices.Clone(b.reach)
	for i, k := range tree.Chain(b.frame) {
		f := &tree.Frames[k]
		size += r3.Norm(f.PosePF.P)
		if f.Prismatic {
			levers[i] = 1
			size += limit(int(k))
		} else {
			angle += limit(int(k))
			turning += b.state.Omega[k]
		}
		b.err.speed += 1e-14 * levers[i] * math.Abs(f.Mult) * whole[f.Dof].MaxAbs
	}
	b.err.part = 1e-13 + 1e-15*angle
	b.err.length = b.err.part * size
	loose, looser := b.state.Acceleration(b.frame, tr.from, levers)
	b.err.accel = b.err.part*loose + (20+2*turning)*b.err.speed
	b.err.jerk = b.err.part*looser + (60+12*turning+3*turning*turning)*b.err.speed
}

// rounding is the oracle's: of lengths and their derivatives, and the part
// by which directions are wrong.
type rounding struct{ part, length, speed, accel, jerk float64 }

func (a rounding) plus(b rounding) rounding {
	return rounding{math.Max(a.part, b.part), a.length + b.length, a.speed + b.speed, a.accel + b.accel, a.jerk + b.jerk}
}

// total is a bound of displacement, acceleration, acceleration along n and jerk.
type total struct{ m, a, along, j float64 }

// ledger compares samples with bounds.
type ledger struct {
	c     float64
	top   measured
	fault error
}

func (tr *trial) ledger() ledger { return ledger{c: tr.c} }

// compare notes what share of the bound the value at t is. slack is for the
// oracle's rounding; shares are not taken of bounds that it comes near.
func (l *ledger) compare(share *float64, what string, value, bound, slack, t float64) {
	if l.fault == nil && !(value <= bound+slack) {
		l.fault = fmt.Errorf("%s reaches %g at %g, the bound is %g (%g of it)", what, value, t, bound, value/bound)
	}
	if bound > 1e6*slack {
		*share = math.Max(*share, value/bound)
	}
}

// motion compares the path x(t) of a point, or of the difference of two, which is
// at `at` with the given speed and acceleration at c.
func (l *ledger) motion(x jet3, at, speed, accel, n geom.Vec, t float64, bound total, err rounding) {
	moved := r3.Sub(x.order(0), at)
	l.compare(&l.top.displacement, "displacement", r3.Norm(moved), bound.m, err.length, t)
	l.compare(&l.top.acceleration, "acceleration", r3.Norm(x.order(2)), bound.a, err.accel, t)
	l.compare(&l.top.along, "acceleration along n", math.Abs(r3.Dot(n, x.order(2))), bound.along, err.accel, t)
	// What the proof rules make of it.
	dt := t - l.c
	rest := r3.Sub(moved, r3.Scale(dt, speed))
	slack := 4*err.length + math.Abs(dt)*(err.speed+err.part*r3.Norm(speed)) + dt*dt*err.accel
	l.compare(&l.top.taylor, "remainder of first order", r3.Norm(rest), bound.a*dt*dt/2, slack, t)
	l.compare(&l.top.taylorAlong, "remainder along n", math.Abs(r3.Dot(n, rest)), bound.along*dt*dt/2, slack, t)
	l.compare(&l.top.jerk, "jerk", r3.Norm(x.order(3)), bound.j, err.jerk, t)
	rest = r3.Sub(rest, r3.Scale(dt*dt/2, accel))
	slack += dt * dt * err.part * r3.Norm(accel)
	l.compare(&l.top.third, "remainder of second order", r3.Norm(rest), bound.j*math.Abs(dt*dt*dt)/6, slack, t)
}

// check samples the trial's motion and returns how much of each bound it used,
// or what it found beyond one.
func (tr *trial) check(r *rand.Rand, samples int) (measured, error) {
	b := tr.bounds()
	o := newOracle(tr.plan, tr.cs)
	l := tr.ledger()
	index := make(map[int]int)
	for i, h := range b.hingeOf {
		index[h] = i
	}
	times := tr.times(r, samples)
	pose := poseWL(b.state, b.stop)
	base := b.state.Tree.LinkFrame[b.stop]
	relative, rate := b.state.Twist[b.frame].Sub(b.state.Twist[base]), b.state.RateRelative(b.frame, base)
	for _, p := range tr.ballPoints(r) {
		at := o.carry(tr.link, b.stop, p, tr.c, nil).order(0)
		x := poseWL(b.state, tr.link).Apply(p)
		speed, accel := pose.R.ApplyInv(relative.At(x)), pose.R.ApplyInv(kin.AccelerationAt(&relative, &rate, x))
		for _, t := range times {
			x := o.carry(tr.link, b.stop, p, t, func(h int, d float64) {
				l.compare(&l.top.radius, "distance from an axis", d, b.radii[index[h]], b.err.length, t)
				l.compare(&l.top.reach, "distance from an axis, by reach,", d, b.reach[index[h]], b.err.length, t)
			})
			l.motion(x, at, speed, accel, b.nStop, t, total{b.m, b.a, b.along, b.j}, b.err)
		}
	}
	return l.top, l.fault
}

// campaign checks n trials and returns the largest shares.
func campaign(t *testing.T, seed uint64, n int, draw func(r *rand.Rand) trial) measured {
	t.Helper()
	var top measured
	r := source(seed)
	for i := range n {
		tr := draw(r)
		got, err := tr.check(r, 24)
		if err != nil {
			t.Fatalf("trial %d: %v\n%+v", i, err, tr)
		}
		top.raise(got)
	}
	t.Logf("%d trials, largest shares %+v", n, top)
	return top
}

func TestBoundsOnRandomChains(t *testing.T) {
	top := campaign(t, 11, rounds(1500), randomTrial)
	// Chance alone comes this close: a campaign that does not tests too little.
	for what, share := range map[string]float64{
		"reach": top.reach, "radius": top.radius, "displacement": top.displacement, "acceleration": top.acceleration,
		"acceleration along n": top.along, "first order": top.taylor, "first order along n": top.taylorAlong, "jerk": top.jerk, "second order": top.third,
	} {
		if !(share > 0.9) {
			t.Errorf("%s: no trial came nearer to its bound than %g of it", what, share)
		}
	}
}

// Few joints, where bounds are nearly attained, come too rarely by chance.
func TestBoundsOnShortChains(t *testing.T) {
	campaign(t, 12, rounds(3000), func(r *rand.Rand) trial {
		tr := randomChain(r, 1+r.IntN(3))
		tr.randomInterval(r)
		tr.randomBall(r)
		tr.n = randomUnit(r)
		switch r.IntN(3) {
		case 0:
			tr.pointAlongAxis(r)
		case 1:
			tr.foldOntoAxis(r)
		}
		return tr
	})
}

// A wheel that spins many times while joints before it slowly turn its axis away
// from n: the directional bound rests on the sum of delta.
func TestBoundsOnTurnedWheels(t *testing.T) {
	campaign(t, 13, rounds(500), func(r *rand.Rand) trial {
		tr := randomChain(r, 1+r.IntN(3))
		for i := range tr.cs { // slow, but not the slower the less they turn
			for j := range tr.cs[i] {
				tr.cs[i][j] = symmetric(r, 0.1)
			}
		}
		tr.plan = append(tr.plan, hinge{parent: len(tr.plan), kind: urdf.Revolute, axis: asTriple(randomUnit(r)), xyz: randomTriple(r, 0.1)})
		tr.cs = append(tr.cs, []float64{0, math.Pow(10, 1+3*r.Float64())})
		tr.link = len(tr.plan)
		tr.randomInterval(r)
		tr.randomBall(r)
		tr.center = r3.Scale(10, tr.center)
		s := place(tr.plan.treeOrDie(), tr.cs, tr.c, tr.lo, tr.hi)
		tr.n = s.AxisW[len(s.Tree.Frames)-1]
		return tr
	})
}

// Chance finds the ordinary; here every trial is changed in steps that bring it
// nearer to one of its bounds.
func TestBoundsUnderSearch(t *testing.T) {
	r := source(15)
	for _, aim := range []struct {
		what  string
		share func(m measured) float64
	}{
		{"radius", func(m measured) float64 { return m.radius }},
		{"displacement", func(m measured) float64 { return m.displacement }},
		{"acceleration", func(m measured) float64 { return m.acceleration }},
		{"acceleration along n", func(m measured) float64 { return m.along }},
		{"first order along n", func(m measured) float64 { return m.taylorAlong }},
		{"jerk", func(m measured) float64 { return m.jerk }},
		{"second order", func(m measured) float64 { return m.third }},
	} {
		var top float64
		for range rounds(8) {
			tr := randomChain(r, 2+r.IntN(3))
			tr.randomInterval(r)
			tr.randomBall(r)
			tr.n = randomUnit(r)
			best := 0.0
			for range 60 {
				next := tr.nudged(r)
				got, err := next.check(r, 12)
				if err != nil {
					t.Fatalf("%s: %v\n%+v", aim.what, err, next)
				}
				if s := aim.share(got); s >= best {
					tr, best = next, s
				}
			}
			top = math.Max(top, best)
		}
		t.Logf("%s: up to %g of its bound", aim.what, top)
	}
}

// Two bodies of one tree, in the frame of the body where their chains part,
// frozen at c: what separates them obeys the sums of both sides' bounds, and its
// first order is the relative twist's.
func TestBoundsOnPairs(t *testing.T) {
	r := source(14)
	var top measured
	for i := range rounds(800) {
		p := randomPair(r)
		got, err := p.check(r)
		if err != nil {
			t.Fatalf("trial %d: %v\n%+v", i, err, p)
		}
		top.raise(got)
	}
	t.Logf("largest shares %+v", top)
	if !(top.displacement > 0.7 && top.acceleration > 0.5 && top.along > 0.5 && top.jerk > 0.3 && top.third > 0.2) {
		t.Error("no pair came near its bounds: the campaign tests too little")
	}
}

// pair is two balls on two branches of one tree.
type pair struct{ a, b trial }

// randomPair draws a stem of up to four joints with two branches of up to four.
func randomPair(r *rand.Rand) pair {
	a := randomChain(r, 1+r.IntN(8))
	stem := r.IntN(len(a.plan))
	b := randomChain(r, 1+r.IntN(4))
	n := len(a.plan)
	for i, h := range b.plan {
		h.parent += n
		if i == 0 {
			h.parent = stem
		}
		if h.mimics > 0 {
			h.mimics += n
		}
		a.plan = append(a.plan, h)
	}
	a.cs = append(a.cs, b.cs...)
	a.randomInterval(r)
	a.randomBall(r)
	a.n = randomUnit(r)
	p := pair{a, a}
	p.b.link = len(a.plan)
	p.b.randomBall(r)
	tree := a.plan.treeOrDie()
	from := tree.Parting(tree.LinkFrame[p.a.link], tree.LinkFrame[p.b.link])
	p.a.from, p.b.from = from, from
	return p
}

func (p *pair) check(r *rand.Rand) (measured, error) {
	a, b := p.a.bounds(), p.b.bounds()
	o := newOracle(p.a.plan, p.a.cs)
	v := p.a.ledger()
	pose := poseWL(a.state, a.stop)
	flow := func(tr *trial, bd *bounds, p geom.Vec) (speed, accel geom.Vec) {
		base := bd.state.Tree.LinkFrame[bd.stop]
		t, rate := bd.state.Twist[bd.frame].Sub(bd.state.Twist[base]), bd.state.RateRelative(bd.frame, base)
		x := poseWL(bd.state, tr.link).Apply(p)
		return pose.R.ApplyInv(t.At(x)), pose.R.ApplyInv(kin.AccelerationAt(&t, &rate, x))
	}
	as, bs := p.a.ballPoints(r), p.b.ballPoints(r)
	for i := range max(len(as), len(bs)) {
		pa, pb := as[i%len(as)], bs[i%len(bs)]
		difference := func(t float64) jet3 {
			xa, xb := o.carry(p.a.link, a.stop, pa, t, nil), o.carry(p.b.link, b.stop, pb, t, nil)
			for k := range xb {
				xb[k] = xb[k].scaled(-1)
			}
			return xa.plus(xb)
		}
		at := difference(p.a.c).order(0)
		speedA, accelA := flow(&p.a, &a, pa)
		speedB, accelB := flow(&p.b, &b, pb)
		for _, t := range p.a.times(r, 24) {
			x := difference(t)
			v.motion(x, at, r3.Sub(speedA, speedB), r3.Sub(accelA, accelB), a.nStop, t,
				total{a.m + b.m, a.a + b.a, a.along + b.along, a.j + b.j}, a.err.plus(b.err))
		}
	}
	return v.top, v.fault
}
