package node

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/config"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/cputime"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// realModel is the model of a robot in ../shared with n obstacles around it, and its worlds.
func realModel(b testing.TB, given map[string]any, n int) (*inWorlds, *scene.Snapshot) {
	b.Helper()
	if _, err := os.Stat(given["robot_description_file"].(string)); err != nil {
		b.Skip("no robots in ../shared")
	}
	v := values(b, given)
	m, err := build(context.Background(), describe(v), v)
	if err != nil {
		b.Fatal(err)
	}
	w := &inWorlds{watched: watch(m), t: b}
	l := newLoader(config.Defaults(), pins{}, quiet(), w.use)
	w.worlds = newWorlds(l, w.await, w.measured)
	l.mu.Lock()
	l.set(m, "")
	l.mu.Unlock()
	r := rand.New(rand.NewPCG(1, 2))
	world, err := scene.New("", obstacles(r, n)...)
	if err != nil {
		b.Fatal(err)
	}
	if s := w.put(fromPlanningScene, always(world)); s.err != nil {
		b.Fatal(s.err)
	}
	return w, world
}

// obstacles are n boxes around a robot.
func obstacles(r *rand.Rand, n int) (objects []scene.Object) {
	for i := range n {
		o := cube(fmt.Sprintf("object_%03d", i), 0)
		o.PoseWS = farFrom(r)
		objects = append(objects, o)
	}
	return objects
}

// always is a layer that is a world of its own.
func always(world *scene.Snapshot) layer {
	return func(context.Context, *urdf.Robot, *scene.Snapshot) (*scene.Snapshot, error) { return world, nil }
}

// farFrom is a place around a robot and not in it.
func farFrom(r *rand.Rand) geom.Pose {
	for {
		p := geom.Vec{X: 4*r.Float64() - 2, Y: 4*r.Float64() - 2, Z: 3*r.Float64() - 1}
		if geom.Norm(p) > 1.2 {
			return geom.Pose{R: geom.RPY(r.Float64(), r.Float64(), r.Float64()), P: p}
		}
	}
}

var realRobots = map[string]map[string]any{
	"g1":    {"robot_description_file": "../../shared/robots/g1/g1.urdf"},
	"panda": {"robot_description_file": "../../shared/robots/panda/panda.urdf", "robot_description_semantic_file": "../../shared/robots/panda/panda.srdf"},
}

// BenchmarkSwap measures the change of one obstacle among 200: from the layer to the model in use
// (swap), and the state in the new world after that (state).
func BenchmarkSwap(b *testing.B) {
	for name, given := range realRobots {
		b.Run(name, func(b *testing.B) {
			w, world := realModel(b, given, 200)
			w.stand()
			r := rand.New(rand.NewPCG(3, 4))
			took := map[string][]float64{}
			timed := func(what string, work func()) {
				begin := time.Now()
				cpu := cputime.Of(work)
				took[what] = append(took[what], 1e3*time.Since(begin).Seconds())
				took[what+"-cpu"] = append(took[what+"-cpu"], 1e3*cpu.Seconds())
			}
			b.ReportAllocs()
			for b.Loop() {
				o := world.Objects[r.IntN(len(world.Objects))]
				o.PoseWS = farFrom(r)
				timed("swap", func() {
					next, err := world.With(o)
					if err != nil {
						b.Fatal(err)
					}
					if s := w.put(fromPlanningScene, always(next)); s.err != nil {
						b.Fatal(s.err)
					}
				})
				timed("state", func() { w.news() })
			}
			for what, ms := range took {
				slices.Sort(ms)
				b.ReportMetric(ms[len(ms)/2], what+"-median-ms")
				b.ReportMetric(ms[len(ms)*99/100], what+"-p99-ms")
			}
		})
	}
}

// stand judges the robot at its default state.
func (w *inWorlds) stand() {
	w.t.Helper()
	m, _ := w.worlds.loader.current()
	rest := m.checker.State()
	s := &sensormsgs.JointState{Name: m.joints}
	for _, name := range m.joints {
		s.Position = append(s.Position, rest[name])
	}
	s.Header.Stamp = builtininterfaces.TimeOf(epoch.Add(w.clock))
	w.receive(s, time.Time{})
	if state := w.look(); state.Level == fcmsgs.CollisionStateUnknown {
		w.t.Fatal(state.Reason)
	}
}
