package node

import (
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// testForeignRequests sends requests as nodes on rmw_fastrtps_cpp do: the body
// alone, and nothing in the user data. An id of 11 characters takes the 16 bytes
// of a client's id, and the rest reads as another request. None of them may be
// judged.
func testForeignRequests(t *testing.T, g *graph) {
	r := g.newRobot(t, railArgs(t)...)
	r.waitModel()
	client, err := ros.NewClient[request, response](r.node, "firstcontact/check_trajectory", ros.ServiceQoS)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	// When this client is answered the service is there.
	known := request{ID: "known", Trajectory: *standing()}
	if _, err := client.Call(r.soon(), &known); err != nil {
		t.Fatal(err)
	}
	w, err := r.node.Participant().NewWriter(ros.Endpoint{
		Topic: "rq" + r.namespace + "/firstcontact/check_trajectoryRequest",
		Type:  (*request)(nil).ROSType().DDSName(),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := ros.WaitForMatch(r.soon(), w, 1); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"", "short", "elevenchars", "an id of nineteen c"} {
		if err := w.Write(cdr.Marshal(&request{ID: id, Trajectory: *standing()})); err != nil {
			t.Fatal(err)
		}
	}
	known.ID = "last"
	if _, err := client.Call(r.soon(), &known); err != nil {
		t.Fatal(err)
	}
	time.Sleep(200 * time.Millisecond) // requests are handled side by side
	r.waitVerdict("last")
	if n := r.verdicts.count(); n != 2 {
		t.Errorf("there are %d verdicts on the 2 requests of a known client", n)
	}
}

func TestForeignRequests(t *testing.T) {
	t.Parallel()
	testForeignRequests(t, inMemory())
}
