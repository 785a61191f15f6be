package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
)

// Another build of firstcontact beside the present one: an earlier release, or the
// state before a change. Both answer in the same rounds, so that the machine's moods hit both.

// ourClearance is a method that no peer stands beside.
const ourClearance = "clearance"

// ofBefore and ofNow name a method's column for the earlier build and, where peers have nothing beside it, for the present one.
func ofBefore(method string) string { return "before " + method }

func ofNow(method string) string {
	if method == ourClearance {
		return "now " + method
	}
	return method
}

// earlier is another build.
type earlier struct {
	command string
	methods []string // those that it has
	clocks  bool     // it can read another clock than that of the thread
}

// columns are those that stand there because of the other build.
func (e *earlier) columns() (names []string) {
	for _, m := range e.methods {
		if names = append(names, ofBefore(m)); ofNow(m) != m {
			names = append(names, ofNow(m))
		}
	}
	return names
}

// prepareBefore makes the other build ready: a built command, or a revision of this repository that is built here. There
// is none (nil) where none is asked for.
func (o *options) prepareBefore(ctx context.Context) (e *earlier, done func(), err error) {
	done = func() {}
	if o.before == "" {
		return nil, done, nil
	}
	e = &earlier{command: o.before}
	if _, err := os.Stat(o.before); err != nil {
		if e.command, done, err = buildRevision(ctx, o.before); err != nil {
			return nil, done, err
		}
	}
	help, err := output(ctx, e.command, "bench", "--help")
	if err != nil {
		done()
		return nil, func() {}, fmt.Errorf("%s: %w", o.before, err)
	}
	e.clocks = strings.Contains(string(help), "--clock ")
	for _, m := range append(slices.Clone(ourMethods), ourClearance) {
		if strings.Contains("\n"+string(help), "\n  "+m+" ") {
			e.methods = append(e.methods, m)
		}
	}
	if !slices.Contains(e.methods, ourTOC) {
		done()
		return nil, func() {}, fmt.Errorf("%s: its help of bench names no method %s", o.before, ourTOC)
	}
	return e, done, nil
}

// buildRevision builds the command of a revision in a working tree of its own, which done removes.
func buildRevision(ctx context.Context, revision string) (command string, done func(), err error) {
	nothing := func() {}
	folder, err := os.MkdirTemp("", "before")
	if err != nil {
		return "", nothing, err
	}
	tree := filepath.Join(folder, "tree")
	done = func() {
		_ = exec.Command("git", "worktree", "remove", "--force", tree).Run()
		os.RemoveAll(folder)
	}
	if out, err := exec.CommandContext(ctx, "git", "worktree", "add", "--detach", tree, revision).CombinedOutput(); err != nil {
		done()
		return "", nothing, fmt.Errorf("-before %s is neither a command nor a revision: %w\n%s", revision, err, out)
	}
	command = filepath.Join(folder, "firstcontact")
	build := exec.CommandContext(ctx, "bash", "-c", `go build $(packaging/tags) $([[ ! -f $1 ]] || echo -pgo=$1) -buildvcs=false -o "$2" ./cmd/firstcontact`, "build", "cmd/firstcontact/hot.pgo", command)
	build.Dir = tree
	if out, err := build.CombinedOutput(); err != nil {
		done()
		return "", nothing, fmt.Errorf("building %s: %w\n%s", revision, err, out)
	}
	return command, done, nil
}

// runBefore has the earlier build judge a set.
func (o *options) runBefore(ctx context.Context, e *earlier, s set, into columns) error {
	return o.runBuild(ctx, e.command, e.methods, s, func(m string, a answer) { into.add(ofBefore(m), a) })
}

// runNow has the present build judge a set by methods that the comparison with peers leaves out.
func (o *options) runNow(ctx context.Context, e *earlier, s set, into columns) error {
	if !slices.Contains(e.methods, ourClearance) {
		return nil
	}
	return o.runBuild(ctx, o.command, []string{ourClearance}, s, func(m string, a answer) { into.add(ofNow(m), a) })
}

// rivals are a question's methods of both builds, of the segments of which a status is true.
type rivals struct{ name, method, status string }

var rivalsOf = []rivals{
	{"free, yes or no", ourFree, free},
	{"in contact, yes or no", ourFree, contact},
	{"first contact", ourTOC, contact},
	{"free, first contact", ourTOC, free},
	{"free, smallest distance", ourClearance, free},
	{"free at the start, static", ourStatic, freeStart},
	{"many free in a call", ourFreeAll, free},
	{"many static in a call", ourStaticAll, freeStart},
}

// writeBefore prints the times of both builds and their ratios.
func writeBefore(out io.Writer, all []*outcome, before string) {
	fmt.Fprintf(out, "\n%s and now, in turns: medians and means (us), and now by before: medians of %d rounds (least to largest)\n", before, len(all[0].rounds))
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "set\tquestion\tsegments\tbefore\tnow\tby medians\tby means")
	for _, r := range all {
		for _, q := range rivalsOf {
			was, is := ofBefore(q.method), ofNow(q.method)
			n := len(r.times(0, is, q.status))
			if n == 0 || r.rounds[0][was] == nil {
				continue
			}
			a, b := r.columnsOf(was, q.status), r.columnsOf(is, q.status)
			fmt.Fprintf(w, "%s\t%s\t%d\t%.2f, %.2f\t%.2f, %.2f\t%s\t%s\n", r.set, q.name, n, a.Median, a.Mean, b.Median, b.Mean,
				r.against(was, is, q.status, median), r.against(was, is, q.status, mean))
		}
	}
	w.Flush()
}

// against is what a method takes by what another does, by a statistic of each round's times.
func (r *outcome) against(was, is, status string, of func([]float64) float64) spread {
	return r.overRounds(is, func(i int) float64 { return of(r.times(i, is, status)) / of(r.times(i, was, status)) })
}

func (s spread) String() string {
	if math.IsNaN(s.Median) {
		return "-"
	}
	return fmt.Sprintf("%.3f (%.3f to %.3f)", s.Median, s.Least, s.Largest)
}

// contradicted lists the answers of the earlier build that are not those of the present one.
func (r *outcome) contradicted() []string {
	var found []string
	for _, m := range []string{ourFree, ourTOC, ourStatic} {
		for k, a := range r.rounds[0][ofBefore(m)] {
			if now := r.rounds[0][m][k].status; a.status != now {
				found = append(found, fmt.Sprintf("%s: %s: segment %d (from 0) is %s, and was %s", r.set, m, k, now, a.status))
			}
		}
	}
	return found
}

var (
	errAlone    = errors.New("-alone leaves nothing to compare with: give -before, too")
	errOnlyText = errors.New("-alone prints one table: leave out -json and -markdown, which are about peers, and sets of distances")
)
