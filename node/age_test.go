package node

import (
	"strings"
	"testing"
	"time"
)

func TestBorn(t *testing.T) {
	now := time.Now()
	for _, c := range []struct {
		stamp, source, want time.Duration // before now
	}{
		{30 * ms, 20 * ms, 30 * ms},
		{20 * ms, 30 * ms, 30 * ms},
		{-20 * ms, -30 * ms, 0}, // of a clock ahead
		{0, 0, 0},
	} {
		b := born(now, now.Round(0).Add(-c.stamp), now.Round(0).Add(-c.source))
		if got := age(now, b); got != c.want {
			t.Errorf("%v and %v ago: age %v, want %v", c.stamp, c.source, got, c.want)
		}
		// A clock that is set changes the wall clock's reading alone.
		if !strings.Contains(b.String(), " m=") {
			t.Errorf("%v has no monotonic reading", b)
		}
	}
	if got := age(now.Round(0).Add(time.Second), now); got != time.Second {
		t.Errorf("by the wall clock: age %v, want 1 s", got)
	}
}

// Whatever the check rate is, the newest is told while it is fresh.
func TestTimeForOlder(t *testing.T) {
	for _, c := range []struct {
		rate          float64
		timeout, want time.Duration
	}{{100, 100 * ms, 20 * ms}, {1, 100 * ms, 25 * ms}, {1000, 100 * ms, 2 * ms}, {100, 10 * ms, 2500 * time.Microsecond}} {
		if w := newMonitor(limits{rate: c.rate, timeout: c.timeout}, nil, nil); w.spare != c.want {
			t.Errorf("at %g Hz, with %v: %v, want %v", c.rate, c.timeout, w.spare, c.want)
		}
	}
}
