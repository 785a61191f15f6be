package ccd

import (
	"context"

	search "github.com/firstcontact-ros/firstcontact/internal/engine"
)

// WithPause returns a context with which a check calls pause about a thousand times a
// second. The check rests until pause returns, so that several checks can take turns on
// one processor. The time that it rests counts towards the
// deadline, not towards the budget. A check with
// Query.Workers calls pause from each of its goroutines.
func WithPause(ctx context.Context, pause func()) context.Context {
	return search.WithPause(ctx, pause)
}
