package papers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/cputime"
)

// Scale is how much is measured.
type Scale string

// The scales.
const (
	Quick Scale = "quick" // a few motions of each: whether all of it works
	Full  Scale = "full"  // what lab/docs/papers.md publishes
)

// Options of a run.
type Options struct {
	Only   []string // keys, or beginnings of keys, such as ZRLK07 or SSL04/table3; all if empty
	Scale  Scale    // Full if empty
	Out    string   // folder for papers.md and papers/; docs if empty
	Render bool     // the page of what is kept, and measure nothing
	Log    io.Writer
}

// papers are the four, in the order of the page.
func papers() []*Paper { return []*Paper{rklm04(), zrlk07(), sphere(), ssl04()} }

// Keys lists every table and figure.
func Keys() []string {
	var out []string
	for _, p := range papers() {
		for i := range p.Entries {
			out = append(out, p.key(&p.Entries[i]))
		}
	}
	return out
}

func (p *Paper) key(e *Entry) string { return p.Key + "/" + e.Name }

// Run measures what is asked for and renders the page. What was measured is kept entry
// by entry, so that a cancelled run loses no more than the entry it was at.
func Run(ctx context.Context, o Options) error {
	if o.Scale == "" {
		o.Scale = Full
	}
	if o.Out == "" {
		o.Out = "docs"
	}
	if o.Log == nil {
		o.Log = io.Discard
	}
	if err := Known(o.Only, o.Scale); err != nil {
		return err
	}
	chosen, err := choose(o.Only)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(o.Out, "papers"), 0o755); err != nil {
		return err
	}
	kept, err := load(filepath.Join(o.Out, "papers", "results.json"))
	if err != nil {
		return err
	}
	if !o.Render {
		err = measure(ctx, &o, chosen, kept)
	}
	return errors.Join(err, render(o.Out, kept)) // of what was measured before it failed, too
}

// Known fails on keys and scales that there are not.
func Known(only []string, s Scale) error {
	if s != Quick && s != Full {
		return fmt.Errorf("scale %q is not known: give %s or %s", s, Quick, Full)
	}
	_, err := choose(only)
	return err
}

// choose returns the keys that are asked for.
func choose(only []string) (map[string]bool, error) {
	chosen := map[string]bool{}
	for _, want := range only {
		n := len(chosen)
		for _, key := range Keys() {
			if key == want || strings.HasPrefix(key, want+"/") {
				chosen[key] = true
			}
		}
		if len(chosen) == n {
			return nil, fmt.Errorf("%q is no table or figure: they are %s", want, strings.Join(Keys(), ", "))
		}
	}
	if len(only) == 0 {
		for _, key := range Keys() {
			chosen[key] = true
		}
	}
	return chosen, nil
}

// measure runs the entries one after the other and keeps each.
func measure(ctx context.Context, o *Options, chosen map[string]bool, kept *results) error {
	b := newBench(ctx, o.Scale)
	b.log = o.Log
	defer quiet()()
	for _, p := range papers() {
		clear(b.made) // each paper has workloads of its own
		for i := range p.Entries {
			e := &p.Entries[i]
			if e.Run == nil || !chosen[p.key(e)] {
				continue
			}
			fmt.Fprintf(o.Log, "%-16s %s ... ", p.key(e), e.Title)
			breathe()
			r, err := b.run(e)
			if ctx.Err() != nil {
				fmt.Fprintln(o.Log, "cancelled")
				return context.Cause(ctx)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", p.key(e), err)
			}
			fmt.Fprintf(o.Log, "%.1f s\n", r.Seconds)
			if err := kept.put(p.key(e), r); err != nil {
				return err
			}
		}
	}
	return nil
}

// Bench is what the entries measure with: the scale, and workloads made once.
type Bench struct {
	ctx   context.Context
	scale Scale
	log   io.Writer
	made  map[string]any
}

func newBench(ctx context.Context, s Scale) *Bench {
	return &Bench{ctx: ctx, scale: s, log: io.Discard, made: map[string]any{}}
}

// run measures one entry.
func (b *Bench) run(e *Entry) (*Result, error) {
	before, err := cputime.Thread()
	if err != nil {
		return nil, err
	}
	r, err := e.Run(b)
	if err != nil {
		return nil, err
	}
	if b.ctx.Err() != nil {
		return nil, errors.New("cancelled: what was measured is not whole")
	}
	after, err := cputime.Thread()
	if err != nil {
		return nil, err
	}
	r.Scale, r.Machine, r.Seconds = string(b.scale), machine(), (after - before).Seconds()
	r.tidy()
	return r, nil
}

// tidy takes out what is no number, a mean over nothing.
func (r *Result) tidy() {
	isNumber := func(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
	maps.DeleteFunc(r.Values, func(_ string, x float64) bool { return !isNumber(x) })
	for i := range r.Charts {
		for k := range r.Charts[i].Series {
			s := &r.Charts[i].Series[k]
			var kept Series
			for j := range s.X {
				if isNumber(s.X[j]) && isNumber(s.Y[j]) {
					kept.X, kept.Y = append(kept.X, rounded(s.X[j])), append(kept.Y, rounded(s.Y[j]))
				}
			}
			s.X, s.Y = kept.X, kept.Y
		}
	}
}

// rounded keeps four digits, enough to draw.
func rounded(x float64) float64 {
	y, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64) // it was written by us
	return y
}

// pick is how many: quick or full.
func (b *Bench) pick(quick, full int) int {
	if b.scale == Quick {
		return quick
	}
	return full
}

// once makes what several entries need.
func once[T any](b *Bench, name string, make func() (T, error)) (T, error) {
	if x, ok := b.made[name]; ok {
		return x.(T), nil
	}
	x, err := make()
	if err == nil {
		b.made[name] = x
	}
	return x, err
}

// quiet keeps the process to one processor, this goroutine to its thread, and the
// garbage collector away as far as breathe lets it. The function it returns undoes that.
func quiet() func() {
	runtime.LockOSThread()
	processors := runtime.GOMAXPROCS(1)
	percent := debug.SetGCPercent(-1)
	limit := debug.SetMemoryLimit(-1)
	breathe()
	return func() {
		debug.SetMemoryLimit(limit)
		debug.SetGCPercent(percent)
		runtime.GOMAXPROCS(processors)
		runtime.UnlockOSThread()
	}
}

// breathe collects garbage, and lets the heap grow by a gigabyte until it is collected
// again.
func breathe() {
	const valve = 1 << 30
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	debug.SetMemoryLimit(int64(m.Sys-m.HeapReleased) + valve)
}

// machine names the processor and the Go that measured.
func machine() string {
	name := runtime.GOARCH
	if info, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for _, line := range strings.Split(string(info), "\n") {
			if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
				name = strings.TrimSpace(value)
				break
			}
		}
	}
	return fmt.Sprintf("%s, one core, %s", name, runtime.Version())
}

// computing is how long the calling thread computes f.
func computing(f func()) time.Duration {
	before, _ := cputime.Thread() // run has asked it already
	f()
	after, _ := cputime.Thread()
	return after - before
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
