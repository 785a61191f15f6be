package node

import (
	"strings"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// receive hears a message of the only publisher that there is.
func (w *monitor) receive(m *sensormsgs.JointState, source time.Time) {
	w.hear(m, ros.MessageInfo{SourceTime: source})
}

const (
	timeout = 100 * time.Millisecond
	ms      = time.Millisecond
)

var epoch = time.Unix(1_700_000_000, 0)

// joints is a joint state stamped at t, which counts from epoch.
func joints(t time.Duration, names string, positions ...float64) *sensormsgs.JointState {
	m := &sensormsgs.JointState{Name: strings.Fields(names), Position: positions}
	m.Header.Stamp = builtininterfaces.TimeOf(epoch.Add(t))
	return m
}
