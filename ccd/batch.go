package ccd

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/firstcontact-ros/firstcontact/internal/engine/place"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Batch says how CheckAll goes about many motions.
type Batch struct {
	// Workers is how many goroutines share the motions; 0 means runtime.GOMAXPROCS. Query.Workers,
	// the goroutines that share one motion, does not count here.
	Workers int
	// StopAtContact ends the batch at the first motion, in order, whose verdict is Contact: those
	// before it are judged, those after it are Undecided. Which motion that is does not depend on
	// the number of workers.
	StopAtContact bool
	// Into is where the answers are written, if it has room for them: a batch that reuses the
	// answers of the last one allocates nothing per motion.
	Into []Answer
}

// Answer is what Check says of one motion of a batch.
type Answer struct {
	Verdict motion.Verdict
	Err     error
}

// CheckAll answers q about each of many motions, as a planner asks about the edges of its
// roadmap, with all processors. The answers are in the order of the motions, each that of
// Check; the witnesses of IsFree may differ from run to run. Configurations (motion.Path of one point) and short
// motions share proofs, which makes them cheaper than with Check, unless the question has a tube, a budget or asks for the
// smallest distance; Verdict.Compute and Work are then each motion's share. Budget and Deadline apply to each
// motion. Once ctx is done, the motions that are left are Undecided.
func (c *Checker) CheckAll(ctx context.Context, motions []*motion.Motion, q motion.Query, b Batch) []Answer {
	q.Workers = 1
	run := batch{of: c, motions: motions, answers: slices.Grow(b.Into[:0], len(motions))[:len(motions)], stop: b.StopAtContact}
	run.first.Store(int64(len(motions)))
	workers := b.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	run.few = int64(min(place.MostAtRest, max(1, len(motions)/workers)))
	sideBySide(min(workers, len(motions)), "a batch of motions", func(int) { run.work(ctx, q) })
	run.forget()
	return run.answers
}

// batch is the motions of one CheckAll.
type batch struct {
	of      *Checker
	motions []*motion.Motion
	answers []Answer
	stop    bool
	few     int64        // how many motions a goroutine takes at a time
	next    atomic.Int64 // the motion that is taken next
	first   atomic.Int64 // the first that is in contact, where stop; no motion behind it is taken
}

// work judges some motions after others, until none is left.
func (b *batch) work(ctx context.Context, q motion.Query) {
	few := b.few
	if !mayShare(&q) || b.of.checkQuery(&q, &asking{}) != nil {
		few = 1
	}
	for {
		from := b.next.Add(few) - few
		to := min(from+few, b.end())
		if from >= to {
			return
		}
		others := uint8(1)
		if few > 1 {
			others = b.together(ctx, &q, int(from), int(to))
		}
		for i := from; i < min(to, b.end()); i++ {
			if others>>(i-from)&1 != 0 {
				a := &b.answers[i]
				*a = Answer{}
				a.Err = b.of.checkTo(ctx, b.motions[i], &q, &a.Verdict)
				b.note(int(i))
			}
		}
	}
}

// end returns where the motions end that are still to be judged.
func (b *batch) end() int64 { return min(b.first.Load(), int64(len(b.motions))) }

// note takes note of the answer about motion i.
func (b *batch) note(i int) {
	a := &b.answers[i]
	if a.Err != nil {
		a.Verdict = motion.Verdict{}
	} else if b.stop && a.Verdict.Status == motion.Contact {
		lower(&b.first, int64(i))
	}
}

// forget makes Undecided of what lies behind the first contact, judged or not.
func (b *batch) forget() {
	first := int(b.first.Load())
	if first >= len(b.answers) {
		return
	}
	left := Answer{Verdict: motion.Verdict{Reason: fmt.Sprintf("not checked: motion %d of the batch is in contact", first)}}
	for i := first + 1; i < len(b.answers); i++ {
		b.answers[i] = left
	}
}

// lower sets x to at where that is less.
func lower(x *atomic.Int64, at int64) {
	for now := x.Load(); at < now && !x.CompareAndSwap(now, at); now = x.Load() {
	}
}
