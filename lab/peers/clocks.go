package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/cputime"
)

// The clocks that both sides can read. That of a thread is a system call: it takes some 0.4 us, and what follows it is slower by some
// 0.2, of a check of two. That of the wall does neither, and other load cannot make a time too small.
const (
	threadClock = "thread"
	wallClock   = "wall"
)

// clocks are what two readings of a clock are apart (us) if nothing is between them. Both sides read it before and after a check, and
// nobody else would.
type clocks struct{ ours, theirs float64 }

// emptyMeasurements is of how many measurements of nothing the least counts.
const emptyMeasurements = 10000

// takeClock makes both sides read the clock that was asked for, or that of the thread where an earlier build knows no other, and
// measures what that takes.
func (o *options) takeClock(ctx context.Context, log io.Writer, before *earlier) (err error) {
	switch {
	case o.clock == "":
		return nil
	case o.clock != threadClock && o.clock != wallClock:
		return fmt.Errorf("-clock %s: give %s or %s", o.clock, wallClock, threadClock)
	case o.clock == wallClock && before != nil && !before.clocks:
		o.clock = threadClock
		fmt.Fprintln(log, "the earlier build can read the thread's clock alone")
	}
	if o.clocks.ours, err = ourClock(o.clock); err != nil {
		return err
	}
	if !o.alone {
		if o.clocks.theirs, err = o.theirClock(ctx); err != nil {
			return err
		}
	}
	fmt.Fprintf(log, "reading the %s's clock takes firstcontact %.3f us and its peers %.3f: that is subtracted from the time of each check\n", o.clock, o.clocks.ours, o.clocks.theirs)
	return nil
}

// ourClock measures nothing as firstcontact bench does.
func ourClock(name string) (us float64, err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	read, began := cputime.Thread, time.Now()
	if name == wallClock {
		read = func() (time.Duration, error) { return time.Since(began), nil }
	}
	least := time.Hour
	for range emptyMeasurements {
		before, err := read()
		if err != nil {
			return 0, err
		}
		after, err := read()
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

// wallInC makes a program that asks for its thread's clock read that of the wall.
const wallInC = `#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>
typedef int reader(clockid_t, struct timespec *);
int clock_gettime(clockid_t id, struct timespec *t) {
	static reader *libc;
	if (!libc) libc = (reader *)dlsym(RTLD_NEXT, "clock_gettime");
	return libc(id == CLOCK_THREAD_CPUTIME_ID ? CLOCK_MONOTONIC : id, t);
}
`

// theirClock measures nothing as the harness does, and makes it read the clock.
func (o *options) theirClock(ctx context.Context) (us float64, err error) {
	if o.preload = ""; o.clock == wallClock {
		if o.preload, err = compiled(ctx, "wall.so", wallInC, "-shared", "-fPIC"); err != nil {
			return 0, err
		}
	}
	program, err := compiled(ctx, "empty", fmt.Sprintf(emptyInC, emptyMeasurements))
	if err != nil {
		return 0, err
	}
	out, err := o.peersOutput(ctx, program)
	if err != nil {
		return 0, err
	}
	return strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
}

// compiled compiles a program in C in the folder of what is built, which git ignores.
func compiled(ctx context.Context, name, source string, flags ...string) (path string, err error) {
	folder, err := filepath.Abs(filepath.Join("peers", "build"))
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	path = filepath.Join(folder, name)
	if err := os.WriteFile(path+".c", []byte(source), 0o600); err != nil {
		return "", err
	}
	if out, err := exec.CommandContext(ctx, "gcc", append(flags, "-O2", "-o", path, path+".c", "-ldl")...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("gcc: %w\n%s", err, out)
	}
	return path, nil
}

// net is an answer without what reading a clock took.
func (a answer) net(clock float64) answer {
	return answer{a.status, max(0, a.us-clock)}
}
