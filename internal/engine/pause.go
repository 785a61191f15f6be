package engine

import "context"

type pauseKey struct{}

// WithPause returns a context with which a search calls pause regularly: each time that it
// reads its clock. Several searches can thus take turns on a processor. Searches that share a
// motion among goroutines call it from each.
func WithPause(ctx context.Context, pause func()) context.Context {
	return context.WithValue(ctx, pauseKey{}, pause)
}

// PauseOf returns the function that WithPause put into the context, or nil.
func PauseOf(ctx context.Context) func() {
	pause, _ := ctx.Value(pauseKey{}).(func())
	return pause
}
