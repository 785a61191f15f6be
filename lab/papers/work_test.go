package papers

import (
	"context"
	"testing"
)

// The papers' methods are given the pairs that the default engine checks, no more and no
// fewer.
func TestMethodsCheckTheSamePairs(t *testing.T) {
	b := newBench(context.Background(), Quick)
	for _, name := range []string{pipesWorkload, "zrlk07-exercise", "ssl04-bad-floor"} {
		w, err := b.workload(name)
		if err != nil {
			t.Fatal(err)
		}
		type pair struct{ a, b int }
		self, world := map[pair]bool{}, map[pair]bool{}
		for i := range w.model.Pairs {
			p := &w.model.Pairs[i]
			of := self
			if p.World {
				of = world
			}
			of[pair{w.model.Elements[p.A].Body, w.model.Elements[p.B].Body}] = true
		}
		if p := w.checker.Pairs(); len(self) != p.Self || len(world) != p.World {
			t.Errorf("%s: %d and %d pairs of bodies for the papers' methods, %d and %d for the default engine", name, len(self), len(world), p.Self, p.World)
		}
		last, err := w.onlyLast()
		if err != nil {
			t.Fatal(err)
		}
		if n := len(last.model.Pairs); n == 0 || n >= len(w.model.Pairs) {
			t.Errorf("%s: %d of %d pairs are of the last link", name, n, len(w.model.Pairs))
		}
	}
}
