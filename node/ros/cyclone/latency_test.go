//go:build cyclone && cgo

package cyclone_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// jointStates is a message of a robot with many joints.
func jointStates(joints int) *sensormsgs.JointState {
	m := &sensormsgs.JointState{}
	m.Header.FrameID = "base_link"
	for i := range joints {
		m.Name = append(m.Name, fmt.Sprintf("left_arm_joint_%02d", i))
		m.Position = append(m.Position, float64(i))
		m.Velocity = append(m.Velocity, float64(-i))
		m.Effort = append(m.Effort, 0)
	}
	return m
}

// stream publishes count messages of 30 joints at 500 Hz from one participant
// to another over the loopback network, and returns how long each took from the
// call of Publish to the callback.
func stream(t testing.TB, count int) []time.Duration {
	robot := overNetwork(0).Node(t, ros.Options{Name: "robot"})
	monitor := overNetwork(1).Node(t, ros.Options{Name: "monitor"})
	// On a busy machine the callback may wait longer than the 20 ms that the
	// default history spans at this rate.
	qos := ros.QoS{Depth: 1000}
	pub, err := ros.Advertise[sensormsgs.JointState](robot, "joint_states", qos)
	if err != nil {
		t.Fatal(err)
	}
	latencies := make(chan time.Duration, count)
	start := time.Now()
	sub, err := ros.Subscribe(monitor, "joint_states", qos, func(m *sensormsgs.JointState, info ros.MessageInfo) {
		latencies <- time.Since(start) - time.Duration(m.Effort[0])
	}, ros.ReuseMessage())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if err := pub.WaitSubscribers(ctx, 1); err != nil {
		t.Fatal(err)
	}
	if err := sub.WaitPublishers(ctx, 1); err != nil {
		t.Fatal(err)
	}
	m := jointStates(30)
	ticker := time.NewTicker(2 * time.Millisecond)
	defer ticker.Stop()
	for range count {
		<-ticker.C
		m.Effort[0] = float64(time.Since(start)) // exact up to 2^53 ns
		if err := pub.Publish(m); err != nil {
			t.Fatal(err)
		}
	}
	measured := make([]time.Duration, 0, count)
	for range count {
		select {
		case d := <-latencies:
			measured = append(measured, d)
		case <-time.After(10 * time.Second):
			t.Fatalf("%d of %d messages arrived; the reader counts %+v", len(measured), count, sub.Stats())
		}
	}
	if stats := sub.Stats(); stats.Lost+stats.Missed != 0 {
		t.Errorf("the reader counts %+v", stats)
	}
	slices.Sort(measured)
	return measured
}

func percentile(sorted []time.Duration, p float64) time.Duration {
	return sorted[min(len(sorted)-1, int(p*float64(len(sorted))))]
}

// TestJointStatesAt500Hz asks that nothing is lost. How long messages take
// depends on the machine, so that is only reported.
func TestJointStatesAt500Hz(t *testing.T) {
	d := stream(t, 1000)
	t.Logf("latency: median %v, 99%% %v, longest %v", percentile(d, 0.5), percentile(d, 0.99), d[len(d)-1])
}

// BenchmarkJointStatesAt500Hz reports the latency of messages that come at the
// rate of a robot; b.N is their number.
func BenchmarkJointStatesAt500Hz(b *testing.B) {
	d := stream(b, b.N)
	b.ReportMetric(float64(percentile(d, 0.5).Microseconds()), "µs-median")
	b.ReportMetric(float64(percentile(d, 0.99).Microseconds()), "µs-p99")
	b.ReportMetric(float64(d[len(d)-1].Microseconds()), "µs-max")
}

// BenchmarkReliableStream reports how fast messages of 30 joints go from one
// participant to another when the writer does not pause.
func BenchmarkReliableStream(b *testing.B) {
	e := ros.Endpoint{Topic: "rt/stream", Type: "bench::msg::dds_::Opaque_", QoS: ros.QoS{Depth: ros.KeepAll}}
	w, err := overNetwork(0).Open(b).NewWriter(e)
	if err != nil {
		b.Fatal(err)
	}
	arrived := make(chan struct{}, 1024)
	r, err := overNetwork(1).Open(b).NewReader(e, func(ros.Sample) { arrived <- struct{}{} })
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	for _, p := range []ros.Peer{w, r} {
		if err := ros.WaitForMatch(ctx, p, 1); err != nil {
			b.Fatal(err)
		}
	}
	data := make([]byte, 1600)
	copy(data, []byte{0, 1, 0, 0})
	b.SetBytes(int64(len(data)))
	b.ResetTimer()
	go func() {
		for range b.N {
			for w.Write(data) != nil { // the reader is behind
			}
		}
	}()
	for range b.N {
		<-arrived
	}
}
