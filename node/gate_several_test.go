package node

import (
	"errors"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/config"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/jtc"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/controlmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/trajectorymsgs"
	"github.com/firstcontact-ros/firstcontact/node/gatetest"
	"github.com/firstcontact-ros/firstcontact/node/internal/gate"
	"github.com/firstcontact-ros/firstcontact/node/ros/action"
)

// twoArms is the node as the gate of two controllers, one of each cart, and a user. It watches how
// close the carts get.
type twoArms struct {
	*gated
	left, right         *gatetest.Controller
	leftUser, rightUser *gatetest.Client
	nearest             atomic.Uint64 // bits of the least gap
}

func newTwoArms(t *testing.T, args ...string) *twoArms {
	t.Helper()
	t.Parallel() // they wait for carts that move
	g := inMemory()
	a := &twoArms{gated: &gated{}}
	g.startNode = func(t *testing.T, g *graph, args []string) { a.under = startNodeHere(t, g, args) }
	a.robot = g.newRobot(t, railArgs(t, append([]string{"-p", "gate.controllers:=[left, right]", "-p", "joint_state_timeout:=5.0"}, args...)...)...)
	begin := func(name string) (*gatetest.Controller, *gatetest.Client) {
		c, err := gatetest.New(a.node, gatetest.Options{
			Name: name, At: map[string]float64{name + "_x": 0}, Period: 5 * time.Millisecond,
			Stray: func() float64 { return math.Float64frombits(a.stray.Load()) },
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		user, err := gatetest.NewClient(a.node, name+"_checked", action.ClientOptions[gatetest.Feedback]{})
		if err != nil {
			t.Fatal(err)
		}
		return c, user
	}
	a.left, a.leftUser = begin("left")
	a.right, a.rightUser = begin("right")
	a.nearest.Store(math.Float64bits(math.Inf(1)))
	done := make(chan struct{})
	go a.watchGap(done)
	t.Cleanup(func() { close(done) })
	a.ready()
	return a
}

func (a *twoArms) watchGap(done <-chan struct{}) {
	for {
		select {
		case <-done:
			return
		case <-time.After(time.Millisecond):
			a.nearest.Store(math.Float64bits(min(math.Float64frombits(a.nearest.Load()), gap(a.left.At()["left_x"], a.right.At()["right_x"]))))
		}
	}
}

// ending is how a goal ends.
type ending struct {
	status action.Status
	code   int32
	text   string
}

// begins sends a goal and returns its end.
func (a *twoArms) begins(user *gatetest.Client, id action.ID, m *gatetest.Goal) <-chan ending {
	a.Helper()
	accepted, _, err := user.Send(a.soon(), id, m)
	if err != nil || !accepted {
		a.Fatalf("accepted %v (%v)", accepted, err)
	}
	ends := make(chan ending, 1)
	go func() {
		status, r, err := user.Result(a.soon(), id)
		if err != nil {
			ends <- ending{text: err.Error()}
			return
		}
		ends <- ending{status, r.ErrorCode, r.ErrorString}
	}()
	return ends
}

// runs sends a goal and waits until its controller executes it.
func (a *twoArms) runs(c *gatetest.Controller, user *gatetest.Client, id action.ID, m *gatetest.Goal) <-chan ending {
	a.Helper()
	before := c.Taken()
	ends := a.begins(user, id, m)
	for end := time.Now().Add(patience); c.Taken() == before; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			a.Fatal("the controller does not execute the goal")
		}
		select {
		case e := <-ends:
			a.Fatalf("the goal ends %v: %q", e.status, e.text)
		default:
		}
	}
	return ends
}

func (a *twoArms) wants(ends <-chan ending, status action.Status, text string) {
	a.Helper()
	if e := <-ends; e.status != status || !strings.Contains(e.text, text) {
		a.Errorf("the goal ends %v, code %d: %q, want %v: %q", e.status, e.code, e.text, status, text)
	}
}

// apart holds that the carts never came closer.
func (a *twoArms) apart(least float64) {
	a.Helper()
	if d := math.Float64frombits(a.nearest.Load()); d < least {
		a.Errorf("the carts came as close as %g", d)
	}
}

func leftTo(seconds, x float64) *gatetest.Goal  { return goalOf("left_x", []float64{seconds, x}) }
func rightTo(seconds, x float64) *gatetest.Goal { return goalOf("right_x", []float64{seconds, x}) }

// The left cart follows the right one to where that was: 0.8 m apart all the way.
func TestGateJudgesControllersTogether(t *testing.T) {
	a := newTwoArms(t)
	right := a.runs(a.right, a.rightUser, action.NewID(), rightTo(1.5, 0.9))
	a.wants(a.begins(a.leftUser, action.NewID(), leftTo(1.5, 0.85)), action.Succeeded, "")
	a.wants(right, action.Succeeded, "")
	a.apart(0.6)
}

// Each cart alone may go half way, but not both.
func TestGateRefusesWhatCollidesTogether(t *testing.T) {
	a := newTwoArms(t)
	id := action.NewID()
	right := a.runs(a.right, a.rightUser, id, rightTo(10, -0.5))
	a.wants(a.begins(a.leftUser, action.NewID(), leftTo(1, 0.5)), action.Aborted, "CONTACT: left and right ")
	a.wants(a.begins(a.leftUser, action.NewID(), goalOf("right_x", []float64{1, 0.1})), action.Aborted, "two controllers move joint right_x")
	if _, err := a.rightUser.Cancel(a.soon(), id); err != nil {
		t.Fatal(err)
	}
	a.wants(right, action.Canceled, "")
	if n := a.left.Taken(); n != 0 {
		t.Errorf("the left cart's controller took %d trajectories", n)
	}
	a.wants(a.begins(a.leftUser, action.NewID(), leftTo(0.1, 0.2)), action.Succeeded, "")
}

// When controllers begin is known to controller.handover: at 0.5 m/s each, carts 0.8 m apart may be
// 1 m nearer if that is a second, and 0.1 m nearer if it is a tenth.
func TestGateAllowsForTheClocksOfControllers(t *testing.T) {
	for handover, status := range map[string]action.Status{"1.0": action.Aborted, "0.1": action.Succeeded} {
		t.Run(handover, func(t *testing.T) {
			a := newTwoArms(t, "-p", "controller.handover:="+handover)
			right := a.runs(a.right, a.rightUser, action.NewID(), rightTo(1, 0.5))
			text := ""
			if status == action.Aborted {
				text = "may, with the joints within their tube, touch"
			}
			a.wants(a.begins(a.leftUser, action.NewID(), leftTo(1, 0.5)), status, text)
			a.wants(right, action.Succeeded, "")
		})
	}
}

// The cart in front is stopped by its user: the one behind is judged with that one where it stops,
// and goes on only if it gets by with that.
func TestGateJudgesWhatGoesOnBesideAStop(t *testing.T) {
	braking := []string{"-p", "lookahead.deceleration:=20.0"}
	for _, c := range []struct {
		name   string
		args   []string
		to     float64
		status action.Status
		text   string
	}{
		{"into the place of the other", braking, 1, action.Aborted, "canceled: the rest of the motion: CONTACT: left and right "},
		{"short of it", braking, 0.1, action.Succeeded, ""},
		{"how the other stops is not known", nil, 0.3, action.Aborted, "another controller stops, and where its joints stop is not known: no deceleration is given for joint right_x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := newTwoArms(t, c.args...)
			id := action.NewID()
			right := a.runs(a.right, a.rightUser, id, rightTo(10, 1.2))
			left := a.runs(a.left, a.leftUser, action.NewID(), leftTo(10*c.to, c.to))
			if _, err := a.rightUser.Cancel(a.soon(), id); err != nil {
				t.Fatal(err)
			}
			a.wants(right, action.Canceled, "")
			a.wants(left, c.status, c.text)
			a.apart(0.05)
		})
	}
}

// A new obstacle in the way of one stops both: nothing is proved of either.
func TestGateStopsControllersThatAreProvedTogether(t *testing.T) {
	a := newTwoArms(t, "-p", "lookahead.deceleration:=20.0")
	right := a.runs(a.right, a.rightUser, action.NewID(), rightTo(20, 1.2))
	left := a.runs(a.left, a.leftUser, action.NewID(), leftTo(20, 0.5))
	a.under.worlds.put(fromPlanningScene, box, nil)
	a.wants(right, action.Aborted, "right and crate ")
	a.wants(left, action.Aborted, "canceled: ")
}

// A robot that is beside its way stops all that was proved with it.
func TestGateStopsControllersTogetherIfOneDeviates(t *testing.T) {
	a := newTwoArms(t, "-p", "lookahead.deceleration:=20.0", "-p", "controller.handover:=0.1")
	right := a.runs(a.right, a.rightUser, action.NewID(), rightTo(20, 0.2))
	left := a.runs(a.left, a.leftUser, action.NewID(), leftTo(20, 0.2))
	a.stray.Store(math.Float64bits(0.2))
	for _, ends := range []<-chan ending{right, left} {
		e := <-ends
		if e.status != action.Aborted || e.code != controlmsgs.FollowJointTrajectoryResultPathToleranceViolated && !strings.Contains(e.text, "joint ") {
			t.Errorf("a goal ends %v, code %d: %q", e.status, e.code, e.text)
		}
		if strings.Contains(e.text, "the stop is not judged") {
			t.Errorf("although it is beside its way, where it stops is known: %q", e.text)
		}
	}
}

// A goal that replaces one of two running ones is judged with the other, and counts for both.
func TestGateReplacesOneOfTwo(t *testing.T) {
	a := newTwoArms(t, "-p", "lookahead.deceleration:=20.0")
	right := a.runs(a.right, a.rightUser, action.NewID(), rightTo(10, 1))
	left := a.runs(a.left, a.leftUser, action.NewID(), leftTo(10, 0.6)) // it must not end before the others are judged
	a.wants(a.begins(a.rightUser, action.NewID(), rightTo(1, -0.3)), action.Aborted, "CONTACT: left and right ")
	second := a.begins(a.rightUser, action.NewID(), rightTo(1, 0.3))
	a.wants(right, action.Aborted, "replaced by a new goal")
	a.wants(second, action.Succeeded, "")
	a.wants(left, action.Succeeded, "")
	a.apart(0.4)
}

// A controller that takes a goal over later than it was judged for: what is proved anew allows for
// when it did.
func TestCourseAllowsForALateHandover(t *testing.T) {
	m, w, n := simulatedNode(t)
	begin := n.now()
	plan := func(joint string) *passage {
		way, err := motion.Between([]string{joint}, []float64{0}, []float64{1}, 2)
		if err != nil {
			t.Fatal(err)
		}
		way.KeepTurns = true
		q := &question{plan: &jtc.Plan{Start: begin, Motion: way}, stamp: time.Unix(0, 0), controller: controller{handover: 50 * ms}}
		q.forward, q.judged.model = &forwarding{era: n.monitor.epoch()}, m
		return n.newPassage(q, []string{joint}, 0.05)
	}
	right, left := plan("right_x"), plan("left_x")
	right.sent = begin
	right.Begin()
	left.beside = []*passage{right}
	course := left.course.Load()
	course.members = append(course.members, right)
	left.sent = begin
	w.tick(80*ms, 80*ms)
	w.measure(0, 0, 0)
	left.Begin()
	if right.course.Load() != course || !course.late.Load() {
		t.Fatal("the late handover is not noticed")
	}
	w.tick(20*ms, 20*ms)
	w.measure(0, 0, 0.05)
	if err := course.settle(m); err != nil || !course.doubt {
		t.Fatalf("in doubt %v (%v)", course.doubt, err)
	}
	for joint, want := range map[string]float64{"left_x": 0.5 * 0.08, "right_x": 0.5 * 0.05} {
		if got := course.tube[joint]; math.Abs(got-want) > 1e-9 {
			t.Errorf("the tube of %s is %g, want %g", joint, got, want)
		}
	}
	if at := course.rest.At(0); math.Abs(at[0]-0.01) > 1e-9 || math.Abs(at[1]-0.05) > 1e-9 {
		t.Errorf("the carts %v are taken to be at %v", course.rest.Joints, at)
	}
}

// A controller that takes a goal over later than it was judged for, in place of another: the rest is
// judged with the plan for when it did, and all stop if there is none.
func TestCourseAllowsForALateReplacement(t *testing.T) {
	m, w, n := simulatedNode(t)
	begin := n.now()
	way, err := motion.Between(strings.Fields(bothCarts), []float64{0, 0}, []float64{0, 1}, 10)
	if err != nil {
		t.Fatal(err)
	}
	replacing := func(again func(time.Duration) (*jtc.Plan, error)) *passage {
		q := &question{plan: &jtc.Plan{Start: begin, Motion: way}, stamp: time.Unix(0, 0), controller: controller{handover: 50 * ms}, again: again}
		q.forward, q.judged.model, q.judged.way = &forwarding{era: n.monitor.epoch(), running: &jtc.Plan{Start: begin, Motion: way}}, m, way
		p := n.newPassage(q, []string{"right_x"}, 0.05)
		p.sent = begin
		return p
	}
	inTime := replacing(nil)
	inTime.Begin()
	w.tick(80*ms, 80*ms)
	w.measure(0, 0, 0.008)
	known := replacing(func(handover time.Duration) (*jtc.Plan, error) {
		return &jtc.Plan{Start: begin, Motion: way, Tube: map[string]float64{"right_x": handover.Seconds()}}, nil
	})
	known.Begin()
	unknown := replacing(nil)
	unknown.Begin()
	if c := inTime.course.Load(); c.settle(m) != nil || c.doubt {
		t.Error("a handover in time is in doubt")
	}
	if c := known.course.Load(); c.settle(m) != nil || !c.doubt || math.Abs(c.tube["right_x"]-0.08) > 1e-9 {
		t.Errorf("a late handover: in doubt %v, tube %v", c.doubt, c.tube)
	}
	if err := unknown.Watch(t.Context()); !errors.Is(err, errLate) {
		t.Errorf("a late handover that cannot be derived: %v", err)
	}
}

// Joint states without velocities tell by their positions that a cart moves.
func TestGateRefusesBesideADrift(t *testing.T) {
	m := railModel(t)
	w := simulate(m)
	ask := func(right float64) error {
		for range 10 {
			w.tick(ms, ms)
		}
		j := joints(0, "left_x right_x", 0, right)
		j.Header.Stamp = simStamp(w.sim)
		w.receive(j, w.now())
		q := defaults(config.Defaults()).of("jazzy")
		asked := q.aboutGoal(&gate.Question{ID: "goal", Goal: goalOf("left_x", []float64{1, 0.2}), Time: time.Second}, 0.05)
		asked.prepare(m, w.jointState)
		_, err := asked.way(t.Context(), asked.at.Positions)
		return err
	}
	w.tick(0, 0)
	if err := errors.Join(ask(1), ask(1)); err != nil {
		t.Errorf("beside a cart at rest: %v", err)
	}
	if err := ask(0.99); err == nil || !strings.Contains(err.Error(), "joint right_x moves at -1") {
		t.Errorf("beside a cart that moves: %v", err)
	}
}

// A cart that moves, and nobody knows what moves it, is nothing to be proved beside.
func TestGateRefusesBesideAnUnknownMotion(t *testing.T) {
	a := newTwoArms(t, "-p", "gate.controllers:=[left]")
	topic := advertise[trajectorymsgs.JointTrajectory](a.robot, "right/joint_trajectory")
	way := path("right_x", []float64{10, 1.5})
	way.Header.Stamp = builtininterfaces.Time{}
	a.publish(topic.Publish(way))
	for a.right.Taken() == 0 {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(50 * time.Millisecond)
	a.wants(a.begins(a.leftUser, action.NewID(), leftTo(0.1, 0.1)), action.Aborted, "UNDECIDED: joint right_x ")
}
