package engine

import (
	"context"
	"time"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// Question is what an engine keeps of the question that it is asked: when to stop, how
// much work was done, and which question it is.
type Question struct {
	Clock
	Work   motion.Work
	Number uint64 // counts the questions, from 1
}

// Begin starts a question asked now.
func (q *Question) Begin(ctx context.Context, query *motion.Query, now time.Time) {
	q.Work = motion.Work{}
	q.Number++
	q.Clock.Begin(ctx, query, now)
}
