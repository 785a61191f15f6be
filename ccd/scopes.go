package ccd

import (
	"context"
	"math"
	"time"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// The two scopes are asked about together first. What that proves, it proves of both:
// all of the motion where it is free, and where a pair of one scope touches, that the
// other scope is free until TOC.Lo. Only what is left of the motion is searched for the
// other scope alone.

// together returns the question that is asked about both scopes at once.
func together(q *motion.Query) motion.Query {
	asked := *q
	if q.EachScope && q.Question == motion.MinClearance {
		asked.Question, asked.Range = motion.FirstContact, motion.DistanceRanges{} // the smallest distance is asked of each
	}
	return asked
}

// note takes note of how far a proof has come, and adds what was proved before it.
func (a *asking) note(v *motion.Verdict) {
	if !math.IsInf(a.from, 1) {
		v.ProvenUntil = max(v.ProvenUntil, a.from)
		if v.Status == motion.Contact {
			v.TOC.Lo = max(v.TOC.Lo, min(a.from, v.TOC.Hi))
		}
	}
	a.reached = v.ProvenUntil
}

// scope is one of the two scopes of a question.
type scope struct {
	q     motion.Query // about this scope alone
	world bool
}

// eachScope completes v, the answer to together(q), whose proof reached a time, with the
// answers for each scope.
func (c *Checker) eachScope(ctx context.Context, m *motion.Motion, q motion.Query, reached float64, v *motion.Verdict) error {
	stop := firstOpen(v.Premises) != nil && v.Status == motion.Undecided // nothing is proved free whatever is asked
	if q.Budget > 0 {
		stop = stop || v.Status == motion.Undecided && spent(m, &q, v) >= q.Budget
	}
	answers := new([2]motion.ScopeVerdict)
	scopes := scopesOf(q)
	for i := range scopes {
		s := &scopes[i]
		if !anyPair(c.model, s.q.NoSelf, s.q.NoWorld) {
			continue
		}
		answer := &answers[i]
		answer.Status, answer.ProvenUntil, answer.Reason = v.Status, v.ProvenUntil, v.Reason
		if v.Status == motion.Contact {
			answer.TOC, answer.Piece, answer.Contact = v.TOC, v.Piece, v.Contact
		}
		from := reached
		if s.world {
			v.World = answer
		} else {
			v.Self = answer
		}
		switch {
		case stop, v.Status == motion.Contact && v.Contact.Pair.World() == s.world:
			continue
		case v.Status == motion.Free && q.Question != motion.MinClearance:
			continue
		case v.Status == motion.Free:
			from = math.Inf(1)
		}
		if err := c.askScope(ctx, m, &s.q, from, answer, v); err != nil {
			return err
		}
	}
	if v.Status == motion.Free {
		v.MinClearance = closer(v.Self, v.World)
	}
	return nil
}

// spent returns what a verdict has cost of a budget, which is that of each worker.
func spent(m *motion.Motion, q *motion.Query, v *motion.Verdict) time.Duration {
	if !isDefault(q.Method) {
		return v.Compute
	}
	return v.Compute / time.Duration(max(1, workersFor(q, m)))
}

// scopesOf returns the question about each scope. Where it leaves one out, that has no pair.
func scopesOf(q motion.Query) [2]scope {
	self, world := scope{q: q}, scope{q: q, world: true}
	self.q.NoWorld, world.q.NoSelf = true, true
	return [2]scope{self, world}
}

// askScope asks about one scope what is not known: what happens from a time on, before
// which it is proved free. v is told what that took.
func (c *Checker) askScope(ctx context.Context, m *motion.Motion, q *motion.Query, from float64, answer *motion.ScopeVerdict, v *motion.Verdict) error {
	if q.Budget > 0 {
		q.Budget = max(q.Budget-spent(m, q, v), time.Nanosecond)
	}
	var rest motion.Verdict
	if err := c.ask(ctx, m, q, &asking{from: from}, &rest); err != nil {
		return err
	}
	v.Compute += rest.Compute
	v.Work.Intervals += rest.Work.Intervals
	v.Work.Proofs += rest.Work.Proofs
	v.Work.Distances += rest.Work.Distances
	*answer = motion.ScopeVerdict{
		Status: rest.Status, TOC: rest.TOC, Piece: rest.Piece, Contact: rest.Contact,
		ProvenUntil: rest.ProvenUntil, MinClearance: rest.MinClearance, Reason: rest.Reason,
	}
	return nil
}

// closer returns the smaller of both scopes' smallest distances, if each that has one is
// known.
func closer(self, world *motion.ScopeVerdict) motion.Clearance {
	switch {
	case self == nil && world == nil:
		return motion.Clearance{}
	case self == nil:
		return world.MinClearance
	case world == nil:
		return self.MinClearance
	case self.MinClearance.Stopped:
		return self.MinClearance
	case world.MinClearance.Stopped:
		return world.MinClearance
	case !self.MinClearance.Known || !world.MinClearance.Known:
		return motion.Clearance{}
	case self.MinClearance.Beyond && !world.MinClearance.Beyond:
		return world.MinClearance
	case world.MinClearance.Beyond && !self.MinClearance.Beyond:
		return self.MinClearance
	}
	least := self.MinClearance
	if world.MinClearance.Bounds.Hi < least.Bounds.Hi {
		least = world.MinClearance
	}
	least.Bounds.Lo = min(self.MinClearance.Bounds.Lo, world.MinClearance.Bounds.Lo)
	return least
}
