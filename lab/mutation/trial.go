package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// How a mutant ended.
const (
	killed    = "killed"     // a test failed
	timedOut  = "timeout"    // a test did not end
	equal     = "equivalent" // it compiles to the same code
	survived  = "survived"   // all tests passed
	malformed = "malformed"  // it does not compile
)

// verdict is how a mutant ended.
type verdict struct {
	end    string
	by     []string // the tests that failed
	output string   // of the go command, where no test says why it failed
}

// limits bound what one test binary may take.
type limits struct {
	cpu    time.Duration // processor time of a process
	wall   time.Duration // of a go command
	memory int           // virtual memory of a process, in MiB
}

// trial tries mutants of a module.
type trial struct {
	*module
	limits
	mu    sync.Mutex
	clean map[string]string // by folder, the unchanged package's content
	rapid map[string]bool   // by folder, whether its tests know rapid's flags
}

func newTrial(m *module, l limits) *trial {
	return &trial{module: m, limits: l, clean: make(map[string]string), rapid: make(map[string]bool)}
}

// prepare finds out which judges know rapid's flags.
func (t *trial) prepare(judges []string) error {
	for _, j := range judges {
		dir, _ := splitJudge(j)
		if _, ok := t.rapid[dir]; ok {
			continue
		}
		out, err := t.goCommand("list", "-f", "{{.TestImports}} {{.XTestImports}}", "./"+dir)
		if err != nil {
			return err
		}
		t.rapid[dir] = strings.Contains(string(out), "pgregory.net/rapid")
	}
	return nil
}

// content returns the hash of what the package compiles to, without inlining: what
// others may inline is written with its syntax.
func (t *trial) content(dir, overlay string) (string, error) {
	args := []string{"list", "-export", "-gcflags=-l", "-f", "{{.BuildID}}"}
	if overlay != "" {
		args = append(args, "-overlay="+overlay)
	}
	out, err := t.goCommand(append(args, "./"+dir)...)
	if err != nil {
		return "", err
	}
	_, content, _ := strings.Cut(strings.TrimSpace(string(out)), "/")
	return content, nil
}

// try runs the judges one after another until one notices the mutant.
func (t *trial) try(m *mutant, judges []string) verdict {
	dir, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return verdict{end: malformed, output: err.Error()}
	}
	defer os.RemoveAll(dir)
	overlay, err := t.overlay(m, dir)
	if err != nil {
		return verdict{end: malformed, output: err.Error()}
	}
	for _, j := range judges {
		if v := t.judge(j, overlay); v.end != survived {
			return v
		}
	}
	return t.unlessEqual(m)
}

// unlessEqual returns survived, or equal where the changed package compiles to what
// the unchanged one compiles to.
func (t *trial) unlessEqual(m *mutant) verdict {
	dir, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return verdict{end: malformed, output: err.Error()}
	}
	defer os.RemoveAll(dir)
	overlay, err := t.overlay(m, dir)
	if err != nil {
		return verdict{end: malformed, output: err.Error()}
	}
	clean, err := t.cleanContent(m.pkg.dir)
	if err != nil {
		return verdict{end: malformed, output: err.Error()}
	}
	content, err := t.content(m.pkg.dir, overlay)
	switch {
	case err != nil:
		return verdict{end: malformed, output: err.Error()}
	case content == clean:
		return verdict{end: equal}
	}
	return verdict{end: survived}
}

func (t *trial) cleanContent(dir string) (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.clean[dir] == "" {
		c, err := t.content(dir, "")
		if err != nil {
			return "", err
		}
		t.clean[dir] = c
	}
	return t.clean[dir], nil
}

func (t *trial) overlay(m *mutant, dir string) (string, error) {
	text := m.changed()
	if text == nil {
		return "", errors.New("it does not compile")
	}
	changed, overlay := filepath.Join(dir, "changed.go"), filepath.Join(dir, "overlay.json")
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(t.root, m.file.path): changed}})
	if err != nil {
		return "", err
	}
	return overlay, errors.Join(os.WriteFile(changed, text, 0o600), os.WriteFile(overlay, replace, 0o600))
}

// splitJudge splits "FOLDER", "FOLDER -run=TESTS" or "FOLDER -skip=TESTS" into the folder
// and the flag.
func splitJudge(judge string) (dir, flag string) {
	dir, flag, _ = strings.Cut(judge, " -")
	return dir, flag
}

var failLine = regexp.MustCompile(`(?m)^--- FAIL: (\S+)`)

// judge runs the tests of a package, on changed code where there is an overlay.
func (t *trial) judge(judge, overlay string) verdict {
	dir, flag := splitJudge(judge)
	args := []string{"test", "-vet=off", "-failfast", "-ldflags=-s -w", "-timeout=" + t.wall.String()}
	if overlay != "" {
		args = append(args, "-overlay="+overlay, "-count=1")
	}
	if flag != "" {
		args = append(args, "-"+flag)
	}
	args = append(args, "./"+dir)
	if t.rapid[dir] {
		args = append(args, "-rapid.nofailfile", "-rapid.shrinktime=1ms") // no files in the tree
	}
	ctx, cancel := context.WithTimeout(context.Background(), t.wall+time.Minute)
	defer cancel()
	cmd := t.command(ctx, "go", args)
	cmd.Dir = t.root
	out, err := cmd.CombinedOutput()
	return outcome(string(out), err)
}

// outcome reads what tests wrote.
func outcome(text string, err error) verdict {
	switch {
	case strings.Contains(text, "no tests to run"):
		return verdict{end: malformed, output: "there is no such test"}
	case err == nil:
		return verdict{end: survived}
	}
	v := verdict{end: killed, output: text[max(0, len(text)-2000):]}
	for _, f := range failLine.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(v.by, f[1]) {
			v.by = append(v.by, f[1])
		}
	}
	switch {
	case strings.Contains(text, "panic: test timed out"), strings.Contains(text, "CPU time limit exceeded"),
		strings.Contains(text, "signal: killed"), strings.Contains(err.Error(), "signal: killed"):
		v.end = timedOut
	case strings.Contains(text, "[build failed]"), strings.Contains(text, "[setup failed]"):
		v.end = malformed
	}
	return v
}
