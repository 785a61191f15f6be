package check

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/answer"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
)

// Degrees are called degrees: with the joint, the number, its limits and the remedy; and no
// note speaks of half a turn of a joint that has limits.
func TestDegreesAreNamed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "wave.csv")
	if err := os.WriteFile(file, []byte("time,right_elbow,right_shoulder_pitch\n0,0,0\n1,-90,-45\n2,-60,-20\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, errs := command(t, "", humanoidArgs(file)...)
	if code == cli.ExitFree || strings.Contains(out+errs, "half a turn") {
		t.Errorf("exit status %d: %s%s", code, out, errs)
	}
	for _, want := range []string{"values look like degrees: joint right_elbow goes to -90, its limits are -2.3 and 0 rad", "multiply by pi/180", "implausible:degrees"} {
		if !strings.Contains(out, want) {
			t.Errorf("it lacks %q: %s", want, out)
		}
	}
	_, out, _ = command(t, "", append(humanoidArgs(file), "--json")...)
	var r struct {
		Warnings []answer.Warning `json:"warnings"`
	}
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	for _, w := range r.Warnings {
		if w.Name == "degrees" && w.Gap && w.Value != nil && *w.Value == 90 && w.Remedy != "" {
			return
		}
	}
	t.Errorf("no warning speaks of degrees: %+v", r.Warnings)
}

// A finding that is no gap leaves the verdict as it is and is printed once.
func TestWarningsAreSaid(t *testing.T) {
	file := filepath.Join(t.TempDir(), "wave.csv")
	if err := os.WriteFile(file, []byte("time,right_elbow\n0,-0.1\n1,-0.2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, errs := command(t, "", humanoidArgs(file)...)
	if code != cli.ExitFree || strings.Count(out+errs, "few-joints") != 1 || !strings.Contains(out, "warning: few-joints: the motion names 1 of the robot's ") {
		t.Errorf("exit status %d: %s%s", code, out, errs)
	}
}
