package node

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/rosgraphmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// recorded is a joint state of a session.
type recorded struct {
	at        time.Duration // when it was received, since the session began
	stamp     time.Duration
	publisher int
	names     string
	positions []float64
}

// session is what was recorded: one publisher of both joints, or one of each.
func session(d chance.Dice, publishers int) (all []recorded) {
	at, left, right := time.Duration(0), 0.0, 0.0
	for range 150 {
		at += time.Duration(d.In(5, 20)) * ms
		if d.IntN(12) == 0 {
			at += 300 * ms // silence
		}
		left, right = left+d.In(-0.1, 0.12), right+d.In(-0.1, 0.1)
		if d.IntN(30) == 0 {
			right = 4 - right // through the wall
		}
		left, right = math.Mod(left, 4), math.Mod(right, 4)
		stamp := at - time.Duration(d.In(0, 5))*ms
		if publishers == 1 {
			all = append(all, recorded{at, stamp, 1, bothCarts, []float64{left, right}})
			continue
		}
		all = append(all, recorded{at, stamp, 1, "left_x", []float64{left}})
		if d.IntN(4) > 0 {
			at += time.Duration(d.In(0, 4)) * ms
			all = append(all, recorded{at, at - time.Duration(d.In(0, 9))*ms, 2, "right_x", []float64{right}})
		}
	}
	return all
}

// said is what a state says of a configuration, without what depends on the time of the judgement.
type said struct {
	level         uint8
	a, b          string
	lower         float64
	motion, stamp builtininterfaces.Time
	unchecked     uint64
	contact       float64
}

func saidOf(s *fcmsgs.CollisionState) said {
	x := said{s.Level, s.Pair.A.Name, s.Pair.B.Name, s.DistanceLower, s.MotionStart, s.Header.Stamp, s.MotionsUnchecked, s.TimeToContact}
	for _, number := range []*float64{&x.lower, &x.contact} {
		if math.IsNaN(*number) {
			*number = -1
		}
	}
	return x
}

// play delivers a session to a monitor, so many times as fast as it was, and returns what was said of
// each message. tick is called at each time of the session, in steps of 5 ms and before each message.
func play(w *watched, all []recorded, stampAt time.Time, speed float64, tick func(at time.Duration)) (out []said) {
	begin, now := w.clock, time.Duration(0)
	until := func(at time.Duration) {
		for now < at {
			now = min(now+5*ms, at)
			w.clock = begin + time.Duration(float64(now)/speed)
			w.heartbeat()
			if tick(now); now < at {
				w.look() // silence
			}
		}
	}
	for _, r := range all {
		until(r.at)
		m := joints(0, r.names, r.positions...)
		m.Header.Stamp = builtininterfaces.TimeOf(stampAt.Add(r.stamp))
		w.hear(m, ros.MessageInfo{Writer: guid(r.publisher), SourceTime: w.now()})
		s := w.look()
		out = append(out, saidOf(s))
	}
	return out
}

func nothing(time.Duration) {}

// A session that is played later, with its stamps as the time or with /clock, at whatever speed, is
// judged as it was live.
func TestReplayIsJudgedAsLive(t *testing.T) {
	race.LeaveOut(t)
	m := railModel(t)
	const begin = time.Hour
	ahead := []lookahead{{}, {mode: "measured_velocity", horizon: 0.2, stopTime: 0.02, hold: 40 * ms}}
	for publishers := 1; publishers <= 2; publishers++ {
		levels := map[uint8]int{}
		for seed := range uint64(6) {
			all := session(chance.New(16, seed+1), publishers)
			w := watch(m)
			w.limits.ahead = ahead[seed%2]
			w.clock = begin
			w.heartbeat()
			live := play(w, all, epoch.Add(begin), 1, nothing)
			for _, s := range live {
				levels[s.level]++
			}
			for _, speed := range []float64{0.3, 1, 7, 1000} {
				stamped := watch(m)
				stamped.limits.ahead = ahead[seed%2]
				stamped.clock = begin + time.Hour
				stamped.stampTime()
				stamped.heartbeat()
				sameAs(t, fmt.Sprintf("%d publishers, session %d, %g times as fast by stamps", publishers, seed, speed), all, live, play(stamped, all, epoch.Add(begin), speed, nothing))
				clocked := watch(m)
				clocked.limits.ahead = ahead[seed%2]
				clocked.clock = begin + time.Hour
				clocked.simulate()
				clocked.heartbeat()
				clock := func(at time.Duration) {
					clocked.hearClock(&rosgraphmsgs.Clock{Clock: builtininterfaces.TimeOf(epoch.Add(begin + at))}, ros.MessageInfo{SourceTime: clocked.now()})
				}
				clock(0)
				sameAs(t, fmt.Sprintf("%d publishers, session %d, %g times as fast with /clock", publishers, seed, speed), all, live, play(clocked, all, epoch.Add(begin), speed, clock))
			}
		}
		for _, level := range []uint8{levelFree, fcmsgs.CollisionStateCollision, levelUnknown} {
			if levels[level] < 10 && !(publishers == 1 && level == levelUnknown) {
				t.Errorf("%d publishers: levels %v", publishers, levels)
			}
		}
	}
}

func sameAs(t *testing.T, how string, all []recorded, live, replayed []said) {
	t.Helper()
	for i := range live {
		if live[i] != replayed[i] {
			t.Errorf("%s: message %d at %v: %+v, live %+v", how, i, all[i].at, replayed[i], live[i])
			return
		}
	}
}

// byStamps is a monitor of the carts whose time is that of stamps. w.clock is the true time.
func byStamps(t *testing.T) *watched {
	w := watch(railModel(t))
	w.clock = time.Hour
	w.stampTime()
	w.heartbeat()
	return w
}

// stampedBy delivers a joint state of a publisher, after real time has passed.
func (w *watched) stampedBy(publisher int, real, stamp time.Duration, names string, positions ...float64) *fcmsgs.CollisionState {
	for end := w.clock + real; w.clock < end; {
		w.clock += min(10*ms, end-w.clock)
		w.heartbeat()
	}
	m := joints(0, names, positions...)
	m.Header.Stamp = simStamp(stamp)
	w.hear(m, ros.MessageInfo{Writer: guid(publisher), SourceTime: w.now()})
	return w.look()
}

// Stamps that do not come do not age: silence, and stamps that stand still, are noticed by the
// system's time.
func TestSilenceByStamps(t *testing.T) {
	for name, again := range map[string]bool{"silence": false, "standing stamps": true} {
		w := byStamps(t)
		wantLevel(t, w.look(), levelUnknown, "no joint state with a stamp has come yet")
		at := 5 * time.Second
		wantLevel(t, w.stampedBy(1, 0, at, bothCarts, 0, 0), levelFree, "")
		for real := time.Duration(0); real < timeout; real += 10 * ms {
			w.clock += 10 * ms
			w.heartbeat()
			if again {
				w.stampedBy(1, 0, at, bothCarts, 0, 0)
			}
			wantLevel(t, w.look(), levelFree, "")
		}
		w.clock += 10 * ms
		w.heartbeat()
		if again {
			w.stampedBy(1, 0, at, bothCarts, 0, 0)
		}
		s := w.look()
		wantLevel(t, s, levelUnknown, "the time of the joint states stands still: their stamp has not advanced for 0.100 s")
		if len(w.measured()) > 0 {
			t.Errorf("%s: questions rest on %v", name, w.measured())
		}
		wantLevel(t, w.stampedBy(1, 10*ms, at+ms, bothCarts, 0, 4), levelFree, "") // judged alone
	}
}

// A recording that begins anew is judged from its begin; nothing counts that was measured before.
func TestRecordingsThatBeginAnew(t *testing.T) {
	w := byStamps(t)
	at := 100 * time.Second
	for i := range 5 {
		w.stampedBy(1, 10*ms, at+time.Duration(i)*10*ms, "left_x", 0)
		wantLevel(t, w.stampedBy(2, 0, at+time.Duration(i)*10*ms-2*ms, "right_x", 0), levelFree, "")
	}
	checked := w.look().MotionsChecked
	// In the next round the second publisher, whose stamps are not the newest, is first.
	wantLevel(t, w.stampedBy(2, 10*ms, time.Second, "right_x", 0), levelUnknown, "")
	s := w.stampedBy(1, 0, time.Second+ms, "left_x", 3.5)
	wantLevel(t, s, levelFree, "") // through the wall, if it had moved
	if s.MotionsChecked != checked {
		t.Errorf("%d motions are judged, %d before", s.MotionsChecked, checked)
	}
	for i := 1; i < 30; i++ {
		w.stampedBy(2, 10*ms, time.Second+time.Duration(i)*10*ms, "right_x", 0)
		wantLevel(t, w.stampedBy(1, 0, time.Second+time.Duration(i)*10*ms, "left_x", 3.5), levelFree, "")
	}
	// Another player begins, with other publishers, while the time is known.
	wantLevel(t, w.stampedBy(3, 10*ms, ms, bothCarts, 0, 0), levelUnknown, "")
	var level uint8
	for i := range 30 {
		level = w.stampedBy(3, 10*ms, time.Duration(i)*10*ms+2*ms, bothCarts, 0, 0).Level
	}
	if level != levelFree {
		t.Errorf("level %d, 300 ms after another player has begun (%s)", level, w.look().Reason)
	}
}

// Stamps go ahead at once where a recording has a gap, as after silence.
func TestStampsGoAhead(t *testing.T) {
	w := byStamps(t)
	w.stampedBy(1, 0, time.Second, bothCarts, 0, 0)
	s := w.stampedBy(1, 10*ms, 2*time.Second, bothCarts, 0, 4) // through the wall
	wantLevel(t, s, levelFree, "")
	wantCounts(t, s, 0, 1)
	wantLevel(t, w.stampedBy(1, 10*ms, 2*time.Second+10*ms, bothCarts, 0, 0), fcmsgs.CollisionStateCollision, "wall")
}

// What other publishers stamp sets the time only if they measure the robot, and a message without a
// stamp has no age.
func TestWhoseStampsCount(t *testing.T) {
	w := byStamps(t)
	wantLevel(t, w.stampedBy(1, 0, time.Second, bothCarts, 0, 0), levelFree, "")
	wantLevel(t, w.stampedBy(2, 10*ms, time.Hour, "wheel", 1), levelFree, "")
	w.hear(&sensormsgs.JointState{Name: []string{"left_x", "right_x"}, Position: []float64{0, 0}}, ros.MessageInfo{Writer: guid(1), SourceTime: w.now()})
	wantLevel(t, w.look(), levelUnknown, "neither a stamp nor a source time")
	// A joint whose publisher falls behind is stale, however fast the other's come.
	w = byStamps(t)
	w.stampedBy(1, 0, time.Second, "left_x", 0)
	wantLevel(t, w.stampedBy(2, 0, time.Second, "right_x", 0), levelFree, "")
	for i := 1; i <= 10; i++ {
		wantLevel(t, w.stampedBy(1, ms, time.Second+time.Duration(i)*10*ms, "left_x", 0), levelFree, "")
	}
	wantLevel(t, w.stampedBy(1, ms, time.Second+101*ms, "left_x", 0), levelUnknown, "no fresh measurement of right_x")
}

// A dispute before the time went back is over when it is over, not when that time comes again.
func TestDisputesEndThoughTimeGoesBack(t *testing.T) {
	w := byStamps(t)
	w.stampedBy(1, 0, time.Hour, bothCarts, 0, 0)
	w.stampedBy(2, ms, time.Hour+ms, bothCarts, 0, 0)
	w.stampedBy(3, ms, time.Hour+2*ms, bothCarts, 0, 0)
	wantLevel(t, w.look(), levelUnknown, "2 publishers measure joints that others own")
	for i := range 30 {
		w.stampedBy(1, 10*ms, time.Second+time.Duration(i)*10*ms, bothCarts, 0, 0)
	}
	wantLevel(t, w.look(), levelFree, "")
}

func TestOneTime(t *testing.T) {
	gate := []string{"arm"}
	for _, c := range []struct {
		parameters map[string]any
		names      string // of the parameter that clock contradicts; "" for none
	}{
		{map[string]any{"clock": "message"}, ""},
		{map[string]any{"clock": "message", "use_sim_time": true}, "use_sim_time"},
		{map[string]any{"clock": "message", "gate.controllers": gate}, "gate.controllers"},
		{map[string]any{"use_sim_time": true, "gate.controllers": gate}, ""},
	} {
		err := checkTime(values(t, c.parameters))
		if (err == nil) != (c.names == "") || err != nil && !strings.Contains(err.Error(), c.names) {
			t.Errorf("%v: %v", c.parameters, err)
		}
	}
}

// No goal passes on the time of a recording: such a node does not start.
func TestNoGateOnRecordedTime(t *testing.T) {
	args, err := ros.ParseArgs(append([]string{"--ros-args"}, railArgs(t, "-p", "clock:=message", "-p", "gate.controllers:=[arm]")...))
	if err != nil {
		t.Fatal(err)
	}
	if n, err := New(ros.NewMemory(), Options{Args: args, Logger: quiet()}); err == nil || !strings.Contains(err.Error(), "no goal may pass") {
		t.Errorf("the node starts: %v", err)
		if n != nil {
			n.Close()
		}
	}
}

// The parameter reaches the node: joint states of another year are fresh as long as they come.
func TestClockOfMessages(t *testing.T) {
	r := inMemory().newRobot(t, railArgs(t, "-p", "clock:=message")...)
	now := 50 * time.Second
	r.play(func() *sensormsgs.JointState {
		now += streamPeriod
		m := carts2(0, 0)
		m.Header.Stamp = simStamp(now)
		return m
	})
	s, at := r.waitLevel(0, levelFree, "")
	if s.Header.Stamp.Sec < 50 || s.Header.Stamp.Sec > 200 {
		t.Errorf("the state is stamped %v", s.Header.Stamp)
	}
	r.hush()
	r.waitLevel(at, levelUnknown, "the time of the joint states stands still")
}
