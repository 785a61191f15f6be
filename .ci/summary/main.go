// Command summary reads the events of go test -json and tells what people want
// to know: which packages passed and how long they took, the output of what
// failed, every test that was skipped, with its reason, and the slowest tests. It
// exits with 1 where anything failed or nothing ran.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

func main() {
	ok, err := summarize(os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "summary:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

// event is one line of go test -json; go doc test2json names the fields.
type event struct {
	Action      string
	Package     string
	ImportPath  string // of build events
	Test        string
	Output      string
	Elapsed     float64
	FailedBuild string
}

type counts struct {
	passed, failed, skipped int
	packages, bad, bare     int // packages: with tests that passed, failed, without tests
}

type summary struct {
	out    io.Writer
	output map[string]*strings.Builder // by package and test, and of builds
	skips  []string
	slow   []timed
	counts
}

// timed is a test that took long.
type timed struct {
	name    string
	seconds float64
}

// Tests that take at least slow are listed, the slowest first, up to most.
const (
	slow = 3 // s
	most = 12
)

// raceReport begins what the race detector prints.
const raceReport = "WARNING: DATA RACE"

// summarize reports whether everything passed and anything ran.
func summarize(in io.Reader, out io.Writer) (bool, error) {
	started := time.Now()
	s := &summary{out: out, output: map[string]*strings.Builder{}}
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) != nil {
				fmt.Fprintf(out, "%s", line) // what go prints besides events
			} else {
				s.take(e)
			}
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return false, err
		}
	}
	s.close(time.Since(started))
	return s.bad == 0 && s.failed == 0 && s.passed > 0, nil
}

func (s *summary) take(e event) {
	key := e.Package + "\x00" + e.Test
	switch e.Action {
	case "build-output":
		s.keep("build\x00"+e.ImportPath, e.Output)
	case "output":
		s.keep(key, e.Output)
	case "pass", "fail", "skip":
		if e.Test == "" {
			s.endPackage(e)
		} else {
			s.endTest(e, key)
		}
	}
}

// slowest writes the tests that took long.
func (s *summary) slowest() {
	slices.SortFunc(s.slow, func(a, b timed) int { return cmp.Compare(b.seconds, a.seconds) })
	if len(s.slow) > 0 {
		fmt.Fprint(s.out, "\nslowest:\n")
	}
	for _, t := range s.slow[:min(most, len(s.slow))] {
		fmt.Fprintf(s.out, "  %5.1f s  %s\n", t.seconds, t.name)
	}
}

func (s *summary) keep(key, text string) {
	if s.output[key] == nil {
		s.output[key] = &strings.Builder{}
	}
	s.output[key].WriteString(text)
}

func (s *summary) kept(key string) string {
	if b := s.output[key]; b != nil {
		delete(s.output, key)
		return b.String()
	}
	return ""
}

func (s *summary) endTest(e event, key string) {
	text := s.kept(key)
	if e.Elapsed >= slow && !strings.Contains(e.Test, "/") {
		s.slow = append(s.slow, timed{short(e.Package) + " " + e.Test, e.Elapsed})
	}
	switch e.Action {
	case "pass":
		s.passed++
		if strings.Contains(text, raceReport) { // it may be another test's, which fails of it and has no such output
			fmt.Fprintf(s.out, "RACE  %s %s\n%s", e.Package, e.Test, text)
		}
	case "fail":
		s.failed++
		fmt.Fprintf(s.out, "FAIL  %s %s\n%s", e.Package, e.Test, text)
	case "skip":
		s.skipped++
		s.skips = append(s.skips, fmt.Sprintf("%s %s: %s", short(e.Package), e.Test, reason(text)))
	}
}

// endPackage tells about a package, with the output that belongs to none of
// its tests where it failed: a panic, a failed build.
func (s *summary) endPackage(e event) {
	text := s.kept(e.Package + "\x00")
	switch e.Action {
	case "pass":
		s.packages++
		fmt.Fprintf(s.out, "ok    %s  %.1f s\n", short(e.Package), e.Elapsed)
	case "skip":
		s.bare++
	case "fail":
		s.bad++
		if e.FailedBuild != "" {
			text = s.kept("build\x00"+e.FailedBuild) + text
		}
		for key := range s.output { // tests that a panic or a timeout cut short
			if name, cut := strings.CutPrefix(key, e.Package+"\x00"); cut {
				text += "--- cut short: " + name + "\n" + s.kept(key)
			}
		}
		fmt.Fprintf(s.out, "FAIL  %s\n%s", short(e.Package), text)
	}
}

func (s *summary) close(took time.Duration) {
	s.slowest()
	if len(s.skips) > 0 {
		slices.Sort(s.skips)
		fmt.Fprintf(s.out, "\nskipped:\n  %s\n", strings.Join(s.skips, "\n  "))
	}
	fmt.Fprintf(s.out, "\n%d tests passed, %d failed, %d skipped; %d packages ok, %d failed, %d without tests; %.0f s\n",
		s.passed, s.failed, s.skipped, s.packages, s.bad, s.bare, took.Seconds())
}

// short leaves out the module's path.
func short(pkg string) string {
	if rest, ok := strings.CutPrefix(pkg, "github.com/firstcontact-ros/firstcontact"); ok {
		return "." + rest
	}
	return pkg
}

// reason is what a test said when it skipped: its output less go's own lines
// and the file and line before the text.
func reason(output string) string {
	var words []string
	for _, line := range strings.Split(output, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "=== ") || strings.HasPrefix(line, "--- ") {
			continue
		}
		if _, text, ok := strings.Cut(line, ".go:"); ok {
			if _, text, ok = strings.Cut(text, ": "); ok {
				line = text
			}
		}
		words = append(words, line)
	}
	return strings.Join(words, " ")
}
