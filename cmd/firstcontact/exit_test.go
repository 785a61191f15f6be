package main

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/internal/base/progress"
)

var errFull = errors.New("no space left on device")

// fullDisk takes so many bytes.
type fullDisk struct{ left int }

func (d *fullDisk) Write(text []byte) (int, error) {
	if n := min(len(text), d.left); n < len(text) {
		d.left = 0
		return n, errFull
	}
	d.left -= len(text)
	return len(text), nil
}

// everyCommand has a command line for every command that writes results and ends by itself.
var everyCommand = map[string][]string{
	"check":      {"check", "--robot", humanoid + "humanoid.urdf", humanoid + "trajectory_free.yaml"},
	"distance":   {"distance", "--robot", humanoid + "humanoid.urdf"},
	"pairs":      {"pairs", "--robot", lever + ".urdf"},
	"spheres":    {"spheres", "--robot", gantry, "--spheres", "1"},
	"bench":      {"bench", crane, craneSegs, "--limit", "3", "--reps", "1"},
	"doctor":     {"doctor", "--ros-args", "-p", "robot_description_file:=" + humanoid + "humanoid.urdf"},
	"schema":     {"schema", "check"},
	"completion": {"completion", "bash"},
	"version":    {"version"},
	"help":       {"help"},
}

// A result that cannot be written is an error of every command.
func TestFullDisk(t *testing.T) {
	var names []string
	for _, c := range firstcontact.CommandLine().Commands() {
		names = append(names, c.Name())
	}
	for _, name := range append(names, "completion", "help") {
		args, ok := everyCommand[name]
		switch {
		case name == "node" || name == "view" || name == "worker", name == "demo", name == "verify": // no results, long, needs a certificate
			continue
		case name == "man" || name == "batch" || name == "render": // their results are files
			continue
		case !ok:
			t.Errorf("add %s to everyCommand", name)
			continue
		}
		t.Run(name, func(t *testing.T) {
			for _, room := range []int{0, 10} {
				var errs bytes.Buffer
				code := run(context.Background(), args, strings.NewReader(""), &fullDisk{room}, &errs)
				if code != cli.ExitOutput || !strings.Contains(errs.String(), "firstcontact: the results are not complete: "+errFull.Error()) {
					t.Errorf("room for %d bytes: exit status %d: %s", room, code, errs.String())
				}
			}
		})
	}
}

// An interrupt ends every command with one line and one exit status, whatever it is doing.
func TestInterrupted(t *testing.T) {
	for name, args := range everyCommand {
		if name == "help" || name == "completion" || name == "schema" || name == "version" { // nothing to interrupt
			continue
		}
		if name != "doctor" {
			args = append(args, "--quiet")
		}
		t.Run(name, func(t *testing.T) {
			steps := map[string]bool{"": true, "nothing": true} // interrupted at once, never, then in every kind of work
			for done := map[string]bool{}; len(done) < len(steps); {
				for what := range steps {
					if !done[what] {
						done[what] = true
						interruptedAt(t, args, what, steps)
					}
				}
			}
			if len(steps) < 3 {
				t.Error("it tells no progress")
			}
		})
	}
}

// interruptedAt runs a command, interrupts it when it first tells that kind of work, and adds
// the kinds that it tells.
func interruptedAt(t *testing.T, args []string, what string, steps map[string]bool) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if what == "" {
		cancel()
	}
	var mu sync.Mutex
	hit := what == ""
	watched := progress.With(ctx, func(s progress.Step) {
		mu.Lock()
		defer mu.Unlock()
		if s.What != "" {
			steps[s.What] = true
		}
		if s.What == what && !hit {
			hit = true
			cancel()
		}
	})
	var out, errs bytes.Buffer
	code := run(watched, args, strings.NewReader(""), &out, &errs)
	mu.Lock()
	defer mu.Unlock()
	if !hit || code == cli.ExitFree && errs.Len() == 0 { // the work was done
		return
	}
	if code != cli.ExitInterrupted || strings.Count(errs.String(), "\n") != 1 || !strings.HasPrefix(errs.String(), "firstcontact: interrupted") {
		t.Errorf("interrupted in %q: exit status %d, standard error %q", what, code, errs.String())
	}
}

// Too many or too few arguments are usage errors, whoever finds them.
func TestNumberOfArguments(t *testing.T) {
	for _, args := range [][]string{{"view", "--robot", "none.urdf", "a", "b"}, {"man"}, {"version", "now"}} {
		if status, _, wrong := command(t, "", args...); status != cli.ExitUsage || !strings.Contains(wrong, "Try 'firstcontact "+args[0]) {
			t.Errorf("%q: exit status %d: %s", args, status, wrong)
		}
	}
}
