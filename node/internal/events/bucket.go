package events

import "time"

// bucket allows so many lines at once, and in the long run one per period.
type bucket struct {
	most   float64
	period time.Duration

	spent float64
	at    time.Time
}

// take reports whether a line is allowed now, and counts it.
func (b *bucket) take(now time.Time) bool {
	if passed := now.Sub(b.at); !b.at.IsZero() && passed > 0 {
		b.spent = max(0, b.spent-passed.Seconds()/b.period.Seconds())
	}
	b.at = now
	if b.spent+1 > b.most {
		return false
	}
	b.spent++
	return true
}
