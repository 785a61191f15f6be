package ccd

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/selfcollision/pairproof"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// A tracker, whatever it was asked before, leaves out the same pairs as a single query and
// gives the same distance; it allocates nothing while the limits that are violated stay
// the same.
func TestContactTracker(t *testing.T) {
	for _, file := range []string{"../testdata/pairs/lever.urdf", "../testdata/humanoid/humanoid.urdf"} {
		if race.Enabled && file != "../testdata/pairs/lever.urdf" {
			continue // long
		}
		robot, err := urdf.Load(file, urdf.Options{})
		if err != nil {
			t.Fatal(err)
		}
		report, err := pairproof.All(context.Background(), robot, pairproof.Options{Boxes: 100})
		if err != nil {
			t.Fatal(err)
		}
		for _, method := range []SelfMethod{SelfAuto, SelfSpheres, SelfSpacetime} {
			c, err := New(robot, nil, Options{Proofs: &report, OnlyProven: true, SelfMethod: method})
			if err != nil {
				t.Fatal(err)
			}
			compareTrackers(t, c, &report, method)
		}
	}
}

func compareTrackers(t *testing.T, c *Checker, report *pairproof.Report, method SelfMethod) {
	t.Helper()
	const relative, eps = 0.01, 2e-9
	q := motion.DistanceQuery{K: 1, Relative: relative}
	g, err := c.ContactTracker(q)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(4, uint64(method)))
	ctx, used, not := context.Background(), 0, 0
	var state []float64
	for range 60 {
		state = make([]float64, len(c.ActiveJoints()))
		for d := range state {
			v := report.Variables[d]
			state[d] = v.Lo + r.Float64()*(v.Hi-v.Lo)
			if v.Unbounded {
				state[d] = r.Float64()
			}
		}
		if r.IntN(3) == 0 {
			state[r.IntN(len(state))] += 7
		}
		want, proven, err := c.DistanceToContact(ctx, positionsOf(c, state), q)
		if err != nil {
			t.Fatal(err)
		}
		got, left, err := g.Distance(ctx, state)
		if err != nil {
			t.Fatal(err)
		}
		if left != proven {
			t.Errorf("%s by %s: %d pairs left out by proof, want %d", c.robot.Name, method, left, proven)
		}
		if got.Self.Lo > want.Self.Hi+eps || got.Self.Hi < want.Self.Lo-eps || got.Self.Hi > want.Self.Hi*(1+2*relative)+eps {
			t.Errorf("%s by %s: %v, want %v", c.robot.Name, method, got.Self, want.Self)
		}
		if left > 0 {
			used++
		} else {
			not++
		}
	}
	if used < 20 || used+not != 60 {
		t.Errorf("%s: proofs hold at %d configurations", c.robot.Name, used)
	}
	if n := testing.AllocsPerRun(20, func() {
		if _, _, err := g.Distance(ctx, state); err != nil {
			t.Error(err)
		}
	}); n > 0 && !race.Enabled {
		t.Errorf("%s by %s: %g allocations", c.robot.Name, method, n)
	}
	if _, _, err := g.Distance(ctx, state[1:]); err == nil {
		t.Error("a position too few is taken")
	}
	if _, err := c.ContactTracker(motion.DistanceQuery{Relative: 2}); err == nil {
		t.Error("a query that makes no sense is taken")
	}
}

// Trackers refuse what Distance refuses, with and without proofs.
func TestTrackersRefuse(t *testing.T) {
	ctx := context.Background()
	plain, err := New(parsed(t, sliders), worldOf(object("wall", box(0.2, 2, 2), pose(9, 0, 0))), Options{})
	if err != nil {
		t.Fatal(err)
	}
	proved, err := plain.ProveDefaults(ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]*Checker{"plain": plain, "with proofs": proved} {
		distances, err := c.DistanceTracker(motion.DistanceQuery{})
		if err != nil {
			t.Fatal(err)
		}
		contacts, err := c.ContactTracker(motion.DistanceQuery{})
		if err != nil {
			t.Fatal(err)
		}
		for _, bad := range [][]float64{{0}, {0, math.NaN()}, {math.Inf(-1), 3}, {0, 1e7}} {
			_, errDistance := distances.Distance(ctx, bad)
			_, _, errContact := contacts.Distance(ctx, bad)
			if errDistance == nil || errContact == nil {
				t.Errorf("%s, %v: %v, %v", name, bad, errDistance, errContact)
			}
		}
		for _, q := range []motion.DistanceQuery{{Group: "none"}, {Tolerance: -1}, {DistanceRanges: motion.DistanceRanges{Ranges: []motion.PairRange{{A: "a", B: "none"}}}}} {
			_, errDistance := c.DistanceTracker(q)
			_, errContact := c.ContactTracker(q)
			if errDistance == nil || errContact == nil {
				t.Errorf("%s, %+v: %v, %v", name, q, errDistance, errContact)
			}
		}
	}
}
