package node

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/cputime"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/motionfile"
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

// BenchmarkRecordedState measures the states of the G1 at 100 Hz, alone, while it moves as people
// were recorded to: a second of each clip in turn, of which all are -benchtime 67000x. It reports
// quantiles of the computing time.
func BenchmarkRecordedState(b *testing.B) {
	clips := recordedClips(b)
	v := values(b, realRobots["g1"])
	m, err := build(context.Background(), describe(v), v)
	if err != nil {
		b.Fatal(err)
	}
	w := watch(m)
	w.publish = func(*fcmsgs.CollisionState) {}
	s := &sensormsgs.JointState{}
	var took []float64
	times := make([]float64, len(clips))
	const second = 100
	k := 0
	b.ReportAllocs()
	for b.Loop() {
		clip := k / second % len(clips)
		if times[clip] += 0.01; times[clip] > clips[clip].Duration() {
			times[clip] = 0
		}
		s.Name, s.Position = clips[clip].Joints, clips[clip].At(times[clip])
		w.clock += 10 * ms
		s.Header.Stamp = builtininterfaces.TimeOf(epoch.Add(w.clock))
		cpu := cputime.Of(func() {
			w.receive(s, time.Time{})
			w.step(context.Background(), false)
		})
		if k%second > 0 { // else it comes from another clip
			took = append(took, 1e3*cpu.Seconds())
		}
		k++
	}
	slices.Sort(took)
	sum := 0.0
	for _, x := range took {
		sum += x
	}
	b.ReportMetric(sum/float64(len(took)), "mean-ms")
	for name, share := range map[string]float64{"median-ms": 0.5, "p90-ms": 0.9, "p99-ms": 0.99, "max-ms": 1} {
		if len(took) > 0 {
			b.ReportMetric(took[int(share*float64(len(took)-1))], name)
		}
	}
}

// recordedClips are the recorded motions of the G1 in ../shared, without its root.
func recordedClips(b *testing.B) (clips []*motion.Motion) {
	const folder = "../../shared/scenes/g1_moves/"
	text, err := os.ReadFile(folder + "format.json")
	if err != nil {
		b.Skip("no recorded motions in ../shared")
	}
	var format struct{ Columns []string }
	if err := json.Unmarshal(text, &format); err != nil {
		b.Fatal(err)
	}
	for i, name := range format.Columns {
		if strings.HasPrefix(name, "root_") {
			format.Columns[i] = "_"
		}
	}
	paths, _ := filepath.Glob(folder + "*.csv")
	for _, path := range paths {
		loaded, err := motionfile.Load(path, motionfile.Options{Joints: format.Columns, Rate: 60})
		if err != nil {
			b.Fatal(err)
		}
		clips = append(clips, loaded[0].Motion)
	}
	return clips
}
