package cli

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/progress"
)

// at is a time in a test's clock, in seconds since the command began.
func at(seconds float64) time.Time {
	return time.Unix(1000, 0).Add(time.Duration(seconds * float64(time.Second)))
}

// A line appears on a terminal after a second, is rewritten, fits and goes away.
func TestProgressLine(t *testing.T) {
	var b strings.Builder
	d := &display{w: &b, width: func() int { return 30 }, begin: at(0)}
	look := func(when float64, want string) {
		t.Helper()
		b.Reset()
		d.refresh(at(when))
		if b.String() != want {
			t.Errorf("at %g s: %q, want %q", when, b.String(), want)
		}
	}
	d.tellAt(at(0), progress.Step{What: "checking motions", Total: 5, Unit: "motions"})
	look(0.9, "")
	look(1.0, "\r\x1b[Kchecking motions: 0 of 5 moti")
	look(1.05, "") // too soon
	d.tellAt(at(2), progress.Step{What: "checking motions", Done: 4, Total: 5, Unit: "motions"})
	look(2, "\r\x1b[Kchecking motions: 4 of 5 moti")
	d.tellAt(at(3), progress.Step{What: "checking motions", Done: 5, Total: 5, Unit: "motions"})
	look(3, "\r\x1b[K")
	look(4, "")
}

// A log gets notes that become rarer, however often the work reports, and even if it does not
// report at all for a long time.
func TestProgressNotes(t *testing.T) {
	var b strings.Builder
	d := &display{w: &b, begin: at(0)}
	for tick := range 1000 {
		now := at(float64(tick) / 10)
		if tick <= 700 && tick != 650 {
			d.tellAt(now, progress.Step{What: "building hulls", Done: int64(tick), Total: 2000, Unit: "shapes"})
		}
		d.refresh(now)
	}
	want := `note: building hulls: 10 of 2,000 shapes, about 3m19s left
note: building hulls: 50 of 2,000 shapes, about 3m15s left
note: building hulls: 150 of 2,000 shapes, about 3m5s left
note: building hulls: 300 of 2,000 shapes, about 2m50s left
note: building hulls: 600 of 2,000 shapes, about 2m20s left
note: building hulls: 700 of 2,000 shapes, about 2m47s left
`
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}

// A step of a longer task is shown while it lasts, then the longer task again.
func TestProgressNests(t *testing.T) {
	d := &display{begin: at(0)}
	now := func() string {
		task, ok := d.current()
		if !ok {
			return ""
		}
		return task.line(at(1))
	}
	for _, c := range []struct {
		step progress.Step
		want string
	}{
		{progress.Step{What: "a", Total: 2, Unit: "motions"}, "a: 0 of 2 motions, 1s so far"},
		{progress.Step{What: "b", Done: 3_000_000, Unit: progress.Bytes}, "b: 3 MB, 1s so far"},
		{progress.Step{What: "b", Done: 4_000_000, Total: 4_000_000, Unit: progress.Bytes}, "a: 0 of 2 motions, 1s so far"},
		{progress.Step{What: "c", Note: "the note"}, "c, 1s so far; the note"},
		{progress.Step{}, "a: 0 of 2 motions, 1s so far"},
		{progress.Step{What: "a", Done: 1, Total: 2, Unit: "motions"}, "a: 1 of 2 motions, about 1s left"},
		{progress.Step{What: "a", Done: 2, Total: 2, Unit: "motions"}, ""},
		{progress.Step{}, ""},
	} {
		d.tellAt(at(0), c.step)
		if got := now(); got != c.want {
			t.Errorf("after %+v: %q, want %q", c.step, got, c.want)
		}
	}
	for i := range 100 { // tasks that never end
		d.tellAt(at(0), progress.Step{What: strings.Repeat("x", i+1)})
	}
	if len(d.tasks) > maxTasks {
		t.Errorf("%d tasks are kept", len(d.tasks))
	}
}

// Reports reach a log that is a file, unless the command is quiet.
func TestConsoleShowsProgress(t *testing.T) {
	for _, quiet := range []bool{false, true} {
		read, write, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		c := newConsole(write, write)
		c.quiet = quiet
		c.display.begin = c.display.begin.Add(-Patience)
		progress.Tell(c.watch(context.Background()), progress.Step{What: "waiting"})
		time.Sleep(3 * redraw)
		c.close()
		_ = write.Close()
		text := make([]byte, 100)
		n, _ := read.Read(text)
		_ = read.Close()
		if got := string(text[:n]); strings.HasPrefix(got, "note: waiting") == quiet {
			t.Errorf("quiet %t: %q", quiet, got)
		}
	}
}

// A device that is no terminal is none.
func TestNoTerminal(t *testing.T) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if c := newConsole(null, null); terminal(c.results()) != nil || TakesColours(c.results()) {
		t.Errorf("%s is taken for a terminal", os.DevNull)
	}
}
