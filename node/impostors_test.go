package node

import (
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/stdmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// testImpostors: another participant that publishes on one of the node's topics is
// counted in the state for as long as it is there.
func testImpostors(t *testing.T, g *graph) {
	r := g.newRobot(t, railArgs(t)...)
	r.rest()
	_, at := r.states.wait(0, "without impostors", func(s *fcmsgs.CollisionState) bool { return s.Impostors == 0 })
	for i, advertise := range []func(n *ros.Node) error{
		func(n *ros.Node) error {
			_, err := ros.Advertise[fcmsgs.CollisionState](n, "firstcontact/state", ros.LatchedQoS)
			return err
		},
		func(n *ros.Node) error {
			_, err := ros.Advertise[stdmsgs.Bool](n, "firstcontact/collision_free", ros.QoS{Depth: 1})
			return err
		},
	} {
		n, err := ros.NewNode(g.transport, ros.Options{Name: "impostor", Namespace: r.namespace, Env: g.env, Logger: quiet()})
		if err != nil {
			t.Fatal(err)
		}
		if err := advertise(n); err != nil {
			t.Fatal(err)
		}
		_, at = r.states.wait(at, "with an impostor", func(s *fcmsgs.CollisionState) bool { return s.Impostors == 1 })
		if err := n.Close(); err != nil {
			t.Fatalf("%d: %v", i, err)
		}
		_, at = r.states.wait(at, "after the impostor", func(s *fcmsgs.CollisionState) bool { return s.Impostors == 0 })
	}
}

func TestImpostors(t *testing.T) {
	t.Parallel()
	testImpostors(t, inMemory())
}

// The log tells of each impostor once.
func TestImpostorsAreToldOnce(t *testing.T) {
	var log lines
	transport := ros.NewMemory()
	n, err := New(transport, Options{Logger: ros.NewLogger(&log, "firstcontact", ros.LevelError)})
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	other, err := ros.NewNode(transport, ros.Options{Name: "impostor", Logger: quiet()})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := ros.Advertise[fcmsgs.CollisionState](other, "firstcontact/state", ros.LatchedQoS); err != nil {
		t.Fatal(err)
	}
	told := map[ros.GUID]bool{}
	for range 3 {
		n.lookForImpostors(told)
	}
	n.ros.Logger().Flush(patience)
	if said := log.String(); strings.Count(said, "another participant publishes on /firstcontact/state") != 1 {
		t.Errorf("the log: %s", said)
	}
}
