package node

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// set returns the parameters that a file and arguments set for the node.
func set(t *testing.T, file string, args ...string) map[string]ros.Parameter {
	t.Helper()
	path := filepath.Join(t.TempDir(), "bringup.yaml")
	if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	parsed, err := ros.ParseArgs(append([]string{"--ros-args", "--params-file", path}, args...))
	if err != nil {
		t.Fatal(err)
	}
	return parsed.ParametersFor("/firstcontact")
}

const anyNode = "/**:\n  ros__parameters:\n    "

// Parameter files of bring-ups set parameters for all nodes.
func TestParametersOfBringUps(t *testing.T) {
	const own = "/firstcontact:\n  ros__parameters:\n    "
	for _, c := range []struct {
		name, file string
		args       []string
		warns      []string // in what is noted; none means that nothing is
		fails      []string
	}{
		{name: "system time", file: anyNode + "use_sim_time: false\n"},
		{name: "system time by its own name", file: own + "use_sim_time: false\n"},
		{name: "system time on the command line", args: []string{"-p", "use_sim_time:=false"}},
		{name: "simulated time for all", file: anyNode + "use_sim_time: true\n"},
		{name: "simulated time for all but this", file: anyNode + "use_sim_time: true\n" + own + "use_sim_time: false\n"},
		{name: "simulated time by its own name", file: own + "use_sim_time: true\n"},
		{name: "simulated time on the command line", args: []string{"-p", "use_sim_time:=true"}},
		{name: "no bool", file: anyNode + "use_sim_time: 1\n", fails: []string{"bringup.yaml:3", "use_sim_time is 1", "bool"}},
		{name: "another node's value", file: anyNode + "method: 3\n", fails: []string{"bringup.yaml:3", "method is 3"}},
		{name: "out of range", args: []string{"-p", "check_rate:=0.0"}, fails: []string{"command line: check_rate is 0 Hz"}},
		{
			name:  "others' parameters",
			file:  anyNode + "robot_description_kinematics: {arm: {kinematics_solver: kdl}}\n    publish_frequency: 50.0\n    qos_overrides: {/tf: {publisher: {depth: 5}}}\n",
			warns: []string{"left to other nodes: publish_frequency, qos_overrides./tf.publisher.depth, robot_description_kinematics.arm.kinematics_solver"},
		},
		{name: "misspelt for all", file: anyNode + "scen: cell.yaml\n", fails: []string{"bringup.yaml:3", "no parameter scen: did you mean scene?", "below that node's name instead of /**"}},
		{name: "misspelt twice for all", file: anyNode + "joint_state_timout: 1.0\n    chekc_rate: 5.0\n", fails: []string{"joint_state_timeout", "check_rate"}},
		{name: "misspelt", file: own + "scen: cell.yaml\n", fails: []string{"bringup.yaml:3", "did you mean scene?"}},
		{name: "unknown", file: own + "colour: red\n", fails: []string{"bringup.yaml:3", "no parameter colour"}},
		{name: "unknown on the command line", args: []string{"-p", "colour:=red"}, fails: []string{"command line", "no parameter colour"}},
		{name: "quality of service", file: own + "qos_overrides: {/joint_states: {subscription: {depth: 5}}}\n"},
		{name: "quality of service for all", file: anyNode + "qos_overrides: {/joint_states: {subscription: {depth: 5}}}\n"},
		{name: "no policy", file: own + "qos_overrides: {/joint_states: {subscription: {dept: 5}}}\n", fails: []string{"bringup.yaml:3", "qos_overrides./joint_states.subscription.dept", "did you mean"}},
		{name: "a publisher", file: own + "qos_overrides: {/firstcontact/state: {publisher: {depth: 5}}}\n", fails: []string{"bringup.yaml:3", "fixed"}},
		{name: "type descriptions", file: anyNode + "start_type_description_service: true\n" + own + "start_type_description_service: false\n"},
		{name: "type descriptions by its own name", file: own + "start_type_description_service: true\n"},
		{name: "no bool of type descriptions", file: own + "start_type_description_service: 7\n", fails: []string{"bringup.yaml:3", "true or false"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, err := settings(set(t, c.file, c.args...))
			v, notes := g.values, g.notes
			if c.fails != nil {
				if err == nil {
					t.Fatal("it is accepted")
				}
				for _, word := range c.fails {
					if !strings.Contains(err.Error(), word) {
						t.Errorf("the error lacks %q: %v", word, err)
					}
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(notes) != min(len(c.warns), 1) {
				t.Fatalf("notes %v", notes)
			}
			for _, word := range c.warns {
				if notes[0].Level != ros.LevelWarn || !strings.Contains(notes[0].Text, word) {
					t.Errorf("%+v lacks %q", notes[0], word)
				}
			}
			if v.Double("check_rate") != 100 {
				t.Error("the defaults are gone")
			}
		})
	}
}

func TestManyParametersOfOthersAreCounted(t *testing.T) {
	file := anyNode + strings.Repeat("x", 8) + "0: 1\n"
	for i := 1; i < 30; i++ {
		file += "    " + strings.Repeat("y", i) + "0: 1\n"
	}
	g, err := settings(set(t, file))
	notes := g.notes
	if err != nil || len(notes) != 1 || !strings.Contains(notes[0].Text, "and 18 more") {
		t.Errorf("%v, %v", notes, err)
	}
}
