package node

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/config"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/jtc"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/node/internal/gate"
)

// There and back again: half of the time the robot is in two places of its motion.
func thereAndBack(t *testing.T, allowed float64) *course {
	t.Helper()
	way, err := motion.Path([]string{"j"}, [][]float64{{0}, {1}, {0}, {0.5}}, []float64{0, 0.1, 0.2, 2})
	if err != nil {
		t.Fatal(err)
	}
	return &course{members: []*passage{{q: &question{forward: &forwarding{}}}}, rest: way, allowed: allowed}
}

// A robot on its motion is never taken for one beside it, however fast it is, and whether it
// keeps time or is slowed down.
func TestRobotOnItsMotionDoesNotDeviate(t *testing.T) {
	for _, slower := range []float64{1, 2, 5} {
		p := thereAndBack(t, 0.02)
		way := p.rest
		for now := 0.0; now < way.Duration()*slower; now += 0.01 {
			at := way.At(now / slower)[0]
			if err := p.advance(now, map[string]float64{"j": at}); err != nil {
				t.Fatalf("%g times slower, after %g s at %g: %v", slower, now, at, err)
			}
			passed := p.rest.Pieces[0].Start
			for skipped := now / slower; skipped < passed; skipped += 0.001 {
				if math.Abs(way.At(skipped)[0]-at) > p.allowed {
					t.Fatalf("%g times slower, after %g s: the motion is taken as executed up to %g s", slower, now, passed)
				}
			}
		}
	}
}

func TestRobotBesideItsMotionDeviates(t *testing.T) {
	p := thereAndBack(t, 0.02)
	if err := p.advance(0.01, map[string]float64{"j": -0.03}); !errors.Is(err, gate.ErrDeviation) {
		t.Errorf("0.03 beside the motion: %v", err)
	}
	p.tube = map[string]float64{"j": 0.02}
	if err := p.advance(0.01, map[string]float64{"j": -0.03}); err != nil {
		t.Errorf("0.01 beside the tube: %v", err)
	}
	if err := p.advance(0.01, nil); err == nil {
		t.Error("a robot that is not measured goes on")
	}
	// It stands still at a place of the motion that is a second behind.
	if err := p.advance(2, map[string]float64{"j": 0.9}); err != nil {
		t.Errorf("a robot that lags: %v", err)
	}
}

// The positions that a motion begins at are those that are compared when it is forwarded, whatever
// is measured while it is judged.
func TestMotionBeginsWhereItIsComparedWith(t *testing.T) {
	m := railModel(t)
	carts := func(right float64) map[string]float64 { return map[string]float64{"left_x": 0, "right_x": right} }
	at := func(right float64) (jtc.State, time.Time) {
		return jtc.State{Positions: carts(right), Stamp: time.Now()}, time.Now()
	}
	right := 0.0 // moves on at each look
	look := func() float64 { right -= 0.05; return right }
	v := newValidator(func() (*model, string) { return m, "" }, func() map[string]float64 { return carts(look()) }, func(*fcmsgs.Verdict) {})
	v.state = func() (jtc.State, time.Time) { return at(look()) }
	q := defaults(config.Defaults()).of("jazzy")
	asked := q.aboutGoal(&gate.Question{ID: "goal", Goal: goalOf("left_x", []float64{1, 0.2}), Time: time.Second}, 0.05)
	if a := v.answer(context.Background(), asked); a.Status != fcmsgs.VerdictFree {
		t.Fatal(a.Message)
	}
	way := asked.judged.way
	judged := map[string]float64{}
	for row, x := range way.At(0) {
		judged[way.Joints[row]] = x
	}
	for name, x := range asked.at.Positions {
		if judged[name] != x {
			t.Errorf("joint %s is judged from %g and compared with %g", name, judged[name], x)
		}
	}
}

// A trajectory is forwarded only if every joint is where it was when it was judged: within the
// path tolerance is not enough, because the controller starts there and keeps the tolerance
// around that. Joints that a running trajectory moves may have moved on, others may not.
func TestTrajectoryIsForwardedFromWhereItWasJudged(t *testing.T) {
	both := func(j, k float64) map[string]float64 { return map[string]float64{"j": j, "k": k} }
	way, err := motion.Path([]string{"j", "k"}, [][]float64{{0, 0}, {1, 0}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	own, err := motion.Path([]string{"j"}, [][]float64{{0}, {1}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Unix(1_700_000_000, 0)
	old := func(began time.Duration) *jtc.Plan { // takes a second
		return &jtc.Plan{Start: begin.Add(-began), Motion: own}
	}
	for _, c := range []struct {
		name    string
		running *jtc.Plan
		now     map[string]float64
		ok      bool
	}{
		{"at rest", nil, both(0.0005, 0), true},
		{"within the tube", nil, both(0.05, 0), false},
		{"another joint", nil, both(0, 0.05), false},
		{"not measured", nil, map[string]float64{"j": 0}, false},
		{"moved on", old(500 * ms), both(0.05, 0), true},
		{"moved on, another joint too", old(500 * ms), both(0.05, 0.05), false},
		{"at rest at the end of another", old(2 * time.Second), both(0.0005, 0), true},
		{"not yet at the end of another, by whose time it is over", old(2 * time.Second), both(0.05, 0), false},
	} {
		p := &passage{q: &question{at: jtc.State{Positions: both(0, 0)}, plan: &jtc.Plan{Start: begin, Motion: way}}, running: c.running}
		if err := p.moved(&course{rest: way, tube: both(0.1, 0.1)}, c.now); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
