package engine_test

import (
	"context"
	"runtime"
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
	later, stop := context.WithDeadline(context.Background(), time.Now().Add(time.Hour))
	defer stop()
	for _, c := range []struct {
		name string
		ctx  context.Context
		q    motion.Query
		out  bool
	}{
		{"no end", context.Background(), motion.Query{}, false},
		{"time left", context.Background(), motion.Query{Budget: time.Hour, Deadline: time.Now().Add(time.Hour)}, false},
		{"cancelled", gone, motion.Query{}, true},
		{"spent", context.Background(), motion.Query{Budget: time.Nanosecond}, true},
		{"late, with budget left", late, motion.Query{Budget: time.Hour}, true},
		{"past its own deadline", context.Background(), motion.Query{Budget: time.Hour, Deadline: time.Now().Add(-time.Second)}, true},
		{"past its own deadline, with a later one", later, motion.Query{Deadline: time.Now().Add(-time.Second)}, true},
	} {
		var clock engine.Clock
		clock.Begin(c.ctx, &c.q)
		out := false
		for range 40 { // it need not look each time
			out = clock.Out()
		}
		if out != c.out || (clock.Reason != "") != c.out {
			t.Errorf("%s: out %v, reason %q", c.name, out, clock.Reason)
		}
		clock.End()
	}
}

// What passes while a search does not compute belongs to the deadline, not to the budget.
func TestBudgetIsComputingTime(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("no clock of a thread's computing is known here")
	}
	const rest, rests = 2 * time.Millisecond, 20
	resting := engine.WithPause(context.Background(), func() { time.Sleep(rest) })
	var clock engine.Clock
	clock.Begin(resting, &motion.Query{Budget: rest * rests})
	began := time.Now()
	for range rests + 40 { // in more looks than it has metering to begin with
		for range 16 {
			if clock.Out() {
				t.Fatalf("after %v, most of it at rest: %s", time.Since(began), clock.Reason)
			}
		}
	}
	passed := time.Since(began)
	if spent := clock.End(); spent > passed/2 {
		t.Errorf("%v of computing in %v, most of it at rest", spent, passed)
	}

	clock.Begin(context.Background(), &motion.Query{Budget: 5 * time.Millisecond})
	for !clock.Out() {
		if time.Since(began) > 20*time.Second {
			t.Fatal("a budget of 5 ms is never spent")
		}
	}
	if spent := clock.End(); spent < 5*time.Millisecond || spent > 2*time.Second {
		t.Errorf("a budget of 5 ms ended after %v of computing", spent)
	}

	clock.Begin(resting, &motion.Query{Deadline: time.Now().Add(5 * rest)})
	defer clock.End()
	for range 1000 {
		if clock.Out() {
			return
		}
	}
	t.Error("a deadline does not count the time at rest")
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
