package motionfile_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/motionfile"
	"github.com/firstcontact-ros/firstcontact/premise"
)

type sample struct {
	t float64
	q []float64
}

// samples returns the ends of a motion's pieces.
func samples(m *motion.Motion) []sample {
	out := []sample{{m.Pieces[0].Start, m.At(m.Pieces[0].Start)}}
	for _, p := range m.Pieces {
		out = append(out, sample{p.End, m.At(p.End)})
	}
	return out
}

func parse(t *testing.T, name, text string, opts motionfile.Options) []motionfile.Loaded {
	t.Helper()
	loaded, err := motionfile.Parse(name, []byte(text), opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range loaded {
		if err := l.Motion.Validate(); err != nil {
			t.Fatal(err)
		}
	}
	return loaded
}

func one(t *testing.T, text string, opts motionfile.Options) motionfile.Loaded {
	t.Helper()
	loaded := parse(t, "f", text, opts)
	if len(loaded) != 1 {
		t.Fatalf("%d motions, want 1", len(loaded))
	}
	return loaded[0]
}

func wantSamples(t *testing.T, m *motion.Motion, joints []string, want ...sample) {
	t.Helper()
	if !slices.Equal(m.Joints, joints) {
		t.Errorf("joints %v, want %v", m.Joints, joints)
	}
	if d := cmp.Diff(want, samples(m), cmp.AllowUnexported(sample{})); d != "" {
		t.Errorf("want (-), got (+):\n%s", d)
	}
}

func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	for _, s := range parts {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("error %q does not say %q", err, s)
		}
	}
}

func wantWarnings(t *testing.T, l motionfile.Loaded, parts ...string) {
	t.Helper()
	if len(l.Warnings) != len(parts) {
		t.Fatalf("warnings %q, want %d", l.Warnings, len(parts))
	}
	for i, s := range parts {
		if !strings.Contains(l.Warnings[i], s) {
			t.Errorf("warning %q does not say %q", l.Warnings[i], s)
		}
	}
}

// What ros2 topic echo prints.
const echoed = `header:
  stamp:
    sec: 0
    nanosec: 0
  frame_id: ''
joint_names:
- a
- b
points:
- positions:
  - 0.0
  - 1.0
  velocities: []
  accelerations: []
  effort: []
  time_from_start:
    sec: 0
    nanosec: 0
- positions:
  - 0.5
  - -1.5
  velocities: []
  accelerations: []
  effort: []
  time_from_start:
    sec: 1
    nanosec: 100000000
---
`

func TestJointTrajectory(t *testing.T) {
	want := []sample{{0, []float64{0, 1}}, {1.1, []float64{0.5, -1.5}}}
	for name, text := range map[string]string{
		"echo":    echoed,
		"ros1":    "{joint_names: [a, b], points: [{positions: [0, 1], time_from_start: {secs: 0, nsecs: 0}}, {positions: [0.5, -1.5], time_from_start: {secs: 1, nsecs: 100000000}}]}",
		"seconds": "joint_names: [a, b]\npoints:\n  - {positions: [0, 1], time_from_start: 0}\n  - {positions: [0.5, -1.5], time_from_start: 1.1}\n",
		"json":    `{"joint_names": ["a", "b"], "points": [{"positions": [0, 1], "time_from_start": {"sec": 0, "nanosec": 0}}, {"positions": [0.5, -1.5], "time_from_start": {"sec": 1, "nanosec": 100000000}}]}`,
		"robot":   "joint_trajectory:\n  joint_names: [a, b]\n  points: [{positions: [0, 1], time_from_start: 0}, {positions: [0.5, -1.5], time_from_start: 1.1}]\nmulti_dof_joint_trajectory: {header: {}, joint_names: [], points: []}\n",
		"comment": "# first a comment\n---\njoint_names: [a, b]\npoints: [{positions: [0, 1], time_from_start: 0}, {positions: [0.5, -1.5], time_from_start: 1.1}]\n",
	} {
		t.Run(name, func(t *testing.T) {
			l := one(t, text, motionfile.Options{Interpolation: "linear"})
			wantSamples(t, l.Motion, []string{"a", "b"}, want...)
			wantWarnings(t, l)
		})
	}
}

func TestSeveralDocuments(t *testing.T) {
	loaded := parse(t, "dir/traj.yaml", echoed+echoed, motionfile.Options{})
	if len(loaded) != 2 || loaded[0].Motion.ID != "traj.yaml#1" || loaded[1].Motion.ID != "traj.yaml#2" {
		t.Errorf("motions %+v", loaded)
	}
	if l := parse(t, "dir/traj.yaml", echoed, motionfile.Options{}); l[0].Motion.ID != "traj.yaml" {
		t.Errorf("a single motion is called %q", l[0].Motion.ID)
	}
}

// YAML that is cut short may be YAML nevertheless: digits or points are then missing.
func TestTrajectoryThatMayBeCutShort(t *testing.T) {
	const first = "joint_names: [a]\npoints:\n- {positions: [0], time_from_start: 0}\n- {positions: [1], time_from_start: 1}\n"
	const second = "joint_names: [a]\npoints:\n- positions: [0]\n  time_from_start: 0\n- positions: [1]\n  time_from_start: 1.5\n"
	const braces = "{joint_names: [a], points: [{positions: [0], time_from_start: 0}, {positions: [1], time_from_start: 1}]}"
	const points, digits = "its last document, from line 6 on, does not end with ---", "its last line does not end"
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"whole", second, nil},
		{"within a number", second[:len(second)-2], []string{digits}},
		{"within a row", strings.TrimSuffix(first, "\n"), []string{digits}},
		{"whole documents", first + "---\n" + second + "---\n", nil},
		{"the last of several", first + "---\n" + second, []string{points}},
		{"within the last of several", first + "---\n" + second[:len(second)-2], []string{digits, points}},
		{"documents that --- begins", "%YAML 1.1\n# two\n---\n" + first + "---\n" + second, nil},
		{"braces", braces, nil},
		{"braces behind others", first + "---\n" + braces, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			loaded := parse(t, "f", c.text, motionfile.Options{})
			wantWarnings(t, loaded[len(loaded)-1], c.want...)
			if len(loaded) > 1 {
				wantWarnings(t, loaded[0])
			}
		})
	}
}

// A controller follows a spline through velocities: straight lines are not what
// it does.
func TestDerivativesAreTold(t *testing.T) {
	linear := motionfile.Options{Interpolation: "linear"}
	text := func(extra string) string {
		return "joint_names: [a]\npoints:\n- {positions: [0], time_from_start: 0}\n- {positions: [1], time_from_start: 1" + extra + "}\n"
	}
	wantWarnings(t, one(t, text(""), linear))
	wantWarnings(t, one(t, text(", velocities: [1]"), linear), "carry velocities: a controller follows a spline")
	wantWarnings(t, one(t, text(", accelerations: [1]"), linear), "carry accelerations")
	wantWarnings(t, one(t, text(", velocities: [0], accelerations: [1]"), linear), "velocities and accelerations")

	// What some controllers refuse.
	wantWarnings(t, one(t, text(", velocities: [0], accelerations: [1]"), motionfile.Options{}))
	wantWarnings(t, one(t, text(", velocities: [2]"), motionfile.Options{}), "joint a has a velocity of 2 at the last point")
	integrated := "joint_names: [a]\npoints: [{positions: [0], time_from_start: 0}, {velocities: [1], time_from_start: 1}, {positions: [0], velocities: [0], time_from_start: 2}]\n"
	wantWarnings(t, one(t, integrated, motionfile.Options{}), "allow_integration_in_goal_trajectories")
	_, err := motionfile.Parse("f", []byte(integrated), linear)
	wantError(t, err, "f:1", "waypoint 1", "0 positions")
}

// Positions alone make straight lines, velocities cubics, accelerations too
// quintics.
func TestSplines(t *testing.T) {
	text := `joint_names: [a]
points:
- {positions: [0], time_from_start: 0}
- {positions: [1], velocities: [0], time_from_start: 1}
- {positions: [2], velocities: [0], accelerations: [0], time_from_start: 2}
- {positions: [1], velocities: [0], accelerations: [0], time_from_start: 3}
`
	for _, name := range []string{"", "jtc", "linear"} {
		l := one(t, text, motionfile.Options{Interpolation: name})
		var degrees []int
		for _, p := range l.Motion.Pieces {
			degrees = append(degrees, len(p.Ctrl[0])-1)
		}
		want, through := []int{1, 3, 5}, motion.JTC
		if name == "linear" {
			want, through = []int{1, 1, 1}, motion.StraightLines
		}
		if !slices.Equal(degrees, want) || l.Interpolation != through {
			t.Errorf("%q: degrees %v by %s, want %v by %s", name, degrees, l.Interpolation, want, through)
		}
	}
	// Nobody is told to execute a table.
	if l := one(t, "time,a\n0,1\n1,2\n", motionfile.Options{Interpolation: "jtc"}); l.Interpolation != motion.StraightLines {
		t.Errorf("a table is joined by %s", l.Interpolation)
	}
}

// To a first point with velocities a controller draws a cubic from where it is.
func TestLeadInIsACubic(t *testing.T) {
	text := "joint_names: [a]\npoints: [{positions: [1], velocities: [3], time_from_start: 1}, {positions: [2], time_from_start: 2}]\n"
	l := one(t, text, motionfile.Options{Start: map[string]float64{"a": -1}})
	wantWarnings(t, l, "taken to be at rest at its start")
	if got := l.Motion.Pieces[0].Ctrl[0]; !slices.Equal(got, []float64{-1, -1, 0, 1}) {
		t.Errorf("control points %v", got)
	}
	// A first point of velocities alone is reached by integrating from the start.
	text = "joint_names: [a]\npoints: [{velocities: [2], time_from_start: 1}, {positions: [2], time_from_start: 2}]\n"
	l = one(t, text, motionfile.Options{Start: map[string]float64{"a": -1}})
	wantSamples(t, l.Motion, []string{"a"}, sample{0, []float64{-1}}, sample{1, []float64{0}}, sample{2, []float64{2}})
	_, err := motionfile.Parse("f", []byte(text), motionfile.Options{})
	wantError(t, err, "f:1", "waypoint 0 has no positions")
}

func TestLateStart(t *testing.T) {
	late := "joint_names: [a, b]\npoints:\n- {positions: [1, 2], time_from_start: 0.5}\n- {positions: [3, 4], time_from_start: 2}\n"
	l := one(t, late, motionfile.Options{})
	wantSamples(t, l.Motion, []string{"a", "b"}, sample{0.5, []float64{1, 2}}, sample{2, []float64{3, 4}})
	wantWarnings(t, l, "first point is at 0.5 s")

	l = one(t, late, motionfile.Options{Start: map[string]float64{"a": -1}})
	wantWarnings(t, l, "start of b is not known")

	l = one(t, late, motionfile.Options{Start: map[string]float64{"a": -1, "b": 0.5}})
	wantSamples(t, l.Motion, []string{"a", "b"}, sample{0, []float64{-1, 0.5}}, sample{0.5, []float64{1, 2}}, sample{2, []float64{3, 4}})
	wantWarnings(t, l)

	point := "joint_names: [a]\npoints: [{positions: [1], time_from_start: 2}]\n"
	l = one(t, point, motionfile.Options{Start: map[string]float64{"a": 0}})
	wantSamples(t, l.Motion, []string{"a"}, sample{0, []float64{0}}, sample{2, []float64{1}})
	wantWarnings(t, l)
	l = one(t, point, motionfile.Options{})
	wantSamples(t, l.Motion, []string{"a"}, sample{2, []float64{1}}, sample{3, []float64{1}})
	wantWarnings(t, l, "first point is at 2 s", "one point")
}

func TestStepAtTheStart(t *testing.T) {
	text := "joint_names: [a]\npoints: [{positions: [1], time_from_start: 0}, {positions: [2], time_from_start: 1}]\n"
	if gaps := one(t, text, motionfile.Options{Start: map[string]float64{"a": 1 + 1e-7}}).Motion.Gaps; len(gaps) != 0 {
		t.Errorf("gaps %v", gaps)
	}
	gaps := one(t, text, motionfile.Options{Start: map[string]float64{"a": 1.01}}).Motion.Gaps
	if len(gaps) != 1 || gaps[0].Kind != premise.Start || !strings.Contains(gaps[0].Detail, "joint a is at 1.01 but the first point") {
		t.Errorf("gaps %v", gaps)
	}
}

// Between the points of a trajectory a controller turns through every value; a
// table of angles wraps.
func TestTurns(t *testing.T) {
	text := "joint_names: [a]\npoints: [{positions: [3.1], time_from_start: 1}, {positions: [-3.1], time_from_start: 2}]\n"
	l := one(t, text, motionfile.Options{Start: map[string]float64{"a": 3}})
	wantWarnings(t, l)
	if !l.Motion.KeepTurns {
		t.Error("the trajectory lets a continuous joint take the short way")
	}
	l = one(t, text, motionfile.Options{Start: map[string]float64{"a": -3}})
	wantWarnings(t, l)
	wantShortWay(t, text, motionfile.Options{}, "a")

	l = one(t, "time,a\n0,3.1\n1,-3.1\n", motionfile.Options{})
	wantWarnings(t, l, "joint a moves by more than half a turn between rows 1 and 2")
	if l.Motion.KeepTurns {
		t.Error("the table makes a continuous joint go all the way back")
	}
	wantWarnings(t, one(t, "time,a\n0,3.1\n1,0\n", motionfile.Options{}))
}

// wantShortWay wants a gap for each joint that a controller may turn another way from -3 to the
// first point of text.
func wantShortWay(t *testing.T, text string, opts motionfile.Options, joints ...string) {
	t.Helper()
	opts.Start = map[string]float64{"a": -3, "b": -3}
	var got []string
	for _, g := range one(t, text, opts).Motion.Gaps {
		if g.Kind != premise.Start || !strings.Contains(g.Detail, "short way round") {
			t.Errorf("gap %+v", g)
		}
		got = append(got, g.Names...)
	}
	if d := cmp.Diff(joints, got); d != "" {
		t.Errorf("%s, continuous %v: %s", text, opts.Continuous, d)
	}
}

// Controllers of some releases take the short way to the first point, the others the long one.
func TestShortWayToTheFirstPoint(t *testing.T) {
	text := func(b string) string {
		return "joint_names: [a, b]\npoints: [{positions: [3.1, " + b + "], time_from_start: 1}]\n"
	}
	wantShortWay(t, text("3.1"), motionfile.Options{}, "a", "b")
	wantShortWay(t, text("3.1"), motionfile.Options{Continuous: map[string]bool{"a": true, "b": false}}, "a")
	wantShortWay(t, text("3.1"), motionfile.Options{Continuous: map[string]bool{"a": false, "b": true}, Interpolation: "linear"}, "b")
	turns := motionfile.Options{Continuous: map[string]bool{"a": false, "b": true}}
	wantShortWay(t, text("0.1415"), turns)
	wantShortWay(t, text("0.141592"), turns, "b")
	wantShortWay(t, "joint_names: [a]\npoints: [{velocities: [20], time_from_start: 1}, {positions: [7], time_from_start: 2}]\n", motionfile.Options{})
}

const displayed = `model_id: arm
trajectory:
- joint_trajectory:
    header: {frame_id: base}
    joint_names: [a]
    points:
    - {positions: [1], time_from_start: {sec: 0, nanosec: 0}}
    - {positions: [2], time_from_start: {sec: 1, nanosec: 0}}
  multi_dof_joint_trajectory: {header: {frame_id: ''}, joint_names: [], points: []}
- joint_trajectory:
    joint_names: [a, g]
    points: [{positions: [3, 0.04], time_from_start: {sec: 2, nanosec: 0}}]
trajectory_start:
  joint_state: {header: {}, name: [a, g], position: [1, 0.02], velocity: [], effort: []}
  multi_dof_joint_state: {joint_names: [v], transforms: [{translation: {x: 0, y: 0, z: 0}, rotation: {x: 0, y: 0, z: 0, w: 1}}]}
  attached_collision_objects: []
  is_diff: false
`

func TestDisplayTrajectory(t *testing.T) {
	loaded := parse(t, "f", displayed, motionfile.Options{})
	if len(loaded) != 2 {
		t.Fatalf("%d motions, want 2", len(loaded))
	}
	wantSamples(t, loaded[0].Motion, []string{"a"}, sample{0, []float64{1}}, sample{1, []float64{2}})
	// The second sets out from where the first has ended.
	wantSamples(t, loaded[1].Motion, []string{"a", "g"}, sample{0, []float64{2, 0.02}}, sample{2, []float64{3, 0.04}})
	for i, want := range []map[string]float64{{"a": 1, "g": 0.02}, {"a": 2, "g": 0.02}} {
		if d := cmp.Diff(want, loaded[i].Start); d != "" {
			t.Errorf("start %d: %s", i, d)
		}
		wantWarnings(t, loaded[i])
	}
	text := strings.Replace(displayed, "translation: {x: 0", "translation: {x: 1", 1)
	wantWarnings(t, parse(t, "f", text, motionfile.Options{})[0], "multi-DOF joint")
}

// What the robot is said to carry is a gap of each of the motions, by its name.
func TestDisplayAttached(t *testing.T) {
	text := strings.Replace(displayed, "attached_collision_objects: []", "attached_collision_objects: [{link_name: hand, object: {id: mug}}, {}]", 1)
	for i, l := range parse(t, "f", text, motionfile.Options{}) {
		var got []string
		for _, g := range l.Motion.Gaps {
			if g.Kind != premise.Attached || !g.Open() {
				t.Errorf("motion %d has the gap %+v", i, g)
			}
			got = append(got, g.Names...)
		}
		if d := cmp.Diff([]string{"mug", "an object without id"}, got); d != "" {
			t.Errorf("motion %d: %s", i, d)
		}
	}
}

// A trajectory that begins later than time zero has a gap there, unless the start is
// known; a recording begins with its first row.
func TestStartIsAGap(t *testing.T) {
	const late = "joint_names: [a]\npoints: [{positions: [1], time_from_start: 2}, {positions: [2], time_from_start: 3}]\n"
	for _, c := range []struct {
		name, text string
		opts       motionfile.Options
		gaps       int
	}{
		{"nobody knows", late, motionfile.Options{}, 1},
		{"straight lines", late, motionfile.Options{Interpolation: "linear"}, 1},
		{"with a start", late, motionfile.Options{Start: map[string]float64{"a": 0}}, 0},
		{"one point", "joint_names: [a]\npoints: [{positions: [1], time_from_start: 2}]\n", motionfile.Options{}, 1},
		{"from time 0", strings.Replace(late, "time_from_start: 2", "time_from_start: 0", 1), motionfile.Options{}, 0},
		{"a recording", "time,a\n2,1\n3,2\n", motionfile.Options{}, 0},
	} {
		m := parse(t, "f", c.text, c.opts)[0].Motion
		if len(m.Gaps) != c.gaps || c.gaps > 0 && (m.Gaps[0].Kind != premise.Start || m.Gaps[0].Value != 2) {
			t.Errorf("%s: gaps %v, want %d", c.name, m.Gaps, c.gaps)
		}
	}
}

// Where a controller has integrated to, its motion says.
func TestDisplayAfterIntegration(t *testing.T) {
	loaded := parse(t, "f", `trajectory:
- joint_trajectory: {joint_names: [a], points: [{positions: [0], velocities: [1], time_from_start: 0}, {velocities: [0], time_from_start: 1}]}
- joint_trajectory: {joint_names: [a], points: [{positions: [3], time_from_start: 1}]}
trajectory_start: {joint_state: {name: [a], position: [0]}}
`, motionfile.Options{})
	wantSamples(t, loaded[0].Motion, []string{"a"}, sample{0, []float64{0}}, sample{1, []float64{0.5}})
	wantSamples(t, loaded[1].Motion, []string{"a"}, sample{0, []float64{0.5}}, sample{1, []float64{3}})
	if d := cmp.Diff(map[string]float64{"a": 0.5}, loaded[1].Start); d != "" || len(loaded[1].Warnings) > 0 {
		t.Errorf("start %s, warnings %q", d, loaded[1].Warnings)
	}
}

// Positions that are given are those before the first trajectory.
func TestDisplayFromAGivenState(t *testing.T) {
	loaded := parse(t, "f", displayed, motionfile.Options{Start: map[string]float64{"a": 1, "g": 0.03, "h": 7}})
	if loaded[0].Follows || !loaded[1].Follows {
		t.Errorf("follow: %v, %v", loaded[0].Follows, loaded[1].Follows)
	}
	if d := cmp.Diff(map[string]float64{"a": 2, "g": 0.03, "h": 7}, loaded[1].Start); d != "" {
		t.Error(d)
	}
	wantSamples(t, loaded[1].Motion, []string{"a", "g"}, sample{0, []float64{2, 0.03}}, sample{2, []float64{3, 0.04}})
}

// Of two states before a trajectory that differ, one is wrong.
func TestDisplayFromAnotherState(t *testing.T) {
	for _, c := range []struct {
		given map[string]float64
		want  []string // joints that are disputed
	}{
		{map[string]float64{"a": 1 + 1e-7, "g": 0.5}, nil}, // g is held where it was given
		{map[string]float64{"a": 2.8}, []string{"a"}},
	} {
		loaded := parse(t, "f", displayed, motionfile.Options{Start: c.given})
		var got []string
		for _, g := range loaded[0].Motion.Gaps {
			if g.Kind != premise.Start || !strings.Contains(g.Detail, "trajectory_start") {
				t.Errorf("gap %+v", g)
			}
			got = append(got, g.Names...)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("given %v: %s", c.given, d)
		}
		if gaps := loaded[1].Motion.Gaps; len(gaps) != 0 {
			t.Errorf("the second trajectory has the gaps %v", gaps)
		}
	}
}

func TestMessageErrors(t *testing.T) {
	points := func(p string) string { return "joint_names: [a, b]\npoints: [" + p + "]\n" }
	good := "{positions: [0, 0], time_from_start: 0}"
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"something else", "objects: []\n", []string{"f:1", "is not a motion", "objects"}},
		{"empty stream", "---\n---\n", []string{"no motions"}},
		{"unknown key", "joint_names: [a]\npoints: []\nname: x\n", []string{"f:3", "\"name\""}},
		{"no points", "joint_names: [a]\n", []string{"no points"}},
		{"empty points", points(""), []string{"no points", "f:2"}},
		{"no positions", points("{time_from_start: 0}"), []string{"f:2", "no positions"}},
		{"no positions to start from", points("{velocities: [0, 0], time_from_start: 0}, {positions: [0, 0], time_from_start: 1}"), []string{"waypoint 0", "no positions"}},
		{"accelerations without velocities", points("{positions: [0, 0], accelerations: [0, 0], time_from_start: 0}, {positions: [0, 0], accelerations: [0, 0], time_from_start: 1}"), []string{"f:1", "waypoints 0 and 1", "does not support"}},
		{"no time", points("{positions: [0, 0]}"), []string{"no time_from_start"}},
		{"one position", points("{positions: [0], time_from_start: 0}"), []string{"positions has 1 numbers: give 2"}},
		{"one velocity", points("{positions: [0, 0], velocities: [1], time_from_start: 0}"), []string{"velocities has 1 numbers: give 2"}},
		{"NaN velocity", points("{positions: [0, 0], velocities: [1, .nan], time_from_start: 0}"), []string{"velocities", "finite"}},
		{"NaN", points("{positions: [0, .nan], time_from_start: 0}"), []string{"positions", "finite"}},
		{"cut by echo", "joint_names: [a]\npoints:\n- positions: [0, '...']\n", []string{"--full-length"}},
		{"jump", points(good + ", {positions: [0, 1], time_from_start: 0}"), []string{"f:1", "joint b jumps"}},
		{"time runs back", points("{positions: [0, 0], time_from_start: 1}, " + good), []string{"waypoint 1", "sort"}},
		{"negative time", points("{positions: [0, 0], time_from_start: {sec: -1, nanosec: 0}}"), []string{"waypoint 0", "-1 s"}},
		{"nanoseconds", points("{positions: [0, 0], time_from_start: {sec: 0, nanosec: 1000000000}}"), []string{"1000000000 nanoseconds"}},
		{"endless", points("{positions: [0, 0], time_from_start: {sec: 4294967296, nanosec: 0}}"), []string{"32 bits"}},
		{"half a second", points("{positions: [0, 0], time_from_start: {sec: 0.5, nanosec: 0}}"), []string{"sec", "whole number"}},
		{"two clocks", points("{positions: [0, 0], time_from_start: {sec: 0, nsecs: 0}}"), []string{"sec and nanosec"}},
		{"no clock", points("{positions: [0, 0], time_from_start: {}}"), []string{"sec and nanosec"}},
		{"joint twice", "joint_names: [a, a]\npoints: [" + good + "]\n", []string{"joint a", "twice"}},
		{"no joints", "joint_names: []\npoints: [{positions: [], time_from_start: 0}]\n", []string{"no joints"}},
		{"multi dof alone", "multi_dof_joint_trajectory: {}\n", []string{"no joint_trajectory"}},
		{"nothing displayed", "trajectory: []\n", []string{"no trajectory"}},
		{"start", "trajectory: [{}]\ntrajectory_start: {joint_state: {name: [a], position: []}}\n", []string{"0 positions for 1 names"}},
		{"start of a base", "trajectory: [{}]\ntrajectory_start: {multi_dof_joint_state: {joint_names: [v], transforms: []}}\n", []string{"0 transforms for 1 joints"}},
		{"start of a base twice", "trajectory: [{}]\ntrajectory_start: {multi_dof_joint_state: {joint_names: [v, v], transforms: [" + unmoved + ", " + unmoved + "]}}\n", []string{"names v twice"}},
		{"start twice", "trajectory: [{}]\ntrajectory_start: {joint_state: {name: [a, a], position: [0, 0]}}\n", []string{"names a twice"}},
		{"truncated", `{"joint_names": ["a"], "points": [{"positions": [0`, []string{"f: line 1", "ends early"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := motionfile.Parse("f", []byte(c.text), motionfile.Options{})
			wantError(t, err, append(c.want, "f:")...)
		})
	}
}

func TestInterpolation(t *testing.T) {
	for name, want := range map[string]string{"none": "jump", "cubic": "unknown", "curvy": "unknown"} {
		_, err := motionfile.Parse("f", []byte(echoed), motionfile.Options{Interpolation: name})
		wantError(t, err, name, want, "jtc", "linear")
	}
}

func TestCSV(t *testing.T) {
	two := []sample{{0, []float64{1, 2}}, {0.5, []float64{3, 4}}}
	for _, c := range []struct {
		name, text string
		opts       motionfile.Options
	}{
		{"header", "time,a,b\n0,1,2\n0.5,3,4\n", motionfile.Options{}},
		{"time last, comments, blanks", "# robot\n\n a , b , time\n1, 2, 0\n# half\n3, 4, 0.5\n", motionfile.Options{}},
		{"semicolons", "time;a;b\n0;1;2\n0.5;3;4\n", motionfile.Options{}},
		{"tabs", "time\ta\tb\r\n0\t1\t2\r\n0.5\t3\t4\r\n", motionfile.Options{}},
		{"byte order mark", "\xef\xbb\xbftime,a,b\n0,1,2\n0.5,3,4\n", motionfile.Options{}},
		{"header and rate", "a,b\n1,2\n3,4\n", motionfile.Options{Rate: 2}},
		{"named columns", "9,1,9,2\n9,3,9,4\n", motionfile.Options{Joints: []string{"_", "a", "-", "b"}, Rate: 2}},
		{"named columns and time", "1,0,2\n3,5e-1,4\n", motionfile.Options{Joints: []string{"a", "time", "b"}}},
		{"names of the header", "time, a ,b,z\n0,1,2,9\n0.5,3,4,9\n", motionfile.Options{Joints: []string{"time", "a", "b", "-"}}},
		{"other names of the header", "t,x,y,z\n0,1,2,9\n0.5,3,4,9\n", motionfile.Options{Rename: map[string]string{"t": "time", "x": "a", "y": "b", "z": "_"}}},
		{"other names than are given", "1,2,0\n3,4,0.5\n", motionfile.Options{Joints: []string{"b", "a", "time"}, Rename: map[string]string{"a": "b", "b": "a"}}},
		{"words in a column left out", "time,a,b,note\n0,1,2,start\n0.5,3,4,\n", motionfile.Options{Joints: []string{"time", "a", "b", "_"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := one(t, c.text, c.opts)
			wantSamples(t, l.Motion, []string{"a", "b"}, two...)
			wantWarnings(t, l)
		})
	}
	l := one(t, "time,a\n10,1\n11,2\n", motionfile.Options{})
	wantWarnings(t, l, "first point is at 10 s")
	wantSamples(t, l.Motion, []string{"a"}, sample{10, []float64{1}}, sample{11, []float64{2}})
}

func TestCSVErrors(t *testing.T) {
	named := motionfile.Options{Joints: []string{"a", "b"}, Rate: 1}
	for _, c := range []struct {
		name, text string
		opts       motionfile.Options
		want       []string
	}{
		{"empty", "", motionfile.Options{}, []string{"no rows"}},
		{"header alone", "time,a\n", motionfile.Options{}, []string{"no rows"}},
		{"no header", "0,1\n", motionfile.Options{}, []string{"f:1", "no header"}},
		{"no time", "a,b\n0,1\n", motionfile.Options{}, []string{"f:1", "time", "rate"}},
		{"no time, no rate", "0,1\n", motionfile.Options{Joints: []string{"a", "b"}}, []string{"rate"}},
		{"time and rate", "time,a\n0,1\n", motionfile.Options{Rate: 1}, []string{"one of them"}},
		{"two times", "time,time,a\n0,0,1\n", motionfile.Options{}, []string{"two columns named time"}},
		{"negative rate", "0,1\n", motionfile.Options{Joints: []string{"a", "b"}, Rate: -1}, []string{"rate of -1"}},
		{"names", "1,2,3\n", named, []string{"2 columns are named but the file has 3", "_"}},
		{"no joints", "time\n0\n", motionfile.Options{}, []string{"no column named after a joint"}},
		{"short row", "1,2\n3\n", named, []string{"f:2", "1 cells for 2 columns"}},
		{"long row", "1,2\n3,4,5\n", named, []string{"f:2", "3 cells"}},
		{"empty cell", "1,2\n3,\n", named, []string{"f:2", "column b", "is empty", "fill it in"}},
		{"NaN", "1,nan\n", named, []string{"f:1", "column b", "\"nan\""}},
		{"infinity", "1,2\n-inf,2\n", named, []string{"f:2", "column a"}},
		{"jump", "time,a\n0,1\n0,2\n", motionfile.Options{}, []string{"joint a jumps", "f:"}},
		{"joint twice", "time,a,a\n0,1,2\n", motionfile.Options{}, []string{"joint a", "twice"}},
		{"damaged first row", "1x,0\n-1,0\n-0.9,0\n", named, []string{"f:1", "\"1x\"", "\"0\"", "correct the cell"}},
		{"damaged first row after a comment", "# arm\n0,null\n-1,0\n", named, []string{"f:2", "\"null\""}},
		{"damaged first row of a recording", "0,null\n1,0\n", motionfile.Options{Recording: true}, []string{"f:1", "\"null\""}},
		{"names in another order than the header's", "time,b,a\n0,0,1\n1,0.5,1\n", motionfile.Options{Joints: []string{"time", "a", "b"}}, []string{"f:1", "time,b,a", "time,a,b"}},
		{"other names than the header's", "time,x\n0,0\n", motionfile.Options{Joints: []string{"time", "a"}}, []string{"f:1", "time,x", "time,a", "in the header"}},
		{"fewer names than the header's", "time,a,b\n0,0,1\n", motionfile.Options{Joints: []string{"time", "a"}}, []string{"f:1", "time,a,b", "the names given are time,a:"}},
		{"other names than a recording's", "time,b,a\n0,0,1\n1,0.5,1\n", motionfile.Options{Joints: []string{"time", "a", "b"}, Recording: true}, []string{"f:1", "time,b,a", "time,a,b"}},
		{"header with a number", "time,a1,2\n0,1,2\n", motionfile.Options{}, []string{"f:1", "\"2\"", "must not be numbers"}},
		{"quote", "time,a\n0,\"1\n", motionfile.Options{}, []string{"f: ", "line 2"}},
		{"prose", "hello world\n", motionfile.Options{}, []string{"time"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := motionfile.Parse("f", []byte(c.text), c.opts)
			wantError(t, err, append(c.want, "f:")...)
		})
	}
}

func TestSegments(t *testing.T) {
	loaded := parse(t, "arm.segs", "# two\nseg 1 2 3 4\nseg 5 6 7 8\n", motionfile.Options{Joints: []string{"a", "b"}})
	if len(loaded) != 2 {
		t.Fatalf("%d motions, want 2", len(loaded))
	}
	wantSamples(t, loaded[0].Motion, []string{"a", "b"}, sample{0, []float64{1, 2}}, sample{1, []float64{3, 4}})
	wantSamples(t, loaded[1].Motion, []string{"a", "b"}, sample{0, []float64{5, 6}}, sample{1, []float64{7, 8}})
	if loaded[1].Motion.ID != "arm.segs#2" {
		t.Errorf("the second is called %q", loaded[1].Motion.ID)
	}
	for text, opts := range map[string]motionfile.Options{
		"seg 1 2\n":   {},
		"seg 1 2 3\n": {Joints: []string{"a"}},
	} {
		if _, err := motionfile.Parse("f", []byte(text), opts); err == nil || !strings.Contains(err.Error(), "joints") {
			t.Errorf("%q: error %v does not say joints", text, err)
		}
	}
	_, err := motionfile.Parse("f", []byte("seg 1 2 3 4\n"), motionfile.Options{Joints: []string{"a", "a"}})
	wantError(t, err, "f:1", "joint a", "twice")
}

func TestProblems(t *testing.T) {
	text := `{"joints": ["a", "b"], "sets": {"shelf": [
		{"index": 1, "start": [1, 2], "goal": [3, 4], "other_joints": {"g": 0.04}, "objects": []},
		{"index": 2, "start": [1, 2], "goal": [5, 6], "objects": []}]}}`
	file := filepath.Join(t.TempDir(), "arm.json")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for selector, want := range map[string]int{"": 2, "#shelf": 2, "#shelf/1": 1} {
		loaded, err := motionfile.Load(file+selector, motionfile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(loaded) != want {
			t.Errorf("%q: %d motions, want %d", selector, len(loaded), want)
		}
		wantSamples(t, loaded[0].Motion, []string{"a", "b"}, sample{0, []float64{1, 2}}, sample{1, []float64{3, 4}})
		if d := cmp.Diff(map[string]float64{"a": 1, "b": 2, "g": 0.04}, loaded[0].Start); d != "" {
			t.Error(d)
		}
		if loaded[0].Motion.ID != file+"#shelf/1" {
			t.Errorf("it is called %q", loaded[0].Motion.ID)
		}
	}
	_, err := motionfile.Load(file+"#cage", motionfile.Options{})
	wantError(t, err, "arm.json", "cage", "shelf")
	for _, other := range []string{echoed, "time,a\n0,1\n", "seg 1 2\n"} {
		_, err := motionfile.Parse("f#shelf", []byte(other), motionfile.Options{Joints: []string{"a"}})
		wantError(t, err, "f:", "#shelf")
	}
}

func TestLoadErrors(t *testing.T) {
	_, err := motionfile.Load(filepath.Join(t.TempDir(), "none.yaml"), motionfile.Options{})
	wantError(t, err, "none.yaml")
	_, err = motionfile.Load(os.DevNull, motionfile.Options{})
	wantError(t, err, "regular file")
}

// From a start state without accelerations controllers of two ages go two ways to a first point
// that has some, unless it is at rest.
func TestLeadToAccelerationsIsAGap(t *testing.T) {
	for _, c := range []struct {
		name, point string
		through     motion.Interpolation
		gap         bool
	}{
		{"moving", `"velocities": [1], "accelerations": [0]`, "", true},
		{"speeding up", `"velocities": [0], "accelerations": [1]`, "", true},
		{"accelerations alone", `"accelerations": [0]`, "", true},
		{"at rest", `"velocities": [0], "accelerations": [0]`, "", false},
		{"no accelerations", `"velocities": [1]`, "", false},
		{"straight lines", `"velocities": [1], "accelerations": [1]`, motion.StraightLines, false},
	} {
		text := `{"joint_names": ["a"], "points": [{"positions": [1], ` + c.point + `, "time_from_start": {"sec": 1}}, {"positions": [1], "velocities": [0], "time_from_start": {"sec": 2}}]}`
		l := one(t, text, motionfile.Options{Start: map[string]float64{"a": 0}, Interpolation: string(c.through)})
		if got := len(l.Motion.Gaps) > 0; got != c.gap {
			t.Errorf("%s: gaps %v", c.name, l.Motion.Gaps)
		}
	}
}
