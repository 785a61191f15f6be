package node

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/node/internal/jointstates"
	"github.com/firstcontact-ros/firstcontact/node/internal/simtime"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// limits are the distances and times that levels depend on.
type limits struct {
	ranges    motion.DistanceRanges // m, of all pairs and of classes: STOP below Min, not computed beyond Max
	warn      float64               // m
	pairs     int
	rate      float64 // Hz
	timeout   time.Duration
	exclusive bool // one publisher owns all joints
	ahead     lookahead
}

// period is the time between two states while nothing new arrives.
func (l limits) period() time.Duration { return time.Duration(float64(time.Second) / l.rate) }

// monitor judges each measured configuration and the motion that led to it. It publishes a
// state for each, and repeats it at the check rate when none arrives.
//
// Only run judges and publishes. The other methods may be called from any goroutine.
type monitor struct {
	limits  limits
	publish func(*fcmsgs.CollisionState)
	tell    func(format string, args ...any) // logs a warning
	now     func() time.Time                 // wall clock
	up      func() time.Duration             // monotonic clock
	sim     *simtime.Clock                   // the node's time if it is not that of the wall clock; guarded by mu
	stamps  *simtime.Stamps[ros.GUID]        // the same if it is that of stamps; guarded by mu
	wake    chan struct{}                    // signals new input
	spare   time.Duration                    // time after a step's begin for judging older configurations
	longest time.Duration                    // that judging the newest may take; on the clock of the machine, as spare

	interrupt atomic.Pointer[context.CancelFunc] // cancels work that new input preempts
	progress  atomic.Uint64                      // counts steps, for the watchdog
	used      atomic.Pointer[model]              // model in use, for the watchdog
	awaited   atomic.Pointer[time.Time]          // since when a newer world waits to be used; nil if none does

	mu      sync.Mutex
	model   *model // nil if there is none
	absent  string // why there is no model
	tracker *jointstates.Tracker
	queue   queue
	past    jointstates.Past
	// discarded, unless nil, is called when all measurements are discarded: the clock has jumped,
	// or the process was paused.
	discarded func()
	executed  executed // what the controllers execute; nil if nobody knows
	pulse     pulse
	resumed   resumption
	former    formerWorlds
	meantime  meantime
	given     func() uint64 // how many changes of the world were given; never nil
	era       uint64        // counts pauses
	lapse     string        // why everything was discarded, until a step that tells it has begun
	timelines uint64        // counts jumps and stops of the node's time: times before and after cannot be compared
	checked   uint64        // motions judged
	failed    uint64        // motions that could not be judged, in addition to the queue's
	late      uint64

	// Used by run only.
	last     *jointstates.Sample    // sample judged last
	state    *fcmsgs.CollisionState // its state
	by       *model                 // model that judged it
	judgedIn uint64                 // era in which it was judged
	beside   besides                // findings about samples judged outside the chain
	contact  disputable             // contact found last

	elaborated bool // state has all the pairs that are wanted

	held   uint8     // level that does not fall before its time
	heldAt time.Time // stamp at which the level was last as high
}

func newMonitor(l limits, publish func(*fcmsgs.CollisionState), tell func(string, ...any)) *monitor {
	begin := time.Now()
	return &monitor{
		limits: l, publish: publish, tell: tell, wake: make(chan struct{}, 1),
		now: time.Now, up: func() time.Duration { return time.Since(begin) },
		spare: min(periodsForOlder*l.period(), l.timeout/4), longest: l.timeout,
		absent: "there is no model yet",
		given:  func() uint64 { return 0 },
	}
}

// periodsForOlder is how many periods a step may take while there is a backlog, if periods are
// short compared with the timeout: the newest state must be published while it is fresh. It is
// less than the silence after which subscribers consider the node dead.
const periodsForOlder = 2

// use replaces the model. nil, with the reason, means that there is none. The monitor forgets
// the joints' positions, unless it is the same model in another world.
func (w *monitor) use(m *model, absent string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if m.onlyMoved(w.model) {
		changed := !sameWorld(m.world, w.model.world)
		if changed {
			w.former.leave(w.model)
		}
		w.judgeMeantime(m, changed)
		w.model = m
		w.used.Store(m)
		w.alert()
		return
	}
	w.former.forget()
	w.meantime = meantime{}
	before := w.tracker
	w.model, w.absent, w.tracker = m, absent, nil
	w.used.Store(m)
	if m != nil {
		w.tracker = jointstates.NewTracker(m.joints, m.others, w.limits.timeout)
		w.tracker.Exclusive = w.limits.exclusive
		w.tracker.Succeed(before, w.time())
		w.past.Begin(m.joints, w.limits.timeout)
	}
	w.queue.drop()
	w.alert()
}

// hear takes a joint state. It retains nothing of the message.
func (w *monitor) hear(m *sensormsgs.JointState, from ros.MessageInfo) {
	for _, name := range w.note(m, from) {
		w.tell("joint states name %s, which the robot does not have: ignored", name)
	}
	w.alert()
}

// note queues the configuration that the message completes, if any, and returns unknown joint
// names that were not reported before.
func (w *monitor) note(m *sensormsgs.JointState, from ros.MessageInfo) (unknown []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.read()
	w.hearStamp(m, from)
	now := w.time()
	if w.tracker == nil || w.timeless() != "" || w.resumed.before(w.stampOf(m), from.SourceTime, w.up()) {
		return nil
	}
	w.tracker.World = w.former.count
	s, broken := w.tracker.Hear(m, w.dated(from), now)
	w.queue.broken = w.queue.broken || broken
	came := w.now()
	if s != nil {
		s.Received, s.Came = now, came
		w.queue.push(s)
		w.during(s)
		w.past.Add(w.tracker)
	}
	for _, s := range w.tracker.TakeSuspects() {
		s.Received, s.Came = now, came
		w.queue.push(s)
	}
	return w.tracker.Unknown()
}

// measured returns the joints' fresh positions by name, possibly none.
func (w *monitor) measured() map[string]float64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	positions := map[string]float64{}
	now := w.read()
	if w.tracker == nil {
		return positions
	}
	for name, j := range w.tracker.Agreed(now) {
		positions[name] = j.Position
	}
	return positions
}

// run judges until the context ends. It judges a configuration on arrival;
// configurations that arrive faster than the check rate are judged several at a
// time. The last state is UNKNOWN, so that subscribers do not act on an old one.
func (w *monitor) run(ctx context.Context) error {
	defer func() { w.publish(w.numbered(w.unknown(nil, stopped, nil))) }()
	period := w.limits.period()
	repeat := time.NewTimer(0)
	defer repeat.Stop()
	pace := cadence{period: period}
	for {
		w.progress.Add(1)
		due := false
		select {
		case <-ctx.Done():
			return nil
		case <-repeat.C:
			due = true
		case <-w.wake:
			if !sleepUntil(ctx, pace.ready()) {
				return nil
			}
		}
		begin := time.Now()
		said, judged := w.step(ctx, due)
		if judged {
			pace.began(begin)
		}
		if said {
			repeat.Reset(period)
		}
		w.elaborate(ctx)
	}
}

// cadence spaces steps by a period, on average: a step that began late must not delay all those
// after it, and input whose own period is the same may come a little early.
type cadence struct {
	period time.Duration
	due    time.Time // when the next step would begin, were all as long apart; half a period early is in time
}

// ready is when the next step may begin.
func (c *cadence) ready() time.Time { return c.due.Add(-c.period / 2) }

// began records that a step began.
func (c *cadence) began(at time.Time) {
	c.due = c.due.Add(c.period)
	if soonest := at.Add(c.period / 2); soonest.After(c.due) {
		c.due = soonest
	}
}

// round is the work of one step.
type round struct {
	model  *model
	era    uint64
	newest way                 // judged first; may be empty
	begin  *jointstates.Sample // first configuration of the chain of motions that ends with the newest
	lost   bool                // the present configuration is not known
	lapse  string              // why what was known since the step before is not any more; "" if nothing happened
	former formerWorlds
	rivals []jointstates.Turn // configurations of publishers that contest joints
}

func (w *monitor) next() round {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.read()
	w.queue.expire(now.Add(-w.limits.timeout))
	w.former.prune(w.oldestWorld())
	r := round{model: w.model, era: w.era, lost: w.tracker == nil, lapse: w.lapse, former: w.former}
	w.lapse = ""
	r.newest, r.begin = w.queue.take()
	if w.tracker != nil {
		reason, _ := w.tracker.WhyUnknown(now)
		r.lost = reason != "" || w.tracker.WhyDoubtful(now) != ""
		r.rivals = w.tracker.Turns(now)
	}
	return r
}

// step judges the samples that have arrived since the previous step, the newest first, and
// publishes. If there are none, it repeats the last state when that is due or has changed, and tells when everything was discarded.
func (w *monitor) step(ctx context.Context, due bool) (said, judged bool) {
	until := time.Now().Add(w.spare)
	r := w.next()
	news := len(r.newest) > 0
	again := w.turnTo(&r)
	if news {
		w.last = r.newest.end()
	}
	if news && r.lapse != "" { // what was measured since has come before anybody was told
		w.publish(w.numbered(w.unknown(r.model, r.lapse, nil)))
	}
	if news || again {
		w.elaborated = false
		w.state = w.judge(ctx, r)
		w.progress.Add(1)
	}
	rivals := w.judgeRivals(ctx, r, until)
	w.progress.Add(1)
	older, contact := w.judgeOlder(ctx, r, until)
	if !news && !again && !rivals && !older && !due && !(w.state != nil && r.lost) && r.lapse == "" {
		return false, false
	}
	w.say(r, news, contact)
	return true, news || rivals || older
}

// count records how many motions of a chain were judged.
func (w *monitor) count(judged, all int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.checked += uint64(judged)
	w.failed += uint64(all - judged)
}

// sleepUntil reports whether the time was reached before the context ended.
func sleepUntil(ctx context.Context, t time.Time) bool {
	wait := time.Until(t)
	if wait <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// nudge leaves a token in a channel of capacity one.
func nudge(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
