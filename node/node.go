package node

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/firstcontact-ros/firstcontact/config"
	"github.com/firstcontact-ros/firstcontact/node/internal/gate"
	"github.com/firstcontact-ros/firstcontact/node/internal/record"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// Node is the firstcontact node in a ROS graph.
type Node struct {
	ros         *ros.Node
	values      config.Values           // at start
	live        atomic.Pointer[present] // now
	overrides   []*ros.QoSOverride      // of the start
	loader      *loader
	worlds      *worlds
	scene       *planningScene // nil if there is no live one
	monitor     *monitor
	validator   *validator
	states      *ros.Subscription
	out         publishers
	faults      chan error // internal faults in callbacks
	reports     reports
	points      *points // nil if no topic is asked for
	transforms  transforms
	successions []*succession     // of the controllers whose topics are heard
	warned      atomic.Int64      // when the last warning was given, in nanoseconds
	impostors   atomic.Uint32     // other publishers on the node's own topics
	abort       func()            // of Options
	stuck       atomic.Bool       // a goroutine of this node never ends
	recording   *record.Recording // nil if nothing is recorded
	drawings    *drawings         // nil if there are no markers
	web         *web              // nil if there is no page

	gate      *gate.Gate // nil if no controller has one
	diagnosis diagnosis
	life      life
	distro    string // ROS_DISTRO
}

// Options of a node.
type Options struct {
	Args ros.Args
	Env  ros.Environment
	// Logger replaces the default: standard error at the levels of Args.
	Logger *ros.Logger
	// Abort ends the process at once with a failure status. It is called some time after Run
	// should have returned because the monitor makes no progress, in case the caller of Run is
	// stuck as well, for instance in a write to a log that nobody reads. Nil does nothing.
	Abort func()
}

// New joins the graph. It fails on parameters that are unknown or out of range. Questions that
// arrive before Run wait for it.
func New(t ros.Transport, o Options) (*Node, error) {
	rn, err := ros.NewNode(t, ros.Options{Name: "firstcontact", Args: o.Args, Env: o.Env, Logger: o.Logger})
	if err != nil {
		return nil, err
	}
	n := &Node{ros: rn, distro: o.Env.Distro, faults: make(chan error, 1), abort: o.Abort}
	if err := n.connect(); err != nil {
		n.record()() // ends the file
		n.web.close()
		return nil, errors.Join(failed(rn.Logger(), err), rn.Close())
	}
	return n, nil
}

var errNotSecured = errors.New("parameter security.required: the node is not secured; set ROS_SECURITY_ENABLE=true, ROS_SECURITY_STRATEGY=Enforce and ROS_SECURITY_KEYSTORE, name its enclave with --enclave, and see what the log says of the governance")

func (n *Node) connect() (err error) {
	g, err := settings(n.ros.ParameterOverrides())
	if err != nil {
		return err
	}
	n.take(g)
	if n.values.Bool("security.required") && !n.ros.Secured() {
		return errNotSecured
	}
	if err := errors.Join(n.startRecording(), n.advertise(), n.advertiseMarkers()); err != nil {
		return err
	}
	log := n.ros.Logger()
	if err := errors.Join(checkRanges(n.values), checkTime(n.values)); err != nil {
		return err
	}
	n.monitor = newMonitor(limitsOf(n.values), n.publishState, log.Warnf)
	required, err := pinsOf(n.values)
	if err != nil {
		return err
	}
	n.loader = newLoader(n.values, required, log, n.monitor.use)
	n.loader.loaded = n.recordDescription
	n.worlds = newWorlds(n.loader, n.monitor.await, n.monitor.measured)
	n.monitor.given = n.worlds.count.Load
	n.serveWeb()
	n.validator = newValidator(n.loader.current, n.monitor.measured, n.publishVerdict)
	n.validator.state, n.monitor.executed = n.monitor.jointState, n.executed
	n.validator.outdated, n.validator.judged = n.monitor.whyOutdated, n.drawings.judged
	if err := errors.Join(n.followClock(), n.describeTypes()); err != nil {
		return err
	}
	if err := n.diagnose(); err != nil {
		return err
	}
	if err := errors.Join(n.manage(), n.hearPlanningScene(), n.hearPoints()); err != nil {
		return err
	}
	if err := n.subscribe(); err != nil {
		return err
	}
	if err := n.openGate(); err != nil {
		return err
	}
	return errors.Join(n.lookForOverrides(), n.serveParameters())
}

func limitsOf(v config.Values) limits {
	return limits{
		ranges: classRanges(v), warn: v.Double("warn_distance"),
		pairs: int(v.Int("top_k_pairs")), rate: v.Double("check_rate"), timeout: span(v.Double("joint_state_timeout")),
		exclusive: v.Bool("joint_states.exclusive"), ahead: lookaheadOf(v),
	}
}

// Run works until the context ends. It fails if the model that the parameters describe cannot
// be checked. It fails with ErrInternal after an internal fault, such as a monitor that makes
// no progress; that goroutine is abandoned. The last state that is published is UNKNOWN.
func (n *Node) Run(parent context.Context) error {
	return failed(n.ros.Logger(), n.work(parent))
}

// work is Run without the log.
func (n *Node) work(parent context.Context) error {
	defer n.record()()
	ctx, stop := context.WithCancelCause(parent)
	defer stop(nil)
	monitored := make(chan struct{})
	monitor := func(ctx context.Context) error {
		defer close(monitored)
		return n.monitor.run(ctx)
	}
	watched := make(chan error, 1)
	go func() { watched <- guarded(func() error { return n.watch(monitored) }) }()
	done := startAll(ctx, stop,
		monitor,
		n.monitor.live,
		n.validator.run,
		n.lead,
		n.worlds.run,
		n.watchPlanningScene,
		n.points.run,
		n.drawings.run,
		n.web.run,
		n.watchFaults,
		n.watchLosses,
		n.watchPublishers,
		n.watchImpostors,
		n.runGate,
		n.publishDiagnostics,
		n.watchTime,
		n.watchFrames,
	)
	if err := <-watched; err != nil {
		n.stuck.Store(true)
		stop(err)
		if n.abort != nil {
			time.AfterFunc(abortAfter, n.abort)
		}
		select { // prefer an error of the other goroutines
		case <-done:
		case <-time.After(farewell):
		}
		return err
	}
	<-done
	if err := context.Cause(ctx); err != context.Cause(parent) {
		return err
	}
	return nil
}

// farewell is how long a node with a stuck monitor waits for its other goroutines, in Run and
// in Close. abortAfter leaves time for both.
const (
	farewell   = 500 * time.Millisecond
	abortAfter = 2 * time.Second
)

// startAll starts all functions and returns a channel that is closed when they have returned.
// The first error stops the others.
func startAll(ctx context.Context, stop context.CancelCauseFunc, all ...func(context.Context) error) <-chan struct{} {
	var wg sync.WaitGroup
	for _, work := range all {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if err := guarded(func() error { return work(ctx) }); err != nil {
				stop(err)
			}
		}()
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		wg.Wait()
	}()
	return done
}

// watchFaults ends the node after an internal fault in a callback.
func (n *Node) watchFaults(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case err := <-n.faults:
		return err
	}
}

// watchLosses logs measurements that never reached the monitor. The motions across such gaps
// are judged as straight lines.
func (n *Node) watchLosses(ctx context.Context) error {
	var told uint64
	return every(ctx, time.Second, func() {
		if lost := n.states.Stats().Missed; lost > told {
			n.ros.Logger().Warnf("%d joint states were lost in transport (%d so far): the motions across these gaps are judged as straight lines", lost-told, lost)
			told = lost
		}
	})
}

// Close leaves the graph. Call it after Run has returned. If the monitor is stuck, the
// callback that delivers joint states may be too: Close does not wait for it.
func (n *Node) Close() error {
	n.web.close()
	if !n.stuck.Load() {
		return errors.Join(n.closeGate(), n.ros.Close())
	}
	closed := make(chan error, 1)
	go func() { closed <- n.ros.Close() }()
	select {
	case err := <-closed:
		return err
	case <-time.After(farewell):
		return errors.New("the node was not closed, because the monitor is stuck")
	}
}

// Name returns the node's fully qualified name.
func (n *Node) Name() string { return n.ros.FullName() }
