package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/answer"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/clitest"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// validators compiles the schemas, those that users get and strict ones without other keys, with
// a library that shares no code with the one that makes them.
func validators(t *testing.T) map[string][]*jsonschema.Schema {
	t.Helper()
	all := map[string][]*jsonschema.Schema{}
	c := readComments(t)
	for _, o := range allObjects {
		strict, err := json.Marshal(schemaOf(c, o, true))
		if err != nil {
			t.Fatal(err)
		}
		published, err := schemas.ReadFile(schemaFile(o.name))
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range [][]byte{published, strict} {
			doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			compiler := jsonschema.NewCompiler()
			if err := compiler.AddResource("mem:"+o.name, doc); err != nil {
				t.Fatal(err)
			}
			s, err := compiler.Compile("mem:" + o.name)
			if err != nil {
				t.Fatal(err)
			}
			all[answer.SchemaName(o.name)] = append(all[answer.SchemaName(o.name)], s)
		}
	}
	return all
}

// jsonRuns are command lines that print every kind of object, in many forms.
func jsonRuns(t *testing.T) [][]string {
	free, between, wave := humanoid+"trajectory_free.yaml", humanoid+"trajectory_between.yaml", humanoid+"wave.csv"
	robot, srdf, scene := humanoid+"humanoid.urdf", humanoid+"humanoid.srdf", humanoid+"obstacles.yaml"
	dir := t.TempDir()
	cert, spheres := filepath.Join(dir, "free.cert"), filepath.Join(dir, "spheres.yaml")
	const corpora = "../../testdata/corpus/"
	file := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	folded := clitest.Folding(t, clitest.Metre)
	const lateElbow = "joint_names: [left_elbow]\npoints: [{positions: [-0.1], time_from_start: 2}, {positions: [-0.2], time_from_start: 3}]\n"
	check := func(more ...string) []string { return humanoidArgs(append([]string{"--json"}, more...)...) }
	distance := func(more ...string) []string {
		return append([]string{"distance", "-q", "--robot", robot, "--srdf", srdf, "--scene", scene}, append(more, "--json")...)
	}
	return [][]string{
		check("--min-clearance", "--certificate", cert, "--profile", filepath.Join(dir, "p.csv"), free),
		check("--each-scope", "--contacts", "5", free, between, wave, "nowhere.yaml"),
		check("--clearance", "0.02", "--each-scope", free, between),
		check("--distance-range", "0.05:0.2", "--tube", "0.001", free),
		check("--distance-range", ":0.001", free),
		check("--deadline", "1ns", free),
		check("--yes-no", "--certificate", cert, wave),
		check("--method", "catch", free),
		{"check", "-q", "--json", "--robot", folded, "--accept", "start", file("late.yaml", clitest.Late), file("carrying.yaml", clitest.Carrying)},
		{"check", "-q", "--json", "--robot", "nowhere.urdf", "a.csv"},
		distance(),
		distance("--all", "--state", "left_elbow=1"),
		distance("--groups"),
		distance("--max", "0.001"),
		distance("--min", "0.1"),
		{"distance", "-q", "--json", "--robot", gantry},
		{"pairs", "-q", "--json", "--robot", "../../testdata/pairs/lever.urdf", "--srdf", "../../testdata/pairs/lever.srdf"},
		{"pairs", "-q", "--json", "--robot", robot, "--budget", "20"},
		{"spheres", "-q", "--json", "--robot", folded, "--spheres", "4", "--out", spheres},
		{"spheres", "-q", "--json", "--robot", folded, "--verify", spheres},
		{"spheres", "-q", "--json", "--robot", folded, "--verify", file("few.yaml", "collision_spheres: {fore: [{center: [0, 0, 0], radius: 0.01}]}\n")},
		{"spheres", "-q", "--json", "--robot", robot, "--srdf", srdf, "--range-of-motion"},
		{"verify", "-q", "--json", "--robot", robot, "--srdf", srdf, "--scene", scene, "--certificate", cert, free},
		{"verify", "-q", "--json", "--robot", robot, "--srdf", srdf, "--certificate", cert, free},
		{"bench", "--json", "--dump", "--reps", "1", "--limit", "5", corpora + "crane.scene", corpora + "crane.segs"},
		{"bench", "--json", "nowhere", "nowhere"},
		{"version", "--json"},
		{"doctor", "-q", "--json", "--robot", robot, "--srdf", srdf, "--scene", scene, free, file("few.csv", "time,left_elbow\n0,-90\n1,-80\n"), file("later.yaml", lateElbow)},
		{"doctor", "--json"},
	}
}

// All output of --json follows its schema, and every schema is tried.
func TestJSONFollowsItsSchema(t *testing.T) {
	race.LeaveOut(t)
	all := validators(t)
	count := map[string]int{}
	for _, args := range jsonRuns(t) {
		_, out, errs := command(t, "", args...)
		if out == "" {
			t.Errorf("%v prints nothing: %s", args, errs)
		}
		for line := range strings.Lines(out) {
			for _, o := range printed(t, line) {
				name := fmt.Sprint(o["schema"])
				count[name]++
				for _, s := range all[name] {
					if err := s.Validate(any(o)); err != nil {
						t.Errorf("%v\n%s\n%v", args, line, err)
					}
				}
			}
		}
	}
	for name := range all {
		if count[name] == 0 {
			t.Errorf("no object of %s was printed", name)
		}
	}
	if len(count) != len(all) {
		t.Errorf("objects %v, schemas %d", count, len(all))
	}
}

// printed returns the object on a line, or those of a list.
func printed(t *testing.T, line string) []map[string]any {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
	if err != nil {
		t.Fatalf("%v: %s", err, line)
	}
	list, ok := value.([]any)
	if !ok {
		list = []any{value}
	}
	out := make([]map[string]any, len(list))
	for i := range list {
		out[i] = list[i].(map[string]any)
	}
	return out
}

// A schema refuses what is no answer.
func TestSchemasRefuse(t *testing.T) {
	all := validators(t)
	_, out, _ := command(t, "", humanoidArgs("--json", humanoid+"trajectory_free.yaml")...)
	for name, change := range map[string]func(o map[string]any){
		"no status":       func(o map[string]any) { delete(o, "status") },
		"another status":  func(o map[string]any) { o["status"] = "clear" },
		"another version": func(o map[string]any) { o["schema"] = "firstcontact/check/2" },
		"a word as time":  func(o map[string]any) { o["duration"] = "long" },
		"three times":     func(o map[string]any) { o["toc"] = []any{1, 2, 3} },
	} {
		o := printed(t, out)[0]
		change(o)
		if err := all["firstcontact/check/1"][0].Validate(any(o)); err == nil {
			t.Errorf("%s: it is accepted", name)
		}
	}
}
