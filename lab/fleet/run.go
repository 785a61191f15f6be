package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/batch"
	"github.com/firstcontact-ros/firstcontact/internal/batch/queue"
)

// token lets the workers in.
const token = "fleet"

// Run is a batch that was checked by the product's own queue.
type Run struct {
	Seconds float64 // from the first chunk that was offered to the last answer that was kept
	Policy
	samples
	specBytes, fileBytes     int
	putSpec, putFile         float64 // seconds
	getSpec, getFile         float64 // of the first worker
	tableSeconds, rowsTables float64
}

// run checks a job by a server in this process, its submitter and workers, each behind a line. Folders below dir keep what they
// store; store is the server's.
func run(ctx context.Context, j *job, dir, store string, workers int, n Network) (*Run, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	server, err := queue.Embed(store, token)
	if err != nil {
		return nil, err
	}
	defer server.Stop()
	_, address, _ := strings.Cut(server.URL(token), "@")
	var lines []*line
	connect := func(n Network) (*queue.Remote, error) {
		l, err := newLine(address, n)
		if err != nil {
			return nil, err
		}
		lines = append(lines, l)
		return &queue.Remote{URL: fmt.Sprintf("nats://%s@%s", token, l.address())}, nil
	}
	ended := make(chan error, workers)
	for w := range workers {
		r, err := connect(n)
		if err != nil {
			return nil, err
		}
		go func() { // it ends with ctx, once its last pull has, which may be two seconds later
			ended <- queue.Work(ctx, r, j.spec.Program, filepath.Join(dir, fmt.Sprint("worker-", w)), func(string) {})
		}()
	}
	if err := waitFor(ctx, lines, ended); err != nil {
		return nil, err
	}
	results, err := batch.OpenStore(ctx, filepath.Join(dir, "results"), j.spec.Plan)
	if err != nil {
		return nil, err
	}
	r, err := connect(Network{Latency: n.Latency})
	if err != nil {
		return nil, err
	}
	if err := queue.Submit(ctx, r, j.spec, results); err != nil {
		return nil, err
	}
	stop()
	out := evaluate(lines)
	return out, out.table(results, j)
}

// waitFor returns when every worker waits for chunks.
func waitFor(ctx context.Context, lines []*line, ended <-chan error) error {
	asks := func(e *event) bool { return e.up && strings.HasPrefix(e.subject, nextWord) }
	for _, l := range lines {
		for !l.has(asks) {
			select {
			case err := <-ended:
				return fmt.Errorf("a worker has ended: %w", err)
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(time.Millisecond):
			}
		}
	}
	return nil
}

// evaluate cuts the lines, the last of which is the submitter's, and adds up what was said.
func evaluate(lines []*line) *Run {
	out := &Run{}
	var submitter []*event
	for i, l := range lines {
		said := l.close()
		if i == len(lines)-1 {
			submitter = said
			break
		}
		out.worker(said)
		if i == 0 {
			out.getSpec, out.getFile = gets(said)
		}
	}
	out.Policy = out.submitter(submitter)
	var first, last time.Time
	for _, e := range submitter {
		if e.up && first.IsZero() && strings.HasPrefix(e.subject, workWord) {
			first = e.come
		}
		if e.up && strings.HasPrefix(e.subject, ackWord) {
			last = e.gone
		}
	}
	out.Seconds = since(first, last)
	out.puts(submitter)
	return out
}

// table writes the table of all answers, as the submitter does at the end.
func (r *Run) table(s *batch.Store, j *job) error {
	if s.Left() != 0 {
		return errors.New("chunks are left")
	}
	begin := time.Now()
	err := batch.WriteTable(context.Background(), s, batch.NewSummary(10, 0, nil))
	r.tableSeconds, r.rowsTables = time.Since(begin).Seconds(), float64(j.spec.Plan.Motions)
	return err
}
