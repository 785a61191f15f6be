package engine

import "context"

type pauseKey struct{}

// WithPause returns a context with which a search calls pause every now and then: each
// time that it looks at its clock. Several searches may so take turns on a processor.
// Searches that share a motion among goroutines call it from each.
func WithPause(ctx context.Context, pause func()) context.Context {
	return context.WithValue(ctx, pauseKey{}, pause)
}

// PauseOf returns what WithPause put into the context, or nil.
func PauseOf(ctx context.Context) func() {
	pause, _ := ctx.Value(pauseKey{}).(func())
	return pause
}
