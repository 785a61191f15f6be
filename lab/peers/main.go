// Command peers compares firstcontact with what users would pick instead: FCL
// and Bullet asked at samples along the segment. Both sides judge the same
// segments of the same scenes on one core, in turns, so that noise hits them
// alike, by the same clock.
//
//	make bench-peers                      # all sets, three rounds
//	go run -C lab ./peers -sets "g1 moves" -rounds 1 -json peers.json
//	go run -C lab ./peers -sets "clear panda,clear g1,clear pipes190k"   # distances
//	go run -C lab ./peers -before HEAD~1                 # an earlier build in the same rounds, too
//	go run -C lab ./peers -before HEAD~1 -alone -rounds 5  # what a change brought, without peers
//
// It needs the comparison harness and its corpus in the folder shared beside the
// checkout, and says so where they are not there. Samples prove nothing and miss
// contacts; the table counts how many. A contact that FCL finds in a segment, or at the
// start of one, that firstcontact calls free ends the program with an error, as do other
// differences about a start. FCL and Bullet enter in their faster forms, too, and what is
// known to be faster than both is named with its figures.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
)

type options struct {
	shared, command, harness string
	sets, json               string
	before                   string
	rounds, reps, limit      int
	markdown, alone          bool
	clock                    string // that both sides read; "": each that of the thread, and nothing is subtracted
	clocks                   clocks // that are subtracted
	preload                  string // a library that the harness is started with
}

func main() {
	var o options
	flag.StringVar(&o.shared, "shared", "../../shared", "folder that holds peers/, with the harness and its corpus")
	flag.StringVar(&o.command, "command", "../bin/firstcontact", "the command firstcontact")
	flag.StringVar(&o.harness, "harness", "", "the harness's binary; built in lab/peers/build where not given")
	flag.StringVar(&o.sets, "sets", "", "names of sets, with commas between (default all: "+strings.Join(setNames(), ", ")+")")
	flag.StringVar(&o.json, "json", "", "file to write all figures to as JSON")
	flag.BoolVar(&o.markdown, "markdown", false, "print the tables of lab/docs/measurements.md, too")
	flag.StringVar(&o.before, "before", "", "another build to stand beside, in the same rounds: a `revision` of this repository, or a command")
	flag.BoolVar(&o.alone, "alone", false, "leave out FCL and Bullet: only the two builds of -before")
	flag.StringVar(&o.clock, "clock", wallClock, "the clock that both sides read, wall or thread; what reading it takes is subtracted from each time")
	flag.IntVar(&o.rounds, "rounds", 3, "how often both sides run on each set")
	flag.IntVar(&o.reps, "reps", 3, "repetitions of each check in a round, of which the fastest counts")
	flag.IntVar(&o.limit, "limit", 0, "only the first N segments of a set (0: all)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := o.run(ctx, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

func setNames() []string {
	var names []string
	for _, s := range sets {
		names = append(names, s.name)
	}
	for _, s := range clearSets {
		names = append(names, s.name)
	}
	return names
}

func (o *options) run(ctx context.Context, out, log io.Writer) error {
	corpus, err := corpusIn(o.shared)
	if err != nil {
		fmt.Fprintf(out, "skipped: %v (the folder shared belongs beside the checkout; -shared names another)\n", err)
		return nil
	}
	chosen, clearances, err := o.choose(corpus)
	if err != nil {
		return err
	}
	if o.alone {
		if o.json != "" || o.markdown || len(chosen) == 0 {
			return errOnlyText
		}
		return o.compareBuilds(ctx, out, log, chosen)
	}
	if o.harness == "" {
		if o.harness, err = buildHarness(ctx, o.shared); err != nil {
			return err
		}
	}
	before, done, err := o.prepareBefore(ctx)
	if err != nil {
		return err
	}
	defer done()
	if err := o.takeClock(ctx, log, before); err != nil {
		return err
	}
	var all []*outcome
	var refuted, disputed, contradicted []string
	for _, s := range chosen {
		r, err := o.compare(ctx, log, s, before)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		r.writeTable(out)
		all, refuted, disputed = append(all, r), append(refuted, r.refuted()...), append(disputed, r.disputed()...)
		contradicted = append(contradicted, r.contradicted()...)
	}
	var clear []*clearOutcome
	for _, s := range clearances {
		r, err := o.clear(ctx, log, corpus, s)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		clear = append(clear, r)
	}
	if len(all) > 0 {
		writeRatios(out, all)
	}
	if before != nil && len(all) > 0 {
		writeBefore(out, all, o.before)
	}
	writeClear(out, clear)
	if o.markdown && len(all) > 0 {
		writeMarkdown(out, all)
	}
	if len(all) > 0 {
		writeKnown(out, all)
	}
	if err := o.save(all, clear); err != nil {
		return err
	}
	return errors.Join(complaint("a proof is refuted", refuted), complaint("static checks disagree", disputed), complaint("the earlier build answers otherwise", contradicted))
}

func complaint(what string, cases []string) error {
	if len(cases) == 0 {
		return nil
	}
	return fmt.Errorf("%s:\n%s", what, strings.Join(cases, "\n"))
}

// save writes the figures where they are asked for.
func (o *options) save(all []*outcome, clear []*clearOutcome) error {
	if o.json == "" {
		return nil
	}
	rec := newRecord(o, all)
	for _, r := range clear {
		rec.Clearances = append(rec.Clearances, newClearRecord(r))
	}
	data, err := json.MarshalIndent(rec, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(o.json, append(data, '\n'), 0o644)
}

// choose returns the sets that were asked for.
func (o *options) choose(corpus string) ([]set, []clearSet, error) {
	if o.rounds < 1 || o.reps < 1 || o.limit < 0 {
		return nil, nil, fmt.Errorf("-rounds %d, -reps %d, -limit %d: give 1 or more, and 0 or more", o.rounds, o.reps, o.limit)
	}
	all := inFolder(corpus)
	if o.sets == "" {
		return all, clearSets, nil
	}
	var chosen []set
	var clearances []clearSet
	for _, name := range strings.Split(o.sets, ",") {
		name = strings.TrimSpace(name)
		i := slices.IndexFunc(all, func(s set) bool { return s.name == name })
		k := slices.IndexFunc(clearSets, func(s clearSet) bool { return s.name == name })
		switch {
		case i >= 0:
			chosen = append(chosen, all[i])
		case k >= 0:
			clearances = append(clearances, clearSets[k])
		default:
			return nil, nil, fmt.Errorf("there is no set %q: known are %s", name, strings.Join(setNames(), ", "))
		}
	}
	return chosen, clearances, nil
}

// compareBuilds runs two builds of firstcontact on the sets, without peers.
func (o *options) compareBuilds(ctx context.Context, out, log io.Writer, chosen []set) error {
	before, done, err := o.prepareBefore(ctx)
	if err != nil {
		return err
	}
	defer done()
	if before == nil {
		return errAlone
	}
	if err := o.takeClock(ctx, log, before); err != nil {
		return err
	}
	var all []*outcome
	var contradicted []string
	for _, s := range chosen {
		r, err := o.compare(ctx, log, s, before)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		all, contradicted = append(all, r), append(contradicted, r.contradicted()...)
	}
	writeBefore(out, all, o.before)
	return complaint("the earlier build answers otherwise", contradicted)
}

// compare runs both sides, and another build if there is one, on a set; the one that begins changes from round to
// round.
func (o *options) compare(ctx context.Context, log io.Writer, s set, before *earlier) (*outcome, error) {
	s, done, err := shortened(s, o.limit)
	if err != nil {
		return nil, err
	}
	defer done()
	starts, tidy, err := aboutStarts(s)
	if err != nil {
		return nil, err
	}
	defer tidy()
	r := &outcome{set: s.name, methods: methods()}
	if o.alone {
		r.methods = ourMethods
	}
	if before != nil {
		r.methods = slices.Concat(r.methods, before.columns())
	}
	for i := range o.rounds {
		fmt.Fprintf(log, "%s: round %d of %d\n", s.name, i+1, o.rounds)
		round := columns{}
		var sides []func() error
		if !o.alone {
			sides = append(sides,
				func() error { return o.runFCL(ctx, s, round) },
				func() error { return o.runStatic(ctx, starts, round) })
		}
		if before != nil {
			sides = append(sides,
				func() error { return o.runBefore(ctx, before, s, round) },
				func() error { return o.runNow(ctx, before, s, round) })
		}
		sides = append(sides, func() error { return o.runOurs(ctx, s, round) })
		if i%2 == 1 {
			slices.Reverse(sides)
		}
		if i == 0 && !o.alone {
			sides = append(sides, func() error { return o.runBullet(ctx, s, round) })
		}
		for _, side := range sides {
			if err := side(); err != nil {
				return nil, err
			}
		}
		r.rounds = append(r.rounds, round)
	}
	return r, r.check()
}

// shortened returns the set with its first n segments alone, in a file that done
// removes.
func shortened(s set, n int) (short set, done func(), err error) {
	if n == 0 {
		return s, func() {}, nil
	}
	data, err := os.ReadFile(s.segments)
	if err != nil {
		return s, nil, err
	}
	var lines []string
	for _, line := range strings.Split(string(data), "\n") {
		if strings.HasPrefix(line, "seg ") && len(lines) < n {
			lines = append(lines, line)
		}
	}
	f, err := os.CreateTemp("", "peers*.segs")
	if err != nil {
		return s, nil, err
	}
	defer f.Close()
	s.segments = f.Name()
	_, err = f.WriteString(strings.Join(lines, "\n") + "\n")
	return s, func() { os.Remove(f.Name()) }, err
}
