//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"syscall"
	"time"
)

// How much more a node may use at the end of a soak than after its first tenth.
const (
	moreRSS     = 5_000 // kB
	moreThreads = 8     // the Go runtime starts some where calls into C block, and keeps them
	moreFiles   = 0
)

// soak lets the node judge the truth at 100 Hz for a time, and watches what it uses.
func soak(s settings, length time.Duration) error {
	if length == 0 {
		length = time.Hour
	}
	s.each = length
	begin := time.Now()
	var readings []reading
	a := &attack{name: "soak", about: "the truth at 100 Hz"}
	a.act = func(ctx context.Context, f *field) error {
		fmt.Println("| min | RSS MB | largest RSS MB | threads | files |\n|---|---|---|---|---|")
		tick := time.NewTicker(min(time.Minute, length/10))
		defer tick.Stop()
		for {
			g := f.node.gauge.read()
			readings = append(readings, g)
			fmt.Printf("| %.1f | %.1f | %.1f | %d | %d |\n", time.Since(begin).Minutes(), float64(g.RSS)/1000, float64(g.Peak)/1000, g.Threads, g.Files)
			select {
			case <-ctx.Done():
				return nil
			case <-tick.C:
			}
		}
	}
	var goroutines int
	a.end = func(f *field) error { goroutines = f.node.goroutines(); return nil }
	r := run(s, a)
	r.faults = unlessQuit(r.faults)
	if first := len(readings) / 10; len(readings) > 1 {
		early, last := readings[first], readings[len(readings)-1]
		if last.RSS > early.RSS+moreRSS || last.Threads > early.Threads+moreThreads || last.Files > early.Files+moreFiles {
			r.faults = append(r.faults, fmt.Sprintf("it uses more and more: %+v, then %+v", early, last))
		}
	}
	fresh := freshGoroutines(s)
	r.notes = append(r.notes, fmt.Sprintf("%d goroutines at the end; %d in a node of half a minute", goroutines, fresh))
	if goroutines > fresh+10 {
		r.faults = append(r.faults, "goroutines were left behind")
	}
	fmt.Print("\n", header)
	r.row(os.Stdout)
	r.rest(os.Stdout)
	if len(r.faults) > 0 {
		return errFaults
	}
	return nil
}

// freshGoroutines counts those of a node that has just begun.
func freshGoroutines(s settings) (n int) {
	s.each = min(30*time.Second, s.each)
	run(s, &attack{name: "fresh", end: func(f *field) error { n = f.node.goroutines(); return nil }})
	return n
}

// goroutines ends the node with SIGQUIT, upon which Go writes down all its goroutines, and
// counts them.
func (p *process) goroutines() int {
	p.signal(syscall.SIGQUIT)
	<-p.done
	time.Sleep(100 * time.Millisecond) // for what is in the pipe
	p.log.mu.Lock()
	defer p.log.mu.Unlock()
	return p.log.goroutines
}

// unlessQuit leaves out that the node ended as SIGQUIT ends it.
func unlessQuit(faults []string) (rest []string) {
	for _, fault := range faults {
		if fault != "the node was asked to end, and ended with status 2" {
			rest = append(rest, fault)
		}
	}
	return rest
}
