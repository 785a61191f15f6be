package node

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/config"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/scene"
)

// shift is a monitor at work, with the clock of this machine, whose world changes.
type shift struct {
	monitor *monitor
	worlds  *worlds
	model   *model
	world   *scene.Snapshot
	random  *rand.Rand

	mu     sync.Mutex
	sent   map[builtininterfaces.Time]time.Time // when the joint state of a stamp was heard
	took   []time.Duration                      // from a joint state to the state that it led to
	states []fcmsgs.CollisionState
}

// atWork starts a monitor of a model with n obstacles far from it, which ends with the test.
func atWork(t testing.TB, m *model, n int) *shift {
	t.Helper()
	s := &shift{sent: map[builtininterfaces.Time]time.Time{}, random: rand.New(rand.NewPCG(5, 6)), model: m}
	l := limitsOf(m.origin.values)
	s.monitor = newMonitor(l, s.publish, t.Logf)
	loader := newLoader(config.Defaults(), pins{}, quiet(), s.monitor.use)
	s.worlds = newWorlds(loader, s.monitor.await, s.monitor.measured)
	loader.mu.Lock()
	loader.set(m, "")
	loader.mu.Unlock()
	var err error
	if s.world, err = scene.New("", obstacles(s.random, n)...); err != nil {
		t.Fatal(err)
	}
	s.worlds.put(fromPlanningScene, always(s.world), nil)
	if err := s.worlds.use(context.Background()); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	var all sync.WaitGroup
	for _, work := range []func(context.Context) error{s.monitor.run, s.worlds.run} {
		all.Add(1)
		go func() {
			defer all.Done()
			if err := guarded(func() error { return work(ctx) }); err != nil {
				t.Error(err)
			}
		}()
	}
	t.Cleanup(func() {
		stop()
		all.Wait()
	})
	return s
}

func (s *shift) publish(state *fcmsgs.CollisionState) {
	now := time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	if begin, first := s.sent[state.Header.Stamp]; first {
		delete(s.sent, state.Header.Stamp)
		s.took = append(s.took, now.Sub(begin))
	}
	s.states = append(s.states, *state)
}

// move lets the joints move a little for n periods. At each swap, a time after the joint state,
// one obstacle is moved; a negative one does not come.
func (s *shift) move(n int, period, swap time.Duration) {
	rest := s.model.checker.State()
	tick := time.NewTicker(period)
	defer tick.Stop()
	for k := range n {
		<-tick.C
		m := &sensormsgs.JointState{Name: s.model.joints}
		for i, name := range s.model.joints {
			m.Position = append(m.Position, rest[name]+0.01*math.Sin(float64(k)*0.02*float64(1+i%5)))
		}
		now := time.Now()
		m.Header.Stamp = builtininterfaces.TimeOf(now)
		s.mu.Lock()
		s.sent[m.Header.Stamp] = now
		s.mu.Unlock()
		s.monitor.hear(m, ros.MessageInfo{SourceTime: now})
		if swap >= 0 {
			time.Sleep(swap)
			s.swap()
		}
	}
	time.Sleep(5 * period)
}

func (s *shift) swap() {
	o := s.world.Objects[s.random.IntN(len(s.world.Objects))]
	o.PoseWS = farFrom(s.random)
	next, err := s.world.With(o)
	if err != nil {
		panic(err)
	}
	s.worlds.put(fromPlanningScene, always(next), nil)
}

// results returns the latencies, sorted, and how many joint states were later than a period or
// led to no state of their own.
func (s *shift) results(period time.Duration) (took []time.Duration, late int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	took = slices.Clone(s.took)
	slices.Sort(took)
	late = len(s.sent)
	for _, x := range took {
		if x > period {
			late++
		}
	}
	return took, late
}

// At 100 joint states and 100 changes of the world a second every motion is judged, no state is
// UNKNOWN, and all worlds come into use in order.
func TestSwapsDelayNoState(t *testing.T) {
	const period = 10 * ms
	v := values(t, railParameters(t, map[string]any{"joint_state_timeout": 1.0})) // for a busy machine
	m, err := build(context.Background(), describe(v), v)
	if err != nil {
		t.Fatal(err)
	}
	n := 200
	if testing.Short() {
		n = 50
	}
	s := atWork(t, m, 200)
	s.move(n, period, 3*ms)
	took, late := s.results(period)
	t.Logf("%d joint states: median %v, longest %v, %d late", n, took[len(took)/2], took[len(took)-1], late)
	if late > n/2 { // hardly any on an idle machine
		t.Errorf("%d of %d joint states are later than a period", late, n)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	known, version := false, uint64(0)
	for i := range s.states {
		state := &s.states[i]
		if known = known || state.Level != fcmsgs.CollisionStateUnknown; known && state.Level == fcmsgs.CollisionStateUnknown {
			t.Fatalf("state %d is UNKNOWN: %s", i, state.Reason)
		}
		if state.SceneVersion < version {
			t.Fatalf("state %d is of version %d after %d", i, state.SceneVersion, version)
		}
		version = state.SceneVersion
	}
	last := &s.states[len(s.states)-1]
	if last.MotionsUnchecked > 0 || last.MotionsChecked != uint64(n-1) {
		t.Errorf("%d motions are judged and %d are not, of %d", last.MotionsChecked, last.MotionsUnchecked, n-1)
	}
	if version < uint64(n/20) { // a busy machine lets several changes make one world
		t.Errorf("%d worlds came into use, of %d", version, n)
	}
}

// BenchmarkStatesUnderSwaps measures 100 joint states a second of real robots with 200 obstacles,
// and 100 changes of the world in between: from the joint state to the published state.
func BenchmarkStatesUnderSwaps(b *testing.B) {
	const period = 10 * ms
	for name, given := range realRobots {
		for how, swap := range map[string]time.Duration{"standing": -1, "100Hz": 3 * ms} {
			b.Run(name+"/"+how, func(b *testing.B) {
				w, _ := realModel(b, given, 1)
				m, _ := w.worlds.loader.current()
				s := atWork(b, m, 200)
				b.ResetTimer()
				s.move(b.N, period, swap)
				took, late := s.results(period)
				at := func(share float64) float64 {
					return 1e3 * took[min(int(share*float64(len(took))), len(took)-1)].Seconds()
				}
				b.ReportMetric(at(0.5), "median-ms")
				b.ReportMetric(at(0.99), "p99-ms")
				b.ReportMetric(at(0.999), "p99.9-ms")
				b.ReportMetric(float64(late), "late")
			})
		}
	}
}
