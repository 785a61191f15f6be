package jointstates

import "time"

// born returns the time at which something that was received at now was measured: the earliest
// of its times, and never after now. The result carries now's monotonic reading, so that
// setting the clock later changes no age.
func born(now time.Time, times ...time.Time) time.Time {
	var age time.Duration
	for _, t := range times {
		age = max(age, now.Sub(t))
	}
	return now.Add(-age)
}

// Age returns how long ago something was born: the longer of the ages by the monotonic clock,
// which cannot be set, and by the wall clock, which continues while the machine is suspended.
func Age(now, born time.Time) time.Duration {
	return max(now.Sub(born), now.Round(0).Sub(born.Round(0)))
}
