package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/premise"
)

type pairResult struct {
	Pair  [2]string `json:"pair"`
	Scope string    `json:"scope"`
	Lower float64   `json:"lower"`
	Upper float64   `json:"upper"`
	witness
	OnA [3]float64 `json:"on_a"`
	OnB [3]float64 `json:"on_b"`
}

type distanceResult struct {
	Group        string             `json:"group,omitempty"`
	Self         *[2]float64        `json:"self"`
	World        *[2]float64        `json:"world"`
	Attached     *[2]float64        `json:"attached"`
	Stopped      bool               `json:"stopped"`
	Rounding     float64            `json:"rounding"` // m: bounds may differ by this much whatever the tolerance
	Pairs        []pairResult       `json:"pairs"`
	AssumedPairs int                `json:"assumed_pairs"`
	Premises     []premise.Premise  `json:"premises"` // premises of the answer
	State        map[string]float64 `json:"state,omitempty"`
}

func newDistanceResult(c *ccd.Checker, d *motion.Distances) *distanceResult {
	out := &distanceResult{
		Self: bounds(d.Self), World: bounds(d.World), Attached: bounds(d.Attached), Stopped: d.Stopped, Rounding: d.Rounding,
		Pairs: []pairResult{}, AssumedPairs: len(c.Pairs().Assumed), Premises: c.Premises(),
	}
	for i := range d.Pairs {
		p := &d.Pairs[i]
		out.Pairs = append(out.Pairs, pairResult{
			Pair: *namesOf(p.Pair), Scope: scopeOf(p.Pair), Lower: p.Bounds.Lo, Upper: p.Bounds.Hi,
			witness: *newWitness(&p.Witness), OnA: triple(p.OnA), OnB: triple(p.OnB),
		})
	}
	return out
}

func (f *distanceFlags) writeJSON(out io.Writer, c *ccd.Checker, d *motion.Distances) error {
	r := newDistanceResult(c, d)
	r.Group, r.State = f.group, c.State()
	return json.NewEncoder(out).Encode(r)
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
func (f *distanceFlags) writeText(out io.Writer, _ *ccd.Checker, d *motion.Distances) error {
	if len(d.Pairs) == 0 {
		_, err := fmt.Fprintln(out, "no pair is checked, or none is within --max")
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
			distance = "at most " + metres(p.Bounds.Hi)
		}
		fmt.Fprintf(w, "%s\t%s\t%s, %s\t%s\t%s\t%s\n", classOf(p.Pair), distance, p.Pair.A.Name, p.Pair.B.Name, coordinates(a), coordinates(b), p.Features())
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(out, summary(d))
	return err
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
		return metres(b.Hi) + " or touch"
	case b.Hi-b.Lo <= 1e-9 || metres(b.Lo) == metres(b.Hi):
		return metres(b.Hi)
	}
	return metres(b.Lo) + " to " + metres(b.Hi)
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
		return "beyond " + metres(i.Lo)
	}
	return apart(i)
}

// runGroups prints one line for each group of the SRDF.
func (f *distanceFlags) runGroups(ctx context.Context, io streams, c *ccd.Checker) error {
	semantic := c.Robot().Semantic
	if semantic == nil || len(semantic.Groups) == 0 {
		return fmt.Errorf("--groups: there is no SRDF with groups: give one with --srdf")
	}
	var worst error
	var results []*distanceResult
	w := tabwriter.NewWriter(io.out, 0, 0, 2, ' ', 0)
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
		if status := f.judge(&d); worst == nil || status == outcome(exitContact) {
			worst = status
		}
		pair := ""
		if len(d.Pairs) > 0 {
			pair = d.Pairs[0].Pair.A.Name + ", " + d.Pairs[0].Pair.B.Name
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", g.Name, closestOf(d.Self), closestOf(d.World), closestOf(d.Attached), pair)
		r := newDistanceResult(c, &d)
		r.Group = g.Name
		results = append(results, r)
	}
	flush := w.Flush
	if f.json {
		flush = func() error { return json.NewEncoder(io.out).Encode(results) }
	}
	if err := flush(); err != nil {
		return internalError{err}
	}
	return f.covered(io, c, worst)
}
