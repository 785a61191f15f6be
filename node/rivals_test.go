package node

import (
	"testing"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
)

// One publisher's word against the owner's is judged beside it. Of two, each may be right
// for the joint that it measures: both carts then meet although no publisher's own
// configuration, completed by the owner's, is a contact.
func TestTwoPublishersMayBothBeRight(t *testing.T) {
	m := railModel(t)
	for _, test := range []struct {
		name string
		two  bool
		want uint8
	}{
		{"one", false, fcmsgs.CollisionStateFree},
		{"two", true, fcmsgs.CollisionStateUnknown},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := watch(m)
			for range 30 {
				w.clock += 5 * ms
				w.from(0, 0, both, 0, 0)
				w.from(1, 0, "left_x", 0.4)
				if test.two {
					w.from(2, 0, "right_x", -0.45)
				}
				w.look()
			}
			last := w.said[len(w.said)-1]
			wantLevel(t, last, test.want, "")
			if test.two {
				w.wantNever(t, 0, fcmsgs.CollisionStateFree, fcmsgs.CollisionStateWarn, fcmsgs.CollisionStateStop)
			}
		})
	}
}
