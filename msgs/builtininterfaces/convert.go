package builtininterfaces

import (
	"math"
	"time"
)

// TimeOf returns t as counted from the Unix epoch. Seconds of 32 bits end in
// January 2038 and begin in December 1901: beyond, the nearest moment is given.
func TimeOf(t time.Time) Time {
	sec, nanosec := clamp(t.Unix(), uint32(t.Nanosecond()))
	return Time{Sec: sec, Nanosec: nanosec}
}

// Time returns m as counted from the Unix epoch, in UTC. More than 1e9
// nanoseconds, which no clock sends, carry over into the seconds.
func (m Time) Time() time.Time {
	return time.Unix(int64(m.Sec), int64(m.Nanosec)).UTC()
}

// DurationOf returns d; beyond 68 years the nearest that seconds of 32 bits
// hold.
func DurationOf(d time.Duration) Duration {
	sec, rest := d/time.Second, d%time.Second
	if rest < 0 {
		sec, rest = sec-1, rest+time.Second
	}
	s, nanosec := clamp(int64(sec), uint32(rest))
	return Duration{Sec: s, Nanosec: nanosec}
}

// Duration returns m. It never overflows.
func (m Duration) Duration() time.Duration {
	return time.Duration(m.Sec)*time.Second + time.Duration(m.Nanosec)
}

// Seconds returns m in seconds.
func (m Duration) Seconds() float64 {
	return float64(m.Sec) + float64(m.Nanosec)/1e9
}

// clamp keeps a count of seconds and nanoseconds within seconds of 32 bits.
func clamp(sec int64, nanosec uint32) (int32, uint32) {
	switch {
	case sec < math.MinInt32:
		return math.MinInt32, 0
	case sec > math.MaxInt32:
		return math.MaxInt32, 999_999_999
	}
	return int32(sec), nanosec
}
