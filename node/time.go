package node

import (
	"context"
	"errors"
	"time"

	"github.com/firstcontact-ros/firstcontact/config"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/rosgraphmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/node/internal/simtime"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// The node's time is that of the system, with use_sim_time that of /clock, or with clock: message
// that of the joint states' stamps. Stamps are
// compared with the node's time, and so are all ages of measurements. Whatever bounds computing,
// or observes this process, takes the system's clocks: deadlines, periods, pauses.

// leastStill is the shortest stop of /clock that is noticed: simulators that are slow, or publish
// their clock rarely, make shorter ones.
const leastStill = time.Second

// simulate makes the time of /clock that of the monitor. Call it before anything is heard.
func (w *monitor) simulate() {
	w.sim = simtime.New(w.limits.pause(), max(w.limits.timeout, leastStill))
}

// stampTime makes the newest stamp of joint states the monitor's time. Silence is noticed by the
// system's time: stamps that do not come do not age. Call it before anything is heard.
func (w *monitor) stampTime() {
	w.stamps = simtime.NewStamps[ros.GUID](w.limits.pause(), w.limits.timeout)
	w.sim = w.stamps.Clock
}

// hearStamp takes the time from a joint state of the robot, if stamps are the time. The caller holds
// the lock, and has read the clocks.
func (w *monitor) hearStamp(m *sensormsgs.JointState, from ros.MessageInfo) {
	up := w.up()
	if w.stamps == nil || w.tracker == nil || m.Header.Stamp == (builtininterfaces.Time{}) || !w.tracker.Concerns(m) ||
		w.resumed.before(time.Time{}, from.SourceTime, up) {
		return
	}
	before := w.sim.Now()
	w.broken(w.stamps.Hear(from.Writer, m.Header.Stamp.Time(), up), before)
}

// broken takes how the node's time broke, or "", and what it was before. The caller holds the lock.
func (w *monitor) broken(how string, before time.Time) {
	now := w.sim.Now()
	if how != "" {
		w.timelines++
		w.discard(how, now)
	}
	if w.tracker != nil && now.Before(before) {
		w.tracker.Rewind(now)
	}
}

// time returns the node's time. If it is not known, that is the last known one, and no
// measurement counts. The caller holds the lock.
func (w *monitor) time() time.Time {
	if w.sim != nil {
		return w.sim.Now()
	}
	return w.now()
}

// read returns the node's time. First it looks for pauses of the process, and at clocks that were
// set or stand still, and discards what was measured before. The caller holds the lock.
func (w *monitor) read() time.Time {
	wall := w.now()
	w.beat(wall)
	if w.sim == nil {
		return wall
	}
	if broke := w.sim.Look(w.up()); broke != "" {
		w.timelines++
		w.discard(broke, w.sim.Now())
	}
	return w.sim.Now()
}

// reading returns the node's time, and why it is not known, or "".
func (w *monitor) reading() (now time.Time, fault string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.time(), w.timeless()
}

// epoch is another number after each jump or stop of the node's time, and after each pause of the
// process.
func (w *monitor) epoch() uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.read()
	return w.era
}

// timeline is another number after each jump or stop of the node's time.
func (w *monitor) timeline() uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.read()
	return w.timelines
}

// moment returns the node's time, or the last known one, and its timeline.
func (w *monitor) moment() (now time.Time, timeline uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now = w.read()
	return now, w.timelines
}

// timeless says why the node's time is not known, or returns "". The caller holds the lock.
func (w *monitor) timeless() string {
	if w.sim == nil {
		return ""
	}
	return w.sim.Fault()
}

// stampOf returns the stamp of a joint state if it is of the wall clock, or else the zero time.
func (w *monitor) stampOf(m *sensormsgs.JointState) time.Time {
	if w.sim != nil || m.Header.Stamp == (builtininterfaces.Time{}) {
		return time.Time{}
	}
	return m.Header.Stamp.Time()
}

// dated returns where a joint state is from, with the source time only if it can be compared
// with the node's time.
func (w *monitor) dated(from ros.MessageInfo) ros.MessageInfo {
	if w.sim != nil {
		from.SourceTime = time.Time{}
	}
	return from
}

// now returns the node's time, or the last known one.
func (n *Node) now() time.Time {
	t, _ := n.monitor.reading()
	return t
}

// checkTime reports parameters that contradict clock: message.
func checkTime(v config.Values) error {
	switch {
	case v.String("clock") != "message":
	case len(v.Strings("gate.controllers")) > 0:
		return errors.New("parameters clock and gate.controllers: with clock: message the joint states may be a recording's, which say nothing of where the robot is, so no goal may pass: leave gate.controllers out, or clock: message")
	case v.Bool("use_sim_time"):
		return errors.New("parameters use_sim_time and clock: with use_sim_time the time is that of /clock: leave clock: message out, or use_sim_time")
	}
	return nil
}

// followClock makes the time of /clock or of stamps the node's, if the parameters ask for it. Call it
// before anything else is subscribed.
func (n *Node) followClock() error {
	if n.values.String("clock") == "message" {
		n.monitor.stampTime()
		n.ros.Logger().Warnf("clock: message: ages are judged by the stamps of the joint states, whose publisher decides what is stale: use it with recordings, not with a robot")
		return nil
	}
	if !n.values.Bool("use_sim_time") {
		return nil
	}
	n.monitor.simulate()
	n.ros.Logger().Warnf("use_sim_time: ages are judged by /clock, whose publisher decides what is stale: use it with simulators and recordings, not with a robot")
	_, err := ros.Subscribe(n.ros, "/clock", ros.ClockQoS, func(m *rosgraphmsgs.Clock, info ros.MessageInfo) {
		n.mustNotPanic(func() { n.monitor.hearClock(m, info) })
	}, ros.ReuseMessage())
	return err
}

// watchTime logs when the node's time becomes unknown, and when it is known again.
func (n *Node) watchTime(ctx context.Context) error {
	if n.monitor.sim == nil {
		return nil
	}
	known := "the simulated clock runs"
	if n.monitor.stamps != nil {
		known = "the stamps of the joint states advance"
	}
	var told string
	return every(ctx, time.Second, func() {
		_, fault := n.monitor.reading()
		switch {
		case fault == told:
		case fault == "":
			n.ros.Logger().Infof("%s", known)
		default:
			n.ros.Logger().Warnf("%s: states are UNKNOWN", fault)
		}
		told = fault
	})
}

// hearClock takes the time of a simulator. One that was written before a pause of this process
// ended is not used.
func (w *monitor) hearClock(m *rosgraphmsgs.Clock, from ros.MessageInfo) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.read()
	up := w.up()
	if w.resumed.before(time.Time{}, from.SourceTime, up) {
		return
	}
	before := w.sim.Now()
	w.broken(w.sim.Hear(m.Clock.Time(), up), before)
}
