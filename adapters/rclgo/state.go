package fcrclgo

import (
	"fmt"
	"sync"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
)

// State remembers the last message of ~/state, and for how long it counts. rclgo tells neither
// missed deadlines nor lost publishers, so the age of the stamp is the only sign that the node
// has fallen silent: ask for the level whenever the robot is to move, not when a state comes.
type State struct {
	// MaxAge is how long after its stamp a state counts, and how far ahead of the clock a stamp
	// may be. Zero lets nothing count.
	MaxAge time.Duration
	// Now is the clock, that of the stamps; nil is time.Now. With use_sim_time give that of
	// /clock.
	Now func() time.Time

	mu   sync.Mutex
	last *fcmsgs.CollisionState
}

// Hear takes a state.
func (s *State) Hear(m *fcmsgs.CollisionState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = m
}

// Level returns the level that counts now, and its reason: UNKNOWN where no state has come, or
// the last is too old or from the future.
func (s *State) Level() (level uint8, reason string) {
	now := time.Now
	if s.Now != nil {
		now = s.Now
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last == nil {
		return fcmsgs.CollisionStateUnknown, "no state has come"
	}
	stamp := s.last.Header.Stamp.Time()
	switch age := now().Sub(stamp); {
	case age >= s.MaxAge:
		return fcmsgs.CollisionStateUnknown, fmt.Sprintf("the last state is %v old", age)
	case age <= -s.MaxAge:
		return fcmsgs.CollisionStateUnknown, fmt.Sprintf("the last state is %v ahead of the clock", -age)
	}
	return s.last.Level, s.last.Reason
}
