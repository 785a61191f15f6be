package node

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/node/internal/diagnostics"
	"github.com/firstcontact-ros/firstcontact/node/ros/lifecycle"
	"github.com/firstcontact-ros/firstcontact/node/selftest"
)

// life is the node as a managed node. Its model may be used, and so states and verdicts say
// more than UNKNOWN and UNDECIDED, only while it is active: until then the loader hands out none.
type life struct {
	*lifecycle.Server
	questions func() []selftest.Question // of the self-test
	begun     chan struct{}              // closed when ctx is set
	ctx       context.Context            // of Run

	mu     sync.Mutex
	wrong  error  // why the program cannot be trusted; nil if the self-test is passed
	unload func() // ends the loader and waits for it; nil if it does not run
}

// The reasons of states and verdicts while the node is not active.
const (
	unconfigured = "the node is unconfigured: let it configure and activate (ros2 lifecycle set, or the parameter autostart)"
	inactive     = "the node is inactive: activate it (ros2 lifecycle set, or the parameter autostart)"
	finalized    = "the node is shut down: start it again"
	untrusted    = "the self-test of this program has failed: see the node's log"
)

// manage makes the node a managed node. Call it before anything is asked of the loader.
func (n *Node) manage() (err error) {
	l := &n.life
	l.questions, l.begun = selftest.Questions, make(chan struct{})
	if n.values.Bool("autostart") {
		n.loader.enter(stage{inactive, true})
	} else {
		n.loader.enter(stage{unconfigured, false})
	}
	n.diagnosis.Add("lifecycle", n.lifecycleEntry)
	l.Server, err = lifecycle.Serve(n.ros, lifecycle.Work{
		Configure: n.part(n.configure), Activate: n.part(n.activate), Deactivate: n.part(n.deactivate),
		Cleanup: n.part(n.cleanup), Shutdown: n.part(n.shutDown), Recover: n.cleanup,
	})
	return err
}

// part returns a part of a transition. An internal fault ends the node, as everywhere.
func (n *Node) part(work func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		err := guarded(func() error { return work(ctx) })
		if errors.Is(err, ErrInternal) {
			n.fault(err)
			err = fmt.Errorf("%w: %w", lifecycle.ErrFault, err)
		}
		return err
	}
}

// patiently marks the context of a transition that may wait for a robot description as long as
// the context lasts.
type patiently struct{}

// lead starts the node if it starts by itself, and shuts it down when the context ends. It fails
// if the model that the parameters describe cannot be checked: without one the node would only
// appear to work.
func (n *Node) lead(ctx context.Context) error {
	n.life.ctx = ctx
	close(n.life.begun)
	if n.values.Bool("autostart") {
		err := n.life.Change(context.WithValue(ctx, patiently{}, true), lifecycle.Configure, 0)
		if err == nil {
			err = n.life.Change(ctx, lifecycle.Activate, 0)
		}
		if err != nil && ctx.Err() == nil && !errors.Is(err, lifecycle.ErrNotAvailable) && !errors.Is(err, selftest.ErrWrong) {
			return err
		}
	}
	<-ctx.Done()
	for end := time.Now().Add(farewell); time.Now().Before(end); time.Sleep(time.Millisecond) {
		// A transition that others asked for ends with the context.
		if err := n.life.Change(context.WithoutCancel(ctx), lifecycle.Shutdown, 0); err == nil || n.life.State() == lifecycle.Finalized {
			break
		}
	}
	return nil
}

// configure tests the program and loads the model. It waits for a description from a topic as
// long as the parameter robot_description_timeout says.
func (n *Node) configure(ctx context.Context) error {
	select {
	case <-n.life.begun:
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := n.trust(ctx); err != nil {
		return err
	}
	n.loader.enter(stage{inactive, true})
	err := n.load(ctx)
	if err != nil {
		n.forget()
		n.loader.enter(stage{unconfigured, false})
	}
	return err
}

// trust runs the self-test. A wrong answer is told when the node is to become active.
func (n *Node) trust(ctx context.Context) error {
	err := selftest.Check(ctx, n.life.questions())
	n.life.mu.Lock()
	defer n.life.mu.Unlock()
	n.life.wrong = nil
	if errors.Is(err, selftest.ErrWrong) {
		n.life.wrong = err
		return nil
	}
	return err
}

// load starts the loader and waits for its first model.
func (n *Node) load(ctx context.Context) error {
	loading, cancel := context.WithCancel(n.life.ctx)
	tried, ended := make(chan error, 1), make(chan error, 1)
	n.loader.tried = func(err error) {
		select {
		case tried <- err:
		default: // nobody waits any more
		}
	}
	go func() {
		err := guarded(func() error { return n.loader.run(loading) })
		if errors.Is(err, ErrInternal) {
			n.fault(err)
		}
		ended <- err
	}()
	n.life.mu.Lock()
	n.life.unload = func() {
		cancel()
		<-ended
	}
	n.life.mu.Unlock()
	patient := ctx.Value(patiently{}) != nil
	var late <-chan time.Time
	if !patient && !n.loader.given {
		late = time.After(span(n.values.Double("robot_description_timeout")))
	}
	for {
		select {
		case err := <-tried:
			if err == nil || n.loader.given || !patient {
				return err
			} // else a better description may come
		case <-late:
			return fmt.Errorf("no robot description has come within %g s (robot_description_timeout): give one of the parameters robot_description and robot_description_file, or publish it on the topic robot_description", n.values.Double("robot_description_timeout"))
		case <-ctx.Done():
			return ctx.Err()
		case <-n.life.ctx.Done():
			return n.life.ctx.Err()
		}
	}
}

// fault ends the node after an internal fault.
func (n *Node) fault(err error) {
	select {
	case n.faults <- err:
	default: // one is enough
	}
}

// forget ends the loader and frees the model.
func (n *Node) forget() {
	n.life.mu.Lock()
	unload := n.life.unload
	n.life.unload = nil
	n.life.mu.Unlock()
	if unload != nil {
		unload()
	}
	n.loader.forget()
}

// activate lets the model be used, unless an answer of the self-test was wrong.
func (n *Node) activate(context.Context) error {
	n.life.mu.Lock()
	wrong := n.life.wrong
	n.life.mu.Unlock()
	if wrong != nil {
		n.ros.Logger().Fatalf("the node stays inactive: %v", wrong)
		n.loader.enter(stage{untrusted, true})
		return wrong
	}
	n.loader.enter(stage{working: true})
	n.ros.Logger().Infof("active: states and verdicts are given")
	return nil
}

// deactivate withholds the model. It returns when the published state is UNKNOWN.
func (n *Node) deactivate(context.Context) error {
	n.loader.enter(stage{inactive, true})
	n.awaitUnknown(inactive)
	n.ros.Logger().Warnf("inactive: every state is UNKNOWN and every verdict UNDECIDED until the node is activated again")
	return nil
}

// cleanup frees the model.
func (n *Node) cleanup(context.Context) error {
	n.loader.enter(stage{unconfigured, false})
	n.forget()
	return nil
}

// shutDown withholds and frees the model for good. The process goes on, with UNKNOWN states,
// until it is told to end.
func (n *Node) shutDown(context.Context) error {
	n.loader.enter(stage{finalized, false})
	n.awaitUnknown(finalized)
	n.forget()
	return nil
}

// awaitUnknown waits until a state with that reason, or the last state of all, is published. It
// gives up after a while: the watchdog speaks for a monitor that does not.
func (n *Node) awaitUnknown(reason string) {
	for end := time.Now().Add(max(farewell, 3*n.monitor.limits.period())); time.Now().Before(end); time.Sleep(time.Millisecond) {
		s := n.diagnosis.state.Load()
		if s != nil && s.Level == fcmsgs.CollisionStateUnknown && (s.Reason == reason || s.Reason == stopped) {
			return
		}
	}
}

// lifecycleEntry tells the state of the node's life.
func (n *Node) lifecycleEntry(e *diagnostics.Entry) {
	n.life.mu.Lock()
	wrong := n.life.wrong
	n.life.mu.Unlock()
	state := n.life.State()
	switch {
	case wrong != nil:
		e.Raise(diagnostics.Error, "%v", wrong)
	case state != lifecycle.Active:
		e.Raise(diagnostics.Warn, "%s: states are UNKNOWN", state)
	}
	e.Value("state", state)
}
