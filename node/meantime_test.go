package node

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/node/internal/jointstates"
	"github.com/firstcontact-ros/firstcontact/scene"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// withSlowWorlds is a monitor whose worlds take as long as the test has them take, by its own clock alone.
func withSlowWorlds(t *testing.T) *inWorlds {
	w := changing(t, nil)
	w.worlds.await = func(time.Time) {}
	return w
}

// give gives a world with one crate, which is not in use before ready.
func (w *inWorlds) give(x float64) {
	w.worlds.put(fromPlanningScene, adding(cube("crate", x)), nil)
}

// ready has the newest world used.
func (w *inWorlds) ready() {
	w.t.Helper()
	if err := w.worlds.use(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
}

// The left cart passes the place of a crate while the world with the crate is made ready.
func TestContactWhileAWorldIsMadeReady(t *testing.T) {
	const before, on, after, away = -3, -2, -1, -4.5
	for _, c := range []struct {
		name    string
		episode func(w *inWorlds)
		contact string // "" for none
		counts  [2]uint64
	}{
		{"the motion is judged before", func(w *inWorlds) {
			w.at(0, before, 0)
			w.give(on)
			wantLevel(w.t.(*testing.T), w.at(ms, after, 0), levelFree, "")
		}, "on a motion while the newest scene was made ready", [2]uint64{1, 0}},
		{"several motions", func(w *inWorlds) {
			w.at(0, before, 0)
			w.give(on)
			w.at(ms, before, 0.1)
			w.at(2*ms, after, 0.1)
			w.at(3*ms, after, 0.2)
		}, "on a motion while the newest scene was made ready", [2]uint64{3, 0}},
		{"the newest motion waits", func(w *inWorlds) {
			w.at(0, before, 0)
			w.give(on)
			w.at(ms, before, 0.1)
			w.moved(2*ms, after, 0.1)
		}, "on the motion from the previous state", [2]uint64{2, 0}},
		{"the motion ends before the world is given", func(w *inWorlds) {
			w.at(0, before, 0)
			w.at(ms, after, 0)
			w.give(on)
			w.at(2*ms, after, 0.1)
		}, "", [2]uint64{2, 0}},
		{"a world that is replaced before it is used", func(w *inWorlds) {
			w.at(0, before, 0)
			w.give(on)
			w.at(ms, after, 0)
			w.give(away)
		}, "", [2]uint64{1, 0}},
		{"the first configuration", func(w *inWorlds) {
			w.give(on)
			w.at(0, on, 0)
			w.at(ms, after, 0)
		}, "on a motion while the newest scene was made ready", [2]uint64{1, 0}},
		{"the way is not known", func(w *inWorlds) {
			w.at(0, before, 0)
			w.give(on)
			w.at(500*ms, after, 0)
		}, "", [2]uint64{0, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := withSlowWorlds(t)
			w.crateAt(away)
			c.episode(w)
			w.ready()
			level := levelFree
			if c.contact != "" {
				level = fcmsgs.CollisionStateCollision
			}
			s := w.look()
			wantLevel(t, s, level, c.contact)
			if c.contact != "" && (s.Pair.A.Name != "left" || s.Pair.B.Name != "crate") {
				t.Errorf("pair %+v", s.Pair)
			}
			wantCounts(t, s, c.counts[0], c.counts[1])
			wantLevel(t, w.at(w.clock+ms, after, 0.3), levelFree, "")
			if len(w.meantime.kept) > 0 {
				t.Errorf("%d configurations are kept", len(w.meantime.kept))
			}
		})
	}
}

// A world that is given while another one is made ready: what ended before it was given is not judged in
// it, and what ended after that is.
func TestTwoWorldsAreMadeReady(t *testing.T) {
	for name, c := range map[string]struct {
		meanwhile func(w *inWorlds)
		level     uint8
	}{
		"motion, then the world": {func(w *inWorlds) {
			w.at(ms, -1, 0)
			w.give(-2)
		}, levelFree},
		"the world, then the motion": {func(w *inWorlds) {
			w.give(-2)
			w.at(ms, -1, 0)
		}, fcmsgs.CollisionStateCollision},
	} {
		w := withSlowWorlds(t)
		w.crateAt(-4.5)
		w.at(0, -3, 0)
		w.worlds.put(fromPlanningScene, func(ctx context.Context, robot *urdf.Robot, below *scene.Snapshot) (*scene.Snapshot, error) {
			c.meanwhile(w)
			return adding(cube("crate", -4.6))(ctx, robot, below)
		}, nil)
		w.ready()
		wantLevel(t, w.look(), levelFree, "")
		w.ready()
		if s := w.look(); s.Level != c.level {
			t.Errorf("%s: level %d (%s), want %d", name, s.Level, s.Reason, c.level)
		}
	}
}

// In random episodes, each motion is judged in every world that was in use during it and in the first
// that contains what was given before it ended. The bodies are intervals.
func TestWorldsThatTakeTime(t *testing.T) {
	d := chance.New(17, 1)
	w := withSlowWorlds(t)
	crate, given := -4.5, -4.5
	w.crateAt(crate)
	left := -3.0
	w.at(0, left, 0)
	var kept [][2]float64 // motions that ended since the world was given that is not in use yet
	contacts, checked := 0, uint64(0)
	for i := range 600 {
		sweeps := func(a, b, x float64) bool { return math.Min(a, b)-0.2 < x && x < math.Max(a, b)+0.2 }
		switch d.IntN(4) {
		case 0:
			if given != crate {
				continue
			}
			given = d.In(-4.5, -1)
			w.give(given)
		case 1:
			if given == crate {
				continue
			}
			crate = given
			w.ready()
			want := sweeps(left, left, crate)
			for _, m := range kept {
				want = want || sweeps(m[0], m[1], crate)
			}
			kept = nil
			if s := w.look(); (s.Level == fcmsgs.CollisionStateCollision) != want {
				t.Fatalf("%d: level %d (%s), want contact %t", i, s.Level, s.Reason, want)
			} else if want {
				contacts++
			}
			w.at(w.clock+ms, left, 0) // the next motion begins in one world
			checked++
		default:
			before := left
			left = d.In(-4.5, -1)
			checked++
			s := w.at(w.clock+ms, left, 0)
			if want := sweeps(before, left, crate); (s.Level == fcmsgs.CollisionStateCollision) != want {
				t.Fatalf("%d: level %d (%s), want contact %t", i, s.Level, s.Reason, want)
			}
			if given != crate {
				kept = append(kept, [2]float64{before, left})
			}
		}
	}
	s := w.look()
	wantCounts(t, s, checked, 0)
	if contacts < 20 {
		t.Errorf("%d contacts", contacts)
	}
}

// What came more than joint_state_timeout before the world is in use is not judged in it: states are
// UNKNOWN by then. So little is kept, however long it takes.
func TestWorldThatTakesLong(t *testing.T) {
	w := withSlowWorlds(t)
	w.crateAt(-4.5)
	w.at(0, -3, 0)
	w.give(-2)
	w.at(ms, -1, 0)
	for range 3 * int(timeout/ms) {
		w.at(w.clock+ms, -1, 0)
		if n := len(w.meantime.kept); n > int(timeout/ms)+2 {
			t.Fatalf("%d configurations are kept", n)
		}
	}
	w.ready()
	wantLevel(t, w.look(), levelFree, "")
}

// A step that has no time for the motions says so, and judges them later.
func TestNoTimeForTheMeantime(t *testing.T) {
	w := withSlowWorlds(t)
	w.crateAt(-4.5)
	w.at(0, -3, 0)
	w.give(-2)
	s := w.at(ms, -1, 0)
	w.ready()
	w.spare = 0
	wantLevel(t, w.look(), levelUnknown, "are not judged")
	w.spare = time.Minute
	wantLevel(t, w.look(), fcmsgs.CollisionStateCollision, "while the newest scene was made ready")
	if w.said[len(w.said)-1].MotionsChecked != s.MotionsChecked {
		t.Errorf("%d motions are judged, %d before", w.said[len(w.said)-1].MotionsChecked, s.MotionsChecked)
	}
}

// A pause of the process ends the wait: nothing counts from before.
func TestPauseWhileAWorldIsMadeReady(t *testing.T) {
	w := withSlowWorlds(t)
	w.crateAt(-4.5)
	w.at(0, -3, 0)
	w.give(-2)
	w.at(ms, -1, 0)
	w.pause()
	w.ready()
	for end := w.clock + 2*draining; w.clock < end; w.clock += 10 * ms {
		w.heartbeat()
	}
	wantLevel(t, w.at(w.clock, -1, 0), levelFree, "")
}

func TestMeantimeIsBounded(t *testing.T) {
	var d meantime
	lost := 0
	for range limit.WaitingConfigurations + 10 {
		if d.note(&jointstates.Sample{Received: epoch}, true, epoch) != nil {
			lost++
		}
	}
	if len(d.kept) != limit.WaitingConfigurations || lost != 10 {
		t.Errorf("%d configurations are kept, and %d were lost", len(d.kept), lost)
	}
}
