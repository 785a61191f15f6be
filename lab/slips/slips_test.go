package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
)

const shared = "../../../shared"

// program builds the command under test.
func program(t *testing.T) string {
	t.Helper()
	if _, err := os.Stat(shared); err != nil {
		t.Skip("needs ../shared: ", err)
	}
	path := filepath.Join(t.TempDir(), "firstcontact")
	if out, err := exec.Command("go", "build", "-C", "../..", "-buildvcs=false", "-o", path, "./cmd/firstcontact").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// TestSlips makes each slip in one of the bases where it can be made; FIRSTCONTACT_LONG=1 in
// all of them. None is answered FREE without a word.
func TestSlips(t *testing.T) {
	made := map[string]bool{}
	all := switches.Long.Set()
	turn := 0
	outcomes, err := campaign(program(t), shared, func(_, slip string) bool {
		turn++
		return all || !made[slip] && turn%3 != 0
	}, func(o outcome) { made[o.slip.name] = true })
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range outcomes {
		if o.verdict == silent {
			t.Errorf("%s: %s: FREE without a word", o.base, o.slip.name)
		}
	}
	if len(outcomes) < 90 {
		t.Errorf("%d slips were made", len(outcomes))
	}
	for _, v := range []string{refused, contact, unknown} {
		if !slices.ContainsFunc(outcomes, func(o outcome) bool { return o.verdict == v }) {
			t.Errorf("no outcome is %q", v)
		}
	}
}

// TestSilenceIsFound lets a program answer that says FREE to everything.
func TestSilenceIsFound(t *testing.T) {
	fake := filepath.Join(t.TempDir(), "firstcontact")
	if err := os.WriteFile(fake, []byte("#!/bin/sh\necho '{\"status\":\"free\",\"duration\":1}'\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	robot := t.TempDir()
	if err := os.WriteFile(filepath.Join(robot, "arm.urdf"), []byte(`<robot name="arm"><link name="a"/></robot>`), 0o644); err != nil {
		t.Fatal(err)
	}
	in := &input{
		robot: robot, urdf: "arm.urdf", scene: &scene{objects: []object{{id: "o", kind: "box", quat: unit}}},
		motion: line(asCSV, []string{"j"}, []float64{0}, []float64{1}),
	}
	c := &command{binary: fake, folder: t.TempDir()}
	said, err := c.ask(in)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range slips() {
		want := silent
		if s.cannot != "" {
			want = unknown
		}
		if got := judge(s, base{"arm", in, said}, said); got.verdict != want {
			t.Errorf("%s: %s", s.name, got.verdict)
		}
	}
}
