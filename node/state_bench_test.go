package node

import (
	"context"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
)

// BenchmarkState measures what a state costs from the joint state on, the robot being the
// two carts.
func BenchmarkState(b *testing.B) {
	w := watch(railModel(b))
	w.publish = func(*fcmsgs.CollisionState) {}
	m := joints(0, "left_x right_x", 0, 0)
	b.ReportAllocs()
	for b.Loop() {
		w.clock += 10 * ms
		m.Header.Stamp = builtininterfaces.TimeOf(epoch.Add(w.clock))
		m.Position[0] = 0.1 * float64(w.clock/(10*ms)%2)
		w.receive(m, time.Time{})
		w.step(context.Background(), false)
	}
}
