package node

import (
	"context"
	"fmt"

	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
	"github.com/firstcontact-ros/firstcontact/msgs/stdmsgs"
	"github.com/firstcontact-ros/firstcontact/node/internal/record"
)

// startRecording begins the recording that the parameter record asks for: all that the node
// publishes on topics, the joint states and the robot description that it uses.
func (n *Node) startRecording() error {
	file := n.values.String("record")
	if file == "" {
		return nil
	}
	log := n.ros.Logger()
	var err error
	if n.recording, err = record.Start(file, log.Warnf); err != nil {
		return fmt.Errorf("parameter record: %w", err)
	}
	n.ros.SetTap(n.recording.Take)
	log.Infof("recording to %s", n.recording.Name())
	return nil
}

// record runs the recording, which goes on until end is called: the last words of the other
// goroutines belong to it.
func (n *Node) record() (end func()) {
	if n.recording == nil {
		return func() {}
	}
	ctx, stop := context.WithCancel(context.Background())
	done := startAll(ctx, func(error) {}, n.recording.Run)
	return func() {
		stop()
		<-done
	}
}

// recordDescription records the robot description of a model in use, as players and viewers want
// it: on its topic.
func (n *Node) recordDescription(d description) {
	if n.recording == nil {
		return
	}
	topic, err := n.ros.ResolveTopic("robot_description")
	if err == nil {
		var text []byte
		if text, err = d.urdf.bytes(context.Background()); err == nil {
			m := &stdmsgs.String{Data: string(text)}
			n.recording.Take(topic, m.ROSType(), cdr.Marshal(m))
		}
	}
	if err != nil {
		n.ros.Logger().Warnf("the robot description is missing from the recording: %v", err)
	}
}
