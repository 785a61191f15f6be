package romtree

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/distance"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// allPairs is the loop over all pairs with a running bound.
func allPairs(t testing.TB, w *distance.Searcher, q []float64) motion.Distances {
	t.Helper()
	d, err := w.Distances(context.Background(), q, motion.DistanceQuery{NoWorld: true})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// variant is a way to ask.
type variant struct {
	name string
	s    *SelfQuery
	q    Question
}

// Three steps over the tree come to what the loop over all pairs comes to, whatever
// is switched off, with and without balls and tables, warm and cold.
func TestThreeStepsAreAllPairs(t *testing.T) {
	robots, configurations := 40, 30
	if testing.Short() || race.Enabled {
		robots, configurations = 10, 10
	}
	compared, apart, skipped := 0, 0, SelfWork{}
	for seed := range uint64(robots) {
		d := diceOf(1000 + seed)
		r := d.robot(drawn{joints: 2 + d.IntN(7), endless: seed%5 == 0})
		share := d.Float64()
		m := modelOf(t, r, nil, []float64{0, 0.01}[d.IntN(2)], func(a, b int) bool { return d.Float64() < share*0.7 })
		box := LimitsBox(m.Tree, nil)
		tables := NewTables(m, box, nil, RomOptions{Points: 64})
		rom := NewRangeOfMotion(m, box, RomOptions{NoSampled: true, Points: 64})
		w := distance.New(m)
		ways := []variant{
			{"balls and tables", NewSelfQuery(m, rom, tables), Question{}},
			{"cold", NewSelfQuery(m, rom, tables), Question{Cold: true}},
			{"bare", NewSelfQuery(m, nil, nil), Question{}},
			{"tables", NewSelfQuery(m, nil, tables), Question{Tolerance: 1e-3, Relative: 0.1}},
			{"near only", NewSelfQuery(m, rom, tables), Question{Max: 0.2}},
		}
		for range configurations {
			q := d.configuration(box)
			if d.IntN(8) == 0 { // outside the box nothing that was made for it may be used
				q[d.IntN(len(q))] += 20
			}
			want := allPairs(t, w, q).Self
			for _, v := range ways {
				got, err := v.s.Distance(context.Background(), q, v.q)
				if err != nil {
					t.Fatal(err)
				}
				compared++
				checkSame(t, seed, &v, &got, want.Lo, want.Hi)
				checkWitness(t, m, v.s, q, &got)
				skipped.ByTable += got.Work.ByTable
				skipped.ByBall += got.Work.ByBall
				skipped.Measured += got.Work.Measured
			}
			if want.Hi > 0 && !math.IsInf(want.Hi, 1) {
				apart++
			}
		}
	}
	t.Logf("%d compared, %d configurations apart, %+v", compared, apart, skipped)
	if apart < robots*configurations/4 || skipped.ByTable == 0 || skipped.ByBall == 0 || skipped.Measured == 0 {
		t.Error("too little was tried")
	}
}

func checkSame(t *testing.T, seed uint64, v *variant, got *SelfDistance, lo, hi float64) {
	t.Helper()
	q := v.q
	switch {
	case !(got.Bounds.Lo <= got.Bounds.Hi), got.Bounds.Lo > hi+1e-9:
		t.Fatalf("seed %d, %s: %v, all pairs %g to %g", seed, v.name, got.Bounds, lo, hi)
	case q.Max > 0 && lo > q.Max:
		if got.Bounds.Lo < q.Max-1e-9 {
			t.Fatalf("seed %d, %s: %v, all pairs are %g apart", seed, v.name, got.Bounds, lo)
		}
	case math.IsInf(hi, 1):
		if !math.IsInf(got.Bounds.Lo, 1) || got.Found {
			t.Fatalf("seed %d, %s: %v where nobody asks", seed, v.name, got.Bounds)
		}
	case got.Bounds.Hi*(1-q.Relative)-q.Tolerance > hi+1e-9, got.Bounds.Hi < lo-1e-9:
		t.Fatalf("seed %d, %s: %v, all pairs %g to %g", seed, v.name, got.Bounds, lo, hi)
	case got.Bounds.Lo < got.Bounds.Hi*(1-q.Relative)-q.Tolerance-1e-8:
		t.Fatalf("seed %d, %s: bounds %v are too far apart", seed, v.name, got.Bounds)
	}
}

// checkWitness measures the distance of the witness points by the links' frames.
func checkWitness(t *testing.T, m *model.Model, s *SelfQuery, q []float64, got *SelfDistance) {
	t.Helper()
	if !got.Found || got.Bounds.Hi == 0 {
		return
	}
	if far := r3.Norm(r3.Sub(got.PointA, got.PointB)); math.Abs(far-got.Bounds.Hi) > 1e-9 {
		t.Fatalf("points %g apart stand for %v", far, got.Bounds)
	}
	p := &m.Pairs[s.best.Pair]
	for i, e := range []int{p.A, p.B} {
		link := m.Bodies[m.Elements[e].Body].Link
		st := s.w.State()
		back := st.PoseWF[m.Tree.LinkFrame[link]].Mul(m.Tree.LinkPose[link]).Apply([]r3.Vec{got.LinkA, got.LinkB}[i])
		if r3.Norm(r3.Sub(back, []r3.Vec{got.PointA, got.PointB}[i])) > 1e-12 {
			t.Fatal("a point in its link is not the point in the world")
		}
	}
}

// Leaving out what the tables prove is the same as switching those pairs off.
func TestNeverPairsLeftOut(t *testing.T) {
	left := 0
	for seed := range uint64(12) {
		d := diceOf(2000 + seed)
		r := d.robot(drawn{joints: 6})
		m := modelOf(t, r, nil, 0, nil)
		box := LimitsBox(m.Tree, nil)
		tables := NewTables(m, box, nil, RomOptions{Points: 64})
		const clearance = 0.02
		never := map[[2]int]bool{}
		for i := range m.Bodies {
			for j := range m.Bodies {
				if tables.Never(i, j, clearance) {
					never[[2]int{m.Bodies[i].Link, m.Bodies[j].Link}] = true
				}
			}
		}
		left += len(never) / 2
		rest := modelOf(t, r, nil, 0, func(a, b int) bool { return never[[2]int{a, b}] })
		s, w, all := NewSelfQuery(m, nil, tables), distance.New(rest), distance.New(m)
		for range 20 {
			q := d.configuration(box)
			if _, err := s.Distance(context.Background(), q, Question{}); err != nil { // whose closest pair may be one of them
				t.Fatal(err)
			}
			got, err := s.Distance(context.Background(), q, Question{LeaveOutNever: true, Clearance: clearance})
			if err != nil {
				t.Fatal(err)
			}
			v := variant{name: "never left out", s: s}
			want := allPairs(t, w, q).Self
			checkSame(t, seed, &v, &got, want.Lo, want.Hi)
			if a := allPairs(t, all, q).Self; a.Lo <= clearance && math.Abs(a.Hi-got.Bounds.Hi) > 1e-9 {
				t.Fatalf("seed %d: %v, but a pair that is %v apart was left out", seed, got.Bounds, a)
			}
		}
	}
	if left < 20 {
		t.Errorf("only %d pairs were proved apart", left)
	}
}

func TestBadQuestions(t *testing.T) {
	m := modelOf(t, panTilt(1, 0.1), nil, 0, nil)
	s := NewSelfQuery(m, nil, nil)
	nan := math.NaN()
	for _, q := range []Question{{Max: -1}, {Max: nan}, {Tolerance: -1}, {Relative: 1}, {Relative: nan}, {Clearance: -1}} {
		if _, err := s.Distance(context.Background(), []float64{0, 0}, q); err == nil {
			t.Errorf("%+v: no error", q)
		}
	}
	for _, state := range [][]float64{nil, {0}, {0, nan}, {math.Inf(1), 0}} {
		if _, err := s.Distance(context.Background(), state, Question{}); err == nil {
			t.Errorf("%v: no error", state)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	full := modelOf(t, diceOf(3).robot(drawn{joints: 5}), nil, 0, nil)
	if _, err := NewSelfQuery(full, nil, nil).Distance(ctx, make([]float64, len(full.Tree.Dofs)), Question{}); err == nil {
		t.Error("cancelled: no error")
	}
}

// The queue gives out the smallest first.
func TestQueue(t *testing.T) {
	d := diceOf(5)
	var q queue
	for range 2000 {
		if q.Len() == 0 || d.IntN(3) > 0 {
			q.push(item{lower: d.Float64()})
			continue
		}
		least := math.Inf(1)
		for _, x := range q.Items() {
			least = min(least, x.Key)
		}
		if got := q.pop().lower; got != least {
			t.Fatalf("%g came before %g", got, least)
		}
	}
}

// A ball around two holds both, whichever way they lie.
func TestAround(t *testing.T) {
	d := diceOf(6)
	for range 5000 {
		a, b := d.ball(), d.ball()
		c := around(a, b)
		for _, x := range []struct{ far, r float64 }{
			{r3.Norm(r3.Sub(c.Center, a.Center)), a.Radius}, {r3.Norm(r3.Sub(c.Center, b.Center)), b.Radius},
		} {
			if x.far+x.r > c.Radius {
				t.Fatalf("%+v around %+v and %+v", c, a, b)
			}
		}
		if c.Radius > (r3.Norm(r3.Sub(a.Center, b.Center))+a.Radius+b.Radius)/2+1e-9 && c.Radius > max(a.Radius, b.Radius)+1e-9 {
			t.Fatalf("%+v is large around %+v and %+v", c, a, b)
		}
	}
}

// What the tables say of links holds wherever the robot is, and what they say of
// subtrees is the least of what they say of links.
func TestTablesHold(t *testing.T) {
	measured, proved := 0, 0
	for seed := range uint64(25) {
		d := diceOf(3000 + seed)
		r := d.robot(drawn{joints: 2 + d.IntN(6), endless: seed%4 == 0})
		m := modelOf(t, r, nil, []float64{0, 0.02}[d.IntN(2)], nil)
		tables := NewTables(m, LimitsBox(m.Tree, nil), nil, RomOptions{Gap: 0.5, Points: 32})
		w := distance.New(m)
		index := map[string]int{}
		for i := range m.Bodies {
			index[m.Bodies[i].Name] = i
		}
		for range 20 {
			all, err := w.Distances(context.Background(), d.configuration(tables.Box), motion.DistanceQuery{K: -1, NoWorld: true})
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range all.Pairs {
				a, b := index[p.Pair.A.Name], index[p.Pair.B.Name]
				measured++
				if e := tables.Base(a, b); e >= 0 {
					proved++
					if !(p.Bounds.Hi > e) || tables.Base(b, a) != e {
						t.Fatalf("seed %d: %s and %s are %g apart, more than %g is in the table", seed, p.Pair.A.Name, p.Pair.B.Name, p.Bounds.Hi, e)
					}
				}
			}
		}
		checkSubtrees(t, tables)
	}
	t.Logf("%d distances, %d of them of pairs proved apart", measured, proved)
	if proved < 500 {
		t.Error("too little was proved")
	}
}

// checkSubtrees holds equations (3) to (12) against all pairs of links.
func checkSubtrees(t *testing.T, tb *Tables) {
	t.Helper()
	m := tb.Model
	in := func(k, subtree int) bool {
		for k >= 0 && k != subtree {
			k = m.Tree.Frames[k].Parent
		}
		return k == subtree
	}
	least := func(keep func(fa, fb int) bool) float64 {
		low := math.Inf(1)
		for a := range m.Bodies {
			for b := range m.Bodies {
				if tb.Asked(a, b) && keep(m.Bodies[a].Frame, m.Bodies[b].Frame) {
					low = min(low, tb.Base(a, b))
				}
			}
		}
		return low
	}
	for i := range m.Tree.Frames {
		for j := range m.Tree.Frames {
			if got, want := tb.Rigid(i, j), least(func(a, b int) bool { return a == i && in(b, j) }); got != want {
				t.Fatalf("rigid %d, %d: %g, want %g", i, j, got, want)
			}
			if got, want := tb.Motion(i, j), least(func(a, b int) bool { return in(a, i) && in(b, j) }); got != want {
				t.Fatalf("motion %d, %d: %g, want %g", i, j, got, want)
			}
		}
		if got, want := tb.SelfFree(i), least(func(a, b int) bool { return in(a, i) && in(b, i) }); got != want {
			t.Fatalf("scfree %d: %g, want %g", i, got, want)
		}
	}
}

// A proof from elsewhere goes into the tables; one that says less does not.
func TestProofsFromElsewhere(t *testing.T) {
	m := modelOf(t, chainOf(
		link{within(-3, 3), geom.Vec{}, geom.Vec{Z: 1}, geom.Vec{X: 1}, 0.1},
		link{within(-3, 3), geom.Vec{X: 1}, geom.Vec{Z: 1}, geom.Vec{X: 1}, 0.1},
		link{within(-3, 3), geom.Vec{X: 1}, geom.Vec{Y: 1}, geom.Vec{X: 1}, 0.1},
	), nil, 0, nil)
	box := LimitsBox(m.Tree, nil)
	plain := NewTables(m, box, nil, RomOptions{Points: 64})
	told := NewTables(m, box, []Apart{{A: 1, B: 3, Distance: 0}, {A: 3, B: 2, Distance: 0.25}, {A: 2, B: 3, Distance: 0.1}, {A: 1, B: 2, Distance: math.NaN()}}, RomOptions{})
	if plain.Never(0, 2, 0) || !told.Never(0, 2, 0) || told.Never(0, 2, 1e-3) {
		t.Errorf("never: %v before, %v after", plain.Base(0, 2), told.Base(0, 2))
	}
	if told.Base(1, 2) != 0.25 || told.Base(2, 1) != 0.25 || told.Base(0, 1) != plain.Base(0, 1) {
		t.Errorf("%g %g %g", told.Base(1, 2), told.Base(2, 1), told.Base(0, 1))
	}
	if told.Rigid(1, 2) == told.Rigid(1, 3) && told.Motion(2, 3) != 0.25 {
		t.Error("subtrees do not know")
	}
}

// Beyond its limits an elbow stretches to where the balls of its range of motion, and
// the tables, know nothing of it.
func TestBallsOutsideTheirBox(t *testing.T) {
	r := chainOf(
		link{within(-0.1, 0.1), geom.Vec{}, geom.Vec{Z: 1}, geom.Vec{X: 1}, 0.05},
		link{within(math.Pi-0.1, math.Pi+0.1), geom.Vec{X: 2}, geom.Vec{Z: 1}, geom.Vec{X: 1.5}, 0.05},
	)
	r.Links[0].Collisions = []urdf.Collision{{PoseLS: geom.Translation(geom.Vec{X: 3.9}), Shape: ballShape(0.05)}}
	m := modelOf(t, r, nil, 0, func(a, b int) bool { return a == 1 || b == 1 })
	box := LimitsBox(m.Tree, nil)
	rom, tables := NewRangeOfMotion(m, box, RomOptions{}), NewTables(m, box, nil, RomOptions{Points: 64})
	if !tables.Never(0, 2, 3) {
		t.Fatal("within the limits post and tip are more than 3 m apart")
	}
	for _, s := range []*SelfQuery{NewSelfQuery(m, rom, nil), NewSelfQuery(m, nil, tables), NewSelfQuery(m, rom, tables)} {
		for _, q := range []Question{{Cold: true}, {Cold: true, Max: 1}} {
			got, err := s.Distance(context.Background(), []float64{0, 0}, q)
			if err != nil || math.Abs(got.Bounds.Hi-0.3) > 1e-9 {
				t.Errorf("stretched: %v, %v, want 0.3", got.Bounds, err)
			}
		}
	}
}

// Two fingers of a hand never meet, wherever the arm takes them.
func TestPairsAreSeenFromWhereChainsPart(t *testing.T) {
	r := chainOf(
		link{within(-3, 3), geom.Vec{}, geom.Vec{Z: 1}, geom.Vec{}, 0},
		link{within(-0.1, 0.1), geom.Vec{X: 1, Y: 0.2}, geom.Vec{Z: 1}, geom.Vec{X: 0.3}, 0.05},
		link{within(-0.1, 0.1), geom.Vec{X: 1, Y: -0.2}, geom.Vec{Z: 1}, geom.Vec{X: 0.3}, 0.05},
	)
	r.Joints[2].Parent = 1
	m := modelOf(t, r, nil, 0, nil)
	if tables := NewTables(m, LimitsBox(m.Tree, nil), nil, RomOptions{}); !tables.Never(0, 1, 0.2) {
		t.Errorf("fingers: %g", tables.Base(0, 1))
	}
}

// Where the root link moves, nothing encloses what hangs on the world, and all else is
// as it was.
func TestMovingRoot(t *testing.T) {
	d := diceOf(12)
	r := d.robot(drawn{joints: 6})
	fixed := modelOf(t, r, nil, 0, nil)
	m, err := model.NewRooted(r, nil, nil, &model.Library{})
	if err != nil {
		t.Fatal(err)
	}
	m.PairUp(func(_, _ *model.Body) string { return "" })
	box := LimitsBox(m.Tree, nil)
	rom, tables := NewRangeOfMotion(m, box, RomOptions{Points: 64}), NewTables(m, box, nil, RomOptions{Points: 64})
	root := m.Tree.LinkFrame[r.Root]
	if still := NewRangeOfMotion(fixed, LimitsBox(fixed.Tree, nil), RomOptions{Points: 64}); len(still.Endless) > 0 {
		t.Fatal("draw another robot")
	}
	if rom.Subtree[0].Known || rom.Swept[root].Known || !rom.Subtree[root].Known || len(rom.Endless) > 0 {
		t.Errorf("around the world %+v, the root %+v %+v; %v", rom.Subtree[0], rom.Swept[root], rom.Subtree[root], rom.Endless)
	}
	s, w := NewSelfQuery(m, rom, tables), distance.New(fixed)
	for range 20 {
		q := d.configuration(LimitsBox(fixed.Tree, nil))
		want := allPairs(t, w, q).Self
		got, err := s.Distance(context.Background(), append(q, make([]float64, len(m.Tree.Dofs)-len(q))...), Question{})
		if err != nil || math.Abs(got.Bounds.Hi-want.Hi) > 1e-9 {
			t.Fatalf("%v, %v; where the root stands still %v", got.Bounds, err, want)
		}
	}
}
