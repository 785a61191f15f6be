package main

import (
	"strings"
	"testing"
)

func TestNodeCommand(t *testing.T) {
	t.Setenv("ROS_DISTRO", "jazzy")
	for name, c := range map[string]struct {
		args []string
		want int
		says string // on either stream
	}{
		"help":              {[]string{"node", "--help"}, exitFree, "--ros-args -p robot_description_file:=arm.urdf"},
		"argument of ours":  {[]string{"node", "--fast"}, exitUsage, "put ROS arguments after --ros-args"},
		"argument of ROS's": {[]string{"node", "--ros-args", "--fast"}, exitUsage, `"--fast"`},
		"parameter file":    {[]string{"node", "--ros-args", "--params-file", "nowhere.yaml"}, exitBadInput, "nowhere.yaml"},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, errs := command(t, "", c.args...)
			if code != c.want || !strings.Contains(out+errs, c.says) {
				t.Errorf("exit status %d:\n%s%s\nwant %d and %q", code, out, errs, c.want, c.says)
			}
		})
	}
	t.Run("environment", func(t *testing.T) {
		t.Setenv("ROS_DOMAIN_ID", "300")
		if code, _, errs := command(t, "", "node"); code != exitBadInput || !strings.Contains(errs, "ROS_DOMAIN_ID") {
			t.Errorf("exit status %d: %s", code, errs)
		}
	})
}
