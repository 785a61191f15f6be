//go:build cyclone && cgo

package cyclone_test

import (
	"context"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/internal/transporttest"
)

// lossy is a side of the network that loses one of ten packets it sends.
func lossy(number int) transporttest.Side {
	side := overNetwork(number)
	side.Env.Network.VendorConfig += ",<CycloneDDS><Domain><Internal><Test><XmitLossiness>100</XmitLossiness></Test></Internal></Domain></CycloneDDS>"
	return side
}

// sendLossy writes count samples through a network that loses packets and
// returns the numbers of those that arrived, and the reader's counters.
func sendLossy(t *testing.T, reliability ros.Reliability, count int) (arrived []uint64, stats ros.EndpointStats) {
	t.Helper()
	e := ros.Endpoint{Topic: "rt/lossy", Type: "test::msg::dds_::Opaque_", QoS: ros.QoS{Reliability: reliability, Depth: ros.KeepAll}}
	w, err := lossy(5).Open(t).NewWriter(e)
	if err != nil {
		t.Fatal(err)
	}
	numbers := make(chan uint64, count+1)
	r, err := overNetwork(6).Open(t).NewReader(e, func(s ros.Sample) { numbers <- s.Sequence })
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	for _, p := range []ros.Peer{w, r} {
		if err := ros.WaitForMatch(ctx, p, 1); err != nil {
			t.Fatal(err)
		}
	}
	for range count {
		for w.Write([]byte{0, 1, 0, 0}) != nil && ctx.Err() == nil {
			continue // the reader waits for what was lost
		}
		time.Sleep(200 * time.Microsecond) // each sample in a packet of its own
	}
	for len(arrived) < count {
		select {
		case n := <-numbers:
			arrived = append(arrived, n)
		case <-time.After(2 * time.Second):
			return arrived, r.Stats()
		}
	}
	return arrived, r.Stats()
}

func TestReliableSamplesSurviveALossyNetwork(t *testing.T) {
	const count = 500
	arrived, stats := sendLossy(t, ros.Reliable, count)
	for i, n := range arrived {
		if n != uint64(i+1) {
			t.Fatalf("number %d arrives where %d is due", n, i+1)
		}
	}
	if len(arrived) != count || stats.Missed != 0 || stats.Lost != 0 {
		t.Errorf("%d of %d samples arrive; the reader counts %+v", len(arrived), count, stats)
	}
}

func TestLossIsCounted(t *testing.T) {
	const count = 500
	arrived, stats := sendLossy(t, ros.BestEffort, count)
	if len(arrived) == 0 || len(arrived) == count {
		t.Fatalf("%d of %d samples arrive: nothing to see here", len(arrived), count)
	}
	first, last := arrived[0], arrived[len(arrived)-1]
	between := last - first + 1
	if want := between - uint64(len(arrived)); stats.Missed != want {
		t.Errorf("of %d samples %d arrive and %d are counted as missed", between, len(arrived), stats.Missed)
	}
	if stats.Samples != uint64(len(arrived)) {
		t.Errorf("the reader counts %+v", stats)
	}
}

// TestSubscriptionAsksReliablePublishersAgain subscribes for best effort through a network
// that loses one of ten packets: with ReliableWhereOffered everything arrives, once and in
// order.
func TestSubscriptionAsksReliablePublishersAgain(t *testing.T) {
	const count = 500
	side := lossy(5)
	robot, monitor := side.Node(t, ros.Options{Name: "robot"}), overNetwork(6).Node(t, ros.Options{Name: "monitor"})
	pub, err := ros.Advertise[sensormsgs.JointState](robot, "lossy_joint_states", ros.QoS{Depth: 1000})
	if err != nil {
		t.Fatal(err)
	}
	numbers := make(chan uint64, 2*count)
	s, err := ros.Subscribe(monitor, "lossy_joint_states", ros.QoS{Reliability: ros.BestEffort, Depth: 100},
		func(_ *sensormsgs.JointState, info ros.MessageInfo) { numbers <- info.Sequence }, ros.ReliableWhereOffered())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := pub.WaitSubscribers(ctx, 2); err != nil { // the second is the reliable reader
		t.Fatal(err)
	}
	time.Sleep(500 * time.Millisecond) // the reader's own side of the match
	for range count {
		if err := pub.Publish(&sensormsgs.JointState{}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Millisecond)
	}
	for want := uint64(1); want <= count; want++ {
		select {
		case n := <-numbers:
			if n != want {
				t.Fatalf("number %d arrives where %d is due", n, want)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("number %d does not arrive: %+v", want, s.Stats())
		}
	}
	if stats := s.Stats(); stats.Missed != 0 || stats.Samples != count {
		t.Errorf("the counters are %+v", stats)
	}
}
