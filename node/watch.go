package node

import (
	"context"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/node/internal/jointstates"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

const (
	watchPeriod = 100 * time.Millisecond // between two checks of the publishers
	namePeriod  = time.Second            // between two queries of the graph for their names
	watchShare  = 20                     // a query that takes long is not repeated for this many times as long
)

// publisherWatch writes the monitor's notices about publishers of joint states to the log. It
// asks the transport which of them are gone, and the graph for their names.
type publisherWatch struct {
	monitor *monitor
	log     *ros.Logger
	writers func() []ros.GUID         // that the transport reports
	graph   func() (ros.Graph, error) // the graph's nodes

	askAfter, nameAfter time.Time
}

func (n *Node) watchPublishers(ctx context.Context) error {
	w := publisherWatch{monitor: n.monitor, log: n.ros.Logger(), writers: n.states.Writers, graph: n.ros.Graph}
	return every(ctx, watchPeriod, w.look)
}

func (w *publisherWatch) look() {
	if begin := time.Now(); w.monitor.wantsMatches() && begin.After(w.askAfter) {
		w.monitor.matched(w.writers())
		w.askAfter = time.Now().Add(watchShare * time.Since(begin))
	}
	notices, dropped := w.monitor.takeNotices()
	if len(notices) == 0 {
		return
	}
	if begin := time.Now(); begin.After(w.nameAfter) {
		if graph, err := w.graph(); err == nil {
			w.monitor.called(graph)
		}
		w.nameAfter = time.Now().Add(max(namePeriod, watchShare*time.Since(begin)))
	}
	for _, n := range notices {
		text := n.Text(w.monitor.nameOf)
		switch n.Level {
		case ros.LevelError:
			w.log.Errorf("%s", text)
		case ros.LevelWarn:
			w.log.Warnf("%s", text)
		default:
			w.log.Infof("%s", text)
		}
	}
	if dropped > 0 {
		w.log.Warnf("%d more notices about publishers of joint states were not logged", dropped)
	}
}

// wantsMatches reports whether the monitor needs to know which publishers still exist.
func (w *monitor) wantsMatches() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.tracker == nil {
		return false
	}
	return w.tracker.WantsMatches(w.time())
}

// matched takes the writers that the transport reports.
func (w *monitor) matched(writers []ros.GUID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.tracker != nil {
		w.tracker.Matched(writers, w.time())
	}
}

func (w *monitor) takeNotices() (waiting []jointstates.Notice, dropped int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.tracker == nil {
		return nil, 0
	}
	return w.tracker.TakeNotices()
}

// called takes the names of the graph's nodes.
func (w *monitor) called(g ros.Graph) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.tracker == nil {
		return
	}
	names := map[ros.GUID]string{}
	for _, n := range g.Nodes {
		for _, p := range n.Publishers {
			if w.tracker.Knows(p.GUID) {
				names[p.GUID] = n.FullName()
			}
		}
	}
	w.tracker.SetNodes(names)
}

// nameOf is the name of a publisher in the log.
func (w *monitor) nameOf(guid ros.GUID) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.tracker == nil {
		return guid.String()
	}
	return w.tracker.NameOf(guid)
}

// attribute fills in which publishers contest joints, and the clock offset. The caller holds
// the monitor's lock.
func (w *monitor) attribute(s *fcmsgs.CollisionState) {
	s.JointStateConflicts, s.ClockOffset = nil, nan
	if w.tracker != nil {
		now := w.time()
		s.JointStateConflicts, s.ClockOffset = w.tracker.Conflicts(now), w.tracker.ClockOffset(now)
	}
}
