package world

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/msgs/moveitmsgs"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// Graph is what Run asks of the ROS graph.
type Graph struct {
	// Publishers returns names for the publishers of a topic, each its own for ever, and how many
	// of its messages were lost or dropped unread.
	Publishers func(topic string) (names []string, lost uint64)
	// Ask calls the service get_planning_scene; nil if there is none to call.
	Ask func(ctx context.Context) (*moveitmsgs.PlanningScene, error)
}

// timing is how often Run looks and asks.
type timing struct {
	period   time.Duration // between looks at the graph
	patience time.Duration // with a call of the service
	pause    time.Duration // between calls
	grace    time.Duration // before the first complaint in the log
	settled  time.Duration // how old a whole scene may be to be that of a publisher that has just been seen
}

var usual = timing{period: 100 * time.Millisecond, patience: 2 * time.Second, pause: time.Second, grace: 3 * time.Second, settled: time.Second}

// Run looks after the sources until the context ends: whether somebody publishes, whether
// messages were lost, whether frames that were not known are known now. While a whole scene is
// needed it asks the service for one.
func (w *Listener) Run(ctx context.Context, g Graph) error {
	tick := time.NewTicker(w.timing.period)
	defer tick.Stop()
	q := questions{replies: make(chan reply, 1), last: map[string]seen{}}
	for {
		select {
		case <-ctx.Done():
			return nil
		case r := <-q.replies:
			q.asking, q.next = false, time.Now().Add(w.timing.pause)
			w.answer(r)
		case now := <-tick.C:
			w.look(g, q.last)
			w.resolve()
			w.complain(&q, now)
			if g.Ask != nil && !q.asking && now.After(q.next) && w.Needs() != "" {
				q.asking = true
				w.ask(ctx, g, q.replies)
			}
		}
	}
}

// questions is what Run remembers.
type questions struct {
	replies chan reply
	asking  bool
	next    time.Time // when to ask again
	last    map[string]seen
	since   time.Time // a whole scene has been needed since then; zero if it is not
	told    bool
}

// complain says in the log that the scene is not known, once, if that lasts.
func (w *Listener) complain(q *questions, now time.Time) {
	why := w.Needs()
	switch {
	case why == "":
		q.since, q.told = time.Time{}, false
	case q.since.IsZero():
		q.since = now
	case !q.told && now.Sub(q.since) > w.timing.grace:
		q.told = true
		w.o.Warnf("the planning scene is not known, so nothing is FREE: %s", why)
	}
}

// Status is what the scene is now.
type Status struct {
	Needs   string    // why a whole scene is needed; empty if it is not
	Missing []string  // what the sources lack
	Whole   time.Time // when a whole scene came last; zero if none has
	Changes uint64    // messages that were taken
	Waiting int       // objects whose frames are not known
}

// Status tells the state of the scene.
func (w *Listener) Status() Status {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := Status{Needs: w.need, Whole: w.wholeAt, Changes: w.changes}
	for _, topic := range slices.Sorted(maps.Keys(w.missing)) {
		s.Missing = append(s.Missing, w.missing[topic].Detail)
	}
	if n := len(w.lives); n > 0 {
		s.Waiting = w.lives[n-1].scene.Unplaced()
	}
	return s
}

// Needs returns why a whole scene is needed, empty if it is not.
func (w *Listener) Needs() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.need
}

// seen is what was seen of a topic last.
type seen struct {
	publisher string // the only one; empty if there is none, or several
	lost      uint64
}

// look notes who publishes and what was lost.
func (w *Listener) look(g Graph, last map[string]seen) {
	missing := map[string]premise.Premise{}
	for _, topic := range w.o.Topics {
		names, lost := g.Publishers(topic)
		was, now := last[topic], seen{lost: lost}
		if len(names) == 1 {
			now.publisher = names[0]
		}
		last[topic] = now
		if lost > was.lost {
			w.Lost(topic, fmt.Sprintf("%d messages did not arrive or could not be read", lost-was.lost))
		}
		switch {
		case topic != Monitored:
		case len(names) == 0:
			missing[topic] = w.gap(topic, "nobody publishes "+topic+", so changes of the scene are not known")
		case len(names) > 1:
			missing[topic] = w.gap(topic, fmt.Sprintf("%d publishers of %s contradict each other", len(names), topic))
		case was.publisher != now.publisher:
			w.anew(topic)
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if !maps.EqualFunc(missing, w.missing, func(a, b premise.Premise) bool { return a.Detail == b.Detail }) {
		w.missing = missing
		w.o.Changed()
	}
}

// anew has a whole scene asked for when a publisher has come, unless one has come just now.
func (w *Listener) anew(topic string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.need == "" && time.Since(w.wholeAt) > w.timing.settled {
		w.need = "a publisher of " + topic + " has come since the last whole scene"
		w.o.Changed()
	}
}

// resolve tries again to place objects.
func (w *Listener) resolve() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now()
	changed := false
	for _, l := range w.lives {
		changed = l.scene.Resolve() || changed
	}
	if changed {
		w.o.Changed()
	}
}

// reply is what the service answered.
type reply struct {
	scene *moveitmsgs.PlanningScene
	err   error
}

// ask calls the service. Changes that come meanwhile are kept: the reply may be older.
func (w *Listener) ask(ctx context.Context, g Graph, replies chan<- reply) {
	w.mu.Lock()
	w.meanwhile = &meanwhile{}
	w.mu.Unlock()
	go func() {
		ctx, cancel := context.WithTimeout(ctx, w.timing.patience)
		defer cancel()
		m, err := g.Ask(ctx)
		replies <- reply{scene: m, err: err}
	}()
}

// meanwhile is what has come since the service was called.
type meanwhile struct {
	changes []message
	bytes   int
	void    bool // the reply is of no use: messages were lost, or are too many
	whole   bool // a whole scene came on a topic
}

func (e *meanwhile) add(m message) {
	if e == nil {
		return
	}
	e.whole = e.whole || m.scene != nil && !m.scene.Diff
	e.changes, e.bytes = append(e.changes, m), e.bytes+m.bytes
	if len(e.changes) > limit.SceneMessages || e.bytes > limit.SceneLogBytes {
		e.changes, e.bytes, e.void = nil, 0, true
	}
}

// answer takes the scene of a reply, and then again the changes that came after the question, of
// which it may hold some: they say the same twice.
func (w *Listener) answer(r reply) {
	w.mu.Lock()
	defer w.mu.Unlock()
	came := w.meanwhile
	w.meanwhile = nil
	if r.err != nil || came.void || came.whole {
		return // and ask again, if there is need
	}
	converted, err := sceneOf("the reply of "+w.o.Service, r.scene)
	if err != nil {
		w.warn("%v", err)
		return
	}
	converted.Diff, converted.State.Diff = false, false
	w.take(w.dated(message{scene: converted}), false)
	for _, m := range came.changes {
		w.take(m, true)
	}
	w.o.Changed()
}
