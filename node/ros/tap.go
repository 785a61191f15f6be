package ros

import "github.com/firstcontact-ros/firstcontact/msgs/cdr"

// Tap sees a message of a topic: its type, the encapsulation header and the CDR body. It must
// neither block nor keep the data.
type Tap func(topic string, of cdr.TypeInfo, data []byte)

// SetTap has a function see every message that the node publishes from now on, after it was
// sent, and those that subscriptions with the option [Tapped] receive. It is called from any
// goroutine.
func (n *Node) SetTap(tap Tap) { n.tap.Store(&tap) }

func (n *Node) tapped(topic string, of cdr.TypeInfo, data []byte) {
	if tap := n.tap.Load(); tap != nil {
		(*tap)(topic, of, data)
	}
}
