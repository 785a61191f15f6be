//go:build cyclone && cgo

package cyclone_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/cyclone"
)

// buildPeer compiles the C program of testdata from its IDL.
func buildPeer(t *testing.T) string {
	t.Helper()
	for _, tool := range []string{"idlc", "gcc", "pkg-config"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed", tool)
		}
	}
	sources, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	run := func(name string, args ...string) string {
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", cmd, err, out)
		}
		return string(out)
	}
	flags := strings.Fields(run("pkg-config", "--cflags", "--libs", "CycloneDDS"))
	run("idlc", "-x", "final", filepath.Join(sources, "joint_state.idl"))
	peer := filepath.Join(dir, "peer")
	run("gcc", append([]string{"-I.", filepath.Join(sources, "peer.c"), "joint_state.c", "-o", peer}, flags...)...)
	return peer
}

// startPeer runs the program on the test domain.
func startPeer(t *testing.T, peer, topic, mode string, count int) (stdout *bufio.Scanner, wait func()) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	cmd := exec.CommandContext(ctx, peer, strconv.Itoa(testDomain), topic, mode, strconv.Itoa(count))
	cmd.Env = append(os.Environ(), "CYCLONEDDS_URI="+cyclone.DomainConfig(loopback(), ""))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cancel)
	return bufio.NewScanner(out), func() {
		if err := cmd.Wait(); err != nil {
			t.Errorf("the peer ended with %v", err)
		}
	}
}

// peerMessage is what the peer writes as its i-th message.
func peerMessage(i int) *sensormsgs.JointState {
	m := &sensormsgs.JointState{
		Name:     []string{"shoulder", "elbow", ""}[:i%4],
		Position: []float64{float64(i), -0.5, 1e300},
		Effort:   []float64{0.25},
	}
	m.Header.Stamp.Sec = int32(-i)
	m.Header.Stamp.Nanosec = 999999999
	m.Header.FrameID = "base_link"
	return m
}

// printed is what the peer prints of a message.
func printed(m *sensormsgs.JointState) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d.%09d [%s] names", m.Header.Stamp.Sec, m.Header.Stamp.Nanosec, m.Header.FrameID)
	for _, name := range m.Name {
		fmt.Fprintf(&b, " [%s]", name)
	}
	for _, numbers := range []struct {
		name   string
		values []float64
	}{{"position", m.Position}, {"velocity", m.Velocity}, {"effort", m.Effort}} {
		b.WriteString(" " + numbers.name)
		for _, v := range numbers.values {
			fmt.Fprintf(&b, " %016x", math.Float64bits(v))
		}
	}
	return b.String()
}

// TestPeerMadeFromIDL exchanges messages with a program in C whose type support
// idlc generated: the bytes must agree in both directions.
func TestPeerMadeFromIDL(t *testing.T) {
	peer := buildPeer(t)
	endpoint := func() ros.Endpoint {
		return ros.Endpoint{
			Topic: fmt.Sprintf("rt/t%x", rand.Uint64()),
			Type:  (*sensormsgs.JointState)(nil).ROSType().DDSName(),
			QoS:   ros.QoS{Depth: ros.KeepAll},
		}
	}
	const count = 20
	t.Run("it writes", func(t *testing.T) {
		e := endpoint()
		samples := make(chan ros.Sample, count)
		r, err := inProcess().Open(t).NewReader(e, func(s ros.Sample) { samples <- s })
		if err != nil {
			t.Fatal(err)
		}
		_, wait := startPeer(t, peer, e.Topic, "write", count)
		for i := range count {
			select {
			case s := <-samples:
				if want := cdr.Marshal(peerMessage(i)); !bytes.Equal(s.Data, want) {
					t.Errorf("message %d arrives as\n% x\nnot as\n% x", i, s.Data, want)
				}
				if s.Sequence != uint64(i+1) {
					t.Errorf("message %d has number %d", i, s.Sequence)
				}
			case <-time.After(20 * time.Second):
				t.Fatalf("message %d did not arrive", i)
			}
		}
		wait()
		if stats := r.Stats(); stats.Missed+stats.Lost != 0 {
			t.Errorf("the reader counts %+v", stats)
		}
	})
	reads := func(t *testing.T, qos ros.QoS) {
		e := endpoint()
		e.QoS = qos
		w, err := inProcess().Open(t).NewWriter(e)
		if err != nil {
			t.Fatal(err)
		}
		lines, wait := startPeer(t, peer, e.Topic, "read", count)
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		if err := ros.WaitForMatch(ctx, w, 1); err != nil {
			t.Fatal(err)
		}
		time.Sleep(200 * time.Millisecond) // the peer's side of the match
		for i := range count {
			if err := w.Write(cdr.Marshal(peerMessage(i))); err != nil {
				t.Fatal(err)
			}
		}
		for i := range count {
			if !lines.Scan() {
				t.Fatalf("message %d did not arrive", i)
			}
			if want := printed(peerMessage(i)); lines.Text() != want {
				t.Errorf("message %d is read as\n%s\nnot as\n%s", i, lines.Text(), want)
			}
		}
		wait()
	}
	t.Run("it reads", func(t *testing.T) { reads(t, ros.QoS{Depth: ros.KeepAll}) })
	t.Run("it reads what comes with promises", func(t *testing.T) {
		reads(t, ros.QoS{
			Durability: ros.TransientLocal, Depth: ros.KeepAll,
			Deadline: pulseQoS.Deadline, Lifespan: time.Minute, Lease: pulseQoS.Lease,
		})
	})
	t.Run("it watches", func(t *testing.T) {
		e := endpoint()
		e.QoS = pulseQoS
		p := inProcess().Open(t)
		w, err := p.NewWriter(e)
		if err != nil {
			t.Fatal(err)
		}
		lines, wait := startPeer(t, peer, e.Topic, "watch", 2)
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		if err := ros.WaitForMatch(ctx, w, 1); err != nil {
			t.Fatal(err)
		}
		for range 20 {
			if err := w.Write(cdr.Marshal(peerMessage(1))); err != nil {
				t.Fatal(err)
			}
			time.Sleep(10 * time.Millisecond)
		}
		if !lines.Scan() || lines.Text() != "deadline missed" {
			t.Fatalf("it says %q of a silent writer", lines.Text())
		}
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
		if !lines.Scan() || lines.Text() != "nobody alive" {
			t.Errorf("it says %q of a writer that is gone", lines.Text())
		}
		wait()
	})
}
