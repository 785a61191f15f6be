package check

import (
	"bytes"
	"context"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/rosbag"
)

// The recording of a check holds the motion, which is checked again with the same answer, the
// robot, the verdict and its markers.
func TestCheckRecords(t *testing.T) {
	file := filepath.Join(t.TempDir(), "wave.mcap")
	args := []string{"check", "--robot", "../../../../testdata/humanoid/humanoid.urdf", "--srdf", "../../../../testdata/humanoid/humanoid.srdf", "--scene", "../../../../testdata/humanoid/obstacles.yaml"}
	say := func(args ...string) (string, string, int) {
		var out, errs bytes.Buffer
		code := run(context.Background(), args, strings.NewReader(""), &out, &errs)
		return out.String(), errs.String(), code
	}
	out, errs, code := say(append(args, "--record", file, "../../../../testdata/humanoid/wave.csv")...)
	if code != cli.ExitContact || !strings.Contains(out, "its recording is "+file) {
		t.Fatalf("exit status %d\n%s%s", code, out, errs)
	}
	again, errs, code := say(append(args, file)...)
	if code != cli.ExitContact || !strings.Contains(again, "torso and right_hand") {
		t.Errorf("the recorded motion: exit status %d\n%s%s", code, again, errs)
	}
	motions, err := rosbag.Load(t.Context(), file, rosbag.Options{})
	if err != nil || len(motions) != 1 || math.Abs(motions[0].Motion.Duration()-15) > 1e-6 {
		t.Fatalf("%v, %v", motions, err)
	}
	_, err = rosbag.Load(t.Context(), file, rosbag.Options{Topics: []string{"/nothing"}})
	for _, topic := range []string{"/robot_description (std_msgs/msg/String, 1 message", "/firstcontact/verdict (firstcontact_msgs/msg/Verdict, 1 message", "/firstcontact/markers (visualization_msgs/msg/MarkerArray, 1 message", "/joint_states (sensor_msgs/msg/JointState, 751 messages"} {
		if err == nil || !strings.Contains(err.Error(), topic) {
			t.Errorf("%s is missing: %v", topic, err)
		}
	}
	if _, errs, code := say(append(args, "--record", "wave.bag", "../../../../testdata/humanoid/wave.csv")...); code == cli.ExitContact || !strings.Contains(errs, ".mcap") {
		t.Errorf("a file that is no MCAP: %d %s", code, errs)
	}
}
