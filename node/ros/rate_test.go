package ros

import (
	"testing"
	"time"
)

// Each participant has a burst, then its rate; another participant's messages cost it
// nothing, and the first refusal is told once.
func TestAdmission(t *testing.T) {
	clock := time.Unix(1e9, 0)
	var told []GUID
	a := newAdmission(Rate{Burst: 10, PerSecond: 100}, func(g GUID) { told = append(told, g) })
	a.now = func() time.Time { return clock }
	first, second, other := GUID{0: 1, 15: 3}, GUID{0: 1, 15: 7}, GUID{0: 2, 15: 3}
	read := func(n int, writers ...GUID) (count int) {
		for i := range n {
			if a.admit(writers[i%len(writers)]) {
				count++
			}
		}
		return count
	}
	if n := read(50, first, second); n != 10 {
		t.Errorf("%d messages of a burst are read, want 10 for both writers of the participant", n)
	}
	if n := read(5, other); n != 5 {
		t.Errorf("%d of 5 messages of another participant are read", n)
	}
	clock = clock.Add(50 * time.Millisecond)
	if n := read(50, first); n != 5 {
		t.Errorf("%d messages are read after 50 ms, want 5", n)
	}
	clock = clock.Add(time.Hour)
	if n := read(50, first); n != 10 {
		t.Errorf("%d messages are read after an hour, want the burst of 10", n)
	}
	clock = clock.Add(-time.Minute) // a clock that runs backwards gives nothing
	if n := read(50, first); n != 0 {
		t.Errorf("%d messages are read", n)
	}
	if len(told) != 1 || told[0] != first.Participant() {
		t.Errorf("told of %v", told)
	}
}

// Participants that come and go take no memory for ever.
func TestAdmissionIsBounded(t *testing.T) {
	a := newAdmission(Rate{Burst: 1, PerSecond: 1}, func(GUID) {})
	for i := range 10 * maxRated {
		a.admit(GUID{0: byte(i), 1: byte(i >> 8), 2: byte(i >> 16)})
	}
	if len(a.shares) > maxRated {
		t.Errorf("%d shares", len(a.shares))
	}
}
