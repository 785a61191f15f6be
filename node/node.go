package node

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/firstcontact-ros/firstcontact/config"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// Node is firstcontact in a ROS graph.
type Node struct {
	ros       *ros.Node
	values    config.Values
	loader    *loader
	monitor   *monitor
	validator *validator
	states    *ros.Subscription
	out       publishers
	faults    chan error    // of this program, in callbacks
	warned    atomic.Int64  // when the last warning was given, in nanoseconds
	impostors atomic.Uint32 // publishers of others on the node's own topics
}

// Options of a node.
type Options struct {
	Args ros.Args
	Env  ros.Environment
	// Logger replaces the default: standard error at the levels of Args.
	Logger *ros.Logger
}

// New joins the graph. It fails on parameters that are unknown or out of
// range. Questions that come before Run wait for it.
func New(t ros.Transport, o Options) (*Node, error) {
	rn, err := ros.NewNode(t, ros.Options{Name: "firstcontact", Args: o.Args, Env: o.Env, Logger: o.Logger})
	if err != nil {
		return nil, err
	}
	n := &Node{ros: rn, faults: make(chan error, 1)}
	if err := n.connect(); err != nil {
		return nil, errors.Join(err, rn.Close())
	}
	return n, nil
}

func (n *Node) connect() (err error) {
	if n.values, err = config.Validate(n.ros.ParameterOverrides()); err != nil {
		return err
	}
	if err := n.advertise(); err != nil {
		return err
	}
	log := n.ros.Logger()
	n.monitor = newMonitor(limitsOf(n.values), n.publishState, log.Warnf)
	n.loader = newLoader(n.values, log, n.monitor.use)
	n.validator = newValidator(n.loader.current, n.monitor.measured, n.publishVerdict)
	return n.subscribe()
}

func limitsOf(v config.Values) limits {
	return limits{
		stop: v.Double("distance_range.min"), far: v.Double("distance_range.max"), warn: v.Double("warn_distance"),
		pairs: int(v.Int("top_k_pairs")), rate: v.Double("check_rate"), timeout: span(v.Double("joint_state_timeout")),
		exclusive: v.Bool("joint_states.exclusive"),
	}
}

// Run works until the context ends. It fails where the model that the parameters
// describe cannot be checked, and, with ErrInternal, after a fault of this
// program. The last state that it publishes is UNKNOWN.
func (n *Node) Run(parent context.Context) error {
	ctx, stop := context.WithCancelCause(parent)
	defer stop(nil)
	var wg sync.WaitGroup
	for _, work := range []func(context.Context) error{n.monitor.live, n.monitor.run, n.validator.run, n.loader.run, n.watchFaults, n.watchLosses, n.watchPublishers, n.watchImpostors} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if err := guarded(func() error { return work(ctx) }); err != nil {
				stop(err)
			}
		}()
	}
	wg.Wait()
	if err := context.Cause(ctx); err != context.Cause(parent) {
		return err
	}
	return nil
}

// watchFaults ends the node after a fault in a callback.
func (n *Node) watchFaults(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case err := <-n.faults:
		return err
	}
}

// watchLosses tells of measurements that never reached the monitor: the motions
// across such gaps are judged as if they were straight.
func (n *Node) watchLosses(ctx context.Context) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	var told uint64
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			if lost := n.states.Stats().Missed; lost > told {
				n.ros.Logger().Warnf("%d joint states were lost on their way here (%d so far): the motions across these gaps are judged as straight lines", lost-told, lost)
				told = lost
			}
		}
	}
}

// Close leaves the graph. Run should have returned.
func (n *Node) Close() error { return n.ros.Close() }

// Name is the node's full name.
func (n *Node) Name() string { return n.ros.FullName() }
