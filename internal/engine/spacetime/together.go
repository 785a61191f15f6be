package spacetime

import (
	"context"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/place"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Several motions at once. A short motion needs few steps, and a configuration one: two motions, or
// seven robots at rest, share the lanes of one proof. What that does not prove free is left for a question
// of its own.

// mostShared (m) is by how much paths may depart from their chords in a step of motions that
// share the lanes: three steps do where the motion is short.
const mostShared = 0.02

// farthestShared (rad or m) is how far the joints of a chain may move, all together, in a motion that is
// worth a proof that others share: farther ones mostly need more steps.
const farthestShared = 1.4

// MayShare reports whether a motion of one piece is worth a proof that others share.
func MayShare(b *kin.Course) bool { return b.Way(0) <= farthestShared }

// Together is what was proved of several motions at once.
type Together struct {
	Free    uint8         // the set of those that are free
	Compute time.Duration // for all
	Work    motion.Work   // for all
	motions int
}

// Share returns the part of one motion in what the proof took.
func (t *Together) Share() (time.Duration, motion.Work) {
	return t.Compute / time.Duration(t.motions), motion.Work{Intervals: 1, Proofs: t.Work.Proofs / t.motions, Distances: t.Work.Distances / t.motions}
}

// BindOne is Bind for one of several motions.
func (w *Worker) BindOne(i int, m *motion.Motion, state []float64, rows []int) *kin.Course {
	w.together[i].Bind(w.m.Tree, m, state, rows)
	return &w.together[i]
}

// ProveTogether tries to prove motions of one piece free, of each of which q asks what Check would answer: up to
// place.MostAtRest if they all rest, else two. The robot's root link stands still, and joints do not deviate from
// the motions.
func (w *Worker) ProveTogether(ctx context.Context, courses []*kin.Course, q *motion.Query) (t Together) {
	if !w.stepped.make(w) {
		return t
	}
	w.begin(ctx, q)
	w.at.Stray(nil)
	w.at.ReachFor(courses...)
	w.selectPairs(q)
	s := search{w: w, shared: true}
	if t.motions = len(courses); w.q.Reason == "" {
		t.Free = s.share(courses)
	}
	t.Compute, t.Work = w.q.End(), w.q.Work
	return t
}

// share places the motions in the lanes and returns those that are proved free.
func (s *search) share(courses []*kin.Course) (free uint8) {
	w := s.w
	p := &w.stepped
	w.piece = 0
	p.unbind()
	rest, ok := s.placeShared(courses)
	if !ok {
		return 0
	}
	clear(p.whole[:])
	left := uint8(0)
	for i := range courses {
		of := place.StepsOf(i, rest)
		left |= of
		for k := range p.whole {
			if of>>k&1 != 0 {
				p.whole[k] = of
			}
		}
	}
	w.arena = append(w.arena[:0], w.startGroups...)
	left = s.trySharedSteps(left, func(failed uint8) (all uint8) {
		for k, of := range p.whole {
			if failed>>k&1 != 0 {
				all |= of
			}
		}
		return all
	})
	for i := range courses {
		if of := place.StepsOf(i, rest); left&of == of {
			free |= 1 << i
		}
	}
	return free
}

// placeShared places the motions in the lanes.
func (s *search) placeShared(courses []*kin.Course) (rest, ok bool) {
	l, clearance := s.w.stepped.lanes, s.w.clearance
	s.w.q.Work.Intervals++
	rest = true
	for _, b := range courses {
		rest = rest && b.Rests()
	}
	switch n := len(courses); {
	case rest && n <= place.MostAtRest:
		return true, l.PlaceAtRest(courses, clearance)
	case n == 2:
		return false, l.PlaceTwo(courses[0], courses[1], mostShared, clearance)
	}
	return rest, false
}
