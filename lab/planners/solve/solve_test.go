package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/motionfile"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Links that touch at an end as they were built to are named, and may be allowed to.
func TestSolveAllows(t *testing.T) {
	dir := files(t)
	args := []string{"--robot", dir + "/arm.urdf", dir + "/arm.json#sheet/3"}
	if code, text, _ := solve(args...); code != exitUndecided || !strings.Contains(text, "at the start upper and finger touch") {
		t.Errorf("exit %d\n%s", code, text)
	}
	if code, text, errs := solve(append([]string{"--allow", "finger:upper"}, args...)...); code != exitFree {
		t.Errorf("exit %d\n%s%s", code, text, errs)
	}
}

// An arm of two links that stands before a thin sheet: it must fold to get past.
const arm = `<robot name="two"><link name="base"/>
<link name="upper"><collision><origin xyz="0.25 0 0"/><geometry><box size="0.5 0.04 0.04"/></geometry></collision></link>
<link name="fore"><collision><origin xyz="0.25 0 0"/><geometry><box size="0.5 0.04 0.04"/></geometry></collision></link>
<link name="finger"><collision><origin xyz="0.45 0 0"/><geometry><sphere radius="0.15"/></geometry></collision></link>
<joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
<joint name="elbow" type="revolute"><parent link="upper"/><child link="fore"/><origin xyz="0.5 0 0"/><axis xyz="0 0 1"/><limit lower="-2.8" upper="2.8" effort="1" velocity="1"/></joint>
<joint name="grip" type="prismatic"><parent link="fore"/><child link="finger"/><axis xyz="1 0 0"/><limit lower="0" upper="0.1" effort="1" velocity="1"/></joint>
</robot>`

const problems = `{"joints": ["shoulder", "elbow"], "sets": {"sheet": [
 {"index": 1, "start": [-1, 0], "goal": [1, 0], "other_joints": {"grip": 0.05, "head": 1},
  "objects": [{"id": "sheet", "type": "box", "xyz": [0.85, 0, 0], "quat_xyzw": [0, 0, 0, 1], "size": [0.5, 0.0005, 0.3]}]},
 {"index": 3, "start": [-1, 2.79], "goal": [1, 0], "other_joints": {"grip": 0.0},
  "objects": [{"id": "ball", "type": "sphere", "xyz": [0, 0, 2], "quat_xyzw": [0, 0, 0, 1], "radius": 0.1}]},
 {"index": 2, "start": [-1, 0], "goal": [0, 0], "other_joints": {},
  "objects": [{"id": "sheet", "type": "box", "xyz": [0.85, 0, 0], "quat_xyzw": [0, 0, 0, 1], "size": [0.5, 0.0005, 0.3]}]}]}}`

// files returns a folder with the arm and its problems.
func files(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"arm.urdf": arm, "arm.json": problems} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func solve(args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = run(context.Background(), args, &o, &e)
	return code, o.String(), e.String()
}

// What is written is read again as the path that was verified, the fingers included.
func TestSolveWritesWhatIsProved(t *testing.T) {
	dir := files(t)
	for _, checker := range []string{"engine", "bisect"} {
		out := filepath.Join(dir, checker)
		code, text, errs := solve("--robot", dir+"/arm.urdf", "--checker", checker, "--seeds", "3", "--out", out, dir+"/arm.json#sheet/1")
		if code != 0 || strings.Count(text, "proved free") != 3 || !strings.Contains(text, "3 of 3 found; 0 collide as planned, 0 as smoothed") {
			t.Fatalf("%s: exit %d\n%s%s", checker, code, text, errs)
		}
		verify(t, dir, filepath.Join(out, "sheet-1.csv"))
	}
}

func verify(t *testing.T, dir, file string) {
	t.Helper()
	loaded, err := motionfile.Load(file, motionfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	robot, err := urdf.Load(dir+"/arm.urdf", urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	world, err := scene.Load(dir+"/arm.json#sheet/1", scene.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := ccd.New(robot, world, ccd.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := loaded[0].Motion
	v, err := c.Check(context.Background(), m, motion.Query{})
	if err != nil || v.Status != motion.Free {
		t.Errorf("%s: %v, %v", file, v.Status, err)
	}
	first, last := m.At(0), m.At(m.Duration())
	for i, want := range []struct {
		name        string
		first, last float64
	}{{"shoulder", -1, 1}, {"elbow", 0, 0}, {"grip", 0.05, 0.05}} {
		if m.Joints[i] != want.name || first[i] != want.first || last[i] != want.last {
			t.Errorf("%s goes from %g to %g, want %v", m.Joints[i], first[i], last[i], want)
		}
	}
}

func TestSolveTellsCollisions(t *testing.T) {
	dir := files(t)
	code, text, _ := solve("--robot", dir+"/arm.urdf", "--checker", "fixed", "--resolution", "0.5", "--seeds", "5", dir+"/arm.json#sheet/1")
	if code != exitCollides || !strings.Contains(text, "collides: ") || !strings.Contains(text, " and sheet at ") {
		t.Errorf("exit %d\n%s", code, text)
	}
	code, text, _ = solve("--robot", dir+"/arm.urdf", dir+"/arm.json#sheet/2")
	if code != exitUndecided || !strings.Contains(text, "not found: at the goal fore and sheet touch") && !strings.Contains(text, "not found: at the goal finger and sheet touch") {
		t.Errorf("exit %d\n%s", code, text)
	}
	code, text, _ = solve("--robot", dir+"/arm.urdf", "--milestones", "2", "--smooth", "0", dir+"/arm.json#sheet/1")
	if code != exitUndecided || !strings.Contains(text, "milestones spent") {
		t.Errorf("exit %d\n%s", code, text)
	}
	code, text, _ = solve("--robot", dir+"/arm.urdf", "--timeout", "1ns", dir+"/arm.json#sheet/1")
	if code != exitUndecided || !strings.Contains(text, "time spent") {
		t.Errorf("exit %d\n%s", code, text)
	}
}

func TestSolveComparesResolutions(t *testing.T) {
	dir := files(t)
	code, text, errs := solve("--robot", dir+"/arm.urdf", "--reliable", "5", "--resolution", "0.5", dir+"/arm.json#sheet/1")
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if code != exitFree || len(lines) != 3 {
		t.Fatalf("exit %d\n%s%s", code, text, errs)
	}
	if row := strings.Fields(lines[2]); len(row) != 7 || row[1] >= "0.500000" || row[3] != "0" || row[5] != "0" || row[6] != "0" {
		t.Error(text)
	}
}

func TestSolveRefuses(t *testing.T) {
	dir := files(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "--robot"},
		{[]string{"--robot", dir + "/arm.urdf"}, "nothing to solve"},
		{[]string{"--robot", dir + "/none.urdf", dir + "/arm.json"}, "none.urdf"},
		{[]string{"--robot", dir + "/arm.urdf", dir + "/arm.json#none"}, "sheet"},
		{[]string{"--robot", dir + "/arm.urdf", "--checker", "hope", dir + "/arm.json"}, "no checker"},
		{[]string{"--robot", dir + "/arm.urdf", "--checker", "fixed", "--resolution", "0", dir + "/arm.json"}, "resolution"},
		{[]string{"--robot", dir + "/arm.urdf", "--clearance", "-1", dir + "/arm.json"}, "clearance"},
		{[]string{"--robot", dir + "/arm.urdf", "--allow", "fore:sheet", dir + "/arm.json"}, "neither a link"},
		{[]string{"--robot", dir + "/arm.urdf", "--allow", "sheet", dir + "/arm.json"}, "A:B"},
		{[]string{"--robot", dir + "/arm.urdf", "--checker", "fixed", "--reliable", "3", dir + "/arm.json"}, "--reliable"},
		{[]string{"--rebot", dir + "/arm.urdf", dir + "/arm.json"}, "not defined: -rebot"},
		{[]string{"--robot", dir + "/arm.urdf", "--seeds", "0", dir + "/arm.json"}, "--seeds"},
	} {
		if code, _, errs := solve(c.args...); code != exitBad || !strings.Contains(errs, c.want) {
			t.Errorf("%v: exit %d\n%s", c.args, code, errs)
		}
	}
	if code, out, errs := solve("--help"); code != 0 || !strings.Contains(out, "Examples:") || !strings.Contains(out, "-resolution") || errs != "" {
		t.Errorf("--help: exit %d\n%s%s", code, out, errs)
	}
}
