package enginetest

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Refusals: what the engine lacks is an error that names it and a remedy, and a verdict
// Undecided with that reason; it answers everything else. It is known by its name.
func Refusals(t testing.TB, s *Suite) {
	c := New(t, Slider(urdf.Prismatic, geom.Vec{X: 1}, robots.At(0, 0, 0), robots.Ball(0.1)), WorldOf(robots.Ball(0.1), robots.At(1, 0, 0)), 0, Slide(0, 0.1))
	w, can := s.worker(t, c, 0), s.Engine.Abilities()
	for _, q := range []struct {
		motion.Query
		able bool
	}{
		{motion.Query{}, true},
		{motion.Query{Question: motion.IsFree}, true},
		{motion.Query{Clearance: 0.1, Workers: 3, NoSelf: true}, true},
		{motion.Query{Question: motion.MinClearance}, can.Clearance},
		{motion.Query{Question: motion.MinClearance, Range: motion.DistanceRanges{Max: 1}}, can.Ranges},
		{motion.Query{Tube: map[string]float64{"slide": 0.1}}, can.Tubes},
	} {
		err := can.Lack(s.Engine.Method(), &q.Query)
		if q.able != (err == nil) {
			t.Errorf("%+v: %v", q, err)
		}
		if err == nil {
			continue
		}
		if !strings.Contains(err.Error(), "method "+s.Engine.Method().String()) || !strings.Contains(err.Error(), motion.Spacetime.String()) {
			t.Errorf("%q does not name the method and a remedy", err)
		}
		if v := ask(w, c, q.Query); v.Status != motion.Undecided || v.Reason != err.Error() || v.ProvenUntil != 0 {
			t.Errorf("%+v: %v until %g, %q", q, v.Status, v.ProvenUntil, v.Reason)
		}
	}
}

// Stops: a check that is cancelled or has no time is undecided, says why and claims
// nothing that it has not looked at.
func Stops(t testing.TB, s *Suite) {
	along, _ := geom.Unit(geom.Vec{X: 1, Y: 1, Z: 1})
	aside, _ := geom.Unit(geom.Vec{X: 1, Y: -1})
	other := geom.Vec{X: along.X + 0.20001*aside.X, Y: along.Y + 0.20001*aside.Y, Z: along.Z}
	c := New(t, Slider(urdf.Prismatic, along, robots.At(0, 0, 0), robots.Ball(0.1)), WorldOf(robots.Ball(0.1), geom.Translation(other)), 0, Slide(0, 3))
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	late, done := context.WithDeadline(context.Background(), time.Now().Add(-time.Second))
	defer done()
	w := s.worker(t, c, 0)
	for _, x := range []struct {
		name   string
		ctx    context.Context
		budget time.Duration
		reason string
	}{
		{"cancelled", gone, 0, "cancelled"},
		{"a deadline that has passed", late, 0, ""},
		{"a budget of a nanosecond", context.Background(), time.Nanosecond, "budget"},
	} {
		for _, asked := range []motion.Question{motion.FirstContact, motion.IsFree} {
			v := w.Check(x.ctx, c.Course, motion.Query{Question: asked, Budget: x.budget})
			if v.Status != motion.Undecided || v.Reason == "" || !strings.Contains(v.Reason, x.reason) || v.ProvenUntil >= 1 {
				t.Errorf("%s: %v until %g: %q", x.name, v.Status, v.ProvenUntil, v.Reason)
			}
		}
	}
	if v := ask(w, c, motion.Query{}); v.Status != motion.Free {
		t.Errorf("after checks that were stopped: %v (%s)", v.Status, v.Reason)
	}
}

// Goroutines: workers of one model answer alike at once, whatever each was asked before.
func Goroutines(t testing.TB, s *Suite) {
	for i := range s.cases(8) {
		c := Random(t, 11, uint64(i))
		fresh := s.workers(t, c.Model)
		d := NewDice(12, uint64(i))
		var cases []*Case
		var alone []motion.Verdict
		for range 4 {
			other := c.With(t, d.Motion(c.Robot, len(c.Motion.Root) > 0))
			cases, alone = append(cases, other), append(alone, ask(fresh(), other, s.Query))
		}
		var g sync.WaitGroup
		for range 3 {
			g.Add(1)
			go func() {
				defer g.Done()
				w := fresh()
				for k, other := range cases {
					if v := ask(w, other, s.Query); !same(&v, &alone[k]) {
						t.Errorf("case %d, motion %d: %v in %v, alone %v in %v", i, k, v.Status, v.TOC, alone[k].Status, alone[k].TOC)
					}
				}
			}()
		}
		g.Wait()
	}
}

// Steady: once a worker has grown, its checks allocate nothing.
func Steady(t testing.TB, s *Suite) {
	if race.Enabled || !s.Engine.Abilities().Steady {
		return // the race detector allocates
	}
	for i := range 4 {
		c := Random(t, 4, uint64(i))
		w, q := s.worker(t, c, 0), s.Query
		q.Question = motion.Question(i % 2) // FirstContact, IsFree
		check := func() { ask(w, c, q) }
		for range 40 { // it grows to what it needs
			if testing.AllocsPerRun(1, check) == 0 {
				break
			}
		}
		if n := testing.AllocsPerRun(3, check); n > 0 {
			t.Errorf("case %d: %g allocations a check", i, n)
		}
	}
}
