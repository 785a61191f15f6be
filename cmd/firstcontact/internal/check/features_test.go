package check

import (
	"encoding/json"
	"strings"
	"testing"
)

// A contact says what meets, to people and to programs.
func TestContactNamesFeatures(t *testing.T) {
	between := humanoid + "trajectory_between.yaml"
	if _, out, _ := command(t, "", humanoidArgs(between)...); !strings.Contains(out, "of left_hand against side of post") {
		t.Errorf("nothing of what meets: %s", out)
	}
	_, out, _ := command(t, "", humanoidArgs("--json", between)...)
	var r struct {
		Witness struct{ Features []string }
	}
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	if f := r.Witness.Features; len(f) != 2 || !strings.HasPrefix(f[0], "edge ") || f[1] != "side" {
		t.Errorf("features %q", f)
	}
}

func TestDistanceNamesFeatures(t *testing.T) {
	_, out, errs := command(t, "", "distance", "-q", "--robot", humanoid+"humanoid.urdf", "--srdf", humanoid+"humanoid.srdf", "--top", "3")
	if !strings.Contains(out, "_shank (element 1) against face +z of") {
		t.Errorf("nothing of what is close: %s%s", out, errs)
	}
}
