package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
)

// The shell gets values that fit: of lists, of kinds of files, of the robot that is named.
func TestCompletion(t *testing.T) {
	robot, srdf := humanoid+"humanoid.urdf", humanoid+"humanoid.srdf"
	for _, tc := range []struct {
		args string
		want []string // among the answers
		bad  string   // not among them
	}{
		{"che", []string{"check"}, "pairs"},
		{"check --prof", []string{"--profile"}, "--robot"},
		{"check --method ", []string{"auto", "spacetime", "catch"}, "spheres"},
		{"distance --method ", []string{"auto", "spheres"}, "catch"},
		{"bench --method ", []string{"toc"}, "spheres"},
		{"check --accept ", []string{"unplaced-object"}, "left-out"},
		{"check --robot ", []string{"urdf", ":8"}, "srdf"},
		{"check --profile ", []string{"svg", "csv", ":8"}, "urdf"},
		{"check --clearance ", []string{":4"}, "svg"},
		{"check --robot ROBOT --tube ", []string{"left_elbow=", ":6"}, "left_hand="},
		{"check --robot ROBOT --srdf SRDF --state ", []string{"home", "left_elbow="}, "home="},
		{"check --robot ROBOT --allow ", []string{"left_hand:"}, "left_elbow:"},
		{"pairs --robot ROBOT --pair left_hand:", []string{"left_hand:torso"}, "torso"},
		{"spheres --robot ROBOT --link ", []string{"left_hand"}, "left_elbow"},
		{"distance --robot ROBOT --srdf SRDF --group ", []string{"whole_body"}, "torso"},
		{"check --robot nowhere.urdf --tube ", []string{":4"}, "left_elbow="},
	} {
		line := strings.NewReplacer("ROBOT", robot, "SRDF", srdf).Replace(tc.args)
		code, out, _ := command(t, "", append([]string{"__completeNoDesc"}, strings.Split(line, " ")...)...)
		got := strings.Fields(out)
		for _, want := range tc.want {
			if !slices.Contains(got, want) {
				t.Errorf("%q: no %q in %q (exit status %d)", tc.args, want, got, code)
			}
		}
		if slices.Contains(got, tc.bad) {
			t.Errorf("%q: %q is among %q", tc.args, tc.bad, got)
		}
	}
	for _, shell := range []string{"bash", "zsh", "fish"} {
		if code, out, errs := command(t, "", "completion", shell); code != cli.ExitFree || len(out) < 500 {
			t.Errorf("%s: exit status %d: %s", shell, code, errs)
		}
	}
	for name := range flagValues {
		if own, flag, ok := strings.Cut(name, " --"); ok {
			if flag == "" || own == "" {
				t.Errorf("%q is no flag of a command", name)
			}
			continue
		}
		if !slices.ContainsFunc(firstcontact.CommandLine().Commands(), func(c *cobra.Command) bool { return c.Flags().Lookup(name) != nil }) {
			t.Errorf("no command has --%s", name)
		}
	}
}
