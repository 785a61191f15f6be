package queue

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
)

// The clock of TestClocksThatJump: every clockStep it is off by another of these seconds. Messages are kept for a week.
const clockJumps = "0, 45, -45, 3600, -3600, 8 * 86400, 0, -30 * 86400, 400 * 86400"

const clockStep = 300 * time.Millisecond

// Server, workers and submitter have clocks that jump forth and back, by up to a year and each at its own time, while workers are killed: the table
// is that of one process, to the byte.
func TestClocksThatJump(t *testing.T) {
	if !switches.Long.Set() {
		t.Skip("compiles the standard library and the server once more: minutes")
	}
	program := withJumpingClock(t)
	check := exec.Command(program)
	check.Env = append(os.Environ(), envClock+"=1")
	if _, err := check.StdinPipe(); err != nil { // its end would be that of the process
		t.Fatal(err)
	}
	if out, err := check.CombinedOutput(); err != nil {
		t.Fatalf("the clock does not jump: %v: %s", err, out)
	}
	t.Parallel()
	f := newFleet(t, newJob(t, 6000, 10), envPace+"=20ms")
	f.program = program
	begun := time.Now()
	f.start()
	for range 3 {
		time.Sleep(4 * clockStep)
		if f.over() {
			t.Fatal("done too soon: a poor test")
		}
		f.kill(oneWorker)
		f.start()
	}
	f.await(2 * time.Minute)
	t.Logf("%d chunks in %.1f s, with %d jumps of each clock", len(f.job.spec.Plan.Chunks), time.Since(begun).Seconds(), time.Since(begun)/clockStep)
}

// withJumpingClock builds this test with a clock that jumps. What the program measures by itself, without a date, goes on
// as always: so do the clocks of machines.
func withJumpingClock(t *testing.T) string {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	source := filepath.Join(strings.TrimSpace(string(root)), "src", "time", "time.go")
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	const now = "func Now() Time {\n\tsec, nsec, mono := runtimeNow()\n"
	if strings.Count(string(text), now) != 1 {
		t.Fatalf("%s: Now is not as this test knows it", source)
	}
	changed := strings.Replace(string(text), now, now+"\tsec += jumps[(mono-startNano)/"+strconv.FormatInt(int64(clockStep), 10)+"%int64(len(jumps))]\n", 1) +
		"\nvar jumps = [...]int64{" + clockJumps + "}\n"
	dir := t.TempDir()
	replaced := filepath.Join(dir, "time.go")
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{source: replaced}})
	if err == nil {
		err = errors.Join(os.WriteFile(replaced, []byte(changed), 0o600), os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o600))
	}
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "jumping.test")
	build := exec.Command("go", "test", "-c", "-overlay", filepath.Join(dir, "overlay.json"), "-o", program, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return program
}
