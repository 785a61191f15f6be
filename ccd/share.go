package ccd

import (
	"context"
	"fmt"
	"sync"

	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/spacetime"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// piecesPerWorker is how many pieces a goroutine must have to be worth starting.
const piecesPerWorker = 2

// workersFor returns how many goroutines are to share a motion.
func workersFor(q *motion.Query, m *motion.Motion) int {
	return min(q.Workers, len(m.Pieces)/piecesPerWorker)
}

// workTeam is the workers that share a motion. The first is the caller's.
type workTeam struct {
	workers []*spacetime.Worker
	bounds  []*kin.Course
}

// share is Worker.Check by several goroutines (workersFor), which are gone when it returns. w,
// the first worker, and what it has bound are the caller's.
func (c *Checker) share(ctx context.Context, pool *workers, w *spacetime.Worker, b *kin.Course, rows []int, q motion.Query) motion.Verdict {
	n := workersFor(&q, b.Motion)
	all := workTeam{[]*spacetime.Worker{w}, []*kin.Course{b}}
	for range n - 1 {
		w := pool.get()
		defer pool.put(w)
		own := w.Bind(b.Motion, c.state, rows)
		own.From = b.From
		all.workers, all.bounds = append(all.workers, w), append(all.bounds, own)
	}
	s := spacetime.NewTeam(n, b.From.Piece)
	took, work := w.ProvePieces(ctx, b, &q, s)
	shares := all.each(func(i int) spacetime.Share {
		return all.workers[i].CheckShare(ctx, all.bounds[i], q, s, i)
	})
	v := s.Merge(b, shares, q.Question == motion.IsFree)
	v.Compute += took
	v.Work.Intervals += work.Intervals
	v.Work.Proofs += work.Proofs
	v.Work.Distances += work.Distances
	if v.Status == motion.Free && q.Question == motion.MinClearance {
		s.Rewind()
		s.MergeClosest(&v, all.each(func(i int) spacetime.Share {
			return all.workers[i].ClosestShare(ctx, all.bounds[i], shares[i].Left(q), s, i)
		}), q)
	}
	return v
}

// each lets every worker do its part.
func (c *workTeam) each(part func(i int) spacetime.Share) []spacetime.Share {
	shares := make([]spacetime.Share, len(c.workers))
	sideBySide(len(shares), "a worker that shares a motion", func(i int) { shares[i] = part(i) })
	return shares
}

// sideBySide runs n parts side by side, the first in this goroutine, and returns when all have ended.
// A panic in one is then one here, with what panicked.
func sideBySide(n int, what string, part func(i int)) {
	panics := make([]any, n)
	guarded := func(i int) {
		defer func() { panics[i] = recover() }()
		part(i)
	}
	var wg sync.WaitGroup
	for i := 1; i < n; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			guarded(i)
		}()
	}
	if n > 0 {
		guarded(0)
	}
	wg.Wait()
	for _, p := range panics {
		if p != nil {
			panic(fmt.Sprint(what, ": ", p))
		}
	}
}
