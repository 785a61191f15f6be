package node

import (
	"context"
	"fmt"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/node/internal/jointstates"
)

// A motion between two measurements during which the world changed is judged in every world that
// was in use meanwhile: where the robot was when the change happened is not known, so a contact in
// any of them may have been one. Motions that ended before the change and were not judged by then
// are judged in the worlds of their time and in the present one.

// formerWorlds are the worlds that were in use before the present one. Worlds are numbered by how
// many were in use before.
type formerWorlds struct {
	count uint64 // number of the present one
	kept  []formerWorld
}

type formerWorld struct {
	number uint64
	model  *model
}

// leave records that the world of a model is no longer in use.
func (f *formerWorlds) leave(m *model) {
	if len(f.kept) >= limit.FormerWorlds {
		f.kept = f.kept[1:]
	}
	f.kept = append(f.kept[:len(f.kept):len(f.kept)], formerWorld{f.count, m}) // rounds hold the list
	f.count++
}

// forget drops all former worlds: no motion that began in them is judged.
func (f *formerWorlds) forget() {
	f.kept = nil
}

// prune drops the worlds that are older than all that waits to be judged.
func (f *formerWorlds) prune(least uint64) {
	for len(f.kept) > 0 && f.kept[0].number < least {
		f.kept = f.kept[1:]
	}
	if len(f.kept) == 0 {
		f.kept = nil
	}
}

// in returns the model in the world of a number, nil if it is not kept.
func (f *formerWorlds) in(number uint64) *model {
	for _, w := range f.kept {
		if w.number == number {
			return w.model
		}
	}
	return nil
}

// oldestWorld returns the world in which the oldest motion began that may still be judged.
func (w *monitor) oldestWorld() uint64 {
	least := w.former.count
	look := func(s *jointstates.Sample) {
		if s != nil {
			least = min(least, s.World)
		}
	}
	if !w.queue.broken {
		look(w.queue.last)
	}
	for _, s := range w.queue.waiting {
		look(s)
	}
	for _, chain := range w.queue.backlog {
		look(chain[0])
	}
	if w.tracker != nil {
		w.tracker.EachOfRivals(look)
	}
	return least
}

// outcome is what was found of a chain of motions.
type outcome struct {
	judged  int                 // motions, in all worlds
	touched *jointstates.Sample // end of the first motion that touches; nil if none does
	in      *model              // in which it touches; nil for the present world
	ok      bool                // all were judged
}

// words says in which world the motion touches, if not in the present one.
func (o *outcome) words() string {
	if o.in == nil {
		return ""
	}
	return fmt.Sprintf(", in version %d of the scene, which was in use meanwhile", o.in.sceneVersion)
}

// judge judges the motions of a chain, or a single configuration at rest, in the round's world and
// in those that were in use since the chain began. It sets the level as judgeMotions does.
func (r *round) judge(ctx context.Context, chain way, s *fcmsgs.CollisionState, budget time.Duration) (o outcome) {
	if chain[0].World >= r.former.count {
		o.judged, o.touched, o.ok = judgeMotions(ctx, r.model, chain, s, budget)
		return o
	}
	until := time.Now().Add(budget)
	all := chain.motions()
	for o.judged < max(all, 1) && chain[o.judged].World < r.former.count {
		part := chain[o.judged:min(o.judged+2, len(chain))]
		if !r.judgeInAll(ctx, part, s, &o, until) {
			o.judged = min(o.judged, all)
			return o
		}
		o.judged++
	}
	if o.judged > all || o.judged == all && all > 0 {
		o.judged, o.ok = all, true
		return o
	}
	now := r.model.stateAt(chain.end())
	judged, touched, ok := judgeMotions(ctx, r.model, chain[o.judged:], now, time.Until(until))
	now.BeyondLimits = union(s.BeyondLimits, now.BeyondLimits)
	o.take(s, now, touched, nil)
	o.judged, o.ok = o.judged+judged, ok
	return o
}

// judgeInAll judges one motion, or a configuration at rest, in the present world and in those that
// were in use meanwhile. It reports whether it was judged in all.
func (r *round) judgeInAll(ctx context.Context, part way, s *fcmsgs.CollisionState, o *outcome, until time.Time) bool {
	one := func(m, former *model) bool {
		at := r.model.stateAt(part.end())
		_, touched, ok := judgeMotions(ctx, m, part, at, time.Until(until))
		at.BeyondLimits = union(s.BeyondLimits, at.BeyondLimits)
		o.take(s, at, touched, former)
		return ok
	}
	if !one(r.model, nil) {
		return false
	}
	for number := part[0].World; number <= part.end().World && number < r.former.count; number++ {
		m := r.former.in(number)
		if m == nil {
			unjudged(s, fmt.Sprintf("the scene has changed more than %d times since the previous state: the motion is not judged in all versions", limit.FormerWorlds))
			return false
		}
		if !one(m, m) {
			return false
		}
	}
	return true
}

// take adds what was found of a part of the chain to the state of the whole.
func (o *outcome) take(s, part *fcmsgs.CollisionState, touched *jointstates.Sample, in *model) {
	s.BeyondLimits = part.BeyondLimits
	switch {
	case part.Level == fcmsgs.CollisionStateCollision && s.Level != fcmsgs.CollisionStateCollision:
		o.touched, o.in = touched, in
		takeOver(s, part)
		s.Reason += o.words()
	case part.Level == fcmsgs.CollisionStateUnknown:
		unjudged(s, part.Reason)
	}
}
