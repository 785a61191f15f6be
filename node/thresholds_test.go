package node

import (
	"context"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// regrade changes parameters of levels.
func (w *inWorlds) regrade(changes map[string]any) error {
	m, _ := w.worlds.loader.current()
	v, err := m.levels.With(changes)
	if err != nil {
		return err
	}
	_, _, err = w.worlds.loader.regrade(v, changedLevels(m.levels, v), w.measured)
	return err
}

// Other distances hold from the next state on, which comes without a joint state.
func TestDistancesChangeBetweenStates(t *testing.T) {
	for name, c := range map[string]struct {
		start, change map[string]any
		before, after uint8
		reason        string
	}{
		"warn":      {nil, map[string]any{"warn_distance": 0.02}, fcmsgs.CollisionStateWarn, levelFree, ""},
		"min":       {nil, map[string]any{"distance_range.min": 0.04}, fcmsgs.CollisionStateWarn, fcmsgs.CollisionStateStop, "closer than 0.04"},
		"both":      {nil, map[string]any{"distance_range.min": 0.001, "warn_distance": 0.002}, fcmsgs.CollisionStateWarn, levelFree, ""},
		"self":      {nil, map[string]any{"distance_range.self.min": 0.035}, fcmsgs.CollisionStateWarn, fcmsgs.CollisionStateStop, "closer than 0.035"},
		"world":     {nil, map[string]any{"distance_range.world.min": 0.035}, fcmsgs.CollisionStateWarn, fcmsgs.CollisionStateWarn, "left and right"},
		"override":  {map[string]any{"distance_range.min": 0.04}, map[string]any{"margin_overrides": []any{"left:right:0.01"}}, fcmsgs.CollisionStateStop, levelFree, ""},
		"no longer": {map[string]any{"distance_range.min": 0.04, "margin_overrides": []any{"left:right:0.01"}}, map[string]any{"margin_overrides": []any{}}, levelFree, fcmsgs.CollisionStateStop, ""},
		"pair":      {nil, map[string]any{"distance_range.pairs": []any{"left:right:0.1:0.3"}}, fcmsgs.CollisionStateWarn, fcmsgs.CollisionStateStop, "closer than 0.1"},
		"max":       {nil, map[string]any{"distance_range.max": 0.06}, fcmsgs.CollisionStateWarn, fcmsgs.CollisionStateWarn, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := changing(t, c.start)
			wantLevel(t, w.at(0, 0.77, 0), c.before, "") // 30 mm
			m, _ := w.worlds.loader.current()
			if err := w.regrade(c.change); err != nil {
				t.Fatal(err)
			}
			s := w.news()
			wantLevel(t, s, c.after, c.reason)
			if s.SceneVersion != m.sceneVersion || len(w.former.kept) > 0 {
				t.Errorf("the scene has version %d, %d before; %d former worlds", s.SceneVersion, m.sceneVersion, len(w.former.kept))
			}
			w.put(fromPlanningScene, adding(cube("crate", -4))) // in another world, too
			wantLevel(t, w.news(), c.after, c.reason)
			s = w.at(ms, 0.77, 0)
			wantLevel(t, s, c.after, c.reason)
			wantCounts(t, s, 1, 0)
		})
	}
}

// Of distances that cannot be used nothing holds.
func TestDistancesThatCannotBeUsed(t *testing.T) {
	w := changing(t, nil)
	wantLevel(t, w.at(0, 0.77, 0), fcmsgs.CollisionStateWarn, "")
	for says, change := range map[string]map[string]any{
		"there is no link or object lefd": {"warn_distance": 0.02, "margin_overrides": []any{"lefd:right:0.001"}},
		"raise it":                        {"warn_distance": 0.02, "distance_range.pairs": []any{"left:right:0.01:0.012"}},
		"the margin exceeds":              {"margin_overrides": []any{"left:right:0.1"}},
		"below distance_range.min":        {"warn_distance": 0.001},
	} {
		if err := w.regrade(change); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v: %v, want %q", change, err, says)
		}
		wantLevel(t, w.look(), fcmsgs.CollisionStateWarn, "closer than 0.05")
	}
	l := w.worlds.loader
	l.building.Lock()
	if err := w.regrade(map[string]any{"warn_distance": 0.02}); err != errLoading {
		t.Errorf("while a description is being loaded: %v", err)
	}
	l.building.Unlock()
}

// Without a model distances are kept for the one to come, except lists of names.
func TestDistancesOfTheNextModel(t *testing.T) {
	v := values(t, railParameters(t, nil))
	l := newLoader(v, pins{}, quiet(), func(*model, string) {})
	other, err := v.With(map[string]any{"warn_distance": 0.02})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := l.regrade(other, []string{"margin_overrides"}, nil); err != errNoNames {
		t.Error(err)
	}
	if _, _, err := l.regrade(other, []string{"warn_distance"}, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := l.load(context.Background(), describe(v), false); err != nil {
		t.Fatal(err)
	}
	if m, _ := l.current(); m.limits.warn != 0.02 {
		t.Errorf("the model warns below %g m", m.limits.warn)
	}
}

// While distances and worlds change in turn, every state is graded by one set of distances: 0.1 m are
// FREE by one and STOP by the other, and WARN by a mixture.
func TestNoStateMixesDistances(t *testing.T) {
	w := changing(t, nil)
	sets := []map[string]any{
		{"distance_range.min": 0.01, "warn_distance": 0.02}, {"distance_range.min": 0.2, "warn_distance": 0.4},
	}
	if err := w.regrade(sets[0]); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	var all sync.WaitGroup
	for _, change := range []func(i int) error{
		func(i int) error { return w.regrade(sets[i%2]) },
		func(i int) error {
			w.worlds.put(fromPlanningScene, adding(cube("crate", -4-float64(i%2)/2)), nil)
			return w.worlds.use(context.Background())
		},
	} {
		all.Add(1)
		go func() {
			defer all.Done()
			for i := 0; ; i++ {
				select {
				case <-done:
					return
				default:
				}
				if err := change(i); err != nil && err != errBusy {
					t.Error(err)
				}
			}
		}()
	}
	levels := map[uint8]int{}
	for i := range 3000 {
		w.receive(joints(0, bothCarts, 0.7, float64(i%2)*1e-9), time.Time{})
		s := w.look()
		levels[s.Level]++
		if s.Level != levelFree && s.Level != fcmsgs.CollisionStateStop && s.Level != levelUnknown { // UNKNOWN while a world waits for long
			t.Fatalf("level %d (%s)", s.Level, s.Reason)
		}
		if i >= 100 && levels[levelFree] > 10 && levels[fcmsgs.CollisionStateStop] > 10 {
			break
		}
	}
	close(done)
	all.Wait()
	if len(levels) < 2 {
		t.Errorf("levels %v", levels)
	}
}

// What makes some level less strict is told with a warning, by its effect and not by its number.
func TestLaxerDistances(t *testing.T) {
	for _, c := range []struct {
		start, change map[string]any
		names         []string
	}{
		{nil, map[string]any{"distance_range.self.min": 0.005}, []string{"distance_range.self.min"}}, // -1 stands for 0.01
		{nil, map[string]any{"distance_range.self.min": 0.02}, nil},
		{map[string]any{"distance_range.world.min": 0.02}, map[string]any{"distance_range.world.min": -1.0}, []string{"distance_range.world.min"}},
		{map[string]any{"distance_range.self.min": 0.02}, map[string]any{"distance_range.attached.max": 1.0}, []string{"distance_range.attached.max"}}, // attached pairs lose self's
		{nil, map[string]any{"distance_range.max": 0.3}, nil},
		{nil, map[string]any{"warn_distance": 0.04}, []string{"warn_distance"}},
		{nil, map[string]any{"warn_distance": 0.06}, nil},
		{nil, map[string]any{"distance_range.min": 0.005}, []string{"distance_range.min"}},
		{nil, map[string]any{"margin_overrides": []any{"left:right:0.005"}}, []string{"margin_overrides"}},
		{map[string]any{"margin_overrides": []any{"left:right:0.005"}}, map[string]any{"margin_overrides": []any{}}, nil},
		{nil, map[string]any{"distance_range.pairs": []any{"left:right:0.1:0.3"}}, nil},
		{nil, map[string]any{"distance_range.pairs": []any{"left:right:0.02:0.3"}}, []string{"distance_range.pairs"}}, // WARN from 0.03, not 0.05
		{map[string]any{"distance_range.pairs": []any{"left:right:0.1:0.3"}}, map[string]any{"distance_range.pairs": []any{}}, []string{"distance_range.pairs"}},
	} {
		w := changing(t, c.start)
		m, _ := w.worlds.loader.current()
		if err := w.regrade(c.change); err != nil {
			t.Fatal(err)
		}
		now, _ := w.worlds.loader.current()
		got := append(now.levels.Weakened(m.levels), laxer(m.levels, now.levels, m, now)...)
		if slices.Sort(got); !slices.Equal(got, c.names) {
			t.Errorf("%v after %v: %v, want %v", c.change, c.start, got, c.names)
		}
	}
}

// The parameter services change distances of a node at work.
func TestDistancesChangeByService(t *testing.T) {
	r := inMemory().newRobot(t, railArgs(t)...)
	r.waitModel()
	r.play(func() *sensormsgs.JointState { return carts2(0.77, 0) })
	_, at := r.waitLevel(0, fcmsgs.CollisionStateWarn, "closer than 0.05")
	if why := r.set(doubleOf("warn_distance", 0.02)); why != "" {
		t.Fatal(why)
	}
	_, at = r.waitLevel(at, levelFree, "")
	if why := r.set(doubleOf("distance_range.min", 0.04)); !strings.Contains(why, "warn_distance is 0.02, below distance_range.min") {
		t.Errorf("refused with %q", why)
	}
	if why := r.set(doubleOf("distance_range.self.min", 0.031)); why != "" {
		t.Fatal(why)
	}
	r.waitLevel(at, fcmsgs.CollisionStateStop, "0.031")
	if why := r.set(stringOf("self.method", "spheres")); !strings.Contains(why, "because") {
		t.Errorf("refused with %q", why)
	}
}

func TestChangesOfDistancesAreLogged(t *testing.T) {
	out := &lines{}
	n, err := New(ros.NewMemory(), Options{Logger: ros.NewLogger(out, "n", ros.LevelInfo)})
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	if _, err := n.change(map[string]any{"distance_range.world.min": 0.001, "distance_range.self.min": 0.02}); err != nil {
		t.Fatal(err)
	}
	n.ros.Logger().Flush(time.Second)
	if text := out.String(); strings.Count(text, "WARN") != 1 || !strings.Contains(text, "distance_range.world.min was changed from -1 to 0.001: answers from now on are less strict") {
		t.Errorf("the log is\n%s", text)
	}
	if n.loader.graded().Double("distance_range.self.min") != 0.02 {
		t.Error("the next model is made with the old distances")
	}
}

// Whether a pair parts is proved in the present world, not in the one in which it was asked first.
func TestPartingInAnotherWorld(t *testing.T) {
	w := changing(t, map[string]any{"lookahead.mode": "measured_velocity", "lookahead.horizon": 0.02})
	w.limits.ahead = lookaheadOf(w.model.origin.values)
	at := func(crate float64) *fcmsgs.CollisionState {
		w.put(fromPlanningScene, adding(cube("crate", crate)))
		return w.moving(w.clock+ms, -3, 0, 0.1, 0)
	}
	// The left cart moves ahead, away from a crate 5 mm behind it, and then toward one 5 mm ahead.
	if s := at(-3.205); s.Level != fcmsgs.CollisionStateWarn {
		t.Fatalf("level %d (%s)", s.Level, s.Reason)
	}
	if s := at(-2.795); s.Level != fcmsgs.CollisionStateStop {
		t.Errorf("level %d (%s)", s.Level, s.Reason)
	}
	if math.IsNaN(w.look().ClosingSpeed) {
		t.Error("no closing speed")
	}
}
