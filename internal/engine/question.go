package engine

import (
	"context"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// Question is an engine's state of a question: when to stop, how much work was done, and its
// number.
type Question struct {
	Clock
	Work   motion.Work
	Number uint64 // counts the questions, from 1
}

// Begin starts a question; Clock.End ends it.
func (q *Question) Begin(ctx context.Context, query *motion.Query) {
	q.next()
	q.Clock.Begin(ctx, query)
}

// Watch starts a question without budget and without a measured computing time.
func (q *Question) Watch(ctx context.Context) {
	q.next()
	q.Clock.Watch(ctx)
}

func (q *Question) next() {
	q.Work = motion.Work{}
	q.Number++
}
