package motionfile_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/motionfile"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// The texts of testdata/write.py hold one recording: an arm every 20 ms, a tool every 30 ms
// from 10 ms on.
func TestRecordings(t *testing.T) {
	for _, c := range []struct {
		file string
		tol  float64 // what the file's digits leave

		notes []string
	}{
		{"echo.yaml", 1e-15, []string{"lost messages 1 times", "tool (1)", "velocities and efforts are not used", "stamp 1700000000.010000000 s"}},
		{"echo_flow.yaml", 1e-15, nil},
		{"echo.csv", 1e-15, nil},
		{"plotjuggler.csv", 1e-9, []string{"__time"}},
	} {
		t.Run(c.file, func(t *testing.T) {
			loaded, err := motionfile.Load(filepath.Join("testdata", c.file), motionfile.Options{})
			if err != nil {
				t.Fatal(err)
			}
			l := loaded[0]
			m := l.Motion
			if len(loaded) != 1 || !l.Measured || l.Interpolation != motion.StraightLines || m.KeepTurns {
				t.Errorf("%d motions, measured %v, %v, keeps turns %v", len(loaded), l.Measured, l.Interpolation, m.KeepTurns)
			}
			arm, elbow, tool := slices.Index(m.Joints, "shoulder"), slices.Index(m.Joints, "elbow"), slices.Index(m.Joints, "tool")
			if len(m.Joints) != 3 || arm < 0 || elbow < 0 || tool < 0 {
				t.Fatalf("joints %v", m.Joints)
			}
			if d := m.Duration(); math.Abs(d-0.57) > 1e-12 {
				t.Errorf("lasts %g s, want 0.57", d)
			}
			for i := 1; i <= 28; i++ { // the arm's samples
				at := float64(i)*0.02 - 0.01
				got := m.At(at)
				if w := 0.5 * math.Sin(float64(i)*0.02); math.Abs(got[arm]-w) > c.tol+1e-12 {
					t.Errorf("shoulder at %g s: %g, want %g", at, got[arm], w)
				}
			}
			if got := m.At(3 * 0.03)[tool]; math.Abs(got-0.03) > c.tol+1e-12 {
				t.Errorf("the tool's sample that is missing lies at %g, want 0.03 between its neighbours", got)
			}
			kinds := []premise.Kind{}
			for _, p := range m.Gaps {
				kinds = append(kinds, p.Kind)
			}
			if !slices.Equal(kinds, []premise.Kind{premise.BetweenSamples}) {
				t.Errorf("premises %v", m.Gaps)
			}
			for _, want := range c.notes {
				if text := strings.Join(l.Warnings, "\n"); !strings.Contains(text, want) {
					t.Errorf("notes %q do not say %q", text, want)
				}
			}
		})
	}
}

func TestChosenJointsOfARecording(t *testing.T) {
	for _, file := range []string{"echo.yaml", "echo.csv", "plotjuggler.csv"} {
		loaded, err := motionfile.Load(filepath.Join("testdata", file), motionfile.Options{Joints: []string{"elbow"}})
		if err != nil || !slices.Equal(loaded[0].Motion.Joints, []string{"elbow"}) || len(loaded[0].Motion.Pieces) != 30 {
			t.Errorf("%s: %v, %+v", file, err, loaded)
		}
	}
	loaded, err := motionfile.Load("testdata/plotjuggler_array.csv", motionfile.Options{Joints: []string{"_", "elbow"}})
	if err != nil || !slices.Equal(loaded[0].Motion.Joints, []string{"elbow"}) || math.Abs(loaded[0].Motion.At(0.6)[0]+3e-4) > 1e-9 {
		t.Errorf("array: %v, %+v", err, loaded)
	}
}

// A recording is refused, or has a gap, rather than read as something that it is not.
func TestRecordingErrors(t *testing.T) {
	state := func(sec int, name, position string) string {
		return fmt.Sprintf("header:\n  stamp:\n    sec: %d\n    nanosec: 0\n  frame_id: ''\nname: %s\nposition: %s\nvelocity: []\neffort: []\n---\n", sec, name, position)
	}
	for _, c := range []struct {
		name, text string
		opts       motionfile.Options
		want       []string
	}{
		{"one message", state(1, "[a]", "[0.0]"), motionfile.Options{}, []string{"joint a is measured once only"}},
		{"counts", state(1, "[a]", "[0.0]") + state(2, "[a, b]", "[0.0]"), motionfile.Options{}, []string{"f:11", "1 positions for 2 names"}},
		{"truncated", state(1, "[a]", "[0.0, '...']"), motionfile.Options{}, []string{"f:", "--full-length"}},
		{"unknown key", state(1, "[a]", "[0.0]") + "header: {stamp: {sec: 1, nanosec: 0}}\nname: [a]\npositions: [1]\n---\n", motionfile.Options{}, []string{"f:13", "positions"}},
		{"another message", state(1, "[a]", "[0.0]") + "joint_names: [a]\npoints: []\n---\n", motionfile.Options{}, []string{"f:11", "joint_names"}},
		{"broken later", state(1, "[a]", "[0.0]") + "header: {\n---\n", motionfile.Options{}, []string{"after line 10", "not YAML"}},
		{"text position", state(1, "[a]", "[x]"), motionfile.Options{}, []string{"f:", "\"x\""}},
		{"no header", "{\"name\": [\"a\"], \"position\": [1]}", motionfile.Options{}, []string{"f:1", "no header"}},
		{"selector", state(1, "[a]", "[0.0]"), motionfile.Options{}, nil},

		{"row: counts", "1,0,,a,b,0.1,0.2,,\n2,0,,a,b,0.1,,\n", motionfile.Options{}, []string{"f:2", "2 names but no 2 positions", "without --csv"}},
		{"row: more cells", "1,0,,a,0.1,0.2,0.3,0.4\n", motionfile.Options{}, []string{"f:1", "1 cells more than its 1 names explain"}},
		{"row: truncated", "1,0,,a,...,0.1,...,,\n", motionfile.Options{}, []string{"f:1", "--full-length"}},
		{"row: a joint like a number", "1,0,,a,1,0.1,0.2,,\n", motionfile.Options{}, []string{"f:1", "without --csv"}},
		{"row: no name", "1,0,,a,0.1,,\n1,0,,,0.1,,\n", motionfile.Options{}, []string{"f:2", "names no joint"}},
		{"row: nanoseconds", "1,0,,a,0.1,,\n1,1000000000,,a,0.1,,\n", motionfile.Options{}, []string{"f:2", "the stamp"}},
		{"row: other topic", "1,0,,a,0.1,,\nx,0,,a,0.1,,\n", motionfile.Options{}, []string{"f:2", "JointState"}},

		{"two topics", "__time,/a/j/position,/b/j/position\n1,2,3\n", motionfile.Options{}, []string{"f:1", "2 topics (/a, /b)", "export one"}},
		{"no positions", "__time,/a/x\n1,2\n", motionfile.Options{}, []string{"f:1", "TOPIC/JOINT/position"}},
		{"array without names", "__time,/a/position[0]\n1,2\n", motionfile.Options{}, []string{"f:1", "name them in their order"}},
		{"array with a hole", "__time,/a/position[0],/a/position[2]\n1,2,3\n", motionfile.Options{Joints: []string{"a", "b"}}, []string{"position[1]"}},
		{"array, other number", "__time,/a/position[0]\n1,2\n", motionfile.Options{Joints: []string{"a", "b"}}, []string{"1 positions of /a but 2 joints"}},
		{"arrays of two topics", "__time,/a/position[0],/b/position[1]\n1,2,3\n", motionfile.Options{Joints: []string{"a", "b"}}, []string{"several topics"}},
		{"no time in a row", "__time,/a/j/position\n,2\n", motionfile.Options{}, []string{"f:2", "__time", "not a time"}},
		{"text in a row", "__time,/a/j/position\n1,x\n", motionfile.Options{}, []string{"f:2", "/a/j/position", "\"x\""}},
		{"a joint that is not there", "__time,/a/j/position\n1,2\n", motionfile.Options{Joints: []string{"k"}}, []string{"f:1", "joint k", "among j"}},

		{"a joint in two columns", "time,a,b,a\n0,0,0,\n0.01,,0,0.04\n", motionfile.Options{Recording: true}, []string{"f:1", "joint a in the columns 2 and 4", "keep one"}},
		{"a joint in two series", "__time,/s/a/position,/s/a/position\n0,0,1\n1,0,1\n", motionfile.Options{}, []string{"f:1", "joint a in the columns 2 and 3"}},
		{"a chosen joint in two series", "__time,/s/a/position,/s/a/position\n0,0,1\n1,0,1\n", motionfile.Options{Joints: []string{"a"}}, []string{"f:1", "joint a in the columns 2 and 3"}},
		{"one name for two of an array", "__time,/s/position[0],/s/position[1]\n0,0,1\n1,0,1\n", motionfile.Options{Joints: []string{"a", "a"}}, []string{"f:1", "joint a in the columns 2 and 3"}},
		{"empty cell", "time,a,b\n0,1,2\n1,,2\n", motionfile.Options{}, []string{"f:3", "column a is empty", "fill it in", "recording"}},
		{"empty cell in the first row", "0,,1\n1,1,1\n", motionfile.Options{Joints: []string{"time", "a", "b"}}, []string{"f:1", "column a is empty"}},
		{"no header for a recording", "0,1\n1,1\n", motionfile.Options{Joints: []string{"time", "a"}, Recording: true}, []string{"no header"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			name := "f"
			if c.want == nil {
				name, c.want = "f#a", []string{"takes a selector"}
				c.want = []string{"only files of problems take a selector"}
			}
			_, err := motionfile.Parse(name, []byte(c.text), c.opts)
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q does not say %q", err, want)
				}
			}
		})
	}
}

// In a table that was measured an empty cell is no sample: its column goes straight between
// its own neighbours.
func TestMeasuredTable(t *testing.T) {
	const text = "time,a,b\n0,0,4\n1.0,,5\n2.0,2,6\n"
	loaded, err := motionfile.Parse("f", []byte(text), motionfile.Options{Recording: true, MaxGap: 3})
	if err != nil {
		t.Fatal(err)
	}
	if got := loaded[0].Motion.At(1); !slices.Equal(got, []float64{1, 5}) {
		t.Errorf("at 1 s %v, want 1, 5", got)
	}
	loaded, err = motionfile.Parse("f", []byte(text), motionfile.Options{Recording: true})
	if err != nil || len(loaded[0].Motion.Gaps) != 2 || loaded[0].Motion.Gaps[1].Kind != premise.RecordingGap {
		t.Errorf("%v, %v: want a gap, as 2 s is long", err, loaded[0].Motion.Gaps)
	}
}

// A time is read to the nanosecond, as float64 cannot at today's epoch.
func TestTimesToTheNanosecond(t *testing.T) {
	loaded, err := motionfile.Parse("f", []byte("__time,/j/a/position\n1700000000.000000001,0\n1700000000.000000002,1\n"), motionfile.Options{})
	if err != nil || loaded[0].Motion.Duration() != 1e-9 {
		t.Errorf("%v, %v", err, loaded)
	}
}

func TestJointStatesAsJSON(t *testing.T) {
	text := `{"header": {"stamp": {"sec": 1, "nanosec": 0}, "frame_id": ""}, "name": ["a"], "position": [0.5]}
{"header": {"stamp": {"sec": 1, "nanosec": 10000000}, "frame_id": ""}, "name": ["a"], "position": [null]}
{"header": {"stamp": {"sec": 1, "nanosec": 20000000}, "frame_id": ""}, "name": ["a"], "position": [0.7]}`
	loaded, err := motionfile.Parse("f", []byte(text), motionfile.Options{})
	if err != nil || len(loaded[0].Motion.Pieces) != 1 || loaded[0].Motion.Duration() != 0.02 {
		t.Errorf("%v, %+v", err, loaded)
	}
}

func TestGoals(t *testing.T) {
	goal, err := os.ReadFile("testdata/goal.yaml")
	if err != nil {
		t.Fatal(err)
	}
	wrapped := "goal_id: {uuid: [0]}\ngoal:\n  " + strings.ReplaceAll(string(goal), "\n", "\n  ")
	for name, text := range map[string]string{
		"goal": string(goal), "request": wrapped,
		"send_goal":         "{trajectory: {joint_names: [shoulder, elbow], points: [{positions: [0.1, 0.2], time_from_start: {sec: 1}}]}}",
		"ExecuteTrajectory": "{trajectory: {joint_trajectory: {joint_names: [shoulder, elbow], points: [{positions: [0.1, 0.2], time_from_start: {sec: 1}}]}}, controller_names: []}",
	} {
		loaded, err := motionfile.Parse("f", []byte(text), motionfile.Options{Start: map[string]float64{"shoulder": 0, "elbow": 0}})
		if err != nil || len(loaded) != 1 {
			t.Errorf("%s: %v", name, err)
			continue
		}
		l := loaded[0]
		if l.Motion.At(9)[1] != 0.2 || l.Interpolation != motion.JTC || !l.Motion.KeepTurns || l.Measured {
			t.Errorf("%s: %+v", name, l)
		}
		notes := strings.Join(l.Warnings, "\n")
		if tolerant := name == "goal" || name == "request"; tolerant != strings.Contains(notes, "add --tube shoulder=0.05") || tolerant != strings.Contains(notes, "no bound to how far the controller may be off the checked motion, of joints: elbow") {
			t.Errorf("%s: notes %q", name, notes)
		}
	}
	for text, want := range map[string]string{
		"{goal: {goal: {trajectory: {}}}}": "another goal",
		"{goal: {order: 3}}":               "is not a motion",
		"{goal: 3}":                        "goal is 3",
		"{trajectory: {joint_names: [a], points: [{positions: [1], time_from_start: 1}]}, path_tolerance: [{name: b, position: 1}]}": "\"b\"",
		"{trajectory: {joint_names: [a], points: [{positions: [1], time_from_start: 1}]}, path_tolerances: []}":                      "path_tolerances",
	} {
		if _, err := motionfile.Parse("f", []byte(text), motionfile.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// A text that is cut anywhere within its last message says nothing of that message, and what
// is missing is a gap; cut elsewhere, it is an error or shorter.
func TestRecordingsCutShort(t *testing.T) {
	for _, file := range []string{"echo.yaml", "echo_flow.yaml", "echo.csv", "plotjuggler.csv"} {
		data, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		whole, err := motionfile.Parse(file, data, motionfile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for n := len(data) - 1; n > len(data)-400; n-- {
			loaded, err := motionfile.Parse(file, data[:n], motionfile.Options{})
			if err != nil {
				continue
			}
			m := loaded[0].Motion
			for _, p := range m.Pieces {
				for j := range p.Ctrl {
					for i, at := range []float64{p.Start, p.End} {
						if want := whole[0].Motion.At(at)[j]; math.Abs(p.Ctrl[j][i]-want) > 1e-12 {
							t.Fatalf("%s, cut to %d bytes: joint %s is at %g at %g s, want %g", file, n, m.Joints[j], p.Ctrl[j][i], at, want)
						}
					}
				}
			}
			ends := strings.HasSuffix(file, ".yaml") && strings.HasSuffix(string(data[:n]), "---") || data[n-1] == '\n' && (strings.HasSuffix(file, ".csv") || strings.HasSuffix(string(data[:n]), "---\n"))
			if last := m.Gaps[len(m.Gaps)-1]; !ends && (last.Kind != premise.RecordingGap || last.Value != m.Duration() || !strings.Contains(last.Detail, "cut short")) {
				t.Fatalf("%s, cut to %d bytes: %v", file, n, m.Gaps)
			}
		}
	}
	loaded, err := motionfile.Parse("f", []byte("time,a\n0,0\n1,0.12"), motionfile.Options{})
	if err != nil || !slices.ContainsFunc(loaded[0].Warnings, func(w string) bool { return strings.Contains(w, "lost digits") }) {
		t.Errorf("%v, %v", err, loaded)
	}
}
