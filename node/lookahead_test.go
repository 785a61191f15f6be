package node

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
)

// moving is the state of the carts at places and velocities.
func (w *watched) moving(clock time.Duration, left, right, leftSpeed, rightSpeed float64) *fcmsgs.CollisionState {
	w.clock = clock
	m := joints(clock, "left_x right_x", left, right)
	m.Velocity = []float64{leftSpeed, rightSpeed}
	w.receive(m, time.Time{})
	return w.look()
}

// The carts are 0.8 + right - left apart; they stop v²/2a after they brake.
func TestLookAhead(t *testing.T) {
	braking := func(rate, reaction float64) map[string]any {
		return map[string]any{"lookahead.mode": "braking", "lookahead.deceleration": rate, "lookahead.reaction": reaction}
	}
	measured := func(horizon, stop float64) map[string]any {
		return map[string]any{"lookahead.mode": "measured_velocity", "lookahead.horizon": horizon, "lookahead.stop_time": stop}
	}
	inf := math.Inf(1)
	for _, c := range []struct {
		name            string
		parameters      map[string]any
		left, v         float64
		level           uint8
		reason          string
		contact, closes float64
	}{
		{"off", nil, 0.5, 1, levelFree, "", nan, nan},
		{"measured, free", measured(0.25, 0.1), 0.5, 1, levelFree, "", inf, 1},
		{"measured, contact", measured(0.5, 0.1), 0.5, 1, fcmsgs.CollisionStateWarn, "touch in 0.3", 0.3, 1},
		{"measured, soon", measured(0.5, 0.35), 0.5, 1, fcmsgs.CollisionStateStop, "touch in 0.3", 0.3, 1},
		{"measured, parting", measured(0.5, 0.35), 0.5, -1, levelFree, "", inf, -1},
		{"brakes in time", braking(2, 0), 0.5, 1, levelFree, "", inf, 1},                                                // 0.25 m of 0.3
		{"brakes too late", braking(2, 0.1), 0.5, 1, fcmsgs.CollisionStateStop, "although the robot brakes", 0.3764, 1}, // 0.1 + 0.25 m
		{"own deceleration", map[string]any{"lookahead.mode": "braking", "lookahead.deceleration": 2.0, "lookahead.deceleration.left_x": 1.0}, 0.5, 1, fcmsgs.CollisionStateStop, "although", 0.368, 1},
		{"stands", braking(2, 0.1), 0.5, 0, levelFree, "", inf, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := watchWith(t, c.parameters)
			s := w.moving(0, c.left, 0, c.v, 0)
			wantLevel(t, s, c.level, c.reason)
			if same := math.IsNaN(c.contact) == math.IsNaN(s.TimeToContact) && math.IsInf(c.contact, 1) == math.IsInf(s.TimeToContact, 1); !same || s.TimeToContact > c.contact || s.TimeToContact < c.contact-0.02 {
				t.Errorf("time to contact %g, want %g", s.TimeToContact, c.contact)
			}
			if math.IsNaN(s.ClosingSpeed) != math.IsNaN(c.closes) || math.Abs(s.ClosingSpeed-c.closes) > 1e-6 {
				t.Errorf("closing speed %g, want %g", s.ClosingSpeed, c.closes)
			}
			if free := s.Level == levelFree && !(s.TimeToContact < inf); free != (s.SpeedScaling == 1) {
				t.Errorf("level %d, speed scaling %g", s.Level, s.SpeedScaling)
			}
		})
	}
}

// A velocity that no message gives is that between two configurations; before there are two,
// nothing is foreseen, which is UNKNOWN.
func TestLookAheadWithoutVelocities(t *testing.T) {
	w := watchWith(t, map[string]any{"lookahead.mode": "measured_velocity", "lookahead.horizon": 1.0})
	wantLevel(t, w.at(0, 0.3, 0), levelUnknown, "velocity of joint left_x is not measured")
	s := w.at(10*ms, 0.31, 0) // 1 m/s
	wantLevel(t, s, fcmsgs.CollisionStateWarn, "left and right touch in 0.4")
	if s.TimeToContact > 0.49 || s.TimeToContact < 0.46 {
		t.Errorf("time to contact %g", s.TimeToContact)
	}
}

// A pair that is too close leaves STOP while it is proved to part, and only then.
func TestPartingPairsLeaveStop(t *testing.T) {
	const near = 0.795 // 5 mm of 10
	for _, c := range []struct {
		mode       string
		left, v, u float64 // u: of the right cart
		level      uint8
	}{
		{"measured_velocity", near, -0.2, 0, fcmsgs.CollisionStateWarn},
		{"measured_velocity", near, -0.2, -0.3, fcmsgs.CollisionStateStop}, // the right one follows faster
		{"measured_velocity", near, 0, 0, fcmsgs.CollisionStateStop},
		{"measured_velocity", near, 0.001, 0, fcmsgs.CollisionStateStop},
		{"off", near, -0.2, 0, fcmsgs.CollisionStateStop},
		{"braking", near, -0.2, 0, fcmsgs.CollisionStateWarn},
	} {
		w := watchWith(t, map[string]any{"lookahead.mode": c.mode, "lookahead.deceleration": 1.0, "lookahead.reaction": 0.05})
		s := w.moving(0, c.left, 0, c.v, c.u)
		if s.Level != c.level {
			t.Errorf("%s at %g and %g m/s: level %d, want %d (%s)", c.mode, c.v, c.u, s.Level, c.level, s.Reason)
		}
		w = watchWith(t, map[string]any{"lookahead.mode": c.mode, "lookahead.deceleration": 1.0, "lookahead.opening": false})
		if s := w.moving(0, c.left, 0, c.v, c.u); s.Level != fcmsgs.CollisionStateStop {
			t.Errorf("%s without opening: level %d", c.mode, s.Level)
		}
	}
	// Two pairs are too close, and one of them closes: left and right part, right nears the wall.
	w := watchWith(t, map[string]any{"lookahead.mode": "measured_velocity", "lookahead.horizon": 0.02})
	if s := w.moving(0, 1.885+near-0.01, 1.885, -0.2, 0.1); s.Level < fcmsgs.CollisionStateStop {
		t.Errorf("level %d (%s)", s.Level, s.Reason)
	}
}

// A pair with a wide range of its own may be too close and not be among those that are listed.
func TestUnlistedPairKeepsStop(t *testing.T) {
	for _, c := range []struct {
		listed int
		speed  float64 // of left: positive is toward the wall
		level  uint8
	}{
		{2, 0.1, fcmsgs.CollisionStateStop},
		{5, 0.1, fcmsgs.CollisionStateStop},
		{5, -0.1, fcmsgs.CollisionStateWarn},
	} {
		w := watchWith(t, map[string]any{
			"lookahead.mode": "measured_velocity", "lookahead.horizon": 0.02, "top_k_pairs": c.listed,
			"distance_range.pairs": []any{"left:wall:0.5:2.0"},
		})
		// 5 mm between the carts, 0.2 m from right to the wall and 0.405 m from left.
		if s := w.moving(0, 1.69+0.795, 1.69, c.speed, 0.3); s.Level != c.level {
			t.Errorf("%d listed, at %g m/s: level %d, want %d (%s)", c.listed, c.speed, s.Level, c.level, s.Reason)
		}
	}
}

// What the look-ahead says is never more than what happens: the carts drift or brake as assumed,
// and are compared with the formulas.
func TestLookAheadIsSound(t *testing.T) {
	race.LeaveOut(t)
	d := chance.New(61, 3)
	for i := range 300 {
		rate, reaction := d.In(0.5, 4), d.In(0, 0.2)
		parameters := map[string]any{"lookahead.mode": "braking", "lookahead.deceleration": rate, "lookahead.reaction": reaction}
		drifts := i%2 == 0
		horizon := d.In(0.1, 1)
		if drifts {
			parameters = map[string]any{"lookahead.mode": "measured_velocity", "lookahead.horizon": horizon}
		}
		w := watchWith(t, parameters)
		left, v, u := d.In(-0.5, 0.75), d.In(-1, 2), d.In(-1, 1)
		s := w.moving(0, left, 0, v, u)
		place := func(x, v, at float64) float64 {
			if drifts {
				return x + v*at
			}
			braking := max(0, min(at-reaction, math.Abs(v)/rate))
			return x + v*min(at, reaction) + v*braking - math.Copysign(rate, v)*braking*braking/2
		}
		until := horizon
		if !drifts {
			until = reaction + max(math.Abs(v), math.Abs(u))/rate
		}
		first := math.Inf(1)
		for k := range 2001 {
			at := until * float64(k) / 2000
			if 0.8+place(0, u, at)-place(left, v, at) < 0 {
				first = at
				break
			}
		}
		if s.TimeToContact > first {
			t.Fatalf("%d: nothing touches before %g s, but the carts do at %g s (%+v)", i, s.TimeToContact, first, parameters)
		}
		if !math.IsInf(first, 1) && s.Level < fcmsgs.CollisionStateWarn {
			t.Fatalf("%d: level %d before a contact at %g s", i, s.Level, first)
		}
	}
}

// A level falls only after it has been lower for as long as level_hold says.
func TestLevelsAreHeld(t *testing.T) {
	w := watchWith(t, map[string]any{"level_hold": 0.05})
	wantLevel(t, w.at(0, 0.795, 0), fcmsgs.CollisionStateStop, "closer than 0.01 m")
	wantLevel(t, w.at(20*ms, 0, 0), fcmsgs.CollisionStateStop, "is held")
	wantLevel(t, w.at(40*ms, 0.795, 0), fcmsgs.CollisionStateStop, "closer than 0.01 m")
	wantLevel(t, w.at(80*ms, 0, 0), fcmsgs.CollisionStateStop, "is held")
	wantLevel(t, w.at(100*ms, 0, 0), levelFree, "")
	wantLevel(t, w.at(110*ms, 0.9, 0), fcmsgs.CollisionStateCollision, "touch")
	wantLevel(t, w.at(120*ms, 0, 0), fcmsgs.CollisionStateCollision, "on the motion") // the way back
	s := w.at(130*ms, 0, 0)
	wantLevel(t, s, fcmsgs.CollisionStateStop, "is held")
	if s.SpeedScaling != 0 {
		t.Errorf("speed scaling %g", s.SpeedScaling)
	}
}

func TestSpeedScaling(t *testing.T) {
	w := watchWith(t, map[string]any{"lookahead.mode": "measured_velocity", "lookahead.horizon": 1.0, "warn_distance": 0.05})
	for _, c := range []struct{ left, v, want float64 }{
		{0.77, 0, 0.5},   // 30 mm, between 10 and 50
		{0.3, 1, 0.5},    // contact in 0.5 s of 1
		{0.77, 0.1, 0.3}, // contact in 0.3 s
		{0.3, 0, 1},
		{0.795, 0, 0},
	} {
		w.use(w.model, "")
		if s := w.moving(w.clock+10*ms, c.left, 0, c.v, 0); math.Abs(s.SpeedScaling-c.want) > 0.02 {
			t.Errorf("%g at %g m/s: speed scaling %g, want %g (%s)", c.left, c.v, s.SpeedScaling, c.want, s.Reason)
		}
	}
}

// Braking without a deceleration is refused, naming the joint and the remedy.
func TestBrakingNeedsDecelerations(t *testing.T) {
	for parameters, want := range map[string]string{
		"lookahead.mode": "joint left_x has no deceleration: give lookahead.deceleration.left_x",
		"of a stranger":  "lookahead.deceleration.left",
	} {
		given := map[string]any{"lookahead.mode": "braking"}
		if parameters == "of a stranger" {
			given = map[string]any{"lookahead.deceleration.left": 1.0}
		}
		if _, err := modelOf(t, railParameters(t, given)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", fmt.Sprint(given), err)
		}
	}
}

// A state that is withheld after it was judged, or is made worse by another configuration, lets
// no robot go on.
func TestNoSpeedWithoutAProvedState(t *testing.T) {
	w := watchWith(t, nil)
	if s := w.at(0, 0, 0); s.Level != levelFree || s.SpeedScaling != 1 {
		t.Fatalf("level %d, speed scaling %g", s.Level, s.SpeedScaling)
	}
	stopped := func(s *fcmsgs.CollisionState, level uint8) {
		t.Helper()
		if s.Level != level || s.SpeedScaling != 0 {
			t.Errorf("level %d with the speed scaling %g (%s), want level %d and none", s.Level, s.SpeedScaling, s.Reason, level)
		}
	}
	w.await(time.Now().Add(-time.Hour)) // a newer scene is not in use
	stopped(w.look(), levelUnknown)
	stopped(w.at(10*ms, 0.01, 0), levelUnknown)
	w.await(time.Time{})
	if s := w.look(); s.Level != levelFree || s.SpeedScaling != 1 {
		t.Fatalf("level %d, speed scaling %g", s.Level, s.SpeedScaling)
	}
	w.from(1, 0, both, 0, clear_)
	w.look()
	w.from(2, 0, both, 0, hit) // another publisher measures a contact
	stopped(w.look(), fcmsgs.CollisionStateCollision)
}

// Joints that several messages measure have each the velocity between their own measurements: a
// message about one says nothing of the speed of the other.
func TestLookAheadOfPartialMessages(t *testing.T) {
	w := watchWith(t, map[string]any{"lookahead.mode": "measured_velocity", "lookahead.horizon": 1.0})
	var s *fcmsgs.CollisionState
	for i := range 20 {
		w.clock = time.Duration(i) * 10 * ms
		w.receive(joints(w.clock, "left_x", 0.1+0.01*float64(i)), time.Time{}) // 1 m/s
		before := w.look()
		w.clock += 5 * ms
		w.receive(joints(w.clock, "right_x", 0), time.Time{})
		if s = w.look(); i < 2 {
			continue
		}
		left := 0.8 - 0.1 - 0.01*float64(i) // s until the carts touch
		for _, s := range []*fcmsgs.CollisionState{before, s} {
			if s.Level == levelFree || s.TimeToContact > left+0.02 {
				t.Fatalf("step %d: level %d, time to contact %g, want at most %g (%s)", i, s.Level, s.TimeToContact, left, s.Reason)
			}
		}
	}
	wantLevel(t, s, fcmsgs.CollisionStateWarn, "left and right touch in 0.5")
}

// Where pairs have margins of their own, the one that leaves least room decides how fast the robot
// may go on, and that need not be the closest one.
func TestSpeedByThePairWithLeastRoom(t *testing.T) {
	w := watchWith(t, map[string]any{
		"distance_range.min": 0.04, "warn_distance": 0.05, "margin_overrides": []any{"left:right:0.02"},
	})
	// The carts are 29.9 mm apart, WARN from 20 to 30; right is 42 mm from the wall, WARN from 40 to 50.
	right := 1.89 - 0.042
	s := w.at(0, right+0.8-0.0299, right)
	wantLevel(t, s, fcmsgs.CollisionStateWarn, "left and right")
	if s.SpeedScaling > 0.21 {
		t.Errorf("speed scaling %g, want at most 0.2", s.SpeedScaling)
	}
}
