package catch

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/internal/numeric/interval"
	"github.com/firstcontact-ros/firstcontact/internal/numeric/taylor"
)

// keepStretches is how many time intervals a TaylorBVH keeps poses for.
const keepStretches = 32

// stretch is what is known of one time interval: seen from each base frame that was
// asked about.
type stretch struct {
	lo, hi float64
	frames int
	bases  []*seenFrom
}

// seenFrom is the frames as seen from one of them; that of a stretch that is over has
// base -1 and is used again.
type seenFrom struct {
	base int

	pose                        []taylor.Pose
	twist                       []Twist
	plain                       []interval.Pose
	hasPose, hasTwist, hasPlain []bool
}

func (s *stretch) from(base int) *seenFrom {
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

// reset makes the stretch that of another interval.
func (s *stretch) reset(lo, hi float64) {
	s.lo, s.hi = lo, hi
	for _, seen := range s.bases {
		seen.base = -1
		clear(seen.hasPose)
		clear(seen.hasTwist)
		clear(seen.hasPlain)
	}
}

// stretchCache keeps the stretches that were asked for last; the oldest makes room.
type stretchCache struct {
	kept [keepStretches]*stretch
	last int
}

// clear forgets them all: no interval has the end NaN.
func (c *stretchCache) clear() {
	for _, s := range c.kept {
		if s != nil {
			s.reset(math.NaN(), math.NaN())
		}
	}
}

func (c *stretchCache) at(lo, hi float64, frames int) *stretch {
	for i := range c.kept {
		k := (c.last + keepStretches - i) % keepStretches
		if s := c.kept[k]; s != nil && s.lo == lo && s.hi == hi {
			return s
		}
	}
	c.last = (c.last + 1) % keepStretches
	s := c.kept[c.last]
	if s == nil {
		s = &stretch{frames: frames}
		c.kept[c.last] = s
	}
	s.reset(lo, hi)
	return s
}
