package laws

import (
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Bounds of what a run must look like to say anything: shares of the cases whose
// answer is a contact and of pairs without an answer, and of ties among the pairs.
const (
	leastContact, mostContact = 0.2, 0.8
	leastFree                 = 0.15
	mostUndecided             = 0.05
	mostTies                  = 0.002
)

// shortPairs is how many pairs the test compares where it is not told.
const shortPairs = 1500

// TestLaws tries all laws on random cases. A contradiction is a wrong answer on one of
// two sides; which one, a look at the case tells.
func TestLaws(t *testing.T) {
	c, only := newTally(), os.Getenv("FIRSTCONTACT_LAWS_ONLY")
	if k, err := strconv.ParseUint(os.Getenv("FIRSTCONTACT_LAWS_CASE"), 10, 64); err == nil {
		run(k, c, only)
		report(t, c)
		return
	}
	pairs, long := shortPairs, false
	if n, err := strconv.Atoi(os.Getenv("FIRSTCONTACT_LAWS")); err == nil {
		pairs, long = n, true
	} else if testing.Short() {
		pairs /= 5
	}
	compare(t, c, pairs, only, long)
	report(t, c)
	if only == "" {
		judge(t, c)
	}
}

// compare runs cases until so many pairs are compared.
func compare(t *testing.T, c *tally, pairs int, only string, long bool) {
	var next atomic.Uint64
	if k, err := strconv.ParseUint(os.Getenv("FIRSTCONTACT_LAWS_FROM"), 10, 64); err == nil {
		next.Store(k - 1)
	}
	first := next.Load()
	var wait sync.WaitGroup
	began, told := time.Now(), time.Now()
	for range runtime.GOMAXPROCS(0) {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for {
				k := next.Add(1)
				run(k, c, only)
				c.mu.Lock()
				n, wrong := sum(c.pairs), c.contradictions()
				tell := long && time.Since(told) > 30*time.Second
				if tell {
					told = time.Now()
				}
				c.mu.Unlock()
				if tell {
					t.Logf("%v: %d of %d pairs, %d contradictions", time.Since(began).Round(time.Second), n, pairs, wrong)
				}
				if n >= pairs || only != "" && k > first+uint64(50*pairs) {
					return
				}
			}
		}()
	}
	wait.Wait()
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
