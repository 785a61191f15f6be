package jointstates

import (
	"strings"
	"testing"
	"time"
	"unsafe"
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
		if got := Age(now, b); got != c.want {
			t.Errorf("%v and %v ago: age %v, want %v", c.stamp, c.source, got, c.want)
		}
		// A clock that is set changes the wall clock's reading alone.
		if !strings.Contains(b.String(), " m=") {
			t.Errorf("%v has no monotonic reading", b)
		}
	}
	if got := Age(now.Round(0).Add(time.Second), now); got != time.Second {
		t.Errorf("by the wall clock: age %v, want 1 s", got)
	}
}

// The monotonic clock stands still while the machine is suspended, the wall clock goes on.
func TestAgeCountsSuspension(t *testing.T) {
	then := time.Now()
	now := then.Add(10 * ms)
	// A time's monotonic reading and its wall clock differ by no method of package time.
	// Its first word counts seconds of the wall clock from bit 30 on, where it has both.
	*(*uint64)(unsafe.Pointer(&now)) += 3 << 30
	if wall := now.Round(0).Sub(then.Round(0)); wall != 3*time.Second+10*ms || now.Sub(then) != 10*ms {
		t.Skipf("package time keeps times in another way: %v and %v", wall, now.Sub(then))
	}
	if got := Age(now, then); got != 3*time.Second+10*ms {
		t.Errorf("after 3 s of suspension: age %v", got)
	}
}
