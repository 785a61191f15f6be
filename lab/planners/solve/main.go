// Command solve plans paths for problems of MotionBenchMaker with the lazy planner of
// package lazyprm, proves them, and writes them as trajectories.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"
)

const help = `Plan paths for planning problems, and prove them free of collision.

  solve --robot R.urdf [--srdf R.srdf] [flags] PROBLEMS...

PROBLEMS are FILE.json, FILE.json#SET or FILE.json#SET/INDEX, as MotionBenchMaker's
problems are kept: obstacles, a start and a goal each.

The planner is the lazy bidirectional roadmap of SSL04: segments between random
milestones are tested only as part of a path from end to end. --checker says how:

  engine   by proof, with the default engine; no path returned is in collision
  bisect   by proof, with the adaptive bisection of SSL04 (with it the planner is A-SBL)
  fixed    by samples --resolution apart (SBL); that is no proof, and paths do collide
  fixedres the same with the hierarchies of SSL04's method instead of the default engine's

Whatever the checker, every path is verified by the default engine at the end, before
and after smoothing; "collides" tells of those that the checker let pass. Where links
touch as designed and no SRDF says so, --allow them.

With --reliable N it does what SSL04 does for its tables IV and V: it looks for a resolution
at which N runs of the planner with samples in a row return no path in collision, and tells
what they take and what the planner with proofs takes.

  columns   seconds (computing time) for planning and smoothing, milestones, paths that
            were tested, their segments (those that a later path had as well, and those in
            collision), length before and after smoothing in rad

Examples:
  solve --robot panda.urdf --srdf panda.srdf 'panda.json#box/1'
  solve --robot panda.urdf --srdf panda.srdf --out paths panda.json#cage
  firstcontact check --robot panda.urdf --srdf panda.srdf --scene 'panda.json#cage/1' paths/cage-1.csv
  solve --robot panda.urdf --srdf panda.srdf --checker fixed --resolution 0.2 --seeds 10 panda.json#bookshelf_thin
  solve --robot panda.urdf --srdf panda.srdf --reliable 50 'panda.json#cage/1'

Exit status: 0 if every path was found and is proved free, 1 if one collides, 3 if one was
not found, 4 for bad input.

Flags:
`

// flags are what the command line says.
type flags struct {
	robot, srdf, checker, out       string
	resolution, clearance, delta    float64
	seed                            uint64
	seeds, smooth, every, milestone int
	reliable                        int
	timeout                         time.Duration
	allow                           pairs
	quiet, refined, forget          bool
	problems                        []string
}

// pairs are values A:B of a flag that may be repeated.
type pairs [][2]string

func (p *pairs) String() string { return "" }

func (p *pairs) Set(s string) error {
	a, b, ok := strings.Cut(s, ":")
	if !ok || a == "" || b == "" {
		return errors.New("give two names as A:B")
	}
	*p = append(*p, [2]string{a, b})
	return nil
}

func parse(args []string, out io.Writer) (*flags, error) {
	f := &flags{}
	fs := flag.NewFlagSet("solve", flag.ContinueOnError)
	fs.SetOutput(io.Discard) // what is wrong is told once, below
	fs.StringVar(&f.robot, "robot", "", "the robot's URDF `file`")
	fs.StringVar(&f.srdf, "srdf", "", "SRDF `file`: pairs of links that may touch")
	fs.Var(&f.allow, "allow", "do not check the pair `A:B` of links (repeat)")
	fs.StringVar(&f.checker, "checker", "engine", "who tests segments: engine, bisect, fixed or fixedres")
	fs.Float64Var(&f.resolution, "resolution", 0.05, "distance of the samples of --checker fixed and fixedres in joint space, in `rad`")
	fs.Float64Var(&f.delta, "delta", 1e-4, "distance in `metres` below which --checker bisect may give a segment up")
	fs.BoolVar(&f.refined, "refined", false, "have --checker bisect take the refined checker of SSL04, section VI")
	fs.Float64Var(&f.clearance, "clearance", 0, "`metres` that every pair must stay apart")
	fs.Uint64Var(&f.seed, "seed", 1, "seed of the planner's lots")
	fs.IntVar(&f.seeds, "seeds", 1, "plan each problem so many times, with seed, seed+1, ...")
	fs.IntVar(&f.every, "every", 1, "take every `n`-th of the problems")
	fs.IntVar(&f.milestone, "milestones", 0, "milestones after which a plan is given up (0: 100000)")
	fs.DurationVar(&f.timeout, "timeout", 30*time.Second, "`time` on the wall after which a plan is given up")
	fs.IntVar(&f.smooth, "smooth", 100, "rounds of shortcuts (0: none)")
	fs.StringVar(&f.out, "out", "", "`folder` to write each problem's first path to, as SET-INDEX.csv")
	fs.IntVar(&f.reliable, "reliable", 0, "look for the resolution, from --resolution down, at which `N` runs in a row do not collide")
	fs.BoolVar(&f.forget, "forget", false, "have --checker engine and bisect test every path anew, to see what keeping work is worth")
	fs.BoolVar(&f.quiet, "quiet", false, "no progress on standard error")
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprint(out, help)
			fs.SetOutput(out)
			fs.PrintDefaults()
		}
		return nil, err
	}
	f.problems = fs.Args()
	return f, f.validate()
}

func (f *flags) validate() error {
	switch {
	case f.robot == "":
		return errors.New("there is no robot: give one with --robot R.urdf (--help explains)")
	case len(f.problems) == 0:
		return errors.New("there is nothing to solve: name problems as FILE.json#SET/INDEX (--help explains)")
	case f.seeds < 1 || f.every < 1 || f.smooth < 0 || f.milestone < 0:
		return errors.New("--seeds and --every are 1 or more, --smooth and --milestones not negative")
	case f.reliable < 0 || f.reliable > 0 && f.checker != "engine" && f.checker != "bisect":
		return errors.New("--reliable is a number of runs, and compares samples with a checker that proves")
	}
	return nil
}

// The exit statuses.
const (
	exitFree      = 0
	exitCollides  = 1
	exitUndecided = 3
	exitBad       = 4
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

func run(ctx context.Context, args []string, out, errs io.Writer) int {
	f, err := parse(args, out)
	if errors.Is(err, flag.ErrHelp) {
		return exitFree
	}
	var t *table
	if err == nil {
		t, err = f.solve(ctx, out, errs)
	}
	if err != nil {
		fmt.Fprintln(errs, "solve:", err)
		return exitBad
	}
	return t.exit()
}
