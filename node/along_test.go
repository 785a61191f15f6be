package node

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/jtc"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/trajectorymsgs"
	"github.com/firstcontact-ros/firstcontact/node/internal/ensemble"
	"github.com/firstcontact-ros/firstcontact/node/ros/action"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// planOf is a plan that begins at the epoch: positions of the joints at times.
func planOf(t testing.TB, joints string, times []float64, points ...[]float64) *jtc.Plan {
	t.Helper()
	way, err := motion.Path(strings.Fields(joints), points, times)
	if err != nil {
		t.Fatal(err)
	}
	way.KeepTurns = true
	return &jtc.Plan{Start: epoch, Motion: way, Tube: map[string]float64{}}
}

// executing has the monitor look along plans that controllers began at most a shift (s) sooner or
// later.
func (w *watched) executing(shift float64, plans ...*jtc.Plan) {
	w.executed = func(m *model, measured jtc.State, now time.Time) (parts []ensemble.Part, why string) {
		for _, plan := range plans {
			p, err := partOf(m.origin.robot, plan, shift, measured, now, 0.05)
			if err != nil {
				why = err.Error()
				continue
			}
			parts = append(parts, p)
		}
		return parts, why
	}
}

func byReference(horizon float64) map[string]any {
	return map[string]any{"lookahead.mode": "reference", "lookahead.horizon": horizon, "lookahead.stop_time": 0.05}
}

// The left cart's trajectory says more than its velocity: it turns round before the right cart, or is
// about to begin.
func TestLookAheadAlongTheTrajectory(t *testing.T) {
	const along, drift = "looking ahead along the trajectory that runs", "looking ahead at the measured velocities"
	inf := math.Inf(1)
	back := planOf(t, "left_x", []float64{0, 0.6, 1.2}, []float64{0}, []float64{0.6}, []float64{0})
	waits := planOf(t, "left_x", []float64{0, 1, 2}, []float64{0}, []float64{0}, []float64{1})
	short := planOf(t, "left_x", []float64{0, 0.5}, []float64{0}, []float64{0.5})
	through := planOf(t, "left_x right_x", []float64{0, 1}, []float64{0, 0}, []float64{0.5, -0.5})
	doubtful := planOf(t, "left_x", []float64{0, 0.6, 1.2}, []float64{0}, []float64{0.6}, []float64{0})
	doubtful.Motion.Gaps = []premise.Premise{{Kind: premise.Start, Detail: "?"}}
	for _, c := range []struct {
		name       string
		plans      []*jtc.Plan
		at         time.Duration
		left, v    float64
		right, u   float64
		level      uint8
		note       string
		contact    float64 // s, exact
		closes     float64
		noVelocity bool
	}{
		{"turns round", []*jtc.Plan{back}, 400 * ms, 0.4, 1, 0, 0, levelFree, along, inf, 1, false},
		{"turns round, at its velocity", nil, 400 * ms, 0.4, 1, 0, 0, fcmsgs.CollisionStateWarn, "no trajectory is known to run: " + drift, 0.4, 1, false},
		{"turns round, a little beside", []*jtc.Plan{back}, 400 * ms, 0.43, 1, 0, 0, levelFree, along, inf, 1, false},
		{"far beside", []*jtc.Plan{back}, 400 * ms, 0.3, 1, 0, 0, fcmsgs.CollisionStateWarn, "more than gate.deviation allows (0.05): " + drift, 0.5, 1, false},
		{"about to begin", []*jtc.Plan{waits}, 800 * ms, 0, 0, 0, 0, fcmsgs.CollisionStateWarn, along, 1, 0, false},
		{"about to begin, at its velocity", nil, 800 * ms, 0, 0, 0, 0, levelFree, drift, nan, 0, false},
		{"far beside, at rest", []*jtc.Plan{back}, 400 * ms, 0.2, 0, 0, 0, levelFree, "more than gate.deviation allows (0.05): " + drift, nan, 0, false},
		{"ends", []*jtc.Plan{short}, 400 * ms, 0.4, 1, 0, 0, levelFree, along, inf, 1, false},
		{"has ended", []*jtc.Plan{short}, 900 * ms, 0.5, 0, 0, 0, levelFree, along, inf, 0, false},
		{"another joint drifts", []*jtc.Plan{short}, 400 * ms, 0.4, 1, 0, -0.5, fcmsgs.CollisionStateWarn, along, 0.1 + 0.25/0.5, 1.5, false},
		{"two at once", []*jtc.Plan{through}, 400 * ms, 0.2, 0.5, -0.2, -0.5, fcmsgs.CollisionStateWarn, along, 0.4, 1, false},
		{"two controllers", []*jtc.Plan{short, planOf(t, "right_x", []float64{0, 1}, []float64{0}, []float64{-1})}, 200 * ms, 0.2, 1, -0.2, -1, fcmsgs.CollisionStateWarn, along, 0.2, 2, false},
		{"one joint of two controllers", []*jtc.Plan{back, short}, 400 * ms, 0.4, 1, 0, 0, fcmsgs.CollisionStateWarn, "two controllers move joint left_x: " + drift, 0.4, 1, false},
		{"no velocities", []*jtc.Plan{through}, 400 * ms, 0.2, nan, -0.2, nan, fcmsgs.CollisionStateWarn, along, 0.4, 1, true},
	} {
		for _, shift := range []float64{0, 0.02} {
			w := watchWith(t, byReference(1))
			w.executing(shift, c.plans...)
			var s *fcmsgs.CollisionState
			if c.noVelocity {
				s = w.at(c.at, c.left, c.right)
			} else {
				s = w.moving(c.at, c.left, c.right, c.v, c.u)
			}
			wantLevel(t, s, c.level, c.note)
			slack := 0.03 + 2*shift
			if c.left == 0.43 {
				slack += 0.03
			}
			if math.IsInf(c.contact, 1) != math.IsInf(s.TimeToContact, 1) || math.IsNaN(c.contact) != math.IsNaN(s.TimeToContact) || s.TimeToContact > c.contact || s.TimeToContact < c.contact-slack {
				t.Errorf("%s, shift %g: time to contact %g, want %g (%s)", c.name, shift, s.TimeToContact, c.contact, s.Reason)
			}
			horizon := 1.0
			if math.IsNaN(c.contact) {
				horizon = 0
			}
			if math.Abs(s.ClosingSpeed-c.closes) > 1e-6 || math.Abs(s.Horizon-horizon) > 1e-9 {
				t.Errorf("%s, shift %g: closing speed %g, want %g; horizon %g", c.name, shift, s.ClosingSpeed, c.closes, s.Horizon)
			}
			if t.Failed() {
				t.Fatal(c.name)
			}
		}
	}
}

// A joint that no trajectory moves and whose velocity is not known is where the look-ahead ends.
func TestReferenceNeedsVelocitiesOfOthers(t *testing.T) {
	w := watchWith(t, byReference(1))
	w.executing(0, planOf(t, "left_x", []float64{0, 0.5}, []float64{0}, []float64{0.5}))
	wantLevel(t, w.at(100*ms, 0.1, 0), levelUnknown, "velocity of joint right_x is not measured")
}

// Whenever within the shift the controllers began, and wherever within the tube the robot is, nothing
// touches before the time that the state says.
func TestReferenceIsSound(t *testing.T) {
	d := chance.New(16, 7)
	contacts := 0
	for i := range 150 {
		horizon, shift := d.In(0.2, 1), d.In(0, 0.05)
		times := []float64{0, d.In(0.2, 1), d.In(1.1, 2)}
		point := func() []float64 { return []float64{d.In(-0.5, 0.3), d.In(-0.3, 0.5)} }
		a, b := point(), point()
		c := []float64{d.In(0.4, 1.3), d.In(-0.5, 0.2)}
		plans := []*jtc.Plan{planOf(t, bothCarts, times, a, b, c)}
		separate := i%2 == 0
		if separate {
			plans = []*jtc.Plan{planOf(t, "left_x", times, a[:1], b[:1], c[:1]), planOf(t, "right_x", times, a[1:], b[1:], c[1:])}
		}
		whole := planOf(t, bothCarts, times, a, b, c).Motion
		now := d.In(0.1, 1)
		late := [2]float64{d.In(-shift, shift), d.In(-shift, shift)}
		if !separate {
			late[1] = late[0]
		}
		off := [2]float64{d.In(-0.01, 0.01), d.In(-0.01, 0.01)}
		place := func(at float64) (left, right float64) {
			return whole.At(at + late[0])[0] + off[0], whole.At(at + late[1])[1] + off[1]
		}
		left, right := place(now)
		if gapOfCarts(left, right) == 0 {
			continue
		}
		w := watchWith(t, byReference(horizon))
		w.executing(shift, plans...)
		stamp := time.Duration(now * 1e9)
		now = stamp.Seconds()
		s := w.moving(stamp, left, right, 0, 0)
		if !strings.Contains(s.Reason, "along the trajectory") {
			t.Fatalf("%d: %s", i, s.Reason)
		}
		for k := range 1000 {
			at := horizon * float64(k) / 1000
			if x, y := place(now + at); gapOfCarts(x, y) == 0 {
				if contacts++; s.TimeToContact > at || s.Level < fcmsgs.CollisionStateWarn {
					t.Fatalf("%d: level %d, nothing touches before %g s, but the carts do at %g s", i, s.Level, s.TimeToContact, at)
				}
				break
			}
		}
	}
	if contacts < 20 {
		t.Errorf("%d contacts", contacts)
	}
}

// A pair that is too close leaves STOP where its trajectory leads apart.
func TestPartingAlongTheTrajectory(t *testing.T) {
	for left, level := range map[float64]uint8{-1: fcmsgs.CollisionStateWarn, 1: fcmsgs.CollisionStateStop} {
		w := watchWith(t, byReference(0.1))
		w.executing(0, planOf(t, "left_x", []float64{0, 1}, []float64{0.795}, []float64{0.795 + left}))
		if s := w.moving(0, 0.795, 0, 0, 0); s.Level != level {
			t.Errorf("toward %g: level %d (%s)", left, s.Level, s.Reason)
		}
	}
	w := watchWith(t, byReference(0.1)) // the controller may be behind
	w.executing(0.05, planOf(t, "left_x", []float64{0, 1}, []float64{0.795}, []float64{-0.205}))
	wantLevel(t, w.moving(0, 0.795, 0, 0, 0), fcmsgs.CollisionStateStop, "")
}

// A pair that is too close and parts at the measured velocities leaves STOP where no trajectory is
// known, and not where one is known that leads elsewhere.
func TestPartingBesideTheTrajectory(t *testing.T) {
	for _, c := range []struct {
		plans []*jtc.Plan
		level uint8
	}{
		{nil, fcmsgs.CollisionStateWarn},
		{[]*jtc.Plan{planOf(t, "left_x", []float64{0, 1}, []float64{0}, []float64{0})}, fcmsgs.CollisionStateStop},
	} {
		w := watchWith(t, byReference(0.1))
		w.executing(0, c.plans...)
		s := w.moving(0, 0.795, 0, -1, 0)
		wantLevel(t, s, c.level, "looking ahead at the measured velocities")
		if !math.IsNaN(s.TimeToContact) || s.Horizon != 0 {
			t.Errorf("%g s to contact within %g s", s.TimeToContact, s.Horizon)
		}
	}
}

// The node looks along what passed the gate.
func TestLookAheadAlongTheGatesTrajectory(t *testing.T) {
	g := newGated(t, inMemory(), "-p", "lookahead.mode:=reference", "-p", "lookahead.horizon:=0.3").ready()
	_, at := g.waitLevel(0, levelFree, "no trajectory is known to run: looking ahead at the measured velocities")
	g.sent(action.NewID(), goalOf(bothCarts, []float64{2, 0, 1.5}))
	_, at = g.waitLevel(at, levelFree, "looking ahead along the trajectory that runs")
	g.waitLevel(at, levelFree, "no trajectory is known to run")
}

// The node looks along what a controller was sent on its topic.
func TestLookAheadAlongATopicsTrajectory(t *testing.T) {
	s := &succession{}
	q := &question{controller: controller{handover: time.Second}}
	q.follow(s, jtc.State{}, epoch, 1)
	if plan, why := s.now(1); plan != nil || why == "" {
		t.Errorf("before it is judged: %v, %q", plan, why)
	}
	plan := planOf(t, "left_x", []float64{0, 1}, []float64{0}, []float64{1})
	q.turn.settle(plan)
	if now, why := s.now(1); now != plan || why != "" {
		t.Errorf("after it was judged: %v, %q", now, why)
	}
	if now, why := s.now(2); now != nil || why != "the time was set since a controller got its trajectory" {
		t.Errorf("after the clock was set: %v, %q", now, why)
	}
	other := &question{}
	other.follow(s, jtc.State{}, epoch, 2)
	if before, unclear := other.turn.running(); before != nil || unclear {
		t.Errorf("a trajectory after the clock was set replaces %v, unclear %t", before, unclear)
	}
	other.turn.settle(nil)
	next := &question{}
	next.follow(s, jtc.State{}, epoch, 1)
	if now, why := s.now(1); now != plan || why == "" {
		t.Errorf("while the next is not judged: %v, %q", now, why)
	}
	next.turn.lose()
	if now, why := s.now(1); now != nil || why != "what a controller makes of its trajectory is not known" {
		t.Errorf("after one that was not looked at: %v, %q", now, why)
	}
	r := inMemory().newRobot(t, railArgs(t, "-p", "lookahead.mode:=reference", "-p", "trajectory.topics:=[arm]")...)
	r.rest()
	_, at := r.waitLevel(0, levelFree, "no trajectory is known to run")
	arm := advertise[trajectorymsgs.JointTrajectory](r, "arm/joint_trajectory")
	rest := goalOf(bothCarts, []float64{5, 0, 0}).Trajectory
	r.publish(arm.Publish(&rest))
	r.waitLevel(at, levelFree, "looking ahead along the trajectory that runs")
}
