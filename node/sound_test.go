package node

import (
	"context"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
)

// carts is a second opinion on what the monitor should say, in closed forms.
type carts struct {
	joints  [2]struct{ x, at float64 } // at in s; -1 for unknown
	broken  bool
	begun   bool
	waiting []place

	lost               float64 // s: when what nobody judged came
	last               place   // judged
	checked, unchecked uint64
	level              uint8 // of the state judged last
	near               bool  // so near a limit that either level is right
}

// place is a configuration of both carts; first where the way to it is unknown.
type place struct {
	left, right float64
	at          float64 // s
	first       bool
}

func (c *carts) forget() {
	for i := range c.joints {
		c.joints[i].at = -1
	}
	c.broken = true
}

func (c *carts) stale(i int, now float64) bool { return now-c.joints[i].at > timeout.Seconds()+1e-9 }

func (c *carts) known(now float64) bool {
	return c.joints[0].at >= 0 && c.joints[1].at >= 0 && !c.stale(0, now) && !c.stale(1, now)
}

// measure notes positions; NaN is for a joint that the message does not name.
func (c *carts) measure(now, left, right float64) {
	for i, x := range []float64{left, right} {
		if math.IsNaN(x) {
			continue
		}
		if j := &c.joints[i]; j.at >= 0 && c.stale(i, now) {
			c.broken = true
		}
		c.joints[i].x, c.joints[i].at = x, now
	}
	if !c.known(now) {
		return
	}
	p := place{c.joints[0].x, c.joints[1].x, now, c.broken || !c.begun}
	if p.first && c.begun {
		c.unchecked++
	}
	c.begun, c.broken = true, false
	c.waiting = append(c.waiting, p)
}

func (c *carts) drop() {
	for _, p := range c.waiting {
		if !p.first {
			c.unchecked++
		}
		c.lost = p.at
	}
	c.waiting = nil
}

// judge judges what waits: a contact anywhere counts, the distance at the end.
func (c *carts) judge() {
	if len(c.waiting) > 0 {
		c.level, c.near = fcmsgs.CollisionStateFree, false
	}
	for i, p := range c.waiting {
		if p.first {
			c.last = p
		} else {
			c.checked++
		}
		c.way(c.last, p)
		c.last = p
		if i+1 == len(c.waiting) {
			c.grade(gap(p.left, p.right))
		}
	}
	c.waiting = nil
}

// way looks for contact on the straight way from a to b.
func (c *carts) way(a, b place) {
	c.contact(1+a.right-a.left, 1+b.right-b.left, -0.2, 0.2)
	c.contact(a.left, b.left, 2.89, 3.11)
	c.contact(1+a.right, 1+b.right, 2.89, 3.11)
}

const tie = 1e-5 // m

// contact looks whether the way from x to y meets [lo, hi].
func (c *carts) contact(x, y, lo, hi float64) {
	x, y = min(x, y), max(x, y)
	switch {
	case x < hi-tie && y > lo+tie:
		c.level = fcmsgs.CollisionStateCollision
	case x < hi+tie && y > lo-tie:
		c.near = true
	}
}

func (c *carts) grade(gap float64) {
	if c.level == fcmsgs.CollisionStateCollision {
		return
	}
	for _, limit := range []float64{0, 0.01, 0.05} {
		c.near = c.near || math.Abs(gap-limit) < tie+2*tolerance*limit
	}
	switch {
	case gap <= 0:
		c.level = fcmsgs.CollisionStateCollision
	case gap < 0.01:
		c.level = fcmsgs.CollisionStateStop
	case gap < 0.05:
		c.level = fcmsgs.CollisionStateWarn
	}
}

// Whatever comes in whatever order, what the monitor says is what the closed
// forms say, and every motion is counted once.
func TestMonitorIsSound(t *testing.T) {
	m := railModel(t)
	levels := map[uint8]int{}
	rapid.Check(t, func(t *rapid.T) {
		w := watch(m)
		c := carts{lost: -1}
		c.forget()
		for range rapid.IntRange(1, 40).Draw(t, "events") {
			w.clock += time.Duration(rapid.SampledFrom([]int{1, 5, 20, 60, 150}).Draw(t, "ms")) * ms
			now := w.clock.Seconds()
			happen(t, w, &c, m, now)
			if !rapid.Bool().Draw(t, "look") {
				continue
			}
			w.step(context.Background(), false)
			if len(w.queue.waiting)+len(w.queue.backlog) > 0 {
				t.Fatal("a step leaves something to be judged")
			}
			if rapid.Bool().Draw(t, "idle") {
				w.elaborate(context.Background())
			}
			s := w.look()
			c.judge()
			levels[s.Level]++
			if s.MotionsChecked != c.checked || s.MotionsUnchecked != c.unchecked {
				t.Fatalf("%d checked and %d unchecked, want %d and %d", s.MotionsChecked, s.MotionsUnchecked, c.checked, c.unchecked)
			}
			switch {
			case !c.known(now):
				if s.Level != fcmsgs.CollisionStateUnknown {
					t.Fatalf("level %d (%s) where nothing is known", s.Level, s.Reason)
				}
			case now-c.lost <= timeout.Seconds()+1e-9 && c.level != fcmsgs.CollisionStateCollision:
				if s.Level != fcmsgs.CollisionStateUnknown && !c.near {
					t.Fatalf("level %d (%s) while nobody has judged what came %g s ago", s.Level, s.Reason, now-c.lost)
				}
			case s.Level != c.level && !c.near:
				t.Fatalf("level %d (%s), want %d at %+v", s.Level, s.Reason, c.level, c.last)
			}
		}
	})
	for level := range fcmsgs.CollisionStateCollision + 1 {
		if levels[level] == 0 {
			t.Errorf("level %d never occurred: %v", level, levels)
		}
	}
}

// happen draws something that comes to the monitor.
func happen(t *rapid.T, w *watched, c *carts, m *model, now float64) {
	// Close together, and close to the wall, every level is likely.
	left := rapid.SampledFrom([]float64{0, 0.74, 0.795, 2.8, 2.87, 4}).Draw(t, "left")
	right := rapid.SampledFrom([]float64{0, 1.8, 1.86, 1.885, 3, -3}).Draw(t, "right")
	nan := math.NaN()
	switch rapid.IntRange(0, 12).Draw(t, "event") {
	case 0:
		w.receive(joints(w.clock, "left_x", left), time.Time{})
		c.measure(now, left, nan)
	case 1:
		w.receive(joints(w.clock, "right_x gripper", right, 7), time.Time{})
		c.measure(now, nan, right)
	case 2:
		w.receive(joints(w.clock, "left_x right_x", left, nan), time.Time{})
		c.forget()
	case 3:
		w.receive(joints(w.clock, "right_x left_x", right), time.Time{})
		c.forget()
	case 4:
		w.receive(joints(w.clock-time.Second, "right_x", right), time.Time{})
		c.joints[1].at, c.broken = -1, true
	case 5:
		w.use(m, "")
		c.drop()
		c.forget()
	case 6:
		w.receive(joints(w.clock, "gripper", nan), time.Time{})
	case 7: // silence
	default:
		w.receive(joints(w.clock, "left_x right_x", left, right), time.Time{})
		c.measure(now, left, right)
	}
}
