package node

import (
	"context"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/config"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/jtc"
	"github.com/firstcontact-ros/firstcontact/msgs/controlmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/diagnosticmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/trajectorymsgs"
	"github.com/firstcontact-ros/firstcontact/node/gatetest"
	"github.com/firstcontact-ros/firstcontact/node/internal/diagnostics"
	"github.com/firstcontact-ros/firstcontact/node/internal/gate"
	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/action"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// gated is the node as the gate of a controller of both carts, and a user.
type gated struct {
	*robot
	under      *Node // the node under test, if it is in this process
	controller *gatetest.Controller
	user       *gatetest.Client
	driver     gatetest.Options
	stray      atomic.Uint64 // bits of how far the carts are off
}

func newGated(t *testing.T, g *graph, args ...string) *gated {
	t.Helper()
	return newGatedIn(t, g, nil, args...)
}

// newGatedIn is newGated for a robot with a time of its own.
func newGatedIn(t *testing.T, g *graph, now func() time.Time, args ...string) *gated {
	t.Helper()
	return newGatedBy(t, g, gatetest.Options{Now: now}, args...)
}

// newGatedBy is newGated with further options of the controller.
func newGatedBy(t *testing.T, g *graph, driver gatetest.Options, args ...string) *gated {
	t.Helper()
	made := &gated{}
	if g.variables == nil {
		g.startNode = func(t *testing.T, g *graph, args []string) { made.under = startNodeHere(t, g, args) }
	}
	made.robot = g.newRobot(t, railArgs(t, append([]string{"-p", "gate.controllers:=[carts]"}, args...)...)...)
	made.driver = driver
	made.driver.Name, made.driver.At = "carts", map[string]float64{"left_x": 0, "right_x": 0}
	made.driver.Stray = func() float64 { return math.Float64frombits(made.stray.Load()) }
	made.drive()
	t.Cleanup(func() {
		if made.controller != nil {
			made.controller.Close()
		}
	})
	var err error
	if made.user, err = gatetest.NewClient(made.node, "carts_checked", action.ClientOptions[gatetest.Feedback]{}); err != nil {
		t.Fatal(err)
	}
	return made
}

// drive starts the controller.
func (g *gated) drive() {
	g.Helper()
	c, err := gatetest.New(g.node, g.driver)
	if err != nil {
		g.Fatal(err)
	}
	g.controller = c
}

// ready waits until the node knows where the carts are.
func (g *gated) ready() *gated {
	g.Helper()
	g.waitLevel(0, levelFree, "")
	return g
}

// sent sends a goal and returns its end.
func (g *gated) sent(id action.ID, m *gatetest.Goal) (action.Status, *gatetest.Result) {
	g.Helper()
	accepted, _, err := g.user.Send(g.soon(), id, m)
	if err != nil || !accepted {
		g.Fatalf("accepted %v (%v)", accepted, err)
	}
	status, r, err := g.user.Result(g.soon(), id)
	if err != nil {
		g.Fatal(err)
	}
	if status == action.Succeeded {
		g.rests()
	}
	return status, r
}

// rests waits until the node has measured that the robot stands still: the end of a goal may come
// before the joint states after it, and the way of a joint that moves is not known then.
func (g *gated) rests() {
	g.Helper()
	if g.under == nil {
		return
	}
	for end := time.Now().Add(patience); ; time.Sleep(ms) {
		measured, _ := g.under.monitor.jointState()
		rests := true
		for joint, x := range g.controller.At() {
			rests = rests && measured.Positions[joint] == x && measured.Velocities[joint] == 0
		}
		if rests {
			return
		}
		if time.Now().After(end) {
			g.Fatalf("after the end of a goal, the node measures %v", measured)
		}
	}
}

func goalOf(names string, points ...[]float64) *gatetest.Goal {
	return &gatetest.Goal{Trajectory: *path(names, points...)}
}

func (g *gated) refused(m *gatetest.Goal, reason string) {
	g.Helper()
	before := g.controller.Taken()
	status, r := g.sent(action.NewID(), m)
	if status != action.Aborted || r.ErrorCode != controlmsgs.FollowJointTrajectoryResultInvalidGoal || !strings.Contains(r.ErrorString, reason) {
		g.Errorf("the goal ends %v, code %d: %q, want it refused with %q", status, r.ErrorCode, r.ErrorString, reason)
	}
	if now := g.controller.Taken(); now != before {
		g.Errorf("the controller took %d trajectories", now-before)
	}
}

func (g *gated) succeeds(m *gatetest.Goal) {
	g.Helper()
	if status, r := g.sent(action.NewID(), m); status != action.Succeeded {
		g.Errorf("the goal ends %v: %q", status, r.ErrorString)
	}
}

func TestGateForwardsOnlyWhatIsFree(t *testing.T) {
	t.Parallel()
	testGateForwards(t, inMemory())
}

func testGateForwards(t *testing.T, in *graph) {
	g := newGated(t, in).ready()
	g.succeeds(goalOf(bothCarts, []float64{0.2, 0, 0.5}))
	if at := g.controller.At()["right_x"]; at != 0.5 {
		t.Errorf("the right cart is at %g", at)
	}
	g.refused(goalOf(bothCarts, []float64{0.2, 0, -1}), "CONTACT: left and right touch at ")
	g.refused(goalOf("left_x", []float64{0.2, 1.4}), "CONTACT: left and right touch at ")
	g.refused(goalOf(bothCarts, []float64{0, 0, 0.7}, []float64{0.5, 0, 0.5}), "UNDECIDED: ")
	g.refused(goalOf(bothCarts, []float64{0.2, 0}), "INVALID: ")
	g.refused(goalOf("left_x gripper", []float64{0.2, 0, 0}), "joint gripper")
	g.refused(&gatetest.Goal{}, "INVALID: ")
	id := action.NewID()
	g.sent(id, goalOf(bothCarts, []float64{0.2, 0, 0.2}))
	if v := g.waitVerdict(id.String()); v.Status != fcmsgs.VerdictFree {
		t.Errorf("the goal has the verdict %d: %s", v.Status, v.Message)
	}
}

// The waypoints and the straight lines between them are free; the spline that the controller
// makes of their velocities is not.
func TestGateCatchesASplineThatSwings(t *testing.T) {
	t.Parallel()
	g := newGated(t, inMemory()).ready()
	m := goalOf(bothCarts, []float64{0, 0, 0}, []float64{1, 0, 0})
	for i, v := range []float64{-8, 8} {
		m.Trajectory.Points[i].Velocities = []float64{0, v}
	}
	g.refused(m, "CONTACT: left and right touch at ")
	for i := range m.Trajectory.Points {
		m.Trajectory.Points[i].Velocities = nil
	}
	g.succeeds(m)
}

// Nothing is sent on as straight lines of which the controller may make a spline: a goal, a trajectory
// on the topic, with velocities or accelerations.
func TestGateJudgesNoStraightLinesForSplines(t *testing.T) {
	t.Parallel()
	g := newGated(t, inMemory(), "-p", "trajectory.interpolation:=linear").ready()
	m := goalOf(bothCarts, []float64{0, 0, 0}, []float64{1, 0, 0})
	swings := func(by float64) {
		for i, v := range []float64{-by, by} {
			m.Trajectory.Points[i].Velocities = []float64{0, v}
		}
	}
	swings(8)
	g.refused(m, "UNDECIDED: the points have velocities or accelerations")
	topic := advertise[trajectorymsgs.JointTrajectory](g.robot, "carts_checked/joint_trajectory")
	n := g.verdicts.count()
	g.publish(topic.Publish(&m.Trajectory))
	g.verdicts.wait(n, "of a spline on the topic", func(v *fcmsgs.Verdict) bool {
		return v.Status == fcmsgs.VerdictUndecided && strings.Contains(v.Message, "straight lines")
	})
	swings(0)
	for i := range m.Trajectory.Points {
		m.Trajectory.Points[i].Accelerations = []float64{0, 0}
	}
	g.refused(m, "UNDECIDED: the points have velocities or accelerations")
	if taken := g.controller.Taken(); taken != 0 {
		t.Errorf("the controller took %d trajectories", taken)
	}
	for i := range m.Trajectory.Points {
		m.Trajectory.Points[i].Velocities, m.Trajectory.Points[i].Accelerations = nil, nil
	}
	g.succeeds(m)
}

// The tolerances of a goal say how far the controller may be off.
func TestGateJudgesTheTolerancesOfAGoal(t *testing.T) {
	t.Parallel()
	g := newGated(t, inMemory()).ready()
	m := goalOf(bothCarts, []float64{0.2, 0, -0.6})
	m.PathTolerance = []controlmsgs.JointTolerance{{Name: "right_x", Position: 0.3}}
	g.refused(m, "may, with the joints within their tube, touch")
	m.PathTolerance[0].Position = 0.1
	g.succeeds(m)
}

func TestGateWithoutMeasurementRefuses(t *testing.T) {
	t.Parallel()
	g := newGated(t, inMemory()).ready()
	g.fallsSilent()
	g.refused(goalOf(bothCarts, []float64{0.2, 0, 0.5}), "UNDECIDED: ")
	g.controller.Mute(false)
	g.waitLevel(g.states.count(), levelFree, "")
	go func() {
		g.waitUntilItMoves()
		g.controller.Mute(true)
	}()
	status, r := g.sent(action.NewID(), goalOf(bothCarts, []float64{4, 0, 0.5}))
	if status != action.Aborted || !strings.Contains(r.ErrorString, "not measured") {
		t.Errorf("without measurements the goal ends %v: %q", status, r.ErrorString)
	}
}

// fallsSilent ends the joint states and waits until those that are still on their way are too old
// to count: one UNKNOWN state may come before them.
func (g *gated) fallsSilent() {
	g.Helper()
	g.controller.Mute(true)
	old := g.controller.Now().Add(g.controller.Skew() + keptFresh)
	g.states.wait(g.states.count(), "without measurements that may still be fresh", func(s *fcmsgs.CollisionState) bool {
		return s.Level == levelUnknown && strings.Contains(s.Reason, "no fresh measurement") && g.controller.Now().After(old)
	})
}

// box puts a box around the place of the right cart at 1 m.
func box(_ context.Context, _ *urdf.Robot, below *scene.Snapshot) (*scene.Snapshot, error) {
	return below.With(cube("crate", 2.2))
}

// A scene that came before the goal counts, however long it takes to make it ready.
func TestGateWaitsForTheScene(t *testing.T) {
	t.Parallel()
	g := newGated(t, inMemory(), "-p", "joint_state_timeout:=20.0", "-p", "trajectory.deadline:=20.0").ready()
	ready := make(chan struct{})
	g.under.worlds.put(fromPlanningScene, func(ctx context.Context, robot *urdf.Robot, below *scene.Snapshot) (*scene.Snapshot, error) {
		<-ready
		return box(ctx, robot, below)
	}, nil)
	id := action.NewID()
	accepted, _, err := g.user.Send(g.soon(), id, goalOf(bothCarts, []float64{0.5, 0, 1.5}))
	if err != nil || !accepted {
		t.Fatalf("accepted %v (%v)", accepted, err)
	}
	if v := g.waitVerdict(id.String()); v.Status != fcmsgs.VerdictFree {
		t.Errorf("in the scene before: %d: %s", v.Status, v.Message)
	}
	time.Sleep(100 * time.Millisecond) // time enough to send it on
	close(ready)
	status, r, err := g.user.Result(g.soon(), id)
	if err != nil {
		t.Fatal(err)
	}
	if n := g.controller.Taken(); status != action.Aborted || r.ErrorCode != controlmsgs.FollowJointTrajectoryResultInvalidGoal || !strings.Contains(r.ErrorString, "crate") || n > 0 {
		t.Errorf("the goal ends %v, code %d: %q; the controller took %d", status, r.ErrorCode, r.ErrorString, n)
	}
}

func TestGateStopsForANewObstacle(t *testing.T) {
	t.Parallel()
	g := newGated(t, inMemory()).ready()
	time.AfterFunc(300*time.Millisecond, func() { g.under.worlds.put(fromPlanningScene, box, nil) })
	status, r := g.sent(action.NewID(), goalOf(bothCarts, []float64{4, 0, 1.5}))
	if status != action.Aborted || !strings.Contains(r.ErrorString, "CONTACT: ") || !strings.Contains(r.ErrorString, "crate") {
		t.Errorf("the goal ends %v: %q", status, r.ErrorString)
	}
	if at := g.controller.At()["right_x"]; at > 1 {
		t.Errorf("the right cart was stopped at %g only", at)
	}
}

func TestGateStopsARobotThatDeviates(t *testing.T) {
	t.Parallel()
	g := newGated(t, inMemory(), "-p", "gate.deviation:=0.02").ready()
	g.stray.Store(math.Float64bits(0.01))
	if status, r := g.sent(action.NewID(), goalOf(bothCarts, []float64{0.3, 0, 0.5})); status != action.Succeeded {
		t.Errorf("a hundredth beside its way: %v: %q", status, r.ErrorString)
	}
	g.stray.Store(math.Float64bits(0))
	time.AfterFunc(300*time.Millisecond, func() { g.stray.Store(math.Float64bits(0.05)) })
	status, r := g.sent(action.NewID(), goalOf(bothCarts, []float64{4, 0, 1.5}))
	if status != action.Aborted || r.ErrorCode != controlmsgs.FollowJointTrajectoryResultPathToleranceViolated || !strings.Contains(r.ErrorString, "beyond its tolerance") {
		t.Errorf("the goal ends %v, code %d: %q", status, r.ErrorCode, r.ErrorString)
	}
}

// A goal that replaces a running one starts where the robot will be.
func TestGateReplacesARunningGoal(t *testing.T) {
	t.Parallel()
	testGateReplaces(t, inMemory())
}

func testGateReplaces(t *testing.T, in *graph) {
	g := newGated(t, in, "-p", "controller.handover:=0.3").ready()
	first := make(chan *gatetest.Result, 1)
	go func() {
		_, r := g.sent(action.NewID(), goalOf(bothCarts, []float64{4, 0, 1.5}))
		first <- r
	}()
	for g.controller.Taken() == 0 {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(100 * time.Millisecond)
	g.refused(goalOf(bothCarts, []float64{1, 0, -1}), "CONTACT: ")
	g.succeeds(goalOf(bothCarts, []float64{1, 0, 0.3}))
	if r := <-first; !strings.Contains(r.ErrorString, "replaced by a new goal") {
		t.Errorf("the first goal ends with %q", r.ErrorString)
	}
}

// The controller takes a goal over half a second after the one that it replaces was taken to end: meanwhile the
// cart has moved on, and it starts elsewhere. What it executes then is judged, or ends.
func TestGateJudgesALateHandover(t *testing.T) {
	for _, c := range []struct {
		to     float64
		status action.Status
		text   string
	}{
		{-0.65, action.Aborted, "canceled: the rest of the motion: CONTACT: left and right may, "},
		{0.2, action.Succeeded, ""},
	} {
		t.Run(c.text, func(t *testing.T) {
			t.Parallel()
			var came atomic.Int32
			hesitates := func(action.ID) <-chan struct{} {
				if came.Add(1) == 1 {
					return nil
				}
				decided := make(chan struct{})
				time.AfterFunc(500*ms, func() { close(decided) })
				return decided
			}
			g := newGatedBy(t, inMemory(), gatetest.Options{Hesitates: hesitates}).ready()
			go g.user.Send(g.soon(), action.NewID(), goalOf("right_x", []float64{1.5, -0.6}))
			for g.controller.At()["right_x"] > -0.1 {
				time.Sleep(ms)
			}
			if status, r := g.sent(action.NewID(), goalOf("right_x", []float64{1, c.to})); status != c.status || !strings.Contains(r.ErrorString, c.text) {
				t.Errorf("to %g the goal ends %v: %q, want %v: %q", c.to, status, r.ErrorString, c.status, c.text)
			}
		})
	}
}

// A goal that replaces another begins where that has taken the robot, which may have begun when it was sent to
// the controller.
func TestReplacementAllowsForWhenTheOtherBegan(t *testing.T) {
	for _, commanded := range []bool{true, false} {
		begin := time.Now()
		way, err := motion.Between([]string{"j"}, []float64{0}, []float64{4}, 4) // at 1 rad/s
		if err != nil {
			t.Fatal(err)
		}
		way.KeepTurns = true
		p := &passage{q: &question{plan: &jtc.Plan{Start: begin, Motion: way}, stamp: time.Unix(0, 0), controller: controller{handover: 50 * ms}, forward: &forwarding{}}}
		p.sent, p.begun = begin, begin.Add(100*ms)
		q := defaults(config.Defaults()).of("jazzy")
		q.controller.settings.FromCommanded = commanded
		asked := q.aboutGoal(&gate.Question{ID: "goal", Goal: goalOf("j", []float64{1, 2}), Running: p, Time: time.Second}, 0.05)
		asked.now = begin.Add(time.Second)
		for _, began := range []time.Duration{0, 150 * ms} { // when it was sent, and as late as it may be
			is := 1 - began.Seconds()
			asked.at = jtc.State{Positions: map[string]float64{"j": is}, Velocities: map[string]float64{"j": 1}, Stamp: asked.now}
			made, err := asked.way(t.Context(), asked.at.Positions)
			if err != nil {
				t.Fatal(err)
			}
			start, tube := made.At(0)[0], asked.query.Tube["j"]
			for _, at := range []float64{is, is + asked.controller.handover.Seconds()} {
				if math.Abs(at-start) > tube+1e-9 {
					t.Errorf("from what is commanded %v: it is taken to begin at %g within %g, and begins at %g", commanded, start, tube, at)
				}
			}
		}
	}
}

func TestGateOnTheTopic(t *testing.T) { testGateOnTheTopic(t, inMemory()) }

func testGateOnTheTopic(t *testing.T, in *graph) {
	g := newGated(t, in).ready()
	topic := advertise[trajectorymsgs.JointTrajectory](g.robot, "carts_checked/joint_trajectory")
	bad, good := path(bothCarts, []float64{0.1, 0, -1}), path(bothCarts, []float64{0.1, 0, 0.25})
	bad.Header.Stamp.Sec, good.Header.Stamp.Sec = 0, 0
	g.publish(topic.Publish(bad))
	g.publish(topic.Publish(good))
	for deadline := time.Now().Add(patience); g.controller.At()["right_x"] != 0.25; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the free trajectory does not arrive")
		}
	}
	if n := g.controller.Taken(); n != 1 {
		t.Errorf("the controller took %d trajectories", n)
	}
}

// A thousand goals at once: each has one result, and none that collides is forwarded.
func TestGateUnderAFlood(t *testing.T) {
	t.Parallel()
	g := newGated(t, inMemory()).ready()
	good, bad := goalOf(bothCarts, []float64{0.02, 0, 0.3}), goalOf(bothCarts, []float64{0.02, 0, -1})
	ends := make(chan action.Status, 1000)
	for i := range cap(ends) {
		m := bad
		if i%2 == 0 {
			m = good
		}
		go func() {
			id := action.NewID()
			accepted, _, err := g.user.Send(g.soon(), id, m)
			if err != nil {
				t.Error(err)
			}
			if !accepted {
				ends <- action.Aborted
				return
			}
			status, _, err := g.user.Result(g.soon(), id)
			if err != nil || m == bad && status != action.Aborted || !status.Final() {
				t.Errorf("a goal ends %v (%v)", status, err)
			}
			ends <- status
		}()
	}
	counts := map[action.Status]int{}
	for range cap(ends) {
		counts[<-ends]++
	}
	t.Log(counts)
	if at := g.controller.At()["right_x"]; at < 0 {
		t.Errorf("the right cart is at %g", at)
	}
	g.succeeds(goalOf(bothCarts, []float64{0.1, 0, 0.4}))
}

func TestGateInDiagnostics(t *testing.T) {
	t.Parallel() // it waits for messages that come once a second
	g := newGated(t, inMemory()).ready()
	board := collect[diagnosticmsgs.DiagnosticArray](g.robot, "/diagnostics", ros.QoS{Depth: 10})
	g.succeeds(goalOf(bothCarts, []float64{0.05, 0, 0.3}))
	g.refused(goalOf(bothCarts, []float64{0.05, 0, -1}), "CONTACT")
	s := board.waitStatus("gate", diagnostics.OK, "")
	name := g.namespace + "/carts"
	if valueOf(s, name+" forwarded") != "1" || valueOf(s, name+" refused") != "1" {
		t.Errorf("diagnostics: %+v", s)
	}
	advertised, err := ros.Advertise[trajectorymsgs.JointTrajectory](g.node, "carts/joint_trajectory", ros.QoS{})
	if err != nil {
		t.Fatal(err)
	}
	board.waitStatus("gate", diagnostics.Error, "a way around the gate: ")
	advertised.Close()
	board.waitStatus("gate", diagnostics.OK, "")
	g.controller.Close()
	board.waitStatus("gate", diagnostics.Warn, "there is no action server of "+name)
	g.controller = nil
}

func TestGateOfAnInactiveNode(t *testing.T) {
	t.Parallel()
	g := newGated(t, inMemory(), "-p", "autostart:=false")
	g.refused(goalOf(bothCarts, []float64{0.2, 0, 0.5}), "UNDECIDED: the node is ")
}

// What no goal should be has an answer, and the node lives.
func TestGateOfHostileGoals(t *testing.T) {
	t.Parallel()
	g := newGated(t, inMemory()).ready()
	nan := goalOf(bothCarts, []float64{0.2, 0, math.NaN()})
	g.refused(nan, "INVALID: ")
	strange := goalOf(bothCarts, []float64{0.2, 0, 0.5})
	strange.PathTolerance = []controlmsgs.JointTolerance{{Name: "right_x", Position: math.Inf(1)}}
	g.refused(strange, "INVALID: ")
	future := goalOf(bothCarts, []float64{0.2, 0, 0.5})
	future.Trajectory.Header.Stamp.Sec = math.MaxInt32
	status, _ := g.sent(action.NewID(), future)
	t.Logf("a stamp in 2038: %v", status)
	for name, m := range map[string]*gatetest.Goal{
		"points": manyPoints(),
		"names":  {Trajectory: trajectorymsgs.JointTrajectory{JointNames: []string{strings.Repeat("x", limit.NameBytes+1)}}},
	} {
		id := action.NewID()
		if accepted, _, err := g.user.Send(g.soon(), id, m); accepted || err != nil {
			t.Errorf("too many %s: accepted %v (%v)", name, accepted, err)
		}
		if v := g.waitVerdict(id.String()); v.Status != fcmsgs.VerdictInvalid || !strings.Contains(v.Message, "docs/limits.md") {
			t.Errorf("too many %s: verdict %d: %s", name, v.Status, v.Message)
		}
	}
	g.succeeds(goalOf(bothCarts, []float64{0.2, 0, 0.5}))
}

func manyPoints() *gatetest.Goal {
	m := &gatetest.Goal{Trajectory: trajectorymsgs.JointTrajectory{JointNames: strings.Fields(bothCarts)}}
	m.Trajectory.Points = make([]trajectorymsgs.JointTrajectoryPoint, limit.TrajectoryPoints+1)
	return m
}
