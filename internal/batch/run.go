package batch

import (
	"context"
	"slices"
	"sync"

	"github.com/firstcontact-ros/firstcontact/internal/base/progress"
)

// Run checks the chunks of a store that are not done, several at once, in this process. It returns the first
// error of the checker or the store, or that of ctx.
func Run(ctx context.Context, c *Checker, s *Store, workers int) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	type answer struct {
		chunk int
		rows  []Row
		part  []byte
		err   error
	}
	done := slices.Clone(s.done)
	todo, answers := make(chan int), make(chan answer)
	go func() {
		defer close(todo)
		for i := range s.Plan.Chunks {
			if done[i] {
				continue
			}
			select {
			case todo <- i:
			case <-ctx.Done():
				return
			}
		}
	}()
	var all sync.WaitGroup
	for range workers {
		all.Add(1)
		go func() {
			defer all.Done()
			for chunk := range todo {
				a := answer{chunk: chunk}
				if a.rows, a.err = c.rows(ctx, chunk); a.err == nil {
					a.part = EncodePart(c.id, chunk, a.rows)
				}
				select {
				case answers <- a:
				case <-ctx.Done():
					return
				}
			}
		}()
	}
	go func() {
		all.Wait()
		close(answers)
	}()
	var failure error
	for a := range answers {
		if failure != nil {
			continue
		}
		if failure = a.err; failure == nil {
			failure = s.fits(c.id, a.chunk, a.chunk, a.rows)
		}
		if failure == nil {
			failure = s.keep(ctx, a.chunk, a.rows, a.part)
		}
		if failure != nil {
			stop()
			continue
		}
		Tell(ctx, s)
	}
	if failure == nil && s.Left() > 0 {
		failure = ctx.Err()
	}
	return failure
}

// Tell reports how far a batch has come.
func Tell(ctx context.Context, s *Store) {
	motions := int64(0)
	for i, done := range s.done {
		if done {
			motions += int64(s.Plan.Chunks[i].Count())
		}
	}
	progress.Tell(ctx, progress.Step{What: "checking motions", Done: motions, Total: s.Plan.Motions, Unit: "motions"})
}
