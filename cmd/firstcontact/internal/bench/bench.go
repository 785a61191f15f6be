// Package bench is the command bench: it measures methods on the segments of a file, and compares what
// they find.
package bench

import (
	"context"
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/input"
	"github.com/firstcontact-ros/firstcontact/internal/base/spelling"
	"github.com/firstcontact-ros/firstcontact/internal/engine/corpus"
	"github.com/firstcontact-ros/firstcontact/motion"
)

const aboutBench = `Measure the cost of proofs: every segment of a corpus by every method, side by
side on one core.

SCENE is a ccdscene file (links, bodies, obstacles; 'acm' lines name allowed
pairs, and pairs that no moving joint separates are not checked; frozen joints
stay at the file's positions). SEGMENTS holds 'seg' lines, each a straight line
in joint space, as a motion of one second.

Methods (those of the papers, and those that ask about all segments at once, are
measured only if they are named):
%s
Times are microseconds of the thread's computing time (CLOCK_THREAD_CPUTIME_ID,
which reduces the effect of other load), the minimum of --reps consecutive
repetitions after a warm-up, with one processor and the garbage collector off.
Reading that clock is a system call of some 0.4 us, which each time includes, and
slows down what follows it. --clock wall reads the time of day's clock, which
takes a tenth and disturbs nothing: better for checks of a few microseconds, on a
machine without other load.
allocs_per_check is counted in a separate pass. free-all and static-all have one
time for all segments with the same answer: that of the call, by their number.
The ground truth, not the
method's own answer, decides whether a segment counts in the free or the contact
columns. Median and p90 are the elements n/2 and 0.9 n of the sorted times.

--truth METHOD or FILE gives the ground truth: a method of this list, or the
dump of another program: lines of this command's --json --dump (those of the
first method in it) or 'SEG INDEX truth V ...' with V 0 free, 1 contact, 2
undecided. Write a file that has a method's name as ./NAME.
  missed   the truth is contact, the method says free
  false    the truth is free, the method says contact
  undec    the method does not decide
Segments whose truth is undecided are in neither the free nor the contact
columns. static, self and world check the start only: they miss later contacts.

--dump adds a line per segment: 'SEG INDEX truth V METHOD=V@TOC/TIMEus ...' with
TOC the end of the interval in which contact was proved (2 if there is none).
--json prints one object per method, and with --dump, before it, one per segment:
  {"method","segment","status","toc":[lo,hi],"pair":[a,b],"us"}
  {"method","segments","free","contact","undecided","missed","false",
   "free_median_us","free_p90_us","free_mean_us","contact_median_us",
   "contact_p90_us","contact_mean_us","allocs_per_check","free_work",
   "contact_work","truth","truth_free","truth_contact"}
Segments count from 0; toc and pair are null without a contact, times are null
without such a segment. free, contact and undecided count the method's own
answers, truth_free and truth_contact the segments in either column. free_work
and contact_work are means: examined time intervals, evaluations of a proof
rule, searches for closest points. The method free proves nothing about the time
before a contact: the first number of its toc is what had been proved by then.

The exit status is 0 if all segments were measured, whatever the answers.`

type flags struct {
	methods    []string
	truth      string
	json, dump bool
	input.ScopeFlags
	reps, limit int
	clock       string
	tolerance   float64
}

// Command returns the command bench.
func Command(io cli.Streams) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "bench SCENE SEGMENTS [flags]",
		Short: "Measure the methods on a corpus of segments",
		Long:  fmt.Sprintf(aboutBench, describeMethods()),
		Example: `  firstcontact bench panda_shelf.scene panda_shelf.local.segs
  firstcontact bench g1.scene g1_moves_10hz.segs --no-world --method free,toc --json
  firstcontact bench arm.scene arm.segs --truth other.dump --dump`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return cli.UsageError{Err: fmt.Errorf("bench takes SCENE and SEGMENTS, not %d arguments", len(args))}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), io, args[0], args[1])
		},
	}
	fs := cmd.Flags()
	fs.StringSliceVar(&f.methods, "method", usualMethods(), "`names` of methods, measured beside each other")
	fs.StringVar(&f.truth, "truth", "toc", "`method or file` that gives the ground truth")
	fs.BoolVar(&f.json, "json", false, "print one JSON object per method")
	fs.BoolVar(&f.dump, "dump", false, "print each segment's answer and time of contact")
	f.ScopeFlags.Add(cmd, "leave out")
	f.ScopeFlags.AddOldNames(cmd)
	fs.IntVar(&f.reps, "reps", 3, "repetitions; the fastest is reported")
	fs.StringVar(&f.clock, "clock", clocks[0].name, "`clock` to measure with: thread or wall")
	fs.IntVar(&f.limit, "limit", 0, "only the first `N` segments (0: all)")
	fs.Float64Var(&f.tolerance, "tolerance", motion.DefaultTolerance, "`metres` within which a pair counts as touching")
	return cmd
}

func (f *flags) run(ctx context.Context, io cli.Streams, scene, segments string) error {
	methods, err := f.validate()
	if err != nil {
		return cli.UsageError{Err: err}
	}
	b, err := f.load(scene, segments)
	if err != nil {
		return err
	}
	truth, err := f.truthSource(ctx, len(b.segments))
	if err != nil {
		return err
	}
	rows, err := b.measure(ctx, methods, truth, f.reps)
	if err != nil {
		return err
	}
	r := benchReport{rows: rows, truth: truth.verdicts, by: truth.name, unit: b.unit, reps: f.reps}
	write := r.writeText
	if f.json {
		write = r.writeJSON
	}
	if err := write(io.Out, f.dump); err != nil {
		return err
	}
	return nil
}

func (f *flags) validate() ([]*benchMethod, error) {
	switch {
	case f.reps < 1:
		return nil, fmt.Errorf("--reps %d: give 1 or more", f.reps)
	case f.limit < 0:
		return nil, fmt.Errorf("--limit %d: give 1 or more, or 0 for all", f.limit)
	case !(f.tolerance > 0) || math.IsInf(f.tolerance, 0):
		return nil, fmt.Errorf("--tolerance %g: give a positive number of metres", f.tolerance)
	}
	if _, _, err := clockNamed(f.clock); err != nil {
		return nil, err
	}
	if err := f.ScopeFlags.Validate(); err != nil {
		return nil, err
	}
	var methods []*benchMethod
	for i, name := range f.methods {
		m := methodNamed(name)
		if m == nil {
			return nil, fmt.Errorf("--method %s: unknown%s; give one of %v", name, spelling.Hint(name, MethodNames()), MethodNames())
		}
		for _, before := range f.methods[:i] {
			if before == name {
				return nil, fmt.Errorf("--method names %s twice", name)
			}
		}
		methods = append(methods, m)
	}
	if len(methods) == 0 {
		return nil, fmt.Errorf("--method is empty: give some of %v", MethodNames())
	}
	return methods, nil
}

// load reads the corpus and builds its checker.
func (f *flags) load(scene, segments string) (*benchmark, error) {
	s, err := corpus.Load(scene)
	if err != nil {
		return nil, err
	}
	motions, err := s.Segments(segments)
	if err != nil {
		return nil, err
	}
	if f.limit > 0 && f.limit < len(motions) {
		motions = motions[:f.limit]
	}
	c, err := ccd.New(s.Robot, s.World, ccd.Options{Allowed: s.Rigid()})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", scene, err)
	}
	read, unit, err := clockNamed(f.clock)
	if err != nil {
		return nil, err
	}
	return &benchmark{checker: c, segments: motions, clock: read, unit: unit, query: motion.Query{
		Tolerance: f.tolerance, NoSelf: f.NoSelf, NoWorld: f.NoWorld,
	}}, nil
}
