package node

import (
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/moveitmsgs"
	"github.com/firstcontact-ros/firstcontact/node/gatetest"
	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/action"
)

// TestShift is an operator's day: obstacles come and go, also while the robot moves, tools are taken
// and laid down, goals are sent, canceled and replaced, of which some collide, planners show
// paths, drivers fall silent, die and have wrong clocks, the node is deactivated and configured
// anew and its parameters change, in random order. What the node says is held against where
// everything is.
// Meanwhile the process of the node, which does nothing else, must not grow. FIRSTCONTACT_SHIFT
// says how many seconds it lasts.
func TestShift(t *testing.T) {
	t.Parallel()
	if alone(t) {
		testShift(t, inMemory())
	}
}

// workday is what is known of the cell.
type workday struct {
	*gated
	dice    chance.Dice
	move    *moveGroup
	manage  *manager
	planner *ros.Publisher[planned]
	plans   int
	asked   int          // questions and plans so far
	told    int          // verdicts about them
	read    int          // verdicts that were looked at
	clock   *clockwork   // nil: the time is the system's
	off     atomic.Int64 // ns by which the driver's clock is wrong
	events  map[string]int
	ends    map[string]int // how goals ended that were disturbed

	right float64 // where the right cart stands
	crate float64 // where the crate is
	tool  bool    // the right cart holds a tool that reaches 0.3 farther up the rail
}

func testShift(t *testing.T, g *graph) { (&workday{}).play(t, g) }

// TestShiftInSimulatedTime is a shift by the clock of a simulator, which is set back and ahead.
func TestShiftInSimulatedTime(t *testing.T) {
	t.Parallel()
	if alone(t) {
		testSimulatedShift(t, inMemory())
	}
}

func testSimulatedShift(t *testing.T, g *graph) {
	(&workday{clock: &clockwork{at: time.Unix(1000, 0)}}).play(t, g)
}

// begin starts the node and all who work with it.
func (s *workday) begin(t *testing.T, g *graph) {
	s.dice, s.events, s.ends, s.crate = chance.New(771, 2), map[string]int{}, map[string]int{}, -5
	driver := gatetest.Options{Skew: func() time.Duration { return time.Duration(s.off.Load()) }}
	args := []string{"-p", "world.topics:=[monitored_planning_scene]", "-p", "controller.handover:=0.2"}
	if s.clock != nil {
		driver.Now = s.clock.now
		args = append(args, "-p", "use_sim_time:=true")
	}
	s.gated = newGatedBy(t, g, driver, args...)
	if s.clock != nil {
		s.clock.run(s.robot)
	}
	s.manage = s.robot.manage()
	s.planner = advertise[planned](s.robot, "display_planned_path")
	s.move, _ = s.startMoveGroup(crate("crate", s.crate, moveitmsgs.CollisionObjectAdd))
	s.gated.ready()
}

func (s *workday) play(t *testing.T, g *graph) {
	seconds := switches.Shift.Or(4)
	s.begin(t, g)
	deck := s.deck()
	kept := &growth{of: g.footprint}
	started := time.Now()
	for n := 0; time.Since(started) < time.Duration(seconds)*time.Second || n < 2*len(deck); n++ {
		if n%len(deck) == 0 {
			s.dice.Shuffle(len(deck), func(i, j int) { deck[i], deck[j] = deck[j], deck[i] })
		}
		e := deck[n%len(deck)]
		e.do()
		s.events[e.name]++
		if t.Failed() {
			t.Fatalf("event %d, %s: right at %g, crate at %g, tool %v", n, e.name, s.right, s.crate, s.tool)
		}
		if n%4 == 0 {
			s.forget()
			kept.look(t, n)
		}
	}
	s.death()
	if s.forget(); s.told != s.asked {
		t.Errorf("%d verdicts about %d questions and plans", s.told, s.asked)
	}
	t.Logf("%v, %v in %v; %v", s.events, s.ends, time.Since(started).Round(time.Second), kept)
	if err := kept.law(); err != nil {
		t.Error(err)
	}
}

type incident struct {
	name string
	do   func()
}

// deck is what happens in a while, each event as often as it is there.
func (s *workday) deck() (all []incident) {
	for _, e := range []struct {
		incident
		times int
	}{
		{incident{"goal", s.goal}, 6},
		{incident{"obstacle", s.obstacle}, 3},
		{incident{"tool", s.take}, 2},
		{incident{"whole scene", s.whole}, 1},
		{incident{"question", s.question}, 3},
		{incident{"parameter", s.parameter}, 2},
		{incident{"silence", s.silence}, 1},
		{incident{"inactive", s.inactive}, 1},
		{incident{"configured anew", s.configure}, 1},
		{incident{"driver started anew", s.restart}, 1},
		{incident{"driver's clock", s.skew}, 1},
		{incident{"clock", s.jump}, 1},
		{incident{"cancel", s.cancel}, 1},
		{incident{"replace", s.replace}, 1},
		{incident{"edit", s.edit}, 1},
		{incident{"plan", s.plan}, 2},
	} {
		for range e.times {
			all = append(all, e.incident)
		}
	}
	return all
}

// forget frees what the test has heard, and counts the verdicts.
func (s *workday) forget() {
	s.verdicts.mu.Lock()
	for s.read = max(s.read, s.verdicts.gone); s.read < s.verdicts.gone+len(s.verdicts.items); s.read++ {
		if id := s.verdicts.items[s.read-s.verdicts.gone].ID; strings.HasPrefix(id, "from ") || strings.Contains(id, "display_planned_path") {
			s.told++
		}
	}
	s.verdicts.mu.Unlock()
	s.states.forget()
	s.verdicts.forget()
	s.free.forget()
	s.distance.forget()
}

// reach is how far the right cart, with what it holds, reaches up the rail.
func (s *workday) reach(right float64) float64 {
	if s.tool {
		return 1.4 + right
	}
	return 1.1 + right
}

// gapOn is the least gap, negative where something overlaps, while the right cart moves between two
// places and the left one stands at 0.
func (s *workday) gapOn(from, to float64) float64 {
	low, high := 0.9+min(from, to), s.reach(max(from, to))
	apart := func(a, b, c, d float64) float64 { return max(c-b, a-d) } // of [a, b] and [c, d]
	left := apart(-0.1, 0.1, s.crate-0.1, s.crate+0.1)
	return min(apart(-0.1, 0.1, low, high), apart(low, high, 2.99, 3.01), apart(low, high, s.crate-0.1, s.crate+0.1), left)
}

// expect waits for the level that the present places have.
func (s *workday) expect() {
	s.Helper()
	from := s.states.count()
	switch gap := s.gapOn(s.right, s.right); {
	case unclear(gap) || unclear(gap-0.01) || unclear(gap-0.05):
		s.rested() // any level but UNKNOWN
	case gap < 0:
		s.waitLevel(from, fcmsgs.CollisionStateCollision, "")
	case gap > 0.05:
		s.waitLevel(from, levelFree, "")
	case gap < 0.01:
		s.waitLevel(from, fcmsgs.CollisionStateStop, "")
	default:
		s.waitLevel(from, fcmsgs.CollisionStateWarn, "")
	}
}

// unclear reports whether a gap is so near to zero that either answer would do.
func unclear(gap float64) bool { return math.Abs(gap) < 0.002 }

func (s *workday) goal() {
	to := math.Round(s.dice.In(-1, 2)*1000) / 1000
	gap := s.gapOn(s.right, to)
	if unclear(gap) {
		return
	}
	m := goalOf(bothCarts, []float64{s.dice.In(0.02, 0.1), 0, to})
	taken := s.controller.Taken()
	status, r := s.sent(action.NewID(), m)
	switch {
	case gap > 0 && status == action.Succeeded:
		s.right = to
		s.rested()
	case gap > 0:
		s.Errorf("a free goal, gap %g, from %g to %g ends %v: %s", gap, s.right, to, status, r.ErrorString)
	case status != action.Aborted || !strings.Contains(r.ErrorString, "CONTACT: "):
		s.Errorf("a goal that collides, gap %g, ends %v: %s", gap, status, r.ErrorString)
	case s.controller.Taken() != taken:
		s.Errorf("a goal that collides was forwarded")
	}
}

// rested waits until the node has heard where the robot is now.
func (s *workday) rested() {
	s.Helper()
	now := s.now()
	s.states.wait(max(s.states.count()-1, 0), "measured from now on", func(c *fcmsgs.CollisionState) bool {
		return c.Level != levelUnknown && c.Header.Stamp.Time().After(now)
	})
}

func (s *workday) obstacle() {
	x := [...]float64{-5, 1.7, 2.2, 2.7, -0.4, 0.45}[s.dice.IntN(6)]
	if x != s.crate {
		s.changed(func() { s.put(x) })
	}
}

// changed makes a change of the scene and waits until states are about it.
func (s *workday) changed(change func()) {
	s.Helper()
	now := s.states.count()
	last, _ := s.states.wait(max(now-1, 0), "a state", func(*fcmsgs.CollisionState) bool { return true })
	change()
	s.states.wait(now, "a state in the new scene", func(c *fcmsgs.CollisionState) bool { return c.SceneVersion > last.SceneVersion })
	s.expect()
}

// take gives the right cart a tool, or has it lay the tool down.
func (s *workday) take() {
	s.tool = !s.tool
	held := moveitmsgs.AttachedCollisionObject{LinkName: "right", TouchLinks: []string{"right"}, Object: crate("tool", 0, moveitmsgs.CollisionObjectRemove)}
	if s.tool {
		held.Object = crate("tool", 0.25, moveitmsgs.CollisionObjectAdd) // from 0.1 to 0.4
		held.Object.Header.FrameID, held.Object.Primitives[0].Dimensions[0] = "right", 0.3
	}
	s.move.mu.Lock()
	s.move.scene.RobotState.AttachedCollisionObjects = nil
	if s.tool {
		s.move.scene.RobotState.AttachedCollisionObjects = []moveitmsgs.AttachedCollisionObject{held}
	}
	s.move.mu.Unlock()
	s.changed(func() {
		s.move.change(func(m *moveitmsgs.PlanningScene) {
			m.RobotState.AttachedCollisionObjects = []moveitmsgs.AttachedCollisionObject{held}
			if !s.tool {
				m.World.CollisionObjects = []moveitmsgs.CollisionObject{held.Object}
			}
		})
	})
}

// silence is a driver that says nothing for longer than the timeout.
func (s *workday) silence() {
	s.fallsSilent()
	s.refused(goalOf(bothCarts, []float64{0.05, 0, s.right}), "UNDECIDED: ")
	s.controller.Mute(false)
	s.expect()
}

// inactive is a node that was deactivated.
func (s *workday) inactive() {
	s.manage.must("deactivate")
	s.waitLevel(s.states.count(), levelUnknown, "inactive")
	s.refused(goalOf(bothCarts, []float64{0.05, 0, s.right}), "inactive")
	s.manage.must("activate")
	s.expect()
}

// parameter changes one that may change while the node runs.
func (s *workday) parameter() {
	if refused := s.set(doubleOf("trajectory.deadline", math.Round(s.dice.In(0.5, 2)*100)/100)); refused != "" {
		s.Errorf("set_parameters: %s", refused)
	}
	if refused := s.set(doubleOf("joint_state_timeout", 10)); refused == "" {
		s.Errorf("joint_state_timeout may not change while the node runs, and does")
	}
}

// question asks about a way between two places.
func (s *workday) question() {
	from, to := s.dice.In(-0.9, 1.9), s.dice.In(-0.9, 1.9)
	gap := s.gapOn(from, to)
	if unclear(gap) {
		return
	}
	s.asked++
	id := fmt.Sprintf("from %g to %g, number %d", from, to, s.asked)
	s.publish(s.pair.Publish(&fcmsgs.JointStatePair{ID: id, JointNames: []string{"left_x", "right_x"}, Start: []float64{0, from}, Goal: []float64{0, to}}))
	want := fcmsgs.VerdictFree
	if gap < 0 {
		want = fcmsgs.VerdictContact
	}
	if v := s.waitVerdict(id); v.Status != want {
		s.Errorf("%s, gap %g: status %d: %s", id, gap, v.Status, v.Message)
	}
}
