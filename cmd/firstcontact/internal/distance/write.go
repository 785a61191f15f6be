package distance

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/answer"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/input"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/premise"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// pairResult is the distance of a pair of bodies.
type pairResult struct {
	// The two bodies: links or objects.
	Pair [2]string `json:"pair"`
	// Whether the pair is of the robot itself or of robot and world.
	Scope string `json:"scope" jsonschema:"enum=self,enum=world"`
	// m: they are no closer.
	Lower float64 `json:"lower"`
	// m: they are no farther apart.
	Upper float64 `json:"upper"`
	answer.Witness
	// m: the first point in the frame of its link.
	OnA [3]float64 `json:"on_a"`
	// m: the second point in the frame of its link.
	OnB [3]float64 `json:"on_b"`
}

// Result is the answer about one configuration.
type Result struct {
	answer.Head
	// free, contact (a pair touches), clearance (a pair is closer than --clearance, --min or its
	// --margin), or undecided (the input has a gap that is not accepted).
	Status string `json:"status" jsonschema:"enum=free,enum=contact,enum=clearance,enum=undecided"`
	// The SRDF's group whose pairs are measured; absent if all are.
	Group string `json:"group,omitempty"`
	// m: bounds of the smallest distance of the robot's own pairs; null if none is in reach.
	Self *[2]float64 `json:"self" jsonschema:"nullable"`
	// m: bounds of the smallest distance between robot and world; null if no pair is in reach.
	World *[2]float64 `json:"world" jsonschema:"nullable"`
	// m: bounds of the smallest distance of attached objects; null if none is in reach.
	Attached *[2]float64 `json:"attached" jsonschema:"nullable"`
	// A pair is closer than allowed, which ended the search: others may be closer.
	Stopped bool `json:"stopped"`
	// m: bounds may differ by this much whatever the tolerance.
	Rounding float64 `json:"rounding"`
	// The closest pairs, the closest first.
	Pairs []pairResult `json:"pairs"`
	// What the answer is about.
	Inputs input.Inputs `json:"inputs"`
	// What is probably not what was meant.
	Warnings []answer.Warning `json:"warnings"`
	// Number of pairs of bodies that are left out as allowed.
	AssumedPairs int `json:"assumed_pairs"`
	// Joints beyond their limits.
	BeyondLimits []input.Beyond `json:"beyond_limits,omitempty"`
	// What the answer rests on.
	Premises []premise.Premise `json:"premises"`
	// rad or m, by joint: the configuration.
	State map[string]float64 `json:"state"`
}

func (f *flags) newResult(c *ccd.Checker, d *motion.Distances, group string) *Result {
	state := c.State()
	out := &Result{
		Head: answer.HeadOf("distance"), Status: f.status(c, d).String(), Group: group, State: state, BeyondLimits: input.BeyondLimits(c.Robot(), state),
		Inputs: f.Inputs(c.Robot(), c.World(), nil, ""), Warnings: input.Warnings(c.Robot(), c.World()),
		Self: bounds(d.Self), World: bounds(d.World), Attached: bounds(d.Attached), Stopped: d.Stopped, Rounding: d.Rounding,
		Pairs: []pairResult{}, AssumedPairs: len(c.Pairs().Assumed), Premises: c.Premises(),
	}
	for i := range d.Pairs {
		p := &d.Pairs[i]
		out.Pairs = append(out.Pairs, pairResult{
			Pair: *answer.NamesOf(p.Pair), Scope: answer.ScopeOf(p.Pair), Lower: p.Bounds.Lo, Upper: p.Bounds.Hi,
			Witness: *answer.NewWitness(&p.Witness), OnA: answer.Triple(p.OnA), OnB: answer.Triple(p.OnB),
		})
	}
	return out
}

func (f *flags) writeJSON(out io.Writer, c *ccd.Checker, d *motion.Distances) error {
	return answer.Encode(out, f.newResult(c, d, f.group))
}

// bounds returns an interval for JSON, which has no infinities: nil if there is no pair within
// reach.
func bounds(i motion.Interval) *[2]float64 {
	if math.IsInf(i.Hi, 0) {
		return nil
	}
	return &[2]float64{i.Lo, i.Hi}
}

// writeText prints a table of the pairs, followed by a summary.
func (f *flags) writeText(out io.Writer, c *ccd.Checker, d *motion.Distances) error {
	if len(d.Pairs) == 0 {
		_, err := fmt.Fprintf(out, "no pair is within --max\n%s", f.footer(c, d))
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "\tdistance\tpair\tfrom (m, %s)\tto\twhat is close\n", f.frame)
	for i := range d.Pairs {
		p := &d.Pairs[i]
		a, b := p.PointA, p.PointB
		if f.frame == "link" {
			a, b = p.OnA, p.OnB
		}
		distance := apart(p.Bounds)
		if d.Stopped && p.Bounds.Hi > 0 {
			distance = "at most " + answer.Metres(p.Bounds.Hi)
		}
		fmt.Fprintf(w, "%s\t%s\t%s, %s\t%s\t%s\t%s\n", classOf(p.Pair), distance, p.Pair.A.Name, p.Pair.B.Name, coordinates(a), coordinates(b), p.Features())
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := io.WriteString(out, f.footer(c, d))
	return err
}

// footer prints the smallest distances with the status, and below what they rest on.
func (f *flags) footer(c *ccd.Checker, d *motion.Distances) string {
	var b strings.Builder
	status := f.status(c, d)
	fmt.Fprintf(&b, "%s; %s, exit status %d\n", summary(d), strings.ToUpper(status.String()), int(status))
	f.writeRests(&b, c)
	return b.String()
}

// writeRests writes what the answer rests on: where the joints are, and what is assumed.
func (f *flags) writeRests(b *strings.Builder, c *ccd.Checker) {
	state := c.State()
	for _, j := range input.BeyondLimits(c.Robot(), state) {
		fmt.Fprintf(b, "    beyond its limits, measured as given: %s\n", j)
	}
	if rest := f.byDefault(c.Robot(), state); rest != "" {
		fmt.Fprintf(b, "    at their default, because --state does not name them: %s\n", rest)
	}
	if n := len(c.Pairs().Assumed); n > 0 {
		fmt.Fprintf(b, "    %d pairs of bodies assumed to be allowed (--json lists them)\n", n)
	}
}

// byDefault lists the joints that --state does not name.
func (f *flags) byDefault(robot *urdf.Robot, state map[string]float64) string {
	given := map[string]float64{}
	for _, s := range f.State {
		_ = input.AddState(given, robot, s) // it has been read before
	}
	var rest []string
	for _, joint := range slices.Sorted(maps.Keys(state)) {
		if _, named := given[joint]; !named {
			rest = append(rest, fmt.Sprintf("%s %.4g", joint, state[joint]))
		}
	}
	return answer.Counted(rest)
}

func coordinates(v geom.Vec) string {
	for _, x := range [...]*float64{&v.X, &v.Y, &v.Z} {
		if math.Abs(*x) < 5e-5 {
			*x = 0 // not "-0.0000"
		}
	}
	return fmt.Sprintf("%.4f %.4f %.4f", v.X, v.Y, v.Z)
}

// classOf returns the class of a pair, as --class names it.
func classOf(p motion.Pair) string {
	if p.World() {
		return "scene"
	}
	return "self"
}

// apart formats a distance: as one number if its bounds nearly agree.
func apart(b motion.Interval) string {
	switch {
	case b.Hi <= 0:
		return "touch"
	case b.Lo <= 0:
		return answer.Metres(b.Hi) + " or touch"
	case b.Hi-b.Lo <= 1e-9 || answer.Metres(b.Lo) == answer.Metres(b.Hi):
		return answer.Metres(b.Hi)
	}
	return answer.Metres(b.Lo) + " to " + answer.Metres(b.Hi)
}

// summary reports the smallest distance of each class.
func summary(d *motion.Distances) string {
	if d.Stopped {
		return "stopped at the first pair that is closer than allowed: there may be closer ones"
	}
	text := "closest:"
	for i, c := range []struct {
		name string
		motion.Interval
	}{{"self", d.Self}, {"scene", d.World}, {"attached", d.Attached}} {
		if i > 0 {
			text += ","
		}
		text += " " + c.name + " " + closestOf(c.Interval)
	}
	return text
}

func closestOf(i motion.Interval) string {
	switch {
	case math.IsInf(i.Lo, 1):
		return "none"
	case math.IsInf(i.Hi, 1):
		return "beyond " + answer.Metres(i.Lo)
	}
	return apart(i)
}

// runGroups prints one line for each group of the SRDF.
func (f *flags) runGroups(ctx context.Context, std cli.Streams, c *ccd.Checker) error {
	semantic := c.Robot().Semantic
	if semantic == nil || len(semantic.Groups) == 0 {
		return fmt.Errorf("--groups: there is no SRDF with groups: give one with --srdf")
	}
	worst, measured := cli.ExitFree, false
	var results []*Result
	w := tabwriter.NewWriter(std.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "group\tself\tscene\tattached\tclosest pair")
	for _, g := range semantic.Groups {
		q := f.query(g.Name)
		if !f.json {
			q.K = 1
		}
		d, err := c.Distance(ctx, nil, q)
		if err != nil {
			return err
		}
		measured = measured || !nothing(&d)
		worst = cli.Worse(worst, int(f.status(c, &d)))
		pair := ""
		if len(d.Pairs) > 0 {
			pair = d.Pairs[0].Pair.A.Name + ", " + d.Pairs[0].Pair.B.Name
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", g.Name, closestOf(d.Self), closestOf(d.World), closestOf(d.Attached), pair)
		results = append(results, f.newResult(c, &d, g.Name))
	}
	if !measured {
		return f.errNothing()
	}
	show := func() error {
		fmt.Fprintf(w, "%s, exit status %d\n", strings.ToUpper(cli.Outcome(worst).String()), worst)
		if err := w.Flush(); err != nil {
			return err
		}
		var b strings.Builder
		f.writeRests(&b, c)
		_, err := io.WriteString(std.Out, b.String())
		return err
	}
	if f.json {
		show = func() error { return answer.Encode(std.Out, results) }
	}
	if err := show(); err != nil {
		return err
	}
	return f.finish(std, c, cli.Outcome(worst))
}
