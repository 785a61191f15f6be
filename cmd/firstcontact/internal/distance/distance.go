// Package distance is the command distance: it measures how close bodies are at one configuration.
package distance

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/input"
	"github.com/firstcontact-ros/firstcontact/internal/base/spelling"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/premise"
)

const aboutDistance = `Measure how close the robot is to itself and to the world at one configuration.

Joints that --state does not name are at their default: the SRDF's group state,
otherwise 0, or the middle of the range if 0 is outside it.

Each line is a pair of bodies: its distance, two witness points, and the features that
they lie on. Below stand the joints that are beyond their limits, and those that are at
their default. Bodies that overlap are 0 m apart, at a point that both contain; the
depth is not reported. The distance is exact to 1e-10 m, or to the rounding error on
long chains with large gear ratios ("rounding" of --json); --alpha and --tolerance ask
for less, which is faster.

Exit status: 0; 1 if a pair touches; 2 if one is closer than --clearance, --min or its
--margin; 3 if the input has a gap that --accept does not name; 4 if there is no pair to
measure, or bad input. docs/self-collision.md tells how --method works.`

type flags struct {
	input.ModelFlags
	input.ScopeFlags
	input.RangeFlags
	json, all, groups   bool
	top                 int
	min, max            float64
	alpha, tolerance    float64
	clearance           float64
	class, group, frame string
	method              string
	by                  ccd.SelfMethod
	margins             []string
	onlyAttached        bool
	ranges              []motion.PairRange
}

// Command returns the command distance.
func Command(io cli.Streams) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "distance --robot R.urdf [flags]",
		Short: "Measure the closest pairs at one configuration",
		Long:  aboutDistance,
		Example: `  firstcontact distance --robot arm.urdf --srdf arm.srdf --state home --top 5
  firstcontact distance --robot arm.urdf --srdf arm.srdf --scene cell.yaml --class scene --group hand
  firstcontact distance --robot arm.urdf --scene cell.yaml --min 0.02 --margin tool:table:0.005
  firstcontact distance --robot arm.urdf --state elbow=1.2,wrist=-0.3 --all --json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return cli.UsageError{Err: fmt.Errorf("distance takes no arguments (%q): give positions with --state", args[0])}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd.Context(), io) },
	}
	f.ModelFlags.Add(cmd)
	cli.Group(cmd, "Which pairs", func(fs *pflag.FlagSet) {
		f.ScopeFlags.Add(cmd, "leave out")
		fs.StringVar(&f.class, "class", "", "only these pairs: `self, scene or attached`. self: links with links and with what is\nattached to the robot; scene: the robot and what is attached to it with the scene;\nattached: attached objects with links and with the scene")
		fs.StringVar(&f.group, "group", "", "only pairs with a link of the SRDF group of this `name`, or with an object attached to one")
		fs.BoolVar(&f.groups, "groups", false, "one line for every group of the SRDF")
		fs.IntVar(&f.top, "top", 5, "`number` of closest pairs of bodies to list (-1: all)")
		fs.BoolVar(&f.all, "all", false, "list all pairs of bodies")
	})
	cli.Group(cmd, "Distances that matter", func(fs *pflag.FlagSet) {
		fs.Float64Var(&f.min, "min", 0, "stop at the first pair that is closer than this many `metres`")
		fs.Float64Var(&f.max, "max", 0, "leave out pairs farther apart than this many `metres` (0: no limit)")
		fs.StringArrayVar(&f.margins, "margin", nil, "--min for one pair of bodies: `A:B:METRES` (repeat)")
		f.RangeFlags.Add(fs, "--min and --max\nin one. A pair closer than MIN ends the search, pairs farther apart than MAX are left\nout")
		fs.Float64Var(&f.clearance, "clearance", 0, "`metres` that pairs should be apart, for the exit status")
	})
	cli.Group(cmd, "Accuracy and method", func(fs *pflag.FlagSet) {
		fs.Float64Var(&f.alpha, "alpha", 0, "the `part` of a distance by which its bounds may differ, from 0 to below 1")
		fs.Float64Var(&f.tolerance, "tolerance", 0, "`metres` by which bounds may differ (0: 1e-10)")
		fs.StringVar(&f.method, "method", "auto", "how the robot's own pairs are measured: `"+strings.Join(ccd.SelfMethodNames(), ", ")+"`\n(the answer is the same; auto takes what is faster)")
	})
	cli.Group(cmd, "Output", func(fs *pflag.FlagSet) {
		fs.BoolVar(&f.json, "json", false, "print one JSON object ('firstcontact schema distance' describes it), with --groups a list")
		fs.StringVar(&f.frame, "frame", "world", "frame of the points: `world or link`, each in the frame of its own link")
	})
	return cmd
}

func (f *flags) run(ctx context.Context, io cli.Streams) error {
	if err := f.validate(); err != nil {
		return cli.UsageError{Err: err}
	}
	c, err := f.checker(ctx, io)
	if err != nil {
		return err
	}
	if f.groups {
		return f.runGroups(ctx, io, c)
	}
	d, err := c.Distance(ctx, nil, f.query(f.group))
	if err != nil {
		return err
	}
	for i := range d.Pairs {
		c.CompleteFeatures(&d.Pairs[i].Witness)
	}
	if nothing(&d) {
		return f.errNothing()
	}
	write := f.writeText
	if f.json {
		write = f.writeJSON
	}
	if err := write(io.Out, c, &d); err != nil {
		return err
	}
	return f.finish(io, c, f.status(c, &d))
}

// nothing reports whether there was no pair to measure, near or far.
func nothing(d *motion.Distances) bool {
	return !d.Stopped && math.IsInf(d.Self.Lo, 1) && math.IsInf(d.World.Lo, 1) && math.IsInf(d.Attached.Lo, 1)
}

// errNothing says why there is no pair.
func (f *flags) errNothing() error {
	switch {
	case f.onlyAttached:
		return errors.New("no pair of bodies is left to measure: nothing is attached to the robot, name a scene with attached objects with --scene")
	case f.NoSelf && f.Scene == "":
		return errors.New("no pair of bodies is left to measure: there is no scene, name one with --scene")
	}
	return errors.New("no pair of bodies is left to measure: the robot has no collision geometry, or all pairs are allowed to touch or left out by --class, --group, --no-self or --no-world")
}

// finish tells the open gaps and returns the exit status.
func (f *flags) finish(io cli.Streams, c *ccd.Checker, status cli.Outcome) error {
	for _, p := range c.Premises() {
		if p.Open() {
			fmt.Fprintf(io.Err, "firstcontact: the input has a gap: %s; %s, or --accept %s\n", p.Detail, p.Remedy, p.Entry())
		}
	}
	if status != cli.ExitFree {
		return status
	}
	return nil
}

func (f *flags) validate() error {
	for _, x := range [...]float64{f.min, f.max, f.clearance, f.tolerance, f.alpha} {
		if !(x >= 0) || math.IsInf(x, 0) {
			return fmt.Errorf("--min, --max, --clearance, --tolerance and --alpha must be zero or more, not %g", x)
		}
	}
	switch {
	case f.top == 0:
		return fmt.Errorf("--top must not be 0")
	case f.alpha >= 1:
		return fmt.Errorf("--alpha %g is a part of the distance: give less than 1", f.alpha)
	case f.max > 0 && f.min > f.max:
		return fmt.Errorf("--min %g is more than --max %g", f.min, f.max)
	case f.frame != "world" && f.frame != "link":
		return fmt.Errorf("--frame %s: give world or link", f.frame)
	case f.groups && f.group != "":
		return fmt.Errorf("--groups lists every group: leave out --group %s", f.group)
	}
	var err error
	if f.by, err = ccd.ParseSelfMethod(f.method); err != nil {
		return fmt.Errorf("--method: %w%s", err, spelling.Hint(f.method, ccd.SelfMethodNames()))
	}
	if f.all {
		f.top = -1
	}
	if err := f.validateClass(); err != nil {
		return err
	}
	return f.validateRanges()
}

// validateClass makes --class the pairs to leave out.
func (f *flags) validateClass() error {
	switch f.class {
	case "":
	case "self":
		f.NoWorld = true
	case "scene", "world":
		f.NoSelf = true
	case "attached":
		f.onlyAttached = true
	default:
		return fmt.Errorf("--class %s: give self, scene or attached", f.class)
	}
	if f.NoSelf && f.NoWorld {
		return fmt.Errorf("--no-self and --no-world together leave nothing to measure")
	}
	return nil
}

// validateRanges collects what is close and far, for all pairs and for single ones.
func (f *flags) validateRanges() error {
	if err := f.RangeFlags.Parse(); err != nil {
		return err
	}
	switch {
	case f.RangeFlags.All && (f.min > 0 || f.max > 0):
		return fmt.Errorf("--distance-range and --min or --max say twice what is close and far: leave out --min and --max")
	case f.RangeFlags.All:
		f.min, f.max = f.Ranges.Min, f.Ranges.Max
	}
	f.ranges = slices.Clone(f.Ranges.Ranges)
	for _, m := range f.margins {
		r, err := marginOf(m, f.max)
		if err != nil {
			return err
		}
		f.ranges = append(f.ranges, r)
	}
	return nil
}

// marginOf reads A:B:METRES. The distance may exceed --max, which is then raised.
func marginOf(text string, far float64) (motion.PairRange, error) {
	bad := fmt.Errorf("--margin %s: give two names and metres as A:B:METRES", text)
	at := strings.LastIndex(text, ":")
	if at < 0 {
		return motion.PairRange{}, bad
	}
	x, err := strconv.ParseFloat(text[at+1:], 64)
	a, b, ok := strings.Cut(text[:at], ":")
	if err != nil || !ok || a == "" || b == "" || !(x >= 0) || math.IsInf(x, 0) {
		return motion.PairRange{}, bad
	}
	if far > 0 {
		far = math.Max(far, x)
	}
	return motion.PairRange{A: a, B: b, DistanceRange: motion.DistanceRange{Min: x, Max: far}}, nil
}

func (f *flags) checker(ctx context.Context, io cli.Streams) (*ccd.Checker, error) {
	robot, err := f.Load(ctx)
	if err != nil {
		return nil, err
	}
	world, err := f.LoadScene(ctx, robot)
	if err != nil {
		return nil, err
	}
	opts, err := f.Options(ctx, robot)
	if err != nil {
		return nil, err
	}
	opts.SelfMethod = f.by
	c, err := ccd.NewContext(ctx, robot, world, opts)
	if err != nil {
		return nil, err
	}
	f.TellModel(ctx, io.Err, c)
	if !f.Quiet() && f.by == ccd.SelfSpheres {
		err = tellTrees(ctx, io.Err, c)
	}
	return c, err
}

func (f *flags) query(group string) motion.DistanceQuery {
	return motion.DistanceQuery{
		K: f.top, DistanceRanges: f.distanceRanges(), Relative: f.alpha, Tolerance: f.tolerance,
		NoSelf: f.NoSelf, NoWorld: f.NoWorld, OnlyAttached: f.onlyAttached, Group: group,
	}
}

// distanceRanges are those of --distance-range, with --min, --max and --margin.
func (f *flags) distanceRanges() motion.DistanceRanges {
	r := f.Ranges
	r.Min, r.Max, r.Ranges = f.min, f.max, f.ranges
	return r
}

// status turns the smallest distance into an exit status. A pair that cannot be distinguished
// from touching counts as touching. Without a violation an open gap leaves it undecided.
func (f *flags) status(c *ccd.Checker, d *motion.Distances) cli.Outcome {
	closest := math.Min(d.Self.Lo, d.World.Lo)
	if d.Stopped { // closer pairs may not have been examined
		closest = d.Pairs[0].Bounds.Hi
	}
	switch {
	case closest <= 0:
		return cli.ExitContact
	case d.Stopped || closest <= f.clearance:
		return cli.ExitClearance
	case slices.ContainsFunc(c.Premises(), func(p premise.Premise) bool { return p.Open() }):
		return cli.ExitUndecided
	}
	return cli.ExitFree
}

// tellTrees writes a note about sphere trees and hulls.
func tellTrees(ctx context.Context, w io.Writer, c *ccd.Checker) error {
	t, err := c.SelfTrees(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "note: %s\n", t)
	return nil
}
