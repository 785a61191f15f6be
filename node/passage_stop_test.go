package node

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/jtc"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros/action"
)

// A goal that is canceled for a new obstacle says whether the robot stops before it. At 0.375 m/s
// the right cart needs v²/2a, and has less than 0.9 m.
func TestGateJudgesTheStop(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name      string
		args      []string
		status    uint8
		says, too string
	}{
		{"in time", []string{"-p", "lookahead.deceleration:=5.0"}, fcmsgs.VerdictFree, "the robot stops free: proved free; ", "also if joints brake sooner or harder"},
		{"late", []string{"-p", "lookahead.deceleration:=0.05"}, fcmsgs.VerdictContact, "the robot does not stop in time: although it brakes, ", "right and crate touch at "},
		{"slow to react", []string{"-p", "lookahead.deceleration:=5.0", "-p", "lookahead.reaction:=3.0"}, fcmsgs.VerdictContact, "the robot does not stop in time: ", "follows what the controllers execute for 3 s"},
		{"joint with its own", []string{"-p", "lookahead.deceleration.right_x:=5.0"}, fcmsgs.VerdictFree, "the robot stops free: ", ""},
		{"not given", nil, fcmsgs.VerdictUndecided, "the stop is not judged: no deceleration is given for joint right_x", "lookahead.deceleration.right_x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			g := newGated(t, inMemory(), c.args...).ready()
			g.controller.Stubborn(true) // it moves until the stop is judged
			id := action.NewID()
			go func() {
				g.waitUntilItMoves()
				g.under.worlds.put(fromPlanningScene, box, nil)
				v := g.waitVerdict(id.String() + ": the stop")
				if v.Status != c.status || c.status == fcmsgs.VerdictContact && !strings.Contains(v.Message, "right and crate") {
					t.Errorf("the stop has the verdict %d: %s", v.Status, v.Message)
				}
				g.controller.Stubborn(false)
			}()
			status, r := g.sent(id, goalOf(bothCarts, []float64{4, 0, 1.5}))
			if status != action.Aborted || !strings.Contains(r.ErrorString, "; "+c.says) || !strings.Contains(r.ErrorString, c.too) || !strings.HasPrefix(r.ErrorString, "canceled: the rest of the motion: CONTACT: ") {
				t.Errorf("the goal ends %v: %q", status, r.ErrorString)
			}
		})
	}
}

// Until it brakes the robot follows its trajectory: at 0.05 m/s it is about to go fast, and at the
// measured velocity it would stop free.
func TestStopFollowsTheTrajectoryAtFirst(t *testing.T) {
	g := newGated(t, inMemory(), "-p", "lookahead.deceleration:=50.0", "-p", "lookahead.reaction:=1.2").ready()
	g.controller.Stubborn(true)
	id := action.NewID()
	go func() {
		g.waitUntilItMoves()
		g.under.worlds.put(fromPlanningScene, box, nil)
		g.waitVerdict(id.String() + ": the stop")
		g.controller.Stubborn(false)
	}()
	_, r := g.sent(id, goalOf(bothCarts, []float64{1, 0, 0.05}, []float64{1.6, 0, 1.5}))
	if !strings.Contains(r.ErrorString, "; the robot does not stop in time: although it brakes, right and crate ") {
		t.Errorf("the goal ends with %q", r.ErrorString)
	}
}

func (g *gated) waitUntilItMoves() {
	for end := time.Now().Add(patience); g.controller.At()["right_x"] < 0.02 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
}

// A robot that is not measured cannot be judged, and is stopped all the same.
func TestStopOfAnUnmeasuredRobotIsNotJudged(t *testing.T) {
	t.Parallel()
	g := newGated(t, inMemory(), "-p", "lookahead.deceleration:=5.0", "-p", "joint_state_timeout:=0.2").ready()
	go func() {
		g.waitUntilItMoves()
		g.controller.Mute(true)
	}()
	status, r := g.sent(action.NewID(), goalOf(bothCarts, []float64{4, 0, 0.5}))
	if status != action.Aborted || !strings.Contains(r.ErrorString, "the stop is not judged: joint left_x is not measured") {
		t.Errorf("the goal ends %v: %q", status, r.ErrorString)
	}
}

func stateOf(left, right, leftSpeed, rightSpeed float64) jtc.State {
	return jtc.State{
		Positions:  map[string]float64{"left_x": left, "right_x": right},
		Velocities: map[string]float64{"left_x": leftSpeed, "right_x": rightSpeed}, Stamp: time.Unix(1, 0),
	}
}

func TestBraking(t *testing.T) {
	names := []string{"left_x", "right_x"}
	own := lookahead{reaction: 0.1, own: map[string]float64{"left_x": 2}}
	b, err := own.braking(names, stateOf(0, 0, 1, 0), time.Unix(1, 0))
	if err != nil || b.motion.Duration() != 0.6 || b.motion.At(0.6)[0] < 0.34999 || b.motion.At(0.6)[0] > 0.35001 {
		t.Errorf("%+v (%v)", b, err)
	}
	if b, err = own.braking(names, stateOf(0, 0, 1, 0), time.Unix(1, 3e8)); err != nil || b.reaction != 0.3 {
		t.Errorf("an old measurement: reaction %g (%v)", b.reaction, err)
	}
	if _, err = own.braking(names, stateOf(0, 0, 1, 1e-9), time.Unix(1, 0)); err == nil || !strings.Contains(err.Error(), "no deceleration is given for joint right_x") {
		t.Errorf("a joint without deceleration that moves: %v", err)
	}
	for lost, of := range map[string]func(jtc.State) map[string]float64{
		"joint left_x is not measured":                 func(s jtc.State) map[string]float64 { return s.Positions },
		"the velocity of joint left_x is not measured": func(s jtc.State) map[string]float64 { return s.Velocities },
	} {
		s := stateOf(0, 0, 0, 0)
		delete(of(s), "left_x")
		if _, err = own.braking(names, s, time.Unix(1, 0)); err == nil || err.Error() != lost {
			t.Errorf("%v, want %s", err, lost)
		}
	}
}

// The left cart follows the right one, and both brake alike: they do not touch, but they do if
// the right one brakes harder.
func TestBrakingHarderIsJudgedForEachJointAlone(t *testing.T) {
	m := railModel(t)
	judge := func(s jtc.State) (free, harder bool, b braking) {
		l := lookahead{deceleration: 1}
		b, err := l.braking(m.joints, s, time.Unix(1, 0))
		if err != nil {
			t.Fatal(err)
		}
		q := motion.Query{Question: motion.FirstContact, TimeTolerance: 0.001}
		v, err := m.checker.Check(context.Background(), b.motion, q)
		if err != nil {
			t.Fatal(err)
		}
		return v.Status == motion.Free, strings.HasPrefix(m.brakesHarder(context.Background(), b, q), "also "), b
	}
	if free, harder, _ := judge(stateOf(0.5, 0, 1, 1)); !free || harder {
		t.Errorf("the cart in front may brake harder: free %v, harder %v", free, harder)
	}
	if free, harder, _ := judge(stateOf(0, 0, 0.5, 0)); !free || !harder {
		t.Errorf("carts far apart: free %v, harder %v", free, harder)
	}
	random := chance.New(15, 0)
	for range 300 {
		s := stateOf(random.Float64()-0.5, random.Float64()-0.5, 2*random.Float64()-1, 2*random.Float64()-1)
		free, harder, b := judge(s)
		end := b.motion.At(b.motion.Duration())
		for range 100 {
			at := map[string]float64{}
			for i, name := range b.motion.Joints {
				at[name] = s.Positions[name] + random.Float64()*(end[i]-s.Positions[name])
			}
			if harder && (!free || gap(at["left_x"], at["right_x"]) == 0) {
				t.Fatalf("from %+v the carts touch at %v, although that is proved free", s, at)
			}
		}
	}
}
