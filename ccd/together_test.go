package ccd

import (
	"context"
	"math/bits"
	"reflect"
	"slices"
	"testing"

	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/place"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// few draws configurations of a robot, which may be equal, or short motions, or some of both.
func (d dice) few(t *testing.T, joints []string, n int) (all []*motion.Motion) {
	size, still := d.Spread(1e-3, 0.5), d.IntN(3)
	from := d.row(len(joints), 1)
	for len(all) < n {
		if d.IntN(3) == 0 {
			from = d.row(len(joints), 1)
		}
		to := slices.Clone(from)
		for j := range to {
			if still == 0 || still == 1 && d.IntN(2) == 0 {
				break
			}
			to[j] += size * d.In(-1, 1)
		}
		m, err := motion.Between(joints, from, to, d.Spread(0.1, 10))
		if err != nil {
			t.Fatal(err)
		}
		m.KeepTurns = d.IntN(2) == 0
		all, from = append(all, m), to
	}
	return all
}

// Motions that share a proof are free where Check alone says so too, and where poses on the way do.
func TestSharedProofsAreProofs(t *testing.T) {
	defer noneLeft(t)()
	var proved, left, contacts int
	for seed := range uint64(long(300)) {
		d := dice{chance.New(seed, 43)}
		c, err := New(d.robot(), d.world(), anyRobot)
		if err != nil {
			t.Fatal(err)
		}
		q := motion.Query{Question: motion.IsFree, NoSelf: d.IntN(4) == 0, NoWorld: d.IntN(8) == 0}
		if d.IntN(3) == 0 {
			q.Clearance = d.Spread(1e-3, 0.1)
		}
		joints := c.ActiveJoints()
		var s sharedProof
		for i, m := range d.few(t, joints, 2+d.IntN(place.MostAtRest-1)) {
			s.join(c, m, i, &q)
		}
		for first := 0; first < s.count; {
			some := s.joined[first:s.count]
			some = some[:atOnce(some)]
			first += len(some)
			if len(some) < 2 {
				continue
			}
			var courses []*kin.Course
			for i := range some {
				courses = append(courses, some[i].course)
			}
			free := s.worker.ProveTogether(context.Background(), courses, &q).Free
			proved += bits.OnesCount8(free)
			left += len(some) - bits.OnesCount8(free)
			for i := range some {
				if v := ask(t, c, some[i].given, q); v.Status == motion.Contact {
					contacts++
				}
				if free>>i&1 != 0 {
					refute(t, c, some[i].given, &q)
				}
			}
		}
	}
	if t.Logf("%d proved together, %d left, %d of all in contact", proved, left, contacts); proved < 300 || left < 100 || contacts < 50 {
		t.Error("a poor test")
	}
}

// refute fails where a motion is in contact by Check, or closer than the clearance at a time.
func refute(t *testing.T, c *Checker, m *motion.Motion, q *motion.Query) {
	t.Helper()
	if v := ask(t, c, m, *q); v.Status == motion.Contact && v.Contact.Distance <= q.Clearance {
		t.Errorf("proved free together, alone in contact at %v, %g apart", v.TOC, v.Contact.Distance)
	}
	for k := range 5 {
		positions := map[string]float64{}
		for j, x := range m.At(m.Duration() * float64(k) / 4) {
			positions[m.Joints[j]] = x
		}
		near, err := c.Distance(context.Background(), positions, motion.DistanceQuery{NoSelf: q.NoSelf, NoWorld: q.NoWorld})
		if err != nil {
			t.Fatal(err)
		}
		if len(near.Pairs) > 0 && near.Pairs[0].Bounds.Hi < q.Clearance {
			t.Errorf("proved free, but at %d/4 of the way %v is %v apart", k, near.Pairs[0].Pair, near.Pairs[0].Bounds)
		}
	}
}

// What a verdict says beside its status is the same for a motion that shared a proof: pairs, premises, held joints.
func TestSharedVerdictsAreComplete(t *testing.T) {
	c := newChecker(t, slider(), worldOf(object("wall", box(0.2, 2, 2), pose(0.8, 0, 0))))
	var all []*motion.Motion
	for i := range 14 {
		from := -0.5 + float64(i)*0.03
		to := from
		if i >= 7 {
			to = from + 0.05
		}
		m, err := motion.Between([]string{"x"}, []float64{from}, []float64{to}, 2)
		if err != nil {
			t.Fatal(err)
		}
		if i%2 == 0 {
			m.Gaps = []premise.Premise{{Kind: premise.Attached, Names: []string{"tool"}}}
		}
		all = append(all, m)
	}
	for _, q := range []motion.Query{{Question: motion.IsFree}, {}} {
		for i, a := range c.CheckAll(context.Background(), all, q, Batch{Workers: 1}) {
			v := ask(t, c, all[i], q)
			if a.Err != nil {
				t.Fatal(a.Err)
			}
			v.Compute, v.Work = a.Verdict.Compute, a.Verdict.Work
			if !reflect.DeepEqual(a.Verdict, v) {
				t.Errorf("motion %d: in a batch %+v, alone %+v", i, a.Verdict, v)
			}
			if free := i%2 != 0; free != (v.Status == motion.Free) {
				t.Errorf("motion %d: %v", i, v.Status)
			}
		}
	}
}

// A robot inside a solid that it does not touch is in contact for a proof that it shares, too; one outside is free.
func TestSharedProofsLookInside(t *testing.T) {
	for _, inside := range []bool{true, false} {
		at := pose(-5, -5, 0) // between the legs
		if inside {
			at = pose(-1, -5, 0)
		}
		c := newChecker(t, slider(), worldOf(object("L", scaled(lMesh(), 10), at)))
		for _, way := range []float64{0, 0.05} {
			var all []*motion.Motion
			for i := range place.MostAtRest {
				from := -0.3 + 0.1*float64(i)
				m, err := motion.Between([]string{"x"}, []float64{from}, []float64{from + way}, 1)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, m)
			}
			q, proved := motion.Query{Question: motion.IsFree}, 0
			for round := range 20 {
				if round == 10 {
					c.model.World.MakeOpen() // as it is after many questions: what is open is known at once
				}
				var s sharedProof
				for i, m := range all[:atMost(way)] {
					if !s.join(c, m, i, &q) {
						t.Fatal("a motion may not share a proof")
					}
				}
				var courses []*kin.Course
				for i := range s.joined[:s.count] {
					courses = append(courses, s.joined[i].course)
				}
				proved = bits.OnesCount8(s.worker.ProveTogether(context.Background(), courses, &q).Free)
				if s.joined[0].engine.pool.put(s.worker); inside && proved > 0 {
					t.Fatalf("%d motions inside a solid are proved free", proved)
				}
				if v := ask(t, c, all[0], q); (v.Status == motion.Free) == inside {
					t.Fatalf("inside %v: %v", inside, v.Status)
				}
			}
			if !inside && proved != atMost(way) {
				t.Errorf("of %d motions outside, %g m each, %d are proved free", atMost(way), way, proved)
			}
		}
	}
}

// Of motions of which only the first rests no proof is shared that looks at their starts alone.
func TestSharedProofsOfMixedMotions(t *testing.T) {
	c := newChecker(t, slider(), worldOf(object("wall", box(0.2, 2, 2), pose(0.8, 0, 0))))
	w := c.engine.pool.get()
	rest, err := motion.Between([]string{"x"}, []float64{0}, []float64{0}, 1)
	if err != nil {
		t.Fatal(err)
	}
	into, err := motion.Between([]string{"x"}, []float64{0}, []float64{0.8}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, order := range [][]*motion.Motion{{rest, into}, {into, rest}, {rest, into, rest}, {rest, rest, into}} {
		var courses []*kin.Course
		for i, m := range order {
			courses = append(courses, w.BindOne(i, m, c.state, []int{0}))
		}
		free := w.ProveTogether(context.Background(), courses, &motion.Query{}).Free
		for i, m := range order {
			if m == into && free>>i&1 != 0 {
				t.Errorf("motion %d of %d, into the wall, is proved free", i, len(order))
			}
		}
	}
}

// atMost is how many motions share a proof.
func atMost(way float64) int {
	if way == 0 {
		return place.MostAtRest
	}
	return 2
}
