package ros

import (
	"strings"
	"sync/atomic"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/rclinterfaces"
)

// rosoutBacklog is how many lines may wait to be published: as many as the
// topic keeps for late joiners.
const rosoutBacklog = 1000

// rosout publishes what a node logs on /rosout. Lines wait in a queue, so that
// logging never waits for the network; when it is full the newest are dropped.
type rosout struct {
	records chan Record
	closing atomic.Bool
	detach  func()
	done    chan struct{}
	pub     *Publisher[rclinterfaces.Log]
}

// newRosout starts to publish the lines of one logger and its descendants.
func newRosout(n *Node, name string) (*rosout, error) {
	pub, err := Advertise[rclinterfaces.Log](n, "/rosout", RosoutQoS)
	if err != nil {
		return nil, err
	}
	r := &rosout{records: make(chan Record, rosoutBacklog), done: make(chan struct{}), pub: pub}
	r.detach = n.log.AddSink(func(line Record) {
		if line.Logger != name && !strings.HasPrefix(line.Logger, name+".") {
			return
		}
		select {
		case r.records <- line:
		default:
		}
	})
	go r.run()
	return r, nil
}

func (r *rosout) run() {
	defer close(r.done)
	for line := range r.records {
		// A line that cannot be sent is lost here; it stands in the console.
		err := r.pub.Publish(&rclinterfaces.Log{
			Stamp: stampOf(line.Time), Level: uint8(line.Level), Name: line.Logger, Msg: line.Text,
		})
		if err != nil && r.closing.Load() {
			return // a listener that does not listen must not delay the end
		}
	}
}

func stampOf(t time.Time) builtininterfaces.Time {
	return builtininterfaces.Time{Sec: int32(t.Unix()), Nanosec: uint32(t.Nanosecond())}
}

// close publishes what waits and ends. The node closes the publisher.
func (r *rosout) close() {
	r.detach()
	r.closing.Store(true)
	close(r.records)
	<-r.done
}
