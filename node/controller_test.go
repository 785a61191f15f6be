package node

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/jtc"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/trajectorymsgs"
)

// withVelocities adds the velocities of a trajectory's points.
func withVelocities(m *trajectorymsgs.JointTrajectory, rows ...[]float64) *trajectorymsgs.JointTrajectory {
	for i, row := range rows {
		m.Points[i].Velocities = row
	}
	return m
}

// The right cart stands at 0 at each point, free, and straight lines between the points leave
// it there. With a velocity of -4 m/s at the second point and 4 m/s at the third, a second
// later, the cubic between them is 4t² - 4t, which reaches the left cart at -0.8 m after
// (1 - sqrt(0.2))/2 s.
func swinging() *trajectorymsgs.JointTrajectory {
	m := path(bothCarts, []float64{0, 0, 0}, []float64{1, 0, 0}, []float64{2, 0, 0}, []float64{3, 0, 0})
	return withVelocities(m, []float64{0, 0}, []float64{0, -4}, []float64{0, 4}, []float64{0, 0})
}

func TestSplineCollidesWherePointsAndLinesAreFree(t *testing.T) {
	const touches = 1 + (1-0.4472135954999579)/2
	for _, c := range []struct {
		interpolation string
		status        uint8
	}{{"jtc", fcmsgs.VerdictContact}, {"linear", fcmsgs.VerdictFree}} {
		t.Run(c.interpolation, func(t *testing.T) {
			r := inMemory().newRobot(t, railArgs(t, "-p", "joint_state_timeout:=10.0", "-p", "trajectory.topics:=[arm_controller]", "-p", "trajectory.acceleration_limit.right_x:=15.0", "-p", "trajectory.interpolation:="+c.interpolation)...)
			r.play(func() *sensormsgs.JointState { return carts2(0, 0) })
			r.waitLevel(0, levelFree, "")
			pub := advertise[trajectory](r, "arm_controller/joint_trajectory")
			r.publish(pub.Publish(swinging()))
			v := r.waitVerdict(r.namespace + "/arm_controller/joint_trajectory@0.000000000")
			if v.Status != c.status {
				t.Fatalf("status %d: %s", v.Status, v.Message)
			}
			// The cubic between the first two points has its largest acceleration at its end: 16 m/s².
			if over := v.LimitExcesses; c.interpolation == "jtc" && (len(over) != 1 || over[0].Of != fcmsgs.LimitExcessAcceleration || over[0].Joint != "right_x" || math.Abs(over[0].Value+16) > 1e-9 || over[0].Time != 1) {
				t.Errorf("limits exceeded: %+v", over)
			}
			if c.status == fcmsgs.VerdictContact && (math.Abs(v.TOCUpper-touches) > 1e-5 || v.SegmentIndex != 1) {
				t.Errorf("first contact at %g s on segment %d, want %g on 1", v.TOCUpper, v.SegmentIndex, touches)
			}
		})
	}
}

// moving is a joint state with the velocity of the right cart.
func moving(v float64) *sensormsgs.JointState {
	m := carts2(0, 0)
	m.Velocity = make([]float64, len(m.Name))
	for i, name := range m.Name {
		if name == "right_x" {
			m.Velocity[i] = v
		}
	}
	return m
}

func TestStartOfAMovingRobot(t *testing.T) {
	for _, c := range []struct {
		velocity float64
		status   uint8
		says     string
	}{
		{0, fcmsgs.VerdictFree, "at rest"},
		{1, fcmsgs.VerdictUndecided, "accept start:right_x"},
		// By the cubic's derivative the cart goes 4/27 v T the wrong way first: 1.19 m.
		{-4, fcmsgs.VerdictContact, "left and right touch"},
	} {
		t.Run(fmt.Sprint(c.velocity), func(t *testing.T) {
			r := inMemory().newRobot(t, railArgs(t, "-p", "joint_state_timeout:=10.0")...)
			r.play(func() *sensormsgs.JointState { return moving(c.velocity) })
			r.waitLevel(0, levelFree, "")
			r.publish(r.path.Publish(withVelocities(path(bothCarts, []float64{2, 0, 0}), []float64{0, 0})))
			v := r.waitVerdict(r.namespace + "/firstcontact/trajectory@0.000000000")
			if v.Status != c.status || !strings.Contains(v.Message, c.says) {
				t.Errorf("status %d: %s", v.Status, v.Message)
			}
		})
	}
}

// A trajectory that waits for its stamp: until then the robot rests.
func TestStampInTheFuture(t *testing.T) {
	for _, c := range []struct {
		name     string
		args     []string
		duration float64
		segment  uint32
	}{
		{"at once", nil, 11, 0},
		{"at its stamp", []string{"-p", "controller.allow_trajectory_replacement:=true"}, 11, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := inMemory().newRobot(t, railArgs(t, append(c.args, "-p", "joint_state_timeout:=10.0", "-p", "trajectory.topics:=[arm_controller]")...)...)
			r.play(func() *sensormsgs.JointState { return carts2(0, 0) })
			r.waitLevel(0, levelFree, "")
			pub := advertise[trajectory](r, "arm_controller/joint_trajectory")
			m := path(bothCarts, []float64{1, 0, -1})
			m.Header.Stamp = builtininterfaces.TimeOf(time.Now().Add(10 * time.Second))
			r.publish(pub.Publish(m))
			v := r.waitVerdict(fmt.Sprintf("%s/arm_controller/joint_trajectory@%d.%09d", r.namespace, m.Header.Stamp.Sec, m.Header.Stamp.Nanosec))
			if v.Status != fcmsgs.VerdictContact || math.Abs(v.Duration-c.duration) > 1 || v.SegmentIndex != c.segment {
				t.Errorf("status %d: %s; %g s, segment %d", v.Status, v.Message, v.Duration, v.SegmentIndex)
			}
			touches := 0.8 * v.Duration
			if c.segment == 1 {
				touches = v.Duration - 0.2
			}
			if math.Abs(v.TOCUpper-touches) > 1e-3 {
				t.Errorf("first contact at %g s, want %g", v.TOCUpper, touches)
			}
		})
	}
}

func TestStampInThePast(t *testing.T) {
	stampsInThePast(t, time.Now(), "clock:=system")
}

// The stamps of trajectories are compared with those of joint states.
func TestRecordedTrajectories(t *testing.T) {
	stampsInThePast(t, time.Unix(1e9, 0), "clock:=message")
}

// stampsInThePast publishes trajectories that have begun, or are over, by joint states whose stamps begin
// with a time.
func stampsInThePast(t *testing.T, begin time.Time, clock string) {
	r := inMemory().newRobot(t, railArgs(t, "-p", "joint_state_timeout:=10.0", "-p", "trajectory.topics:=[arm_controller]", "-p", clock)...)
	began := time.Now()
	r.play(func() *sensormsgs.JointState {
		m := carts2(0, 0)
		m.Header.Stamp = builtininterfaces.TimeOf(begin.Add(time.Since(began)))
		return m
	})
	r.waitLevel(0, levelFree, "")
	pub := advertise[trajectory](r, "arm_controller/joint_trajectory")
	for _, c := range []struct {
		ago    time.Duration
		status uint8
		says   string
	}{
		{5 * time.Second, fcmsgs.VerdictUndecided, "accept start:right_x"}, // half way
		{20 * time.Second, fcmsgs.VerdictInvalid, "the controller refuses the trajectory: it ends "},
	} {
		m := path(bothCarts, []float64{0, 0, 0}, []float64{10, 0, 1})
		m.Header.Stamp = builtininterfaces.TimeOf(begin.Add(time.Since(began) - c.ago))
		r.publish(pub.Publish(m))
		v := r.waitVerdict(fmt.Sprintf("%s/arm_controller/joint_trajectory@%d.%09d", r.namespace, m.Header.Stamp.Sec, m.Header.Stamp.Nanosec))
		if v.Status != c.status || !strings.Contains(v.Message, c.says) {
			t.Errorf("%v ago: status %d: %s", c.ago, v.Status, v.Message)
		}
	}
}

// The right cart may stop 0.3 m off the last point, which is 0.2 m from the left one.
func TestGoalToleranceIsChecked(t *testing.T) {
	for _, c := range []struct {
		tolerance string
		status    uint8
	}{{"0.1", fcmsgs.VerdictFree}, {"0.3", fcmsgs.VerdictContact}} {
		r := inMemory().newRobot(t, railArgs(t, "-p", "joint_state_timeout:=10.0", "-p", "trajectory.goal_tolerance.right_x:="+c.tolerance)...)
		r.play(func() *sensormsgs.JointState { return carts2(0, 0) })
		r.waitLevel(0, levelFree, "")
		r.publish(r.path.Publish(path(bothCarts, []float64{0, 0, 0}, []float64{1, 0, -0.6})))
		v := r.waitVerdict(r.namespace + "/firstcontact/trajectory@0.000000000")
		if v.Status != c.status || c.status == fcmsgs.VerdictContact && (v.TOCUpper != 1 || v.SelfVerdict.Status != fcmsgs.ScopeVerdictContact) {
			t.Errorf("%s m: status %d: %s at %g s", c.tolerance, v.Status, v.Message, v.TOCUpper)
		}
	}
}

func TestSuccession(t *testing.T) {
	s := &succession{}
	planned := func(at float64) *jtc.Plan {
		m, err := motion.Path([]string{"right_x"}, [][]float64{{at}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return &jtc.Plan{Motion: m}
	}
	next := func() *turnOf {
		q := &question{}
		q.follow(s, jtc.State{}, time.Now(), 0)
		return q.turn
	}
	expect := func(turn *turnOf, plan *jtc.Plan, unclear bool) {
		t.Helper()
		if p, u := turn.running(); p != plan || u != unclear {
			t.Errorf("running %p, unclear %t; want %p, %t", p, u, plan, unclear)
		}
	}
	first, second := next(), next()
	expect(second, nil, true) // the first is not judged
	expect(first, nil, false)
	one := planned(1)
	first.settle(one)
	third := next()
	expect(second, nil, true) // as it was when it was asked first
	second.settle(nil)        // refused: the first goes on
	expect(third, one, false)
	three := planned(3)
	third.settle(three)
	third.lose() // only the first word counts
	fourth := next()
	expect(fourth, three, false)
	fourth.lose() // not looked at
	expect(next(), nil, false)
	var none *turnOf
	none.settle(one)
	none.lose()
	expect(none, nil, false)
}
