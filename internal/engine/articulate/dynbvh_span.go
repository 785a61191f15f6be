package articulate

import "github.com/firstcontact-ros/firstcontact/internal/numeric/interval"

// keepSpans is how many time intervals a Mover keeps bounds for.
const keepSpans = 64

// span is what is known of one time interval: the joints' matrices, and those of frames as
// seen from a base.
type span struct {
	lo, hi   float64
	used     bool
	local    []interval.Pose
	hasLocal []bool
	bases    []*seenFrom // per base frame, nil for none
	listed   []*seenFrom
}

// seenFrom is the frames' poses, and their derivatives, in one of them.
type seenFrom struct {
	pose, rate       []interval.Pose
	hasPose, hasRate []bool
}

// from returns what is known of the frames as seen from base.
func (s *span) from(base int) *seenFrom {
	if s.bases[base] == nil {
		n := len(s.local)
		s.bases[base] = &seenFrom{
			pose: make([]interval.Pose, n), rate: make([]interval.Pose, n),
			hasPose: make([]bool, n), hasRate: make([]bool, n),
		}
		s.listed = append(s.listed, s.bases[base])
	}
	return s.bases[base]
}

// reset makes the span that of another interval.
func (s *span) reset(lo, hi float64) {
	s.lo, s.hi, s.used = lo, hi, true
	clear(s.hasLocal)
	for _, b := range s.listed {
		clear(b.hasPose)
		clear(b.hasRate)
	}
}

// spanCache keeps the spans that were asked for last, the oldest of which makes room.
type spanCache struct {
	frames int
	find   map[[2]float64]int
	spans  []span
	next   int
	last   int // the one asked for before
}

func newSpanCache(frames int) spanCache {
	return spanCache{frames: frames, find: map[[2]float64]int{}, last: -1}
}

func (c *spanCache) clear() {
	clear(c.find)
	for i := range c.spans {
		c.spans[i].used = false
	}
	c.next, c.last = 0, -1
}

func (c *spanCache) at(lo, hi float64) *span {
	if c.last >= 0 && c.spans[c.last].lo == lo && c.spans[c.last].hi == hi {
		return &c.spans[c.last]
	}
	key := [2]float64{lo, hi}
	i, ok := c.find[key]
	if !ok {
		i = c.make(key)
	}
	c.last = i
	return &c.spans[i]
}

// make takes a place that is free, or the one that was made longest ago.
func (c *spanCache) make(key [2]float64) int {
	i := c.next
	c.next = (i + 1) % keepSpans
	if i == len(c.spans) {
		if c.spans == nil {
			c.spans = make([]span, 0, keepSpans) // never moved: results point into it
		}
		c.spans = append(c.spans, span{
			local: make([]interval.Pose, c.frames), hasLocal: make([]bool, c.frames), bases: make([]*seenFrom, c.frames),
		})
	}
	s := &c.spans[i]
	if s.used {
		delete(c.find, [2]float64{s.lo, s.hi})
	}
	s.reset(key[0], key[1])
	c.find[key] = i
	return i
}
