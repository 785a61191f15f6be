package catch

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/internal/numeric/interval"
	"github.com/firstcontact-ros/firstcontact/internal/numeric/taylor"
)

// keepIntervals is how many time intervals a TaylorBVH keeps poses for.
const keepIntervals = 32

// timeInterval caches the results for one time interval: seen from each base frame that was
// asked about.
type timeInterval struct {
	lo, hi float64
	frames int
	bases  []*seenFrom
}

// seenFrom is the frames as seen from one of them; that of an interval that is over has
// base -1 and is used again.
type seenFrom struct {
	base int

	pose                        []taylor.Pose
	twist                       []Twist
	plain                       []interval.Pose
	hasPose, hasTwist, hasPlain []bool
}

func (s *timeInterval) from(base int) *seenFrom {
	var free *seenFrom
	for _, seen := range s.bases {
		if seen.base == base {
			return seen
		}
		if seen.base < 0 {
			free = seen
		}
	}
	if free == nil {
		n := s.frames
		free = &seenFrom{
			pose: make([]taylor.Pose, n), twist: make([]Twist, n), plain: make([]interval.Pose, n),
			hasPose: make([]bool, n), hasTwist: make([]bool, n), hasPlain: make([]bool, n),
		}
		s.bases = append(s.bases, free)
	}
	free.base = base
	return free
}

// reset reuses the memory for another interval.
func (s *timeInterval) reset(lo, hi float64) {
	s.lo, s.hi = lo, hi
	for _, seen := range s.bases {
		seen.base = -1
		clear(seen.hasPose)
		clear(seen.hasTwist)
		clear(seen.hasPlain)
	}
}

// intervalCache keeps the intervals that were asked for last; the oldest makes room.
type intervalCache struct {
	kept [keepIntervals]*timeInterval
	last int
}

// clear forgets them all: no interval has the end NaN.
func (c *intervalCache) clear() {
	for _, s := range c.kept {
		if s != nil {
			s.reset(math.NaN(), math.NaN())
		}
	}
}

func (c *intervalCache) at(lo, hi float64, frames int) *timeInterval {
	for i := range c.kept {
		k := (c.last + keepIntervals - i) % keepIntervals
		if s := c.kept[k]; s != nil && s.lo == lo && s.hi == hi {
			return s
		}
	}
	c.last = (c.last + 1) % keepIntervals
	s := c.kept[c.last]
	if s == nil {
		s = &timeInterval{frames: frames}
		c.kept[c.last] = s
	}
	s.reset(lo, hi)
	return s
}
