package check

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/input"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/verdict"
)

// What only shows an answer does not change it: a proved motion stays free, with a note, and the
// command ends with the status of lost output.
func TestLostReportKeepsTheAnswer(t *testing.T) {
	var f Flags
	r := verdict.Result{Motion: "path.csv", Status: "free"}
	f.lose(&r, "the report lacks parts of it", context.Canceled)
	var lost cli.OutputError
	if r.Status != "free" || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "canceled") || !errors.As(f.lost, &lost) {
		t.Errorf("%s, notes %q, %v", r.Status, r.Notes, f.lost)
	}
}

// After a panic nothing is left running: what other motions do to the report would come while
// it is written.
func TestNothingRunsAfterAPanic(t *testing.T) {
	begun := make(chan struct{})
	var ended atomic.Bool
	f := Flags{Jobs: 2}
	jobs := []Job{
		{Task: input.Task{ID: "a", Checker: func() (*ccd.Checker, []string, error) { <-begun; panic("broken") }}},
		{Task: input.Task{ID: "b", Checker: func() (*ccd.Checker, []string, error) {
			close(begun)
			time.Sleep(200 * time.Millisecond)
			ended.Store(true)
			return nil, nil, errors.New("no")
		}}},
	}
	_, err := f.checkAll(context.Background(), cli.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}, jobs)
	if err == nil || !strings.Contains(err.Error(), "broken") || !ended.Load() {
		t.Errorf("%v, the other motion has ended: %v", err, ended.Load())
	}
}
