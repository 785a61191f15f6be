package jointstates

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// A rival is judged where it measures joints, and where the owners do the others.
func TestRivalsAreCompletedByTheOwners(t *testing.T) {
	now := time.Unix(100, 0)
	at := func(position float64, age time.Duration) Measurement {
		then := now.Add(-age)
		return Measurement{Position: position, Stamp: then, source: then, oldest: then, known: true}
	}
	old := 2 * timeout
	tr := Tracker{names: []string{"a", "b", "c"}, timeout: timeout, joints: []Measurement{at(1, 0), at(2, 0), at(3, old)}}
	s, missing := tr.combined([]Measurement{at(10, 0), at(20, old), at(30, 0)}, now)
	if missing != nil || !slices.Equal(s.Position, []float64{10, 2, 30}) {
		t.Errorf("a rival is judged at %v, %v missing", s, missing)
	}
	if s, missing = tr.combined([]Measurement{at(10, 0), {}, {}}, now); s != nil || !slices.Equal(missing, []string{"c"}) {
		t.Errorf("a rival is judged at %v, %v missing", s, missing)
	}
}

// However many publishers measure the same joints, what is remembered of them is bounded; so is what waits of one that is not
// looked at.
func TestRivalsAreBounded(t *testing.T) {
	tr := NewTracker([]string{"a", "b"}, nil, timeout)
	writer := func(n int) ros.GUID { return ros.GUID{1, 15: byte(n), 14: byte(n >> 8)} }
	at := time.Duration(0)
	hear := func(n int) {
		at += ms / 100
		tr.Hear(joints(at, "a b", 0, float64(n)), ros.MessageInfo{Writer: writer(n)}, epoch.Add(at))
	}
	for n := range 5000 {
		hear(n)
	}
	if n := len(tr.publishers); n != 1+limit.RivalPublishers {
		t.Errorf("%d publishers are remembered, want the owner and %d", n, limit.RivalPublishers)
	}
	suspects := len(tr.TakeSuspects())
	if suspects == 0 {
		t.Error("no configuration of a publisher beyond the maximum number is judged alone")
	}
	for range 3 * limit.RivalConfigurations {
		hear(1)
	}
	for _, p := range tr.publishers {
		if p.rival != nil && len(p.rival.waiting) > limit.RivalConfigurations {
			t.Errorf("%d configurations of one publisher wait", len(p.rival.waiting))
		}
	}
	if !strings.Contains(tr.WhyDoubtful(epoch.Add(at)), "publishers measure joints that others own") {
		t.Errorf("doubt %q", tr.WhyDoubtful(epoch.Add(at)))
	}
}
