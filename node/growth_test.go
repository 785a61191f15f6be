package node

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"
)

// footprint is what a process holds.
type footprint struct {
	Heap, System            uint64
	Goroutines, Descriptors int
}

// footprintHere is that of this process, without garbage.
func footprintHere() (f footprint, err error) {
	runtime.GC()
	runtime.GC() // what pools hold goes with the second
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	f = footprint{Heap: m.HeapAlloc, System: m.Sys, Goroutines: runtime.NumGoroutine()}
	if open, err := os.ReadDir("/proc/self/fd"); err == nil {
		f.Descriptors = len(open)
	}
	return f, nil
}

// tellFootprint answers every line with the footprint of this process, until the end.
func tellFootprint(asked io.Reader, answers io.Writer) {
	for lines, to := bufio.NewScanner(asked), json.NewEncoder(answers); lines.Scan(); {
		f, err := footprintHere()
		if err != nil || to.Encode(f) != nil {
			return
		}
	}
}

// loner is the role of a process that runs one test and nothing else.
const loner = "loner"

// alone reports whether this process runs no other test. If it does, alone runs this test in a
// process of its own, and fails as it fails.
func alone(t *testing.T) bool {
	t.Helper()
	if os.Getenv(roleVariable) == loner {
		return true
	}
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), binary, "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), roleVariable+"="+loner)
	said, err := cmd.CombinedOutput()
	t.Logf("%s", said)
	if err != nil {
		t.Errorf("alone in a process: %v", err)
	}
	return false
}

// growth tells a process that leaks from one whose memory goes up and down.
type growth struct {
	of    func() (footprint, error)
	seen  []footprint
	after []int // how many events came before each in seen
}

// look adds what the process holds after a number of events.
func (g *growth) look(t *testing.T, events int) {
	t.Helper()
	least, err := g.of()
	for range 2 { // what is being worked on at the moment is not held
		time.Sleep(time.Millisecond)
		f, again := g.of()
		if err == nil {
			err = again
		}
		least.Heap, least.Goroutines = min(least.Heap, f.Heap), min(least.Goroutines, f.Goroutines)
		least.Descriptors = min(least.Descriptors, f.Descriptors)
	}
	if err != nil {
		t.Fatalf("the footprint of the process: %v", err)
	}
	g.seen, g.after = append(g.seen, least), append(g.after, events)
}

// ends are the least of what was held in the second quarter, and in the last. In the first
// quarter caches fill.
func (g *growth) ends() (begin, end footprint, events int) {
	n := len(g.seen)
	least := func(from, to int) footprint {
		l := g.seen[from]
		for _, f := range g.seen[from:to] {
			l.Heap, l.Goroutines = min(l.Heap, f.Heap), min(l.Goroutines, f.Goroutines)
			l.Descriptors = min(l.Descriptors, f.Descriptors)
		}
		return l
	}
	return least(n/4, n/2), least(3*n/4, n), g.after[3*n/4] - g.after[n/4]
}

func (g *growth) String() string {
	begin, end, events := g.ends()
	return fmt.Sprintf("in %d events %d goroutines, then %d; %d descriptors, then %d; heap %d KiB, then %d",
		events, begin.Goroutines, end.Goroutines, begin.Descriptors, end.Descriptors, begin.Heap>>10, end.Heap>>10)
}

// law returns an error if the process holds more and more.
func (g *growth) law() error {
	begin, end, events := g.ends()
	slack := min(128<<10+2<<10*int64(events), 2<<20)
	switch {
	case end.Goroutines > begin.Goroutines+4:
		return fmt.Errorf("goroutines leak: %v", g)
	case end.Descriptors > begin.Descriptors+4:
		return fmt.Errorf("descriptors leak: %v", g)
	case int64(end.Heap)-int64(begin.Heap) > slack:
		return fmt.Errorf("memory leaks, more than %d KiB: %v", slack>>10, g)
	}
	return nil
}

// The law holds for work that leaves nothing behind, and fails for a goroutine, a descriptor or
// 10 KB per event, in no more events than a short shift has.
func TestGrowthSeesLeaks(t *testing.T) {
	if !alone(t) {
		return
	}
	var hoard [][]byte
	var open []*os.File
	stop := make(chan struct{})
	defer close(stop)
	for _, c := range []struct {
		name, want string
		event      func()
	}{
		{"none", "", func() { hoard = [][]byte{make([]byte, 1<<20)}; go func() {}() }},
		{"goroutine", "goroutines leak", func() { go func() { <-stop }() }},
		{"memory", "memory leaks", func() { hoard = append(hoard, make([]byte, 10<<10)) }},
		{"descriptor", "descriptors leak", func() {
			f, err := os.Open(os.DevNull)
			if err != nil {
				t.Fatal(err)
			}
			open = append(open, f)
		}},
	} {
		g := &growth{of: footprintHere}
		for n := range 46 {
			if c.event(); n%4 == 0 {
				g.look(t, n)
			}
		}
		if err := g.law(); err == nil != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; %v", c.name, err, g)
		}
	}
	for _, f := range open {
		f.Close()
	}
	runtime.KeepAlive(hoard)
}
