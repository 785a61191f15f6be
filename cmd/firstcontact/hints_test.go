package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
)

// A name that nobody knows comes with the one that was probably meant.
func TestDidYouMean(t *testing.T) {
	free := humanoid + "trajectory_free.yaml"
	sets := filepath.Join(t.TempDir(), "sets.json")
	problems := `{"robot": "humanoid", "group": "arm", "joints": ["left_elbow"], "sets": {"bookshelf": [{"start": [0], "goal": [0.1], "scene": []}]}}`
	if err := os.WriteFile(sets, []byte(problems), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ meant, args string }{
		{"check", "chekc FREE"},
		{"version", "versoin"},
		{"--clearance", "check --robot R --clearence 1 FREE"},
		{"--picture", "pairs --robot R --pictur x.svg"},
		{"humanoid.urdf", "check --robot DIR/humanoid.udrf FREE"},
		{"obstacles.yaml", "check --robot R --scene DIR/obstcles.yaml FREE"},
		{"humanoid.srdf", "check --robot R --srdf DIR/humanoid.sdrf FREE"},
		{"trajectory_free.yaml", "check --robot R DIR/trajectory_fre.yaml"},
		{"left_elbow", "check --robot R --tube left_elbov=0.1 FREE"},
		{"left_elbow", "check --robot R --state left_elbov=0.1 FREE"},
		{"home", "check --robot R --srdf S --state hmoe FREE"},
		{"left_hand", "check --robot R --allow left_hnad:torso FREE"},
		{"left_hand", "check --robot R --distance-range left_hnad:torso:0.1:1 FREE"},
		{"post", "check --robot R --scene DIR/obstacles.yaml --allow left_hand:psot FREE"},
		{"unplaced-object", "check --robot R --accept unplaced-objct FREE"},
		{"unplaced-object", "distance --robot R --accept unplaced-objct:box"},
		{"spacetime", "check --robot R --method spacetme FREE"},
		{"spheres", "distance --robot R --method sphres"},
		{"left_hand", "distance --robot R --margin left_hnad:torso:0.1"},
		{"left_hand", "pairs --robot R --pair left_hnad:torso"},
		{"left_hand", "spheres --robot R --link left_hnad"},
		{"toc", "bench CRANE.scene CRANE.segs --method tco"},
		{"bookshelf", "check --robot R SETS#bokshelf"},
		{"bookshelf", "distance --robot R --scene SETS#bokshelf/0"},
	} {
		args := strings.NewReplacer("FREE", free, " R ", " "+humanoid+"humanoid.urdf ", " S ", " "+humanoid+"humanoid.srdf ", "DIR/", humanoid, "SETS", sets,
			"CRANE.scene", crane, "CRANE.segs", craneSegs).Replace(tc.args + " ")
		code, out, errs := command(t, "", strings.Fields(args)...)
		if code != cli.ExitUsage && code != cli.ExitBadInput || !strings.Contains(out+errs, fmt.Sprintf(" (did you mean %q?)", tc.meant)) {
			t.Errorf("%s: exit status %d: %s%s", tc.args, code, out, errs)
		}
	}
}

// An error in the command line names the help of the command that was typed, also where several commands share the flag.
func TestUsageErrorsNameTheirCommand(t *testing.T) {
	free := humanoid + "trajectory_free.yaml"
	for name, motions := range map[string][]string{"check": {free}, "render": {free}, "distance": nil, "pairs": nil, "spheres": nil} {
		line := append([]string{name, "--robot", humanoid + "humanoid.urdf", "--cache", t.TempDir(), "--no-cache"}, motions...)
		code, _, errs := command(t, "", line...)
		if want := "\nTry 'firstcontact " + name + " --help'.\n"; code != cli.ExitUsage || !strings.HasSuffix(errs, want) {
			t.Errorf("%s: exit status %d: %s", name, code, errs)
		}
	}
}
