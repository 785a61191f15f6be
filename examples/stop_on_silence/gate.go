package main

import (
	"fmt"
	"sync"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// gate decides whether the robot may move. It is closed until a good state
// comes, and closes on a bad one and on every sign of silence.
type gate struct {
	maxAge time.Duration               // of what a state says
	told   func(open bool, why string) // called at every change

	mu     sync.Mutex
	open   bool
	stamp  time.Time // of the last state
	missed uint64    // deadlines so far
}

// hear takes a state.
func (g *gate) hear(s *fcmsgs.CollisionState) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.stamp = time.Unix(int64(s.Header.Stamp.Sec), int64(s.Header.Stamp.Nanosec))
	switch age := time.Since(g.stamp); {
	case s.Level != fcmsgs.CollisionStateFree && s.Level != fcmsgs.CollisionStateWarn:
		g.set(false, s.Reason)
	case age > g.maxAge || age < -g.maxAge:
		g.set(false, fmt.Sprintf("the state is %v old", age))
	default:
		g.set(true, s.Reason)
	}
}

// silence takes the counters of the subscription, whenever a deadline is missed
// or the liveliness of a publisher has changed.
func (g *gate) silence(s ros.EndpointStats) {
	g.mu.Lock()
	defer g.mu.Unlock()
	missed := s.DeadlineMissed > g.missed
	g.missed = s.DeadlineMissed
	switch {
	case s.Alive == 0:
		g.set(false, "the node is gone or gives no sign of life")
	case missed:
		g.set(false, "no state came within the deadline")
	}
}

// tick looks at the clock: whatever the middleware tells, what is open now was
// good a moment ago.
func (g *gate) tick() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if age := time.Since(g.stamp); g.open && age > g.maxAge {
		g.set(false, fmt.Sprintf("the last state is %v old", age))
	}
}

func (g *gate) set(open bool, why string) {
	if open != g.open {
		g.open = open
		g.told(open, why)
	}
}
