package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Work is what a node does in the transitions. A nil function succeeds. An error is a failure:
// the node stays in the state in which it was. An error that wraps ErrFault is a fault: Recover
// decides whether the node becomes unconfigured, or finalized if Recover fails.
//
// The functions run one at a time, on the goroutine that asks for the transition. Their context
// is that of Change.
type Work struct {
	Configure, Cleanup, Activate, Deactivate, Shutdown, Recover func(context.Context) error
}

// ErrFault marks the error of a transition after which the node's parts are in an unknown state.
var ErrFault = errors.New("the transition left the node in an unknown state")

// ErrNotAvailable is wrapped by the error of Change if the present state has no such transition.
var ErrNotAvailable = errors.New("no such transition from the present state")

// Event is a transition that was made.
type Event struct {
	Time time.Time
	Transition
}

// Machine is the state machine of a managed node. It is safe for concurrent use.
type Machine struct {
	work Work
	tell func(Event)

	mu    sync.Mutex
	state State
}

// NewMachine returns a machine in the state Unconfigured. tell is called with every transition,
// in order, and must neither block nor use the machine.
func NewMachine(work Work, tell func(Event)) *Machine {
	return &Machine{work: work, tell: tell, state: Unconfigured}
}

// State returns the present state.
func (m *Machine) State() State {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.state
}

// Available lists the transitions from the present state.
func (m *Machine) Available() []Transition { return from(m.State()) }

func from(s State) (all []Transition) {
	for _, t := range Transitions() {
		if t.Start == s {
			all = append(all, t)
		}
	}
	return all
}

// Change makes a transition by its label or, if that is empty, by its id, and returns when the
// node is in a primary state again. It is refused with ErrNotAvailable while another one is
// under way. The error is that of the work.
func (m *Machine) Change(ctx context.Context, label string, id uint8) error {
	t, err := m.begin(label, id)
	if err != nil {
		return err
	}
	err = m.perform(ctx, t.End)
	m.end(t.End, err)
	if errors.Is(err, ErrFault) {
		m.end(ErrorProcessing, run(ctx, m.work.Recover))
	}
	return err
}

// begin enters a transition state.
func (m *Machine) begin(label string, id uint8) (Transition, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, t := range from(m.state) {
		asked := t.Label == label || label == "" && t.ID == id
		if asked && t.Start < Configuring { // transition states are left by the work alone
			m.enter(t)
			return t, nil
		}
	}
	what := label
	if what == "" {
		what = fmt.Sprintf("transition %d", id)
	}
	return Transition{}, fmt.Errorf("%w: %s, %q", ErrNotAvailable, m.state, what)
}

// enter makes a transition. The caller holds mu.
func (m *Machine) enter(t Transition) {
	m.state = t.End
	m.tell(Event{time.Now(), t})
}

// end leaves a transition state.
func (m *Machine) end(in State, err error) {
	label := succeeded
	switch {
	case errors.Is(err, ErrFault):
		label = erred
	case err != nil:
		label = failed
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, t := range from(in) {
		if t.Label == label {
			m.enter(t)
			return
		}
	}
}

// perform does the work of a transition state.
func (m *Machine) perform(ctx context.Context, in State) error {
	switch in {
	case Configuring:
		return run(ctx, m.work.Configure)
	case CleaningUp:
		return run(ctx, m.work.Cleanup)
	case Activating:
		return run(ctx, m.work.Activate)
	case Deactivating:
		return run(ctx, m.work.Deactivate)
	case ShuttingDown:
		return run(ctx, m.work.Shutdown)
	}
	return nil
}

// run does a part of the work. A panic is a fault.
func run(ctx context.Context, work func(context.Context) error) (err error) {
	if work == nil {
		return nil
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: panic: %v", ErrFault, p)
		}
	}()
	return work(ctx)
}
