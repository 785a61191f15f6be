package diagnostics

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/msgs/diagnosticmsgs"
)

func TestStatuses(t *testing.T) {
	b := NewBoard("/cell/guard", func() string { return "arm" })
	b.Add("quiet", func(*Entry) {})
	b.Add("loud", func(e *Entry) {
		e.Raise(Warn, "first")
		e.Raise(OK, "fine")
		e.Raise(Warn, "second %d", 2)
		e.Value("rate", 99.5)
	})
	b.Add("bad", func(e *Entry) {
		e.Raise(Stale, "nothing came")
		e.Raise(Error, "two publishers\n[INFO] forged")
		e.Raise(Stale, "nothing came")
	})
	want := []diagnosticmsgs.DiagnosticStatus{
		{Name: "/cell/guard: quiet", HardwareID: "arm", Message: "ok"},
		{Level: Warn, Name: "/cell/guard: loud", HardwareID: "arm", Message: "first; second 2", Values: []diagnosticmsgs.KeyValue{{Key: "rate", Value: "99.5"}}},
		{Level: Error, Name: "/cell/guard: bad", HardwareID: "arm", Message: `two publishers\n[INFO] forged`},
	}
	if d := cmp.Diff(want, b.Statuses()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestTextsAreBounded(t *testing.T) {
	b := NewBoard("guard", func() string { return "" })
	b.Add("long", func(e *Entry) {
		e.Raise(Warn, "%s", strings.Repeat("x", 1<<20))
		e.Value("k", strings.Repeat("x", 1<<20))
	})
	s := b.Statuses()[0]
	if len(s.Message) > limit.TextBytes+100 || len(s.Values[0].Value) > limit.TextBytes+100 {
		t.Errorf("%d and %d bytes", len(s.Message), len(s.Values[0].Value))
	}
}
