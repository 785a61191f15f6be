package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/motion"
)

const aboutDistance = `Tell how close the robot is to itself and to the world at one configuration.

Joints that --state does not name stand at their default: the SRDF's group
state, else the middle of the range where 0 is outside it, else 0.

The exit status is 1 where a pair touches, 2 where one is closer than
--clearance, else 0.`

type distanceFlags struct {
	modelFlags
	json            bool
	top             int
	max, clearance  float64
	noSelf, noWorld bool
}

func distanceCommand(io streams) *cobra.Command {
	var f distanceFlags
	cmd := &cobra.Command{
		Use:   "distance --robot R.urdf [flags]",
		Short: "Closest pairs at one configuration",
		Long:  aboutDistance,
		Example: `  firstcontact distance --robot arm.urdf --srdf arm.srdf --state home --top 5
  firstcontact distance --robot arm.urdf --scene cell.yaml --state elbow=1.2,wrist=-0.3 --json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{fmt.Errorf("distance takes no arguments (%q): give positions with --state", args[0]), cmd.CommandPath()}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd.Context(), io) },
	}
	f.add(cmd)
	fs := cmd.Flags()
	fs.BoolVar(&f.json, "json", false, "print one JSON object")
	fs.IntVar(&f.top, "top", 5, "how many of the closest pairs of bodies to list (-1: all)")
	fs.Float64Var(&f.max, "max", 0, "leave out pairs farther apart than this many `metres` (0: none)")
	fs.Float64Var(&f.clearance, "clearance", 0, "`metres` that pairs should be apart, for the exit status")
	fs.BoolVar(&f.noSelf, "no-self", false, "leave out the robot against itself")
	fs.BoolVar(&f.noWorld, "no-world", false, "leave out the robot against the world")
	return cmd
}

func (f *distanceFlags) run(ctx context.Context, io streams) error {
	if f.top == 0 || f.max < 0 || f.clearance < 0 || math.IsNaN(f.max+f.clearance) {
		return usageError{fmt.Errorf("--top must not be 0, --max and --clearance not negative"), "firstcontact distance"}
	}
	robot, err := f.load()
	if err != nil {
		return err
	}
	world, err := f.loadScene()
	if err != nil {
		return err
	}
	opts, err := f.options(robot)
	if err != nil {
		return err
	}
	c, err := ccd.New(robot, world, opts)
	if err != nil {
		return err
	}
	f.tellModel(io.err, c)
	d, err := c.Distance(ctx, nil, ccd.DistanceQuery{K: f.top, Max: f.max, NoSelf: f.noSelf, NoWorld: f.noWorld})
	if err != nil {
		return internalError{err}
	}
	for i := range d.Pairs {
		c.Features(&d.Pairs[i].Witness)
	}
	if f.json {
		err = f.writeJSON(io, c, &d)
	} else {
		f.writeText(io, &d)
	}
	if err != nil {
		return internalError{err}
	}
	return f.judge(&d)
}

// judge turns the closest distance into an exit status. A pair that cannot be
// told from touching counts as touching.
func (f *distanceFlags) judge(d *ccd.Distances) error {
	switch closest := math.Min(d.Self.Lo, d.World.Lo); {
	case closest <= 0:
		return outcome(exitContact)
	case closest <= f.clearance:
		return outcome(exitClearance)
	}
	return nil
}

type pairResult struct {
	Pair  [2]string `json:"pair"`
	Scope string    `json:"scope"`
	Lower float64   `json:"lower"`
	Upper float64   `json:"upper"`
	witness
}

func (f *distanceFlags) writeJSON(io streams, c *ccd.Checker, d *ccd.Distances) error {
	out := struct {
		Self         *[2]float64        `json:"self"`
		World        *[2]float64        `json:"world"`
		Pairs        []pairResult       `json:"pairs"`
		AssumedPairs int                `json:"assumed_pairs"`
		State        map[string]float64 `json:"state"`
	}{Self: bounds(d.Self), World: bounds(d.World), Pairs: []pairResult{}, AssumedPairs: len(c.AssumedPairs()), State: c.State()}
	for i := range d.Pairs {
		p := &d.Pairs[i]
		out.Pairs = append(out.Pairs, pairResult{
			Pair: *namesOf(p.Pair), Scope: scopeOf(p.Pair), Lower: p.Bounds.Lo, Upper: p.Bounds.Hi,
			witness: *newWitness(&p.Witness),
		})
	}
	return json.NewEncoder(io.out).Encode(out)
}

// bounds returns an interval for JSON, which has no infinities: null where there
// is no pair within reach.
func bounds(i motion.Interval) *[2]float64 {
	if math.IsInf(i.Hi, 0) {
		return nil
	}
	return &[2]float64{i.Lo, i.Hi}
}

func (f *distanceFlags) writeText(io streams, d *ccd.Distances) {
	if len(d.Pairs) == 0 {
		fmt.Fprintln(io.out, "no pair is checked, or none is within --max")
	}
	for i := range d.Pairs {
		p := &d.Pairs[i]
		names := fmt.Sprintf("%s and %s", p.Pair.A.Name, p.Pair.B.Name)
		apart := "touch"
		if p.Bounds.Lo > 0 {
			apart = metres(p.Bounds.Hi) + " apart"
		} else if p.Bounds.Hi > 0 {
			apart = "within " + metres(p.Bounds.Hi) + ", perhaps touching"
		}
		fmt.Fprintf(io.out, "%-5s %-50s %s\n", scopeOf(p.Pair), names, apart)
		fmt.Fprintf(io.out, "      at (%.4f %.4f %.4f) and (%.4f %.4f %.4f) m\n",
			p.PointA.X, p.PointA.Y, p.PointA.Z, p.PointB.X, p.PointB.Y, p.PointB.Z)
		if what := p.Features(); what != "" {
			fmt.Fprintf(io.out, "      %s\n", what)
		}
	}
}
