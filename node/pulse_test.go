package node

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
)

func TestPulse(t *testing.T) {
	type reading struct {
		wall, up time.Duration
		happened string
		set      bool
	}
	for name, readings := range map[string][]reading{
		"regular":               {{25 * ms, 25 * ms, "", false}, {50 * ms, 50 * ms, "", false}, {150 * ms, 150 * ms, "", false}},
		"stopped":               {{25 * ms, 25 * ms, "", false}, {5125 * ms, 5125 * ms, "was paused for 5.100 s", false}, {5150 * ms, 5150 * ms, "", false}},
		"set back":              {{-200 * ms, 25 * ms, "set back by 0.225 s", true}, {-175 * ms, 50 * ms, "", false}},
		"set ahead":             {{200 * ms, 25 * ms, "set ahead by 0.175 s", true}},
		"adjusted a little":     {{100 * ms, 25 * ms, "", false}, {75 * ms, 50 * ms, "", false}},
		"suspended":             {{time.Hour, 25 * ms, "or the machine was suspended", true}},
		"stopped and set back":  {{-time.Hour, time.Second, "was paused for 1.000 s", true}},
		"stopped and set ahead": {{time.Hour, time.Second, "was paused for 1.000 s", true}},
		"set back by the pause": {{0, 5 * time.Second, "was paused for 5.000 s", true}},
	} {
		p := pulse{alive: true, wall: epoch}
		for i, r := range readings {
			happened, set := p.read(epoch.Add(r.wall), r.up, timeout)
			if !strings.Contains(happened, r.happened) || (happened == "") != (r.happened == "") || set != r.set {
				t.Errorf("%s, reading %d: %q, clock set %t; want %q, %t", name, i, happened, set, r.happened, r.set)
			}
		}
	}
	var p pulse
	if happened, _ := p.read(epoch, time.Hour, timeout); happened != "" {
		t.Errorf("%s, though nobody reads regularly", happened)
	}
}

// written gives a message the time at which it was written.
type written struct {
	*sensormsgs.JointState
	source time.Time
}

// stands is a joint state of the carts, stamped and written at t.
func stands(t time.Duration, left, right float64) written {
	return written{joints(t, "left_x right_x", left, right), epoch.Add(t)}
}

func unstamped(t time.Duration, left, right float64) written {
	m := stands(t, left, right)
	m.Header.Stamp = builtininterfaces.Time{}
	return m
}

// beating is a monitor whose process has lived until now; it knows the carts.
func beating(t *testing.T) *watched {
	w := watch(railModel(t))
	w.heartbeat()
	m := stands(0, 0, 0)
	w.receive(m.JointState, m.source)
	wantLevel(t, w.look(), fcmsgs.CollisionStateFree, "")
	return w
}

// After a pause nothing that was measured or written before its end counts.
func TestPause(t *testing.T) {
	const end = 5 * time.Second
	for name, c := range map[string]struct {
		message written
		free    bool
	}{
		"written before":                   {stands(end-90*ms, 0, 0), false},
		"written before, without a stamp":  {unstamped(end-90*ms, 0, 0), false},
		"stamped before and written after": {written{joints(end-ms, "left_x right_x", 0, 0), epoch.Add(end + ms)}, false},
		"written before and stamped after": {written{joints(end+ms, "left_x right_x", 0, 0), epoch.Add(end - ms)}, false},
		"written after":                    {stands(end+ms, 0, 0), true},
		"written after, without a stamp":   {unstamped(end+ms, 0, 0), true},
		"nobody knows when":                {written{joints(end+ms, "left_x right_x", 0, 0), time.Time{}}, false},
	} {
		w := beating(t)
		w.clock = end
		wantLevel(t, w.look(), fcmsgs.CollisionStateUnknown, "this process was paused for 5.000 s; no fresh measurement")
		w.clock += 2 * ms
		w.receive(c.message.JointState, c.message.source)
		if s := w.look(); (s.Level == fcmsgs.CollisionStateFree) != c.free {
			t.Errorf("%s: level %d because %q", name, s.Level, s.Reason)
		}
		if got := len(w.measured()); (got > 0) != c.free {
			t.Errorf("%s: %d joints are measured", name, got)
		}
	}
}

// Whoever runs first after a pause finds it.
func TestPauseIsFoundByAnybody(t *testing.T) {
	for name, run := range map[string]func(w *watched){
		"joint state": func(w *watched) {
			m := stands(w.clock-ms, 0, 0)
			w.receive(m.JointState, m.source)
		},
		"question": func(w *watched) {
			if n := len(w.measured()); n > 0 {
				t.Errorf("%d joints are known", n)
			}
		},
		"heartbeat": func(w *watched) { w.heartbeat() },
		"step":      func(w *watched) { w.step(context.Background(), false) },
	} {
		w := beating(t)
		w.clock = time.Second
		run(w)
		wantLevel(t, w.look(), fcmsgs.CollisionStateUnknown, "was paused for 1.000 s")
		if w.era != 1 {
			t.Errorf("%s: %d pauses", name, w.era)
		}
	}
}

// A pause is told even if the robot is measured again before the next step.
func TestPauseIsToldBeforeWhatCameSince(t *testing.T) {
	for _, contact := range []bool{false, true} {
		w := beating(t)
		w.clock = time.Second
		w.heartbeat()
		m, level := stands(w.clock+ms, 0, 0), fcmsgs.CollisionStateFree
		if contact {
			m, level = stands(w.clock+ms, 0, 2), fcmsgs.CollisionStateCollision
		}
		w.clock += 2 * ms
		w.receive(m.JointState, m.source)
		from := len(w.said)
		w.look()
		if said := w.said[from:]; len(said) != 2 {
			t.Fatalf("%d states", len(said))
		}
		wantLevel(t, w.said[from], fcmsgs.CollisionStateUnknown, "this process was paused for 1.000 s")
		wantCounts(t, w.said[from], 0, 1)
		wantLevel(t, w.said[from+1], level, "")
		w.clock += 2 * ms
		m = stands(w.clock, 0, 0)
		w.receive(m.JointState, m.source)
		if w.look(); len(w.said) != from+3 {
			t.Errorf("it is told again: %q", w.said[from+2].Reason)
		}
	}
}

// A pause is told whatever was said last: also where that is a contact of measurements that were stale by then.
func TestPauseIsToldAfterAStaleContact(t *testing.T) {
	w := beating(t)
	m := stands(ms, 0, 2)
	w.clock = ms
	w.receive(m.JointState, m.source)
	wantLevel(t, w.look(), fcmsgs.CollisionStateCollision, "")
	w.state = nil // as after one that was judged too late
	w.clock = time.Second
	w.heartbeat()
	from := len(w.said)
	w.step(context.Background(), false)
	if len(w.said) != from+1 {
		t.Fatalf("%d states after the pause", len(w.said)-from)
	}
	wantLevel(t, w.said[from], fcmsgs.CollisionStateUnknown, "was paused for 0.999 s")
	m = stands(w.clock+ms, 0, 0)
	w.clock += 2 * ms
	w.receive(m.JointState, m.source)
	wantLevel(t, w.look(), fcmsgs.CollisionStateFree, "")
}

// What was judged when the process was stopped is not told, a contact neither.
func TestPauseWhileJudging(t *testing.T) {
	for _, right := range []float64{0, 4} {
		w := beating(t)
		m := stands(ms, 0, right)
		w.clock = ms
		w.receive(m.JointState, m.source)
		w.step(&meanwhile{context.Background(), func() { w.clock = time.Second }}, false)
		wantLevel(t, w.said[len(w.said)-1], fcmsgs.CollisionStateUnknown, "was paused, or a clock was set or stood still, while this state was judged")
		wantLevel(t, w.look(), fcmsgs.CollisionStateUnknown, "was paused for 0.999 s")
	}
}

// What waited when the process was stopped is not judged, and the way across the pause is
// not known.
func TestPauseBreaksTheChain(t *testing.T) {
	w := beating(t)
	m := stands(ms, 0, 4)
	w.clock = ms
	w.receive(m.JointState, m.source)
	w.clock = 60 * ms
	w.heartbeat()
	w.clock = time.Second
	wantLevel(t, w.look(), fcmsgs.CollisionStateUnknown, "was paused for 0.940 s")
	m = stands(w.clock+ms, 0, 1.85)
	w.clock += 2 * ms
	w.receive(m.JointState, m.source)
	s := w.look()
	wantLevel(t, s, fcmsgs.CollisionStateWarn, "right and wall")
	wantCounts(t, s, 0, 2)
}

// A clock that was set back makes old measurements look fresh.
func TestClockIsSet(t *testing.T) {
	for _, by := range []time.Duration{-4900 * ms, 4900 * ms} {
		w := beating(t)
		up := w.clock
		w.up = func() time.Duration { return up }
		w.clock += by
		wantLevel(t, w.look(), fcmsgs.CollisionStateUnknown, "the clock was set")
		// It waited since before; nobody can tell.
		m := stands(w.clock+ms, 0, 0)
		w.clock, up = w.clock+2*ms, up+2*ms
		w.receive(m.JointState, m.source)
		wantLevel(t, w.look(), fcmsgs.CollisionStateUnknown, "the clock was set")
		for range 40 { // what waited has come by now
			w.clock, up = w.clock+25*ms, up+25*ms
			w.heartbeat()
		}
		m = stands(w.clock, 0, 0)
		w.receive(m.JointState, m.source)
		wantLevel(t, w.look(), fcmsgs.CollisionStateFree, "")
	}
	// Stopped for 5 s, and set back by as much: by the wall clock no time has passed.
	w := beating(t)
	w.up = func() time.Duration { return 5 * time.Second }
	wantLevel(t, w.look(), fcmsgs.CollisionStateUnknown, "was paused for 5.000 s")
}

// A state that was on its way to the network when the process was stopped is taken back
// as soon as it goes on.
func TestStateIsTakenBack(t *testing.T) {
	for _, alive := range []bool{true, false} {
		w := watch(railModel(t))
		if alive {
			w.heartbeat()
		}
		w.receive(joints(0, "left_x right_x", 0, 0), time.Time{})
		publish := w.publish
		w.publish = func(s *fcmsgs.CollisionState) {
			publish(s)
			w.clock = 5 * time.Second
		}
		w.step(context.Background(), false)
		if len(w.said) != 2 || w.said[0].Level != fcmsgs.CollisionStateFree {
			t.Fatalf("said %d states", len(w.said))
		}
		reason := "behind this state are 5.000 s old"
		if alive {
			reason = "was paused, or a clock was set or stood still, while this state was published"
		}
		wantLevel(t, w.said[1], fcmsgs.CollisionStateUnknown, reason)
	}
}

// The node's own heartbeat keeps silence from being taken for a pause.
func TestSilenceIsNoPause(t *testing.T) {
	t.Parallel()
	w := watch(railModel(t))
	ctx, stop := context.WithCancel(context.Background())
	begin := time.Now()
	w.now, w.up = time.Now, func() time.Duration { return time.Since(begin) }
	w.limits.timeout = time.Second
	done := make(chan error)
	go func() { done <- w.live(ctx) }()
	time.Sleep(1500 * ms)
	w.receive(carts2(0, 0), time.Now())
	if w.era != 0 {
		t.Errorf("%d pauses", w.era)
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
