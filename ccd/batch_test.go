package ccd

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// edges returns straight motions of a random robot between obstacles, as of a roadmap.
func edges(t *testing.T, seed uint64, n int) (*Checker, []*motion.Motion) {
	d := dice{chance.New(seed, 41)}
	robot := d.robot()
	c, err := New(robot, d.world(), anyRobot)
	if err != nil {
		t.Fatal(err)
	}
	joints := c.ActiveJoints()
	motions := make([]*motion.Motion, n)
	for i := range motions {
		if motions[i], err = motion.Between(joints, d.row(len(joints), 0.5), d.row(len(joints), 0.5), 1); err != nil {
			t.Fatal(err)
		}
	}
	return c, motions
}

// The answers of a batch are those of Check, in order, whatever the number of workers.
func TestBatchesAreChecks(t *testing.T) {
	defer noneLeft(t)()
	count := map[motion.Status]int{}
	for seed := range uint64(long(20)) {
		c, motions := edges(t, seed, 30)
		q := motion.Query{Question: motion.FirstContact}
		if _, err := c.Check(context.Background(), motions[0], q); err != nil {
			continue // nothing to check
		}
		motions[7] = &motion.Motion{Joints: []string{"nowhere"}}
		var b Batch
		for _, b.Workers = range []int{1, 2, 5, 0, 100} {
			b.Into = c.CheckAll(context.Background(), motions, q, b)
			for i, a := range b.Into {
				v, err := c.Check(context.Background(), motions[i], q)
				if (err == nil) != (a.Err == nil) || (err == nil) != (i != 7) {
					t.Fatalf("motion %d: %v alone, %v in a batch", i, err, a.Err)
				}
				if v.Status != a.Verdict.Status || v.TOC != a.Verdict.TOC || v.Contact != a.Verdict.Contact {
					t.Fatalf("motion %d: %v at %v alone, %v at %v in a batch", i, v.Status, v.TOC, a.Verdict.Status, a.Verdict.TOC)
				}
				count[v.Status]++
			}
		}
	}
	if t.Logf("%v", count); count[motion.Free] < 300 || count[motion.Contact] < 300 {
		t.Errorf("%v: a poor test", count)
	}
}

// A batch that stops tells the first contact in order, judges all before it, and nothing behind.
func TestBatchStopsAtTheFirstContact(t *testing.T) {
	stopped := 0
	for seed := range uint64(long(30)) {
		c, motions := edges(t, seed, 40)
		q := motion.Query{Question: motion.IsFree}
		if _, err := c.Check(context.Background(), motions[0], q); err != nil {
			continue // nothing to check
		}
		// Free ones first, so that a few are before the contact.
		slices.SortStableFunc(motions, func(a, b *motion.Motion) int {
			return cmp.Compare(ask(t, c, a, q).Status, ask(t, c, b, q).Status)
		})
		first := slices.IndexFunc(motions, func(m *motion.Motion) bool { return ask(t, c, m, q).Status == motion.Contact })
		if first < 0 {
			continue
		}
		for _, workers := range []int{1, 2, 7} {
			for i, a := range c.CheckAll(context.Background(), motions, q, Batch{Workers: workers, StopAtContact: true}) {
				want := motion.Undecided
				if i <= first {
					want = ask(t, c, motions[i], q).Status
				}
				if a.Err != nil || a.Verdict.Status != want {
					t.Fatalf("motion %d, the first contact is %d: %v, want %v (%v)", i, first, a.Verdict.Status, want, a.Err)
				}
				if i > first && !strings.HasPrefix(a.Verdict.Reason, "not checked: ") {
					t.Fatalf("motion %d behind the contact: %q", i, a.Verdict.Reason)
				}
			}
		}
		if first >= 8 && first < len(motions)-8 {
			stopped++
		}
	}
	if stopped < 5 {
		t.Errorf("%d batches with a contact in the middle: a poor test", stopped)
	}
}

func TestBatchOfNothingAndWithoutTime(t *testing.T) {
	c, motions := edges(t, 3, 10)
	if got := c.CheckAll(context.Background(), nil, motion.Query{}, Batch{}); len(got) != 0 {
		t.Errorf("%d answers about nothing", len(got))
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for i, a := range c.CheckAll(ctx, motions, motion.Query{}, Batch{StopAtContact: true}) {
		if a.Err != nil || a.Verdict.Status != motion.Undecided || a.Verdict.Reason == "" {
			t.Errorf("motion %d: %v, %q, %v", i, a.Verdict.Status, a.Verdict.Reason, a.Err)
		}
	}
	for i, a := range c.CheckAll(context.Background(), make([]*motion.Motion, 3), motion.Query{}, Batch{}) {
		if a.Err == nil {
			t.Errorf("no motion (%d): %v", i, a.Verdict.Status)
		}
	}
}

// A batch allocates for its goroutines, and nothing for its motions.
func TestBatchesAllocateNothingPerMotion(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector empties the pool of scratch at random")
	}
	c := newChecker(t, slider(), worldOf(object("wall", box(0.2, 2, 2), pose(0.8, 0, 0))))
	motions := make([]*motion.Motion, 400)
	for i := range motions {
		var err error
		if motions[i], err = motion.Between([]string{"x"}, []float64{0}, []float64{float64(i) / 250}, 1); err != nil {
			t.Fatal(err)
		}
	}
	b := Batch{Workers: 2}
	cost := func(n int) float64 {
		return testing.AllocsPerRun(20, func() { b.Into = c.CheckAll(context.Background(), motions[:n], motion.Query{}, b) })
	}
	few, many := cost(4), cost(400)
	if many > few+20 || few > 40 {
		t.Errorf("%g allocations for 4 motions, %g for 400", few, many)
	}
}
