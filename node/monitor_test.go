package node

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/config"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/node/internal/jointstates"

	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
)

// watched is a monitor of the carts whose clock the test turns.
type watched struct {
	*monitor
	clock time.Duration // since epoch
	said  []*fcmsgs.CollisionState
	told  []string
}

func watch(m *model) *watched {
	w := &watched{}
	l := limitsOf(config.Defaults())
	l.timeout = timeout
	w.monitor = newMonitor(l, func(s *fcmsgs.CollisionState) {
		copied := *s
		w.said = append(w.said, &copied)
	}, func(format string, _ ...any) { w.told = append(w.told, format) })
	w.now = func() time.Time { return epoch.Add(w.clock) }
	w.up = func() time.Duration { return w.clock }
	w.spare, w.longest = time.Minute, time.Minute // a busy machine leaves no backlog, and nothing unjudged
	w.use(m, "")
	return w
}

// at moves the carts at a time and returns the state that follows.
func (w *watched) at(clock time.Duration, left, right float64) *fcmsgs.CollisionState {
	w.clock = clock
	w.receive(joints(clock, "left_x right_x", left, right), time.Time{})
	return w.look()
}

// look is the state at a tick.
func (w *watched) look() *fcmsgs.CollisionState {
	w.step(context.Background(), true)
	return w.said[len(w.said)-1]
}

func wantLevel(t *testing.T, s *fcmsgs.CollisionState, level uint8, reason string) {
	t.Helper()
	if s.Level != level || !strings.Contains(s.Reason, reason) {
		t.Errorf("level %d because %q, want %d because %q", s.Level, s.Reason, level, reason)
	}
	if known := level != fcmsgs.CollisionStateUnknown; known == math.IsNaN(s.DistanceLower) || known == math.IsNaN(s.DistanceUpper) {
		t.Errorf("level %d with distance %g to %g", level, s.DistanceLower, s.DistanceUpper)
	}
}

func wantCounts(t *testing.T, s *fcmsgs.CollisionState, checked, unchecked uint64) {
	t.Helper()
	if s.MotionsChecked != checked || s.MotionsUnchecked != unchecked {
		t.Errorf("%d motions checked and %d unchecked, want %d and %d", s.MotionsChecked, s.MotionsUnchecked, checked, unchecked)
	}
}

func TestLevels(t *testing.T) {
	m := railModel(t)
	for _, c := range []struct {
		left, right float64
		level       uint8
		reason      string
	}{
		{0, 0, fcmsgs.CollisionStateFree, "every pair is at least 0.5 m apart"},
		{0, -0.4, fcmsgs.CollisionStateFree, "the closest pair within its range, left and right, is 0.4"},
		{0, -0.76, fcmsgs.CollisionStateWarn, "left and right are 0.0"},
		{0, -0.791, fcmsgs.CollisionStateStop, "closer than 0.01 m"},
		{0, -0.799, fcmsgs.CollisionStateStop, "left and right are at most 0.0010 m apart"},
		{0, -0.8, fcmsgs.CollisionStateCollision, "left and right touch"},
		{0, -0.9, fcmsgs.CollisionStateCollision, "left and right touch"},
		{0, 1.85, fcmsgs.CollisionStateWarn, "right and wall are 0.04"},
		{0, 1.9, fcmsgs.CollisionStateCollision, "right and wall touch"},
	} {
		s := watch(m).at(0, c.left, c.right)
		wantLevel(t, s, c.level, c.reason)
		want := math.Min(gap(c.left, c.right), 0.5)
		if slack := 1e-9 + tolerance*want; s.DistanceLower > want+1e-9 || !s.Stopped && s.DistanceLower < want-slack || s.DistanceUpper < want-1e-9 {
			t.Errorf("%g, %g: distance %g to %g, want %g", c.left, c.right, s.DistanceLower, s.DistanceUpper, want)
		}
		if s.AssumedPairs != m.assumed || s.ModelHash == "" || s.SceneHash == "" || s.Header.FrameID != "rail" {
			t.Errorf("the state does not say what it rests on: %+v", s)
		}
	}
}

func TestMotionThroughAThinWall(t *testing.T) {
	w := watch(railModel(t))
	wantLevel(t, w.at(0, 0, 0), fcmsgs.CollisionStateFree, "")
	s := w.at(10*ms, 0, 4)
	wantLevel(t, s, fcmsgs.CollisionStateCollision, "right and wall touch on the motion from the previous state")
	if s.Scope != fcmsgs.CollisionStateScopeWorld || s.Pair.A.Name != "right" || s.Pair.B.Name != "wall" || s.Pair.B.Kind != fcmsgs.BodyWorldObject {
		t.Errorf("pair %+v", s.Pair)
	}
	if s.MotionStart != builtininterfaces.TimeOf(epoch) || s.Header.Stamp != builtininterfaces.TimeOf(epoch.Add(10*ms)) {
		t.Errorf("the motion is from %v to %v", s.MotionStart, s.Header.Stamp)
	}
	wantCounts(t, s, 1, 0)
	wantLevel(t, w.at(20*ms, 0, 4.1), fcmsgs.CollisionStateFree, "")
}

// Five motions wait; the second touches the wall, and the fourth the other cart.
func TestEveryMotionOfABatchIsJudged(t *testing.T) {
	w := watch(railModel(t))
	w.at(0, 0, 0)
	for i, right := range []float64{1, 4, 1, -3, -4} {
		w.clock = time.Duration(i+1) * ms
		w.receive(joints(w.clock, "left_x right_x", 0, right), time.Time{})
	}
	s := w.look()
	wantLevel(t, s, fcmsgs.CollisionStateCollision, "right and wall")
	wantCounts(t, s, 5, 0)
	if s.AnswersLate != 0 || s.MotionStart != builtininterfaces.TimeOf(epoch) {
		t.Errorf("late %d, from %v", s.AnswersLate, s.MotionStart)
	}
}

// impatient is a context that ends once so many checks have asked for it.
type impatient struct {
	context.Context
	checks int
}

func (c *impatient) Done() <-chan struct{} {
	done := make(chan struct{})
	if c.checks--; c.checks < 0 {
		close(done)
	}
	return done
}

// meanwhile is a context in which something happens while the first check asks for it.
type meanwhile struct {
	context.Context
	happen func()
}

func (c *meanwhile) Done() <-chan struct{} {
	if happen := c.happen; happen != nil {
		c.happen = nil
		happen()
	}
	return c.Context.Done()
}

func (c *impatient) Err() error {
	if c.checks < 0 {
		return context.Canceled
	}
	return nil
}

// A verdict of contact says nothing of the motions after it: they are judged too,
// or counted as unjudged.
func TestMotionsAfterAContact(t *testing.T) {
	m := railModel(t)
	var chain way
	for _, right := range []float64{0, 1, 4, 4.1, 4.2, 4.3} {
		chain = append(chain, &jointstates.Sample{Position: []float64{0, right}})
	}
	for _, c := range []struct {
		checks, judged int
		ok             bool
	}{{1, 2, false}, {2, 5, true}} {
		s := m.stateAt(chain.end())
		judged, touched, ok := judgeMotions(&impatient{context.Background(), c.checks}, m, chain, s, time.Minute)
		if judged != c.judged || touched != chain[2] || ok != c.ok {
			t.Errorf("%d checks: judged %d, touched %v, all %t; want %d, the third, %t", c.checks, judged, touched, ok, c.judged, c.ok)
		}
		if s.Level != fcmsgs.CollisionStateCollision || !strings.HasPrefix(s.Reason, "right and wall touch on the motion from the previous state") || strings.Contains(s.Reason, "; besides, ") == c.ok {
			t.Errorf("%d checks: level %d because %q", c.checks, s.Level, s.Reason)
		}
	}
}

func TestJointsBeyondTheirLimitsAreNamed(t *testing.T) {
	w := watch(railModel(t))
	if s := w.at(0, -5.1, 0); len(s.BeyondLimits) != 1 || s.BeyondLimits[0] != "left_x" {
		t.Errorf("the first state: beyond limits %v, want left_x", s.BeyondLimits)
	}
	w = watch(railModel(t))
	w.at(0, 0, 0)
	for i, x := range [][2]float64{{-5.1, 0}, {0, 4}, {0, 4.1}} { // the second goes through the wall
		w.clock = time.Duration(i+1) * ms
		w.receive(joints(w.clock, "left_x right_x", x[0], x[1]), time.Time{})
	}
	if s := w.look(); len(s.BeyondLimits) != 1 || s.Level != fcmsgs.CollisionStateCollision {
		t.Errorf("level %d, beyond limits %v, want left_x", s.Level, s.BeyondLimits)
	}
}

func TestUnknown(t *testing.T) {
	m := railModel(t)
	unknown := fcmsgs.CollisionStateUnknown
	t.Run("no model", func(t *testing.T) {
		w := watch(m)
		w.use(nil, "the model is being loaded")
		s := w.at(0, 0, 0)
		wantLevel(t, s, unknown, "the model is being loaded")
		if s.ModelHash != "" || s.TimeToContact != 0 {
			t.Errorf("%+v", s)
		}
	})
	t.Run("no joint state", func(t *testing.T) {
		s := watch(m).look()
		wantLevel(t, s, unknown, "no fresh measurement of left_x, right_x")
		if len(s.MissingJoints) != 2 {
			t.Errorf("missing %v", s.MissingJoints)
		}
	})
	t.Run("silence", func(t *testing.T) {
		w := watch(m)
		w.at(0, 0, 0)
		w.clock = 100 * ms
		wantLevel(t, w.look(), fcmsgs.CollisionStateFree, "")
		w.clock = 101 * ms
		wantLevel(t, w.look(), unknown, "no fresh measurement")
		// Even if the clock is set back: what was known is known no more.
		w.clock = 50 * ms
		wantLevel(t, w.look(), unknown, "no complete joint state yet")
		s := w.at(10*time.Second, 0, 4)
		wantLevel(t, s, fcmsgs.CollisionStateFree, "") // judged alone: nobody knows the way
		wantCounts(t, s, 0, 1)
		if s.MotionStart != s.Header.Stamp {
			t.Error("a motion across the silence was judged")
		}
	})
	t.Run("a fault after a state that waits", func(t *testing.T) {
		w := watch(m)
		w.receive(joints(0, "left_x right_x", 0, 0), time.Time{})
		w.receive(joints(ms, "left_x right_x", 0, math.NaN()), time.Time{})
		w.step(context.Background(), false)
		wantLevel(t, w.said[len(w.said)-1], unknown, "right_x the position NaN")
		if len(w.said) != 1 {
			t.Errorf("%d states", len(w.said))
		}
	})
	t.Run("out of time", func(t *testing.T) {
		w := watch(m)
		w.at(0, 0, 0)
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		w.receive(joints(ms, "left_x right_x", 0, 0.1), time.Time{})
		w.step(ctx, true)
		s := w.said[len(w.said)-1]
		wantLevel(t, s, unknown, "could not be judged")
		wantCounts(t, s, 0, 1)
		// The way on is judged from there.
		wantCounts(t, w.at(2*ms, 0, 0.2), 1, 1)
	})
	t.Run("answer too late", func(t *testing.T) {
		w := watch(m)
		w.receive(joints(0, "left_x right_x", 0, 0), time.Time{})
		w.now = func() time.Time { // as time flies while the answer is computed
			w.clock += 60 * ms
			return epoch.Add(w.clock)
		}
		wantLevel(t, w.look(), unknown, "the measurements behind this state are 0.1")
	})
	t.Run("another model meanwhile", func(t *testing.T) {
		w := watch(m)
		other := railModel(t)
		w.receive(joints(0, "left_x right_x", 0, 0), time.Time{})
		w.step(&meanwhile{context.Background(), func() { w.use(other, "") }}, true)
		wantLevel(t, w.said[0], unknown, "the model has changed")
		wantLevel(t, w.look(), unknown, "no fresh measurement")
	})
}

func TestContactStandsWhereTheRestIsUnknown(t *testing.T) {
	w := watch(railModel(t))
	w.at(0, 0, 0)
	w.clock = ms
	w.receive(joints(ms, "left_x right_x", 0, 4), time.Time{})
	w.now = func() time.Time {
		w.clock += 60 * ms
		return epoch.Add(w.clock)
	}
	s := w.look()
	if s.Level != fcmsgs.CollisionStateCollision || !strings.Contains(s.Reason, "wall") {
		t.Errorf("level %d because %q", s.Level, s.Reason)
	}
}

func TestModelChangeBreaksTheChain(t *testing.T) {
	w := watch(railModel(t))
	w.at(0, 0, 0)
	w.use(railModel(t), "")
	s := w.at(ms, 0, 4)
	wantLevel(t, s, fcmsgs.CollisionStateFree, "")
	wantCounts(t, s, 0, 1)
}

func TestLateAnswersAreCounted(t *testing.T) {
	w := watch(railModel(t))
	w.at(0, 0, 0)
	w.receive(joints(ms, "left_x right_x", 0, 0), time.Time{})
	w.clock = 2 * ms
	w.step(&meanwhile{context.Background(), func() { w.receive(joints(2*ms, "left_x right_x", 0, 0), time.Time{}) }}, true)
	if s := w.said[len(w.said)-1]; s.AnswersLate != 1 {
		t.Errorf("%d answers late, want 1", s.AnswersLate)
	}
	if s := w.look(); s.AnswersLate != 1 {
		t.Errorf("%d answers late after an answer in time, want 1", s.AnswersLate)
	}
}

func TestOverflowIsCounted(t *testing.T) {
	w := watch(railModel(t))
	w.at(0, 0, 0)
	for i := range limit.WaitingConfigurations + 10 {
		w.clock = time.Duration(i+1) * time.Microsecond
		w.receive(joints(w.clock, "left_x right_x", 0, 0), time.Time{})
	}
	s := w.look()
	if s.MotionsUnchecked < limit.WaitingConfigurations || s.MotionsChecked+s.MotionsUnchecked != limit.WaitingConfigurations+10 {
		t.Errorf("%d checked and %d unchecked of %d", s.MotionsChecked, s.MotionsUnchecked, limit.WaitingConfigurations+10)
	}
}

func TestNothingNewIsNotSaidAgainBeforeItsTime(t *testing.T) {
	w := watch(railModel(t))
	w.at(0, 0, 0)
	n := len(w.said)
	w.receive(joints(ms, "gripper", 1), time.Time{})
	if said, judged := w.step(context.Background(), false); said || judged || len(w.said) != n {
		t.Error("a message about another robot makes the monitor speak")
	}
	if len(w.told) != 1 || !strings.Contains(w.told[0], "does not have") {
		t.Errorf("told %q", w.told)
	}
}

// The last word of a monitor is UNKNOWN, also after a fault of the program.
func TestLastWord(t *testing.T) {
	w := watch(railModel(t))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := w.run(ctx); err != nil {
		t.Fatal(err)
	}
	wantLevel(t, w.said[len(w.said)-1], fcmsgs.CollisionStateUnknown, "the node has stopped")

	w = watch(&model{joints: []string{"a"}}) // without a checker: judging panics
	w.clock = 0
	w.receive(joints(0, "a", 1), time.Time{})
	err := guarded(func() error { return w.run(context.Background()) })
	if !errors.Is(err, ErrInternal) || !strings.Contains(err.Error(), "monitor.go") {
		t.Errorf("error %v, want an internal one with its stack", err)
	}
	wantLevel(t, w.said[len(w.said)-1], fcmsgs.CollisionStateUnknown, "the node has stopped")
}

// The answer comes with the closest pair; the others are said with it again, if
// nothing has come in between.
func TestOtherPairsFollow(t *testing.T) {
	const left, right = 2.6, 1.35 // 0.05 m apart, and left 0.29 m from the wall
	w := watch(railModel(t))
	s := w.at(0, left, right)
	if len(s.ClosestPairs) != 1 || s.ClosestPairs[0].Pair.B.Name != "right" {
		t.Fatalf("closest pairs %+v", s.ClosestPairs)
	}
	w.receive(joints(0, "gripper", 1), time.Time{})
	w.elaborate(context.Background())
	if s = w.look(); len(s.ClosestPairs) != 1 {
		t.Error("other pairs are measured while something waits")
	}
	<-w.wake
	w.elaborate(context.Background())
	again := w.look()
	if len(again.ClosestPairs) != 2 || again.ClosestPairs[1].Pair.B.Name != "wall" {
		t.Fatalf("closest pairs %+v", again.ClosestPairs)
	}
	if again.Level != s.Level || again.DistanceLower != s.DistanceLower || again.Reason != s.Reason || again.Header.Stamp != s.Header.Stamp {
		t.Errorf("%+v becomes %+v", s, again)
	}
	w.state.ClosestPairs = nil
	if w.elaborate(context.Background()); w.state.ClosestPairs != nil {
		t.Error("a whole list is measured again")
	}
	if s = w.at(ms, left, right); len(s.ClosestPairs) != 1 {
		t.Errorf("the next state has the pairs of the last one: %+v", s.ClosestPairs)
	}
	<-w.wake
	ctx, stop := context.WithCancel(context.Background())
	stop()
	w.elaborate(ctx)
	if s = w.look(); len(s.ClosestPairs) != 1 || w.elaborated {
		t.Error("half a list of pairs is taken for a whole one")
	}
}

// Whatever comes ends the search for other pairs.
func TestElaborationGivesWay(t *testing.T) {
	for name, come := range map[string]func(*watched){
		"joint state": func(w *watched) { w.receive(joints(0, "gripper", 1), time.Time{}) },
		"model":       func(w *watched) { w.use(nil, "none") },
	} {
		w := watch(railModel(t))
		ctx, stop := context.WithCancel(context.Background())
		w.interrupt.Store(&stop)
		come(w)
		if ctx.Err() == nil {
			t.Errorf("a %s does not interrupt", name)
		}
	}
}

// A state is judged by its age when it is published: what is 95 ms old when it comes
// is told for 5 ms more, however fresh it was when it was received, and also where
// other joints are measured anew.
func TestAgeCountsWhenItIsSaid(t *testing.T) {
	w := watch(railModel(t))
	w.clock = 95 * ms
	w.receive(joints(0, "left_x right_x", 0, 0), time.Time{})
	wantLevel(t, w.look(), fcmsgs.CollisionStateFree, "")
	w.clock = 100 * ms
	wantLevel(t, w.look(), fcmsgs.CollisionStateFree, "")
	w.clock = 101 * ms
	wantLevel(t, w.look(), fcmsgs.CollisionStateUnknown, "no fresh measurement")

	w = watch(railModel(t))
	w.clock = 95 * ms
	w.receive(joints(0, "left_x right_x", 0, 0), time.Time{})
	w.now = func() time.Time { // as time flies while the answer is computed
		w.clock += 3 * ms
		return epoch.Add(w.clock)
	}
	wantLevel(t, w.look(), fcmsgs.CollisionStateUnknown, "behind this state are 0.10")

	// Unstamped: the process was stopped, and the publisher is long gone.
	w = watch(railModel(t))
	w.clock = 5 * time.Second
	m := joints(0, "left_x right_x", 0, 0)
	m.Header.Stamp = builtininterfaces.Time{}
	w.receive(m, epoch)
	wantLevel(t, w.look(), fcmsgs.CollisionStateUnknown, "written 5.000 s in the past")
}

// The newest is judged first, and what came before it until the step's time is up. As
// long as anything waits the state is not FREE; what is found then is told.
func TestNewestFirst(t *testing.T) {
	w := watch(railModel(t))
	w.at(0, 0, 0)
	w.spare = 0
	for i, right := range []float64{0, 4, 4.2} { // through the wall on the way to the second
		w.clock = time.Duration(i+1) * ms
		w.receive(joints(w.clock, "left_x right_x", 0, right), time.Time{})
	}
	<-w.wake
	s := w.look()
	wantLevel(t, s, fcmsgs.CollisionStateUnknown, "2 configurations measured less than 0.1 s ago are not judged")
	wantCounts(t, s, 1, 0)
	if s.Header.Stamp != builtininterfaces.TimeOf(epoch.Add(3*ms)) {
		t.Errorf("stamp %v", s.Header.Stamp)
	}
	select {
	case <-w.wake:
	default:
		t.Error("what waits has to wait for the next tick")
	}
	w.spare = time.Minute
	w.clock = 20 * ms
	w.step(context.Background(), false)
	s = w.said[len(w.said)-1]
	wantLevel(t, s, fcmsgs.CollisionStateCollision, "right and wall touched 0.018 s ago")
	wantCounts(t, s, 3, 0)
	wantLevel(t, w.at(21*ms, 0, 4.2), fcmsgs.CollisionStateFree, "")
}

// A contact before a break is told with the free state after it.
func TestContactBeforeABreak(t *testing.T) {
	w := watch(railModel(t))
	for i, right := range []float64{1.9, math.NaN(), 0} { // in the wall, a fault, free
		w.clock = time.Duration(i) * ms
		w.receive(joints(w.clock, "left_x right_x", 0, right), time.Time{})
	}
	wantLevel(t, w.look(), fcmsgs.CollisionStateCollision, "right and wall touched 0.002 s ago")
	if len(w.said) != 1 {
		t.Errorf("%d states", len(w.said))
	}
	wantLevel(t, w.at(3*ms, 0, 0), fcmsgs.CollisionStateFree, "")
}

// What cannot be judged in time is given up; meanwhile nothing is FREE.
func TestBacklogExpires(t *testing.T) {
	w := watch(railModel(t))
	w.at(0, 0, 0)
	w.spare = 0
	for i := range 3 {
		w.clock = time.Duration(i+1) * ms
		w.receive(joints(w.clock, "left_x right_x", 0, 0), time.Time{})
	}
	wantLevel(t, w.look(), fcmsgs.CollisionStateUnknown, "not judged")
	wantLevel(t, w.at(102*ms, 0, 0), fcmsgs.CollisionStateUnknown, "2 configurations")
	s := w.at(103*ms, 0, 0)
	wantLevel(t, s, fcmsgs.CollisionStateFree, "")
	wantCounts(t, s, 3, 2)
}

// What stands aside is no part of the chain; its level counts for the timeout where it is
// worse, and UNKNOWN stays UNKNOWN but for a contact.
func TestAside(t *testing.T) {
	aside := func(w *watched, right float64) {
		w.queue.push(&jointstates.Sample{Position: []float64{0, right}, Stamp: epoch.Add(w.clock), Oldest: epoch.Add(w.clock), Received: epoch.Add(w.clock), Aside: "as another publisher has it"})
	}
	w := watch(railModel(t))
	w.at(0, 0, 0)
	w.clock = ms
	aside(w, 1.85) // warn
	s := w.at(ms, 0, 0)
	wantLevel(t, s, fcmsgs.CollisionStateWarn, "right and wall are 0.04")
	if !strings.HasSuffix(s.Reason, "; as another publisher has it") || s.DistanceLower > 0.05 {
		t.Errorf("distance %g because %q", s.DistanceLower, s.Reason)
	}
	wantCounts(t, s, 1, 0)
	w.clock = 50 * ms
	aside(w, 1.9)
	w.step(context.Background(), false)
	wantLevel(t, w.said[len(w.said)-1], fcmsgs.CollisionStateCollision, "right and wall touch; as another")
	wantLevel(t, w.at(90*ms, 0, 0), fcmsgs.CollisionStateCollision, "")
	wantLevel(t, w.at(150*ms, 0, 0), fcmsgs.CollisionStateCollision, "")
	wantLevel(t, w.at(151*ms, 0, 0), fcmsgs.CollisionStateFree, "")
	w.clock = 300 * ms
	aside(w, 1.85)
	wantLevel(t, w.look(), fcmsgs.CollisionStateUnknown, "no fresh")
	aside(w, 1.9)
	if s := w.look(); s.Level != fcmsgs.CollisionStateCollision {
		t.Errorf("level %d because %q", s.Level, s.Reason)
	}
}

// What nobody could judge keeps everything after it UNKNOWN for the timeout: the newest
// motion, and an earlier one.
func TestUndecidedIsNotPassedOver(t *testing.T) {
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	w := watch(railModel(t))
	w.at(0, 0, 0)
	w.clock = ms
	w.receive(joints(ms, "left_x right_x", 0, 0.1), time.Time{})
	w.step(canceled, true)
	wantLevel(t, w.at(101*ms, 0, 0), fcmsgs.CollisionStateUnknown, "1 configurations")
	wantLevel(t, w.at(102*ms, 0, 0), fcmsgs.CollisionStateFree, "")

	for _, c := range []struct {
		name      string
		ctx       context.Context
		until     time.Duration
		again     int
		unchecked uint64
	}{
		{"time is up", context.Background(), 0, 1, 0},
		{"undecided for another reason", canceled, time.Minute, 0, 1},
	} {
		w := watch(railModel(t))
		w.at(0, 0, 0)
		w.clock = ms
		earlier := way{placedAt(w, 0), placedAt(w, 0.1)}
		w.judgeEarlier(c.ctx, round{model: w.model}, earlier, time.Now().Add(c.until))
		if len(w.queue.backlog) != c.again {
			t.Errorf("%s: %d ways wait", c.name, len(w.queue.backlog))
		}
		s := w.at(ms, 0, 0)
		wantCounts(t, s, 1+uint64(c.again), c.unchecked)
		if level := s.Level; (level == fcmsgs.CollisionStateFree) != (c.again == 1) {
			t.Errorf("%s: level %d because %q", c.name, level, s.Reason)
		}
	}
}

func placedAt(w *watched, right float64) *jointstates.Sample {
	at := epoch.Add(w.clock)
	return &jointstates.Sample{Position: []float64{0, right}, Stamp: at, Source: at, Oldest: at, Received: at}
}

// What comes for another model is not judged by the one before.
func TestOlderIsOfTheSameModel(t *testing.T) {
	w := watch(railModel(t))
	w.receive(joints(0, "left_x right_x", 0, 0), time.Time{})
	w.step(&meanwhile{context.Background(), func() {
		w.use(railModel(t), "")
		s := placedAt(w, 0)
		s.Aside = "test"
		w.queue.push(s)
	}}, true)
	if len(w.queue.backlog) != 1 {
		t.Error("a configuration for the new model is judged by the old one")
	}
}

// Whatever the check rate is, the newest is told while it is fresh.
func TestTimeForOlder(t *testing.T) {
	for _, c := range []struct {
		rate          float64
		timeout, want time.Duration
	}{{100, 100 * ms, 20 * ms}, {1, 100 * ms, 25 * ms}, {1000, 100 * ms, 2 * ms}, {100, 10 * ms, 2500 * time.Microsecond}} {
		if w := newMonitor(limits{rate: c.rate, timeout: c.timeout}, nil, nil); w.spare != c.want {
			t.Errorf("at %g Hz, with %v: %v, want %v", c.rate, c.timeout, w.spare, c.want)
		}
	}
}

// Publishers measure joints at their own times: where a joint was at a stamp follows from its own
// measurements, however old the other's are.
func TestPastOfPartialMessages(t *testing.T) {
	m := railModel(t)
	w := watch(m)
	for i := range 21 { // left moves at 1 m/s and is measured every 10 ms, right every 50 ms
		w.clock = time.Duration(i) * 10 * ms
		if i%5 == 0 {
			w.receive(joints(w.clock, "right_x", 0), time.Time{})
		}
		w.receive(joints(w.clock, "left_x", w.clock.Seconds()), time.Time{})
	}
	for stamp := 10 * ms; stamp <= 200*ms; stamp += ms {
		at, _, err := w.past.At(epoch.Add(stamp), m.origin.robot)
		if err != nil || math.Abs(at["left_x"]-stamp.Seconds()) > 1e-9 {
			t.Fatalf("after %v: %v (%v)", stamp, at, err)
		}
	}
}
