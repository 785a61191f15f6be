// Package pairs is the command pairs: it proves which pairs of links can meet, and audits the pairs that
// an SRDF disables.
package pairs

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/input"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/selfcollision"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairproof"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

const aboutPairs = `Decide, for every two links with collision geometry, whether they can touch within the
joints' limits, including mimic joints.

  never      proved: apart at every configuration
  always     proved: touching at every configuration, by design
  sometimes  touching at a configuration that is printed, confirmed by a second check
  undecided  the budget ran out; the undecided part of the joint box is printed

NEVER and ALWAYS are proofs over all configurations, not samples. They hold only
for these limits, this --padding and this --clearance.

--srdf audits the pairs that the SRDF disables. Faults are
  hidden        disabled, but the links can touch: such a contact goes unnoticed
  noisy         enabled, but the links always touch: every check ends in contact
  false reason  disabled, but not for the reason given
Also reported are
  unproven      disabled; the links touched in every configuration tried, but always is not proved
  wasted        enabled, but the links can never touch
  unknown link  disabled, but the robot has no such link

--write-srdf writes an SRDF that disables what is proved and keeps all else of the given
one. --file keeps results, even after Ctrl-C, for a later run and for --pairs of check,
distance and the node.

Exit status: 0; 1 if the audit finds a fault; otherwise 3 if a pair is undecided.
docs/pairs.md has the details.`

type flags struct {
	input.RobotFlags
	json      bool
	details   bool
	clearance float64
	budget    int
	each      time.Duration
	deadline  time.Duration
	file      string
	srdfOut   string
	disable   []string
	pictures  []string
	pairs     []string
	list      []string
	jobs      int
}

// Command returns the command pairs.
func Command(io cli.Streams) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "pairs --robot R.urdf [flags]",
		Short: "Prove which links can never, always or sometimes touch; audit or write an SRDF",
		Long:  aboutPairs,
		Example: `  firstcontact pairs --robot arm.urdf --srdf arm.srdf
  firstcontact pairs --robot arm.urdf --srdf arm.srdf --write-srdf proved.srdf
  firstcontact pairs --robot g1.urdf --file g1.pairs --picture g1.html
  firstcontact pairs --robot arm.urdf --pair forearm:base --budget 5000000
  firstcontact check --robot g1.urdf --pairs g1.pairs motion.yaml`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return cli.UsageError{Err: fmt.Errorf("pairs takes no arguments (%q): name a pair with --pair A:B", args[0])}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd.Context(), io) },
	}
	f.Add(cmd)
	cli.Group(cmd, "Question", func(fs *pflag.FlagSet) {
		fs.StringArrayVar(&f.pairs, "pair", nil, "decide the pair of links `A:B` alone (repeat)")
		fs.Float64Var(&f.clearance, "clearance", 0, "`metres`: never means always farther apart than this")
	})
	cli.Group(cmd, "Effort", func(fs *pflag.FlagSet) {
		fs.IntVar(&f.budget, "budget", 200_000, "`boxes` of joint positions examined for a pair before it is left undecided")
		fs.DurationVar(&f.each, "pair-deadline", 0, "computing `time` for each pair, then undecided (0: none)")
		fs.DurationVar(&f.deadline, "deadline", 0, "computing `time` for all, then the rest is undecided (0: none)")
		fs.IntVarP(&f.jobs, "jobs", "j", runtime.NumCPU(), "pairs decided at once")
	})
	cli.Group(cmd, "Files", func(fs *pflag.FlagSet) {
		fs.StringVar(&f.file, "file", "", "`file` that keeps results: a later run decides what is still undecided. It is refused\nif damaged, or for another model, other limits, padding or clearance")
		fs.StringVar(&f.srdfOut, "write-srdf", "", "write an SRDF that disables what is proved to a `file`")
		fs.StringSliceVar(&f.disable, "disable", []string{"never", "always"}, "`kinds` of pairs that --write-srdf disables: never, always, or adjacent (neighbouring\nlinks without proof)")
		fs.StringArrayVar(&f.pictures, "picture", nil, "draw the matrix of pairs into a `file`, .svg or .html (repeat)")
	})
	cli.Group(cmd, "Output", func(fs *pflag.FlagSet) {
		fs.StringSliceVar(&f.list, "list", []string{"sometimes", "undecided", "always"}, "`kinds` of pairs to list one by one: never, always, sometimes, undecided")
		fs.BoolVar(&f.details, "details", false, "list all pairs of the kinds of --list and all findings, not only some of each")
		fs.BoolVar(&f.json, "json", false, "print one JSON object")
	})
	return cmd
}

func (f *flags) validate() error {
	for _, kind := range f.disable {
		if kind != "never" && kind != "always" && kind != "adjacent" {
			return fmt.Errorf("--disable %s: give never, always or adjacent; pairs that touch sometimes must be checked", kind)
		}
	}
	for _, kind := range f.list {
		var m pairproof.Meeting
		if kind != "" && m.UnmarshalText([]byte(kind)) != nil {
			return fmt.Errorf("--list %s: give never, always, sometimes or undecided", kind)
		}
	}
	for _, o := range cli.Outputs("picture", f.pictures) {
		if err := o.Ends(".svg or .html", ".svg", ".html"); err != nil {
			return err
		}
	}
	switch {
	case !(f.clearance >= 0) || math.IsInf(f.clearance, 0):
		return fmt.Errorf("--clearance %g: give zero or more metres", f.clearance)
	case f.budget < 1:
		return fmt.Errorf("--budget %d: give 1 or more boxes", f.budget)
	case f.each < 0 || f.deadline < 0:
		return errors.New("--deadline and --pair-deadline must not be negative")
	case f.jobs < 1:
		return fmt.Errorf("--jobs %d: give 1 or more", f.jobs)
	case len(f.Robots) > 1 && f.srdfOut != "":
		return errors.New("--write-srdf is for one robot: MoveIt reads an SRDF for each")
	case f.clearance > 0 && f.srdfOut != "":
		return errors.New("--write-srdf is for --clearance 0: pairs closer than a clearance are not in contact")
	case f.srdfOut != "" && len(f.pairs) > 0:
		return errors.New("--write-srdf needs all pairs, not those of --pair alone")
	}
	return nil
}

// survey is the result of a run of the command.
type survey struct {
	robot    *urdf.Robot
	report   pairproof.Report
	cut      string // why it ended early, or ""
	findings []finding
	audited  bool
	took     time.Duration
	second   *secondLook
}

func (f *flags) run(ctx context.Context, io cli.Streams) error {
	if err := f.validate(); err != nil {
		return cli.UsageError{Err: err}
	}
	if err := cli.Writable(f.Named(), append(cli.Outputs("picture", f.pictures), cli.Output{Flag: "file", Path: f.file}, cli.Output{Flag: "write-srdf", Path: f.srdfOut})...); err != nil {
		return err
	}
	robot, err := f.Load(ctx)
	if err != nil {
		return err
	}
	f.TellRobot(io.Err, robot)
	s, err := f.decide(ctx, io, robot)
	if err != nil {
		return err
	}
	if err := f.audit(ctx, s); err != nil {
		return err
	}
	if err := f.write(ctx, io, s); err != nil {
		return err
	}
	if f.json {
		err = f.writeJSON(io.Out, s)
	} else {
		err = f.writeText(io.Out, s)
	}
	if err != nil {
		return err
	}
	return s.outcome()
}

// write writes the requested files.
func (f *flags) write(ctx context.Context, io cli.Streams, s *survey) error {
	for _, file := range f.pictures {
		if err := drawPairs(file, s); err != nil {
			return err
		}
	}
	if f.srdfOut == "" {
		return nil
	}
	n, err := f.writeSRDF(ctx, s)
	if err == nil && !f.Quiet() {
		fmt.Fprintf(io.Err, "note: %s disables %d of %d pairs\n", f.srdfOut, n, len(s.report.Pairs))
	}
	return err
}

// outcome is the exit status of the survey.
func (s *survey) outcome() error {
	for i := range s.findings {
		if s.findings[i].Kind.Fault() {
			return cli.Outcome(cli.ExitContact)
		}
	}
	if s.cut != "" || s.report.Count(pairproof.Undecided) > 0 {
		return cli.Outcome(cli.ExitUndecided)
	}
	return nil
}

// status names the outcome.
func (s *survey) status() string {
	switch s.outcome() {
	case cli.Outcome(cli.ExitContact):
		return "fault"
	case cli.Outcome(cli.ExitUndecided):
		return "undecided"
	}
	return "done"
}

// audit compares an SRDF with the decisions, and checks every witness a second time.
func (f *flags) audit(ctx context.Context, s *survey) error {
	if s.robot.Semantic == nil {
		return nil
	}
	s.audited = true
	var unknown []urdf.NamedPair
	if source, err := f.srdfSource(ctx); err != nil {
		return err
	} else if source != nil {
		if unknown, err = urdf.UnknownPairs(s.robot, source); err != nil {
			return err
		}
	}
	second := f.second(s)
	for _, found := range selfcollision.Audit(s.robot, &s.report, unknown) {
		g := finding{Finding: found}
		if g.Kind == selfcollision.Hidden || g.Kind == selfcollision.Unproven || g.Kind == selfcollision.Noisy || g.Kind == selfcollision.FalseReason && g.Meets != pairproof.Never {
			if err := second.confirm(&g, s.report.Variables); err != nil {
				return err
			}
		}
		s.findings = append(s.findings, g)
	}
	return nil
}

// srdfSource returns the text of a single robot's SRDF, nil if there is none.
func (f *flags) srdfSource(ctx context.Context) ([]byte, error) {
	if len(f.Robots) != 1 || len(f.SRDFs) != 1 {
		return nil, nil
	}
	_, file := input.CutName(f.SRDFs[0])
	return f.Read(ctx, "--srdf", file, limit.DescriptionBytes)
}
