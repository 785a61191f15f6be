package node

import (
	"context"
	"fmt"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// impostorsPeriod is the time between two looks for other publishers of the node's
// own topics.
const impostorsPeriod = time.Second

// watchImpostors reports, in the log and in the state, other participants that publish on the
// node's own topics. The node cannot stop them, and its subscribers cannot tell their messages
// from its own without SROS2.
func (n *Node) watchImpostors(ctx context.Context) error {
	told := map[ros.GUID]bool{}
	return every(ctx, impostorsPeriod, func() { n.lookForImpostors(told) })
}

// lookForImpostors logs each impostor once, and counts those that are present.
func (n *Node) lookForImpostors(told map[ros.GUID]bool) {
	others, err := n.ros.OthersPublishing(n.out.topics()...)
	if err != nil {
		return // the node is closing
	}
	n.impostors.Store(uint32(len(others)))
	names := make([]string, 0, len(others))
	for _, w := range others[:min(len(others), limit.Impostors)] {
		names = append(names, fmt.Sprintf("%s on %s", w.GUID, w.Name))
	}
	n.diagnosis.strangers.Store(&names)
	for _, w := range others {
		if told[w.GUID] || len(told) >= limit.Impostors {
			continue
		}
		told[w.GUID] = true
		n.ros.Logger().Errorf("another participant publishes on %s, which is this node's topic: %s. What subscribers get may not be from this node; find out who it is (a second node of this name?), and use SROS2 with ROS_SECURITY_STRATEGY=Enforce", w.Name, w.GUID)
	}
}

// topics are the absolute names of the topics that only this node should publish on.
func (p *publishers) topics() []string {
	names := []string{p.verdict.Topic()}
	for _, t := range p.states.topics {
		names = append(names, t.name)
	}
	return names
}
