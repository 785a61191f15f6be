package node

import (
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/node/events"
)

// reports are what the log says of states and verdicts.
type reports struct {
	levels   events.Levels // used by the monitor's goroutine only
	verdicts events.Verdicts
}

// reportState logs a state that has been published, if its level has changed.
func (n *Node) reportState(s *fcmsgs.CollisionState) {
	if s.Reason == stopped {
		return
	}
	if note, ok := n.reports.levels.Note(s, time.Now()); ok {
		n.ros.Logger().Log(note)
	}
}

func (n *Node) reportVerdict(v *fcmsgs.Verdict) {
	if note, ok := n.reports.verdicts.Note(v, time.Now()); ok {
		n.ros.Logger().Log(note)
	}
}
