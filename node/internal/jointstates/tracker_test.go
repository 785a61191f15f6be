package jointstates

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/node/ros"

	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
)

const timeout = 100 * time.Millisecond

var epoch = time.Unix(1_700_000_000, 0)

// joints is a joint state stamped at t, which counts from epoch.
func joints(t time.Duration, names string, positions ...float64) *sensormsgs.JointState {
	m := &sensormsgs.JointState{Name: strings.Fields(names), Position: positions}
	m.Header.Stamp = builtininterfaces.TimeOf(epoch.Add(t))
	return m
}

// update hears a message of the only publisher that there is.
func (t *Tracker) update(m *sensormsgs.JointState, source, now time.Time) (s *Sample, broken bool) {
	return t.Hear(m, ros.MessageInfo{SourceTime: source}, now)
}

// event is one message and what the tracker of joints a, b and c, of a robot that
// also has the mimic joint m, makes of it.
type event struct {
	at       time.Duration // received
	message  *sensormsgs.JointState
	complete bool
	broken   bool
	unknown  string // afterwards, a part of the reason; empty: the configuration is known
}

const ms = time.Millisecond

func TestTracker(t *testing.T) {
	all := func(at time.Duration) *sensormsgs.JointState { return joints(at, "a b c", 1, 2, 3) }
	unstamped := all(0)
	unstamped.Header.Stamp = builtininterfaces.Time{}
	for name, events := range map[string][]event{
		"one message for all": {
			{0, all(0), true, false, ""},
			{10 * ms, all(10 * ms), true, false, ""},
		},
		"parts from two publishers": {
			{0, joints(0, "a b", 1, 2), false, false, "no fresh measurement of c"},
			{5 * ms, joints(5*ms, "c", 3), true, false, ""},
			{10 * ms, joints(10*ms, "b a", 2, 1), true, false, ""},
		},
		"a part goes stale": {
			{0, all(0), true, false, ""},
			{60 * ms, joints(60*ms, "a b", 1, 2), true, false, ""},
			{120 * ms, joints(120*ms, "a b", 1, 2), false, false, "no fresh measurement of c"},
			{130 * ms, joints(130*ms, "c", 3), true, true, ""},
		},
		"silence": {
			{0, all(0), true, false, ""},
			{10 * time.Second, all(10 * time.Second), true, true, ""},
		},
		"fewer positions than names": {
			{0, all(0), true, false, ""},
			{10 * ms, joints(10*ms, "a b c", 1, 2), false, true, "3 names but 2 positions; no fresh measurement of a, b, c"},
			{20 * ms, all(20 * ms), true, false, ""},
		},
		"NaN": {
			{0, all(0), true, false, ""},
			{10 * ms, joints(10*ms, "a b", 1, math.NaN()), false, true, "joint b the position NaN; no fresh measurement of a, b"},
			{20 * ms, joints(20*ms, "c", 3), false, false, "joint b the position NaN"},
			{30 * ms, joints(30*ms, "a", 1), false, false, "no fresh measurement of b"},
			{40 * ms, joints(40*ms, "b", 2), true, false, ""},
		},
		"infinity": {
			{0, joints(0, "a b c", 1, math.Inf(-1), 3), false, true, "joint b the position -Inf"},
		},
		"NaN where nobody looks": {
			{0, joints(0, "a b c m gripper", 1, 2, 3, math.NaN(), math.NaN()), true, false, ""},
		},
		"a position beyond what can be judged": {
			{0, all(0), true, false, ""},
			{10 * ms, joints(10*ms, "a b c", 1, 1e300, 3), false, true, "joint b the position 1e+300, beyond 1e+06 rad or m"},
			{20 * ms, joints(20*ms, "a b c", 1, -1.1e6, 3), false, true, "joint b the position -1.1e+06"},
			{30 * ms, all(30 * ms), true, false, ""},
		},
		"a joint named twice": {
			{0, joints(0, "a b c a", 1, 2, 3, 1), false, true, "joint a twice"},
		},
		"other joints of ours and others'": {
			{0, joints(0, "m a b c gripper", 9, 1, 2, 3, 9), true, false, ""},
			{10 * ms, joints(10*ms, "gripper m", 9, 9), false, false, ""},
		},
		"others' faults": {
			{0, all(0), true, false, ""},
			{10 * ms, joints(10*ms, "gripper", math.NaN()), false, false, ""},
			{10 * ms, joints(-10*time.Second, "gripper", 1, 2), false, false, ""},
		},
		"no positions": {
			{0, joints(0, "a b c"), false, false, "no fresh measurement of a, b, c"},
			{10 * ms, all(10 * ms), true, false, ""},
			{20 * ms, joints(20*ms, "a b c"), false, false, ""},
		},
		"no names": {
			{0, joints(0, "", 1, 2, 3), false, false, "no fresh measurement of a, b, c"},
		},
		"stamped in the past": {
			{0, all(0), true, false, ""},
			{200 * ms, all(99 * ms), false, true, "0.101 s in the past"},
			{210 * ms, all(111 * ms), true, false, ""},
		},
		"stamped in the future": {
			{0, all(101 * ms), false, true, "0.101 s in the future"},
			{0, all(99 * ms), true, false, ""},
		},
		"neither a stamp nor a source time": {
			{0, all(0), true, false, ""},
			{10 * ms, unstamped, false, true, "neither a stamp nor a source time"},
			{20 * ms, all(20 * ms), true, false, ""},
		},
		"time runs backwards": {
			{50 * ms, all(50 * ms), true, false, ""},
			{51 * ms, all(20 * ms), false, true, "runs backwards: joint a is stamped 0.030000 s before"},
			{60 * ms, all(21 * ms), true, false, ""},
		},
		"time runs backwards for one joint": {
			{50 * ms, all(50 * ms), true, false, ""},
			{51 * ms, joints(20*ms, "c", 3), false, true, "joint c"},
			{52 * ms, joints(52*ms, "c", 3), false, false, "no fresh measurement of a, b"},
			{53 * ms, joints(53*ms, "a b", 1, 2), true, false, ""},
		},
		"the same stamp twice": {
			{0, all(0), true, false, ""},
			{1 * ms, all(0), true, false, ""},
		},
	} {
		t.Run(name, func(t *testing.T) {
			tracker := NewTracker([]string{"a", "b", "c"}, []string{"m"}, timeout)
			for i, e := range events {
				now := epoch.Add(e.at)
				s, broken := tracker.update(e.message, time.Time{}, now)
				if s != nil && !slices.Equal(s.Position, []float64{1, 2, 3}) {
					t.Errorf("message %d: positions %v", i, s.Position)
				}
				reason, missing := tracker.WhyUnknown(now)
				if (s != nil) != e.complete || broken != e.broken || (reason == "") != (e.unknown == "") || !strings.Contains(reason, e.unknown) || (reason == "") != (len(missing) == 0) {
					t.Errorf("message %d: complete %t, broken %t, unknown %q, missing %v; want %t, %t, %q", i, s != nil, broken, reason, missing, e.complete, e.broken, e.unknown)
				}
			}
		})
	}
}

func TestSampleBearsTheOldestStamp(t *testing.T) {
	tracker := NewTracker([]string{"a", "b"}, nil, timeout)
	tracker.update(joints(10*ms, "a", 1), time.Time{}, epoch.Add(10*ms))
	s, _ := tracker.update(joints(30*ms, "b", 1), time.Time{}, epoch.Add(32*ms))
	if got := s.Stamp.Sub(epoch); got != 10*ms {
		t.Errorf("stamp %v, want 10 ms", got)
	}
	if got := s.Oldest.Sub(epoch); got != 10*ms {
		t.Errorf("oldest %v, want 10 ms", got)
	}
}

func TestJointIsStaleByEitherClock(t *testing.T) {
	tracker := NewTracker([]string{"a"}, nil, timeout)
	tracker.update(joints(0, "a", 1), time.Time{}, epoch.Add(60*ms))
	if reason, _ := tracker.WhyUnknown(epoch.Add(100 * ms)); reason != "" {
		t.Errorf("after 100 ms: %s", reason)
	}
	if reason, _ := tracker.WhyUnknown(epoch.Add(101 * ms)); reason == "" {
		t.Error("a measurement is believed 101 ms after it was made")
	}
	tracker.update(joints(190*ms, "a", 1), time.Time{}, epoch.Add(110*ms))
	if reason, _ := tracker.WhyUnknown(epoch.Add(211 * ms)); reason == "" {
		t.Error("a measurement is believed 101 ms after it came")
	}
}

func TestUnknownNamesAreToldOnceAndBounded(t *testing.T) {
	tracker := NewTracker([]string{"a"}, nil, timeout)
	for range 2 {
		tracker.update(joints(0, "a x y", 1, 2, 3), time.Time{}, epoch)
	}
	if got := tracker.Unknown(); !slices.Equal(got, []string{"x", "y"}) {
		t.Errorf("told %v, want x and y once", got)
	}
	if got := tracker.Unknown(); got != nil {
		t.Errorf("told again: %v", got)
	}
	for i := range 10 * limit.UnknownNames {
		tracker.update(joints(0, fmt.Sprintf("a n%d", i), 1, 2), time.Time{}, epoch)
	}
	if n := len(tracker.Unknown()); n > limit.UnknownNames || len(tracker.unknownNames) > limit.UnknownNames {
		t.Errorf("%d names are remembered, %d told: want at most %d", len(tracker.unknownNames), n, limit.UnknownNames)
	}
}

func TestTrackerKeepsUp(t *testing.T) {
	names := make([]string, 30)
	for i := range names {
		names[i] = fmt.Sprintf("j%d", i)
	}
	tracker := NewTracker(names, nil, timeout)
	m := joints(0, strings.Join(names, " "), make([]float64, 30)...)
	if n := testing.AllocsPerRun(100, func() { tracker.update(m, time.Time{}, epoch) }); n > 2 {
		t.Errorf("%g allocations for a message, want the sample and its positions", n)
	}
}

// An unstamped message lives by when it was written, not by when a callback runs: what
// waited while the process was stopped is stale. A stamped one lives by both.
func TestSourceTime(t *testing.T) {
	unstamped := joints(0, "a", 1)
	unstamped.Header.Stamp = builtininterfaces.Time{}
	for _, c := range []struct {
		name        string
		m           *sensormsgs.JointState
		source, now time.Duration
		unknown     string
	}{
		{"unstamped and fresh", unstamped, 0, 90 * ms, ""},
		{"unstamped after a pause", unstamped, 0, 5 * time.Second, "written 5.000 s in the past"},
		{"unstamped from a clock ahead", unstamped, time.Second, 0, "in the future"},
		{"a fresh stamp on an old message", joints(5*time.Second, "a", 1), 0, 5 * time.Second, "written 5.000 s in the past"},
		{"an old stamp on a fresh message", joints(0, "a", 1), 5 * time.Second, 5 * time.Second, "stamped 5.000 s in the past"},
	} {
		tracker := NewTracker([]string{"a"}, nil, timeout)
		s, _ := tracker.update(c.m, epoch.Add(c.source), epoch.Add(c.now))
		reason, _ := tracker.WhyUnknown(epoch.Add(c.now))
		if (s != nil) != (c.unknown == "") || !strings.Contains(reason, c.unknown) || (reason == "") != (c.unknown == "") {
			t.Errorf("%s: complete %t, %q", c.name, s != nil, reason)
		}
	}
	// Age counts from the oldest of all.
	tracker := NewTracker([]string{"a", "b"}, nil, timeout)
	tracker.update(joints(20*ms, "a", 1), epoch.Add(10*ms), epoch.Add(40*ms))
	s, _ := tracker.update(joints(30*ms, "b", 1), epoch.Add(35*ms), epoch.Add(50*ms))
	if s == nil || !s.Oldest.Equal(epoch.Add(10*ms)) || !s.Source.Equal(epoch.Add(10*ms)) || !s.Stamp.Equal(epoch.Add(20*ms)) {
		t.Errorf("sample %+v", s)
	}
}

// One publisher costs no more than before there could be several.
func BenchmarkHear(b *testing.B) {
	names := make([]string, 30)
	for i := range names {
		names[i] = fmt.Sprintf("j%d", i)
	}
	t := NewTracker(names, nil, timeout)
	var m sensormsgs.JointState = *joints(0, strings.Join(names, " "), make([]float64, 30)...)
	for b.Loop() {
		t.Hear(&m, ros.MessageInfo{Writer: ros.GUID{1}, SourceTime: epoch}, epoch)
	}
}
