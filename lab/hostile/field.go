//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/stdmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// settings are those of a whole run.
type settings struct {
	binary  string // the node's program
	timeout time.Duration
	each    time.Duration // of one attack
	memory  int           // kB: beyond it the node is killed
	seed    uint64
	verbose bool
	lenient bool // rates and times are those of a busy machine
}

// field is a node under attack with all that is around it.
type field struct {
	settings
	graph  graph
	folder string
	node   *process
	me     *ros.Node
	ledger *ledger
	judge  *judge
	watch  *observer
	probe  *probe

	publishers []*publisher
	numbers    int      // of publishers so far
	notes      []string // what else was seen

	asked bool // the node was asked to end

	watching context.CancelFunc
	stranger *stranger
}

// patience is how long what must happen may take on a busy machine.
const patience = 30 * time.Second

// open starts a node and what watches it.
func open(s settings, a *attack) (*field, error) {
	f := &field{settings: s, graph: newGraph(), ledger: newLedger()}
	f.judge = &judge{timeout: s.timeout, ledger: f.ledger}
	var err error
	if f.folder, err = os.MkdirTemp("", "hostile-"); err != nil {
		return nil, err
	}
	if err := writeRobot(f.folder); err != nil {
		return nil, err
	}
	if f.me, err = f.graph.join("observer"); err != nil {
		return nil, err
	}
	if f.probe, err = newProbe(f.me); err != nil {
		return nil, err
	}
	if f.watch, err = observe(f.me, f.judge, f.probe.hear); err != nil {
		return nil, err
	}
	if f.node, err = startProcess(f.graph, s.binary, max(s.memory, a.memory), f.arguments(a)...); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	f.watching = cancel
	go f.keepJudging(ctx)
	return f, nil
}

func (f *field) arguments(a *attack) []string {
	args := []string{
		"-p", fmt.Sprintf("joint_state_timeout:=%g", f.timeout.Seconds()),
		"-p", "distance_range.max:=3.0", // the closest pair is always told
	}
	if !a.withoutModel {
		args = append(args, "-p", "robot_description_file:="+filepath.Join(f.folder, "rails.urdf"))
	}
	if !a.withoutSRDF {
		args = append(args, "-p", "robot_description_semantic_file:="+filepath.Join(f.folder, "rails.srdf"))
	} else {
		args = append(args, "-p", "accept:=[default-pairs]")
	}
	for _, p := range a.parameters {
		args = append(args, "-p", p)
	}
	return args
}

func (f *field) keepJudging(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			f.judge.work(now.Add(-settle))
			f.ledger.forget(now.Add(-settle - keep).UnixNano())
		}
	}
}

// wait blocks until something happens to the node.
func (f *field) wait(what string, happened <-chan struct{}) error {
	select {
	case <-happened:
		return nil
	case <-f.node.done:
		return fmt.Errorf("the node ended before %s, with status %d: %s", what, f.node.status(), strings.Join(f.node.log.tail(), " | "))
	case <-time.After(patience):
		return fmt.Errorf("%s: not within %v: %s", what, patience, strings.Join(f.node.log.tail(), " | "))
	}
}

// publish starts another publisher.
func (f *field) publish(o order) (*publisher, error) {
	p, err := startPublisher(f.graph, f.ledger, f.numbers, o)
	if err == nil {
		f.numbers++
		f.publishers = append(f.publishers, p)
	}
	return p, err
}

// pauseNode stops the node for a time.
func (f *field) pauseNode(ctx context.Context, d time.Duration) {
	resumed := f.judge.paused()
	begin := time.Now()
	f.node.signal(syscall.SIGSTOP)
	sleep(ctx, d)
	f.watch.rest(time.Since(begin))
	f.node.signal(syscall.SIGCONT)
	resumed()
}

// describe publishes a description as a robot_state_publisher would, until the field closes.
func (f *field) describe(topic, text string) error {
	p, err := ros.Advertise[stdmsgs.String](f.me, topic, ros.LatchedQoS)
	if err != nil {
		return err
	}
	return p.Publish(&stdmsgs.String{Data: text})
}

func (f *field) note(format string, args ...any) {
	f.notes = append(f.notes, fmt.Sprintf(format, args...))
}

// close ends all, lets the judge finish, and tells how the node ended.
func (f *field) close() error {
	if f.stranger != nil {
		f.stranger.kill()
	}
	var err error
	if f.asked && f.node.ended() {
		if f.node.status() != 0 {
			err = fmt.Errorf("the node was asked to end, and ended with status %d", f.node.status())
		}
	} else if f.node.ended() {
		err = fmt.Errorf("the node ended with status %d: %s", f.node.status(), strings.Join(f.node.log.tail(), " | "))
		if _, killed := f.node.gauge.most(); killed {
			err = fmt.Errorf("the node used more than %d MB and was killed", f.memory/1000)
		}
	} else {
		f.node.log.block(false)
		if took, ok := f.node.stop(5 * time.Second); !ok {
			err = errors.New("the node did not end within 5 s of SIGTERM")
		} else if f.node.status() != 0 {
			err = fmt.Errorf("after SIGTERM the node ended with status %d, in %v: %s", f.node.status(), took, strings.Join(f.node.log.tail(), " | "))
		}
	}
	for _, p := range f.publishers {
		p.signal(syscall.SIGCONT)
		p.kill() // and read what it had to tell
	}
	f.watching()
	time.Sleep(50 * time.Millisecond) // the last states
	go f.me.Close()                   // which waits for readers that are gone
	f.judge.work(time.Now())
	os.RemoveAll(f.folder)
	return err
}

// sleep waits, but not beyond the end of a context.
func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
