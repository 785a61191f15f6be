package node

import (
	"context"
	"runtime/metrics"
	"strings"
	"sync/atomic"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/oneline"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/diagnosticmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/stdmsgs"
	"github.com/firstcontact-ros/firstcontact/node/internal/diagnostics"
	"github.com/firstcontact-ros/firstcontact/node/internal/events"
	"github.com/firstcontact-ros/firstcontact/node/internal/jointstates"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// diagnosticsPeriod is the time between two messages on /diagnostics.
const diagnosticsPeriod = time.Second

// diagnosis is what the node publishes on /diagnostics. Other parts of the node add entries to
// its board before Run.
type diagnosis struct {
	*diagnostics.Board
	pub *ros.Publisher[diagnosticmsgs.DiagnosticArray]

	meter     meter
	state     atomic.Pointer[fcmsgs.CollisionState] // published last
	verdicts  [5]atomic.Uint64                      // by status
	strangers atomic.Pointer[[]string]              // publishers on the node's own topics

	// Used by one goroutine only, that of the entries.
	before     counted           // at the last message
	told       map[string]uint64 // mismatches of quality of service in the log, by endpoint
	mismatches []string          // of each endpoint that has some
}

// counted are counters at one time.
type counted struct {
	at             time.Time
	states, missed uint64
	samples, lost  uint64
	lastJointState time.Time // when the number of samples was last seen to grow
}

// diagnose advertises /diagnostics and adds the node's own entries.
func (n *Node) diagnose() (err error) {
	d := &n.diagnosis
	d.Board = diagnostics.NewBoard(n.Name(), n.hardware)
	d.meter.deadline = limitsOf(n.values).stateQoS().Deadline
	d.told = map[string]uint64{}
	d.Add("state", n.stateEntry)
	d.Add("joint states", n.jointStatesEntry)
	d.Add("model", n.modelEntry)
	d.Add("monitor", n.monitorEntry)
	d.Add("questions", n.questionsEntry)
	d.Add("graph", n.graphEntry)
	d.pub, err = ros.Advertise[diagnosticmsgs.DiagnosticArray](n.ros, "/diagnostics", ros.QoS{Depth: 10})
	return err
}

// hardware is the robot's name.
func (n *Node) hardware() string {
	if m, _ := n.loader.current(); m != nil {
		return ros.LogName(m.checker.Robot().Name)
	}
	return ""
}

// publishDiagnostics publishes once a second until the context ends.
func (n *Node) publishDiagnostics(ctx context.Context) error {
	return every(ctx, diagnosticsPeriod, func() {
		n.lookForMismatches()
		a := &diagnosticmsgs.DiagnosticArray{Status: n.diagnosis.Statuses()}
		a.Header = stdmsgs.Header{Stamp: builtininterfaces.TimeOf(n.now())}
		n.diagnosis.remember(n)
		n.warn(n.diagnosis.pub.Publish(a))
	})
}

// remember keeps the counters for the next message.
func (d *diagnosis) remember(n *Node) {
	stats, now := n.states.Stats(), time.Now()
	last := d.before.lastJointState
	if stats.Samples != d.before.samples {
		last = now
	}
	r := d.meter.read()
	d.before = counted{at: now, states: r.states, missed: r.missed, samples: stats.Samples, lost: stats.Missed, lastJointState: last}
}

// passed is the time since the last message, in seconds.
func (c *counted) passed() float64 {
	if c.at.IsZero() {
		return diagnosticsPeriod.Seconds()
	}
	return time.Since(c.at).Seconds()
}

// stateEntry tells the level of the last state.
func (n *Node) stateEntry(e *diagnostics.Entry) {
	s := n.diagnosis.state.Load()
	last := n.diagnosis.meter.read().last
	if s == nil {
		e.Raise(diagnostics.Stale, "no state has been published yet")
		return
	}
	level := diagnostics.Error
	switch s.Level {
	case fcmsgs.CollisionStateFree:
		level = diagnostics.OK
	case fcmsgs.CollisionStateWarn:
		level = diagnostics.Warn
	case fcmsgs.CollisionStateUnknown:
		level = diagnostics.Stale
	}
	e.Raise(level, "%s: %s", events.LevelName(s.Level), s.Reason)
	if silence := time.Since(last); silence > n.diagnosis.meter.deadline+leastPause {
		e.Raise(diagnostics.Error, "no state has been published for %.3f s: the monitor does not keep up, or is stuck", silence.Seconds())
	}
	e.Value("level", events.LevelName(s.Level))
	e.Value("closest pair", pairText(s.Pair))
	e.Value("distance lower bound (m)", s.DistanceLower)
	e.Value("distance upper bound (m)", s.DistanceUpper)
	e.Value("time to contact (s)", s.TimeToContact)
	if !s.Header.Stamp.Time().IsZero() && s.Header.Stamp != (builtininterfaces.Time{}) {
		e.Value("age of the oldest measurement (s)", n.now().Sub(s.Header.Stamp.Time()).Seconds())
	}
	e.Value("joints beyond their limits", strings.Join(s.BeyondLimits, " "))
	e.Value("compute time (s)", s.ComputeTime)
}

func pairText(p fcmsgs.BodyPair) string {
	if p.A.Name == "" && p.B.Name == "" {
		return ""
	}
	return ros.LogName(p.A.Name) + " / " + ros.LogName(p.B.Name)
}

// jointStatesEntry tells whether the measurements that the monitor needs come.
func (n *Node) jointStatesEntry(e *diagnostics.Entry) {
	stats, publishers, before := n.states.Stats(), n.states.Publishers(), &n.diagnosis.before
	silence := time.Since(before.lastJointState)
	switch {
	case publishers == 0:
		e.Raise(diagnostics.Stale, "nobody publishes on %s", n.states.Topic())
	case stats.Samples == 0:
		e.Raise(diagnostics.Stale, "no joint state has come on %s", n.states.Topic())
	case stats.Samples == before.samples && silence > diagnosticsPeriod:
		e.Raise(diagnostics.Stale, "no joint state has come for %.1f s", silence.Seconds())
	}
	if lost := stats.Missed - before.lost; lost > 0 {
		e.Raise(diagnostics.Warn, "%d joint states were lost in transport since the last message", lost)
	}
	if malformed := n.states.Malformed(); malformed > 0 {
		e.Raise(diagnostics.Warn, "%d joint states did not decode", malformed)
	}
	if s := n.diagnosis.state.Load(); s != nil {
		n.inputEntry(e, s)
	}
	e.Value("publishers", publishers)
	e.Value("received", stats.Samples)
	e.Value("rate (Hz)", float64(stats.Samples-before.samples)/before.passed())
	e.Value("lost", stats.Missed)
}

// inputEntry adds what the state says of its input.
func (n *Node) inputEntry(e *diagnostics.Entry, s *fcmsgs.CollisionState) {
	if len(s.MissingJoints) > 0 {
		e.Raise(diagnostics.Stale, "no fresh measurement of %s", oneline.Few(s.MissingJoints))
	}
	if len(s.JointStateConflicts) > 0 {
		e.Raise(diagnostics.Error, "several publishers measure the same joints: %s", oneline.Few(s.JointStateConflicts))
	}
	if bound := limitsOf(n.values).timeout.Seconds() / jointstates.ClockBound; s.ClockOffset < -bound || s.ClockOffset > bound {
		e.Raise(diagnostics.Warn, "the clock of a publisher is off by %.3f s", s.ClockOffset)
	}
	e.Value("missing joints", strings.Join(s.MissingJoints, " "))
	e.Value("clock offset (s)", s.ClockOffset)
}

// modelEntry tells what is checked.
func (n *Node) modelEntry(e *diagnostics.Entry) {
	m, absent := n.loader.current()
	history := n.loader.history.Load()
	e.Value("refused descriptions", history.refused)
	e.Value("changes", history.changes)
	if history.warning != "" {
		e.Raise(diagnostics.Warn, "%s", history.warning)
	}
	if m == nil {
		level := diagnostics.Stale
		if absent == notLoaded {
			level = diagnostics.Error
		}
		e.Raise(level, "%s", absent)
		return
	}
	if m.gap != nil {
		e.Raise(diagnostics.Error, "nothing will be reported as FREE: %s", m.gap.Why())
	}
	if m.outdated != nil {
		e.Raise(diagnostics.Error, "the newest world is not used: %v", m.outdated)
	}
	e.Value("robot", ros.LogName(m.checker.Robot().Name))
	e.Value("joints", len(m.joints))
	e.Value("checked pairs", m.checked)
	e.Value("unproven allowed pairs", m.assumed)
	e.Value("pairs proved never to touch", m.proven)
	e.Value("accepted gaps", strings.Join(m.accepted, " "))
	e.Value("model hash", m.hash)
	e.Value("scene hash", m.sceneHash)
	e.Value("scene version", m.sceneVersion)
}

// monitorEntry tells whether the monitor keeps up.
func (n *Node) monitorEntry(e *diagnostics.Entry) {
	d := &n.diagnosis
	r := d.meter.read()
	s := d.state.Load()
	if s != nil {
		e.Value("motions checked", s.MotionsChecked)
		e.Value("motions unchecked", s.MotionsUnchecked)
		e.Value("answers late", s.AnswersLate)
	}
	if pause := longestPause(); pause > limitsOf(n.values).timeout.Seconds() {
		e.Raise(diagnostics.Warn, "a collection of garbage stopped the process for %.3f s", pause)
	}
	if missed := r.missed - d.before.missed; missed > 0 {
		e.Raise(diagnostics.Warn, "%d periods of %v passed without a state since the last message", missed, d.meter.deadline)
	}
	e.Value("check rate (Hz)", float64(r.states-d.before.states)/d.before.passed())
	e.Value("median latency (s)", r.median.Seconds())
	e.Value("p99 latency (s)", r.p99.Seconds())
	e.Value("longest latency (s)", r.top.Seconds())
	e.Value("deadline misses", r.missed)
	e.Value("longest pause of the garbage collector (s)", longestPause())
}

// longestPause is an upper bound of the longest pause for a collection of garbage since the
// process started, in seconds.
func longestPause() float64 {
	sample := []metrics.Sample{{Name: "/sched/pauses/total/gc:seconds"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindFloat64Histogram {
		return 0
	}
	h := sample[0].Value.Float64Histogram()
	for i := len(h.Counts) - 1; i >= 0; i-- {
		if h.Counts[i] > 0 {
			return h.Buckets[i+1]
		}
	}
	return 0
}

// questionsEntry counts verdicts.
func (n *Node) questionsEntry(e *diagnostics.Entry) {
	for status := range n.diagnosis.verdicts {
		e.Value(events.StatusName(uint8(status)), n.diagnosis.verdicts[status].Load())
	}
}

// graphEntry tells what is wrong with the node's place in the graph.
func (n *Node) graphEntry(e *diagnostics.Entry) {
	for _, text := range n.diagnosis.mismatches {
		e.Raise(diagnostics.Warn, "%s", text)
	}
	if strangers := n.diagnosis.strangers.Load(); strangers != nil && len(*strangers) > 0 {
		e.Raise(diagnostics.Error, "other participants publish on this node's topics: %s", oneline.Few(*strangers))
	}
	e.Value("secured", n.ros.Secured())
	e.Value("impostors", n.impostors.Load())
	e.Value("endpoints with another quality of service", len(n.diagnosis.mismatches))
}

// lookForMismatches looks for peers whose quality of service does not match, and logs each
// endpoint of the node when there are more than before.
func (n *Node) lookForMismatches() {
	d := &n.diagnosis
	d.mismatches = d.mismatches[:0]
	for _, p := range n.ros.Endpoints() {
		if p.Stats.Incompatible == 0 {
			continue
		}
		text := p.Mismatch()
		d.mismatches = append(d.mismatches, text)
		key := p.Name
		if p.Writes {
			key += " writes"
		}
		if p.Stats.Incompatible > d.told[key] {
			n.ros.Logger().Warnf("%s", n.ros.Mismatch(&p))
		}
		d.told[key] = p.Stats.Incompatible
	}
}
