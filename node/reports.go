package node

import (
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/node/internal/events"
	"github.com/firstcontact-ros/firstcontact/node/internal/jointstates"
)

// reports are what the log says of states and verdicts.
type reports struct {
	levels   events.Levels       // used by the monitor's goroutine only
	about    *jointstates.Sample // that the last state was about; the same
	verdicts events.Verdicts
}

// reportState measures and keeps a state that has been published, and logs it if its level has
// changed. Only the monitor's goroutine calls it.
func (n *Node) reportState(s *fcmsgs.CollisionState) {
	delay := time.Duration(-1)
	if last := n.monitor.last; last != nil && last != n.reports.about {
		n.reports.about, delay = last, max(0, n.monitor.now().Sub(last.Came))
	}
	n.diagnosis.meter.published(time.Now(), delay)
	n.diagnosis.state.Store(s)
	if s.Reason == stopped {
		return
	}
	if note, ok := n.reports.levels.Note(s, time.Now()); ok {
		n.ros.Logger().Log(note)
	}
}

// reportVerdict counts a verdict, and logs it unless there are too many.
func (n *Node) reportVerdict(v *fcmsgs.Verdict) {
	if counters := &n.diagnosis.verdicts; int(v.Status) < len(counters) {
		counters[v.Status].Add(1)
	}
	if note, ok := n.reports.verdicts.Note(v, time.Now()); ok {
		n.ros.Logger().Log(note)
	}
}
