package bench

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// benchmark is a corpus with its checker.
type benchmark struct {
	checker  *ccd.Checker
	segments []*motion.Motion
	query    motion.Query // common part of all methods' questions
	clock    clock
	unit     string // of times
}

// answered is a method's answer about a segment.
type answered struct {
	verdict motion.Verdict
	time    time.Duration // minimum of the repetitions
}

// row is a method's answers, by segment.
type row struct {
	method  *benchMethod
	answers []answered
	allocs  float64 // mean per check

	query   motion.Query
	motions []*motion.Motion
	tracker *benchTracker // of a method that measures a distance
}

// measure runs every method on every segment. Methods alternate on each segment, so that noise
// affects all alike.
func (b *benchmark) measure(ctx context.Context, methods []*benchMethod, truth *benchTruth, reps int) ([]*row, error) {
	rows, err := b.rows(methods)
	if err != nil {
		return nil, err
	}
	defer quiet()()
	asked := rows
	if truth.method != nil {
		judge, err := b.judge(rows, truth.method)
		if err != nil {
			return nil, err
		}
		if judge != nil {
			asked = append(append([]*row(nil), rows...), judge)
		}
	}
	if err := b.warmUp(ctx, asked); err != nil {
		return nil, err
	}
	if err := b.timeAll(ctx, asked, reps); err != nil {
		return nil, err
	}
	if truth.method != nil {
		truth.takeFrom(asked)
	}
	for _, r := range rows {
		if r.allocs, err = b.countAllocs(ctx, r); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// rows prepares the question of each method and its motions, so that only the checks are
// timed.
func (b *benchmark) rows(methods []*benchMethod) ([]*row, error) {
	rows := make([]*row, len(methods))
	for i, m := range methods {
		r := &row{method: m, query: b.query, motions: b.segments, answers: make([]answered, len(b.segments))}
		m.ask(&r.query)
		if m.motion != nil {
			r.motions = make([]*motion.Motion, len(b.segments))
			for k, s := range b.segments {
				var err error
				if r.motions[k], err = m.motion(s); err != nil {
					return nil, fmt.Errorf("%s: %w", s.ID, err)
				}
			}
		}
		if m.distance != nil {
			var err error
			if r.tracker, err = newBenchTracker(b.checker, *m.distance, b.segments); err != nil {
				return nil, err
			}
		}
		rows[i] = r
	}
	return rows, nil
}

// judge returns a row for the method that gives the ground truth, nil if it is among the rows
// already.
func (b *benchmark) judge(rows []*row, truth *benchMethod) (*row, error) {
	for _, r := range rows {
		if r.method == truth {
			return nil, nil
		}
	}
	extra, err := b.rows([]*benchMethod{truth})
	if err != nil {
		return nil, err
	}
	return extra[0], nil
}

// quiet restricts the process to one processor and this goroutine to its thread, and disables
// the garbage collector unless the heap grows by half a gigabyte. The function it returns
// undoes that.
func quiet() func() {
	const valve = 512 << 20
	runtime.LockOSThread()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	processors := runtime.GOMAXPROCS(1)
	percent := debug.SetGCPercent(-1)
	limit := debug.SetMemoryLimit(int64(m.Sys) + valve)
	return func() {
		debug.SetMemoryLimit(limit)
		debug.SetGCPercent(percent)
		runtime.GOMAXPROCS(processors)
		runtime.UnlockOSThread()
	}
}

// warmUp runs checks that are not timed, so that buffers grow and caches fill.
func (b *benchmark) warmUp(ctx context.Context, rows []*row) error {
	const checks = 10
	for _, r := range rows {
		for k := range min(checks, len(b.segments)) {
			if err := b.check(ctx, r, k); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *benchmark) timeAll(ctx context.Context, rows []*row, reps int) error {
	for k := range b.segments {
		for _, r := range rows {
			if r.method.together {
				continue
			}
			if err := b.timeOne(ctx, r, k, reps); err != nil {
				return err
			}
		}
		cli.MotionsDone(ctx, "measuring segments", k+1, len(b.segments))
	}
	for _, r := range rows {
		if r.method.together {
			if err := b.timeTogether(ctx, r, reps); err != nil {
				return err
			}
		}
	}
	return nil
}

// timeOne keeps the minimum time: the duration of an undisturbed check.
func (b *benchmark) timeOne(ctx context.Context, r *row, k, reps int) error {
	a := &r.answers[k]
	var v motion.Verdict // of a kilobyte: it is copied no more often than any caller has to
	for i := range reps {
		if r.tracker != nil { // start each repetition from a different configuration
			if err := b.check(ctx, r, (k+1+i)%len(b.segments)); err != nil {
				return err
			}
		}
		before, err := b.clock()
		if err != nil {
			return cli.InternalError{Err: err}
		}
		if r.tracker != nil {
			v, err = r.tracker.check(ctx, k)
		} else {
			v, err = b.checker.Check(ctx, r.motions[k], r.query)
		}
		after, clockErr := b.clock()
		if clockErr != nil {
			return cli.InternalError{Err: clockErr}
		}
		if err := b.failure(ctx, r, k, err); err != nil {
			return err
		}
		if took := after - before; i == 0 || took < a.time {
			a.time = took
		}
		a.verdict = v
	}
	return nil
}

func (b *benchmark) check(ctx context.Context, r *row, k int) error {
	var err error
	if r.tracker != nil {
		_, err = r.tracker.check(ctx, k)
	} else {
		_, err = b.checker.Check(ctx, r.motions[k], r.query)
	}
	return b.failure(ctx, r, k, err)
}

// failure says what went wrong; an interrupted check is no measurement.
func (b *benchmark) failure(ctx context.Context, r *row, k int, err error) error {
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("%s: %s: %w", b.segments[k].ID, r.method.name, err)
	}
	return nil
}

// countAllocs checks once more, separately from the timing, because reading heap statistics
// disturbs it.
func (b *benchmark) countAllocs(ctx context.Context, r *row) (float64, error) {
	var before, after runtime.MemStats
	var all ccd.Batch
	if r.method.together {
		if err := b.checkAll(ctx, r, r.motions, &all); err != nil {
			return 0, err
		}
	}
	runtime.ReadMemStats(&before)
	switch {
	case r.method.together:
		if err := b.checkAll(ctx, r, r.motions, &all); err != nil {
			return 0, err
		}
	default:
		for k := range b.segments {
			if err := b.check(ctx, r, k); err != nil {
				return 0, err
			}
		}
	}
	runtime.ReadMemStats(&after)
	return float64(after.Mallocs-before.Mallocs) / float64(len(b.segments)), nil
}
