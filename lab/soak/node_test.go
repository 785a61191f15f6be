//go:build cyclone

package soak

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/node/ros/cyclone"
)

// peer is this process's side of the wire to a node of its own.
type peer struct {
	joints *ros.Publisher[sensormsgs.JointState]
	states *ros.Subscription

	loaded  chan struct{} // closed when the node has its model
	once    sync.Once
	arrived chan struct{} // a token for every state that judges something new

	mu   sync.Mutex
	rows [][]float64                    // all that were sent
	sent map[builtininterfaces.Time]int // index in rows, by stamp
	got  []answer
}

// graph keeps this test's processes on loopback and apart from all others, by a
// domain and, where that is taken, by a tag.
func graph() map[string]string {
	return map[string]string{
		"ROS_DOMAIN_ID":                 strconv.Itoa(1 + os.Getpid()%100),
		"ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST",
		"ROS_DISTRO":                    "jazzy",
		"CYCLONEDDS_URI": fmt.Sprintf(`<CycloneDDS><Domain><General><Interfaces><NetworkInterface address="127.0.0.1" multicast="false"/></Interfaces></General>`+
			`<Discovery><Tag>soak_%d</Tag></Discovery></Domain></CycloneDDS>`, os.Getpid()),
	}
}

// startNode builds the command and runs its node until the test ends.
func startNode(t *testing.T) *peer {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "firstcontact")
	if out, err := exec.Command("go", "build", "-C", "../..", "-tags", "cyclone", "-buildvcs=false", "-o", binary, "./cmd/firstcontact").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	set := graph()
	env, err := ros.ReadEnvironment(func(name string) (string, bool) { v, ok := set[name]; return v, ok })
	if err != nil {
		t.Fatal(err)
	}
	// A machine that is busy may keep this process waiting for longer than the
	// default of 0.1 s.
	cmd := exec.Command(binary, "node", "--ros-args", "-p", "robot_description_file:="+robot, "-p", "joint_state_timeout:=3.0", "--log-level", "warn")
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "ROS_") && !strings.HasPrefix(v, "CYCLONEDDS_URI=") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	for name, value := range set {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		if err := cmd.Wait(); err != nil {
			t.Errorf("the node ends with %v", err)
		}
		if t.Failed() {
			t.Logf("the node said:\n%s", errs.String())
		}
	})
	me, err := ros.NewNode(cyclone.Transport{}, ros.Options{Name: "soak", Env: env, Logger: ros.NewLogger(nil, "soak", ros.LevelWarn)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { me.Close() })
	return newPeer(t, me)
}

func newPeer(t *testing.T, me *ros.Node) *peer {
	t.Helper()
	p := &peer{loaded: make(chan struct{}), arrived: make(chan struct{}, 1), sent: map[builtininterfaces.Time]int{}}
	var err error
	if p.joints, err = ros.Advertise[sensormsgs.JointState](me, "joint_states", ros.QoS{Depth: 100}); err != nil {
		t.Fatal(err)
	}
	if p.states, err = ros.Subscribe(me, "firstcontact/state", ros.QoS{Depth: 10_000}, func(m *fcmsgs.CollisionState, _ ros.MessageInfo) { p.receive(m, time.Now()) }); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := errors.Join(p.joints.WaitSubscribers(ctx, 1), p.states.WaitPublishers(ctx, 1)); err != nil {
		t.Fatalf("the node cannot be reached: %v", err)
	}
	select {
	case <-p.loaded:
	case <-ctx.Done():
		t.Fatal("the node does not load its model")
	}
	return p
}

// patience is how long what must happen may take on a busy machine.
const patience = 2 * time.Minute

// answer is a state that came back, with the row that it judges, or -1 where it
// judges none, and how long after the row it came.
type answer struct {
	*fcmsgs.CollisionState
	row     int
	latency float64 // s
}

// receive keeps each state once; a state is said again where nothing new has come.
func (p *peer) receive(m *fcmsgs.CollisionState, at time.Time) {
	if m.ModelHash != "" {
		p.once.Do(func() { close(p.loaded) })
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	a := answer{m, -1, 0}
	if row, ok := p.sent[m.Header.Stamp]; ok {
		a.row, a.latency = row, at.Sub(m.Header.Stamp.Time()).Seconds()
	}
	if n := len(p.got); n > 0 && p.got[n-1].row == a.row {
		return
	}
	p.got = append(p.got, a)
	select {
	case p.arrived <- struct{}{}:
	default:
	}
}

// send publishes a row and returns its number, counted from the first sent.
func (p *peer) send(t *testing.T, joints []string, q []float64) int {
	t.Helper()
	m := &sensormsgs.JointState{Name: joints, Position: q}
	m.Header.Stamp = builtininterfaces.TimeOf(time.Now())
	p.mu.Lock()
	row := len(p.rows)
	p.rows = append(p.rows, q)
	p.sent[m.Header.Stamp] = row
	p.mu.Unlock()
	if err := p.joints.Publish(m); err != nil {
		t.Fatal(err)
	}
	return row
}

// judged reports whether the node has judged a row, or a later one.
func (p *peer) judged(row int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.got) > 0 && p.got[len(p.got)-1].row >= row
}

// play sends rows at their pace and returns the states that came back, and how
// often this process was woken too late. It stands in the first row until the
// node follows; the state that says so comes first.
func (p *peer) play(t *testing.T, joints []string, rows [][]float64) (got []answer, stalls int) {
	t.Helper()
	const period = time.Second / rate
	next := time.Now()
	send := func(q []float64) int {
		t.Helper()
		time.Sleep(time.Until(next))
		now := time.Now()
		if now.Sub(next) > period/4 {
			stalls++
		}
		// After a stop of this process the rows do not come in a burst.
		if next = next.Add(period); next.Before(now.Add(period * 3 / 4)) {
			next = now.Add(period * 3 / 4)
		}
		return p.send(t, joints, q)
	}
	first := send(rows[0])
	for begin := time.Now(); !p.judged(first); send(rows[0]) {
		if time.Since(begin) > patience {
			t.Fatal("the node does not follow")
		}
	}
	last := 0
	for _, q := range rows {
		last = send(q)
	}
	deadline := time.After(patience)
	for !p.judged(last) {
		select {
		case <-p.arrived:
		case <-deadline:
			t.Fatalf("row %d was not judged within %v", last, patience)
		}
	}
	if missed := p.states.Stats().Missed; missed > 0 {
		t.Errorf("%d states were lost on the way back", missed)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	begin := slices.IndexFunc(p.got, func(a answer) bool { return a.row >= first })
	return slices.Clone(p.got[begin:]), stalls
}
