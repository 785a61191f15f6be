package pairs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/input"
	"github.com/firstcontact-ros/firstcontact/internal/base/progress"
	"github.com/firstcontact-ros/firstcontact/internal/base/spelling"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairfile"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairproof"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// savePeriod bounds how much work a killed run loses.
const savePeriod = 5 * time.Second

// decide decides all pairs: first with a small budget, so that the many easy ones do not wait
// for a hard one, then with the full one.
func (f *flags) decide(ctx context.Context, io cli.Streams, robot *urdf.Robot) (*survey, error) {
	begin := time.Now()
	opt, err := f.meetOptions(robot)
	if err != nil {
		return nil, err
	}
	s := &survey{robot: robot}
	if s.report, err = f.known(ctx, io, robot, opt); err != nil {
		return nil, err
	}
	if f.deadline > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, f.deadline)
		defer stop()
	}
	keep := &keeper{file: f.file, report: &s.report, saved: time.Now(), spent: map[[2]int]int{}}
	for _, boxes := range rounds(f.budget) {
		if ctx.Err() != nil {
			break
		}
		if err := f.round(ctx, io, robot, s, opt, boxes, keep); err != nil {
			return nil, err
		}
	}
	s.took = time.Since(begin)
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		s.cut = fmt.Sprintf("the deadline of %v passed", f.deadline)
	case ctx.Err() != nil:
		s.cut = "it was interrupted"
	}
	s.excuse(keep.spent, f.budget)
	if s.cut != "" && f.file != "" && !f.Quiet() {
		fmt.Fprintf(io.Err, "note: what is decided is kept in %s: run it again to go on\n", f.file)
	}
	return s, keep.save()
}

// excuse corrects why pairs are undecided in a run that ended early: the small budget of an
// earlier round is not the one that was given. spent is what each pair has been given.
func (s *survey) excuse(spent map[[2]int]int, budget int) {
	if s.cut == "" {
		return
	}
	for i := range s.report.Pairs {
		p := &s.report.Pairs[i]
		if p.Meets == pairproof.Undecided && p.Why == pairproof.BudgetSpent && spent[[2]int{p.A, p.B}] < budget {
			p.Why = s.cut
		}
	}
}

// rounds returns increasing budgets.
func rounds(budget int) []int {
	var out []int
	for b := 2000; b < budget; b *= 10 {
		out = append(out, b)
	}
	return append(out, budget)
}

// round decides the open pairs with a budget, and records the results in the survey.
func (f *flags) round(ctx context.Context, io cli.Streams, robot *urdf.Robot, s *survey, opt pairproof.Options, boxes int, keep *keeper) error {
	before := s.report
	keep.open()
	show := pairsDone(ctx, len(before.Pairs)-before.Count(pairproof.Undecided))
	opt.Boxes, opt.Known = boxes, &before
	opt.Progress = func(done, total int, q pairproof.Pair) {
		keep.take(q, boxes, func() { show(done, total, &q) })
	}
	begin := time.Now()
	ended := make(chan error, 1)
	go func() {
		_, err := pairproof.All(ctx, robot, opt)
		ended <- err
	}()
	var err error
	select {
	case err = <-ended:
	case <-ctx.Done():
		select {
		case err = <-ended:
		case <-time.After(grace): // abandon it
		}
	}
	s.report.Took += time.Since(begin)
	s.report.Pairs = pairproof.Merge(before.Pairs, keep.all())
	return errors.Join(err, keep.err)
}

// grace is how long a run may continue after an interrupt: one step on two large meshes takes
// seconds.
const grace = time.Second

// known returns the decisions of an earlier run, or an empty report.
func (f *flags) known(ctx context.Context, io cli.Streams, robot *urdf.Robot, opt pairproof.Options) (pairproof.Report, error) {
	empty, err := pairproof.None(robot, opt)
	if err != nil || f.file == "" {
		return empty, err
	}
	if _, err := os.Stat(f.file); errors.Is(err, fs.ErrNotExist) {
		return empty, nil
	}
	r, err := pairfile.LoadContext(ctx, f.file)
	if err != nil {
		return empty, err
	}
	err = pairfile.Fits(r, robot, opt)
	if err == nil && r.Clearance != opt.Clearance {
		err = fmt.Errorf("it is for --clearance %g", r.Clearance)
	}
	if err != nil {
		return empty, fmt.Errorf("--file %s: %w (or name another file)", f.file, err)
	}
	if !f.Quiet() {
		fmt.Fprintf(io.Err, "note: %s: %d pairs are already decided\n", f.file, len(r.Pairs)-r.Count(pairproof.Undecided))
	}
	return *r, nil
}

// meetOptions turns the flags into options of the search.
func (f *flags) meetOptions(robot *urdf.Robot) (pairproof.Options, error) {
	opt := pairproof.Options{Deadline: f.each, Padding: f.Padding, Clearance: f.clearance, Workers: f.jobs}
	dir, err := f.Dir()
	if err != nil {
		return opt, err
	}
	opt.Shapes = pairproof.NewShapes(dir, nil)
	if len(f.pairs) == 0 {
		return opt, nil
	}
	opt.Only = map[[2]int]bool{}
	for _, pair := range f.pairs {
		a, b, ok := strings.Cut(pair, ":")
		if !ok || a == "" || b == "" || a == b {
			return opt, cli.UsageError{Err: fmt.Errorf("--pair %s: give two links as A:B", pair)}
		}
		var at [2]int
		for i, name := range [...]string{a, b} {
			at[i] = robot.Link(name)
			switch {
			case at[i] < 0:
				return opt, fmt.Errorf("--pair %s: the robot has no link %s%s", pair, name, spelling.Hint(name, input.LinkNames(robot)))
			case len(robot.Links[at[i]].Collisions) == 0:
				return opt, fmt.Errorf("--pair %s: link %s has no collision geometry", pair, name)
			}
		}
		opt.Only[[2]int{min(at[0], at[1]), max(at[0], at[1])}] = true
	}
	return opt, nil
}

// keeper writes decisions to a file, periodically and at the end.
type keeper struct {
	file   string
	report *pairproof.Report // as of the last round
	fresh  []pairproof.Pair
	saved  time.Time
	err    error

	mu     sync.Mutex
	closed bool           // later results are ignored
	spent  map[[2]int]int // budget of the last round that finished a pair
}

// open begins a round.
func (k *keeper) open() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.closed = false
}

// take records the result of a pair that was given so many boxes and shows it, unless the round is over.
func (k *keeper) take(p pairproof.Pair, boxes int, show func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.closed {
		return
	}
	k.fresh = append(k.fresh, p)
	k.spent[[2]int{p.A, p.B}] = boxes
	if k.file != "" && k.err == nil && time.Since(k.saved) > savePeriod {
		k.err = k.save()
	}
	show()
}

// all ends a round, and returns what all rounds have found out.
func (k *keeper) all() []pairproof.Pair {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.closed = true
	return k.fresh
}

func (k *keeper) save() error {
	if k.file == "" {
		return nil
	}
	r := *k.report
	r.Pairs = pairproof.Merge(r.Pairs, k.fresh)
	k.saved = time.Now()
	return cli.Output{Flag: "file", Path: k.file}.Failed(pairfile.Save(k.file, &r))
}

// pairsDone returns a function that tells how far the pairs are, of which known were decided
// before: those are reported first.
func pairsDone(ctx context.Context, known int) func(done, total int, last *pairproof.Pair) {
	undecided := 0
	return func(done, total int, last *pairproof.Pair) {
		if done < known {
			return
		}
		if last.Meets == pairproof.Undecided {
			undecided++
		}
		progress.Tell(ctx, progress.Step{
			What: "deciding pairs of links", Done: int64(done), Total: int64(total), Unit: "pairs",
			Note: fmt.Sprintf("%d undecided; %s, %s: %s", undecided, last.LinkA, last.LinkB, last.Meets),
		})
	}
}
