package firstcontact_test

import (
	"encoding/json"
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
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
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

func TestLaunchFileStartsTheNode(t *testing.T) {
	const file = "launch/firstcontact.launch.py"
	for _, c := range []struct {
		name       string
		arguments  []string
		parameters []any
		ros        []any
	}{
		{"defaults", nil, []any{"firstcontact/config/firstcontact.yaml"}, nil},
		{"with keys", []string{"enclave:=/firstcontact"}, []any{"firstcontact/config/firstcontact.yaml"}, []any{"--enclave", "/firstcontact"}},
		{
			"URDF, SRDF and scene",
			[]string{"robot_description_file:=r.urdf", "robot_description_semantic_file:=r.srdf", "scene:=room.yaml"},
			[]any{"firstcontact/config/firstcontact.yaml", map[string]any{
				"robot_description_file": "r.urdf", "robot_description_semantic_file": "r.srdf", "scene": "room.yaml",
			}},
			nil,
		},
		{
			"xacro",
			[]string{"robot_description_file:=r.urdf.xacro", "xacro_args:=side:=left", "params_file:=mine.yaml"},
			[]any{"mine.yaml", map[string]any{"robot_description": "xacro /r.urdf.xacro/ /side:=left"}},
			nil,
		},
	} {
		got := runLaunchFile(t, file, append(c.arguments, "namespace:=/robot1", "log_level:=debug")...)
		want := map[string]any{
			"package": "firstcontact", "executable": "firstcontact", "arguments": []any{"node"},
			"name": "firstcontact", "namespace": "/robot1", "output": "screen",
			"ros_arguments": append([]any{"--log-level", "debug"}, c.ros...),
			"parameters":    c.parameters,
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
		for _, p := range c.parameters {
			overrides, _ := p.(map[string]any)
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
}
