package distance

import (
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
)

// An engine may bound a pair's distance before the first query of distances begins:
// what is remembered of pairs has room from then on.
func TestBoundsComeBeforeQueries(t *testing.T) {
	s := &Searcher{q: &engine.Question{}}
	s.m = &model.Model{Pairs: make([]model.Pair, 2)}
	s.q.Number = 1
	s.knownOf(0)
	if s.isOutside(1) {
		t.Error("what nobody looked at is noted as outside")
	}
}
