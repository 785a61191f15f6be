package kin_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/kin"
)

// measured is the largest share of each bound that a sample reached: above 1 the
// bound is false, and where no trial comes near 1 the campaign tests nothing.
type measured struct{ reach, radius, displacement, acceleration, along, taylor, taylorAlong float64 }

func (m *measured) raise(o measured) {
	m.reach = math.Max(m.reach, o.reach)
	m.radius = math.Max(m.radius, o.radius)
	m.displacement = math.Max(m.displacement, o.displacement)
	m.acceleration = math.Max(m.acceleration, o.acceleration)
	m.along = math.Max(m.along, o.along)
	m.taylor = math.Max(m.taylor, o.taylor)
	m.taylorAlong = math.Max(m.taylorAlong, o.taylorAlong)
}

// bounds are what the code under test says of a trial.
type bounds struct {
	state            *kin.State
	frame            int
	reach, radii     []float64
	m, a, along      float64
	loose            float64 // acceleration with the reach as lever: scales the oracle's rounding
	stop             int     // the link after the first `from` joints
	nStop            geom.Vec
	hingeOf          []int // per joint of the chain
	lengthScale, eps float64
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
	b.a = b.state.Acceleration(b.frame, tr.from, b.radii)
	b.along = b.state.AccelerationAlong(b.frame, tr.from, b.radii, tr.n)
	if tr.from > 0 {
		b.stop = b.hingeOf[tr.from-1] + 1
	}
	b.nStop = poseWL(b.state, b.stop).R.ApplyInv(tr.n)
	levers := make([]float64, n)
	b.lengthScale = r3.Norm(centerF) + tr.radius
	for i, k := range tree.Chain(b.frame) {
		levers[i] = b.reach[i]
		b.lengthScale += r3.Norm(tree.Frames[k].PosePF.P)
		if tree.Frames[k].Prismatic {
			levers[i] = 1
			b.lengthScale += limit(int(k))
		}
	}
	b.loose = b.state.Acceleration(b.frame, tr.from, levers)
	return b
}

// check samples the trial's motion and returns how much of each bound it used,
// or what it found beyond one. The oracle's own rounding is allowed for: 1e-13
// of the chain's length, and of the acceleration with the longest levers.
func (tr *trial) check(r *rand.Rand, samples int) (measured, error) {
	b := tr.bounds()
	o := newOracle(tr.plan, tr.cs)
	var got measured
	var fault error
	length, accel := 1e-13*b.lengthScale, 1e-13*b.loose
	compare := func(share *float64, what string, value, bound, slack, t float64) {
		if fault == nil && !(value <= bound+slack) {
			fault = fmt.Errorf("%s reaches %g at %g, the bound is %g (%g of it)", what, value, t, bound, value/bound)
		}
		if bound > 100*slack {
			*share = math.Max(*share, value/bound)
		}
	}
	index := make(map[int]int)
	for i, h := range b.hingeOf {
		index[h] = i
	}
	times := tr.times(r, samples)
	stopFrame := b.state.Tree.LinkFrame[b.stop]
	for _, p := range tr.ballPoints(r) {
		at := o.carry(tr.link, b.stop, p, tr.c, nil).order(0)
		pW := poseWL(b.state, tr.link).Apply(p)
		vW := b.state.Twist[b.frame].Sub(b.state.Twist[stopFrame]).At(pW)
		v := poseWL(b.state, b.stop).R.ApplyInv(vW)
		for _, t := range times {
			x := o.carry(tr.link, b.stop, p, t, func(h int, d float64) {
				compare(&got.radius, fmt.Sprint("distance from axis of joint ", h), d, b.radii[index[h]], length, t)
				compare(&got.reach, fmt.Sprint("reach beyond axis of joint ", h), d, b.reach[index[h]], length, t)
			})
			moved := r3.Sub(x.order(0), at)
			compare(&got.displacement, "displacement", r3.Norm(moved), b.m, length, t)
			compare(&got.acceleration, "acceleration", r3.Norm(x.order(2)), b.a, accel, t)
			compare(&got.along, "acceleration along n", math.Abs(r3.Dot(b.nStop, x.order(2))), b.along, accel, t)
			// What the proof rules make of it.
			dt := t - tr.c
			rest := r3.Sub(moved, r3.Scale(dt, v))
			slack := 4*length + 1e-13*math.Abs(dt)*r3.Norm(v) + 1e-13*b.loose*dt*dt
			compare(&got.taylor, "remainder of first order", r3.Norm(rest), b.a*dt*dt/2, slack, t)
			compare(&got.taylorAlong, "remainder along n", math.Abs(r3.Dot(b.nStop, rest)), b.along*dt*dt/2, slack, t)
		}
	}
	return got, fault
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
	campaign(t, 11, rounds(3000), randomTrial)
}
