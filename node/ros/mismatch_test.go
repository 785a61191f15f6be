package ros_test

import (
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/stdmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// TestMismatchNamesThePeers has a publisher that offers less than is asked for, and a
// subscriber that asks for more than is offered.
func TestMismatchNamesThePeers(t *testing.T) {
	transport := ros.NewMemory()
	n := newNode(t, transport, ros.Options{Name: "monitor"})
	driver := newNode(t, transport, ros.Options{Name: "driver", Namespace: "/arm"})
	newNode(t, transport, ros.Options{Name: "bystander"})
	hear := func(*stdmsgs.Bool, ros.MessageInfo) {}
	advertise := func(n *ros.Node, topic string, qos ros.QoS) {
		t.Helper()
		if _, err := ros.Advertise[stdmsgs.Bool](n, topic, qos); err != nil {
			t.Fatal(err)
		}
	}
	subscribe := func(n *ros.Node, topic string, qos ros.QoS) {
		t.Helper()
		if _, err := ros.Subscribe(n, topic, qos, hear); err != nil {
			t.Fatal(err)
		}
	}
	subscribe(n, "/in", ros.QoS{})
	advertise(driver, "/in", ros.QoS{Reliability: ros.BestEffort})
	advertise(n, "/out", ros.QoS{})
	subscribe(driver, "/out", ros.LatchedQoS)
	advertise(n, "/fine", ros.QoS{})
	subscribe(driver, "/fine", ros.QoS{})
	deadline := time.Now().Add(20 * time.Second)
	for name, want := range map[string]string{"/in": ": /arm/driver (reliability)", "/out": ": /arm/driver (durability)", "/fine": ""} {
		for _, r := range n.Endpoints() {
			if r.Name != name {
				continue
			}
			for !strings.HasSuffix(n.Mismatch(&r), want) && time.Now().Before(deadline) {
				time.Sleep(time.Millisecond) // the graph is announced
			}
			if got := n.Mismatch(&r); !strings.HasSuffix(got, want) || (got == "") != (want == "") {
				t.Errorf("%s: %q, want ...%q", name, got, want)
			}
		}
	}
}
