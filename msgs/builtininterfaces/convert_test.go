package builtininterfaces

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestTimeOf(t *testing.T) {
	cases := []struct {
		time time.Time
		want Time
	}{
		{time.Unix(0, 0), Time{}},
		{time.Unix(1, 5), Time{1, 5}},
		{time.Unix(-1, 5), Time{-1, 5}},
		{time.Unix(0, -1), Time{-1, 999_999_999}},
		{time.Unix(math.MaxInt32, 7), Time{math.MaxInt32, 7}},
		{time.Unix(math.MaxInt32+1, 7), Time{math.MaxInt32, 999_999_999}},
		{time.Unix(math.MinInt32, 7), Time{math.MinInt32, 7}},
		{time.Unix(math.MinInt32-1, 7), Time{math.MinInt32, 0}},
		{time.Time{}, Time{math.MinInt32, 0}},
	}
	for _, c := range cases {
		if got := TimeOf(c.time); got != c.want {
			t.Errorf("%v gives %v, want %v", c.time, got, c.want)
		}
	}
	if got := (Time{1, math.MaxUint32}).Time(); !got.Equal(time.Unix(5, 294967295)) {
		t.Errorf("nanoseconds beyond a second give %v", got)
	}
}

func TestDurationOf(t *testing.T) {
	cases := []struct {
		duration time.Duration
		want     Duration
	}{
		{0, Duration{}},
		{1500 * time.Millisecond, Duration{1, 500_000_000}},
		{-1500 * time.Millisecond, Duration{-2, 500_000_000}}, // as ROS writes it
		{-time.Second, Duration{-1, 0}},
		{math.MaxInt64, Duration{math.MaxInt32, 999_999_999}},
		{math.MinInt64, Duration{math.MinInt32, 0}},
	}
	for _, c := range cases {
		if got := DurationOf(c.duration); got != c.want {
			t.Errorf("%v gives %v, want %v", c.duration, got, c.want)
		}
	}
	if got := (Duration{-2, 500_000_000}).Seconds(); got != -1.5 {
		t.Errorf("%v s, want -1.5", got)
	}
}

func TestConversionsAreInverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sec := rapid.Int32().Draw(t, "sec")
		nanosec := rapid.Uint32Max(999_999_999).Draw(t, "nanosec")
		if m := (Time{sec, nanosec}); TimeOf(m.Time()) != m {
			t.Errorf("%v became %v", m, TimeOf(m.Time()))
		}
		if m := (Duration{sec, nanosec}); DurationOf(m.Duration()) != m {
			t.Errorf("%v became %v", m, DurationOf(m.Duration()))
		}
	})
}
