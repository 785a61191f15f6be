package node

import "time"

// born is when something was measured that came at now, by what its times say: never
// after now. It bears now's monotonic reading, so that a clock that is set later changes
// no age.
func born(now time.Time, times ...time.Time) time.Time {
	var age time.Duration
	for _, t := range times {
		age = max(age, now.Sub(t))
	}
	return now.Add(-age)
}

// age is how long ago something was born: by the monotonic clock, which nobody sets, or by
// the wall clock, which goes on where the machine is suspended; the longer counts.
func age(now, born time.Time) time.Duration {
	return max(now.Sub(born), now.Round(0).Sub(born.Round(0)))
}
