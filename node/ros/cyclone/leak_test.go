//go:build cyclone && cgo

package cyclone_test

import (
	"context"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/cyclone"
)

// liveAndDie opens two participants, passes some samples and closes all.
func liveAndDie(t *testing.T) {
	t.Helper()
	var open [2]ros.Participant
	for i := range open {
		env := overNetwork(i).Env
		p, err := cyclone.Transport{}.Open(ros.ParticipantOptions{Domain: env.Domain, Network: env.Network})
		if err != nil {
			t.Fatal(err)
		}
		open[i] = p
	}
	e := ros.Endpoint{Topic: "rt/leak", Type: "test::msg::dds_::Opaque_", QoS: ros.QoS{Durability: ros.TransientLocal}}
	w, err := open[0].NewWriter(e)
	if err != nil {
		t.Fatal(err)
	}
	arrived := make(chan struct{}, 10)
	if _, err := open[1].NewReader(e, func(ros.Sample) { arrived <- struct{}{} }); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		if err := w.Write(make([]byte, 1000)); err != nil {
			t.Fatal(err)
		}
	}
	for range 5 {
		<-arrived
	}
	if _, err := open[0].Discovered(); err != nil {
		t.Fatal(err)
	}
	for _, p := range open {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}

// procStatus reads a number of /proc/self/status.
func procStatus(t *testing.T, key string) int {
	t.Helper()
	data, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip("there is no /proc")
	}
	_, rest, found := strings.Cut(string(data), "\n"+key+":")
	if fields := strings.Fields(rest); found && len(fields) > 0 {
		if n, err := strconv.Atoi(fields[0]); err == nil {
			return n
		}
	}
	t.Fatalf("/proc/self/status lacks %s", key)
	return 0
}

func descriptors(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("there is no /proc")
	}
	return len(entries)
}

// TestCloseLeavesNothingBehind compares goroutines, threads and file
// descriptors after some lives and after many more.
func TestCloseLeavesNothingBehind(t *testing.T) {
	count := func() (goroutines, threads, files int) {
		time.Sleep(100 * time.Millisecond)
		return runtime.NumGoroutine(), procStatus(t, "Threads"), descriptors(t)
	}
	for range 3 {
		liveAndDie(t)
	}
	goroutines, threads, files := count()
	for range 10 {
		liveAndDie(t)
	}
	g, th, f := count()
	// The Go runtime keeps threads of its own for later and may add one or two.
	if g > goroutines || th > threads+3 || f > files {
		t.Errorf("after 10 more lives: %d goroutines, then %d; %d threads, then %d; %d files, then %d", goroutines, g, threads, th, files, f)
	}
}

// TestSamplesAreFreed moves more bytes than the process may grow by.
func TestSamplesAreFreed(t *testing.T) {
	if testing.Short() {
		t.Skip("moves 400 MB")
	}
	e := ros.Endpoint{Topic: "rt/freed", Type: "test::msg::dds_::Opaque_", QoS: ros.QoS{Depth: 4}}
	w, err := inProcess().Open(t).NewWriter(e)
	if err != nil {
		t.Fatal(err)
	}
	arrived := make(chan int, 1)
	r, err := inProcess().Open(t).NewReader(e, func(s ros.Sample) { arrived <- len(s.Data) })
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if err := ros.WaitForMatch(ctx, r, 1); err != nil {
		t.Fatal(err)
	}
	data := make([]byte, 100_000)
	move := func(count int) {
		for range count {
			if err := w.Write(data); err != nil {
				t.Fatal(err)
			}
			if n := <-arrived; n != len(data) {
				t.Fatalf("%d bytes arrive", n)
			}
		}
		runtime.GC()
	}
	move(200)
	before := procStatus(t, "VmRSS")
	move(4000)
	if grown := procStatus(t, "VmRSS") - before; grown > 100_000 {
		t.Errorf("4000 samples of 100 kB make the process grow by %d kB", grown)
	}
}
