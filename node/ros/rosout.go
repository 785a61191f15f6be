package ros

import (
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/rclinterfaces"
)

// rosout publishes a node's log on /rosout. Lines wait in a queue, so that logging never waits
// for the network. When the queue is full the newest lines are dropped, and their number is
// logged when there is room again.
type rosout struct {
	records chan Record
	lost    atomic.Int64 // lines that were not sent, not reported yet
	closing atomic.Bool
	detach  func()
	done    chan struct{}
	pub     *Publisher[rclinterfaces.Log]
}

// newRosout starts publishing the lines of one logger and its descendants.
func newRosout(n *Node, name string) (*rosout, error) {
	pub, err := Advertise[rclinterfaces.Log](n, "/rosout", RosoutQoS)
	if err != nil {
		return nil, err
	}
	r := &rosout{records: make(chan Record, limit.LogLines), done: make(chan struct{}), pub: pub}
	r.detach = n.log.AddSink(func(line Record) {
		if line.Logger != name && !strings.HasPrefix(line.Logger, name+".") {
			return
		}
		if len(r.records) >= roomFor(line.Level) {
			r.lost.Add(1)
			return
		}
		select {
		case r.records <- line:
		default:
			r.lost.Add(1)
		}
	})
	go r.run(name)
	return r, nil
}

func (r *rosout) run(name string) {
	defer close(r.done)
	for line := range r.records {
		// A line that cannot be sent is lost here, but the console has it.
		if err := r.send(line); err != nil {
			if r.closing.Load() {
				return // a slow subscriber must not delay closing
			}
			r.lost.Add(1)
			continue
		}
		if lost := r.lost.Load(); lost > 0 {
			text := fmt.Sprintf("%d log lines were not sent: a subscriber of /rosout does not keep up", lost)
			if r.send(Record{Time: time.Now(), Level: LevelWarn, Logger: name, Text: text}) == nil {
				r.lost.Add(-lost)
			}
		}
	}
}

func (r *rosout) send(line Record) error {
	return r.pub.Publish(&rclinterfaces.Log{
		Stamp: stampOf(line.Time), Level: uint8(line.Level), Name: line.Logger, Msg: line.Text,
		File: line.At.File, Function: line.At.Function, Line: uint32(line.At.Line),
	})
}

func stampOf(t time.Time) builtininterfaces.Time {
	return builtininterfaces.Time{Sec: int32(t.Unix()), Nanosec: uint32(t.Nanosecond())}
}

// close publishes the waiting lines and ends. The node closes the publisher.
func (r *rosout) close() {
	r.detach()
	r.closing.Store(true)
	close(r.records)
	<-r.done
}
