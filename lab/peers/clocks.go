package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/cputime"
)

// clocks are what two readings of a thread's clock are apart (us) if nothing is between them: a system call each. Both sides read it
// before and after a check, and nobody else would: a check of two microseconds seems to take a fifth longer.
type clocks struct{ ours, theirs float64 }

// emptyMeasurements is of how many measurements of nothing the least counts.
const emptyMeasurements = 10000

// readClocks measures both, as firstcontact bench and the harness read them; the harness's only beside peers.
func readClocks(ctx context.Context, peers bool) (c clocks, err error) {
	if c.ours, err = ourClock(); err != nil || !peers {
		return c, err
	}
	c.theirs, err = theirClock(ctx)
	return c, err
}

func ourClock() (us float64, err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	least := time.Hour
	for range emptyMeasurements {
		before, err := cputime.Thread()
		if err != nil {
			return 0, err
		}
		after, err := cputime.Thread()
		if err != nil {
			return 0, err
		}
		least = min(least, after-before)
	}
	return least.Seconds() * 1e6, nil
}

// emptyInC prints the least of some measurements of nothing, each as the harness makes them.
const emptyInC = `#include <stdio.h>
#include <time.h>
static double now() { struct timespec t; clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); return t.tv_sec * 1e6 + t.tv_nsec * 1e-3; }
int main() {
	double least = 1e9;
	for (int i = 0; i < %d; i++) {
		double before = now(), took = now() - before;
		if (took < least) least = took;
	}
	printf("%%.9f\n", least);
}
`

func theirClock(ctx context.Context) (us float64, err error) {
	folder, err := os.MkdirTemp("", "clock")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(folder)
	source, program := filepath.Join(folder, "clock.cpp"), filepath.Join(folder, "clock")
	if err := os.WriteFile(source, fmt.Appendf(nil, emptyInC, emptyMeasurements), 0o600); err != nil {
		return 0, err
	}
	if out, err := exec.CommandContext(ctx, "g++", "-O2", "-o", program, source).CombinedOutput(); err != nil {
		return 0, fmt.Errorf("g++: %w\n%s", err, out)
	}
	out, err := output(ctx, program)
	if err != nil {
		return 0, err
	}
	return strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
}

// net is an answer without what reading a clock took.
func (a answer) net(clock float64) answer {
	return answer{a.status, max(0, a.us-clock)}
}
