//go:build cyclone && cgo

package rosnode

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/clitest"
)

// ownGraph keeps the test's nodes on loopback and apart from others.
func ownGraph(t *testing.T) {
	t.Helper()
	t.Setenv("ROS_DISTRO", "jazzy")
	t.Setenv("ROS_DOMAIN_ID", fmt.Sprint(1+os.Getpid()%100))
	t.Setenv("ROS_AUTOMATIC_DISCOVERY_RANGE", "LOCALHOST")
	t.Setenv("CYCLONEDDS_URI", fmt.Sprintf(`<CycloneDDS><Domain><General><Interfaces><NetworkInterface address="127.0.0.1" multicast="false"/></Interfaces></General>`+
		`<Discovery><Tag>command_test_%d</Tag></Discovery></Domain></CycloneDDS>`, os.Getpid()))
}

func TestNodeExitStatuses(t *testing.T) {
	ownGraph(t)
	for name, c := range map[string]struct {
		parameter string
		says      string
	}{
		"unknown parameter": {"chek_rate:=5.0", "did you mean check_rate"},
		"out of range":      {"check_rate:=5000.0", "check_rate"},
		"no robot":          {"robot_description_file:=nowhere.urdf", "nowhere.urdf"},
		"no scene":          {"scene:=nowhere.yaml", "nowhere.yaml"},
	} {
		t.Run(name, func(t *testing.T) {
			args := []string{"node", "--ros-args", "-p", c.parameter}
			if !strings.Contains(c.parameter, "robot") {
				args = append(args, "-p", "robot_description_file:="+clitest.Gantry)
			}
			if code, _, errs := command(t, "", args...); code != cli.ExitBadInput || !strings.Contains(errs, c.says) {
				t.Errorf("exit status %d: %s; want %d and %s", code, errs, cli.ExitBadInput, c.says)
			}
		})
	}
	t.Run("stopped", func(t *testing.T) {
		// As main does on SIGINT and SIGTERM.
		ctx, stop := context.WithTimeout(context.Background(), time.Second)
		defer stop()
		var out, errs bytes.Buffer
		if code := commands.Program().Run(ctx, []string{"node", "--ros-args", "-p", "robot_description_file:=" + clitest.Humanoid + "humanoid.urdf"}, nil, &out, &errs); code != cli.ExitFree || strings.Contains(errs.String(), "[FATAL]") || ctx.Err() == nil {
			t.Errorf("exit status %d: %s", code, &errs)
		}
	})
}
