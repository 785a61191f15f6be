package lazyprm

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/scene"
)

func TestNewRefuses(t *testing.T) {
	c := past(t).Checker
	for _, x := range []struct {
		name        string
		joints      []string
		start, goal []float64
		want        string
	}{
		{"no joints", nil, nil, nil, "at least one"},
		{"too few positions", []string{"shoulder", "elbow"}, []float64{0}, []float64{0, 0}, "1 positions at the start"},
		{"a joint that is not there", []string{"wrist"}, []float64{0}, []float64{0}, "no joint wrist"},
		{"beyond a limit", []string{"elbow"}, []float64{0}, []float64{2.9}, "outside its limits -2.8 to 2.8"},
		{"not a number", []string{"elbow"}, []float64{math.NaN()}, []float64{0}, "NaN"},
	} {
		if _, err := New("p", c, x.joints, x.start, x.goal); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v", x.name, err)
		}
	}
	p, err := New("p", c, []string{"elbow"}, []float64{2.8 + 1e-9}, []float64{0})
	if err != nil || p.Limits[0].Hi != 2.8+1e-9 {
		t.Errorf("an end rounded beyond its limit: %+v, %v", p, err)
	}
}

// A continuous joint may turn once round; a step beyond half a turn is cut, so that it
// is not taken for the short way.
func TestContinuousJoints(t *testing.T) {
	p := made(t, "continuous", []float64{0, -3}, []float64{0, 3.5})
	if l := p.Limits[1]; l.Lo != -math.Pi || l.Hi != 3.5 {
		t.Errorf("limits %v", l)
	}
	path := p.Unambiguous([][]float64{p.Start, p.Goal, {1, 3.5}})
	if len(path) != 5 || path[0][1] != -3 || path[3][1] != 3.5 {
		t.Errorf("%v", path)
	}
	for i := 1; i < len(path); i++ {
		if d := math.Abs(path[i][1] - path[i-1][1]); d > 3 {
			t.Errorf("a step of %g", d)
		}
	}
	m, err := p.Motion(path)
	if err != nil || m.Duration() < 7.5-1e-9 || m.Duration() > 7.5+1e-9 { // 6.5 rad and 1 rad at 1 rad/s
		t.Errorf("%v s, %v", m.Duration(), err)
	}
}

// The long way round is tested where the numbers go the long way round: the arm unfolds
// into the sheet, where the short way it would stay folded.
func TestLongTurnsAreTested(t *testing.T) {
	p := made(t, "continuous", []float64{0, -3}, []float64{0, 3}, sheet())
	all := checkers(t, p)
	all["fixed"], all["fixedres"] = fixed(t, p, 0.1), fixedRes(t, p, 0.1)
	before, long := NewEdge([]float64{0.2, -3}, p.Start), NewEdge(p.Start, p.Goal)
	for name, checker := range all {
		if hit, err := checker.Test(context.Background(), []*Edge{before, long}); hit != 1 || err != nil {
			t.Errorf("%s: hit %d, %v", name, hit, err)
		}
		if hit, err := checker.Test(context.Background(), []*Edge{before}); hit != -1 || err != nil {
			t.Errorf("%s: before it: hit %d, %v", name, hit, err)
		}
		found, err := Plan(context.Background(), p, checker, Options{Milestones: 3000})
		if err != nil {
			t.Fatal(name, err)
		}
		if v := mustVerify(t, p, found.Path); v.Status != motion.Free && name != "fixed" && name != "fixedres" {
			t.Errorf("%s: %v", name, v.Status)
		}
	}
}

func TestFromProblem(t *testing.T) {
	problems, err := scene.ParseProblems("made.json", []byte(`{"joints": ["shoulder"], "sets": {"all": [
		{"index": 4, "start": [-1], "goal": [1], "other_joints": {"elbow": 2, "finger": 1, "shoulder": 0.5},
		 "objects": [{"id": "sheet", "type": "box", "xyz": [0.85, 0, 0], "quat_xyzw": [0, 0, 0, 1], "size": [0.5, 0.0005, 0.3]}]}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	p, err := FromProblem(past(t).Checker, &problems[0])
	if err != nil {
		t.Fatal(err)
	}
	if p.Name != "made.json#all/4" || len(p.Joints) != 1 || p.Checker.State()["elbow"] != 2 || len(p.Checker.World().Objects) != 1 {
		t.Errorf("%+v, state %v", p, p.Checker.State())
	}
	if state := StateOf(p.Checker.Robot(), &problems[0]); len(state) != 1 || state["elbow"] != 2 {
		t.Errorf("state %v", state)
	}
}
