package node

import (
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// update and receive take a message of the only publisher that there is.
func (t *tracker) update(m *sensormsgs.JointState, source, now time.Time) (s *sample, broken bool) {
	return t.hear(m, ros.MessageInfo{SourceTime: source}, now)
}

func (w *monitor) receive(m *sensormsgs.JointState, source time.Time) {
	w.hear(m, ros.MessageInfo{SourceTime: source})
}
