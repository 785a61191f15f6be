package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"
)

// sized is what chunks of a size cost, by one worker beside submitter and server.
type sized struct {
	each, chunks int
	where        string // the server's folder
	run          *Run
}

// report is all that the page says.
type report struct {
	loads    []string // of the machine, at the start and behind each part
	sizes    []sized
	usual    *Run // of chunks of the usual size
	compared []comparison
	whole    []whole
}

// usual is how many motions take a second at 0.2 ms each.
const usual = 5000

func (b *bench) report(ctx context.Context, command, memory string) (*report, error) {
	r := &report{}
	r.load("at the start")
	if err := r.measureSizes(ctx, *b, memory); err != nil {
		return nil, err
	}
	r.load("behind the costs")
	if err := r.compare(ctx, b); err != nil {
		return nil, err
	}
	r.load("behind the comparison")
	for _, w := range []whole{{edges: 10_000, folders: 1}, {edges: 100_000, folders: 1}, {edges: 1_000_000, folders: 1}, {edges: 1_000_000, folders: 10}, {edges: 2_000_000, folders: 20}, {edges: 2_000_000, folders: 1}} {
		w, err := b.whole(ctx, command, w.edges, w.folders)
		if err != nil {
			return nil, err
		}
		r.whole = append(r.whole, w)
	}
	r.load("at the end")
	return r, nil
}

// load notes how busy the machine is.
func (r *report) load(when string) {
	text, _ := os.ReadFile("/proc/loadavg")
	if minute, _, ok := strings.Cut(string(text), " "); ok {
		r.loads = append(r.loads, minute+" "+when)
	}
}

func (r *report) measureSizes(ctx context.Context, b bench, memory string) error {
	const disk = "disk"
	for _, s := range []sized{{1, 400, disk, nil}, {100, 200, disk, nil}, {1000, 100, disk, nil}, {usual, 70, disk, nil}, {20_000, 20, disk, nil}, {usual, 70, memory, nil}} {
		b.store = ""
		if s.where != disk {
			if _, err := os.Stat(s.where); err != nil {
				continue
			}
			b.store = s.where
		}
		var err error
		if s.run, err = b.measure(ctx, trial{chunks: s.chunks, each: s.each, workers: 1}); err != nil {
			return err
		}
		if s.each == usual && s.where == disk {
			r.usual = s.run
		}
		r.sizes = append(r.sizes, s)
	}
	return nil
}

// compare holds the simulation to batches: some that compute here, and some whose workers seem to compute for a second.
func (r *report) compare(ctx context.Context, b *bench) error {
	const (
		second = time.Second
		few    = 10 // motions, so that a hundred workers compute little besides
	)
	trials := []trial{{chunks: 70, each: usual, workers: 1}, {chunks: 70, each: usual, workers: 2}}
	for _, latency := range []time.Duration{0, time.Millisecond, 20 * time.Millisecond} {
		for _, workers := range []int{1, 2, 10, 100} {
			trials = append(trials, trial{max(10, 4*workers), few, workers, Network{latency, second}})
		}
	}
	small, err := b.measure(ctx, trial{chunks: 200, each: few, workers: 1})
	if err != nil {
		return err
	}
	for _, t := range trials {
		by := small // of chunks of the same size
		if t.each == usual {
			by = r.usual
		}
		c, err := b.compare(ctx, t, by.costs(mean), by.Policy)
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "%d workers, %v: %.2f s, simulated %.2f s\n", t.workers, t.Latency, c.real, c.simulated)
		r.compared = append(r.compared, c)
	}
	return nil
}
