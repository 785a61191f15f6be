package gate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// Options of a gate.
type Options struct {
	Node  *ros.Node
	Judge Judge
	// Controllers are the names of the controllers, relative to the node's namespace.
	Controllers []string
	// Deadline returns the time for a verdict, from the arrival of a goal.
	Deadline func() time.Duration
	// Bounds are those of goals and trajectories.
	Bounds ros.Bounds
	// Rate, if not zero, bounds the trajectories of each participant on a topic.
	Rate ros.Rate
	// Guard runs a callback; the zero value runs it as it is.
	Guard func(func())
}

// The patience of a gate.
const (
	watchPeriod    = 50 * time.Millisecond  // between two looks at the rest of a trajectory
	verdictGrace   = time.Second            // that a verdict may take beyond the deadline
	answerPatience = 2 * time.Second        // for the controller's answer to a goal
	endPatience    = 5 * time.Second        // for the result of a goal that was canceled or replaced
	stopPatience   = 300 * time.Millisecond // for what is found of a stop; the result waits, the stop does not
	lostPatience   = time.Second            // for a controller that is not to be seen
	askPause       = 50 * time.Millisecond  // before a controller is asked again to cancel a goal; then twice as long each time
	notePatience   = time.Second            // for a controller to know a goal that it has accepted
	strayPatience  = 10 * time.Second       // for a goal to reach a controller that answers to other requests
	closePatience  = 4 * time.Second        // for controllers to say that they cancel goals when the gate closes
)

// Gate stands in front of controllers.
type Gate struct {
	Options
	log      *ros.Logger
	turn     chan struct{}   // capacity 1: one trajectory is forwarded at a time
	ctx      context.Context // ends when the gate closes
	stop     context.CancelFunc
	last     context.Context // ends when it has closed: what it asks the controllers at last
	end      context.CancelFunc
	goals    sync.WaitGroup
	calls    sync.WaitGroup // to controllers, which last ends
	bypasses bypasses

	mu          sync.Mutex
	controllers []*controller
	closed      bool // no goals.Add follows
}

// all returns the controllers.
func (g *Gate) all() []*controller {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.controllers)
}

// New offers the actions and topics of all controllers. The caller closes the gate before the
// node.
func New(o Options) (_ *Gate, err error) {
	if o.Guard == nil {
		o.Guard = func(f func()) { f() }
	}
	g := &Gate{Options: o, log: o.Node.Logger(), turn: make(chan struct{}, 1)}
	g.last, g.end = context.WithCancel(context.Background())
	g.ctx, g.stop = context.WithCancel(g.last)
	for _, name := range o.Controllers {
		c, err := newController(g, name)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("gate of controller %s: %w", name, err), g.Close())
		}
		g.mu.Lock()
		g.controllers = append(g.controllers, c)
		g.mu.Unlock()
		g.begin(func() { c.client.Wait(g.ctx) }) // so that the first goal need not
	}
	return g, nil
}

// Run looks for ways around the gate until the context ends. Then it closes the gate.
func (g *Gate) Run(ctx context.Context) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return g.Close()
		case <-tick.C:
			g.lookForBypasses()
		}
	}
}

// Close ends the gate: goals that wait are aborted, and those that controllers execute are
// canceled there, because nobody watches them any more.
func (g *Gate) Close() (err error) {
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
	g.stop()
	defer time.AfterFunc(closePatience, g.end).Stop()
	g.goals.Wait()
	g.end()
	g.calls.Wait()
	for _, c := range g.all() {
		err = errors.Join(err, c.close())
	}
	return err
}

// begin runs work for a goal, unless the gate is closed.
func (g *Gate) begin(work func()) bool { return g.beginAfter(func() {}, work) }

// beginAfter runs first, and then work in a goroutine of its own, unless the gate is closed. A gate
// that closes waits for both.
func (g *Gate) beginAfter(first, work func()) (begun bool) {
	g.mu.Lock()
	if g.closed {
		g.mu.Unlock()
		return false
	}
	g.goals.Add(1)
	g.mu.Unlock()
	defer func() {
		if !begun { // first has panicked
			g.goals.Done()
		}
	}()
	first()
	go func() {
		defer g.goals.Done()
		g.Guard(work)
	}()
	return true
}

// atLast runs what a goal still has to do when the gate closes, until last ends. The goal calls it.
func (g *Gate) atLast(work func()) {
	g.calls.Add(1)
	go func() {
		defer g.calls.Done()
		g.Guard(work)
	}()
}

// Running returns what the controllers execute, as far as the gate forwarded it.
func (g *Gate) Running() (plans []Plan) {
	for _, c := range g.all() {
		if r := c.present(); r != nil {
			plans = append(plans, r.plan)
		}
	}
	return plans
}

// Report is what a gate has done so far.
type Report struct {
	Controllers []ControllerReport
	// Bypasses tells which ways past the gate there are now.
	Bypasses []string
}

// ControllerReport is the part of one controller.
type ControllerReport struct {
	Name      string
	Present   bool // its action server is there
	Executing bool // a trajectory, as far as the gate knows
	Forwarded uint64
	Refused   uint64
	Stopped   uint64 // that were canceled because their proof did not hold any more
}

// Report returns what the gate has done so far.
func (g *Gate) Report() (r Report) {
	for _, c := range g.all() {
		r.Controllers = append(r.Controllers, c.report())
	}
	r.Bypasses = g.bypasses.present()
	return r
}
