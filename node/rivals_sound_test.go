package node

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// claim is what a publisher said of the carts, as the test itself knows it. NaN is for a
// cart that it did not name.
type claim struct {
	by          int
	left, right float64
	oldest      time.Duration // of its stamp, source time and receipt
	heard       time.Duration
	good        bool // without a fault
	gone        bool // the transport has lost the publisher since
}

// whole tells whether it is a configuration.
func (c *claim) whole() bool { return c.good && !math.IsNaN(c.left) && !math.IsNaN(c.right) }

// contests tells whether two publishers speak of the same cart.
func (c *claim) contests(d *claim) bool {
	return c.by != d.by && (!math.IsNaN(c.left) && !math.IsNaN(d.left) || !math.IsNaN(c.right) && !math.IsNaN(d.right))
}

// contradiction finds a contact that a publisher measured within the timeout, of joints that
// another publisher spoke of within the timeout.
func contradiction(claims []claim, now time.Duration) *claim {
	for i := range claims {
		c := &claims[i]
		if !c.whole() || now-c.oldest > timeout || gap(c.left, c.right) > 0 {
			continue
		}
		for j := range claims {
			if d := &claims[j]; now-d.heard <= timeout && c.contests(d) {
				return c
			}
		}
	}
	return nil
}

// mixed finds a contact of the carts where one publisher measured one and the only other
// publisher the other.
func mixed(claims []claim, now time.Duration) bool {
	var latest [2][2]float64 // by publisher and cart
	for p := range latest {
		latest[p] = [2]float64{math.NaN(), math.NaN()}
	}
	for _, c := range claims {
		if c.by > 1 || !c.good || c.gone || now-c.oldest > timeout {
			return false
		}
		for i, x := range []float64{c.left, c.right} {
			if !math.IsNaN(x) {
				latest[c.by][i] = x
			}
		}
	}
	for p := range latest {
		l, r := latest[p][0], latest[p][1]
		if math.IsNaN(l) {
			l = latest[1-p][0]
		}
		if math.IsNaN(r) {
			r = latest[1-p][1]
		}
		if gap(l, r) <= 0 { // not where one is NaN
			return true
		}
	}
	return false
}

// Whatever publishers say in whatever order, with whatever stamps, nothing is FREE, WARN or
// STOP that another publisher's measurement within the timeout contradicts.
func TestRivalsAreSound(t *testing.T) {
	m := railModel(t)
	worlds := []*model{elsewhere(t, m, 20), elsewhere(t, m, 30)}
	levels := map[uint8]int{}
	rapid.Check(t, func(t *rapid.T) {
		w := watch(m)
		publishers := rapid.SampledFrom([]int{1, 2, 2, 2, 3, 4, 14}).Draw(t, "publishers")
		stream := rapid.Bool().Draw(t, "stream")
		var claims []claim
		next := map[int]uint64{}
		for range rapid.IntRange(1, 60).Draw(t, "events") {
			w.clock += rapid.SampledFrom([]time.Duration{0, ms / 2, ms, 5 * ms, 5 * ms, 30 * ms, 101 * ms}).Draw(t, "pause")
			n := rapid.IntRange(0, publishers-1).Draw(t, "publisher")
			switch event := rapid.IntRange(0, 39).Draw(t, "event"); event {
			case 0:
				w.use(m, "")
				claims = nil
			case 1: // all but one are gone
				w.matched([]ros.GUID{guid(n)})
				for i := range claims {
					claims[i].gone = claims[i].gone || claims[i].by != n
				}
			case 2: // it is started anew under the same GUID
				next[n] = 0
			case 3, 4: // the world changes, where the carts never are
				if to := worlds[event-3]; w.model != to { // the same again would be another robot
					w.use(to, "")
				}
			default:
				c := draw(t, w, n, next, stream)
				claims = append(claims, c)
			}
			if rapid.IntRange(0, 3).Draw(t, "wait") == 0 {
				continue
			}
			s := w.look()
			levels[s.Level]++
			if s.Level == fcmsgs.CollisionStateUnknown || s.Level == fcmsgs.CollisionStateCollision {
				continue
			}
			if c := contradiction(claims, w.clock); c != nil {
				t.Fatalf("level %d (%s) at %v, but publisher %d measured a contact: %+v", s.Level, s.Reason, w.clock, c.by, *c)
			}
			if mixed(claims, w.clock) {
				t.Fatalf("level %d (%s) at %v, but two publishers together measured a contact: %+v", s.Level, s.Reason, w.clock, claims)
			}
		}
	})
	for level := range fcmsgs.CollisionStateCollision + 1 {
		if levels[level] == 0 {
			t.Errorf("level %d never occurred: %v", level, levels)
		}
	}
	t.Log(levels)
}

// draw makes the nth publisher say something.
func draw(t *rapid.T, w *watched, n int, next map[int]uint64, stream bool) claim {
	left := rapid.SampledFrom([]float64{0, 0, 0, 0.77, 0.795, 4}).Draw(t, "left")
	right := rapid.SampledFrom([]float64{0, 0, 0, 1.8, -0.9, 3}).Draw(t, "right")
	ahead := rapid.SampledFrom([]time.Duration{0, 0, 0, -ms, -50 * ms, 50 * ms, 95 * ms}).Draw(t, "ahead")
	if stream {
		ahead = time.Duration(n%4) * 30 * ms // each its own, as clocks that are off
	}
	source := rapid.SampledFrom([]time.Duration{0, 0, -5 * ms, 20 * ms}).Draw(t, "source")
	next[n] += rapid.SampledFrom([]uint64{1, 1, 1, 1, 2, 300}).Draw(t, "lost")
	msg := &sensormsgs.JointState{Name: []string{"left_x", "right_x"}, Position: []float64{left, right}}
	c := claim{by: n, left: left, right: right, heard: w.clock, good: true}
	switch rapid.IntRange(0, 19).Draw(t, "kind") {
	case 0, 6, 7:
		msg.Name, msg.Position, c.right = msg.Name[:1], msg.Position[:1], math.NaN()
	case 1, 8, 9:
		msg.Name, msg.Position, c.left = msg.Name[1:], msg.Position[1:], math.NaN()
	case 2:
		msg.Position, c.good = msg.Position[:1], false
	case 3:
		msg.Position[1], c.good = math.Inf(1), false
	case 4:
		ahead, c.good = 200*ms, false
	case 5:
		ahead, c.good = -200*ms, false
	}
	msg.Header.Stamp = builtininterfaces.TimeOf(epoch.Add(w.clock + ahead))
	c.oldest = w.clock + min(0, ahead, source)
	w.hear(msg, ros.MessageInfo{Writer: guid(n), Sequence: next[n], SourceTime: epoch.Add(w.clock + source)})
	return c
}
