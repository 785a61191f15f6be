package node

import (
	"math"
	"time"
)

// A publisher's clock is watched over a sliding window, so that a pause of the node or
// the network does not count, and a clock that is set does.
const (
	clockHalf     = 5 * time.Second // half of the window
	clockLeast    = time.Second     // before less than this was watched nothing is said
	clockMessages = 10              // nor before so many messages
)

// clockBound is the offset, in parts of joint_state_timeout, beyond which the log tells
// of it: a quarter of the time for which a measurement is believed is then lost, or won.
const clockBound = 4

// clock is what is known of a publisher's clocks: that of its stamps and that of its
// source times.
type clock struct {
	stamps, sources least
	told            bool // that it is off
}

// note takes a message of which the publisher says that it was made at stamp and written
// at source, where those are known.
func (c *clock) note(stamp, source, now time.Time) {
	if !stamp.IsZero() {
		c.stamps.add(now.Sub(stamp), now)
	}
	if !source.IsZero() {
		c.sources.add(now.Sub(source), now)
	}
}

// offset is how far the node's clock is ahead of the publisher's, of its two clocks the
// one that is farther off: the least time that messages seem to have taken. Where that is
// negative the publisher's clock is ahead for certain, and by so much at least; where it
// is positive it may be the transport's doing, or that of a publisher that stamps early.
func (c *clock) offset() (d time.Duration, known bool) {
	stamps, known := c.stamps.value()
	sources, also := c.sources.value()
	if also && (!known || sources.Abs() > stamps.Abs()) {
		return sources, true
	}
	return stamps, known
}

// least is the least of the values that were added within a sliding window of one to two
// halves.
type least struct {
	begin, half   time.Time // of what is watched, of the present half
	latest        time.Time // when a value was added last
	count         int
	now, previous time.Duration
}

func (l *least) add(d time.Duration, now time.Time) {
	switch since := now.Sub(l.half); {
	case l.count == 0 || since < 0 || since >= 2*clockHalf:
		*l = least{begin: now, half: now, now: d, previous: math.MaxInt64}
	case since >= clockHalf:
		l.half, l.now, l.previous = now, d, l.now
	default:
		l.now = min(l.now, d)
	}
	l.count++
	l.latest = now
}

func (l *least) value() (d time.Duration, known bool) {
	return min(l.now, l.previous), l.count >= clockMessages && l.latest.Sub(l.begin) >= clockLeast
}

// seconds of the largest offset of any publisher that is heard, NaN where none is known.
func (t *tracker) clockOffset(now time.Time) float64 {
	worst, any := time.Duration(0), false
	for _, p := range t.publishers {
		if d, known := p.clock.offset(); known && !p.silent(now, t.timeout) && (!any || d.Abs() > worst.Abs()) {
			worst, any = d, true
		}
	}
	if !any {
		return nan
	}
	return worst.Seconds()
}
