package ccd

import (
	"context"

	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/place"
	"github.com/firstcontact-ros/firstcontact/internal/engine/spacetime"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Motions of a batch that share a proof: what that proves free has its verdict, and each of the others
// is asked about alone.

// mayShare reports whether motions may share a proof of a question: one that a motion which touches nothing
// answers, without a tube, and without a budget, which is each motion's own.
func mayShare(q *motion.Query) bool {
	return q.Question != motion.MinClearance && !q.EachScope && isDefault(q.Method) && q.Research == "" &&
		q.Tube == nil && q.Budget == 0
}

// sharedProof is a proof that motions share.
type sharedProof struct {
	worker *spacetime.Worker // nil until the first motion has joined
	count  int
	joined [place.MostAtRest]joined
}

// joined is one of the motions.
type joined struct {
	posed
	at     int // in the batch
	course *kin.Course
}

// together answers about the batch's motions [from, to) that may share proofs, and returns the set of the others.
func (b *batch) together(ctx context.Context, q *motion.Query, from, to int) (others uint8) {
	var s sharedProof
	for i := from; i < to; i++ {
		if !s.join(b.of, b.motions[i], i, q) {
			others |= 1 << (i - from)
		}
	}
	if s.worker == nil {
		return others
	}
	defer s.joined[0].engine.pool.put(s.worker)
	for first := 0; first < s.count; {
		some := s.joined[first:s.count]
		some = some[:atOnce(some)]
		b.prove(ctx, s.worker, some, q)
		first += len(some)
	}
	return others
}

// join adds a motion of one piece, unless it is bad input, or other pairs are left out than of those before it.
func (s *sharedProof) join(c *Checker, m *motion.Motion, at int, q *motion.Query) bool {
	if m == nil || len(m.Pieces) != 1 || len(m.Root) > 0 {
		return false
	}
	p, err := c.pose(m, q, false)
	if err != nil || p.proven > 0 && !anyPair(p.engine.model, q.NoSelf, q.NoWorld) {
		return false
	}
	if s.worker == nil {
		s.worker = p.engine.pool.get()
	} else if p.engine.model != s.joined[0].engine.model {
		return false
	}
	s.joined[s.count] = joined{p, at, s.worker.BindOne(s.count, p.motion, c.state, p.layout.rows)}
	s.count++
	return true
}

// atOnce returns how many of the motions share a proof: those that rest, or two.
func atOnce(some []joined) int {
	n := 0
	for n < len(some) && some[n].course.Rests() {
		n++
	}
	switch {
	case n > 0:
		return n
	case len(some) > 1 && spacetime.MayShare(some[0].course) && spacetime.MayShare(some[1].course):
		return 2
	}
	return 1
}

// prove answers about some motions by a proof that they share, and about those one by one that it does not prove free.
func (b *batch) prove(ctx context.Context, w *spacetime.Worker, some []joined, q *motion.Query) {
	var t spacetime.Together
	if len(some) > 1 {
		var courses [place.MostAtRest]*kin.Course
		for i := range some {
			courses[i] = some[i].course
		}
		t = w.ProveTogether(ctx, courses[:len(some)], q)
	}
	for i := range some {
		if t.Free>>i&1 != 0 {
			b.free(&some[i], q, &t)
		} else if j := &some[i]; int64(j.at) < b.end() {
			b.alone(ctx, w, j, q)
		}
	}
}

// free writes the answer about a motion that is proved free.
func (b *batch) free(j *joined, q *motion.Query, t *spacetime.Together) {
	a := &b.answers[j.at]
	*a = Answer{}
	v := &a.Verdict
	v.Status, v.ProvenUntil, v.ProvenPairs = motion.Free, j.motion.Duration(), j.proven
	v.Compute, v.Work = t.Share()
	b.of.complete(v, q.Question, j.course, j.motion, j.layout)
}

// alone asks about a motion that is posed already.
func (b *batch) alone(ctx context.Context, w *spacetime.Worker, j *joined, q *motion.Query) {
	var a asking
	to := &b.answers[j.at]
	*to = Answer{}
	if to.Err = b.of.answer(ctx, &j.posed, w, j.course, q, &a, &to.Verdict); to.Err == nil {
		to.Err = b.of.list(ctx, j.given, q, &to.Verdict)
	}
	b.note(j.at)
}
