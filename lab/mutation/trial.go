package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
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
	clean map[string]string // by folder, the unchanged package's content
	rapid map[string]bool   // by folder, whether its tests know rapid's flags
}

func newTrial(m *module, l limits) *trial {
	return &trial{module: m, limits: l, clean: make(map[string]string), rapid: make(map[string]bool)}
}

// prepare finds out what the trial has to know of a package and its judges
// before mutants are tried, several at once.
func (t *trial) prepare(dirs []string, judges []string) error {
	for _, d := range dirs {
		if t.clean[d] != "" {
			continue
		}
		c, err := t.content(d, "")
		if err != nil {
			return err
		}
		t.clean[d] = c
	}
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
	content, err := t.content(m.pkg.dir, overlay)
	if err != nil {
		return verdict{end: malformed, output: err.Error()}
	}
	if content == t.clean[m.pkg.dir] {
		return verdict{end: equal}
	}
	for _, j := range judges {
		if v := t.judge(j, overlay); v.end != survived {
			return v
		}
	}
	return verdict{end: survived}
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

// splitJudge splits "FOLDER" or "FOLDER -run=TESTS".
func splitJudge(judge string) (dir, run string) {
	dir, run, _ = strings.Cut(judge, " -run=")
	return dir, run
}

var failLine = regexp.MustCompile(`(?m)^--- FAIL: (\S+)`)

// judge runs the tests of a package, on changed code where there is an overlay.
func (t *trial) judge(judge, overlay string) verdict {
	dir, run := splitJudge(judge)
	args := []string{"test", "-vet=off", "-failfast", "-ldflags=-s -w", "-timeout=" + t.wall.String()}
	if overlay != "" {
		args = append(args, "-overlay="+overlay, "-count=1")
	}
	if run != "" {
		args = append(args, "-run="+run)
	}
	args = append(args, "./"+dir)
	if t.rapid[dir] {
		args = append(args, "-rapid.nofailfile", "-rapid.shrinktime=1ms") // no files in the tree
	}
	out, err := t.limited(args)
	if err == nil {
		if strings.Contains(string(out), "no tests to run") {
			return verdict{end: malformed, output: judge + " has no such test"}
		}
		return verdict{end: survived}
	}
	text := string(out)
	v := verdict{end: killed, output: text[max(0, len(text)-2000):]}
	for _, f := range failLine.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(v.by, f[1]) {
			v.by = append(v.by, f[1])
		}
	}
	switch {
	case strings.Contains(text, "panic: test timed out"), strings.Contains(text, "signal: killed"), strings.Contains(text, "CPU time limit exceeded"):
		v.end = timedOut
	case strings.Contains(text, "[build failed]"), strings.Contains(text, "[setup failed]"):
		v.end = malformed
	}
	return v
}

// limited runs the go command with limits for each of its processes, and ends
// all of them where it takes too long.
func (t *trial) limited(args []string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), t.wall+time.Minute)
	defer cancel()
	limit := fmt.Sprintf("ulimit -t %d; ulimit -v %d; exec go \"$@\"", int(t.cpu.Seconds()), t.memory<<10)
	cmd := exec.CommandContext(ctx, "bash", append([]string{"-c", limit, "go"}, args...)...)
	cmd.Dir = t.root
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(s string) bool { return strings.HasPrefix(s, "FIRSTCONTACT_") }), "GOTRACEBACK=single")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 10 * time.Second
	return cmd.CombinedOutput()
}
