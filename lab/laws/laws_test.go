package laws

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
)

// Bounds of what a run must look like to say anything: shares of the cases whose
// answer is a contact and of pairs without an answer, and of ties among the pairs.
const (
	leastContact, mostContact = 0.2, 0.8
	leastFree                 = 0.15
	mostUndecided             = 0.05
	mostTies                  = 0.002
)

// How many cases the test tries where it is not told how many pairs to compare: always
// the same ones. The few are for the race detector and for go test -short.
const (
	shortCases = 60
	fewCases   = 8
)

// TestLaws tries all laws on random cases. A contradiction is a wrong answer on one of
// two sides; which one, a look at the case tells.
func TestLaws(t *testing.T) {
	c, only := newTally(), switches.LawsOnly.Get()
	if k, ok := switches.LawsCase.Get(); ok {
		run(k, c, only)
		report(t, c)
		return
	}
	if pairs := switches.Laws.Or(0); pairs > 0 {
		compare(t, c, only, 50*pairs, func(n int) bool {
			tell(t, c, n, pairs)
			return n >= pairs
		})
	} else if testing.Short() || race.Enabled {
		compare(t, c, only, fewCases, func(int) bool { return false })
		report(t, c)
		return
	} else {
		compare(t, c, only, shortCases, func(int) bool { return false })
	}
	report(t, c)
	if only == "" {
		judge(t, c)
	}
}

// compare runs cases on all processors, at most so many, until enough pairs are
// compared.
func compare(t *testing.T, c *tally, only string, cases int, enough func(pairs int) bool) {
	var next atomic.Uint64
	next.Store(uint64(switches.LawsFrom.Or(1) - 1))
	last := next.Load() + uint64(cases)
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for k := next.Add(1); k <= last; k = next.Add(1) {
				run(k, c, only)
				c.mu.Lock()
				done := enough(sum(c.pairs))
				c.mu.Unlock()
				if done {
					return
				}
			}
		}()
	}
	wait.Wait()
}

// tell says now and then how far a long run is; the tally is locked.
func tell(t *testing.T, c *tally, n, pairs int) {
	if time.Since(c.told) > 30*time.Second {
		c.told = time.Now()
		t.Logf("%d of %d pairs, %d contradictions", n, pairs, c.contradictions())
	}
}

// report tells the table, and the first contradictions of each law.
func report(t *testing.T, c *tally) {
	t.Log("\n" + c.String())
	for _, wrong := range c.wrong {
		for i, w := range wrong {
			if i == 5 {
				t.Errorf("... and %d more", len(wrong)-i)
				break
			}
			t.Error(w)
		}
	}
}

// judge fails a run that is too one-sided to say anything.
func judge(t *testing.T, c *tally) {
	cases, pairs := float64(c.cases), float64(sum(c.pairs))
	if k := float64(c.contact) / cases; k < leastContact || k > mostContact {
		t.Errorf("%.0f %% of the cases are contacts, not %.0f to %.0f %%", 100*k, 100*leastContact, 100*mostContact)
	}
	if k := float64(c.free) / cases; k < leastFree {
		t.Errorf("%.0f %% of the cases are free, less than %.0f %%", 100*k, 100*leastFree)
	}
	if k := float64(sum(c.und)) / pairs; k > mostUndecided {
		t.Errorf("%.1f %% of the pairs are without an answer, more than %.1f %%", 100*k, 100*mostUndecided)
	}
	if k := float64(sum(c.ties)) / pairs; k > mostTies {
		t.Errorf("%.2f %% of the pairs are ties, more than %.2f %%", 100*k, 100*mostTies)
	}
	for _, l := range laws {
		if c.pairs[l.name] == 0 {
			t.Errorf("no pair for the law %q", l.name)
		}
	}
}
