package enginetest

import (
	"context"
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/agreement"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Laws puts random questions to the engine and holds its verdicts against each other,
// against the default engine's and against the judge.
func Laws(t testing.TB, s *Suite) {
	n := s.cases(100)
	count, ties := map[motion.Status]int{}, 0
	for i := range n {
		c := Random(t, 5, uint64(i))
		if len(c.Model.Pairs) == 0 {
			continue
		}
		l := law{TB: t, s: s, i: i, c: c, q: s.question(i), w: s.worker(t, c, i), ties: &ties}
		l.v = ask(l.w, c, l.q)
		count[l.v.Status]++
		l.hold()
	}
	t.Logf("%d cases: %v, %d ties", n, count, ties)
	decided := count[motion.Free] + count[motion.Contact]
	if share := float64(count[motion.Contact]) / float64(decided); n >= 50 && (share < 0.2 || share > 0.8) {
		t.Errorf("%.0f %% of the motions collide: the test is one-sided", 100*share)
	}
}

// question draws the question of random case i.
func (s *Suite) question(i int) motion.Query {
	d, q := NewDice(6, uint64(i)), s.Query
	q.Question = [...]motion.Question{motion.FirstContact, motion.FirstContact, motion.IsFree}[d.IntN(3)]
	if d.IntN(3) == 0 {
		q.Clearance = d.In(0, 0.1)
	}
	if d.IntN(2) == 0 {
		q.TimeTolerance = [...]float64{1e-4, 1e-2}[d.IntN(2)]
	}
	q.NoSelf, q.NoWorld = d.IntN(12) == 0, d.IntN(12) == 0
	return q
}

// law is one random question, and the engine's verdict.
type law struct {
	testing.TB
	s    *Suite
	i    int
	c    *Case
	q    motion.Query
	w    engine.Worker
	v    motion.Verdict
	ties *int
}

func (l *law) hold() {
	l.Helper()
	for _, wrong := range l.c.judge(&l.q, &l.v) {
		l.Errorf("case %d: %s; %+v", l.i, wrong, l.q)
	}
	if fault := agreement.Fault(&l.q, &l.v); fault != "" {
		l.Errorf("case %d: the verdict %s", l.i, fault)
	}
	l.agrees()
	l.otherQuestion()
	l.backwards()
	l.inParts()
	l.cancelled()
	if l.i%3 == 0 {
		l.shrunk()
	}
	if again := ask(l.w, l.c, l.q); !same(&l.v, &again) {
		l.Errorf("case %d: %v in %v, and after other questions %v in %v", l.i, l.v.Status, l.v.TOC, again.Status, again.TOC)
	}
}

// same reports whether two verdicts tell the same, whatever they cost. The pair that
// touches at the same time may be another, and bounds of rounding that were made for an
// earlier question may be larger.
func same(a, b *motion.Verdict) bool {
	near := func(x, y float64) bool { return math.Abs(x-y) <= 1e-9 }
	return a.Status == b.Status && near(a.TOC.Lo, b.TOC.Lo) && near(a.TOC.Hi, b.TOC.Hi) && near(a.ProvenUntil, b.ProvenUntil)
}

// compare holds a proof against a witness of the same motion.
func (l *law) compare(what string, proof, witness *motion.Verdict) {
	l.Helper()
	switch agreement.Compare(&l.q, proof, witness) {
	case agreement.Tie:
		*l.ties++
	case agreement.Disagree:
		l.Errorf("case %d, %s: proven until %g (%v, %v), but %s and %s are %g m apart at %g; %+v", l.i, what, proof.ProvenUntil, proof.Status, proof.TOC,
			witness.Contact.Pair.A.Name, witness.Contact.Pair.B.Name, witness.Contact.Distance, witness.Contact.Time, l.q)
	}
}

// agrees compares the verdict with the first contact that the default engine finds.
func (l *law) agrees() {
	q := l.q
	q.Question = motion.FirstContact
	ref := ask(Reference(l, l.c.Model), l.c, q)
	l.compare("its proof and the default engine's witness", &l.v, &ref)
	l.compare("the default engine's proof and its witness", &ref, &l.v)
	if l.v.Status == motion.Undecided && ref.Status != motion.Undecided {
		l.Errorf("case %d: undecided at %g: %s; the default engine: %v", l.i, l.v.ProvenUntil, l.v.Reason, ref.Status)
	}
}

// otherQuestion: yes or no and first contact do not contradict each other.
func (l *law) otherQuestion() {
	q := l.q
	q.Question = motion.IsFree - l.q.Question // the other one
	other := ask(l.w, l.c, q)
	l.compare("its proof and its witness of the other question", &l.v, &other)
	l.compare("its proof of the other question and its witness", &other, &l.v)
}

// backwards: what the motion touches, its reverse touches at the mirrored time.
func (l *law) backwards() {
	back, err := l.c.Motion.Reverse()
	if err != nil {
		return
	}
	v := ask(l.w, l.c.With(l, back), l.q)
	first, last := l.c.Motion.Pieces[0].Start, l.c.Motion.Duration()
	mirrored := func(v motion.Verdict) *motion.Verdict {
		v.Contact.Time = first + (last - v.Contact.Time) + 1e-9*(last-first) // the sum is rounded
		return &v
	}
	l.compare("its proof of the motion backwards and its witness", &v, mirrored(l.v))
	l.compare("its proof and its witness of the motion backwards", &l.v, mirrored(v))
}

// inParts: a part of a motion is free wherever the whole of it is.
func (l *law) inParts() {
	first, last := l.c.Motion.Pieces[0].Start, l.c.Motion.Duration()
	cut := first + (last-first)*NewDice(7, uint64(l.i)).In(0.05, 0.95)
	before, after, err := l.c.Motion.Split(cut)
	if err != nil {
		return // a joint that goes the short way by more than half a turn
	}
	for _, part := range []*motion.Motion{before, after} {
		v := ask(l.w, l.c.With(l, part), l.q)
		l.compare("its proof of the whole and its witness of a part", &l.v, &v)
		if at := l.v.Contact.Time; l.v.Status == motion.Contact && at > part.Pieces[0].Start && at < part.Duration() {
			l.compare("its proof of a part and its witness of the whole", &v, &l.v)
		}
	}
}

// shrunk: what is free stays so with smaller shapes.
func (l *law) shrunk() {
	small := l.c.smaller(l)
	v := ask(l.s.worker(l, small, l.i), small, l.q)
	l.compare("its proof and its witness with smaller shapes", &l.v, &v)
}

// cancelled: a check that is cancelled at any time claims no more than what is so.
func (l *law) cancelled() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	left := 1 + l.i%7
	v := l.w.Check(engine.WithPause(ctx, func() {
		if left--; left == 0 {
			cancel()
		}
	}), l.c.Course, l.q)
	l.compare("its proof when it was cancelled and its witness", &v, &l.v)
	l.compare("its proof and its witness when it was cancelled", &l.v, &v)
	switch {
	case v.Status == motion.Undecided && v.Reason == "":
		l.Errorf("case %d: cancelled without a reason", l.i)
	case v.Status == motion.Free && l.v.Status != motion.Free:
		l.compare("its proof although it was cancelled", &v, &l.v)
	}
}
