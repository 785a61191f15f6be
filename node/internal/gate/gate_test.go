package gate_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/trajectorymsgs"
	"github.com/firstcontact-ros/firstcontact/node/gatetest"
	"github.com/firstcontact-ros/firstcontact/node/internal/gate"
	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/action"
)

// judge proves free what stays below position 1. The test may slow it down and change its mind.
type judge struct {
	mu          sync.Mutex
	delay       time.Duration
	mute        bool
	ready       error
	watch       error
	slowWatch   bool // Watch goes on until it is interrupted
	looks       int  // how often it was called
	slowStop    bool // Stop takes all the time that it has
	lost        bool // where the robot is: nothing can hold it
	stopJudged  bool // slowly
	broken      []*gatetest.Goal
	watchBroken error // of the others, once a plan is broken off
	asked       []gate.Question
	running     []bool // whether something ran when it was asked
}

func (j *judge) change(f func(*judge)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	f(j)
}

func (j *judge) Ask(q gate.Question, told func(gate.Verdict)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.asked = append(j.asked, q)
	j.running = append(j.running, q.Running != nil)
	if j.mute {
		return
	}
	v := gate.Verdict{Plan: &plan{judge: j, goal: q.Goal}}
	switch {
	case q.Broken != nil:
		v = gate.Verdict{Reason: q.Broken.Error()}
	case collides(&q.Goal.Trajectory):
		v = gate.Verdict{Reason: "the hand and the table touch at 0.5 s"}
	}
	time.AfterFunc(j.delay, func() { told(v) })
}

func collides(t *trajectorymsgs.JointTrajectory) bool {
	for _, p := range t.Points {
		if p.Positions[0] > 1 {
			return true
		}
	}
	return false
}

type plan struct {
	judge *judge
	goal  *gatetest.Goal
	mu    sync.Mutex
	begun time.Time
}

func (p *plan) Ready() error {
	p.judge.mu.Lock()
	defer p.judge.mu.Unlock()
	return p.judge.ready
}

func (p *plan) Begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.begun = time.Now()
}

func (p *plan) Break() {
	p.judge.change(func(j *judge) { j.broken = append(j.broken, p.goal) })
}

func (p *plan) Over() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	points := p.goal.Trajectory.Points
	return time.Since(p.begun).Seconds() > points[len(points)-1].TimeFromStart.Seconds()
}

func (p *plan) Watch(ctx context.Context) error {
	p.judge.mu.Lock()
	defer p.judge.mu.Unlock()
	if p.judge.looks++; p.judge.slowWatch {
		p.judge.mu.Unlock()
		<-ctx.Done()
		p.judge.mu.Lock()
		return ctx.Err()
	}
	if len(p.judge.broken) > 0 && p.judge.broken[0] != p.goal && p.judge.watchBroken != nil {
		return p.judge.watchBroken
	}
	return p.judge.watch
}

func (p *plan) Stop(ctx context.Context) (free bool, result string) {
	p.judge.mu.Lock()
	slow := p.judge.slowStop
	p.judge.mu.Unlock()
	if slow {
		<-ctx.Done()
		p.judge.change(func(j *judge) { j.stopJudged = true })
		return false, "the stop is not judged: out of time"
	}
	return true, "the robot stops free"
}

func (p *plan) Hold() *trajectorymsgs.JointTrajectory {
	p.judge.mu.Lock()
	defer p.judge.mu.Unlock()
	if p.judge.lost {
		return nil
	}
	return &trajectory(0.25, 0.001).Trajectory
}

// trajectory moves the joint to a position.
func trajectory(to, seconds float64) *gatetest.Goal {
	return &gatetest.Goal{Trajectory: trajectorymsgs.JointTrajectory{
		JointNames: []string{"j"},
		Points:     []trajectorymsgs.JointTrajectoryPoint{{Positions: []float64{to}, TimeFromStart: builtininterfaces.DurationOf(time.Duration(seconds * 1e9))}},
	}}
}

// cell is a user, a gate and a controller.
type cell struct {
	t          *testing.T
	judge      *judge
	gate       *gate.Gate
	gateNode   *ros.Node
	controller *gatetest.Controller
	user       *gatetest.Client
	userNode   *ros.Node
	transport  ros.Transport
	options    func(*gatetest.Options) // of the controller
	deadline   atomic.Int64            // a time.Duration
	fed        chan action.ID
	ctx        context.Context
	mu         sync.Mutex
	took       []trajectorymsgs.JointTrajectory
	log        record
}

// record is what was logged.
type record struct {
	mu   sync.Mutex
	text strings.Builder
}

func (r *record) Write(line []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(line)
}

func (r *record) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}

func start(t *testing.T) *cell {
	t.Helper()
	return startWith(t, func(*gatetest.Options) {})
}

// startWith is start with other options of the controller.
func startWith(t *testing.T, options func(*gatetest.Options)) *cell {
	t.Helper()
	c := &cell{t: t, judge: &judge{}, transport: ros.NewMemory(), options: options, fed: make(chan action.ID, 10000)}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	t.Cleanup(cancel)
	c.ctx = ctx
	c.deadline.Store(int64(300 * time.Millisecond))
	c.startController()
	c.gateNode = c.node("gate")
	var err error
	c.gate, err = gate.New(gate.Options{Node: c.gateNode, Judge: c.judge, Controllers: []string{"arm", "hand"}, Deadline: func() time.Duration { return time.Duration(c.deadline.Load()) }, Bounds: ros.MessageBounds})
	c.must(err)
	run, stop := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- c.gate.Run(run) }()
	t.Cleanup(func() { stop(); c.must(<-ended) })
	c.userNode = c.node("user")
	c.user, err = gatetest.NewClient(c.userNode, "arm_checked", action.ClientOptions[gatetest.Feedback]{
		Feedback: func(id action.ID, f *gatetest.Feedback) {
			if len(f.JointNames) == 1 && f.JointNames[0] == "j" {
				c.fed <- id
			}
		},
	})
	c.must(err)
	for !c.gate.Report().Controllers[0].Present {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(110 * time.Millisecond) // until the gate's client trusts the server
	return c
}

func (c *cell) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}

func (c *cell) node(name string) *ros.Node {
	n, err := ros.NewNode(c.transport, ros.Options{Name: name, Logger: ros.NewLogger(&c.log, name, ros.LevelWarn)})
	c.must(err)
	c.t.Cleanup(func() { n.Close() })
	return n
}

func (c *cell) startController() {
	o := gatetest.Options{
		Name: "arm", At: map[string]float64{"j": 0}, Period: 2 * time.Millisecond,
		Took: func(_ action.ID, t *trajectorymsgs.JointTrajectory) {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.took = append(c.took, *t)
		},
		Rejects: func(id action.ID) bool { return id == action.ID{0xee} },
	}
	c.options(&o)
	var err error
	c.controller, err = gatetest.New(c.node("controller"), o)
	c.must(err)
	c.t.Cleanup(func() { c.stopController() })
}

func (c *cell) stopController() {
	if c.controller != nil {
		c.controller.Close()
		c.controller = nil
	}
}

// end is how a goal ends.
type end struct {
	status action.Status
	code   int32
	text   string
}

// sent sends a goal, which the gate accepts, and returns its end.
func (c *cell) sent(id action.ID, g *gatetest.Goal) <-chan end {
	c.t.Helper()
	accepted, _, err := c.user.Send(c.ctx, id, g)
	c.must(err)
	if !accepted {
		c.t.Fatal("the gate rejects a goal")
	}
	ends := make(chan end, 1)
	go func() {
		status, r, err := c.user.Result(c.ctx, id)
		if err != nil {
			ends <- end{text: err.Error()}
			return
		}
		ends <- end{status, r.ErrorCode, r.ErrorString}
	}()
	return ends
}

func (c *cell) expect(ends <-chan end, status action.Status, code int32, text string) {
	c.t.Helper()
	e := <-ends
	if e.status != status || e.code != code || !strings.Contains(e.text, text) {
		c.t.Errorf("the goal ended %v with code %d, %q, want %v with %d, %q", e.status, e.code, e.text, status, code, text)
	}
}

func (c *cell) taken(want int) {
	c.t.Helper()
	if got := c.controller.Taken(); got != want {
		c.t.Errorf("the controller took %d trajectories, want %d", got, want)
	}
}

func (c *cell) wait(what string, ok func() bool) {
	c.t.Helper()
	for !ok() {
		if c.ctx.Err() != nil {
			c.t.Fatalf("%s: never", what)
		}
		time.Sleep(time.Millisecond)
	}
}

func (c *cell) isTaken(n int) func() bool {
	return func() bool { return c.controller.Taken() == n }
}

func TestFreeGoalReachesTheController(t *testing.T) {
	c := start(t)
	id := action.NewID()
	ends := c.sent(id, trajectory(0.5, 0.05))
	if fed := <-c.fed; fed != id {
		t.Errorf("feedback of %s", fed)
	}
	c.expect(ends, action.Succeeded, 0, "")
	c.taken(1)
	if at := c.controller.At()["j"]; at != 0.5 {
		t.Errorf("the joint is at %g", at)
	}
	if r := c.gate.Report().Controllers[0]; r.Forwarded != 1 || r.Refused+r.Stopped != 0 || r.Name != "/arm" {
		t.Errorf("report %+v", r)
	}
}

func TestCollidingGoalNeverReachesTheController(t *testing.T) {
	c := start(t)
	c.expect(c.sent(action.NewID(), trajectory(1.5, 0.05)), action.Aborted, -1, "the hand and the table touch at 0.5 s")
	c.taken(0)
}

func TestNoVerdictIsARefusal(t *testing.T) {
	c := start(t)
	c.judge.change(func(j *judge) { j.mute = true })
	c.expect(c.sent(action.NewID(), trajectory(0.5, 0.05)), action.Aborted, -1, "no verdict within the deadline")
	c.taken(0)
}

func TestGoalThatTheControllerRejects(t *testing.T) {
	c := start(t)
	c.expect(c.sent(action.ID{0xee}, trajectory(0.5, 0.05)), action.Aborted, -1, "the controller rejected the goal")
}

func TestCancelBeforeTheVerdict(t *testing.T) {
	c := start(t)
	c.judge.change(func(j *judge) { j.delay = 200 * time.Millisecond })
	id := action.NewID()
	ends := c.sent(id, trajectory(0.5, 0.05))
	_, err := c.user.Cancel(c.ctx, id)
	c.must(err)
	c.expect(ends, action.Canceled, 0, "before it was forwarded")
	time.Sleep(300 * time.Millisecond)
	c.taken(0)
}

func TestCancelOfARunningGoal(t *testing.T) {
	c := start(t)
	id := action.NewID()
	ends := c.sent(id, trajectory(0.5, 10))
	c.wait("taken", c.isTaken(1))
	_, err := c.user.Cancel(c.ctx, id)
	c.must(err)
	c.expect(ends, action.Canceled, 0, "")
	c.expect(c.sent(action.NewID(), trajectory(0.1, 0.01)), action.Succeeded, 0, "")
}

func TestLaterGoalReplacesTheRunningOne(t *testing.T) {
	c := start(t)
	first := c.sent(action.NewID(), trajectory(0.5, 10))
	c.wait("executing", func() bool { return c.gate.Report().Controllers[0].Executing }) // as far as the gate knows
	second := c.sent(action.NewID(), trajectory(0.3, 0.05))
	c.expect(first, action.Aborted, -1, "replaced by a new goal")
	c.expect(second, action.Succeeded, 0, "")
	c.judge.change(func(j *judge) {
		if fmt.Sprint(j.running) != "[false true]" {
			t.Errorf("the judge heard of what runs: %v", j.running)
		}
	})
}

// The judge hears what the other controllers execute. One whose goal is canceled, or ends early, is
// broken off, and what the others execute is judged again.
func TestControllersAtTheSameTime(t *testing.T) {
	c := start(t)
	hand, err := gatetest.New(c.node("hand"), gatetest.Options{Name: "hand", At: map[string]float64{"h": 0}})
	c.must(err)
	defer hand.Close()
	grip, err := gatetest.NewClient(c.userNode, "hand_checked", action.ClientOptions[gatetest.Feedback]{})
	c.must(err)
	arm := action.NewID()
	ends := c.sent(arm, trajectory(0.5, 20))
	c.wait("taken", c.isTaken(1))
	closing := trajectory(0.2, 20)
	closing.Trajectory.JointNames = []string{"h"}
	id := action.NewID()
	_, _, err = grip.Send(c.ctx, id, closing)
	c.must(err)
	c.wait("taken by the hand", func() bool { return hand.Taken() == 1 })
	c.judge.change(func(j *judge) {
		if last := j.asked[len(j.asked)-1]; len(last.Beside) != 1 || last.Running != nil {
			t.Errorf("the judge heard of %d plans beside the hand's, and of %v that runs", len(last.Beside), last.Running)
		}
		if len(j.broken) > 0 {
			t.Error("a plan is broken off")
		}
		j.watchBroken = errors.New("the arm stands in the way")
	})
	_, err = c.user.Cancel(c.ctx, arm)
	c.must(err)
	c.expect(ends, action.Canceled, 0, "")
	status, r, err := grip.Result(c.ctx, id)
	c.must(err)
	if status != action.Aborted || !strings.Contains(r.ErrorString, "canceled: the arm stands in the way") {
		t.Errorf("the hand's goal ends %v: %q", status, r.ErrorString)
	}
}

// While the controller stops, nothing else is forwarded: where it stops is not known.
func TestNothingIsForwardedWhileTheControllerStops(t *testing.T) {
	c := start(t)
	id := action.NewID()
	c.controller.Stubborn(true)
	first := c.sent(id, trajectory(0.5, 10))
	c.wait("taken", c.isTaken(1))
	_, err := c.user.Cancel(c.ctx, id)
	c.must(err)
	time.Sleep(20 * time.Millisecond)
	c.expect(c.sent(action.NewID(), trajectory(0.3, 0.05)), action.Aborted, -1, "is being canceled")
	c.controller.Stubborn(false)
	c.expect(first, action.Canceled, 0, "")
	c.expect(c.sent(action.NewID(), trajectory(0.3, 0.05)), action.Succeeded, 0, "")
}

// A colliding goal leaves the running one alone.
func TestRefusedGoalReplacesNothing(t *testing.T) {
	c := start(t)
	first := c.sent(action.NewID(), trajectory(0.5, 0.3))
	c.wait("taken", c.isTaken(1))
	c.expect(c.sent(action.NewID(), trajectory(1.5, 0.05)), action.Aborted, -1, "touch")
	c.expect(first, action.Succeeded, 0, "")
}

func TestGoalThatWasOvertakenIsRefused(t *testing.T) {
	c := start(t)
	c.judge.change(func(j *judge) { j.delay = 200 * time.Millisecond })
	first := c.sent(action.NewID(), trajectory(0.5, 0.05))
	c.wait("asked", func() (is bool) { // with that delay: the gate accepts first
		c.judge.change(func(j *judge) { is = len(j.asked) == 1 })
		return is
	})
	c.judge.change(func(j *judge) { j.delay = 0 })
	second := c.sent(action.NewID(), trajectory(0.3, 0.5))
	c.expect(first, action.Aborted, -1, "a later trajectory was forwarded")
	c.expect(second, action.Succeeded, 0, "")
	c.taken(1)
}

func TestProofThatNoLongerHoldsIsAskedForAgain(t *testing.T) {
	c := start(t)
	c.judge.change(func(j *judge) { j.ready, j.delay = errors.New("the scene has changed"), 10*time.Millisecond })
	ends := c.sent(action.NewID(), trajectory(0.5, 0.05))
	c.wait("asked again", func() (again bool) {
		c.judge.change(func(j *judge) { again = len(j.asked) > 2 })
		return again
	})
	c.taken(0)
	c.judge.change(func(j *judge) { j.ready = nil })
	c.expect(ends, action.Succeeded, 0, "")
	c.judge.change(func(j *judge) { j.ready = errors.New("the scene has changed") })
	c.expect(c.sent(action.NewID(), trajectory(0.5, 0.05)), action.Aborted, -1, "the deadline has passed: the scene has changed")
	c.taken(1)
}

func TestRunningGoalIsCanceledWithTheReason(t *testing.T) {
	for code, reason := range map[int32]error{
		-1: errors.New("the box and the hand touch at 3 s"),
		-4: fmt.Errorf("joint j is 0.2 rad beside it: %w", gate.ErrDeviation),
	} {
		c := start(t)
		ends := c.sent(action.NewID(), trajectory(0.5, 10))
		c.wait("taken", c.isTaken(1))
		c.judge.change(func(j *judge) { j.watch = reason })
		c.expect(ends, action.Aborted, code, "canceled: "+reason.Error()+"; the robot stops free")
		if r := c.gate.Report().Controllers[0]; r.Stopped != 1 || r.Executing {
			t.Errorf("report %+v", r)
		}
	}
}

// The controller is told to cancel at once; only the result waits for what is found of the stop.
func TestJudgingTheStopDoesNotDelayIt(t *testing.T) {
	c := start(t)
	ends := c.sent(action.NewID(), trajectory(0.5, 10))
	c.wait("taken", c.isTaken(1))
	begin := time.Now()
	c.judge.change(func(j *judge) { j.watch, j.slowStop = errors.New("a box is in the way"), true })
	c.wait("canceled", func() bool { return !c.controller.Executing() })
	c.judge.change(func(j *judge) {
		if j.stopJudged {
			t.Error("the controller goes on until the stop is judged")
		}
	})
	c.expect(ends, action.Aborted, -1, "canceled: a box is in the way; the stop is not judged: out of time")
	if took := time.Since(begin); took < 300*time.Millisecond {
		t.Errorf("the result did not wait for the stop: %v", took)
	}
}

func TestControllerThatIsAbsentOrGone(t *testing.T) {
	c := start(t)
	ends := c.sent(action.NewID(), trajectory(0.5, 10))
	c.wait("taken", c.isTaken(1))
	c.stopController()
	c.expect(ends, action.Aborted, -1, "the controller is gone")
	c.expect(c.sent(action.NewID(), trajectory(0.5, 10)), action.Aborted, -1, "no action server /arm/follow_joint_trajectory")
	c.startController()
	c.wait("present", func() bool { return c.gate.Report().Controllers[0].Present })
	c.expect(c.sent(action.NewID(), trajectory(0.5, 0.05)), action.Succeeded, 0, "")
}

func TestClosedGateCancelsWhatRuns(t *testing.T) {
	c := start(t)
	ends := c.sent(action.NewID(), trajectory(0.5, 10))
	c.wait("taken", c.isTaken(1))
	go c.gate.Close()
	c.expect(ends, action.Aborted, -1, "the gate is closed")
	at := c.controller.At()["j"]
	time.Sleep(20 * time.Millisecond)
	if now := c.controller.At()["j"]; now != at {
		t.Errorf("the joint moves on, from %g to %g", at, now)
	}
}

func TestTopic(t *testing.T) {
	c := start(t)
	pub, err := ros.Advertise[trajectorymsgs.JointTrajectory](c.userNode, "arm_checked/joint_trajectory", ros.QoS{})
	c.must(err)
	c.must(pub.WaitSubscribers(c.ctx, 1))
	pub.Publish(&trajectory(1.5, 0.05).Trajectory)
	pub.Publish(&trajectory(0.5, 0.05).Trajectory)
	c.wait("taken", c.isTaken(1))
	c.wait("there", func() bool { return c.controller.At()["j"] == 0.5 })
	c.wait("ended", func() bool { return !c.gate.Report().Controllers[0].Executing })

	ends := c.sent(action.NewID(), trajectory(0.2, 10))
	c.wait("taken", c.isTaken(2))
	pub.Publish(&trajectory(0.4, 10).Trajectory)
	c.expect(ends, action.Aborted, -1, "replaced by a new goal")
	c.judge.change(func(j *judge) { j.watch = errors.New("a box is in the way") })
	c.wait("held", func() bool { return c.controller.At()["j"] == 0.25 })
	c.taken(4)
}

// onTheTopic publishes a trajectory and waits until the controller executes it.
func (c *cell) onTheTopic(to, seconds float64) {
	c.t.Helper()
	pub, err := ros.Advertise[trajectorymsgs.JointTrajectory](c.userNode, "arm_checked/joint_trajectory", ros.QoS{})
	c.must(err)
	c.must(pub.WaitSubscribers(c.ctx, 1))
	pub.Publish(&trajectory(to, seconds).Trajectory)
	c.wait("taken", c.isTaken(1))
}

// Where the robot is is not known when its trajectory must end: it is held as soon as that is known, and
// nothing is sent before.
func TestTopicIsHeldAsSoonAsThatIsPossible(t *testing.T) {
	c := start(t)
	c.judge.change(func(j *judge) { j.lost, j.watch = true, errors.New("the joints are not measured") })
	c.onTheTopic(0.5, 10)
	c.wait("stopped", func() bool { return c.gate.Report().Controllers[0].Stopped == 1 })
	c.judge.change(func(j *judge) { j.watch = nil })
	c.expect(c.sent(action.NewID(), trajectory(0.3, 0.05)), action.Aborted, -1, "what the controller /arm executes is being canceled")
	if !c.gate.Report().Controllers[0].Executing {
		t.Error("the gate has forgotten a trajectory that the controller executes")
	}
	c.taken(1)
	c.judge.change(func(j *judge) { j.lost = false })
	c.wait("held", func() bool { return c.controller.At()["j"] == 0.25 })
	c.wait("forgotten", func() bool { return !c.gate.Report().Controllers[0].Executing })
	c.expect(c.sent(action.NewID(), trajectory(0.3, 0.05)), action.Succeeded, 0, "")
}

func TestClosedGateHoldsWhatRunsOnTheTopic(t *testing.T) {
	c := start(t)
	c.judge.change(func(j *judge) { j.lost = true })
	c.onTheTopic(0.5, 10)
	closed := make(chan error)
	go func() { closed <- c.gate.Close() }()
	time.Sleep(100 * time.Millisecond)
	c.judge.change(func(j *judge) { j.lost = false })
	c.must(<-closed)
	c.wait("held", func() bool { return c.controller.At()["j"] == 0.25 })
}

func TestBypassesAreSeen(t *testing.T) {
	c := start(t)
	direct, err := gatetest.NewClient(c.userNode, "arm", action.ClientOptions[gatetest.Feedback]{})
	c.must(err)
	_, err = ros.Advertise[trajectorymsgs.JointTrajectory](c.userNode, "arm/joint_trajectory", ros.QoS{})
	c.must(err)
	id := action.NewID()
	accepted, _, err := direct.Send(c.ctx, id, trajectory(0.5, 10))
	if !accepted || err != nil {
		t.Fatal(accepted, err)
	}
	for _, want := range []string{"publishes on /arm/joint_trajectory", "is a client of the action /arm/follow_joint_trajectory", "executes the goal " + id.String()} {
		c.wait(want, func() bool { return strings.Contains(strings.Join(c.gate.Report().Bypasses, "\n"), want) })
	}
	c.expect(c.sent(action.NewID(), trajectory(0.5, 0.05)), action.Aborted, -1, "executes the goal "+id.String())
	_, err = direct.Cancel(c.ctx, id)
	c.must(err)
	c.wait("free again", func() bool {
		return !strings.Contains(strings.Join(c.gate.Report().Bypasses, "\n"), "executes")
	})
	c.expect(c.sent(action.NewID(), trajectory(0.5, 0.05)), action.Succeeded, 0, "")
}

// The gate's own goals are no bypass.
func TestNoBypassIsSeenWhereThereIsNone(t *testing.T) {
	c := start(t)
	for range 5 {
		c.expect(c.sent(action.NewID(), trajectory(0.5, 0.05)), action.Succeeded, 0, "")
		c.expect(c.sent(action.NewID(), trajectory(0, 0.05)), action.Succeeded, 0, "")
	}
	time.Sleep(1100 * time.Millisecond)
	if b := c.gate.Report().Bypasses; len(b) != 0 {
		t.Error(b)
	}
}

// A controller that is to cancel a goal, and goes on with it for longer than the gate waits for the
// end: nothing is sent until it has ended.
func TestNothingIsSentBesideAGoalThatDoesNotEnd(t *testing.T) {
	t.Parallel() // it waits for 5 s
	c := start(t)
	id := action.NewID()
	ends := c.sent(id, trajectory(0.5, 15))
	c.wait("executed", c.controller.Executing)
	c.controller.Stubborn(true)
	c.judge.change(func(j *judge) { j.watch = errors.New("a box is in the way") })
	c.expect(ends, action.Aborted, -1, "the controller has not told the goal's end")
	c.judge.change(func(j *judge) { j.watch = nil })
	c.expect(c.sent(action.NewID(), trajectory(0.3, 0.05)), action.Aborted, -1, "may still execute the goal "+id.String())
	c.taken(1)
	c.controller.Stubborn(false)
	c.wait("ended", func() bool { return !c.controller.Executing() })
	for e := (end{}); e.status != action.Succeeded; {
		if c.ctx.Err() != nil {
			t.Fatalf("at last: %+v", e)
		}
		e = <-c.sent(action.NewID(), trajectory(0.3, 0.05))
	}
}
