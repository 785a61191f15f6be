package node

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// guid is the nth publisher.
func guid(n int) ros.GUID { return ros.GUID{1, 15: byte(n), 14: byte(n >> 8)} }

// from takes a message of the nth publisher that was stamped ahead of the clock.
func (w *watched) from(n int, ahead time.Duration, names string, positions ...float64) {
	w.hear(joints(w.clock+ahead, names, positions...), ros.MessageInfo{Writer: guid(n)})
}

const both = "left_x right_x"

// The robot is in collision, and another publisher says otherwise.
const hit, clear_ = -0.9, 0.0

// wantContact does not ask for distances: of other publishers they may not be known.
func wantContact(t *testing.T, s *fcmsgs.CollisionState, reason string) {
	t.Helper()
	if s.Level != fcmsgs.CollisionStateCollision || !strings.Contains(s.Reason, reason) {
		t.Errorf("level %d because %q, want contact because %q", s.Level, s.Reason, reason)
	}
}

func (w *watched) wantNever(t *testing.T, said int, levels ...uint8) {
	t.Helper()
	for _, s := range w.said[said:] {
		if slices.Contains(levels, s.Level) {
			t.Fatalf("level %d because %q", s.Level, s.Reason)
		}
	}
}

func (w *watched) count(from int) map[uint8]int {
	levels := map[uint8]int{}
	for _, s := range w.said[from:] {
		levels[s.Level]++
	}
	return levels
}

// A publisher whose stamps are ahead, at any rate, hides no contact that another measures:
// whoever was first.
func TestSecondPublisherHidesNoContact(t *testing.T) {
	race.LeaveOut(t)
	m := railModel(t)
	for _, rate := range []int{100, 200, 1000} {
		for _, ahead := range []time.Duration{0, 50 * ms, 95 * ms} {
			for _, first := range []int{1, 2} {
				t.Run(fmt.Sprintf("%d Hz, %v ahead, %d first", rate, ahead, first), func(t *testing.T) {
					w := watch(m)
					w.from(first, 0, both, 0, []float64{0, hit, clear_}[first])
					for i := range 1000 {
						w.clock += ms
						if i%(1000/rate) == 0 {
							w.from(2, ahead, both, 0, clear_)
						}
						if i%10 == 3 {
							w.from(1, 0, both, 0, hit)
						}
						w.look()
						if i > 20 && i%10 == 4 {
							wantContact(t, w.said[len(w.said)-1], "touch")
						}
					}
					levels := w.count(20)
					if levels[levelFree]+levels[fcmsgs.CollisionStateWarn]+levels[fcmsgs.CollisionStateStop] > 0 || levels[fcmsgs.CollisionStateCollision] < 900 {
						t.Errorf("levels %v", levels)
					}
					if s := w.said[len(w.said)-1]; len(s.JointStateConflicts) != 1 || !strings.Contains(s.JointStateConflicts[0], guid(3-first).String()+": left_x, right_x") {
						t.Errorf("conflicts %q", s.JointStateConflicts)
					}
					if errors := w.errors(); len(errors) != 1 || !strings.Contains(errors[0], "publishes left_x, right_x, which") {
						t.Errorf("errors %q", errors)
					}
				})
			}
		}
	}
}

// errors are the notices of that level, as the log would have them.
func (w *watched) errors() (texts []string) {
	notices, _ := w.takeNotices()
	for _, n := range notices {
		if n.Level == ros.LevelError {
			texts = append(texts, n.Text(w.nameOf))
		}
	}
	return texts
}

// Publishers of different joints are no rivals.
func TestHonestPublishers(t *testing.T) {
	w := watch(railModel(t))
	for i := range 100 {
		w.clock += 5 * ms
		w.from(1, -3*ms, "left_x", 0)
		w.from(2, 20*ms, "right_x", 0)
		if s := w.look(); i > 0 && (s.Level != levelFree || s.JointStateConflicts != nil) {
			t.Fatalf("level %d because %q, conflicts %q", s.Level, s.Reason, s.JointStateConflicts)
		}
	}
	if notices, _ := w.takeNotices(); len(notices) > 0 {
		t.Errorf("notices: %s", notices[0].Text(w.nameOf))
	}
	wantCounts(t, w.look(), 198, 0)
}

// What repeats another publisher's values changes no level, and is a rival all the same.
func TestRelay(t *testing.T) {
	w := watch(railModel(t))
	for _, right := range []float64{0, -0.76, -0.795, hit} {
		w.clock += 10 * ms
		w.from(1, 0, both, 0, right)
		w.from(2, 0, both, 0, right)
		if s := w.look(); gap(0, right) > 0 && (s.Level == levelUnknown || s.Level == fcmsgs.CollisionStateCollision) || len(s.JointStateConflicts) != 1 {
			t.Errorf("level %d because %q, conflicts %q", s.Level, s.Reason, s.JointStateConflicts)
		}
	}
	wantContact(t, w.look(), "touch")
	if len(w.errors()) != 1 {
		t.Error("a relay is not told of")
	}
}

// A publisher restarts: with a new GUID, within the timeout or after it, or with the same.
func TestHandover(t *testing.T) {
	m := railModel(t)
	after := func(t *testing.T, w *watched, unchecked uint64) {
		t.Helper()
		w.clock += ms
		w.from(2, 0, both, 0, 0)
		wantLevel(t, w.look(), levelUnknown, "in place of another")
		w.clock += ms
		w.from(2, 0, both, 0, 0)
		s := w.look()
		wantLevel(t, s, levelFree, "")
		wantCounts(t, s, 0, unchecked)
		if s.JointStateConflicts != nil {
			t.Errorf("conflicts %q", s.JointStateConflicts)
		}
		notices, _ := w.takeNotices()
		last := notices[len(notices)-1]
		if text := last.Text(w.nameOf); last.Level != ros.LevelInfo || !strings.Contains(text, guid(2).String()+" measures left_x, right_x from now on") {
			t.Errorf("notice %q", text)
		}
	}
	t.Run("after the timeout", func(t *testing.T) {
		w := watch(m)
		w.from(1, 0, both, 0, 0)
		w.look()
		w.clock += timeout
		after(t, w, 1)
	})
	t.Run("within the timeout", func(t *testing.T) {
		w := watch(m)
		w.from(1, 0, both, 0, 0)
		wantLevel(t, w.look(), levelFree, "")
		for w.clock < 100*ms {
			w.clock += 10 * ms
			w.from(2, 0, both, 0, 0)
			s := w.look()
			if len(s.JointStateConflicts) != 1 {
				t.Errorf("at %v: conflicts %q", w.clock, s.JointStateConflicts)
			}
		}
		after(t, w, 1)
	})
	t.Run("at once, where the transport has lost it", func(t *testing.T) {
		w := watch(m)
		w.from(1, 0, both, 0, 0)
		w.clock += 10 * ms
		w.from(2, 0, both, 0, 0)
		w.look()
		w.matched([]ros.GUID{guid(2)})
		after(t, w, 1)
	})
	t.Run("what the one before measured stands for the timeout", func(t *testing.T) {
		w := watch(m)
		w.from(1, 0, both, 0, hit)
		w.look()
		w.clock = 10 * ms
		w.from(2, 0, both, 0, 0)
		w.matched([]ros.GUID{guid(2)})
		for w.clock < 100*ms {
			w.clock += 10 * ms
			w.from(2, 0, both, 0, 0)
			wantContact(t, w.look(), "touch")
		}
		w.clock += 10 * ms
		w.from(2, 0, both, 0, 0)
		wantLevel(t, w.look(), levelFree, "")
	})
	t.Run("nor is it forgotten for a fault of the next", func(t *testing.T) {
		w := watch(m)
		w.from(1, 0, both, 0, hit)
		w.look()
		w.matched([]ros.GUID{guid(2)})
		w.clock = 10 * ms
		w.from(2, 0, both, 0, math.NaN())
		w.from(2, 0, both, 0, 0)
		wantContact(t, w.look(), "touch")
	})
	t.Run("nor what the next measured as a rival", func(t *testing.T) {
		w := watch(m)
		w.from(1, 0, both, 0, 0)
		w.from(2, 0, both, 0, hit)
		w.matched([]ros.GUID{guid(2)})
		w.from(2, 0, both, 0, 0)
		wantContact(t, w.look(), "touch")
		w.from(2, 0, both, 0, 0)
		wantContact(t, w.look(), "touch")
	})
	t.Run("the same GUID", func(t *testing.T) {
		w := watch(m)
		say := func(sequence uint64, right float64) *fcmsgs.CollisionState {
			w.clock += ms
			w.hear(joints(w.clock, both, 0, right), ros.MessageInfo{Writer: guid(1), Sequence: sequence})
			return w.look()
		}
		say(500, 0)
		wantLevel(t, say(501, 0), levelFree, "")
		wantLevel(t, say(1, 4), levelUnknown, "restarted")
		wantLevel(t, say(2, 4), levelFree, "") // the way through the wall is not known
		wantContact(t, say(1, hit), "")
	})
}

// A configuration that is stamped before what is known is judged, and not only refused.
func TestRunningBackwardsHidesNoContact(t *testing.T) {
	w := watch(railModel(t))
	w.clock = 50 * ms
	w.from(1, 0, both, 0, 0)
	wantLevel(t, w.look(), levelFree, "")
	w.from(1, -10*ms, both, 0, hit)
	wantContact(t, w.look(), "touch")
	w.from(1, -20*ms, both, 0, 0)
	wantContact(t, w.look(), "touch") // for the timeout
	w.clock = 150 * ms
	w.from(1, 0, both, 0, 0)
	wantContact(t, w.look(), "touch")
	w.clock = 151 * ms
	wantLevel(t, w.look(), levelFree, "")
	w.from(1, -20*ms, both, 0, 0)
	wantLevel(t, w.look(), levelUnknown, "time runs backwards")
}

// Faults of one publisher forget nothing that another measures, and make nothing better.
func TestFaultsOfRivals(t *testing.T) {
	m := railModel(t)
	for name, fault := range map[string]func(*watched){
		"NaN":                   func(w *watched) { w.from(2, 0, both, 0, math.NaN()) },
		"fewer positions":       func(w *watched) { w.from(2, 0, both, 0) },
		"stale":                 func(w *watched) { w.from(2, -time.Second, both, 0, 0) },
		"future":                func(w *watched) { w.from(2, time.Second, both, 0, 0) },
		"twice":                 func(w *watched) { w.from(2, 0, "left_x left_x", 0, 0) },
		"backwards":             func(w *watched) { w.from(2, 0, both, 0, 0); w.from(2, -ms, both, 0, 0) },
		"part of the joints":    func(w *watched) { w.from(2, 0, "left_x", math.Inf(1)) },
		"of a joint of its own": func(w *watched) { w.from(2, 0, "left_x gripper", math.NaN(), 1) },
	} {
		t.Run(name, func(t *testing.T) {
			w := watch(m)
			for range 50 {
				w.clock += 4 * ms
				w.from(1, 0, both, 0, 0)
				fault(w)
				w.clock += ms
				wantLevel(t, w.look(), levelUnknown, "")
				w.clock += ms // what the owner says next refutes nothing
				w.from(1, 0, both, 0, 0)
				wantLevel(t, w.look(), levelUnknown, "")
			}
			s := w.look()
			if s.MotionsUnchecked != 0 || s.MotionsChecked != 99 || len(s.JointStateConflicts) != 1 {
				t.Errorf("%d motions checked, %d not, conflicts %q", s.MotionsChecked, s.MotionsUnchecked, s.JointStateConflicts)
			}
			w.clock += ms
			w.from(1, 0, both, 0, hit)
			wantContact(t, w.look(), "touch")
			for range 22 { // the rival is silent
				w.clock += 5 * ms
				w.from(1, 0, both, 0, 0)
			}
			w.look() // the way out of the contact
			w.clock += ms
			w.from(1, 0, both, 0, 0)
			s = w.look()
			wantLevel(t, s, levelFree, "")
			if s.JointStateConflicts != nil {
				t.Errorf("conflicts %q", s.JointStateConflicts)
			}
		})
	}
}

// Of two publishers that contradict each other the worse level counts, and what is known of
// the distances is the less.
func TestWorseLevelCounts(t *testing.T) {
	m := railModel(t)
	at := map[uint8]float64{levelFree: -0.4, fcmsgs.CollisionStateWarn: -0.76, fcmsgs.CollisionStateStop: -0.795}
	for own, x := range at {
		for other, y := range at {
			w := watch(m)
			w.clock = 20 * ms
			w.from(1, 0, both, 0, x)
			w.from(2, -10*ms, both, 0, y)
			s := w.look()
			wantLevel(t, s, max(own, other), "")
			if want := min(gap(0, x), gap(0, y)); s.DistanceLower > want+1e-9 || !s.Stopped && s.DistanceLower < want*(1-2*tolerance) || s.DistanceUpper < want-1e-9 {
				t.Errorf("levels %d and %d: distance %g to %g, want %g", own, other, s.DistanceLower, s.DistanceUpper, want)
			}
			if stamp := s.Header.Stamp.Time().Sub(epoch); stamp != 10*ms {
				t.Errorf("stamp %v, want that of the older", stamp)
			}
			w.clock = 111 * ms // the rival's configuration is too old, but it was heard
			w.from(1, 0, both, 0, x)
			wantLevel(t, w.look(), levelUnknown, "publisher "+guid(2).String())
			w.clock = 121 * ms
			wantLevel(t, w.look(), own, "")
		}
	}
}

// A rival that comes while the owner's configuration is judged is not judged yet.
func TestRivalMeanwhile(t *testing.T) {
	w := watch(railModel(t))
	w.from(1, 0, both, 0, 0)
	come := true
	w.step(&meanwhile{context.Background(), func() {
		if come {
			come = false
			w.from(2, 0, both, 0, -0.4)
		}
	}}, true)
	wantLevel(t, w.said[len(w.said)-1], levelUnknown, "are not judged yet")
	wantLevel(t, w.look(), levelFree, "")
}

// A rival that measures a part of the joints counts with the others' as their owner measures
// them, also where only those move.
func TestRivalOfAPart(t *testing.T) {
	w := watch(railModel(t))
	w.from(1, 0, both, 0, 0)
	w.from(2, 0, "right_x", -0.4)
	wantLevel(t, w.look(), levelFree, "")
	w.clock += ms
	w.from(1, 0, both, 0.5, 0.5)
	wantContact(t, w.look(), "measured by publisher "+guid(2).String())
}

// A rival that owns the other joint moves it: both together are its configuration, too.
func TestRivalMovesItsOwnJoint(t *testing.T) {
	w := watch(railModel(t))
	w.from(0, 0, "left_x", 4)
	w.from(1, 0, both, 0, 0)
	w.look()
	w.from(1, 0, "right_x", -0.9)
	if s := w.look(); s.Level != fcmsgs.CollisionStateCollision {
		t.Errorf("level %d (%s) where a publisher measures a contact in two messages", s.Level, s.Reason)
	}
}

// The motion between two configurations of a rival is judged, whether both wait or one was
// judged before; but not across a fault.
func TestMotionOfARival(t *testing.T) {
	for _, look := range []bool{false, true} {
		for _, fault := range []bool{false, true} {
			w := watch(railModel(t))
			w.from(1, 0, both, 0, 0)
			w.from(2, 0, both, 0, 0)
			if look {
				w.look()
			}
			if fault {
				w.from(2, 0, both, 0, math.NaN())
			}
			w.clock += ms
			w.from(2, 0, both, 0, 4)
			if s := w.look(); fault {
				wantLevel(t, s, levelFree, "")
			} else {
				wantContact(t, s, "right and wall touch on the motion")
			}
		}
	}
}

// Two rivals are not combined: nothing is free.
func TestSeveralRivals(t *testing.T) {
	w := watch(railModel(t))
	for range 10 {
		w.clock += 5 * ms
		for n := range 3 {
			w.from(n, 0, both, 0, 0)
		}
		s := w.look()
		wantLevel(t, s, levelUnknown, "2 publishers measure joints")
		if len(s.JointStateConflicts) != 2 {
			t.Errorf("conflicts %q", s.JointStateConflicts)
		}
	}
	w.from(2, 0, both, 0, hit)
	wantContact(t, w.look(), "touch")
}

// However many publishers come, and for however long, what is remembered of them is
// bounded, and a contact is found.
func TestManyPublishers(t *testing.T) {
	w := watch(railModel(t))
	for n := range 5000 {
		w.clock += ms / 4
		if n%40 == 0 {
			w.from(0, 0, both, 0, hit)
		}
		w.from(1+n, 95*ms, both, 0, 0)
		if n%40 == 39 {
			wantContact(t, w.look(), "touch")
		}
	}
	w.wantNever(t, 0, levelFree)
	notices, dropped := w.takeNotices()
	if len(notices) > limit.PublisherNotices || dropped == 0 {
		t.Errorf("%d notices, %d dropped", len(notices), dropped)
	}
}

// A flood of configurations that are not looked at is never taken for their absence.
func TestFloodOfARival(t *testing.T) {
	w := watch(railModel(t))
	w.from(1, 0, both, 0, 0)
	w.from(2, 0, both, 0, hit)
	for range 3 * limit.RivalConfigurations {
		w.clock += ms / 100
		w.from(2, 0, both, 0, 0)
	}
	wantLevel(t, w.look(), levelUnknown, "not been judged")
}

func TestExclusive(t *testing.T) {
	w := watch(railModel(t))
	w.limits.exclusive = true
	w.use(w.model, "")
	for range 3 {
		w.clock += ms
		w.from(1, 0, "left_x", 0)
		w.from(2, 0, "right_x", 0)
		s := w.look()
		wantLevel(t, s, levelUnknown, "no fresh measurement of right_x")
		if len(s.JointStateConflicts) != 1 {
			t.Errorf("conflicts %q", s.JointStateConflicts)
		}
	}
	w.clock += 200 * ms
	w.from(1, 0, both, 0, 0)
	w.matched([]ros.GUID{guid(1), guid(3)})
	s := w.look()
	wantLevel(t, s, levelFree, "")
	if len(s.JointStateConflicts) != 1 || !strings.Contains(s.JointStateConflicts[0], guid(3).String()) {
		t.Errorf("conflicts %q", s.JointStateConflicts)
	}
	if errors := w.errors(); len(errors) != 2 || !strings.Contains(errors[1], "joint_states.exclusive") {
		t.Errorf("errors %q", errors)
	}
}

// Questions do not stand on joints that are contested.
func TestContestedJointsAreNotMeasured(t *testing.T) {
	w := watch(railModel(t))
	w.from(1, 0, both, 0, 0)
	w.from(2, 0, "right_x", 0)
	if got := w.measured(); len(got) != 1 {
		t.Errorf("measured %v", got)
	}
	if got, _ := w.stamped(); len(got) != 1 {
		t.Errorf("measured %v", got)
	}
}

func TestClockOffset(t *testing.T) {
	for _, c := range []struct {
		offset, latency time.Duration // of the publisher's clock; the node's is right
		told            string
	}{
		{0, ms, ""},
		{-20 * ms, 4 * ms, ""},
		{-25 * ms, ms, "stamps its joint states at least 0.026 s before they arrive"},
		{30 * ms, ms, "in the future: its clock is ahead by at least 0.029 s"},
		{200 * ms, ms, "in the future: its clock is ahead by at least 0.199 s"},
		{-200 * ms, ms, "stamps its joint states at least 0.201 s before they arrive"},
	} {
		t.Run(c.offset.String(), func(t *testing.T) {
			w := watch(railModel(t))
			play := func(seconds int, offset time.Duration) {
				for i := range 100 * seconds {
					w.clock += 10 * ms
					late := c.latency
					if i%10 != 0 {
						late += 3 * ms
					}
					w.hear(joints(w.clock+offset-late, both, 0, 0), ros.MessageInfo{Writer: guid(1), SourceTime: epoch.Add(w.clock + offset - late)})
				}
			}
			play(3, c.offset)
			s := w.look()
			if want := (c.latency - c.offset).Seconds(); math.Abs(s.ClockOffset-want) > 1e-9 {
				t.Errorf("offset %g, want %g", s.ClockOffset, want)
			}
			notices, _ := w.takeNotices()
			if got := len(notices) > 0; got != (c.told != "") {
				t.Fatalf("%d notices", len(notices))
			}
			if c.told == "" {
				return
			}
			if text := notices[0].Text(w.nameOf); len(notices) > 1 || !strings.Contains(text, c.told) || !strings.Contains(text, guid(1).String()) {
				t.Errorf("notice %q", text)
			}
			play(11, 0)
			if s := w.look(); s.ClockOffset > 0.005 {
				t.Errorf("offset %g after the clock was set right", s.ClockOffset)
			}
			if notices, _ := w.takeNotices(); len(notices) != 1 || !strings.Contains(notices[0].Text(w.nameOf), "synchronized again") {
				t.Errorf("%d notices after the clock was set right", len(notices))
			}
		})
	}
}

// What many messages are lost of may be silent for that alone: its joints pass to nobody,
// and nothing is free.
func TestFloodSilencesNobody(t *testing.T) {
	w := watch(railModel(t))
	say := func(n int, sequence uint64, right float64) *fcmsgs.CollisionState {
		w.clock += ms
		w.hear(joints(w.clock, both, 0, right), ros.MessageInfo{Writer: guid(n), Sequence: sequence})
		return w.look()
	}
	say(1, 1, hit)
	for n := range 300 {
		if s := say(2, 1+2*uint64(n), 0); n > 1 && s.Level != levelUnknown && s.Level != fcmsgs.CollisionStateCollision {
			t.Fatalf("after %d messages: level %d because %q", n, s.Level, s.Reason)
		}
	}
	// Nor is it where the others' messages were never heard.
	w = watch(railModel(t))
	w.matched([]ros.GUID{guid(1), guid(2)})
	say(2, 1, 0)
	for n := range 300 {
		wantLevel(t, say(2, 3+2*uint64(n), 0), levelUnknown, "are lost")
	}
	// With a single publisher there is nobody to silence; and a few losses are none.
	w.matched([]ros.GUID{guid(2)})
	for n := range 300 {
		if s := say(2, 1000+2*uint64(n), 0); n > 100 && s.Level != levelFree {
			t.Fatalf("level %d because %q", s.Level, s.Reason)
		}
	}
	w.matched([]ros.GUID{guid(1), guid(2)})
	for n := range 500 {
		if s := say(2, 3000+uint64(n)+uint64(n)/8, 0); n > 350 && s.Level != levelFree {
			t.Fatalf("level %d because %q", s.Level, s.Reason)
		}
	}
}
