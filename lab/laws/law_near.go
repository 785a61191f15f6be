package laws

import (
	"bytes"
	"context"
	"math"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/certificate/verify"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// nearMiss: a motion is free at a clearance just below its smallest distance, with a
// proof that is accepted, and not free at one just above.
func nearMiss(t *trial) {
	q := t.base.q
	if t.base.v.Status != motion.Free || len(q.Tube) > 0 || t.base.a.of.padsLess() {
		return
	}
	q.Question, q.ClearanceTolerance = motion.MinClearance, 1e-8
	least, ok := t.check(t.base.a, q)
	if !ok || !least.v.MinClearance.Known {
		return
	}
	b := least.v.MinClearance.Bounds
	by := math.Pow(10, t.In(-6, -3))
	q.Question = motion.FirstContact
	t.tally.pair(t.law)
	if q.Clearance = b.Hi + 1e-8; q.Clearance < 10 {
		if over, ok := t.check(t.base.a, q); ok && over.v.Status == motion.Free {
			t.contradicts("the smallest distance is in [%g, %g], but it is free at clearance %g", b.Lo, b.Hi, q.Clearance)
		}
	}
	if q.Clearance = b.Lo - by; q.Clearance < 0 {
		return
	}
	t.tally.pair(t.law)
	q.Budget = budget
	var proof bytes.Buffer
	v, err := t.base.a.checker.Certify(context.Background(), t.base.a.motion, q, &proof)
	switch {
	case err != nil:
		t.contradicts("not certified: %v", err)
	case v.Status == motion.Undecided:
		t.tally.undecided(t.law, true)
	case v.Status == motion.Contact && by > 2*q.Tolerance:
		t.contradicts("the smallest distance is in [%g, %g], but it is a contact at clearance %g: %v, %g", b.Lo, b.Hi, q.Clearance, v.TOC, v.Contact.Distance)
	case v.Status == motion.Contact:
		t.tally.tie(t.law)
	default:
		a := t.base.a
		if _, err := verify.Verify(context.Background(), a.robot, a.world, a.motion, &proof, verify.Options{Clearance: q.Clearance}); err != nil {
			t.contradicts("the true proof of a miss by %g is not accepted: %v", by, err)
		}
	}
}

// lateStart: where the first point of a trajectory comes later than time 0 nothing is
// known before it, so that the motion is not free; a contact stays one. A table, as it
// may be a recording, begins with its first row.
func lateStart(t *trial) {
	s := t.subject()
	if !s.straight() || !s.keepTurns {
		return
	}
	for i := range s.pieces {
		s.pieces[i].Start += 2
		s.pieces[i].End += 2
	}
	a, ok := t.buildBy(s, true)
	if !ok {
		return
	}
	y, ok := t.check(a, s.query())
	if !ok {
		return
	}
	t.tally.pair(t.law)
	if y.v.Status == motion.Free {
		t.contradicts("free, though it begins at 2 s and nothing is said of the way there")
	}
	if t.base.v.Status == motion.Free && y.v.Status == motion.Contact {
		t.clash(t.base, y, 0, math.Inf(1))
	}
}

// rangesCopied: a query whose ranges are changed in place after it was asked, or after
// a gauge was made of it, changes no earlier gauge and is asked anew.
func rangesCopied(t *trial) {
	a := t.base.a
	pair := motion.PairRange{A: a.of.links[t.IntN(len(a.of.links))].name, B: a.of.links[len(a.of.links)-1].name}
	if len(a.of.objects) > 0 && t.one(2) {
		pair.A = a.of.objects[0].id
	}
	near, far := motion.DistanceRange{Max: 1e-3}, motion.DistanceRange{} // left out, or not
	if t.one(2) {
		near, far = far, near
	}
	kind := t.IntN(3)
	query := func(r motion.DistanceRange) (q motion.DistanceQuery, in *motion.DistanceRange) {
		switch kind {
		case 0:
			q.Ranges = []motion.PairRange{{A: pair.A, B: pair.B, DistanceRange: r}}
			return q, &q.Ranges[0].DistanceRange
		case 1:
			q.SelfRange = &r
		default:
			q.WorldRange = &r
		}
		return q, &r
	}
	joints := a.checker.ActiveJoints()
	q, positions := make([]float64, len(joints)), map[string]float64{}
	for i, name := range joints {
		q[i] = t.In(-1, 1)
		positions[name] = q[i]
	}
	measure := func(g *ccd.DistanceTracker) (motion.Interval, bool) {
		d, err := g.Distance(context.Background(), q)
		if err != nil {
			t.contradicts("no distance: %v", err)
			return motion.Interval{}, false
		}
		return smallest(d), true
	}
	given, in := query(near)
	before, err := a.checker.DistanceTracker(given)
	if err != nil {
		return // a pair that is not checked
	}
	if _, err := a.checker.Distance(context.Background(), positions, given); err != nil {
		t.contradicts("no distance: %v", err)
		return
	}
	*in = far
	after, err := a.checker.Distance(context.Background(), positions, given)
	if err != nil {
		t.contradicts("no distance: %v", err)
		return
	}
	for _, r := range []motion.DistanceRange{near, far} {
		q, _ := query(r)
		g, err := a.checker.DistanceTracker(q)
		if err != nil {
			t.contradicts("no gauge: %v", err)
			return
		}
		want, ok := measure(g)
		is := smallest(&after)
		if r == near {
			is, ok = measure(before)
		}
		if t.tally.pair(t.law); ok && !(equal(want.Lo, is.Lo) && equal(want.Hi, is.Hi)) {
			t.contradicts("with the range %+v the distance is in %v, and in %v where the range was changed in place", r, want, is)
		}
	}
}

// equal reports whether two bounds are the same, to rounding.
func equal(a, b float64) bool { return a == b || math.Abs(a-b) <= rounding }

// smallest bounds the smallest distance of all pairs.
func smallest(d *motion.Distances) motion.Interval {
	return motion.Interval{Lo: math.Min(d.Self.Lo, d.World.Lo), Hi: math.Min(d.Self.Hi, d.World.Hi)}
}
