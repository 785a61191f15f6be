package node

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
)

// moved delivers a measurement of the carts, and judges nothing.
func (w *watched) moved(clock time.Duration, left, right float64) {
	w.clock = clock
	w.receive(joints(clock, "left_x right_x", left, right), time.Time{})
}

// crateAt puts one crate into the world, which replaces the one before.
func (w *inWorlds) crateAt(x float64) { w.put(fromPlanningScene, adding(cube("crate", x))) }

// The left cart passes the place of a crate, and is clear of it before and after. The crate is taken
// away before the motion is judged.
func TestContactOnTheWayBeforeAChange(t *testing.T) {
	const before, on, after, away = -3, -2, -1, -4.5
	for _, c := range []struct {
		name    string
		episode func(w *inWorlds)
		contact string // "" for none
	}{
		{"the motion ends before the change", func(w *inWorlds) {
			w.at(0, before, 0)
			w.moved(ms, after, 0)
			w.crateAt(away)
		}, "on the motion from the previous state, in version 2"},
		{"the change comes during the motion", func(w *inWorlds) {
			w.at(0, before, 0)
			w.crateAt(away)
			w.moved(ms, after, 0)
		}, "on the motion from the previous state, in version 2"},
		{"the present state is judged again in between", func(w *inWorlds) {
			w.at(0, before, 0)
			w.crateAt(away)
			w.news()
			w.moved(ms, after, 0)
		}, "on the motion from the previous state, in version 2"},
		{"several changes during the motion", func(w *inWorlds) {
			w.crateAt(away)
			w.at(0, before, 0)
			w.crateAt(on)
			w.crateAt(away)
			w.moved(ms, after, 0)
		}, "on the motion from the previous state, in version 4"},
		{"motions before the newest", func(w *inWorlds) {
			w.at(0, before, 0)
			w.moved(ms, after, 0)
			w.crateAt(away)
			w.moved(2*ms, after, 0.1)
			w.moved(3*ms, after, 0.2)
		}, "on the motion to a configuration before the newest, in version 2"},
		{"the first configuration", func(w *inWorlds) {
			w.moved(0, on, 0)
			w.crateAt(away)
		}, "in version 2"},
		{"the crate comes", func(w *inWorlds) {
			w.crateAt(away)
			w.at(0, before, 0)
			w.crateAt(on)
			w.moved(ms, after, 0)
		}, "on the motion from the previous state"},
		{"before the crate comes", func(w *inWorlds) {
			w.crateAt(away)
			w.at(0, before, 0)
			w.at(ms, after, 0)
			w.crateAt(on)
			w.moved(2*ms, after, 0.1)
		}, ""},
		{"after the crate has gone", func(w *inWorlds) {
			w.at(0, before, 0)
			w.crateAt(away)
			w.at(ms, before, 0.1)
			w.moved(2*ms, after, 0.1)
		}, ""},
		{"the other cart's way", func(w *inWorlds) {
			w.at(0, before, 0)
			w.crateAt(away)
			w.moved(ms, before, 1)
		}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := changing(t, nil)
			w.crateAt(on)
			c.episode(w)
			level := levelFree
			if c.contact != "" {
				level = fcmsgs.CollisionStateCollision
			}
			s := w.look()
			wantLevel(t, s, level, c.contact)
			if c.contact != "" && s.Pair.A.Name != "left" {
				t.Errorf("pair %+v", s.Pair)
			}
			if s.MotionsUnchecked > 0 {
				t.Errorf("%d motions are not judged", s.MotionsUnchecked)
			}
			w.at(w.clock+ms, after, 0.3) // the crate may have gone during this motion
			wantLevel(t, w.at(w.clock+ms, after, 0.3), levelFree, "")
			if len(w.former.kept) > 1 {
				t.Errorf("%d former worlds are kept", len(w.former.kept))
			}
		})
	}
}

// A rival's motions are judged in the worlds of their time, too.
func TestRivalOnTheWayBeforeAChange(t *testing.T) {
	w := changing(t, nil)
	w.crateAt(-2)
	w.from(1, 0, both, -3, 0)
	w.from(2, 0, both, -3, 0)
	wantLevel(t, w.look(), levelFree, "")
	w.crateAt(-4.5)
	wantLevel(t, w.look(), levelFree, "")
	w.from(1, ms, both, -3, 0)
	w.from(2, ms, both, -1, 0)
	wantLevel(t, w.look(), fcmsgs.CollisionStateCollision, "measured by publisher")
}

// Beyond the bound a motion is not judged in all worlds, which is told; afterwards all is as before.
func TestManyWorldsDuringAMotion(t *testing.T) {
	for _, c := range []struct {
		changes int
		level   uint8
	}{{limit.FormerWorlds, levelFree}, {limit.FormerWorlds + 1, levelUnknown}} {
		w := changing(t, nil)
		w.crateAt(-4.5)
		w.at(0, -3, 0)
		for i := range c.changes {
			w.crateAt(-4.6 - 0.01*float64(i%2))
		}
		w.moved(ms, -1, 0)
		s := w.look()
		wantLevel(t, s, c.level, map[uint8]string{levelUnknown: "has changed more than 32 times"}[c.level])
		if unchecked := s.MotionsUnchecked == 1; unchecked != (c.level == levelUnknown) {
			t.Errorf("%d motions are not judged", s.MotionsUnchecked)
		}
		if len(w.former.kept) > limit.FormerWorlds {
			t.Errorf("%d worlds are kept", len(w.former.kept))
		}
		for range 10 {
			w.at(w.clock+ms, -1, 0)
		}
		wantLevel(t, w.at(2*timeout, -1, 0), levelFree, "")
	}
}

// In random episodes, each contact on the way in any world that was in use during a motion is told
// in the first step that knows of the motion, and none that was not. The bodies are intervals.
func TestWorldsOfRandomMotions(t *testing.T) {
	d := chance.New(16, 4)
	w := changing(t, nil)
	crate := -4.5
	w.crateAt(crate)
	sweeps := func(a, b float64) bool { return math.Min(a, b)-0.2 < crate && crate < math.Max(a, b)+0.2 }
	left := -3.0
	w.at(0, left, 0)
	contact, contacts := false, 0 // of what was measured since the last step
	since := false                // in a world during the motion that goes on; decided at its end
	worlds := []float64{crate}
	var waiting [][2]float64
	happened := true // since the last step; a state is repeated as long as nothing does
	for i := range 600 {
		choice := d.IntN(5)
		if choice < 4 && !happened {
			happened, contact = true, false
		}
		switch choice {
		case 0, 1:
			crate = d.In(-4.5, -1)
			w.crateAt(crate)
			worlds = append(worlds, crate)
		case 2, 3:
			before := left
			left = d.In(-4.5, -1)
			w.moved(w.clock+ms, left, 0)
			for _, crate = range worlds {
				since = since || sweeps(before, left)
			}
			contact, waiting = contact || since, append(waiting, [2]float64{before, left})
			crate, since, worlds = worlds[len(worlds)-1], false, worlds[len(worlds)-1:]
		default:
			for _, m := range waiting { // in the present world, too
				contact = contact || sweeps(m[0], m[1])
			}
			waiting = nil
			s := w.look()
			told := s.Level == fcmsgs.CollisionStateCollision
			if here := sweeps(left, left); told != (contact || here) {
				t.Fatalf("%d: level %d (%s), on the way %v, here %v", i, s.Level, s.Reason, contact, here)
			}
			if told {
				contacts++
			}
			happened = false
		}
	}
	if contacts < 20 || w.said[len(w.said)-1].MotionsUnchecked > 0 {
		t.Errorf("%d contacts, %d motions are not judged", contacts, w.said[len(w.said)-1].MotionsUnchecked)
	}
}

// A step that has no time for all worlds puts the motion back, and judges it in all of them later.
func TestNoTimeForFormerWorlds(t *testing.T) {
	w := changing(t, nil)
	w.crateAt(-2)
	w.at(0, -3, 0)
	w.moved(ms, -1, 0)
	w.crateAt(-4.5)
	w.moved(2*ms, -1, 0.1)
	w.moved(3*ms, -1, 0.2)
	w.spare = 0
	s := w.look()
	wantLevel(t, s, levelUnknown, "are not judged")
	w.spare = time.Minute
	if s = w.look(); s.Level != fcmsgs.CollisionStateCollision || !strings.Contains(s.Reason, "in version 2") {
		t.Error(fmt.Sprint(s.Level, s.Reason))
	}
	w.step(context.Background(), false)
}
