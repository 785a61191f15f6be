package simtime

import (
	"math"
	"time"
)

// NoStamp is why the time of stamps is not known before the first message.
const NoStamp = "the parameter clock is message and no joint state with a stamp has come yet"

// mostSources bounds how many sources are remembered; beyond it the one that is farthest behind is
// forgotten.
const mostSources = 64

// Stamps is a clock that shows the newest stamp of messages from several sources.
//
// A stamp that is older than the newest is a measurement that is a little older, of another source
// or after a small correction. Where the stamps of one source go back by more than a correction does,
// they begin anew, as a recording does that is played in a loop, and the time with them. A Stamps is
// not safe for concurrent use.
type Stamps[Source comparable] struct {
	*Clock
	back time.Duration // greatest step back of a source that is a correction
	last map[Source]time.Time
}

// NewStamps returns a clock that is not known yet. A step back of a source by more than back breaks
// the time, and a stop of more than still makes it unknown. A step ahead breaks nothing: what was
// measured before it has become old.
func NewStamps[Source comparable](back, still time.Duration) *Stamps[Source] {
	c := New(math.MaxInt64, still)
	c.name, c.source, c.nothing, c.fault = "the time of the joint states", "their stamp", "no newer stamp has come", NoStamp
	return &Stamps[Source]{Clock: c, back: back, last: map[Source]time.Time{}}
}

// Hear takes a stamp of a source that was received at up, which the monotonic clock shows. It
// returns how the time broke, or "".
func (s *Stamps[Source]) Hear(from Source, stamp time.Time, up time.Duration) (broke string) {
	before, heard := s.last[from]
	s.remember(from, stamp)
	switch again := heard && before.Sub(stamp) > s.back; {
	case s.fault != "", stamp.After(s.now), again && stamp.Before(s.now):
		return s.Clock.Hear(stamp, up)
	}
	return ""
}

func (s *Stamps[Source]) remember(from Source, stamp time.Time) {
	if _, known := s.last[from]; !known && len(s.last) >= mostSources {
		var behind Source
		first := true
		for other, at := range s.last {
			if first || at.Before(s.last[behind]) {
				behind, first = other, false
			}
		}
		delete(s.last, behind)
	}
	s.last[from] = stamp
}
