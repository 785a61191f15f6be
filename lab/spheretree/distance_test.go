package spheretree

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/switches"
)

// kinds are the trees that must give the same answers.
func kinds(t testing.TB, m []tri.Triangle) map[string]*Tree {
	t.Helper()
	compact := mustTree(t)(Compact(m))
	return map[string]*Tree{"compact": compact, "nested": compact.Nested(), "greedy": mustTree(t)(Greedy(m, 0))}
}

func size(ts []tri.Triangle) float64 {
	far := 0.0
	for _, x := range ts {
		for _, v := range x {
			far = max(far, geom.Norm(sub(v, ts[0][0])))
		}
	}
	return far
}

// somewhere returns a pose that puts b beside a, at most a few sizes off, touching and
// crossing now and then.
func somewhere(r *rand.Rand, a, b []tri.Triangle) geom.Pose {
	p := randomPose(r, 0)
	from, to := a[r.IntN(len(a))][r.IntN(3)], b[r.IntN(len(b))][r.IntN(3)]
	p.P = sub(from, p.R.Apply(to))
	if r.IntN(4) > 0 {
		p.P = add(p.P, randomVec(r, (size(a)+size(b))*math.Pow(10, -4*r.Float64())))
	}
	return p
}

// margin is how far bounds without a tolerance may be apart.
func margin(a, b *Tree, pose geom.Pose) float64 {
	return Rounding*(a.Reach()+b.Reach()+geom.Norm(pose.P)) + 4*underflow
}

// Every tree's distance is that of trying all pairs of triangles, whatever the models.
func TestDistanceIsThatOfAllPairs(t *testing.T) {
	r := dice(11)
	var s Scratch
	ms := models()
	touching, apart, most := 0, 0, 5000
	switch {
	case switches.Long.Set():
		most = switches.Long.Times(60000, 1)
	case race.Enabled:
		most = 600
	}
	trees := map[string]map[string]*Tree{}
	for name, m := range ms {
		trees[name] = kinds(t, m)
	}
	for nameA, a := range ms {
		for nameB, b := range ms {
			if len(a)*len(b) > most || nameA == "giant" != (nameB == "giant") {
				continue
			}
			treesA, treesB := trees[nameA], trees[nameB]
			for range 2 {
				pose := somewhere(r, a, b)
				want := bruteForce(a, b, pose)
				for kind, x := range treesA {
					got := Distance(x, treesB[kind], pose, Query{}, &s)
					m := margin(x, treesB[kind], pose)
					if got.Outcome != Found || !(got.Lower <= want && want <= got.Upper) || math.Abs(got.Distance-want) > m {
						t.Fatalf("%s and %s, %s: %+v, all pairs %g", nameA, nameB, kind, got, want)
					}
					if d := geom.Norm(sub(got.PointA, got.PointB)); got.Distance > 0 && math.Abs(d-got.Distance) > m {
						t.Fatalf("%s and %s, %s: witnesses are %g apart, not %g", nameA, nameB, kind, d, got.Distance)
					}
				}
				if want > 0 {
					apart++
				} else {
					touching++
				}
			}
		}
	}
	if touching < 20 || apart < 100 {
		t.Errorf("only %d touch and %d are apart", touching, apart)
	}
}

// The bounds are as close together as promised, but where triangles all but touch
// and none of the directions tried tells.
func TestBoundsAreTight(t *testing.T) {
	r := dice(12)
	var s Scratch
	loose, n := 0, 0
	for range 30 {
		a, b := soup(60, r.Uint64()), bumpySphere(6, 0.3, r.Uint64())
		x, y := mustTree(t)(Compact(a)), mustTree(t)(Compact(b))
		for range 20 {
			pose := somewhere(r, a, b)
			got := Distance(x, y, pose, Query{}, &s)
			if got.Distance > 0 {
				n++
				if got.Upper-got.Lower > margin(x, y, pose) {
					loose++
					t.Logf("%g to %g, %g", got.Lower, got.Upper, got.Distance)
				}
			}
		}
	}
	if n < 200 || loose > n/100 {
		t.Errorf("%d of %d are loose", loose, n)
	}
}

// A tolerance is honoured: the lower bound holds, and is at least 1 - alpha of the
// upper one, which is that of points; and it pays.
func TestTolerance(t *testing.T) {
	a, b := bumpySphere(20, 0.3, 1), bumpySphere(20, 0.3, 2)
	treesA, treesB := kinds(t, a), kinds(t, b)
	var s Scratch
	rapid.Check(t, func(t *rapid.T) {
		r := dice(rapid.Uint64().Draw(t, "seed"))
		alpha := rapid.Float64Range(0, 0.99).Draw(t, "alpha")
		pose := somewhere(r, a, b)
		for kind, x := range treesA {
			y := treesB[kind]
			truth := Distance(x, y, pose, Query{}, &s)
			got := Distance(x, y, pose, Query{Alpha: alpha}, &s)
			if got.Outcome != Found || got.Lower > truth.Upper || got.Upper < truth.Lower || got.Lower < (1-alpha)*got.Upper-margin(x, y, pose) {
				t.Fatalf("%s, alpha %g: %+v, exactly %+v", kind, alpha, got, truth)
			}
			if got.Distance*(1-alpha) > truth.Distance+margin(x, y, pose) {
				t.Fatalf("%s, alpha %g: %g, exactly %g", kind, alpha, got.Distance, truth.Distance)
			}
		}
	})
	var exactly, roughly Work
	r := dice(3)
	for range 100 {
		pose := randomPose(r, 3)
		exactly.Add(Distance(treesA["compact"], treesB["compact"], pose, Query{}, &s).Work)
		roughly.Add(Distance(treesA["compact"], treesB["compact"], pose, Query{Alpha: 0.3}, &s).Work)
	}
	if 2*roughly.Spheres > exactly.Spheres {
		t.Errorf("%d pairs of balls with a tolerance of 0.3, %d without", roughly.Spheres, exactly.Spheres)
	}
}

// The distance range is kept: beyond Max nothing is looked for and nothing that is
// closer is missed; at Min the search ends with a witness.
func TestRange(t *testing.T) {
	a, b := bumpySphere(16, 0.3, 1), scaled(soup(300, 4), 0.1, geom.Vec{})
	treesA, treesB := kinds(t, a), kinds(t, b)
	var s Scratch
	outcomes := map[Outcome]int{}
	rapid.Check(t, func(t *rapid.T) {
		r := dice(rapid.Uint64().Draw(t, "seed"))
		pose := somewhere(r, a, b)
		factor := rapid.SampledFrom([]float64{0, 0.9, 1.1, 1.5, 3}).Draw(t, "min")
		factorMax := rapid.SampledFrom([]float64{0, 0.3, 0.9, 1, 1.1, 3}).Draw(t, "max")
		for kind, x := range treesA {
			y := treesB[kind]
			truth := Distance(x, y, pose, Query{}, &s)
			q := Query{Min: factor * truth.Distance, Max: factorMax * truth.Distance, Alpha: 0.1 * float64(r.IntN(2))}
			got := Distance(x, y, pose, q, &s)
			outcomes[got.Outcome]++
			if got.Lower > truth.Upper || got.Upper < truth.Lower {
				t.Fatalf("%s: %+v, exactly %+v", kind, got, truth)
			}
			switch got.Outcome {
			case Beyond:
				if !(q.Max > 0) || got.Lower < q.Max || truth.Upper < q.Max {
					t.Fatalf("%s: %+v beyond %g, exactly %+v", kind, got, q.Max, truth)
				}
			case Within:
				if got.Upper > q.Min || got.TriangleA < 0 {
					t.Fatalf("%s: %+v within %g", kind, got, q.Min)
				}
			case Found:
				if got.Lower < (1-q.Alpha)*got.Upper-margin(x, y, pose) && got.Lower < q.Max-margin(x, y, pose) {
					t.Fatalf("%s: %+v of %+v, exactly %+v", kind, got, q, truth)
				}
				if truth.Upper < q.Min*(1-q.Alpha) {
					t.Fatalf("%s: %+v is closer than %g, exactly %+v", kind, got, q.Min, truth)
				}
			case Unknown:
				t.Fatal("an answer is not known")
			}
		}
	})
	for _, o := range []Outcome{Found, Beyond, Within} {
		if outcomes[o] < 5 {
			t.Errorf("only %d of outcome %d", outcomes[o], o)
		}
	}
}

// A warm start changes no answer, whatever is in the memory, and saves work on a
// motion.
func TestWarmStart(t *testing.T) {
	x, y := mustTree(t)(Compact(bumpySphere(30, 0.3, 1))), mustTree(t)(Compact(bumpySphere(30, 0.3, 2)))
	var s Scratch
	var kept Warm
	var warm, cold Work
	r := dice(5)
	start := randomPose(r, 0)
	for i := range 200 {
		pose := start
		pose.P = geom.Vec{X: 2.8 + 0.001*float64(i), Y: 0.002 * float64(i)}
		want := Distance(x, y, pose, Query{}, &s)
		for _, w := range []*Warm{&kept, {a: -3, b: 7}, {a: 1 << 30, b: 1}, {a: int32(r.IntN(x.Len())), b: int32(r.IntN(y.Len()))}} {
			got := Distance(x, y, pose, Query{Warm: w}, &s)
			if math.Abs(got.Distance-want.Distance) > margin(x, y, pose) || got.Lower > want.Upper || got.Upper < want.Lower {
				t.Fatalf("%+v, cold %+v", got, want)
			}
			if w == &kept {
				warm.Add(got.Work)
				cold.Add(want.Work)
			}
		}
	}
	if warm.Spheres >= cold.Spheres || warm.Triangles >= cold.Triangles {
		t.Errorf("warm %+v, cold %+v", warm, cold)
	}
}

// Invalid poses and queries are refused.
func TestNothingIsKnownOfBadInput(t *testing.T) {
	x := mustTree(t)(Compact(boxMesh(1, 1, 1)))
	nan, inf := math.NaN(), math.Inf(1)
	var s Scratch
	good := geom.Translation(geom.Vec{X: 5})
	for _, p := range []geom.Pose{
		{},
		{R: geom.Identity(), P: geom.Vec{X: nan}},
		{R: geom.Identity(), P: geom.Vec{X: inf}},
		{R: geom.Rot{XX: nan}},
		{R: geom.Rot{XX: 2, YY: 2, ZZ: 2}},
		{R: geom.Identity(), P: geom.Vec{X: 1e200}},
	} {
		if got := Distance(x, x, p, Query{}, &s); got.Outcome != Unknown || got.Lower != 0 || got.Upper != inf {
			t.Errorf("%+v: %+v", p, got)
		}
	}
	for _, q := range []Query{{Alpha: 1}, {Alpha: -0.1}, {Alpha: nan}, {Min: nan}, {Min: -1}, {Max: -1}, {Max: nan}, {PoseError: nan}, {PoseError: -1}, {PoseError: inf}} {
		if got := Distance(x, x, good, q, &s); got.Outcome != Unknown || got.Lower != 0 || got.Upper != inf {
			t.Errorf("%+v: %+v", q, got)
		}
	}
	if got := Distance(x, x, good, Query{}, &s); math.Abs(got.Distance-3) > 1e-12 {
		t.Errorf("%+v", got)
	}
}

// A query allocates nothing once its scratch has grown.
func TestNoAllocations(t *testing.T) {
	x, y := mustTree(t)(Compact(bumpySphere(20, 0.3, 1))), mustTree(t)(Compact(soup(300, 2)))
	var s Scratch
	var w Warm
	pose := geom.Translation(geom.Vec{X: 4})
	query := func() { Distance(x, y, pose, Query{Warm: &w}, &s) }
	query()
	if n := testing.AllocsPerRun(50, query); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
