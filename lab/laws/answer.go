package laws

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// budget of a check: what takes longer counts as undecided.
const budget = 5 * time.Second

// rounding (m, times the law's scale) is what two forms of one input may differ by:
// poses of some metres are composed in another order, a few hundred roundings of
// 2^-53 each, and rotations become angles and rotations again, near a pole with the
// square root of a rounding (1e-8 rad) at the worst.
const rounding = 1e-7

// timeRounding (s) is what times may differ by.
const timeRounding = 1e-9

// answer is a question and what was answered.
type answer struct {
	a *asked
	q motion.Query
	v motion.Verdict
}

// check asks about a motion and records an error as a contradiction: the product
// refuses one form of a question that it takes in another.
func (t *trial) check(a *asked, q motion.Query) (*answer, bool) {
	q.Budget = budget
	v, err := a.checker.Check(context.Background(), a.motion, q)
	if err != nil {
		t.contradicts("refused: %v", err)
		return nil, false
	}
	return &answer{a, q, v}, true
}

// same holds two answers to one question against each other. With timed, times mean
// the same in both, and each may cover a part of the motion alone.
func (t *trial) same(x, y *answer, timed bool) {
	t.tally.pair(t.law)
	if a, b := x.v.Status, y.v.Status; a == motion.Undecided || b == motion.Undecided {
		t.tally.undecided(t.law, a != b)
	}
	if timed {
		t.order(x, y)
		t.order(y, x)
		return
	}
	switch a, b := x.v.Status, y.v.Status; {
	case a == motion.Free && b == motion.Contact:
		t.clash(x, y, 0, math.Inf(1))
	case a == motion.Contact && b == motion.Free:
		t.clash(y, x, 0, math.Inf(1))
	}
}

// order holds a contact of y against what x proves of that time.
func (t *trial) order(x, y *answer) {
	if y.v.Status != motion.Contact {
		return
	}
	at := y.v.TOC.Hi
	if end := x.a.end(); x.a.motion.Pieces[0].Start <= at && at <= end && at < provenUntil(&x.v)-timeRounding {
		t.clash(x, y, at, math.Min(end+1, provenUntil(&x.v)))
	}
}

// clash decides whether a proof that nothing touches before a time and a contact
// within that time contradict each other, or are a tie. Both are true if the smallest
// distance of the true motion there is in (clearance, clearance + tolerance], give or
// take the rounding. So it is a tie if the free side cannot prove more than that, and
// the side in contact is not clearly closer at any of that time.
//
// A contact within a tube says that it may touch, but need not: it is compared where
// the motion itself touches, and else counted as a tie.
func (t *trial) clash(free, contact *answer, at, until float64) {
	if d := contact.v.Contact.Distance; len(contact.q.Tube) > 0 && d > contact.q.Clearance+contact.q.Tolerance {
		t.tally.tie(t.law)
		return
	}
	what := fmt.Sprintf("%v, proved until %.9g, against contact %v of %s and %s, %.3g m apart", free.v.Status, math.Min(provenUntil(&free.v), free.v.ProvenUntil), contact.v.TOC, contact.v.Contact.Pair.A.Name, contact.v.Contact.Pair.B.Name, contact.v.Contact.Distance)
	q := free.q
	q.Question = motion.FirstContact
	q.Clearance += q.Tolerance + unit(q)*rounding
	wider, ok := t.check(free.a, q)
	switch {
	case !ok:
	case provenUntil(&wider.v) > at:
		t.contradicts("%s: and at a clearance of %.3g, more than a tolerance wider, it is proved up to %.9g", what, q.Clearance, provenUntil(&wider.v))
	case t.deep(contact, at, until):
		t.contradicts("%s: and that is no tie, as they get closer", what)
	case provenUntil(&free.v) > free.a.end():
		t.tally.tie(t.law)
	default: // both in contact, found at different times
		t.tally.add(t.tally.times, t.law)
	}
}

// unit is how many times as large as usual the lengths of a question are.
func unit(q motion.Query) float64 { return q.Tolerance / motion.DefaultTolerance }

func provenUntil(v *motion.Verdict) float64 {
	switch v.Status {
	case motion.Free:
		return math.Inf(1)
	case motion.Contact:
		return v.TOC.Lo
	}
	return v.ProvenUntil
}

// deep reports whether the motion of a contact is, from its time to another, clearly
// closer than the clearance; at clearance 0, whether bodies overlap.
func (t *trial) deep(x *answer, from, until float64) bool {
	k := unit(x.q)
	if len(x.q.Tube) > 0 { // a profile is without
		q := x.q
		if q.Clearance -= q.Tolerance + k*rounding; q.Clearance < 0 {
			return x.v.Contact.Distance == 0
		}
		less, ok := t.check(x.a, q)
		return ok && less.v.Status == motion.Contact && less.v.TOC.Hi < until
	}
	p, err := x.a.checker.Profile(context.Background(), x.a.part(from, until), motion.ProfileQuery{Tolerance: k * 1e-5, Range: motion.DistanceRanges{Max: x.q.Clearance + k*1e-3}, Budget: budget})
	if err != nil {
		t.contradicts("no profile: %v", err)
		return false
	}
	limit := x.q.Clearance - k*rounding
	for _, s := range p.Spans {
		if s.Start >= until || s.Unknown {
			continue
		}
		last := s.Upper[1]
		if s.End > until {
			last = s.Upper[0] + (until-s.Start)/(s.End-s.Start)*(s.Upper[1]-s.Upper[0])
		}
		if math.Min(s.Upper[0], last) <= math.Max(limit, 0) {
			return true
		}
	}
	return false
}
