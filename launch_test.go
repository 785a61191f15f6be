package firstcontact_test

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/firstcontact-ros/firstcontact/config"
)

// runLaunchFile runs a launch file with stand-ins for launch and launch_ros: it
// shows what would start, not that a real ros2 launch takes it.
func runLaunchFile(t *testing.T, file string, arguments ...string) map[string]any {
	t.Helper()
	python := pythonWithYAML(t)
	out, err := exec.Command(python, append([]string{"launch/testdata/run.py", file}, arguments...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", file, err, out)
	}
	var started map[string]any
	if err := json.Unmarshal(out, &started); err != nil {
		t.Fatalf("%s starts not one thing but\n%s", file, out)
	}
	return started
}

func pythonWithYAML(t *testing.T) string {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil || exec.Command(python, "-c", "import yaml").Run() != nil {
		t.Skip("python3 with yaml is not installed")
	}
	return python
}

func TestLaunchFileStartsTheNode(t *testing.T) {
	const file = "launch/firstcontact.launch.py"
	for _, c := range []struct {
		name       string
		arguments  []string
		parameters []any
		ros        []any
		others     map[string]any
	}{
		{"defaults", nil, []any{"firstcontact/config/firstcontact.yaml"}, nil, nil},
		{"with keys", []string{"enclave:=/firstcontact"}, []any{"firstcontact/config/firstcontact.yaml"}, []any{"--enclave", "/firstcontact"}, nil},
		{
			"what bring-ups give",
			[]string{"use_sim_time:=true", "autostart:=False", "node_name:=guard", "remappings:=joint_states:=arm/joint_states tf:=/tf", "respawn:=true", "respawn_delay:=2.5"},
			[]any{"firstcontact/config/firstcontact.yaml", map[string]any{"use_sim_time": true, "autostart": false}},
			nil,
			map[string]any{
				"name": "guard", "respawn": true, "respawn_delay": 2.5,
				"remappings": []any{[]any{"joint_states", "arm/joint_states"}, []any{"tf", "/tf"}},
			},
		},
		{
			"further parameters",
			[]string{"parameters:=check_rate:=50.0 top_k_pairs:=1 trajectory.topics:=[left_arm, right_arm]  trajectory.each_scope:=true", "use_sim_time:=false"},
			[]any{"firstcontact/config/firstcontact.yaml", map[string]any{
				"use_sim_time": false, "check_rate": 50.0, "top_k_pairs": 1.0, "trajectory.topics": []any{"left_arm", "right_arm"}, "trajectory.each_scope": true,
			}},
			nil, nil,
		},
		{
			"URDF, SRDF and scene",
			[]string{"robot_description_file:=r.urdf", "robot_description_semantic_file:=r.srdf", "scene:=room.yaml"},
			[]any{"firstcontact/config/firstcontact.yaml", map[string]any{
				"robot_description_file": "r.urdf", "robot_description_semantic_file": "r.srdf", "scene": "room.yaml",
			}},
			nil, nil,
		},
		{
			"xacro",
			[]string{"robot_description_file:=r.urdf.xacro", "xacro_args:=side:=left", "params_file:=mine.yaml"},
			[]any{"mine.yaml", map[string]any{"robot_description": "xacro /r.urdf.xacro/ /side:=left"}},
			nil, nil,
		},
	} {
		got := runLaunchFile(t, file, append(c.arguments, "namespace:=/robot1", "log_level:=debug")...)
		want := map[string]any{
			"package": "firstcontact", "executable": "firstcontact", "arguments": []any{"node"},
			"name": "firstcontact", "namespace": "/robot1", "output": "screen",
			"ros_arguments": append([]any{"--log-level", "debug"}, c.ros...),
			"parameters":    c.parameters, "remappings": []any{}, "respawn": false, "respawn_delay": 1.0,
		}
		maps.Copy(want, c.others)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
		for _, p := range c.parameters {
			overrides, _ := p.(map[string]any)
			if k, ok := overrides["top_k_pairs"].(float64); ok { // JSON has no integers
				overrides["top_k_pairs"] = int(k)
			}
			if _, err := config.Validate(overrides); err != nil {
				t.Errorf("%s: the node would refuse its parameters: %v", c.name, err)
			}
		}
	}
}

func TestHumanoidLaunchFileNamesFilesThatAreThere(t *testing.T) {
	got := runLaunchFile(t, "launch/humanoid.launch.py")
	if got["include"] != "firstcontact/launch/firstcontact.launch.py" {
		t.Errorf("it includes %v", got["include"])
	}
	arguments, _ := got["arguments"].(map[string]any)
	if len(arguments) != 3 {
		t.Errorf("it gives the arguments %v, want three", arguments)
	}
	var known []string
	for name, value := range arguments {
		// CMake installs testdata as examples.
		file := strings.Replace(value.(string), "firstcontact/examples/", "testdata/", 1)
		if _, err := os.Stat(file); err != nil {
			t.Errorf("argument %s: %v", name, err)
		}
		known = append(known, name+":="+file)
	}
	runLaunchFile(t, "launch/firstcontact.launch.py", known...) // fails on an argument it does not declare
	got = runLaunchFile(t, "launch/humanoid.launch.py", "robot_description_file:=mine.urdf", "scene:=")
	if arguments, _ = got["arguments"].(map[string]any); arguments["robot_description_file"] != "mine.urdf" || arguments["scene"] != "" {
		t.Errorf("for another humanoid it gives %v", arguments)
	}
}

// The launch file for MoveIt passes on parameters of the node and nothing else, with any arguments.
func TestMoveItLaunchFile(t *testing.T) {
	for _, c := range []struct {
		arguments []string
		want      map[string]any
	}{
		{nil, map[string]any{"acm.source": "srdf+scene", "world.topics": []any{"monitored_planning_scene"}, "model.semantic_topic": true}},
		{
			[]string{"controllers:=left_arm right_arm", "robot_description_semantic_file:=a.srdf"},
			map[string]any{
				"acm.source": "srdf+scene", "world.topics": []any{"monitored_planning_scene"}, "trajectory.topics": []any{"left_arm", "right_arm"},
				"robot_description_semantic_file": "a.srdf",
			},
		},
		{
			[]string{"controllers:=arm", "gate:=true", "planning_scene:=", "parameters:=check_rate:=50.0"},
			map[string]any{"acm.source": "srdf", "gate.controllers": []any{"arm"}, "model.semantic_topic": true, "check_rate": 50.0},
		},
	} {
		got := runLaunchFile(t, "launch/moveit.launch.py", c.arguments...)
		if got["include"] != "firstcontact/launch/firstcontact.launch.py" {
			t.Errorf("it includes %v", got["include"])
		}
		var passed []string
		for name, value := range got["arguments"].(map[string]any) {
			passed = append(passed, name+":="+value.(string))
		}
		parameters := runLaunchFile(t, "launch/firstcontact.launch.py", passed...)["parameters"].([]any)
		overrides := parameters[len(parameters)-1].(map[string]any)
		if d := cmp.Diff(c.want, overrides); d != "" {
			t.Errorf("%v (-want +got):\n%s", c.arguments, d)
		}
		if _, err := config.Validate(overrides); err != nil {
			t.Errorf("%v: the node would refuse its parameters: %v", c.arguments, err)
		}
	}
}

// A slip in an argument is an error, and starts no node that lacks what was meant.
func TestSlipsInLaunchArguments(t *testing.T) {
	python := pythonWithYAML(t)
	for _, c := range []struct{ file, argument, says string }{
		{"firstcontact", "respawn:=yes", "give true or false"},
		{"firstcontact", "use_sim_time:=1", "give true or false"},
		{"firstcontact", "parameters:=check_rate=50", "is no NAME:=VALUE"},
		{"firstcontact", "remappings:=joint_states arm/joint_states", "is no NAME:=VALUE"},
		{"moveit", "gate:=true", "gate:=true needs the controllers"},
		{"moveit", "gate:=yes", "give true or false"},
	} {
		out, err := exec.Command(python, "launch/testdata/run.py", "launch/"+c.file+".launch.py", c.argument).CombinedOutput()
		if err == nil || !strings.Contains(string(out), c.says) {
			t.Errorf("%s %s: %v\n%s", c.file, c.argument, err, out)
		}
	}
}
