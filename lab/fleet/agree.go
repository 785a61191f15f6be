package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
)

// tolerance is by how much a real batch may differ from the simulated one, as a part of what is longer.
const tolerance = 0.15

// trial is a batch that is both checked and simulated.
type trial struct {
	chunks, each, workers int
	Network
}

// comparison is a trial and how long it took, in seconds.
type comparison struct {
	trial
	real, simulated float64
	fleet           Fleet // that was simulated
}

// off is by how much the two differ.
func (c *comparison) off() float64 {
	return math.Abs(c.real-c.simulated) / max(c.real, c.simulated)
}

func (c *comparison) agrees() bool { return c.off() <= tolerance }

// fleet is what a trial is simulated as, by what chunks cost another batch.
func (t *trial) fleet(c Costs, p Policy) Fleet {
	far := t.Latency.Seconds()
	c.Compute += t.Hold.Seconds()
	return Fleet{Costs: c, Policy: p, Workers: t.workers, Chunks: t.chunks, Latency: far, SubmitterLatency: far}
}

// compare checks a batch, and simulates it by the costs of another one. Only how long workers compute is taken from the batch itself:
// they share the processors of one machine.
func (b *bench) compare(ctx context.Context, t trial, c Costs, p Policy) (comparison, error) {
	r, err := b.measure(ctx, t)
	if err != nil {
		return comparison{}, err
	}
	own := r.costs(mean)
	c.Compute, c.StartWorker = own.Compute, own.StartWorker
	f := t.fleet(c, p)
	return comparison{t, r.Seconds, Simulate(f).Seconds, f}, nil
}

// bench is what is measured: batches of edges of a robot in a scene.
type bench struct {
	robot, scene string // files
	store        string // folder of the server, "" for one beside the results
}

// measure checks the batch of a trial, in a folder of its own.
func (b *bench) measure(ctx context.Context, t trial) (r *Run, err error) {
	dir, err := os.MkdirTemp("", "fleet-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	store := filepath.Join(dir, "queue")
	if b.store != "" {
		if store, err = os.MkdirTemp(b.store, "fleet-"); err != nil {
			return nil, err
		}
		defer os.RemoveAll(store)
	}
	j, err := newJob(ctx, filepath.Join(dir, "roadmap"), b.robot, b.scene, t.chunks, t.each)
	if err == nil {
		r, err = run(ctx, j, dir, store, t.workers, t.Network)
	}
	if err != nil {
		return nil, fmt.Errorf("%d chunks of %d edges, %d workers: %w", t.chunks, t.each, t.workers, err)
	}
	return r, nil
}
