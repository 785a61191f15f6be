package distance

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
)

var aboutHumanoid = []string{
	"distance", "-q", "--robot", humanoid + "humanoid.urdf", "--srdf", humanoid + "humanoid.srdf", "--scene", humanoid + "obstacles.yaml",
}

func distanceOf(t *testing.T, want int, args ...string) map[string]any {
	t.Helper()
	code, out, errs := command(t, "", append(append([]string(nil), aboutHumanoid...), append(args, "--json")...)...)
	if code != want {
		t.Fatalf("%v: exit status %d, want %d\n%s%s", args, code, want, out, errs)
	}
	var d map[string]any
	if err := json.Unmarshal([]byte(out), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestDistanceClasses(t *testing.T) {
	all := distanceOf(t, cli.ExitFree, "--all")
	pairs := all["pairs"].([]any)
	if len(pairs) < 100 || all["self"] == nil || all["world"] == nil || all["attached"] != nil {
		t.Fatalf("%d pairs: %v", len(pairs), all["self"])
	}
	count := map[string]int{}
	for _, p := range pairs {
		count[p.(map[string]any)["scope"].(string)]++
	}
	for class, scope := range map[string]string{"self": "self", "scene": "world"} {
		d := distanceOf(t, cli.ExitFree, "--all", "--class", class)
		if n := len(d["pairs"].([]any)); n != count[scope] || n == 0 {
			t.Errorf("%s: %d pairs, want %d", class, n, count[scope])
		}
	}
	if d := distanceOf(t, cli.ExitBadInput, "--class", "attached"); d["status"] != "invalid" || !strings.Contains(d["message"].(string), "nothing is attached") {
		t.Errorf("nothing is attached: %v", d)
	}
	arm := distanceOf(t, cli.ExitFree, "--all", "--group", "right_arm")
	if n := len(arm["pairs"].([]any)); n == 0 || n >= len(pairs) || arm["group"] != "right_arm" {
		t.Errorf("%d pairs of the arm: %v", n, arm["group"])
	}
	if d := distanceOf(t, cli.ExitFree, "--max", "0.1"); len(d["pairs"].([]any)) != 5 || d["world"] != nil {
		t.Errorf("up to 0.1 m: %v", d)
	}
}

// With a margin, the first pair that is too close is printed.
func TestDistanceMargins(t *testing.T) {
	d := distanceOf(t, cli.ExitClearance, "--all", "--margin", "head:torso:0.07")
	p := d["pairs"].([]any)[0].(map[string]any)
	if d["stopped"] != true || len(d["pairs"].([]any)) != 1 || p["upper"].(float64) > 0.07 {
		t.Errorf("%v", d)
	}
	if d := distanceOf(t, cli.ExitFree, "--margin", "torso:head:0.05"); d["stopped"] != false {
		t.Errorf("%v", d)
	}
	if d := distanceOf(t, cli.ExitClearance, "--min", "0.1"); d["stopped"] != true {
		t.Errorf("%v", d)
	}
	if d := distanceOf(t, cli.ExitClearance, "--min", "0.2", "--class", "scene", "--top", "1"); d["stopped"] != true {
		t.Errorf("%v", d) // whatever was not looked at, nothing is known to touch
	}
}

func TestDistanceGroupsAndFrames(t *testing.T) {
	code, out, errs := command(t, "", append(aboutHumanoid[:len(aboutHumanoid):len(aboutHumanoid)], "--groups")...)
	if code != cli.ExitFree || strings.Count(out, "\n") != 11 || !strings.Contains(out, "\nFREE, exit status 0\n") || !strings.Contains(out, "right_arm ") {
		t.Errorf("exit status %d\n%s%s", code, out, errs)
	}
	_, inWorld, _ := command(t, "", append(aboutHumanoid[:len(aboutHumanoid):len(aboutHumanoid)], "--top", "1")...)
	_, onLink, _ := command(t, "", append(aboutHumanoid[:len(aboutHumanoid):len(aboutHumanoid)], "--top", "1", "--frame", "link")...)
	if !strings.Contains(inWorld, "from (m, world)") || !strings.Contains(onLink, "from (m, link)") || inWorld == onLink {
		t.Errorf("%s%s", inWorld, onLink)
	}
	p := distanceOf(t, cli.ExitFree, "--top", "1", "--alpha", "0.2")["pairs"].([]any)[0].(map[string]any)
	if lower, upper := p["lower"].(float64), p["upper"].(float64); !(lower <= upper) || upper-lower > 0.2*upper || math.Abs(upper-0.0542) > 0.02 {
		t.Errorf("%g to %g", lower, upper)
	}
	if p["on_a"] == nil || p["on_b"] == nil {
		t.Errorf("%v", p)
	}
}

func TestDistanceUsage(t *testing.T) {
	for _, args := range [][]string{
		{"--alpha", "1"},
		{"--alpha", "NaN"},
		{"--max", "-1"},
		{"--min", "2", "--max", "1"},
		{"--class", "robots"},
		{"--margin", "head:torso"},
		{"--margin", "head:torso:x"},
		{"--margin", "head:torso:-1"},
		{"--margin", "0.1"},
		{"--frame", "tool"},
		{"--method", "cubes"},
		{"--groups", "--group", "right_arm"},
		{"--no-self", "--no-world"},
		{"--top", "0"},
	} {
		if code, out, errs := command(t, "", append(append([]string(nil), aboutHumanoid...), args...)...); code != cli.ExitUsage || out != "" {
			t.Errorf("%v: exit status %d\n%s%s", args, code, out, errs)
		}
	}
	for _, args := range [][]string{{"--group", "wings"}, {"--margin", "head:wing:0.1"}, {"--margin", "head:head:0.1"}} {
		code, _, errs := command(t, "", append(append([]string(nil), aboutHumanoid...), args...)...)
		if code != cli.ExitBadInput || !strings.Contains(errs, "wing") && !strings.Contains(errs, "two bodies") {
			t.Errorf("%v: exit status %d\n%s", args, code, errs)
		}
	}
}

// Bodies that overlap touch, at a point that both have.
func TestDistanceOfTouching(t *testing.T) {
	scene := filepath.Join(t.TempDir(), "scene.yaml")
	text := "objects:\n  - {id: block, type: box, size: [0.4, 0.4, 0.4], xyz: [0, 0, 0.3]}\n"
	if err := os.WriteFile(scene, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, errs := command(t, "", "distance", "-q", "--robot", humanoid+"humanoid.urdf", "--srdf", humanoid+"humanoid.srdf", "--scene", scene, "--top", "1")
	if code != cli.ExitContact || !strings.Contains(out, "touch") || !strings.Contains(out, ", block") {
		t.Errorf("exit status %d\n%s%s", code, out, errs)
	}
}

// Whichever method measures the robot's own pairs, the answer is the same.
func TestDistanceMethods(t *testing.T) {
	race.LeaveOut(t)
	for _, args := range [][]string{{"--all"}, {"--top", "1"}, {"--max", "0.1"}, {"--group", "right_arm"}} {
		want := distanceOf(t, cli.ExitFree, append(args, "--method", "spacetime")...)
		for _, method := range []string{"auto", "spheres"} {
			got := distanceOf(t, cli.ExitFree, append(args, "--method", method)...)
			a, b := want["pairs"].([]any), got["pairs"].([]any)
			if len(a) != len(b) || len(a) == 0 {
				t.Fatalf("%v, %s: %d pairs, want %d", args, method, len(b), len(a))
			}
			for i := range a {
				x, y := a[i].(map[string]any)["distance"].(float64), b[i].(map[string]any)["distance"].(float64)
				if math.Abs(x-y) > 1e-9 {
					t.Errorf("%v, %s: pair %d is %g apart, want %g", args, method, i, y, x)
				}
			}
		}
	}
	code, _, errs := command(t, "", "distance", "--robot", humanoid+"humanoid.urdf", "--srdf", humanoid+"humanoid.srdf", "--method", "spheres")
	if code != cli.ExitFree || !strings.Contains(errs, "hulls of ranges of motion") {
		t.Errorf("exit status %d\n%s", code, errs)
	}
}

// Without a pair to measure there is no distance, and no status that says that nothing touches.
func TestDistanceOfNothing(t *testing.T) {
	for _, args := range [][]string{
		{"--robot", gantry},
		{"--robot", humanoid + "humanoid.urdf", "--class", "scene"},
		{"--robot", humanoid + "humanoid.urdf", "--no-self"},
	} {
		code, out, errs := command(t, "", append([]string{"distance", "-q"}, args...)...)
		if code != cli.ExitBadInput || out != "" || !strings.Contains(errs, "no pair of bodies is left to measure") {
			t.Errorf("%v: exit status %d\n%s%s", args, code, out, errs)
		}
	}
}

// Joints beyond their limits are told, with the limit, followers included.
func TestDistanceBeyondLimits(t *testing.T) {
	robot := filepath.Join(t.TempDir(), "robot.urdf")
	err := os.WriteFile(robot, []byte(`<robot name="r">
		<link name="a"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
		<link name="b"/><link name="c"><collision><origin xyz="9 0 0"/><geometry><sphere radius="0.1"/></geometry></collision></link>
		<joint name="lead" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/><limit lower="-1" upper="2" effort="1" velocity="1"/></joint>
		<joint name="follow" type="revolute"><parent link="b"/><child link="c"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/><mimic joint="lead" multiplier="-2"/></joint>
		</robot>`), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	for state, want := range map[string][]string{
		"lead=0.5": nil,
		"lead=1":   {"follow at -2, 1 beyond its limit -1"},
		"lead=2.5": {"lead at 2.5, 0.5 beyond its limit 2", "follow at -5, 4 beyond its limit -1"},
	} {
		_, out, errs := command(t, "", "distance", "-q", "--robot", robot, "--state", state)
		if n := strings.Count(out, "beyond its limits, measured as given: "); n != len(want) {
			t.Errorf("%s: %d joints\n%s%s", state, n, out, errs)
		}
		for _, line := range want {
			if !strings.Contains(out, line) {
				t.Errorf("%s: nothing says %q in\n%s", state, line, out)
			}
		}
		_, out, _ = command(t, "", "distance", "-q", "--json", "--robot", robot, "--state", state)
		if n := strings.Count(out, `"position":`); n != len(want) {
			t.Errorf("%s: %s", state, out)
		}
	}
}
