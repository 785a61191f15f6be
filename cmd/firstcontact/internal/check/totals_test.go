package check

import (
	"bytes"
	"context"
	"testing"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/clitest"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/input"
)

// Behind the objects of several motions comes one of totals; a single motion has none.
func TestTotalsAreAnObject(t *testing.T) {
	free, between := humanoid+"trajectory_free.yaml", humanoid+"trajectory_between.yaml"
	code, out, _ := command(t, "", humanoidArgs("--json", free, between, "nowhere.csv", free)...)
	all := clitest.Objects(t, out)
	if code != cli.ExitBadInput || len(all) != 5 {
		t.Fatalf("exit status %d, %d objects", code, len(all))
	}
	o := all[4]
	for key, want := range map[string]any{
		"schema": "firstcontact/check-totals/1", "motions": 4.0, "free": 2.0, "contact": 1.0, "clearance": 0.0, "undecided": 0.0, "invalid": 1.0,
		"worst": "nowhere.csv", "exit_status": 4.0, "assumed_pairs": all[0]["assumed_pairs"], "motion": nil, "status": nil, "unchecked": nil,
	} {
		if o[key] != want {
			t.Errorf("%s is %v, want %v", key, o[key], want)
		}
	}
	sum := 0.0
	for _, one := range all[:4] {
		sum += one["compute_s"].(float64)
	}
	remarks := o["remarks"].([]any)
	if o["compute_s"] != sum || len(remarks) == 0 || remarks[0].(map[string]any)["motions"].(float64) < remarks[len(remarks)-1].(map[string]any)["motions"].(float64) {
		t.Errorf("computing time %v of %v, remarks %v", o["compute_s"], sum, remarks)
	}
	if _, out, _ := command(t, "", humanoidArgs("--json", free)...); len(clitest.Objects(t, out)) != 1 {
		t.Errorf("of one motion: %s", out)
	}
	if _, out, _ := command(t, "", "check", "-q", "--json", "--robot", "nowhere.urdf", free, free); len(clitest.Objects(t, out)) != 3 || clitest.Objects(t, out)[2]["invalid"] != 2.0 {
		t.Errorf("without a robot: %s", out)
	}
}

// Motions that were not begun are counted, and the exit status is that of an interrupt, in text
// as in JSON.
func TestTotalsOfAnInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	never := func() (*ccd.Checker, []string, error) { panic("it was begun") }
	for _, asJSON := range []bool{true, false} {
		f := Flags{json: asJSON, Jobs: 2}
		var out, errs bytes.Buffer
		_, err := f.checkAll(ctx, cli.Streams{Out: &out, Err: &errs}, []Job{{Task: input.Task{ID: "a", Checker: never}}, {Task: input.Task{ID: "b", Checker: never}}})
		if err == nil || err.Error() != "interrupted: 2 of 2 motions are not checked" {
			t.Errorf("JSON %v: %v", asJSON, err)
		}
		if !asJSON {
			continue
		}
		if o := clitest.Objects(t, out.String())[0]; o["unchecked"] != 2.0 || o["motions"] != 0.0 || o["exit_status"] != 130.0 || o["worst"] != nil {
			t.Errorf("totals %v", o)
		}
	}
}
