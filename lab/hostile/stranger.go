//go:build linux

package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// stranger is a process that floods the node, apart from the one that observes it.
type stranger struct {
	cmd  *exec.Cmd
	life io.Closer // its standard input
	done chan struct{}
	out  strings.Builder // what it tells, after done
}

func startStranger(g graph, attack string) (*stranger, error) {
	cmd, err := g.child("stranger", attack)
	if err != nil {
		return nil, err
	}
	s := &stranger{cmd: cmd, done: make(chan struct{})}
	if s.life, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	cmd.Stdout = &s.out
	ended, err := startBound(cmd)
	if err != nil {
		return nil, err
	}
	go func() {
		<-ended
		close(s.done)
	}()
	return s, nil
}

// end asks the process to end and returns what it told.
func (s *stranger) end() string {
	s.life.Close()
	s.kill()
	return strings.TrimSpace(s.out.String())
}

// kill ends it by force where it does not go.
func (s *stranger) kill() {
	_ = s.cmd.Process.Signal(syscall.SIGCONT)
	s.life.Close()
	select {
	case <-s.done:
		return
	case <-time.After(strangerGrace):
	}
	_ = s.cmd.Process.Kill()
	<-s.done
}

// flood is what a stranger's process has at hand.
type flood struct {
	ctx  context.Context // until the attack ends
	node *ros.Node
	dice *rand.Rand

	mu    sync.Mutex
	notes []string
}

// tell adds to what the report says of the attack.
func (f *flood) tell(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.notes = append(f.notes, fmt.Sprintf(format, args...))
}

// beStranger is the process: it floods until its standard input ends.
func beStranger(name string) error {
	a := find(name)
	if a == nil || a.flood == nil {
		return fmt.Errorf("there is no flood called %q", name)
	}
	n, err := joinInherited("stranger")
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	f := &flood{ctx: ctx, node: n, dice: rand.New(rand.NewPCG(1, 2))}
	err = a.flood(f)
	for _, note := range f.notes {
		fmt.Println(note)
	}
	return err // without closing the node: what an attack left open may not close
}

// raw makes a writer of serialized messages of a type.
func raw[T any, PT interface {
	*T
	cdr.Message
}](f *flood, topic string, qos ros.QoS) (ros.Writer, error) {
	return f.node.Participant().NewWriter(ros.Endpoint{Topic: topic, Type: PT(new(T)).ROSType().DDSName(), QoS: qos})
}
