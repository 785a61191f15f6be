package check

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/verdict"
)

// passerURDF is a ball that slides past a block of the robot's first link: they touch
// where the ball is at x = 0.4.
const passerURDF = `<robot name="passer">
<link name="block"><collision><origin xyz="0.6 0 0"/><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
<link name="carriage"/>
<link name="ball"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<joint name="y" type="prismatic"><parent link="block"/><child link="carriage"/><axis xyz="0 1 0"/><limit lower="-5" upper="5" effort="1" velocity="1"/></joint>
<joint name="x" type="prismatic"><parent link="carriage"/><child link="ball"/><axis xyz="1 0 0"/><limit lower="-5" upper="5" effort="1" velocity="1"/></joint>
</robot>`

// A motion that hits the robot itself at 0.3 s and the world at 0.7 s: the command tells
// both, in text and in JSON.
func TestCheckTellsEachScope(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	robot := file("passer.urdf", passerURDF)
	wall := `objects:
- {id: wall, type: box, size: [0.02, 0.1, 1], xyz: [1.31, 0, 0]}
- {id: floor, type: box, size: [0.1, 0.1, 0.1], xyz: [0.8, 3, 0]}
`
	scene := file("wall.yaml", wall)
	path := file("path.csv", "time,x\n0,-0.2\n1,1.8\n")
	args := []string{"check", "-q", "--robot", robot, "--scene", scene, "--allow", "block:wall", "--each-scope", "--contacts", "4"}
	code, out, errs := command(t, "", append(args, path)...)
	if code != cli.ExitContact {
		t.Fatalf("exit status %d\n%s%s", code, out, errs)
	}
	for _, says := range []string{"CONTACT self: block and ball at 0.3", "self: CONTACT, block and ball at 0.3", "world: CONTACT, ball and wall at 0.7"} {
		if !strings.Contains(out, says) {
			t.Errorf("nothing says %q in\n%s", says, out)
		}
	}
	code, out, errs = command(t, "", append(args, "--json", path)...)
	var got struct {
		Status      string
		Self, World struct {
			Status string
			TOC    [2]float64
			Pair   [2]string
		}
		Contacts     []verdict.Contact
		MoreContacts bool `json:"more_contacts"`
	}
	if err := json.Unmarshal([]byte(out), &got); code != cli.ExitContact || err != nil {
		t.Fatalf("exit status %d, %v\n%s%s", code, err, out, errs)
	}
	if got.Self.Status != "contact" || math.Abs(got.Self.TOC[1]-0.3) > 2e-6 || got.World.Status != "contact" || math.Abs(got.World.TOC[1]-0.7) > 2e-6 {
		t.Errorf("%s", out)
	}
	if len(got.Contacts) != 1 || got.MoreContacts || got.Contacts[0].Scope != "self" || got.Contacts[0].Pair != [2]string{"block", "ball"} {
		t.Errorf("contacts %+v in\n%s", got.Contacts, out)
	}
	code, out, _ = command(t, "", append(args, "--no-self", "--min-clearance", path)...)
	if code != cli.ExitContact || !strings.Contains(out, "self: no pair to check") || !strings.Contains(out, "world: CONTACT, ball and wall") {
		t.Errorf("without self: exit status %d\n%s", code, out)
	}
	code, out, _ = command(t, "", append(args, "--clearance", "0.05", path)...)
	if code != cli.ExitContact || !strings.Contains(out, "self: CONTACT") || !strings.Contains(out, "world: CONTACT") {
		t.Errorf("with a clearance: exit status %d\n%s", code, out)
	}
	short := file("short.csv", fmt.Sprintf("time,x\n0,-0.2\n1,%g\n", 0.37))
	code, out, _ = command(t, "", append(args, "--clearance", "0.05", short)...)
	if code != cli.ExitClearance || !strings.Contains(out, "self: CLEARANCE, block and ball") || !strings.Contains(out, "world: FREE, proved for all of 1 s") {
		t.Errorf("within the clearance: exit status %d\n%s", code, out)
	}
	if code, _, errs = command(t, "", append(args[:len(args)-1], "-1", path)...); code != cli.ExitUsage || !strings.Contains(errs, "--contacts -1") {
		t.Errorf("a negative number: exit status %d, %s", code, errs)
	}
}
