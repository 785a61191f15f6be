package clearance

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/lab/oracle"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// motions is how many are profiled of each robot: a few, or 2,000 times FIRSTCONTACT_LONG.
func motions() int {
	if switches.Long.Set() {
		return switches.Long.Times(2000, 1)
	}
	return 6
}

// The bounds of a distance over time hold the distance of a robot to itself at any time, as it is measured there, which
// is FCL's (TestDistancesEqualFCL), and the pair that each span names is as far apart for FCL as its points are, where it is apart at all.
func TestProfilesHoldDistances(t *testing.T) {
	eachRobot(t, 12, func(t *testing.T, j *jury, d *rand.Rand) {
		p := profiles{jury: j}
		for range motions() {
			p.hold(t, d)
		}
		t.Logf("%d motions, %d spans, %d of them apart; %d times, %d of them apart; %d pairs measured by FCL", p.tried, p.spans, p.open, p.times, p.clearAt, p.measured)
		if p.times < 10*p.tried || p.open == 0 || p.measured == 0 {
			t.Error("a poor test")
		}
	})
}

// profiles judges distances over time.
type profiles struct {
	*jury
	spans, open, times, clearAt, measured int
}

// hold profiles a motion and holds it against distances at single times.
func (p *profiles) hold(t *testing.T, d *rand.Rand) {
	t.Helper()
	p.tried++
	from, to := p.draw(d), p.draw(d)
	part := math.Pow(10, -2*d.Float64()) // from all of the way to a hundredth
	for i := range to {
		to[i] = from[i] + part*(to[i]-from[i])
	}
	const end = 2
	m, err := motion.Between(p.joints, from, to, end)
	must(t, err)
	at := func(time float64) []float64 {
		q := make([]float64, len(from))
		for i := range q {
			q[i] = from[i] + (to[i]-from[i])*time/end
		}
		return q
	}
	tolerance := []float64{1e-3, 3e-4, 5e-3}[d.IntN(3)]
	got, err := p.c.Profile(context.Background(), m, motion.ProfileQuery{Tolerance: tolerance})
	must(t, err)
	for range 12 {
		time := end * d.Float64()
		b := got.Bounds(time)
		at, err := p.gauge.Distance(context.Background(), at(time))
		must(t, err)
		p.times++
		if at.Self.Lo > 0 {
			p.clearAt++
		}
		if b.Lo > at.Self.Hi+equal || b.Hi < at.Self.Lo-equal || b.Hi-b.Lo > tolerance*(1+1e-9) {
			t.Errorf("from %v to %v at %g: %v, measured %v", from, to, time, b, at.Self)
		}
	}
	for i := range got.Spans {
		s := &got.Spans[i]
		if p.spans++; s.Lower[0] > 0 || s.Lower[1] > 0 {
			p.open++
		}
		if s.At.Distance < 1e-6 || d.IntN(len(got.Spans)) > 1 {
			continue
		}
		want, err := p.fcl.PairDistance(oracle.Pair{A: s.At.Pair.A.Name, B: s.At.Pair.B.Name}, at(s.At.Time))
		must(t, err)
		b := got.Bounds(s.At.Time)
		if p.measured++; want < b.Lo-equal || want > s.At.Distance+10*equal {
			t.Errorf("from %v to %v at %g: %v %g apart, within %v, for FCL %.12g", from, to, s.At.Time, s.At.Pair, s.At.Distance, b, want)
		}
	}
}
