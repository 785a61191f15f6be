// Command mutation breaks the code that proofs rest on, one small change at a
// time, and looks whether a test fails.
//
//	go run ./mutation -sample 200          # generic mutants of the trusted files
//	go run ./mutation -entries             # the list of semantic changes
//	go run ./mutation -only kin/bounds.go  # all mutants of some files
//	go run ./mutation -list                # what there is, without trying it
//
// Each change is made in an overlay (go help build, -overlay): no file of the
// working tree is touched.
//
// The page docs/mutations.md of the lab tells how to read the result.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

type options struct {
	root    string
	only    string
	sample  int
	seed    uint64
	jobs    int
	budget  time.Duration
	quick   bool
	list    bool
	entries bool
	limits
}

func main() {
	var o options
	flag.StringVar(&o.root, "root", "..", "the module's `folder`")
	flag.StringVar(&o.only, "only", "", "mutants whose \"FILE:FUNCTION: OPERATOR\" matches the `expression`; of -entries, whose name does")
	flag.IntVar(&o.sample, "sample", 0, "try at most `N` mutants, the same ones each time; 0 for all")
	flag.Uint64Var(&o.seed, "seed", 1, "choose another sample")
	flag.IntVar(&o.jobs, "jobs", max(1, runtime.NumCPU()/2), "try so many at once")
	flag.DurationVar(&o.budget, "budget", 0, "begin no mutant after so `long`; 0 for no limit")
	flag.BoolVar(&o.quick, "quick", false, "run the tests of the changed package only")
	flag.BoolVar(&o.list, "list", false, "list the mutants and try none")
	flag.BoolVar(&o.entries, "entries", false, "try the semantic entries in place of generic mutants")
	flag.DurationVar(&o.cpu, "cpu", 2*time.Minute, "processor time that a test binary may take")
	flag.DurationVar(&o.wall, "wall", 10*time.Minute, "time that the tests of a package may take")
	flag.IntVar(&o.memory, "memory", 8<<10, "virtual memory (MiB) that a process may take")
	flag.Parse()
	left, err := o.run(os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutation:", err)
		os.Exit(2)
	}
	if left > 0 {
		os.Exit(1)
	}
}

// run tries what is asked for and returns how many mutants survived.
func (o *options) run(w io.Writer) (int, error) {
	root, err := filepath.Abs(o.root)
	if err != nil {
		return 0, err
	}
	only, err := regexp.Compile(o.only)
	if err != nil {
		return 0, err
	}
	c := &campaign{options: o, w: w, only: only}
	if o.entries {
		return c.tryEntries(root)
	}
	return c.tryGeneric(root)
}

// campaign is one run of the command.
type campaign struct {
	*options
	w      io.Writer
	only   *regexp.Regexp
	strict bool // what does not compile is an error
}

func (c *campaign) tryGeneric(root string) (int, error) {
	m, err := openModule(root, trustedDirs())
	if err != nil {
		return 0, err
	}
	all, err := c.generic(m)
	if err != nil {
		return 0, err
	}
	fmt.Fprintf(c.w, "%d generic mutants\n", len(all))
	slices.SortFunc(all, func(a, b *attempt) int { return cmp.Compare(a.rank(c.seed), b.rank(c.seed)) })
	if c.list {
		c.listAll(all)
		return 0, nil
	}
	t := newTrial(m, c.limits)
	total := len(all)
	all = slices.DeleteFunc(all, func(a *attempt) bool { return a.harmless() != "" })
	fmt.Fprintf(c.w, "%d are known to be harmless and not tried\n", total-len(all))
	if all = choose(all, c.sample); len(all) == 0 {
		return 0, errors.New("no mutant is chosen")
	}
	var judges []string
	for _, a := range all {
		judges = append(judges, a.judges...)
	}
	if err := t.prepare(judges); err != nil {
		return 0, err
	}
	closeAll, err := makeBatches(t, all)
	if err != nil {
		return 0, err
	}
	defer closeAll()
	return c.try(t, all), nil
}

// choose returns the first n mutants that compile; all of them where n is 0.
func choose(all []*attempt, n int) []*attempt {
	var chosen []*attempt
	for _, a := range all {
		if n > 0 && len(chosen) == n {
			break
		}
		if a.changed() != nil {
			chosen = append(chosen, a)
		}
	}
	return chosen
}

// makeBatches puts the mutants of each package into one batch, where that saves
// compiling.
func makeBatches(t *trial, all []*attempt) (closeAll func(), err error) {
	byPackage := make(map[*pkg][]*attempt)
	for _, a := range all {
		if canBatch(a.mutant) {
			byPackage[a.pkg] = append(byPackage[a.pkg], a)
		}
	}
	var made []*batch
	closeAll = func() {
		for _, b := range made {
			b.close()
		}
	}
	for p, as := range byPackage {
		var ms []*mutant
		for _, a := range as {
			ms = append(ms, a.mutant)
		}
		b, err := newBatch(t, p, ms)
		if err != nil {
			closeAll()
			return nil, err
		}
		made = append(made, b)
		for i, a := range as {
			a.batch, a.number = b, i+1
		}
	}
	return closeAll, nil
}

// generic returns the generic mutants of the trusted files.
func (c *campaign) generic(m *module) ([]*attempt, error) {
	var all []*attempt
	for _, tf := range trusted {
		dir, name := filepath.ToSlash(filepath.Dir(tf.path)), filepath.Base(tf.path)
		f := m.loaded[dir].files[name]
		if f == nil {
			return nil, fmt.Errorf("%s: no such file is compiled here", tf.path)
		}
		judges := tf.judges
		if c.quick {
			judges = slices.DeleteFunc(slices.Clone(judges), func(j string) bool { d, _ := splitJudge(j); return d != dir })
		}
		for _, mu := range generate(m.loaded[dir], f) {
			if c.only.MatchString(tf.path + ":" + mu.fn + ": " + mu.op) {
				all = append(all, &attempt{mutant: mu, judges: judges})
			}
		}
	}
	return all, nil
}

func (c *campaign) listAll(all []*attempt) {
	slices.SortStableFunc(all, func(a, b *attempt) int {
		return cmp.Or(cmp.Compare(a.file.path, b.file.path), cmp.Compare(a.line, b.line))
	})
	files, ops := make(map[string]int), make(map[string]int)
	for _, a := range all {
		fmt.Fprintf(c.w, "%s:%d: %s %s: %s => %s\n", a.file.path, a.line, a.id(), a.op, squeeze(a.old()), squeeze(a.with))
		files[a.file.path]++
		ops[a.op]++
	}
	writeCounts(c.w, files)
	writeCounts(c.w, ops)
}

// attempt is a mutant with those who judge it.
type attempt struct {
	*mutant
	entry  string // the name of an entry, or ""
	judges []string
	batch  *batch // or nil
	number int    // in it
	verdict
}

func (a *attempt) try(t *trial) verdict {
	if a.batch != nil {
		return a.batch.try(a.number, a.mutant, a.judges)
	}
	return t.try(a.mutant, a.judges)
}

// try tries mutants in their order, several at once, until there are enough.
func (c *campaign) try(t *trial, all []*attempt) int {
	var (
		mu      sync.Mutex
		next    int
		done    []*attempt
		started = time.Now()
		wait    sync.WaitGroup
	)
	take := func() *attempt {
		mu.Lock()
		defer mu.Unlock()
		if next == len(all) || c.budget > 0 && time.Since(started) > c.budget {
			return nil
		}
		next++
		return all[next-1]
	}
	for range c.jobs {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for a := take(); a != nil; a = take() {
				a.verdict = a.try(t)
				mu.Lock()
				if c.strict || a.end != malformed {
					done = append(done, a)
					c.say(a)
				}
				mu.Unlock()
			}
		}()
	}
	wait.Wait()
	return c.summary(done, time.Since(started))
}

// say reports a mutant that no test noticed.
func (c *campaign) say(a *attempt) {
	switch a.end {
	case survived:
	case malformed:
		fmt.Fprintf(c.w, "%s %s:%d: %s\n%s\n", a.end, a.file.path, a.line, cmp.Or(a.entry, a.op), a.output)
		return
	default:
		fmt.Fprintf(c.w, "%s %s:%d: %s %s\n", a.end, a.file.path, a.line, cmp.Or(a.entry, a.op), strings.Join(a.by, " "))
		return
	}
	fmt.Fprintf(c.w, "survived %s:%d: %s\n\t%s\n%s", a.file.path, a.line, cmp.Or(a.entry, a.op), a.name(), a.diff())
}

// summary counts how the mutants ended and returns how many survived.
func (c *campaign) summary(done []*attempt, took time.Duration) int {
	ends, files := make(map[string]int), make(map[string]int)
	left := 0
	for _, a := range done {
		if a.end == survived || a.end == malformed {
			left++
			files[a.file.path]++
		}
		ends[a.end]++
	}
	fmt.Fprintf(c.w, "\n%d mutants in %s\n", len(done), took.Round(time.Second))
	writeCounts(c.w, ends)
	if left > 0 {
		fmt.Fprintln(c.w, "survivors to look at:")
		writeCounts(c.w, files)
	}
	return left
}

func writeCounts(w io.Writer, counts map[string]int) {
	var keys []string
	for k := range counts {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b string) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) })
	for _, k := range keys {
		fmt.Fprintf(w, "%6d %s\n", counts[k], k)
	}
}

// tryEntries holds the named tests of each entry to their failure.
func (c *campaign) tryEntries(root string) (int, error) {
	m, err := openModule(root, entryDirs())
	if err != nil {
		return 0, err
	}
	t := newTrial(m, c.limits)
	c.strict = true
	var all []*attempt
	var judges []string
	for _, e := range entries {
		if !c.only.MatchString(e.name) {
			continue
		}
		mu, err := e.find(m)
		if err != nil {
			return 0, err
		}
		if c.list {
			fmt.Fprintf(c.w, "%s:%d: %s: without %s; %s\n", mu.file.path, mu.line, e.name, e.drop, e.tests)
			continue
		}
		judge := e.judged() + " -run=^(" + strings.Join(strings.Fields(e.tests), "|") + ")$"
		judges = append(judges, judge)
		all = append(all, &attempt{entry: e.name, mutant: mu, judges: []string{judge}})
	}
	if c.list {
		return 0, nil
	}
	if err := t.prepare(judges); err != nil {
		return 0, err
	}
	for _, a := range all {
		if a.changed() == nil {
			return 0, fmt.Errorf("%s:%d: the changed code does not compile", a.file.path, a.line)
		}
	}
	closeAll, err := makeBatches(t, all)
	if err != nil {
		return 0, err
	}
	defer closeAll()
	return c.try(t, all), nil
}
