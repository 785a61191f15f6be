package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/firstcontact-ros/firstcontact/internal/engine/corpus"
)

// Clearance at single configurations: the smallest distance of the robot to itself,
// or to the world, with two points that are that far apart. The peers look at the
// pairs by rising distance of their balls with the best distance so far as a bound
// (the harness's "ub"); Bullet takes the links' convex hulls for the links.

// clearSet is configurations of a scene, drawn by both sides with one generator.
type clearSet struct {
	name, scene string
	world       bool    // the robot to the world, else to itself
	shrink      float64 // the part of the joints' ranges, about their middles, that is drawn from
	count       int
	once        bool // no repetitions: FCL takes half a second for all pairs, which the harness measures first
	goals       []clearGoal
}

type clearGoal struct {
	backend string
	most    float64 // of its median that ours may be; 0: it is only shown
}

const clearSeed = 1

var clearSets = []clearSet{
	{"clear panda", "panda_shelf.scene", false, 0.9, 200, false, []clearGoal{{"bullet", 0.5}, {"fcl", 0}}},
	{"clear g1", "g1.scene", false, 0.3, 40, true, []clearGoal{{"fcl", 0.2}}},
	{"clear g1 wide", "g1.scene", false, 0.9, 40, true, []clearGoal{{"fcl", 0}}},
	{"clear pipes190k", "panda_pipes190k.scene", true, 0.9, 100, false, []clearGoal{{"fcl", 0.3}}},
}

// clearTimes are microseconds a configuration.
type clearTimes struct{ median, p90, mean float64 }

// clearOutcome is the rounds of a set: times by backend, and by "" for ours.
type clearOutcome struct {
	set       clearSet
	rounds    []map[string]clearTimes
	colliding map[string]float64 // parts
}

// clear runs both sides, the one that begins changing from round to round.
func (o *options) clear(ctx context.Context, log io.Writer, corpusFolder string, s clearSet) (*clearOutcome, error) {
	s.scene = filepath.Join(corpusFolder, s.scene)
	if o.limit > 0 {
		s.count = min(s.count, o.limit)
	}
	segments, err := s.write()
	if err != nil {
		return nil, err
	}
	defer os.Remove(segments)
	r := &clearOutcome{set: s, colliding: map[string]float64{}}
	for i := range o.rounds {
		fmt.Fprintf(log, "%s: round %d of %d\n", s.name, i+1, o.rounds)
		round := map[string]clearTimes{}
		sides := []func() error{
			func() error { return o.clearPeers(ctx, s, round, r.colliding) },
			func() error { return o.clearOurs(ctx, s, segments, round, r.colliding) },
		}
		if i%2 == 1 {
			slices.Reverse(sides)
		}
		for _, side := range sides {
			if err := side(); err != nil {
				return nil, err
			}
		}
		r.rounds = append(r.rounds, round)
	}
	return r, nil
}

func (o *options) repsOf(s clearSet) int {
	if s.once {
		return 1
	}
	return o.reps
}

// write puts the configurations into a file of segments that stay where they are.
func (s *clearSet) write() (string, error) {
	scene, err := corpus.Load(s.scene)
	if err != nil {
		return "", err
	}
	f, err := os.CreateTemp("", "clear*.segs")
	if err != nil {
		return "", err
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	draw := newTwister(clearSeed)
	for range s.count {
		var q []string
		for _, name := range scene.Joints {
			l := scene.Robot.Joints[scene.Robot.Joint(name)].Limit
			middle, half := (l.Lower+l.Upper)/2, (l.Upper-l.Lower)/2*s.shrink
			q = append(q, strconv.FormatFloat(draw.in(middle-half, middle+half), 'g', 17, 64))
		}
		at := strings.Join(q, " ")
		fmt.Fprintf(w, "seg %s %s\n", at, at)
	}
	return f.Name(), w.Flush()
}

// clearPeers has the harness measure every backend.
func (o *options) clearPeers(ctx context.Context, s clearSet, round map[string]clearTimes, colliding map[string]float64) error {
	leave := "--noenv"
	if s.world {
		leave = "--noself"
	}
	args := []string{"clear", s.scene, strconv.Itoa(s.count), strconv.FormatFloat(s.shrink, 'g', -1, 64), strconv.Itoa(clearSeed)}
	for _, g := range s.goals {
		args = append(args, g.backend)
	}
	out, err := o.peersOutput(ctx, o.harness, append(args, leave, "--reps="+strconv.Itoa(o.repsOf(s)))...)
	if err != nil {
		return err
	}
	return parseClear(out, s.world, round, colliding)
}

// parseClear reads the harness's lines of the part with a running bound:
//
//	BACKEND PART ub median_us M p90 P mean A ... colliding C% ...
func parseClear(out []byte, world bool, round map[string]clearTimes, colliding map[string]float64) error {
	part := map[bool]string{true: "env", false: "self"}[world]
	for line := range strings.Lines(string(out)) {
		w := strings.Fields(line)
		if len(w) < 3 || w[1] != part || w[2] != "ub" {
			continue
		}
		value := func(key string) (float64, error) {
			i := slices.Index(w, key)
			if i < 0 || i+1 >= len(w) {
				return 0, fmt.Errorf("the harness's line %q has no %s", line, key)
			}
			x, err := strconv.ParseFloat(strings.TrimSuffix(w[i+1], "%"), 64)
			if err != nil || !(x >= 0) {
				return 0, fmt.Errorf("the harness's line %q: %s is %q", line, key, w[i+1])
			}
			return x, nil
		}
		var x [4]float64
		for i, key := range []string{"median_us", "p90", "mean", "colliding"} {
			var err error
			if x[i], err = value(key); err != nil {
				return err
			}
		}
		round[w[0]], colliding[w[0]] = clearTimes{x[0], x[1], x[2]}, x[3]/100
	}
	if len(round) == 0 {
		return fmt.Errorf("the harness told of no distance: %s", bytes.TrimSpace(out))
	}
	return nil
}

// clearOurs has firstcontact measure the same configurations.
func (o *options) clearOurs(ctx context.Context, s clearSet, segments string, round map[string]clearTimes, colliding map[string]float64) error {
	method := map[bool]string{true: "world", false: "self"}[s.world]
	out, err := output(ctx, o.command, "bench", s.scene, segments, "--json", "--dump", "--method", method, "--truth", method, "--reps", strconv.Itoa(o.repsOf(s)))
	if err != nil {
		return err
	}
	c := columns{}
	if err := parseDump(out, c); err != nil {
		return err
	}
	if len(c[method]) != s.count {
		return fmt.Errorf("firstcontact told of %d configurations of %d", len(c[method]), s.count)
	}
	var us []float64
	touch := 0
	for _, a := range c[method] {
		us = append(us, a.us)
		if a.status == contact {
			touch++
		}
	}
	slices.Sort(us)
	round[""], colliding[""] = clearTimes{quantile(us, 0.5), quantile(us, 0.9), mean(us)}, float64(touch)/float64(s.count)
	return nil
}

// ratio compares medians within each round.
func (r *clearOutcome) ratio(backend string) spread {
	var x []float64
	for _, round := range r.rounds {
		x = append(x, round[""].median/round[backend].median)
	}
	slices.Sort(x)
	return spread{quantile(x, 0.5), x[0], x[len(x)-1]}
}

func (r *clearOutcome) times(backend string) clearTimes {
	over := func(f func(clearTimes) float64) float64 {
		var x []float64
		for _, round := range r.rounds {
			x = append(x, f(round[backend]))
		}
		slices.Sort(x)
		return quantile(x, 0.5)
	}
	return clearTimes{
		over(func(t clearTimes) float64 { return t.median }),
		over(func(t clearTimes) float64 { return t.p90 }),
		over(func(t clearTimes) float64 { return t.mean }),
	}
}

// writeClear prints both sides' times and the ratios.
func writeClear(out io.Writer, all []*clearOutcome) {
	if len(all) == 0 {
		return
	}
	fmt.Fprintf(out, "\nclearance with witness at random configurations, running bound; thread CPU microseconds, medians of %d rounds\n", len(all[0].rounds))
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "set\tconfigurations\tmethod\ttouching\tmedian\tp90\tmean\tours / theirs\t(least to largest)\twanted\t\t")
	for _, r := range all {
		t := r.times("")
		fmt.Fprintf(w, "%s\t%d\tfirstcontact\t%.0f%%\t%.1f\t%.1f\t%.1f\t\t\t\t\t\n", r.set.name, r.set.count, 100*r.colliding[""], t.median, t.p90, t.mean)
		for _, g := range r.set.goals {
			t, x := r.times(g.backend), r.ratio(g.backend)
			wanted, met := "", ""
			if g.most > 0 {
				wanted, met = fmt.Sprintf("<= %.1f", g.most), "met"
				if !(x.Median <= g.most) { // NaN is not met
					met = "NOT MET"
				}
			}
			fmt.Fprintf(w, "\t\t%s\t%.0f%%\t%.1f\t%.1f\t%.1f\t%.3f\t(%.3f to %.3f)\t%s\t%s\t\n",
				g.backend, 100*r.colliding[g.backend], t.median, t.p90, t.mean, x.Median, x.Least, x.Largest, wanted, met)
		}
	}
	w.Flush()
}

// clearRecord is a set's figures for -json.
type clearRecord struct {
	Set            string              `json:"set"`
	Configurations int                 `json:"configurations"`
	Methods        []clearMethodRecord `json:"methods"`
}

type clearMethodRecord struct {
	Method    string   `json:"method"`
	Touching  float64  `json:"touching"`
	Median    *float64 `json:"median_us"`
	P90       *float64 `json:"p90_us"`
	Mean      *float64 `json:"mean_us"`
	OursOver  *float64 `json:"ours_over_this,omitempty"`
	WantedMax float64  `json:"wanted_at_most,omitempty"`
}

func newClearRecord(r *clearOutcome) clearRecord {
	rec := clearRecord{Set: r.set.name, Configurations: r.set.count}
	row := func(name, backend string, most float64) {
		t := r.times(backend)
		m := clearMethodRecord{Method: name, Touching: r.colliding[backend], Median: number(t.median), P90: number(t.p90), Mean: number(t.mean), WantedMax: most}
		if backend != "" {
			m.OursOver = number(r.ratio(backend).Median)
		}
		rec.Methods = append(rec.Methods, m)
	}
	row("firstcontact", "", 0)
	for _, g := range r.set.goals {
		row(g.backend, g.backend, g.most)
	}
	return rec
}
