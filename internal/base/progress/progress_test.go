package progress_test

import (
	"context"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/base/progress"
)

// A step reaches who asked for it last, and nobody where nobody asked.
func TestTell(t *testing.T) {
	progress.Tell(context.Background(), progress.Step{What: "nobody hears this"})
	var outer, inner []progress.Step
	ctx := progress.With(context.Background(), func(s progress.Step) { outer = append(outer, s) })
	progress.Tell(ctx, progress.Step{What: "a", Done: 1, Total: 2})
	sub, cancel := context.WithCancel(progress.With(ctx, func(s progress.Step) { inner = append(inner, s) }))
	defer cancel()
	progress.Tell(sub, progress.Step{What: "b"})
	if len(outer) != 1 || outer[0] != (progress.Step{What: "a", Done: 1, Total: 2}) {
		t.Errorf("outer: %v", outer)
	}
	if len(inner) != 1 || inner[0].What != "b" {
		t.Errorf("inner: %v", inner)
	}
}
