package ccd

import (
	"context"

	search "github.com/firstcontact-ros/firstcontact/internal/engine"
)

// WithPause returns a context with which a check calls pause every now and then, some
// thousand times a second. While pause does not return the check rests, so that several
// checks may take turns on one processor. The time that it rests counts as computing
// time and into its deadline. A check with Query.Workers calls pause from each of them.
func WithPause(ctx context.Context, pause func()) context.Context {
	return search.WithPause(ctx, pause)
}
