package node

import (
	"context"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
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

// BenchmarkRealState measures a state of a real robot with 50 obstacles, moving at 100 Hz, from
// the joint state on. It reports the median and the 99th percentile of the work, without waiting.
func BenchmarkRealState(b *testing.B) {
	for name, given := range realRobots {
		b.Run(name, func(b *testing.B) {
			w, _ := realModel(b, given, 50)
			w.publish = func(*fcmsgs.CollisionState) {}
			m, _ := w.worlds.loader.current()
			rest, took := m.checker.State(), []float64{}
			s := &sensormsgs.JointState{Name: m.joints, Position: make([]float64, len(m.joints))}
			k := 0
			b.ReportAllocs()
			for b.Loop() {
				k++
				w.clock += 10 * ms
				for i, name := range m.joints {
					s.Position[i] = rest[name] + 0.1*math.Sin(float64(k)*0.01*float64(1+i%5))
				}
				s.Header.Stamp = builtininterfaces.TimeOf(epoch.Add(w.clock))
				begin := time.Now()
				w.receive(s, time.Time{})
				w.step(context.Background(), false)
				took = append(took, 1e3*time.Since(begin).Seconds())
			}
			slices.Sort(took)
			b.ReportMetric(took[len(took)/2], "median-ms")
			b.ReportMetric(took[len(took)*99/100], "p99-ms")
		})
	}
}
