//go:build !js

package batch

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/internal/batch"
	"github.com/firstcontact-ros/firstcontact/internal/batch/dataset"
)

// rail is a batch about a head on a rail, before a wall at x = 1: it touches at x = 0.9.
type rail struct {
	t   *testing.T
	dir string
}

func newRail(t *testing.T) rail {
	r := rail{t, t.TempDir()}
	r.write("rail.urdf", `<robot name="gantry"><link name="rail"/><link name="head"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<joint name="x" type="prismatic"><parent link="rail"/><child link="head"/><axis xyz="1 0 0"/><limit lower="-9" upper="9" effort="1" velocity="100"/></joint></robot>`)
	r.write("wall.yaml", "objects: [{id: wall, type: box, xyz: [1.5, 0, 0], size: [1, 1, 1]}]")
	r.to("in/a.csv", 0.5)
	r.to("in/b.csv", 0.6)
	return r
}

func (r rail) path(name string) string { return filepath.Join(r.dir, name) }

func (r rail) write(name, text string) {
	r.t.Helper()
	if err := os.MkdirAll(filepath.Dir(r.path(name)), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(r.path(name), []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

// to writes a motion from 0 to x.
func (r rail) to(name string, x float64) { r.write(name, fmt.Sprintf("x,time\n0,0\n%g,1\n", x)) }

func (r rail) args(more ...string) []string { return r.argsTo("out", more...) }

func (r rail) argsTo(folder string, more ...string) []string {
	return append([]string{"batch", "-q", "--robot", r.path("rail.urdf"), "--scene", r.path("wall.yaml"), "--out", r.path(folder), r.path("in")}, more...)
}

func (r rail) summary(folder string) (s batch.Summary) {
	r.t.Helper()
	data, err := os.ReadFile(filepath.Join(r.path(folder), batch.SummaryName))
	if err == nil {
		err = json.Unmarshal(data, &s)
	}
	if err != nil {
		r.t.Fatal(err)
	}
	return s
}

// table is the table of results as it is on disk.
func (r rail) table(folder string) []byte {
	r.t.Helper()
	data, err := os.ReadFile(filepath.Join(r.path(folder), batch.TableName))
	if err != nil {
		r.t.Fatal(err)
	}
	return data
}

func TestBatch(t *testing.T) {
	r := newRail(t)
	code, out, errs := command(t, "", r.args()...)
	if s := r.summary("out"); code != cli.ExitFree || s.Motions != 2 || s.Count["free"] != 2 || !strings.Contains(out, batch.TableName) {
		t.Fatalf("exit status %d, %+v: %s%s", code, s, out, errs)
	}
	want := r.table("out")
	if code, _, errs := command(t, "", r.args()...); code != cli.ExitUsage || !strings.Contains(errs, "--resume") {
		t.Errorf("again: exit status %d: %s", code, errs)
	}
	if err := os.Remove(r.path("out/parts/00000000.part")); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := command(t, "", r.args("--resume")...); code != cli.ExitFree || !bytes.Equal(r.table("out"), want) {
		t.Errorf("--resume: exit status %d: %s", code, errs)
	}
	for _, flags := range [][]string{{"--clearance", "0.01"}, {"--padding", "0.01"}, {"--allow", "head:wall"}, {"--state", "x=0.1"}, {"--no-self"}, {"--rate", "2"}} {
		if code, _, errs := command(t, "", r.args(append(flags, "--resume")...)...); code != cli.ExitBadInput || !strings.Contains(errs, "another robot, scene, question") {
			t.Errorf("--resume with %v: exit status %d: %s", flags, code, errs)
		}
	}
	r.to("in/c.csv", 1.5)
	if code, _, errs := command(t, "", r.args("--resume")...); code != cli.ExitBadInput {
		t.Errorf("--resume with another file: exit status %d: %s", code, errs)
	}
	if code, _, errs := command(t, "", r.argsTo("in/results")...); code != cli.ExitContact {
		t.Errorf("a contact: exit status %d: %s", code, errs)
	}
	if code, _, errs := command(t, "", r.argsTo("in/results", "--resume")...); code != cli.ExitContact || r.summary("in/results").Motions != 3 {
		t.Errorf("results below the input: exit status %d: %s", code, errs)
	}
}

func TestBatchUsage(t *testing.T) {
	r := newRail(t)
	cases := map[string][]string{
		"--jobs":        {"--jobs", "0"},
		"--workers":     {"--workers", "-1"},
		"--report":      {"--report", "-1"},
		"contradict":    {"--yes-no", "--min-clearance"},
		"finish the":    {"--resume", "--watch"},
		"--acm proven:": {"--acm", "proven"},
		"together":      {"--nats-cert", "a"},
	}
	if errNoQueue != nil {
		cases["without NATS"] = []string{"--workers", "2"}
		cases["built without"] = []string{"--nats", "nats://127.0.0.1:1"}
	}
	for word, flags := range cases {
		if code, _, errs := command(t, "", r.args(flags...)...); code != cli.ExitUsage || !strings.Contains(errs, word) {
			t.Errorf("%v: exit status %d: %s", flags, code, errs)
		}
		if _, err := os.Stat(r.path("out")); err == nil {
			t.Fatalf("%v: something was begun", flags)
		}
	}
}

// A watch checks each lot once it is written to the end, what has changed again, and ends with the worst of all lots.
func TestBatchWatches(t *testing.T) {
	watchPause = 30 * time.Millisecond
	defer func() { watchPause = time.Second }()
	r := newRail(t)
	r.to("in/a.csv", 1.5)
	ctx, stop := context.WithCancel(context.Background())
	var out, errs lockedBuffer
	done := make(chan int, 1)
	go func() { done <- commands.Program().Run(ctx, r.args("--watch"), strings.NewReader(""), &out, &errs) }()
	await := func(what string, is func() bool) {
		t.Helper()
		for end := time.Now().Add(30 * time.Second); !is(); time.Sleep(5 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%s: %s%s", what, out.String(), errs.String())
			}
		}
	}
	there := func(folder string) func() bool {
		return func() bool { return strings.Contains(out.String(), filepath.Join(r.path(folder), batch.TableName)) }
	}
	await("first lot", there("out"))

	// Moved there at once: how a file that is being written is told, TestFilesThatAreBeingWritten looks at.
	r.write("map/nodes.csv", "x\n0\n0.1\n0.5\n")
	r.write("map/edges.csv", "0,1\n0,2\n")
	if err := os.Rename(r.path("map"), r.path("in/map")); err != nil {
		t.Fatal(err)
	}
	await("second lot", there("out/watch-1"))
	if s := r.summary("out/watch-1"); s.Motions != 1 || s.Count["invalid"] != 1 { // no mapping was given
		t.Errorf("second lot: %+v", s)
	}
	r.to("b.csv", 0.7)
	if err := os.Rename(r.path("b.csv"), r.path("in/b.csv")); err != nil {
		t.Fatal(err)
	}
	await("third lot", there("out/watch-2"))
	if s := r.summary("out/watch-2"); s.Motions != 1 || s.Count["free"] != 1 {
		t.Errorf("third lot: %+v", s)
	}
	stop()
	if code := <-done; code != cli.ExitBadInput {
		t.Errorf("exit status %d: %s", code, errs.String())
	}
}

// A file is ready when two looks have found it as it was: also one in a folder, whose own size stays the same.
func TestFilesThatAreBeingWritten(t *testing.T) {
	r := newRail(t)
	r.write("in/map/nodes.csv", "x\n0\n0.1\n")
	edges := ""
	write := func() {
		edges += "0,1\n"
		r.write("in/map/edges.csv", edges)
	}
	write()
	file := dataset.File{Path: r.path("in/map"), Kind: dataset.Roadmap}
	w := newWatch(nil)
	for look, want := range []bool{false, false, false, false, true, false, false} {
		if look < 3 {
			write()
		}
		if got := w.ready(file); got != want {
			t.Errorf("look %d: %v", look, got)
		}
	}
	write() // it has changed since it was taken
	for look, want := range []bool{false, false, true, false} {
		if got := w.ready(file); got != want {
			t.Errorf("after a change, look %d: %v", look, got)
		}
	}
	if newWatch([]dataset.File{file}).ready(file) {
		t.Error("a file of the first lot is new")
	}
}

// lockedBuffer is a buffer that one goroutine writes and another one reads.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
