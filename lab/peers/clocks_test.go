package main

import (
	"bytes"
	"context"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sleeperInC prints for how many seconds it slept, as its thread's clock has it.
const sleeperInC = `#include <stdio.h>
#include <time.h>
static double now() { struct timespec t; clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); return t.tv_sec + t.tv_nsec * 1e-9; }
int main() {
	double before = now();
	struct timespec t = {0, 21000000};
	nanosleep(&t, 0);
	printf("%.9f", now() - before);
}
`

// Both sides read the clock that was asked for.
func TestTakeClock(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip(err)
	}
	t.Chdir("..")
	sleeper, err := compiled(context.Background(), "sleeper", sleeperInC)
	if err != nil {
		t.Fatal(err)
	}
	var took [2]clocks
	for i, clock := range []string{threadClock, wallClock} {
		o := options{clock: clock}
		if err := o.takeClock(context.Background(), io.Discard, nil); err != nil {
			t.Fatal(err)
		}
		took[i] = o.clocks
		out, err := o.peersOutput(context.Background(), sleeper)
		slept, err2 := strconv.ParseFloat(string(out), 64)
		if err != nil || err2 != nil || (slept > 0.02) != (clock == wallClock) {
			t.Errorf("a sleep of 20 ms takes %q s by the clock of the %s: %v, %v", out, clock, err, err2)
		}
	}
	for i, c := range took {
		if !(c.ours > 0 && c.ours < 50 && c.theirs > 0 && c.theirs < 50) {
			t.Errorf("clock %d: %+v", i, c)
		}
	}
	o := options{clock: wallClock, alone: true}
	if err := o.takeClock(context.Background(), io.Discard, &earlier{}); err != nil || o.clock != threadClock || o.clocks.theirs != 0 {
		t.Errorf("beside a build that knows no clock: %+v, %v", o, err)
	}
	o = options{clock: wallClock, alone: true}
	if err := o.takeClock(context.Background(), io.Discard, &earlier{clocks: true}); err != nil || o.clock != wallClock {
		t.Errorf("beside a build that knows clocks: %+v, %v", o, err)
	}
	o.clock = "sun"
	if err := o.takeClock(context.Background(), io.Discard, nil); err == nil || !strings.Contains(err.Error(), "-clock sun: give wall or thread") {
		t.Errorf("no clock: %v", err)
	}
}

// Of each check the clock's time is subtracted, on either side its own; of calls about many it is not.
func TestClocksAreSubtracted(t *testing.T) {
	folder := oneSet(t)
	o := options{shared: folder, sets: "g1 moves", rounds: 1, reps: 1, alone: true, clocks: clocks{0.5, 2}}
	o.command = standIn(t, folder, "now", answering("1.5", contact, append(ourMethods, ourClearance)...))
	o.before = standIn(t, folder, "slower", answering("2.5", contact, append(ourMethods, ourClearance)...))
	var out bytes.Buffer
	if err := o.run(context.Background(), &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); strings.Count(text, "2.00, 2.00  1.00, 1.00") != len(rivalsOf)-2 || strings.Count(text, "2.50, 2.50  1.50, 1.50") != 2 {
		t.Error(text)
	}

	o.harness = standIn(t, folder, "harness", "cat <<'END'\n"+harnessDump+"END\n")
	got := columns{}
	if err := o.runHarness(context.Background(), set{}, nil, 1, got); err != nil {
		t.Fatal(err)
	}
	want := columns{fclCoarse: {{free, 8}, {contact, 2}}, fclFine: {{free, 48.5}, {undecided, 3}}}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(answer{})); d != "" {
		t.Errorf("want (-), got (+):\n%s", d)
	}
	if a := (answer{free, 1}).net(2); a.us != 0 {
		t.Errorf("less than the clock takes: %g", a.us)
	}
}
