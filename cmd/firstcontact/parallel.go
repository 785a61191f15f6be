package main

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"
)

// checkAll checks the jobs, several at once, and prints the results in order. It
// returns the worst exit status.
func (f *checkFlags) checkAll(ctx context.Context, io streams, jobs []job) (int, error) {
	results := make([]chan result, len(jobs))
	for i := range results {
		results[i] = make(chan result, 1)
	}
	f.workers = f.jobs / max(1, len(jobs)) // of each: what jobs leave idle
	var next sync.Mutex
	at := 0
	for range min(f.jobs, len(jobs)) {
		go func() {
			for {
				next.Lock()
				i := at
				at++
				next.Unlock()
				if i >= len(jobs) {
					return
				}
				results[i] <- f.guarded(ctx, &jobs[i])
			}
		}()
	}
	p := newProgress(io.err, len(jobs))
	defer p.done()
	worst := exitFree
	for i := range results {
		r := <-results[i]
		p.clear()
		if r.Status == "panic" {
			return exitInternal, internalError{fmt.Errorf("%s: %s", r.Motion, r.Message)}
		}
		write := r.writeText
		if f.json {
			write = r.writeJSON
		}
		if err := write(io.out); err != nil {
			return exitInternal, internalError{err}
		}
		worst = worse(worst, r.exit())
		p.show(i + 1)
	}
	return worst, nil
}

// guarded keeps a panic from ending the program with the exit status of another
// answer.
func (f *checkFlags) guarded(ctx context.Context, j *job) (r result) {
	defer func() {
		if p := recover(); p != nil {
			r = result{Motion: j.id, Status: "panic", Message: fmt.Sprint(p)}
		}
	}()
	return f.check(ctx, j)
}

// progress shows on a terminal how far long work has come.
type progress struct {
	w     *os.File
	total int
	begin time.Time
	last  time.Time
}

// newProgress returns a progress that shows nothing unless w is a terminal.
func newProgress(w any, total int) *progress {
	p := &progress{total: total, begin: time.Now()}
	if file, ok := w.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			p.w = file
		}
	}
	return p
}

func (p *progress) show(n int) {
	now := time.Now()
	if p.w == nil || n >= p.total || now.Sub(p.begin) < time.Second || now.Sub(p.last) < 100*time.Millisecond {
		return
	}
	p.last = now
	left := time.Duration(float64(now.Sub(p.begin)) / float64(n) * float64(p.total-n)).Round(time.Second)
	fmt.Fprintf(p.w, "\r\x1b[K%d of %d motions, about %v left", n, p.total, left)
}

// clear makes room for a line of output.
func (p *progress) clear() {
	if p.w != nil && !p.last.IsZero() {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

func (p *progress) done() { p.clear() }
