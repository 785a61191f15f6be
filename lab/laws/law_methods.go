package laws

import (
	"context"
	"time"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// methodBudget is for the methods beside the default one, which take longer.
const methodBudget = time.Second

// methodsAgree: all methods, all questions, any number of workers, a Path and a
// profile say the same of one motion.
func methodsAgree(t *trial) {
	for _, m := range ccd.Methods() {
		if m.Resolve() == motion.Spacetime || len(t.base.q.Tube) > 0 || !t.one(2) {
			continue
		}
		q := t.base.q
		q.Method, q.Budget = m, methodBudget
		v, err := t.base.a.checker.Check(context.Background(), t.base.a.motion, q)
		if err != nil {
			if len(t.base.a.of.root) == 0 { // not all are for roots that move
				t.contradicts("%v refuses: %v", m, err)
			}
			continue
		}
		q.Method = motion.Auto
		t.same(t.base, &answer{t.base.a, q, v}, true)
	}
	for _, change := range []func(q *motion.Query){
		func(q *motion.Query) { q.Question = motion.IsFree },
		func(q *motion.Query) { q.Question = motion.MinClearance },
		func(q *motion.Query) { q.Workers = 3 },
	} {
		q := t.base.q
		change(&q)
		if y, ok := t.check(t.base.a, q); ok {
			t.same(t.base, y, true)
			t.least(y)
		}
	}
	t.margin()
	t.path()
	t.profile()
}

// least holds the smallest distance against the clearance.
func (t *trial) least(y *answer) {
	c := &y.v.MinClearance
	if y.v.Status != motion.Free || !c.Known || len(y.q.Tube) > 0 {
		return
	}
	t.tally.pair(t.law)
	if c.Bounds.Hi < y.q.Clearance {
		t.contradicts("free at clearance %g, but the smallest distance is in [%g, %g]", y.q.Clearance, c.Bounds.Lo, c.Bounds.Hi)
	}
}

// margin asks for the contact and for the touch behind it.
func (t *trial) margin() {
	q := t.base.q
	q.Budget = budget
	v, touch, err := t.base.a.checker.CheckMargin(context.Background(), t.base.a.motion, q)
	if err != nil {
		t.contradicts("CheckMargin refuses: %v", err)
		return
	}
	t.same(t.base, &answer{t.base.a, t.base.q, v}, true)
	if touch == nil {
		return
	}
	q.Clearance = 0
	bare := &answer{t.base.a, q, *touch}
	if y, ok := t.check(t.base.a, q); ok {
		t.same(y, bare, true)
	}
	t.tally.pair(t.law)
	if touch.Status == motion.Contact && v.Status == motion.Free {
		t.contradicts("free at clearance %g, but it touches at %v", t.base.q.Clearance, touch.TOC)
	}
}

// path asks a Path twice, about another motion in between.
func (t *trial) path() {
	q := t.base.q
	q.Question, q.Budget = motion.IsFree, budget
	p, err := t.base.a.checker.PathChecker(q)
	if err != nil {
		t.contradicts("no Path: %v", err)
		return
	}
	m := t.base.a.motion
	part := *m
	part.Pieces = m.Pieces[:1+t.IntN(len(m.Pieces))]
	if len(m.Root) > 0 {
		part.Root = m.Root[:len(part.Pieces)]
	}
	for _, m := range []*motion.Motion{m, &part, m} {
		v, err := p.Check(context.Background(), m)
		if err != nil {
			t.contradicts("Path refuses: %v", err)
			return
		}
		if m != &part {
			t.same(t.base, &answer{t.base.a, q, v}, true)
		}
	}
}

// profile holds a profile's bounds against the answer.
func (t *trial) profile() {
	if len(t.base.q.Tube) > 0 {
		return
	}
	c, tol := t.base.q.Clearance, t.base.q.Tolerance
	p, err := t.base.a.checker.Profile(context.Background(), t.base.a.motion, motion.ProfileQuery{Tolerance: 1e-3, Range: motion.DistanceRanges{Max: c + 0.1}, Budget: budget})
	if err != nil {
		t.contradicts("no profile: %v", err)
		return
	}
	t.tally.pair(t.law)
	v := &t.base.v
	for _, s := range p.Spans {
		if s.Unknown {
			continue
		}
		if provenUntil(v) >= s.End && min(s.Upper[0], s.Upper[1]) < c {
			t.contradicts("proved until %g at clearance %g, but the profile is below %v in [%g, %g]", provenUntil(v), c, s.Upper, s.Start, s.End)
			return
		}
		if v.Status == motion.Contact && s.Start <= v.TOC.Hi && v.TOC.Hi <= s.End && min(s.Lower[0], s.Lower[1]) > c+tol+rounding {
			t.contradicts("contact at %v at clearance %g, but the profile is above %v in [%g, %g]", v.TOC, c, s.Lower, s.Start, s.End)
			return
		}
	}
}
