package jointstates

import (
	"math"
	"time"
)

// A publisher's clock is observed over a sliding window, so that a pause of the node or the
// network has no effect and a clock that is set is noticed.
const (
	clockHalf     = 5 * time.Second // half of the window
	clockLeast    = time.Second     // minimum observation before an offset is known
	clockMessages = 10              // minimum number of messages before an offset is known
)

// ClockBound is the reciprocal of the share of joint_state_timeout beyond which an offset is
// logged. An offset of a quarter shortens or extends the validity of a measurement by that
// much.
const ClockBound = 4

// clock holds the observed offsets of a publisher's clocks: that of its stamps and that of its
// source times.
type clock struct {
	stamps, sources least
	told            bool // the offset was logged
}

// note records a message that the publisher stamped at stamp and wrote at source, where these
// are known.
func (c *clock) note(stamp, source, now time.Time) {
	if !stamp.IsZero() {
		c.stamps.add(now.Sub(stamp), now)
	}
	if !source.IsZero() {
		c.sources.add(now.Sub(source), now)
	}
}

// offset returns how far the node's clock is ahead of the publisher's: the least time that
// messages seem to have taken, by whichever of the two clocks is farther off. A negative
// offset means that the publisher's clock is ahead by at least that much. A positive one can
// also come from the transport, or from a publisher that stamps early.
func (c *clock) offset() (d time.Duration, known bool) {
	stamps, known := c.stamps.value()
	sources, also := c.sources.value()
	if also && (!known || sources.Abs() > stamps.Abs()) {
		return sources, true
	}
	return stamps, known
}

// least keeps the minimum of the values added within a sliding window of one to two halves.
type least struct {
	begin, half   time.Time // of the window and of its present half
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

// ClockOffset returns the largest offset of any active publisher in seconds, NaN if none is
// known.
func (t *Tracker) ClockOffset(now time.Time) float64 {
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
