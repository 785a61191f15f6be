package check

import (
	"os"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/clitest"
)

// A motion of which a pair comes closer than --distance-range allows is undecided, whether its scopes are told apart
// or not, in text, on a line of several, and in JSON.
func TestCloserThanItsRangeIsNotFree(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"robot.urdf": `<robot name="r"><link name="base"><collision><origin xyz="0 0 2"/><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
<link name="slide"/><link name="ball"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<joint name="fixed" type="fixed"><parent link="base"/><child link="slide"/></joint>
<joint name="x" type="prismatic"><parent link="slide"/><child link="ball"/><axis xyz="1 0 0"/><limit lower="-3" upper="3" effort="1" velocity="10"/></joint></robot>`,
		"wall.yaml": "objects: [{id: wall, type: box, xyz: [1.2, 0, 0], size: [0.1, 1, 1]}]",
		"near.csv":  "time,x\n0,0\n1,1\n",   // 0.05 m from the wall at the end
		"far.csv":   "time,x\n0,0\n1,0.5\n", // 0.55 m
		"into.csv":  "time,x\n0,0\n1,1.5\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tc := range []struct {
		motion, limits, status string
		code                   int
		self, world            string // with --each-scope
	}{
		{"near.csv", "0.1:", "undecided", cli.ExitUndecided, "free", "undecided"},
		{"near.csv", "scene:0.1:1", "undecided", cli.ExitUndecided, "free", "undecided"},
		{"far.csv", "0.1:", "free", cli.ExitFree, "free", "free"},
		{"far.csv", "self:5:", "undecided", cli.ExitUndecided, "undecided", "free"},
		{"into.csv", "self:0.1:", "contact", cli.ExitContact, "free", "contact"},
		{"into.csv", "self:5:", "contact", cli.ExitContact, "undecided", "contact"},
	} {
		args := []string{"check", "-q", "--robot", "robot.urdf", "--scene", "wall.yaml", "--distance-range", tc.limits, tc.motion}
		if tc.motion != "into.csv" { // else either of the two ends the search
			code, out, errs := command(t, "", args...)
			if code != tc.code || !strings.HasPrefix(out, tc.motion+": "+strings.ToUpper(tc.status)) {
				t.Errorf("%s, %s: exit status %d: %s%s", tc.motion, tc.limits, code, out, errs)
			}
		}
		args = append(args, "--each-scope")
		code, out, errs := command(t, "", args...)
		if code != tc.code || !strings.HasPrefix(out, tc.motion+": "+strings.ToUpper(tc.status)) || strings.Count(out, tooClose) != strings.Count(tc.status+tc.self+tc.world, "undecided") {
			t.Errorf("%s, %s, each scope: exit status %d: %s%s", tc.motion, tc.limits, code, out, errs)
		}
		if code, out, _ := command(t, "", append(args, tc.motion)...); code != tc.code || strings.Contains(out, "FREE  ") != (tc.status == "free") {
			t.Errorf("%s, %s, twice: exit status %d: %s", tc.motion, tc.limits, code, out)
		}
		_, out, _ = command(t, "", append(args, "--json")...)
		r := clitest.Objects(t, out)[0]
		self, world := r["self"].(map[string]any), r["world"].(map[string]any)
		if r["status"] != tc.status || self["status"] != tc.self || world["status"] != tc.world {
			t.Errorf("%s, %s: %s", tc.motion, tc.limits, out)
		}
	}
}
