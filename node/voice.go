package node

import (
	"sync/atomic"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
)

// voice publishes states on ~/state and their short forms on the other topics. The monitor
// publishes; if it does not, the watchdog does, so no call waits for a topic on which another
// goroutine is stuck.
type voice struct {
	topics []*topic     // ~/state first
	warn   func(error)  // called with errors of publishing
	guard  func(func()) // runs functions that must not panic

	ended chan struct{} // closed when the monitor may not publish any more

	said                     atomic.Uint64 // states that the monitor has published on ~/state
	checked, unchecked, late atomic.Uint64 // copied from the last of them
}

// topic is a topic that states are published on.
type topic struct {
	name  string        // absolute
	floor chan struct{} // holds a token while a goroutine publishes
	write func(*fcmsgs.CollisionState) error
	aside aside // used by the watchdog
}

func newTopic(name string, write func(*fcmsgs.CollisionState) error) *topic {
	return &topic{name: name, floor: make(chan struct{}, 1), write: write}
}

func newVoice(warn func(error), guard func(func()), topics ...*topic) *voice {
	return &voice{topics: topics, warn: warn, guard: guard, ended: make(chan struct{})}
}

// say publishes a state of the monitor.
func (v *voice) say(s *fcmsgs.CollisionState) {
	v.checked.Store(s.MotionsChecked)
	v.unchecked.Store(s.MotionsUnchecked)
	v.late.Store(s.AnswersLate)
	for i, t := range v.topics {
		t.floor <- struct{}{}
		if v.over() {
			<-t.floor
			return
		}
		err := t.write(s)
		<-t.floor
		v.warn(err)
		if i == 0 && err == nil {
			v.said.Add(1)
		}
	}
}

// over reports whether the last state has been published.
func (v *voice) over() bool {
	select {
	case <-v.ended:
		return true
	default:
		return false
	}
}

// interject publishes a state in place of the monitor, on every topic that is free within the
// wait. It returns at once. done is called after publication on ~/state.
func (v *voice) interject(s *fcmsgs.CollisionState, wait time.Duration, done func()) {
	s.MotionsChecked, s.MotionsUnchecked, s.AnswersLate = v.checked.Load(), v.unchecked.Load(), v.late.Load()
	for i, t := range v.topics {
		t.aside.try(func() {
			select {
			case t.floor <- struct{}{}:
			case <-time.After(wait):
				return
			}
			defer func() { <-t.floor }()
			v.guard(func() {
				if t.write(s) == nil && i == 0 {
					done()
				}
			})
		})
	}
}

// aside runs functions in the background, one at a time.
type aside struct{ busy atomic.Bool }

// try starts the function, unless the previous one is still running.
func (a *aside) try(work func()) {
	if !a.busy.CompareAndSwap(false, true) {
		return
	}
	go func() {
		defer a.busy.Store(false)
		work()
	}()
}

// isFree reports whether the level means free.
func isFree(s *fcmsgs.CollisionState) bool {
	switch s.Level {
	case fcmsgs.CollisionStateFree, fcmsgs.CollisionStateWarn, fcmsgs.CollisionStateStop:
		return true
	}
	return false
}
