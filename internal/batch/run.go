package batch

import (
	"context"
	"slices"
	"sync"

	"github.com/firstcontact-ros/firstcontact/internal/base/progress"
)

// answer is what a worker found of a chunk.
type answer struct {
	chunk int
	rows  []Row
	part  []byte
	err   error
}

// Run checks the chunks of a store that are not done, several at once, in this process. It returns the first
// error of the checker or the store, or that of ctx.
func Run(ctx context.Context, c *Checker, s *Store, workers int) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	todo, answers := s.undone(ctx), make(chan answer)
	var all sync.WaitGroup
	for range workers {
		all.Add(1)
		go func() {
			defer all.Done()
			c.answer(ctx, todo, answers)
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
		if failure = s.take(ctx, c, &a); failure != nil {
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

// undone hands out the chunks that are not done now.
func (s *Store) undone(ctx context.Context) <-chan int {
	done, todo := slices.Clone(s.done), make(chan int)
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
	return todo
}

// answer checks the chunks that come.
func (c *Checker) answer(ctx context.Context, todo <-chan int, answers chan<- answer) {
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
}

// take keeps an answer.
func (s *Store) take(ctx context.Context, c *Checker, a *answer) error {
	if a.err != nil {
		return a.err
	}
	if err := s.fits(c.id, a.chunk, a.chunk, a.rows); err != nil {
		return err
	}
	return s.keep(ctx, a.chunk, a.rows, a.part)
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
