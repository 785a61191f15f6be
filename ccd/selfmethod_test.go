package ccd

import (
	"context"
	"math"
	"sync"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// with returns the same checker with another method for the robot's own pairs.
func with(t *testing.T, c *Checker, m SelfMethod) *Checker {
	t.Helper()
	o := c.opts
	o.SelfMethod = m
	out, err := New(c.Robot(), c.World(), o)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Sphere trees say what every pair measured for itself says, for single queries and for
// repeated ones, within the joints' limits and beyond, with objects attached.
func TestSpheresSayWhatAllPairsSay(t *testing.T) {
	race.LeaveOut(t)
	compared, touching, attached, tight := 0, 0, 0, 0
	for i := range long(60) {
		d := dice{chance.New(311, uint64(i))}
		c := d.room(t)
		if c == nil {
			continue
		}
		s := with(t, c, SelfSpheres)
		if _, n := s.trees.hulls.Count(); n > 0 {
			tight++
		}
		queries := []motion.DistanceQuery{{}, {K: 2}, {K: 3, Relative: 0.1}, {Tolerance: 1e-3}, {NoWorld: true}, {NoWorld: true, K: -1}, {DistanceRanges: motion.DistanceRanges{Max: 0.2}}, {OnlyAttached: true, K: 2}, {K: -1, DistanceRanges: motion.DistanceRanges{Max: 0.3}}}
		var trackers []*DistanceTracker
		for _, q := range queries {
			g, err := s.DistanceTracker(q)
			if err != nil {
				t.Fatal(err)
			}
			trackers = append(trackers, g)
		}
		state := d.state(c)
		for range 6 {
			all, err := c.Distance(context.Background(), positionsOf(c, state), motion.DistanceQuery{K: -1})
			if err != nil {
				t.Fatal(err)
			}
			for k, q := range queries {
				if q.K < 0 {
					q.K = len(all.Pairs)
				}
				once, err := s.Distance(context.Background(), positionsOf(c, state), queries[k])
				if err != nil {
					t.Fatal(err)
				}
				again, err := trackers[k].Distance(context.Background(), state)
				if err != nil {
					t.Fatal(err)
				}
				for _, got := range []*motion.Distances{&once, again} {
					compared++
					if got.Self.Hi == 0 {
						touching++
					}
					if got.Attached.Hi < math.Inf(1) {
						attached++
					}
					holds(t, i, q, got, &all)
				}
			}
			if next := d.state(c); d.IntN(2) == 0 { // a step, or somewhere else
				state = next
			} else {
				for k := range state {
					state[k] += 0.05 * (next[k] - state[k])
				}
			}
		}
	}
	t.Logf("%d compared, %d touching, %d with something attached, %d robots with hulls in use", compared, touching, attached, tight)
	if compared < 2000 || touching < 200 || attached < 200 || tight < 20 {
		t.Errorf("%d compared, %d touching, %d with something attached, %d robots with hulls in use: too few", compared, touching, attached, tight)
	}
}

// Bounds hold with any ranges, also where a query stops.
func TestBoundsOfSpheresHoldWithinRanges(t *testing.T) {
	race.LeaveOut(t)
	stopped := 0
	for i := range long(60) {
		d := dice{chance.New(312, uint64(i))}
		c := d.room(t)
		if c == nil {
			continue
		}
		s := with(t, c, SelfSpheres)
		for range 3 {
			state := d.state(c)
			all, err := c.Distance(context.Background(), positionsOf(c, state), motion.DistanceQuery{K: -1})
			if err != nil {
				t.Fatal(err)
			}
			for range 4 {
				q := d.ranges(&all)
				g, err := s.DistanceTracker(q)
				if err != nil {
					t.Fatal(err)
				}
				once, err := s.Distance(context.Background(), positionsOf(c, state), q)
				if err != nil {
					t.Fatal(err)
				}
				boundsHold(t, &q, &once, &all)
				for next := range 4 { // what was closest elsewhere comes first
					if next > 0 {
						state = d.state(c)
						all, err = c.Distance(context.Background(), positionsOf(c, state), motion.DistanceQuery{K: -1})
						if err != nil {
							t.Fatal(err)
						}
					}
					again, err := g.Distance(context.Background(), state)
					if err != nil {
						t.Fatal(err)
					}
					boundsHold(t, &q, again, &all)
					if again.Stopped {
						stopped++
					}
				}
			}
		}
	}
	if stopped < 100 {
		t.Errorf("%d queries stopped: too few", stopped)
	}
}

// SelfAuto takes trees where they pay, and only where they are used they are built.
func TestSelfAuto(t *testing.T) {
	ctx := context.Background()
	for i := range 12 {
		d := dice{chance.New(313, uint64(i))}
		c := d.room(t)
		if c == nil {
			continue
		}
		few := len(c.ownPairs()) < fewOwnPairs
		if _, err := c.Distance(ctx, nil, motion.DistanceQuery{}); err != nil {
			t.Fatal(err)
		}
		if c.trees.hulls != nil {
			t.Error("a single query built trees")
		}
		trees, err := c.SelfTrees(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if (trees.Method == SelfSpacetime) != few || few != (c.trees.hulls == nil) || trees.Why == "" {
			t.Errorf("%d pairs: %+v", len(c.ownPairs()), trees)
		}
		in, err := c.WithWorld(nil)
		if err != nil {
			t.Fatal(err)
		}
		if in.trees != c.trees {
			t.Error("another world made other trees")
		}
		if with(t, c, SelfSpacetime).trees.hulls != nil || with(t, c, SelfSpheres).trees.hulls == nil {
			t.Error("the method asked for is not the one taken")
		}
	}
	if _, err := New(dice{chance.New(313, 0)}.robot(), nil, Options{SelfMethod: 7}); err == nil {
		t.Error("no error for a method that does not exist")
	}
	for _, name := range SelfMethodNames() {
		if m, err := ParseSelfMethod(name); err != nil || m.String() != name {
			t.Errorf("%s is %v, %v", name, m, err)
		}
	}
	if _, err := ParseSelfMethod("cubes"); err == nil {
		t.Error("no error for cubes")
	}
}

// A canceled context ends building, and the next caller builds anew.
func TestSelfTreesEnd(t *testing.T) {
	c := dice{chance.New(313, 3)}.room(t)
	c = with(t, c, SelfSpacetime)
	c.opts.SelfMethod = SelfSpheres
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := c.SelfTrees(ctx); err == nil {
		t.Error("canceled: no error")
	}
	if got, err := c.SelfTrees(context.Background()); err != nil || got.Method != SelfSpheres || got.Spheres == 0 || got.Links == 0 {
		t.Errorf("%+v, %v", got, err)
	}
}

// Goroutines share a checker and its trees, and the first of them builds these.
func TestSpheresAreShared(t *testing.T) {
	d := dice{chance.New(315, 2)}
	c := with(t, d.room(t), SelfSpacetime).WithSelfMethod(SelfSpheres)
	want, err := c.WithSelfMethod(SelfSpacetime).Distance(context.Background(), nil, motion.DistanceQuery{NoWorld: true})
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			got, err := c.Distance(context.Background(), nil, motion.DistanceQuery{NoWorld: true, K: 1 + i%2})
			if err != nil || got.Self != want.Self {
				t.Errorf("%v (%v), want %v", got.Self, err, want.Self)
			}
		}()
	}
	all.Wait()
}

// A tracker allocates nothing once it has grown, sphere trees or not.
func TestSpheresAllocateNothing(t *testing.T) {
	for i := range 6 {
		d := dice{chance.New(314, uint64(i))}
		c := d.room(t)
		if c == nil {
			continue
		}
		for _, m := range []SelfMethod{SelfSpheres, SelfSpacetime} {
			g, err := with(t, c, m).DistanceTracker(motion.DistanceQuery{K: 3})
			if err != nil {
				t.Fatal(err)
			}
			states := make([][]float64, 20)
			for k := range states {
				states[k] = d.state(c)
			}
			k := 0
			ask := func() {
				if _, err := g.Distance(context.Background(), states[k%len(states)]); err != nil {
					t.Fatal(err)
				}
				k++
			}
			for range 60 {
				ask()
			}
			if n := testing.AllocsPerRun(40, ask); n > 0 {
				t.Errorf("room %d, %s: %g allocations a query", i, m, n)
			}
		}
	}
}
