package node

import (
	"context"
	"slices"
	"time"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/msgs/cdr"
	"github.com/firstcontact-ros/firstcontact/msgs/tf2msgs"
	"github.com/firstcontact-ros/firstcontact/node/internal/frames"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// transforms are the frames that the node hears of.
type transforms struct {
	buffer *frames.Buffer
	fixed  *ros.Subscription // tf_static
	heard  []ros.GUID        // its writers, as watchFrames saw them last
}

// The topics of tf2 have absolute names and these qualities of service in every node.
var (
	tfQoS       = ros.QoS{Depth: 100}
	tfStaticQoS = ros.QoS{Durability: ros.TransientLocal, Depth: 100}
	tfBounds    = ros.Bounds{Bytes: limit.MessageBytes, Fields: cdr.Bounds{String: limit.NameBytes, Elements: limit.Frames}}
)

// hearFrames subscribes /tf and /tf_static, once. Call it before anything is heard.
func (n *Node) hearFrames() error {
	if n.transforms.buffer != nil {
		return nil
	}
	buffer := frames.New(frames.Options{})
	n.transforms.buffer, n.monitor.discarded = buffer, buffer.Clear
	_, err := ros.Subscribe(n.ros, "/tf", tfQoS, n.takeFrames(false), ros.ReuseMessage(), ros.Within(tfBounds))
	if err != nil {
		return err
	}
	n.transforms.fixed, err = ros.Subscribe(n.ros, "/tf_static", tfStaticQoS, n.takeFrames(true), ros.ReuseMessage(), ros.Within(tfBounds))
	return err
}

// takeFrames returns a callback that takes a message into the buffer.
func (n *Node) takeFrames(static bool) func(*tf2msgs.TFMessage, ros.MessageInfo) {
	return func(m *tf2msgs.TFMessage, info ros.MessageInfo) {
		n.mustNotPanic(func() {
			for _, fault := range n.transforms.buffer.Add(frames.Message{Transforms: m.Transforms, Static: static, From: info.Writer, Now: n.now()}) {
				n.warn(fault)
			}
		})
	}
}

// watchFrames tells the buffer which publishers of static transforms have left.
func (n *Node) watchFrames(ctx context.Context) error {
	t := &n.transforms
	if t.fixed == nil {
		return nil
	}
	return every(ctx, time.Second, func() {
		now := t.fixed.Writers()
		for _, w := range t.heard {
			if !slices.Contains(now, w) {
				t.buffer.Lost(w)
			}
		}
		t.heard = now
	})
}

// resolver places frames relative to the model's robot. hearFrames was called before.
func (n *Node) resolver(m *model) *frames.Resolver {
	robot := m.checker.Robot()
	return &frames.Resolver{Buffer: n.transforms.buffer, Robot: frames.Robot{
		Model: robot,
		Poses: func(at time.Time) (map[string]geom.Pose, time.Time, error) {
			positions, stamp, err := n.monitor.past.At(at, robot)
			if err != nil {
				return nil, stamp, err
			}
			poses, err := m.checker.LinkPoses(positions)
			return poses, stamp, err
		},
	}}
}
