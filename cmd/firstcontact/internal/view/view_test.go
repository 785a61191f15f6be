package view

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/cli"
	"github.com/firstcontact-ros/firstcontact/cmd/firstcontact/internal/clitest"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/stdmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// A joint that is silent for a second has no position any more, and the page learns whether the
// node checks another model than it draws.
func TestFeedForgetsAndCompares(t *testing.T) {
	robot, err := urdf.Load("../../../../testdata/two_link.urdf", urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := ccd.New(robot, nil, ccd.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := newFeed(c, ccd.Options{})
	if err != nil || f.hash == "" {
		t.Fatal(err)
	}
	joints := c.ActiveJoints()
	f.hear(&sensormsgs.JointState{Name: joints[1:], Position: []float64{0.3}})
	f.positions[joints[0]] = measurement{0.1, time.Now().Add(-measuredFor)}
	if p := f.Now().Positions; len(p) != 1 || p[joints[1]] != 0.3 {
		t.Errorf("positions %v", p)
	}
	for hash, want := range map[string]string{f.hash: "", "another": "another one"} {
		f.board.State(&fcmsgs.CollisionState{ModelHash: hash})
		f.Now()
		if _, remark := f.Model(); !strings.Contains(remark, want) || want == "" && remark != "" {
			t.Errorf("model %s: %q", hash, remark)
		}
	}
}

// onGraph is a node in a graph of its own, in memory.
func onGraph(t *testing.T) *ros.Node {
	t.Helper()
	n, err := ros.NewNode(ros.NewMemory(), ros.Options{Name: "view"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = n.Close() })
	return n
}

// Without --robot a view takes the description that the graph has, published before or after; the
// text of a topic cannot have files read, and says where its errors come from.
func TestViewTakesTheRobotFromTheGraph(t *testing.T) {
	text, err := os.ReadFile(clitest.Gantry)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		text, says string
	}{
		"a robot":     {string(text), ""},
		"no robot":    {"<robot", "the description on /cell/description"},
		"a file's":    {strings.Replace(string(text), "<box", `<mesh filename="/etc/passwd"/><box`, 1), "the description on /cell/description"},
		"none at all": {"", "context"},
	} {
		n := onGraph(t)
		if c.text != "" {
			p, err := ros.Advertise[stdmsgs.String](n, "/cell/description", ros.LatchedQoS)
			if err != nil {
				t.Fatal(err)
			}
			if err := p.Publish(&stdmsgs.String{Data: c.text}); err != nil {
				t.Fatal(err)
			}
		}
		ctx, stop := context.WithTimeout(context.Background(), 2*time.Second)
		var told strings.Builder
		f := flags{description: "/cell/description"}
		robot, err := f.robotOf(ctx, n, cli.Streams{Err: &told})
		stop()
		switch {
		case c.says == "" && (err != nil || robot == nil):
			t.Errorf("%s: %v", name, err)
		case c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)):
			t.Errorf("%s: %v", name, err)
		case !strings.Contains(told.String(), "/cell/description"):
			t.Errorf("%s: a view that waits says %q", name, &told)
		}
	}
	f := flags{}
	f.Places = []string{"a=0,0,1"}
	if _, err := f.robotOf(context.Background(), onGraph(t), cli.Streams{Err: &strings.Builder{}}); err == nil || !strings.Contains(err.Error(), "--robot") {
		t.Errorf("a place of no robot: %v", err)
	}
}

// What has not come, or came long ago, is never shown as the node's level.
func TestWhatIsOldIsUnknown(t *testing.T) {
	robot, err := urdf.Load("../../../../testdata/two_link.urdf", urdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := ccd.New(robot, nil, ccd.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := newFeed(c, ccd.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if level, line := f.standing(); level != "UNKNOWN" || !strings.Contains(line, "2 joints have sent no position") {
		t.Errorf("before all: %s, %s", level, line)
	}
	f.board.State(&fcmsgs.CollisionState{Level: fcmsgs.CollisionStateFree, ModelHash: f.hash})
	f.hear(&sensormsgs.JointState{Name: c.ActiveJoints(), Position: make([]float64, len(c.ActiveJoints()))})
	if level, line := f.standing(); level != "FREE" || line != "FREE" {
		t.Errorf("at once: %s, %s", level, line)
	}
}
