//go:build cyclone && cgo

package cyclone_test

import (
	"context"
	"testing"
	"time"

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
