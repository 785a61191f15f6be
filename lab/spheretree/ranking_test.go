package spheretree

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// crowd is trees of all kinds of models at random places, and all their pairs.
func crowd(t testing.TB, r *rand.Rand, spread float64) (trees []Placed, pairs [][2]int32) {
	t.Helper()
	ms := models()
	for _, name := range []string{"L", "one", "five", "segment", "point", "tiny", "five"} {
		trees = append(trees, Placed{Tree: mustTree(t)(Compact(ms[name]))})
	}
	move(r, trees, spread)
	for i := range trees {
		for j := range i {
			pairs = append(pairs, [2]int32{int32(i), int32(j)})
		}
	}
	return trees, pairs
}

func move(r *rand.Rand, trees []Placed, spread float64) {
	for i := range trees {
		trees[i].PoseWT = randomPose(r, spread)
	}
}

// The closest of many pairs is the closest of all measured one by one, with limits and
// tolerances too, whatever was closest before.
func TestClosest(t *testing.T) {
	r := dice(31)
	trees, pairs := crowd(t, r, 5)
	ranking := NewRanking(pairs)
	var s Scratch
	outcomes := map[Outcome]int{}
	for i := range 120 {
		if i%3 == 0 {
			move(r, trees, 3+4*r.Float64())
		} else { // nearby, for what is kept
			k := r.IntN(len(trees))
			trees[k].PoseWT.P = add(trees[k].PoseWT.P, randomVec(r, 0.01))
		}
		truth := math.Inf(1)
		for _, p := range pairs {
			a, b := &trees[p[0]], &trees[p[1]]
			truth = min(truth, Distance(a.Tree, b.Tree, a.PoseWT.Inv().Mul(b.PoseWT), Query{}, &s).Distance)
		}
		q := Query{Alpha: 0.5 * float64(r.IntN(2)) * r.Float64()}
		if r.IntN(3) == 0 {
			q.Max = truth * (0.5 + r.Float64())
		}
		if r.IntN(3) == 0 {
			q.Min = truth * (0.5 + r.Float64())
		}
		pair, got := ranking.Closest(trees, q)
		outcomes[got.Outcome]++
		const m = 1e-12
		if got.Lower > truth+m || got.Upper < truth-m {
			t.Fatalf("%+v: %+v, truth %g", q, got, truth)
		}
		switch got.Outcome {
		case Found:
			if got.Lower < (1-q.Alpha)*got.Upper-m && got.Lower < q.Max-m && truth > 0 {
				t.Fatalf("%+v: %+v, truth %g", q, got, truth)
			}
		case Beyond:
			if !(q.Max > 0 && got.Lower >= q.Max && pair < 0) {
				t.Fatalf("%+v: %+v, pair %d, truth %g", q, got, pair, truth)
			}
		case Within:
			if got.Upper > q.Min {
				t.Fatalf("%+v: %+v, truth %g", q, got, truth)
			}
		case Unknown:
			t.Fatal("not known")
		}
		if pair >= 0 { // witnesses are in W, and of the pair
			if d := geom.Norm(sub(got.PointA, got.PointB)); math.Abs(d-got.Distance) > m {
				t.Fatalf("witnesses %g apart, not %g", d, got.Distance)
			}
			a := &trees[pairs[pair][0]]
			if c, radius := a.Tree.Root(); geom.Norm(sub(a.PoseWT.Apply(c), got.PointA)) > radius+m {
				t.Fatalf("the witness %v is not near its tree", got.PointA)
			}
		}
	}
	for _, o := range []Outcome{Found, Beyond, Within} {
		if outcomes[o] < 5 {
			t.Errorf("only %d of outcome %d", outcomes[o], o)
		}
	}
}

// What is kept from query to query, and cached centres, change no answer and save
// work.
func TestSavings(t *testing.T) {
	r := dice(32)
	trees, pairs := crowd(t, r, 4)
	var work [2][2]Work
	rankings := map[[2]bool]*Ranking{}
	for _, cold := range []bool{false, true} {
		for _, again := range []bool{false, true} {
			rankings[[2]bool{cold, again}] = NewRanking(pairs).Without(cold, again)
		}
	}
	index := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	for range 100 {
		for i := range trees {
			trees[i].PoseWT.P = add(trees[i].PoseWT.P, randomVec(r, 0.002))
		}
		want := math.NaN()
		for how, ranking := range rankings {
			_, got := ranking.Closest(trees, Query{})
			if math.IsNaN(want) {
				want = got.Distance
			}
			if math.Abs(got.Distance-want) > 1e-12 {
				t.Fatalf("%v: %g, another way %g", how, got.Distance, want)
			}
			work[index(how[0])][index(how[1])].Add(got.Work)
		}
	}
	if work[0][0].Triangles >= work[1][0].Triangles || work[0][0].Spheres > work[1][0].Spheres {
		t.Errorf("what is kept saves nothing: %+v, without %+v", work[0][0], work[1][0])
	}
	if work[1][0].Transforms >= work[1][1].Transforms || work[1][0].Spheres != work[1][1].Spheres {
		t.Errorf("cached centres save nothing: %+v, without %+v", work[1][0], work[1][1])
	}
}

func TestClosestOfNothing(t *testing.T) {
	trees, pairs := crowd(t, dice(33), 5)
	if pair, got := NewRanking(nil).Closest(trees, Query{}); pair != -1 || got.Outcome != Beyond || !math.IsInf(got.Lower, 1) {
		t.Errorf("of no pairs: %d, %+v", pair, got)
	}
	for _, p := range []geom.Pose{{R: geom.Identity(), P: geom.Vec{X: math.NaN()}}, {}, {R: geom.Rot{XX: math.NaN()}}} {
		trees[3].PoseWT = p
		if pair, got := NewRanking(pairs).Closest(trees, Query{}); pair != -1 || got.Outcome != Unknown || got.Lower != 0 || !math.IsInf(got.Upper, 1) {
			t.Errorf("a tree at %+v: %d, %+v", p, pair, got)
		}
	}
}

func TestClosestAllocatesNothing(t *testing.T) {
	trees, pairs := crowd(t, dice(34), 6)
	ranking := NewRanking(pairs)
	query := func() { ranking.Closest(trees, Query{}) }
	query()
	if n := testing.AllocsPerRun(20, query); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// What is proved of a pair of nodes is kept for their children, which may stick out.
func TestChildrenKeepTheParentsBound(t *testing.T) {
	x := mustTree(t)(Compact(lShape(3)))
	f := finder{a: x, b: x, pose: geom.Translation(geom.Vec{X: 1.1}), q: &Query{}}
	if !f.begin() {
		t.Fatal("no pose")
	}
	out := 0
	for i := range x.Nodes {
		n := item{a: int32(i), b: 0, center: f.centre(&x.Nodes[0])}
		if x.Nodes[i].Leaf() {
			continue
		}
		n.lower = max(0, f.gap(&x.Nodes[i], &x.Nodes[0], n.center))
		near, far := f.open(&n)
		for _, c := range []item{near, far} {
			own := f.gap(&x.Nodes[c.a], &x.Nodes[c.b], c.center)
			if c.lower != max(own, n.lower) {
				t.Fatalf("node %d: a child's bound is %g, its own %g, the parent's %g", i, c.lower, own, n.lower)
			}
			if own < n.lower {
				out++
			}
		}
	}
	if out == 0 {
		t.Error("no child sticks out: this shows nothing")
	}
}
