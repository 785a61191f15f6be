package engine_test

import (
	"context"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/motion"
)

func TestClock(t *testing.T) {
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	late, stop := context.WithDeadline(context.Background(), time.Now().Add(-time.Second))
	defer stop()
	for _, c := range []struct {
		name   string
		ctx    context.Context
		budget time.Duration
		began  time.Time
		out    bool
	}{
		{"no end", context.Background(), 0, time.Now(), false},
		{"time left", context.Background(), time.Hour, time.Now(), false},
		{"cancelled", gone, 0, time.Now(), true},
		{"spent", context.Background(), time.Millisecond, time.Now().Add(-time.Second), true},
		{"late, with budget left", late, time.Hour, time.Now(), true},
	} {
		var clock engine.Clock
		clock.Begin(c.ctx, &motion.Query{Budget: c.budget}, c.began)
		out := false
		for range 40 { // it need not look each time
			out = clock.Out()
		}
		if out != c.out || (clock.Reason != "") != c.out {
			t.Errorf("%s: out %v, reason %q", c.name, out, clock.Reason)
		}
	}
}

// What was proved until TimeBelow was proved, and TimeAbove is not before the touch.
func TestTimesAreRoundedOutward(t *testing.T) {
	for _, s := range []float64{0, 1e-17, 0.1, 1. / 3, 1 - 1e-16, 1} {
		for _, at := range [][2]float64{{0, 1}, {0.3, 0.9}, {1e6, 1e6 + 1e-3}} {
			lo, hi := engine.TimeBelow(at[0], at[1], s), engine.TimeAbove(at[0], at[1], s)
			mid := at[0] + s*(at[1]-at[0])
			if lo < at[0] || hi > at[1] || lo > hi || lo > mid || hi < mid && mid <= at[1] {
				t.Errorf("%g of %v: [%g, %g] around %g", s, at, lo, hi, mid)
			}
			if s > 0.05 && s < 0.9 && !(lo < mid && mid < hi) {
				t.Errorf("%g of %v is not rounded: [%g, %g]", s, at, lo, hi)
			}
		}
	}
}
