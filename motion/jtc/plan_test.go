package jtc_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/jtc"
	"github.com/firstcontact-ros/firstcontact/premise"
)

var now = time.Unix(1_700_000_000, 0)

func seconds(s float64) time.Duration { return time.Duration(math.Round(s * 1e9)) }

// point is a waypoint of the joints of a command.
func point(t float64, p, v, a []float64) motion.Waypoint {
	return motion.Waypoint{Time: t, Positions: p, Velocities: v, Accelerations: a}
}

func row(x ...float64) []float64 { return x }

// at is a measured state of joints a, b, ...: positions and, unless nil, velocities.
func at(p, v []float64) jtc.State {
	s := jtc.State{Positions: map[string]float64{}, Velocities: map[string]float64{}, Stamp: now}
	for i, x := range p {
		s.Positions[string(rune('a'+i))] = x
		if v != nil {
			s.Velocities[string(rune('a'+i))] = v[i]
		}
	}
	return s
}

func jazzy(t *testing.T, change ...func(*jtc.Settings)) *jtc.Settings {
	t.Helper()
	s, err := jtc.ForDistribution("jazzy")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range change {
		f(&s)
	}
	return &s
}

func plan(t *testing.T, s *jtc.Settings, c jtc.Command, at jtc.Situation) *jtc.Plan {
	t.Helper()
	if at.Now.IsZero() {
		at.Now = now
	}
	p, err := s.Plan(c, at)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Motion.Validate(); err != nil {
		t.Fatal(err)
	}
	return p
}

// running is the plan of a command from a state at rest that began some seconds ago.
func running(t *testing.T, began float64, joints []string, start []float64, points ...motion.Waypoint) *jtc.Plan {
	t.Helper()
	return plan(t, jazzy(t), jtc.Command{Joints: joints, Points: points}, jtc.Situation{Now: now.Add(-seconds(began)), Measured: at(start, nil)})
}

func controls(m *motion.Motion, joint string) (rows [][]float64) {
	for j, name := range m.Joints {
		if name == joint {
			for i := range m.Pieces {
				rows = append(rows, m.Pieces[i].Ctrl[j])
			}
		}
	}
	return rows
}

func times(m *motion.Motion) []float64 {
	ts := []float64{m.Pieces[0].Start}
	for i := range m.Pieces {
		ts = append(ts, m.Pieces[i].End)
	}
	return ts
}

func gaps(m *motion.Motion) (details []string) {
	for i := range m.Gaps {
		if m.Gaps[i].Kind != premise.Start {
			details = append(details, "not a gap about the start")
		}
		details = append(details, m.Gaps[i].Detail)
	}
	return details
}

var near = cmp.Comparer(func(x, y float64) bool { return math.Abs(x-y) <= 1e-12 })

var (
	a    = []string{"a"}
	both = []string{"a", "b"}
)

func fill(s jtc.Switch) func(*jtc.Settings) { return func(x *jtc.Settings) { x.Fill = s } }

func fromCommanded(s *jtc.Settings) { s.FromCommanded = true }
func deferred(s *jtc.Settings)      { s.Deferred = true }

// A joint that moves is not known to be where the motion starts unless the running trajectory moves it.
func TestMovingJointOutsideTheRunningTrajectory(t *testing.T) {
	old := running(t, 1, a, row(0), point(2, row(2), nil, nil)) // half way, at 1 rad/s
	c := jtc.Command{Joints: both, Points: []motion.Waypoint{point(2, row(2, 0), nil, nil)}}
	for _, v := range []float64{0, 2} {
		p := plan(t, jazzy(t), c, jtc.Situation{Handover: seconds(0.05), Measured: at(row(1, 0), row(1, v)), Running: old})
		if got := gaps(p.Motion); (len(got) > 0) != (v != 0) {
			t.Errorf("joint b moves at %g: gaps %q", v, got)
		}
	}
}

// Where velocities are not measured, positions tell that a joint moves.
func TestJointThatDrifts(t *testing.T) {
	c := jtc.Command{Joints: a, Points: []motion.Waypoint{point(2, row(2), nil, nil)}}
	for _, v := range []float64{0, 0.01, 2} {
		here := at(row(1), nil)
		here.Drifts = map[string]float64{"a": v}
		p := plan(t, jazzy(t), c, jtc.Situation{Handover: seconds(0.05), Measured: here})
		if got := gaps(p.Motion); (len(got) > 0) != (v > 1) {
			t.Errorf("joint a drifts at %g: gaps %q", v, got)
		}
	}
}

// Until a trajectory takes effect at its stamp the running one goes on, which may have begun sooner.
func TestTubeBeforeTheStamp(t *testing.T) {
	old := running(t, 1, a, row(0), point(2, row(2), nil, nil)) // half way, at 1 rad/s
	old.Sooner = seconds(0.1)
	for _, first := range []float64{0, 0.5} {
		c := jtc.Command{Joints: a, Stamp: now.Add(seconds(0.5)), Points: []motion.Waypoint{point(first, row(1.5), nil, nil), point(2, row(1.5), nil, nil)}}
		p := plan(t, jazzy(t, deferred), c, jtc.Situation{Handover: seconds(0.05), Measured: at(row(1), row(1)), Running: old})
		if w := p.Tube["a"]; w < 0.1-1e-12 || len(p.Motion.Gaps) > 0 {
			t.Errorf("first point at %g s: the tube is %g, gaps %q", first, w, gaps(p.Motion))
		}
	}
}

// Control points worked out by hand from the controller's rules: with T the time that a piece
// takes, a cubic has p0, p0 + v0 T/3, p1 - v1 T/3, p1, and a quintic p0, p0 + v0 T/5,
// p0 + 2 v0 T/5 + a0 T²/20, p1 - 2 v1 T/5 + a1 T²/20, p1 - v1 T/5, p1.
func TestRulesOfTheController(t *testing.T) {
	// From 0 to 2 in two seconds, in a straight line: half way now, at 1 rad/s.
	half := func(t *testing.T, joints ...string) *jtc.Plan {
		zeros, twos := make([]float64, len(joints)), make([]float64, len(joints))
		for i := range twos {
			twos[i] = 2
		}
		return running(t, 1, joints, zeros, point(2, twos, nil, nil))
	}
	for _, c := range []struct {
		name     string
		settings []func(*jtc.Settings)
		command  jtc.Command
		measured jtc.State
		running  *jtc.Plan
		joint    string
		want     [][]float64
		times    []float64
		gap      string // part of the only one
	}{
		{
			name: "at rest, to a point with positions", command: jtc.Command{Joints: a, Points: []motion.Waypoint{point(2, row(4), nil, nil)}},
			measured: at(row(1), nil), want: [][]float64{{1, 4}}, times: row(0, 2),
		},
		{
			name: "measured velocity, to a point with velocities", command: jtc.Command{Joints: a, Points: []motion.Waypoint{point(2, row(4), row(6), nil)}},
			measured: at(row(1), row(3)), want: [][]float64{{1, 3, 0, 4}}, times: row(0, 2),
		},
		{
			name: "measured velocity, to a point without", command: jtc.Command{Joints: a, Points: []motion.Waypoint{point(2, row(4), nil, nil)}},
			measured: at(row(1), row(3)), want: [][]float64{{1, 4}}, times: row(0, 2),
		},
		{
			name: "a point with accelerations, zeros filled in", settings: []func(*jtc.Settings){fill(jtc.On)},
			command:  jtc.Command{Joints: a, Points: []motion.Waypoint{point(2, row(4), row(-5), row(20))}},
			measured: at(row(1), row(5)), want: [][]float64{{1, 3, 5, 12, 6, 4}}, times: row(0, 2),
		},
		{
			name: "the same, not filled in", settings: []func(*jtc.Settings){fill(jtc.Off)},
			command:  jtc.Command{Joints: a, Points: []motion.Waypoint{point(2, row(4), row(6), row(20))}},
			measured: at(row(1), row(3)), want: [][]float64{{1, 3, 0, 4}}, times: row(0, 2),
		},
		{
			name:     "the same, not known",
			command:  jtc.Command{Joints: a, Points: []motion.Waypoint{point(2, row(4), row(-5), row(20))}},
			measured: at(row(1), row(0)), want: [][]float64{{1, 1, 1, 12, 6, 4}}, times: row(0, 2), gap: "has accelerations, which the controller's start state lacks",
		},
		{
			name:     "not known, but the same path: from rest to rest",
			command:  jtc.Command{Joints: a, Points: []motion.Waypoint{point(2, row(4), row(0), row(0))}},
			measured: at(row(1), row(0)), want: [][]float64{{1, 1, 1, 4, 4, 4}}, times: row(0, 2),
		},
		{
			name:     "a point of accelerations alone, integrated by the trapezoid rule",
			command:  jtc.Command{Joints: a, Points: []motion.Waypoint{point(1, nil, row(2), nil)}},
			measured: at(row(1), nil), want: [][]float64{{1, 1, 2 - 2./3, 2}}, times: row(0, 1),
		},
		{
			name: "from the commanded state, which has velocity and acceleration", settings: []func(*jtc.Settings){fromCommanded},
			command:  jtc.Command{Joints: a, Points: []motion.Waypoint{point(1, row(3), row(0), row(0))}},
			measured: at(row(0.9), row(0.8)), running: half(t, "a"), want: [][]float64{{1, 1.2, 1.4, 3, 3, 3}}, times: row(0, 1),
		},
		{
			name: "from the commanded state, which is not known", settings: []func(*jtc.Settings){fromCommanded},
			command:  jtc.Command{Joints: a, Points: []motion.Waypoint{point(1, row(3), nil, nil)}},
			measured: at(row(1), row(0)), want: [][]float64{{1, 3}}, times: row(0, 1), gap: "what it commanded joint a is not known",
		},
		{
			name:     "a running trajectory is replaced: the joint keeps its velocity",
			command:  jtc.Command{Joints: a, Points: []motion.Waypoint{point(3, row(1), row(0), nil)}},
			measured: at(row(1), row(1)), running: half(t, "a"), want: [][]float64{{1, 2, 1, 1}}, times: row(0, 3),
		},
		{
			name:     "a joint that is left out is brought to rest where it was commanded last, and swings",
			command:  jtc.Command{Joints: a, Points: []motion.Waypoint{point(3, row(1), row(0), nil)}},
			measured: at(row(1, 1), row(1, 1)), running: half(t, "a", "b"), joint: "b", want: [][]float64{{1, 2, 1, 1}}, times: row(0, 3),
		},
		{
			name:     "a stamp in the future: at once, and until the stamp plus the point's time",
			command:  jtc.Command{Joints: a, Stamp: now.Add(seconds(2)), Points: []motion.Waypoint{point(1, row(4), row(0), nil)}},
			measured: at(row(1), row(2)), want: [][]float64{{1, 3, 4, 4}}, times: row(0, 3),
		},
		{
			name: "a stamp in the future that waits: at rest until then", settings: []func(*jtc.Settings){deferred},
			command:  jtc.Command{Joints: a, Stamp: now.Add(seconds(2)), Points: []motion.Waypoint{point(1, row(4), row(0), nil)}},
			measured: at(row(1), row(0)), want: [][]float64{{1}, {1, 1, 4, 4}}, times: row(0, 2, 3),
		},
		{
			name: "a stamp in the future that waits: the running trajectory goes on until then", settings: []func(*jtc.Settings){deferred, fromCommanded},
			command:  jtc.Command{Joints: a, Stamp: now.Add(seconds(0.5)), Points: []motion.Waypoint{point(1, row(4), row(0), nil)}},
			measured: at(row(1), row(1)), running: half(t, "a"), want: [][]float64{{1, 1.5}, {1.5, 1.5 + 1./3, 4, 4}}, times: row(0, 0.5, 1.5),
		},
		{
			name:     "a stamp in the past, before the first point: less time to get there",
			command:  jtc.Command{Joints: a, Stamp: now.Add(-seconds(1)), Points: []motion.Waypoint{point(3, row(4), row(6), nil)}},
			measured: at(row(1), row(3)), want: [][]float64{{1, 3, 0, 4}}, times: row(0, 2),
		},
		{
			name:     "a stamp in the past, after the first point: on the trajectory",
			command:  jtc.Command{Joints: a, Stamp: now.Add(-seconds(1)), Points: []motion.Waypoint{point(0, row(0), nil, nil), point(2, row(2), nil, nil), point(3, row(5), nil, nil)}},
			measured: at(row(1), nil), want: [][]float64{{1, 2}, {2, 5}}, times: row(0, 1, 2),
		},
		{
			name:     "the same, with the robot elsewhere: it jumps",
			command:  jtc.Command{Joints: a, Stamp: now.Add(-seconds(1)), Points: []motion.Waypoint{point(0, row(0), nil, nil), point(2, row(2), nil, nil)}},
			measured: at(row(0), nil), want: [][]float64{{1, 2}}, times: row(0, 1), gap: "joint a is at 0 but the first point, at time 0, has it at 1",
		},
		{
			name:     "a first point at time 0",
			command:  jtc.Command{Joints: a, Points: []motion.Waypoint{point(0, row(1), row(3), nil), point(2, row(4), row(6), nil)}},
			measured: at(row(1), nil), want: [][]float64{{1, 3, 0, 4}}, times: row(0, 2),
		},
		{
			name:     "a joint moves and nobody knows why",
			command:  jtc.Command{Joints: a, Points: []motion.Waypoint{point(2, row(4), row(6), nil)}},
			measured: jtc.State{Positions: map[string]float64{"a": 1}, Velocities: map[string]float64{"a": 3}, Stamp: now.Add(-seconds(0.1))},
			want:     [][]float64{{1, 3, 0, 4}}, times: row(0, 2), gap: "the trajectory that it follows is not known",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := plan(t, jazzy(t, c.settings...), c.command, jtc.Situation{Measured: c.measured, Running: c.running})
			if c.joint == "" {
				c.joint = "a"
			}
			if d := cmp.Diff(c.want, controls(p.Motion, c.joint), near); d != "" {
				t.Errorf("control points, want (-), got (+):\n%s", d)
			}
			if d := cmp.Diff(c.times, times(p.Motion), near); d != "" {
				t.Errorf("times, want (-), got (+):\n%s", d)
			}
			switch g := gaps(p.Motion); {
			case c.gap == "" && len(g) > 0:
				t.Errorf("gaps %q", g)
			case c.gap != "" && (len(g) != 1 || !strings.Contains(g[0], c.gap)):
				t.Errorf("gaps %q, want one of %q", g, c.gap)
			}
			if !p.Motion.KeepTurns {
				t.Error("continuous joints take the short way between points")
			}
		})
	}
}

// By the cubic's derivative the joint that is left out turns round a third of the way, where it
// is v T 4/27 from where it stops.
func TestPartialGoalSwings(t *testing.T) {
	r := running(t, 1, both, row(0, 0), point(2, row(2, 2), nil, nil))
	p := plan(t, jazzy(t), jtc.Command{Joints: a, Points: []motion.Waypoint{point(3, row(1), row(0), nil)}}, jtc.Situation{Measured: at(row(1, 1), row(1, 1)), Running: r})
	if got, want := p.Motion.At(1)[1], 1+3*4./27; math.Abs(got-want) > 1e-12 {
		t.Errorf("joint b is at %g after a second, want %g", got, want)
	}
}

func TestRefusals(t *testing.T) {
	known := func(partial bool) func(*jtc.Settings) {
		return func(s *jtc.Settings) { s.Joints, s.Partial = both, partial }
	}
	one := []motion.Waypoint{point(1, row(1), nil, nil)}
	for _, c := range []struct {
		name     string
		settings []func(*jtc.Settings)
		command  jtc.Command
		measured jtc.State
		unknown  bool
		refused  bool
		want     string
	}{
		{name: "no points", command: jtc.Command{Joints: a}, refused: true, want: "no points"},
		{name: "past", command: jtc.Command{Joints: a, Points: one, Stamp: now.Add(-seconds(1.5))}, refused: true, want: "ends 0.5 s in the past"},
		{name: "partial", settings: []func(*jtc.Settings){known(false)}, command: jtc.Command{Joints: a, Points: one}, refused: true, want: "leaves out joint b"},
		{name: "other joints", settings: []func(*jtc.Settings){known(true)}, command: jtc.Command{Joints: []string{"c"}, Points: one}, refused: true, want: "joint c, which the controller does not move"},
		{name: "unknown start", command: jtc.Command{Joints: a, Points: one}, unknown: true, want: "position of joint a is not known"},
		{name: "unknown held joint", settings: []func(*jtc.Settings){known(true)}, command: jtc.Command{Joints: a, Points: one}, measured: at(row(1), nil), unknown: true, want: "leaves out joint b, whose position is not known"},
		{name: "a point in the past without positions", command: jtc.Command{Joints: a, Points: []motion.Waypoint{point(0, nil, row(1), nil), point(3, row(1), row(0), nil)}, Stamp: now.Add(-seconds(1))}, want: "send stamp zero"},
		{name: "a stamp of another clock", command: jtc.Command{Joints: a, Points: one, Stamp: time.Unix(1<<50, 0)}, measured: at(row(1), nil), want: "stamp"},
		{name: "rows of another length", settings: []func(*jtc.Settings){known(true)}, command: jtc.Command{Joints: a, Points: []motion.Waypoint{point(1, row(1, 2), nil, nil)}}, measured: at(row(1, 1), nil), want: "2 numbers for 1 joints"},
		{name: "accelerations without velocities", settings: []func(*jtc.Settings){fill(jtc.On)}, command: jtc.Command{Joints: a, Points: []motion.Waypoint{point(1, row(1), nil, row(1))}}, measured: at(row(1), nil), want: "accelerations but not both have velocities"},
		{name: "a tolerance that is no number", command: jtc.Command{Joints: a, Points: one, PathTolerance: []jtc.Tolerance{{Joint: "a", Position: math.NaN()}}}, measured: at(row(1), nil), want: "path_tolerance of joint a is NaN"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := jazzy(t, c.settings...).Plan(c.command, jtc.Situation{Now: now, Measured: c.measured})
			if err == nil {
				t.Fatal("no error")
			}
			var r *jtc.Refused
			if got := errors.As(err, &r); got != c.refused {
				t.Errorf("refused %v: %v", got, err)
			}
			if got := errors.Is(err, jtc.ErrUnknown); got != c.unknown {
				t.Errorf("unknown %v: %v", got, err)
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("%q lacks %q", err, c.want)
			}
		})
	}
	if _, err := jtc.ForDistribution("melodic"); err == nil {
		t.Error("a distribution of ROS 1 is known")
	}
}

// A trajectory with a stamp is entered where it is when the controller takes it over: later, farther on.
func TestTrajectoryIsEnteredLate(t *testing.T) {
	half := running(t, 1, a, row(0), point(2, row(2), nil, nil)) // at 1, 1 rad/s
	for _, c := range []struct {
		name     string
		handover float64
		from     float64
		running  *jtc.Plan
		stamped  bool
		gap      bool
	}{
		{"from a robot at rest", 0.5, 0, nil, true, true},
		{"soon", 0.002, 0, nil, true, false},
		{"whenever that is", 0.5, 0, nil, false, false},
		{"beside a robot that goes the same way", 0.5, 1, half, true, false},
	} {
		m := jtc.Command{Joints: a, Points: []motion.Waypoint{point(0, row(c.from), nil, nil), point(1, row(c.from+1), nil, nil)}}
		if c.stamped {
			m.Stamp = now
		}
		p := plan(t, jazzy(t), m, jtc.Situation{Handover: seconds(c.handover), Measured: at(row(c.from), row(0)), Running: c.running})
		if got := gaps(p.Motion); (len(got) > 0) != c.gap {
			t.Errorf("%s: gaps %q", c.name, got)
		}
	}
}

// Half a turn to the first point goes either way, as the controller reads the joint: nobody knows which.
func TestHalfTurnToTheFirstPoint(t *testing.T) {
	turning := func(wrap jtc.Switch) func(*jtc.Settings) {
		return func(s *jtc.Settings) { s.Wrap, s.Continuous = wrap, func(string) bool { return true } }
	}
	old := running(t, 1, a, row(0), point(2, row(2), nil, nil)) // at 1, 1 rad/s
	for _, c := range []struct {
		name     string
		wrap     jtc.Switch
		from, to float64
		running  *jtc.Plan
		gap      bool
	}{
		{"just below", jtc.On, 0, 3.14159, nil, true},
		{"just above", jtc.On, -1e-5, 3.14159, nil, true},
		{"and turns more", jtc.On, 0, 3.14159 - 4*math.Pi, nil, true},
		{"perhaps", jtc.Unknown, 0, 3.14159, nil, true},
		{"never", jtc.Off, 0, 3.14159, nil, false},
		{"less", jtc.On, 0, 3.1, nil, false},
		{"the handover decides", jtc.On, 1, 1 + math.Pi + 0.02, old, true},
		{"the handover does not decide", jtc.On, 1, 1 + math.Pi + 0.1, old, false},
	} {
		p := plan(t, jazzy(t, turning(c.wrap)), jtc.Command{Joints: a, Points: []motion.Waypoint{point(2, row(c.to), nil, nil)}},
			jtc.Situation{Handover: seconds(0.05), Measured: at(row(c.from), row(map[bool]float64{true: 1}[c.running != nil])), Running: c.running})
		if got := gaps(p.Motion); (len(got) > 0) != c.gap {
			t.Errorf("%s: gaps %q", c.name, got)
		}
	}
}

func TestContinuousJoints(t *testing.T) {
	turning := func(wrap jtc.Switch) func(*jtc.Settings) {
		return func(s *jtc.Settings) { s.Wrap, s.Continuous = wrap, func(string) bool { return true } }
	}
	for _, c := range []struct {
		name string
		wrap jtc.Switch
		want []float64
		gap  bool
	}{
		{"the short way", jtc.On, row(3.1-2*math.Pi, -3.1), false},
		{"all the way", jtc.Off, row(3.1, -3.1), false},
		{"not known", jtc.Unknown, row(3.1-2*math.Pi, -3.1), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := plan(t, jazzy(t, turning(c.wrap)), jtc.Command{Joints: a, Points: []motion.Waypoint{point(1, row(-3.1), nil, nil)}}, jtc.Situation{Measured: at(row(3.1), nil)})
			if d := cmp.Diff([][]float64{c.want}, controls(p.Motion, "a"), near); d != "" {
				t.Error(d)
			}
			if got := len(p.Motion.Gaps) > 0; got != c.gap {
				t.Errorf("gaps %q", gaps(p.Motion))
			}
		})
	}
	// A trajectory that begins a turn away begins where the robot is.
	p := plan(t, jazzy(t, turning(jtc.On)), jtc.Command{Joints: a, Points: []motion.Waypoint{point(0, row(0.001+2*math.Pi), nil, nil), point(1, row(7), nil, nil)}}, jtc.Situation{Measured: at(row(0), nil)})
	if len(p.Motion.Gaps) > 0 {
		t.Errorf("gaps %q", gaps(p.Motion))
	}
}

func TestTolerancesAreTubes(t *testing.T) {
	own := func(s *jtc.Settings) {
		s.PathTolerance, s.GoalTolerance = map[string]float64{"a": 0.1}, map[string]float64{"b": 0.05}
	}
	given := func(joint string, x float64) []jtc.Tolerance { return []jtc.Tolerance{{Joint: joint, Position: x}} }
	for _, c := range []struct {
		name       string
		path, goal []jtc.Tolerance
		tube, end  map[string]float64
		note       string
	}{
		{"the controller's", nil, nil, map[string]float64{"a": 0.1}, map[string]float64{"a": 0.1, "b": 0.05}, "goal tolerance"},
		{"the goal's", given("b", 0.2), given("a", 0.3), map[string]float64{"a": 0.1, "b": 0.2}, map[string]float64{"a": 0.3, "b": 0.2}, "goal tolerance"},
		{"a goal's that is narrower", given("a", 0.01), nil, map[string]float64{"a": 0.1}, map[string]float64{"a": 0.1, "b": 0.05}, ""},
		{"zero is the controller's", given("a", 0), nil, map[string]float64{"a": 0.1}, map[string]float64{"a": 0.1, "b": 0.05}, ""},
		{"no bound", given("b", -1), nil, map[string]float64{"a": 0.1}, map[string]float64{"a": 0.1, "b": 0.05}, "joint b sets no bound"},
		{"one that is not valid", append(given("b", 0.2), given("a", -3)...), nil, map[string]float64{"a": 0.1}, map[string]float64{"a": 0.1, "b": 0.05}, "it uses its own"},
		{"an unknown joint", append(given("b", 0.2), given("c", 1)...), nil, map[string]float64{"a": 0.1}, map[string]float64{"a": 0.1, "b": 0.05}, "it uses its own"},
		{"a path's that covers the goal's", given("b", 0.05), nil, map[string]float64{"a": 0.1, "b": 0.05}, nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := plan(t, jazzy(t, own), jtc.Command{Joints: both, Points: []motion.Waypoint{point(1, row(1, 2), nil, nil)}, PathTolerance: c.path, GoalTolerance: c.goal}, jtc.Situation{Measured: at(row(0, 0), nil)})
			if d := cmp.Diff(c.tube, p.Tube); d != "" {
				t.Errorf("tube: %s", d)
			}
			if d := cmp.Diff(c.end, p.EndTube); d != "" {
				t.Errorf("tube at the end: %s", d)
			}
			if c.end != nil {
				if d := cmp.Diff(row(1, 2), p.End.At(0)); d != "" {
					t.Errorf("end: %s", d)
				}
			}
			if !strings.Contains(strings.Join(p.Notes, "; "), c.note) {
				t.Errorf("notes %q lack %q", p.Notes, c.note)
			}
		})
	}
}

// A joint that brakes from 2 rad/s at 4 rad/s² stands after half a second, half a radian on; one
// that brakes from -1 at 1 after a second, half a radian back.
func TestStop(t *testing.T) {
	m, tube, err := jtc.Stop(both, at(row(1, 0), row(2, -1)), map[string]float64{"a": 4, "b": 1}, seconds(0.01))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(row(0, 0.5, 1), times(m), near); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([][]float64{{1, 1.5, 1.5}, {1.5}}, controls(m, "a"), near); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([][]float64{{0, -0.25, -0.375}, {-0.375, -0.5, -0.5}}, controls(m, "b"), near); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(map[string]float64{"a": 4e-4, "b": 1e-4}, tube, near); d != "" {
		t.Error(d)
	}
	if m, _, err := jtc.Stop(a, at(row(1), row(0)), map[string]float64{"a": 1}, 0); err != nil || m.Duration() != 1 {
		t.Errorf("at rest: %v, %v", m, err)
	}
	if _, _, err := jtc.Stop(a, at(row(1), nil), map[string]float64{"a": 1}, 0); !errors.Is(err, jtc.ErrUnknown) {
		t.Errorf("without velocity: %v", err)
	}
	if _, _, err := jtc.Stop(a, at(row(1), row(1)), nil, 0); err == nil {
		t.Error("without deceleration: no error")
	}
}
