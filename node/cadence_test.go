package node

import (
	"math/rand/v2"
	"testing"
	"time"
)

// Steps for input that comes at the period do not wait, whatever its jitter, and however late one
// of them began. Faster input makes no more steps than the period allows.
func TestCadence(t *testing.T) {
	const period = 10 * ms
	r := rand.New(rand.NewPCG(1, 1))
	for _, tc := range []struct {
		name   string
		every  time.Duration
		jitter time.Duration
		waits  bool
	}{
		{"steady", period, 0, false},
		{"jitter", period, 4 * ms, false},
		{"slow", 17 * ms, 9 * ms, false},
		{"fast", ms, 0, true},
	} {
		c := cadence{period: period}
		var free time.Time // when the step before ended
		steps, waited := 0, 0
		const all = 2000
		for k := range all {
			arrived := epoch.Add(time.Duration(k)*tc.every + time.Duration(r.Int64N(int64(tc.jitter)+1)))
			if arrived.Before(free) {
				arrived = free
			}
			begin := arrived
			if ready := c.ready(); ready.After(begin) {
				begin = ready
				waited++
			}
			c.began(begin)
			steps++
			if free = begin.Add(ms / 2); k%50 == 0 {
				free = begin.Add(7 * ms) // a slow step
			}
			if at := time.Duration(all) * tc.every; free.Sub(epoch) > at {
				break
			}
		}
		if longest := time.Duration(all) * tc.every; steps > int(longest/period)+3 {
			t.Errorf("%s: %d steps in %v", tc.name, steps, longest)
		}
		if (waited > steps/100) != tc.waits {
			t.Errorf("%s: %d of %d steps waited", tc.name, waited, steps)
		}
	}
}
