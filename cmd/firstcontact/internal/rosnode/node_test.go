package rosnode

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
)

func TestNodeCommand(t *testing.T) {
	t.Setenv("ROS_DISTRO", "jazzy")
	for name, c := range map[string]struct {
		args []string
		want int
		says string // on either stream
	}{
		"help":              {[]string{"node", "--help"}, cli.ExitFree, "--ros-args -p robot_description_file:=arm.urdf"},
		"argument of ours":  {[]string{"node", "--fast"}, cli.ExitUsage, "put ROS arguments after --ros-args"},
		"argument of ROS's": {[]string{"node", "--ros-args", "--fast"}, cli.ExitUsage, `"--fast"`},
		"parameter file":    {[]string{"node", "--ros-args", "--params-file", "nowhere.yaml"}, cli.ExitBadInput, "nowhere.yaml"},
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
		if code, _, errs := command(t, "", "node"); code != cli.ExitBadInput || !strings.Contains(errs, "ROS_DOMAIN_ID") {
			t.Errorf("exit status %d: %s", code, errs)
		}
	})
}

// A launch file shows the lines of many nodes: why this one does not start is a line of a log.
func TestFailedStartIsALogLine(t *testing.T) {
	t.Setenv("ROS_DISTRO", "jazzy")
	t.Setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST")
	line := func(name, text string) *regexp.Regexp {
		return regexp.MustCompile(`(?m)^\[FATAL\] \[\d+\.\d{9}\] \[` + name + `\]: .*` + text)
	}
	for name, c := range map[string]struct {
		args []string
		want int
		says *regexp.Regexp
	}{
		"argument":  {[]string{"--fast"}, cli.ExitUsage, line("firstcontact", "unknown|--fast")},
		"file":      {[]string{"--params-file", "nowhere.yaml"}, cli.ExitBadInput, line("firstcontact", "nowhere.yaml")},
		"two lines": {[]string{"-r", "__ns:=/cell", "-r", "__node:=guard", "-p", "chek_rate:=1", "-p", "sceen:=x"}, cli.ExitBadInput, line("cell.guard", "did you mean scene")},
		"no log":    {[]string{"--disable-stdout-logs", "-p", "chek_rate:=1"}, cli.ExitBadInput, line("firstcontact", "check_rate")},
	} {
		t.Run(name, func(t *testing.T) {
			code, _, errs := command(t, "", slices.Concat([]string{"node", "--ros-args"}, c.args)...)
			switch {
			case strings.Contains(errs, "-tags cyclone"):
				t.Skip("this build cannot join a graph")
			case code != c.want || !c.says.MatchString(errs):
				t.Errorf("exit status %d:\n%s\nwant %d and %v", code, errs, c.want, c.says)
			}
			for _, l := range strings.Split(strings.TrimSpace(errs), "\n") {
				if !strings.HasPrefix(l, "[") {
					t.Errorf("no line of a log: %q", l)
				}
			}
		})
	}
}
