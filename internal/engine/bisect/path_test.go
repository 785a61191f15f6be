package bisect

import (
	"context"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// checkerOf makes a path checker and configurations for it.
func checkerOf(t *testing.T, seed, i uint64, o Options) (*rig, *PathChecker, [][]float64) {
	t.Helper()
	d := newDice(seed, i)
	robot := d.Robot()
	world := d.World(robot)
	joints := robots.Variables(robot)
	at := make([][]float64, 8)
	for k := range at {
		at[k] = make([]float64, len(joints))
		for j := range joints {
			at[k][j] = d.In(-1, 1)
		}
	}
	m, err := motion.Between(joints, at[0], at[1], 1)
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, robot, world, 0, m)
	c, err := r.p.NewPathChecker(joints, make([]float64, len(r.m.Tree.Dofs)), motion.Query{}, o)
	if err != nil {
		t.Fatal(err)
	}
	return r, c, at
}

func edgesOf(t *testing.T, c *PathChecker, at [][]float64) []*Edge {
	t.Helper()
	var out []*Edge
	for k := 1; k < len(at); k++ {
		e, err := c.Edge(at[k-1], at[k])
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
	return out
}

// Edges tested alone, a few elements at a time, and together as a path have the
// outcomes that the other engine has for their motions; and after a path was found to
// collide, what was proved of its other edges is not proved again.
func TestEdgesKeepTheirQueues(t *testing.T) {
	free, hits, saved, anew := 0, 0, 0, 0
	for i := range uint64(rounds(25)) {
		r, c, at := checkerOf(t, 5, i, Options{})
		alone := edgesOf(t, c, at)
		for k, e := range alone {
			for e.Outcome() == Undecided {
				if _, why := c.TestSome(context.Background(), e, 1+k); why != "" {
					t.Fatal(why)
				}
			}
			m, err := motion.Between(c.joints, at[k], at[k+1], 1)
			if err != nil {
				t.Fatal(err)
			}
			r.bind(t, m)
			want := r.spacetime(motion.Query{Question: motion.IsFree})
			if (e.Outcome() == Free) != (want.Status == motion.Free) {
				t.Fatalf("case %d, edge %d: %v, spacetime %+v", i, k, e.Outcome(), want)
			}
			if e.Outcome() == Collides {
				hits++
				if w := c.Contact(e); w.Distance > motion.DefaultTolerance || w.Time < 0 || w.Time > 1 {
					t.Errorf("case %d, edge %d: witness %+v", i, k, w)
				}
				continue
			}
			free++
		}
		path := edgesOf(t, c, at)
		var last *Edge
		for rest := path; len(rest) > 0; {
			outcome, k, why := c.TestPath(context.Background(), rest)
			if outcome == Undecided {
				t.Fatal(why)
			}
			if outcome == Free {
				break
			}
			last = rest[k]
			rest = append(append([]*Edge(nil), rest[:k]...), rest[k+1:]...)
		}
		for k := range path {
			if path[k].Outcome() != alone[k].Outcome() {
				t.Fatalf("case %d, edge %d: %v in the path, %v alone", i, k, path[k].Outcome(), alone[k].Outcome())
			}
		}
		if last == nil {
			continue
		}
		// Once more, with queues and without.
		before := c.Stats().Distances
		c.TestPath(context.Background(), path)
		saved += c.Stats().Distances - before
		before = c.Stats().Distances
		c.TestPath(context.Background(), edgesOf(t, c, at))
		anew += c.Stats().Distances - before
	}
	t.Logf("%d edges free, %d collide; tested again: %d distances with queues, %d without", free, hits, saved, anew)
	if !race.Enabled && (free < 20 || hits < 20) {
		t.Error("the test is one-sided")
	}
	if saved != 0 || anew == 0 {
		t.Errorf("decided edges were measured again: %d", saved)
	}
}

// Touches agrees with an edge that starts there.
func TestTouches(t *testing.T) {
	touching := 0
	for i := range uint64(40) {
		r, c, at := checkerOf(t, 9, i, Options{})
		for _, q := range at[:3] {
			got, err := c.Touches(q)
			if err != nil {
				t.Fatal(err)
			}
			m, err := motion.Path(c.joints, [][]float64{q}, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.bind(t, m)
			want := r.spacetime(motion.Query{Question: motion.IsFree})
			if got != (want.Status == motion.Contact) {
				t.Errorf("case %d: touches %v, spacetime %+v", i, got, want)
			}
			if got {
				touching++
			}
		}
	}
	if touching < 20 || touching > 100 {
		t.Errorf("%d of 120 touch", touching)
	}
	_, c, at := checkerOf(t, 9, 0, Options{})
	if _, err := c.Touches(at[0][:0]); err == nil {
		t.Error("no positions are a configuration")
	}
	if _, err := c.Edge(at[0], at[1][:0]); err == nil {
		t.Error("no positions are the end of an edge")
	}
}
