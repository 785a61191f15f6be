package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/lab/benchmaker"
	"github.com/firstcontact-ros/firstcontact/lab/oracle"
	"github.com/firstcontact-ros/firstcontact/lab/oracle/oracletest"
)

// shared holds the robots and problems where it is there; see -data.
const shared = "../../../../shared"

func start(t *testing.T) *oracle.Oracle {
	t.Helper()
	o := oracletest.Start(t)
	if err := o.Solid(true); err != nil {
		t.Fatal(err)
	}
	return o
}

func all(*benchmaker.Problem) bool { return true }

// A pendulum that lengthens: it meets the wall at sin(q) = 1/2 or its own stand
// at q = 2 rad, and its length follows other_joints.
func madeData(t *testing.T) string {
	t.Helper()
	data := t.TempDir()
	files := map[string]string{
		"robots/made/made.urdf": `<robot name="made"><link name="base"><collision><origin xyz="-0.4161468 0.9092974 0"/><geometry><sphere radius="0.05"/></geometry></collision></link>
<link name="rod"/><link name="bob"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<joint name="hinge" type="revolute"><parent link="base"/><child link="rod"/><axis xyz="0 0 1"/><limit lower="-4" upper="4" effort="1" velocity="1"/></joint>
<joint name="length" type="prismatic"><parent link="rod"/><child link="bob"/><axis xyz="1 0 0"/><limit lower="0" upper="4" effort="1" velocity="1"/></joint></robot>`,
		"robots/made/made.srdf": `<robot name="made"/>`,
		"scenes/motionbenchmaker/made.json": `{"urdf": "robots/made/made.urdf", "joints": ["hinge"], "sets": {"swing": [
{"index": 1, "start": [0], "goal": [1], "other_joints": {"length": 1, "lacking": 3}, "objects": [{"id": "wall", "type": "box", "xyz": [1.2, 1.6, 0], "quat_xyzw": [0, 0, 0, 1], "size": [2, 2, 4]}]},
{"index": 2, "start": [0], "goal": [1], "other_joints": {"length": 0.2}, "objects": [{"id": "wall", "type": "box", "xyz": [1.2, 1.6, 0], "quat_xyzw": [0, 0, 0, 1], "size": [2, 2, 4]}]},
{"index": 3, "start": [2], "goal": [3], "other_joints": {"length": 1}, "objects": [{"id": "pole", "type": "cylinder", "xyz": [-1, 0.2, 0], "quat_xyzw": [0, 0, 0, 1], "length": 3, "radius": 0.1}]}]}}`,
	}
	for name, text := range files {
		path := filepath.Join(data, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return data
}

func TestSegmentsOfMadeProblems(t *testing.T) {
	o := start(t)
	var out, log bytes.Buffer
	b := batch{oracle: o, data: madeData(t), keep: all, log: &log}
	b.judge = func(p *benchmaker.Problem) (tally, error) { return segments(o, &out, p, 1001) }
	if err := b.robot("made"); err != nil {
		t.Fatal(err)
	}
	// The wall: asin(0.5) = 0.5236. The pole's axis is R = sqrt(1.04) away at the
	// bearing 2.9442; the bob is 0.2 from it at an angle acos(1/R) = 0.1974 less,
	// the part 0.7468 of the way from 2 to 3.
	want := []string{
		"made swing 1  both hit 0.524000000 bob wall  world hit 0.524000000 bob wall  self free - - -",
		"made swing 2  both free - - -  world free - - -  self free - - -",
		"made swing 3  both hit 0.000000000 base bob  world hit 0.747000000 bob pole  self hit 0.000000000 base bob",
	}
	if got := strings.TrimSpace(out.String()); got != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
	if !strings.Contains(log.String(), "3 problems:    2 touch,    2 the world,    1 self") {
		t.Errorf("log %q", log.String())
	}
}

func TestEndsOfMadeProblems(t *testing.T) {
	o := start(t)
	var out bytes.Buffer
	b := batch{oracle: o, data: madeData(t), keep: all, log: io.Discard}
	b.judge = func(p *benchmaker.Problem) (tally, error) { return endPoints(o, &out, p) }
	if err := b.robot("made"); err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(out.String()) {
		words := strings.Fields(line)
		got = append(got, strings.Join(words[:len(words)-1], " "))
	}
	want := []string{
		"made swing 1 goal world bob wall",
		"made swing 3 start self base bob",
		"made swing 3 goal world bob pole",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestEarlierOfTwo(t *testing.T) {
	free := oracle.SegmentResult{}
	early, late := oracle.SegmentResult{Hit: true, Time: 0.1}, oracle.SegmentResult{Hit: true, Time: 0.2}
	for _, test := range []struct{ a, b, want oracle.SegmentResult }{
		{free, free, free}, {free, late, late}, {late, free, late}, {early, late, early}, {late, early, early},
	} {
		if got := earlier(test.a, test.b); got.Hit != test.want.Hit || got.Time != test.want.Time {
			t.Errorf("earlier(%+v, %+v) = %+v", test.a, test.b, got)
		}
	}
}

func TestChoiceIsFairAndSteady(t *testing.T) {
	picked := 0
	for i := range 10000 {
		p := &benchmaker.Problem{Robot: "r", Set: "s", Index: i}
		in := chosen(p, 1, 0.1)
		if in != chosen(p, 1, 0.1) {
			t.Fatal("the choice changes")
		}
		picked += count(in)
	}
	if picked < 900 || picked > 1100 {
		t.Errorf("picked %d of 10000 for a tenth", picked)
	}
}

func needShared(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(shared, "scenes", "motionbenchmaker")); err != nil {
		t.Skip("no problem files beside the repository")
	}
}

// No start and no goal of the real problems touches an obstacle, but for ten
// goals of Baxter, whose fingers our model holds where theirs stood elsewhere.
func TestRealStartsAndGoalsAreFree(t *testing.T) {
	needShared(t)
	o := start(t)
	touching := map[string]bool{}
	b := batch{oracle: o, data: shared, adjacent: true, keep: all, log: io.Discard}
	b.judge = func(p *benchmaker.Problem) (tally, error) {
		one, err := endPoints(o, io.Discard, p)
		if one.both > 0 {
			touching[fmt.Sprintf("%s %d: world %d self %d", p.Set, p.Index, one.world, one.self)] = true
		}
		return one, err
	}
	for _, robot := range []string{"panda", "ur5", "baxter"} {
		if err := b.robot(robot); err != nil {
			t.Fatal(err)
		}
	}
	known := map[string][]int{"easy": {35, 45, 65}, "medium": {33, 37, 41, 57, 62, 69, 93}}
	for level, indices := range known {
		for _, i := range indices {
			key := fmt.Sprintf("bookshelf_tall_both_arms_%s %d: world 1 self 0", level, i)
			if !touching[key] {
				t.Errorf("expected %s", key)
			}
			delete(touching, key)
		}
	}
	for key := range touching {
		t.Errorf("touches: %s", key)
	}
}

// The midpoints in collision that the collection's authors counted over the
// first 25 problems of each set with sampled surface points: a lower bound,
// reached where obstacles are not thinner than their spacing.
func TestRealMidpoints(t *testing.T) {
	needShared(t)
	o := start(t)
	atLeast := map[string]int{
		"panda bookshelf_small": 5, "panda bookshelf_thin": 8, "panda box": 22, "panda cage": 11, "panda table_pick": 3, "panda table_under_pick": 14,
		"ur5 bookshelf_small": 3, "ur5 bookshelf_thin": 2, "ur5 box": 1, "ur5 table_pick": 0, "ur5 table_under_pick": 15,
		"baxter bookshelf_tall_both_arms_easy": 9, "baxter bookshelf_tall_both_arms_medium": 10,
	}
	got := map[string]int{}
	b := batch{oracle: o, data: shared, keep: func(p *benchmaker.Problem) bool { return p.Index <= 25 }, log: io.Discard}
	b.judge = func(p *benchmaker.Problem) (tally, error) {
		middle := make([]float64, len(p.Start))
		for i := range middle {
			middle[i] = (p.Start[i] + p.Goal[i]) / 2
		}
		pairs, err := o.Pose(oracle.World, middle)
		got[p.Robot+" "+p.Set] += count(len(pairs) > 0)
		return tally{}, err
	}
	for _, robot := range []string{"panda", "ur5", "baxter"} {
		if err := b.robot(robot); err != nil {
			t.Fatal(err)
		}
	}
	exact := 0
	for set, want := range atLeast {
		if got[set] < want {
			t.Errorf("%s: %d midpoints touch, want at least %d", set, got[set], want)
		}
		exact += count(got[set] == want)
	}
	if exact < 10 {
		t.Errorf("only %d of %d sets give the same count: %v", exact, len(atLeast), got)
	}
}
