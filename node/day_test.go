package node

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/sensormsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
)

// TestDay drives states at 100 Hz through one monitor by a clock of its own, with faults
// of every kind among them, and holds memory, goroutines and descriptors flat: two
// minutes, or as many states as FIRSTCONTACT_DAY says; a day is 8640000.
func TestDay(t *testing.T) {
	race.LeaveOut(t)
	states := switches.Day.Or(12_000)
	d := newDay(t)
	begin := time.Now()
	d.until(states / 20) // what is kept of publishers and names has come by then, and pools are full
	first := d.footprint(t, begin)
	last := first
	for quarter := range 4 {
		d.until(states * (quarter + 1) / 4)
		last = d.footprint(t, begin)
	}
	if last.Goroutines != first.Goroutines || last.Descriptors != first.Descriptors {
		t.Errorf("%d goroutines and %d descriptors at the begin, %d and %d at the end", first.Goroutines, first.Descriptors, last.Goroutines, last.Descriptors)
	}
	// Fragments of pools and maps come and go; what grows with the states would be far more.
	const slack = 1 << 20
	if last.Heap > first.Heap+slack {
		t.Errorf("the heap grows from %d to %d bytes", first.Heap, last.Heap)
	}
	for level, n := range d.levels {
		if n == 0 {
			t.Errorf("level %d never occurred", level)
		}
	}
	if motions := d.last.MotionsChecked + d.last.MotionsUnchecked; motions < uint64(d.tick)/2 {
		t.Errorf("%d motions in %d ticks", motions, d.tick)
	}
}

// day is a monitor, the robot that it watches, and what happens to both.
type day struct {
	*monitor
	clock   time.Duration
	skew    time.Duration // of the wall clock, which somebody sets at times
	tick    int
	message *sensormsgs.JointState

	said, pauses, breaks, bursts, rivals int
	levels                               [5]int
	last                                 fcmsgs.CollisionState
}

func newDay(t *testing.T) *day {
	d := &day{message: &sensormsgs.JointState{Name: []string{"left_x", "right_x"}, Position: make([]float64, 2)}}
	w := watch(railModel(t))
	d.monitor = w.monitor
	w.said = nil
	d.monitor.now = func() time.Time { return epoch.Add(d.clock + d.skew) }
	d.monitor.up = func() time.Duration { return d.clock }
	d.monitor.tell = func(string, ...any) {}
	d.monitor.publish = func(s *fcmsgs.CollisionState) {
		d.said++
		d.levels[s.Level]++
		d.last = *s
		if s.Level != levelUnknown && s.Level != fcmsgs.CollisionStateCollision && d.now().Sub(s.Header.Stamp.Time()) > timeout {
			t.Fatalf("state %d, of level %d, is older than the timeout", d.said, s.Level)
		}
	}
	return d
}

const dayTick = 10 * time.Millisecond

func (d *day) until(states int) {
	ctx := context.Background()
	for d.said < states {
		d.tick++
		d.clock += dayTick
		d.happen()
		d.step(ctx, true)
		if d.tick%3 == 0 {
			d.elaborate(ctx)
		}
		if d.tick%10 == 0 {
			d.takeNotices()
			d.measured()
		}
	}
}

// happen is what comes at a tick. The faults come at intervals without a common divisor.
func (d *day) happen() {
	if d.tick%1501 == 0 {
		d.pauses++
		d.clock += 2 * time.Second // the process was stopped
	}
	d.heartbeat()
	switch {
	case d.tick%997 < 15: // silence
	case d.tick%709 == 0:
		d.breaks++
		d.write(math.NaN(), 0, 0)
	case d.tick%1201 == 0:
		d.bursts++
		for range 100 {
			d.move(0)
		}
	case d.tick%2003 == 0:
		d.use(d.model, "")
	default:
		d.move(0)
	}
	if d.tick%4001 < 30 { // another publisher of the same joints, each time a new one
		d.rivals++
		d.write(0, 0, 1+d.tick/4001)
	}
	if d.tick%3001 == 0 {
		d.skew -= time.Second // somebody sets the clock back
	}
}

// move sends where the robot is: it goes to and fro, and meets the wall at times.
func (d *day) move(publisher int) {
	phase := 2 * math.Pi * float64(d.tick) / 700
	d.write(-0.5+0.5*math.Cos(phase), 0.95+0.95*math.Sin(phase/3), publisher)
}

func (d *day) write(left, right float64, publisher int) {
	d.message.Position[0], d.message.Position[1] = left, right
	d.message.Header.Stamp = builtininterfaces.TimeOf(d.now())
	guid := ros.GUID{1, 12: byte(publisher >> 8), 13: byte(publisher)}
	d.hear(d.message, ros.MessageInfo{SourceTime: d.now(), Writer: guid})
}

func (d *day) footprint(t *testing.T, begin time.Time) footprint {
	t.Helper()
	f, err := footprintHere()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%9d states after %s: %s", d.said, time.Since(begin).Round(time.Millisecond),
		fmt.Sprintf("heap %.2f MB, from the system %.1f MB, %d goroutines, %d descriptors; levels %v, %d pauses, %d breaks, %d bursts, %d messages of rivals; %d motions checked, %d not",
			float64(f.Heap)/1e6, float64(f.System)/1e6, f.Goroutines, f.Descriptors, d.levels, d.pauses, d.breaks, d.bursts, d.rivals, d.last.MotionsChecked, d.last.MotionsUnchecked))
	return f
}
