package node

import (
	"testing"
	"time"
)

func TestMeter(t *testing.T) {
	m := meter{deadline: 40 * ms}
	if r := m.read(); r != (reading{}) {
		t.Errorf("before the first state: %+v", r)
	}
	now := time.Unix(1000, 0)
	for i := range 2000 {
		delay := time.Duration(1+i%100) * time.Microsecond
		if i < 1000 {
			delay = time.Hour // forgotten by the end
		}
		m.published(now, delay)
		m.published(now, -1)
		now = now.Add(40 * ms) // just in time
	}
	now = now.Add(60 * ms) // 100 ms after the last
	m.published(now, -1)
	r := m.read()
	if r.states != 4001 || r.missed != 2 || !r.last.Equal(now) {
		t.Errorf("%d states, %d deadlines missed, the last at %v", r.states, r.missed, r.last)
	}
	if r.median != 51*time.Microsecond || r.p99 != 100*time.Microsecond || r.top != 100*time.Microsecond {
		t.Errorf("delays %v, %v, %v", r.median, r.p99, r.top)
	}
}
