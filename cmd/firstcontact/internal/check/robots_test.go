package check

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
)

// Two gantries carry cubes of 0.2 m along the line between them: they meet when
// their middles are 0.2 m apart.
func TestTwoRobots(t *testing.T) {
	two := []string{"--robot", "left=" + gantry, "--robot", "right=" + gantry, "--place", "right=2,0,0,0,0,3.141592653589793"}
	code, out, errs := command(t, "time,left/x,right/x\n0,0,0\n1,1.5,0.5\n", append([]string{"check", "--json", "-"}, two...)...)
	if code != cli.ExitContact {
		t.Fatalf("exit status %d\n%s%s", code, out, errs)
	}
	var r struct {
		TOC  []float64
		Pair []string
	}
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	if len(r.TOC) != 2 || math.Abs(r.TOC[1]-0.9) > 1e-5 {
		t.Errorf("contact in %v, want 0.9\n%s", r.TOC, out)
	}
	if !strings.Contains(out, "left/load") || !strings.Contains(out, "right/load") {
		t.Errorf("the pair is not told:\n%s", out)
	}
	code, out, errs = command(t, "time,left/x,right/x,right/z\n0,0,0,0.3\n1,1.5,0.5,0.3\n", append([]string{"check", "-"}, two...)...)
	if code != cli.ExitFree {
		t.Errorf("one above the other: exit status %d\n%s%s", code, out, errs)
	}
	code, out, errs = command(t, "", append([]string{"distance", "--state", "left/x=1"}, two...)...)
	if code != cli.ExitFree || !strings.Contains(out, "0.8") && !strings.Contains(out, "800") {
		t.Errorf("exit status %d\n%s%s", code, out, errs)
	}
	cell := []string{"--robot", "a=" + humanoid + "humanoid.urdf", "--srdf", "a=" + humanoid + "humanoid.srdf", "--robot", "b=" + gantry, "--place", "b=0,5,0"}
	code, out, errs = command(t, "time,b/x\n0,0\n1,1\n", append([]string{"check", "-"}, cell...)...)
	if code != cli.ExitFree || !strings.Contains(errs, "note: a: links without collision") {
		t.Errorf("exit status %d\n%s%s", code, out, errs)
	}
}

func TestRobotFlags(t *testing.T) {
	named := []string{"--robot", "a=" + gantry, "--robot", "b=" + gantry}
	for _, tc := range []struct {
		name string
		args []string
		want int
		says string
	}{
		{"two without names", []string{"--robot", gantry, "--robot", gantry}, cli.ExitUsage, "NAME=FILE"},
		{"one without a name", []string{"--robot", "a=" + gantry, "--robot", gantry}, cli.ExitUsage, "NAME=FILE"},
		{"one name twice", []string{"--robot", "a=" + gantry, "--robot", "a=" + gantry}, cli.ExitUsage, "two robots are named a"},
		{"bad name", []string{"--robot", "a:b=" + gantry}, cli.ExitBadInput, "'_', '-' and '.'"},
		{"missing file", []string{"--robot", "a=nowhere.urdf"}, cli.ExitBadInput, "robot a: urdf: open nowhere.urdf"},
		{"no file", []string{"--robot", "a="}, cli.ExitUsage, "the name of the file is empty"},
		{"no SRDF", append(named, "--srdf", "a="), cli.ExitUsage, "the name of the file is empty"},
		{"SRDF without a name", append(named, "--srdf", "x.srdf"), cli.ExitUsage, "name the robot"},
		{"SRDF of nobody", append(named, "--srdf", "c=x.srdf"), cli.ExitUsage, "there is no robot c"},
		{"two SRDFs", append(named, "--srdf", "a=x.srdf", "--srdf", "a=y.srdf"), cli.ExitUsage, "an SRDF already"},
		{"place of nobody", append(named, "--place", "c=0,0,0"), cli.ExitUsage, "there is no robot c"},
		{"two places", append(named, "--place", "a=0,0,0", "--place", "a=1,0,0"), cli.ExitUsage, "a place already"},
		{"place without a name", []string{"--robot", gantry, "--place", "0,0,0"}, cli.ExitUsage, "give NAME=x,y,z"},
		{"half a place", append(named, "--place", "a=0,0,0,1"), cli.ExitUsage, "give NAME=x,y,z"},
		{"place of no number", append(named, "--place", "a=0,0,nan"), cli.ExitUsage, "not a finite number"},
		{"a path with a = in it", []string{"--robot", "./a=b.urdf"}, cli.ExitBadInput, "open ./a=b.urdf"},
	} {
		code, out, errs := command(t, "time,a/x\n0,0\n1,1\n", append([]string{"check", "-"}, tc.args...)...)
		if code != tc.want || !strings.Contains(errs, tc.says) {
			t.Errorf("%s: exit status %d, want %d and %q\n%s%s", tc.name, code, tc.want, tc.says, out, errs)
		}
	}
}
