package node

import (
	"sync"
	"time"

	"github.com/firstcontact-ros/firstcontact/motion/jtc"
)

// succession keeps what a controller executes: the last trajectory of its topic. Trajectories
// are judged after the controller has got them, possibly in another order.
type succession struct {
	mu      sync.Mutex
	count   uint64
	open    map[uint64]bool // numbers of those not judged
	running *jtc.Plan
	since   uint64 // number of the running one
	line    uint64 // timeline of the node's time in which it began: on another, when that was is not known
}

// turnOf is the place of a question in a succession. Nil has none.
type turnOf struct {
	in      *succession
	number  uint64
	line    uint64 // timeline of the node's time on which the controller got it
	once    sync.Once
	asked   bool      // running has been called
	plan    *jtc.Plan // what it returned
	unclear bool
}

// follow makes a question one about a trajectory that a controller has just got, on a timeline of
// the node's time.
func (q *question) follow(s *succession, at jtc.State, now time.Time, line uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count++
	if s.open == nil {
		s.open = map[uint64]bool{}
	}
	s.open[s.count] = true
	q.turn = &turnOf{in: s, number: s.count, line: line}
	q.captured = &jtc.Situation{Now: now, Handover: q.controller.handover, Measured: at}
}

// running returns what the controller executed when it got the trajectory, nil if that is not
// known. It is unclear while an earlier one is not judged.
func (t *turnOf) running() (plan *jtc.Plan, unclear bool) {
	if t == nil {
		return nil, false
	}
	t.in.mu.Lock()
	defer t.in.mu.Unlock()
	if t.asked {
		return t.plan, t.unclear // before the question's own trajectory
	}
	t.asked = true
	for number := range t.in.open {
		t.unclear = t.unclear || number < t.number
	}
	if t.in.since < t.number && t.in.line == t.line {
		t.plan = t.in.running
	}
	return t.plan, t.unclear
}

// settle says what the controller makes of the trajectory: nil if it refuses it, and goes on
// with what it executes. Only the first call counts.
func (t *turnOf) settle(plan *jtc.Plan) {
	if t == nil {
		return
	}
	t.once.Do(func() {
		t.in.mu.Lock()
		defer t.in.mu.Unlock()
		delete(t.in.open, t.number)
		if plan != nil && t.number > t.in.since {
			t.in.running, t.in.since, t.in.line = plan, t.number, t.line
		}
	})
}

// lose says that the trajectory was not looked at: what the controller executes is not known.
func (t *turnOf) lose() {
	if t == nil {
		return
	}
	t.once.Do(func() {
		t.in.mu.Lock()
		defer t.in.mu.Unlock()
		delete(t.in.open, t.number)
		if t.number > t.in.since {
			t.in.running, t.in.since, t.in.line = nil, t.number, t.line
		}
	})
}
