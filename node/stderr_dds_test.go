//go:build cyclone && cgo && linux

package node

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"

	"golang.org/x/sys/unix"
)

// Whoever started the node may stop reading its standard error. The pipe is then full,
// and the node goes on: states come at their rate, questions are answered, and it ends
// when it is told to.
func TestFullStandardErrorOverDDS(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	t.Parallel()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	size, err := unix.FcntlInt(write.Fd(), unix.F_SETPIPE_SZ, 4096)
	if err != nil {
		t.Fatal(err)
	}
	write.Write(make([]byte, size))
	g := overDDS()
	var p *process
	g.startNode = func(t *testing.T, g *graph, args []string) {
		p = g.startWith(t, write, "node", append([]string{"--ros-args"}, args...)...)
		write.Close()
	}
	r := g.newRobot(t, railArgs(t)...)
	r.rest()
	_, at := r.waitLevel(0, levelFree, "")
	for i := range 200 {
		id := fmt.Sprintf("%d %s", i, strings.Repeat("x", 100))
		r.publish(r.pair.Publish(&fcmsgs.JointStatePair{ID: id, JointNames: []string{"left_x", "right_x"}, Start: []float64{0, 0}, Goal: []float64{0, 0}}))
		r.waitVerdict(id)
	}
	begin, from := time.Now(), r.states.count()
	time.Sleep(2 * time.Second)
	rate := float64(r.states.count()-from) / time.Since(begin).Seconds()
	if rate < 30 {
		t.Errorf("%.1f states a second", rate)
	}
	r.waitLevel(at, levelFree, "")
	begin = time.Now()
	p.cmd.Process.Signal(os.Interrupt)
	ended := make(chan error, 1)
	go func() { ended <- p.cmd.Wait() }()
	select {
	case err := <-ended:
		took := time.Since(begin)
		t.Logf("%.1f states a second, ended %v after the signal with %v", rate, took, err)
		most := 2 * time.Second
		if race.Enabled {
			most = 6 * time.Second // the race detector's runtime sleeps for a second as a process exits, and slows the rest
		}
		if err != nil || took > most {
			t.Errorf("ended after %v with %v", took, err)
		}
	case <-time.After(20 * time.Second):
		p.cmd.Process.Kill()
		t.Fatal("the node does not end")
	}
}
