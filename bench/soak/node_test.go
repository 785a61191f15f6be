//go:build cyclone

package soak

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
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

	ready chan struct{} // closed when the node has its model

	mu    sync.Mutex
	seen  bool // a state with a model
	rowOf map[builtininterfaces.Time]int
	got   []answer
}

// startNode builds the command and runs the node, until the test ends, on a
// domain of its own and on loopback only.
func startNode(t *testing.T) *peer {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "firstcontact")
	if out, err := exec.Command("go", "build", "-tags", "cyclone", "-buildvcs=false", "-o", binary, "../../cmd/firstcontact").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	set := map[string]string{"ROS_DOMAIN_ID": strconv.Itoa(101 + os.Getpid()%100), "ROS_LOCALHOST_ONLY": "1"}
	env, err := ros.ReadEnvironment(func(name string) (string, bool) { v, ok := set[name]; return v, ok })
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, "node", "--ros-args", "-p", "robot_description_file:="+robot, "-p", "joint_state_timeout:=1.0", "--log-level", "warn")
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
		if err := cmd.Wait(); err != nil || t.Failed() {
			t.Logf("the node: %v\n%s", err, errs.String())
		}
	})
	me, err := ros.NewNode(cyclone.Transport{}, ros.Options{Name: "soak", Env: env})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { me.Close() })
	return newPeer(t, me)
}

func newPeer(t *testing.T, me *ros.Node) *peer {
	t.Helper()
	p := &peer{ready: make(chan struct{}), rowOf: map[builtininterfaces.Time]int{}}
	var err error
	if p.joints, err = ros.Advertise[sensormsgs.JointState](me, "joint_states", ros.QoS{Depth: 100}); err != nil {
		t.Fatal(err)
	}
	if p.states, err = ros.Subscribe(me, "firstcontact/state", ros.QoS{Depth: 1000}, func(m *fcmsgs.CollisionState, _ ros.MessageInfo) { p.receive(m) }); err != nil {
		t.Fatal(err)
	}
	ctx := waitCtx(t, 2*time.Minute)
	if err := errors.Join(p.joints.WaitSubscribers(ctx, 1), p.states.WaitPublishers(ctx, 1)); err != nil {
		t.Fatalf("the node cannot be reached: %v", err)
	}
	select {
	case <-p.ready:
	case <-ctx.Done():
		t.Fatal("the node does not load its model")
	}
	return p
}

// receive keeps each state that judges a row, once; a state is said again where
// nothing new has come.
func (p *peer) receive(m *fcmsgs.CollisionState) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if m.ModelHash != "" && !p.seen {
		p.seen = true
		close(p.ready)
	}
	row, known := p.rowOf[m.Header.Stamp]
	if !known {
		if m.Level != fcmsgs.CollisionStateUnknown || len(p.got) == 0 {
			return // from before the start
		}
		row = p.got[len(p.got)-1].row // it is not known any more
	}
	if n := len(p.got); known && n > 0 && p.got[n-1].Header.Stamp == m.Header.Stamp {
		return
	}
	p.got = append(p.got, answer{row, m})
}

// play sends the rows at their pace and returns the states that came back.
func (p *peer) play(t *testing.T, joints []string, rows [][]float64) []answer {
	t.Helper()
	m := &sensormsgs.JointState{Name: joints}
	begin := time.Now()
	for i, q := range rows {
		time.Sleep(time.Until(begin.Add(time.Duration(i) * time.Second / rate)))
		m.Position = q
		m.Header.Stamp = builtininterfaces.TimeOf(time.Now())
		p.mu.Lock()
		p.rowOf[m.Header.Stamp] = i
		p.mu.Unlock()
		if err := p.joints.Publish(m); err != nil {
			t.Fatal(err)
		}
	}
	last := m.Header.Stamp
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		p.mu.Lock()
		n := len(p.got)
		if n > 0 && p.got[n-1].Header.Stamp == last || time.Now().After(deadline) {
			got := p.got[:n:n]
			p.mu.Unlock()
			if missed := p.states.Stats().Missed; missed > 0 {
				t.Errorf("%d states were lost on the way back", missed)
			}
			return got
		}
		p.mu.Unlock()
	}
}
