package spheretree

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
)

// triangles that try the rounding: needles, all but parallel, all but touching, far
// from the origin, of very different sizes.
func hardTriangle(r *rand.Rand) tri.Triangle {
	at := randomVec(r, math.Pow(10, 4*r.Float64()-2))
	size := math.Pow(10, 6*r.Float64()-5)
	var t tri.Triangle
	for i := range t {
		t[i] = add(at, randomVec(r, size))
	}
	switch r.IntN(4) {
	case 0: // a needle
		t[2] = along(t[0], r.Float64(), sub(t[1], t[0]))
		t[2] = add(t[2], randomVec(r, size*1e-9))
	case 1:
		t[2] = t[1]
	}
	return t
}

// beside moves b so that it all but touches a, a known direction apart.
func beside(r *rand.Rand, a, b tri.Triangle) geom.Pose {
	p := randomPose(r, 0)
	mix := func(t tri.Triangle) geom.Vec {
		x, y := r.Float64(), r.Float64()
		if r.IntN(2) == 0 {
			x, y = float64(r.IntN(2)), 0
		}
		return along(along(t[0], x*(1-y), sub(t[1], t[0])), y, sub(t[2], t[0]))
	}
	gap := randomVec(r, math.Pow(10, 14*r.Float64()-14))
	p.P = add(sub(mix(a), p.R.Apply(mix(b))), gap)
	return p
}

// exactVec is a point in exact arithmetic, or nearly: 600 bits.
type exactVec [3]*big.Float

func bigf(x float64) *big.Float { return new(big.Float).SetPrec(600).SetFloat64(x) }

func placedExactly(p geom.Pose, v geom.Vec) exactVec {
	rows := [3][4]float64{{p.R.XX, p.R.XY, p.R.XZ, p.P.X}, {p.R.YX, p.R.YY, p.R.YZ, p.P.Y}, {p.R.ZX, p.R.ZY, p.R.ZZ, p.P.Z}}
	var out exactVec
	for i, row := range rows {
		out[i] = bigf(row[3])
		for j, x := range [3]float64{v.X, v.Y, v.Z} {
			out[i].Add(out[i], new(big.Float).SetPrec(600).Mul(bigf(row[j]), bigf(x)))
		}
	}
	return out
}

// near returns the weights, none negative, that make the point of the triangle near p.
func weights(t *tri.Triangle, p geom.Vec) [3]float64 {
	// Starting from the middle, each corner in turn is given or loses weight as long as
	// that helps: slow, but in no need of a case distinction.
	w := [3]float64{1. / 3, 1. / 3, 1. / 3}
	at := func(w [3]float64) geom.Vec {
		var v geom.Vec
		for i := range w {
			v = along(v, w[i], sub(t[i], p))
		}
		return v
	}
	for range 400 {
		v := at(w)
		for i := range 3 { // the best step towards corner i, or away from it
			d := sub(sub(t[i], p), v)
			dd := dot(d, d)
			if !(dd > 0) {
				continue
			}
			k := min(max(-dot(v, d)/dd, -w[i]/(1-w[i]+1e-300)), 1)
			for j := range w {
				w[j] *= 1 - k
			}
			w[i] += k
			for j := range w {
				w[j] = max(w[j], 0)
			}
			v = at(w)
		}
	}
	return w
}

// weighted is the point of a triangle with the given weights, exactly.
func weighted(corners [3]exactVec, w [3]float64) exactVec {
	sum := new(big.Float).SetPrec(600)
	out := exactVec{bigf(0), bigf(0), bigf(0)}
	for i := range w {
		sum.Add(sum, bigf(w[i]))
		for j := range out {
			out[j].Add(out[j], new(big.Float).SetPrec(600).Mul(bigf(w[i]), corners[i][j]))
		}
	}
	for j := range out {
		out[j].Quo(out[j], sum)
	}
	return out
}

func apartExactly(p, q exactVec) float64 {
	sum := bigf(0)
	for j := range p {
		d := new(big.Float).SetPrec(600).Sub(p[j], q[j])
		sum.Add(sum, d.Mul(d, d))
	}
	x, _ := sum.Sqrt(sum).Float64()
	return x
}

// separatedExactly is the gap of two triangles along n in exact arithmetic: no points
// of theirs are closer.
func separatedExactly(a, b [3]exactVec, n geom.Vec) float64 {
	along := func(v exactVec) *big.Float {
		s := bigf(0)
		for j, x := range [3]float64{n.X, n.Y, n.Z} {
			s.Add(s, new(big.Float).SetPrec(600).Mul(bigf(x), v[j]))
		}
		return s
	}
	var lo, hi *big.Float
	for i := range 3 {
		if x := along(b[i]); lo == nil || x.Cmp(lo) < 0 {
			lo = x
		}
		if x := along(a[i]); hi == nil || x.Cmp(hi) > 0 {
			hi = x
		}
	}
	length := bigf(0)
	for _, x := range [3]float64{n.X, n.Y, n.Z} {
		length.Add(length, new(big.Float).SetPrec(600).Mul(bigf(x), bigf(x)))
	}
	if length.Sign() == 0 {
		return 0
	}
	gap := lo.Sub(lo, hi)
	x, _ := gap.Quo(gap, length.Sqrt(length)).Float64()
	return x
}

// Bounds hold in exact arithmetic, the pose as given, on triangles that try the
// rounding: no two points of the triangles, taken exactly, are closer than Lower, and
// some are, to what a gap can tell, no farther than Upper. Witnesses are where the
// triangles are.
func TestBoundsHoldExactly(t *testing.T) {
	r := dice(21)
	var s Scratch
	n := 3000
	if testing.Short() || race.Enabled {
		n = 300
	}
	apart, tight := 0, 0
	for range n {
		a, b := hardTriangle(r), hardTriangle(r)
		x, y := mustTree(t)(CompactOf([]tri.Triangle{a}, math.Inf(1))), mustTree(t)(CompactOf([]tri.Triangle{b}, math.Inf(1)))
		pose := beside(r, a, b)
		got := Distance(x, y, pose, Query{}, &s)
		var ca, cb [3]exactVec
		for i := range 3 {
			ca[i], cb[i] = placedExactly(geom.IdentityPose(), a[i]), placedExactly(pose, b[i])
		}
		placed := b
		for i := range placed {
			placed[i] = pose.Apply(b[i])
		}
		m := margin(x, y, pose)
		p, q := weighted(ca, weights(&a, got.PointA)), weighted(cb, weights(&placed, got.PointB))
		real := apartExactly(p, q)
		if got.Lower > real {
			t.Fatalf("%v %v %+v: %+v, but two points are %g apart", a, b, pose, got, real)
		}
		if got.Distance == 0 {
			continue
		}
		apart++
		if real <= got.Upper { // so the bound above is of points
			tight++
		}
		if gap := separatedExactly(ca, cb, sub(got.PointB, got.PointA)); gap > got.Upper {
			t.Fatalf("%v %v %+v: %+v, but they are %g apart along the witnesses", a, b, pose, got, gap)
		}
		if got.Upper-got.Lower > m+1e-9 {
			t.Errorf("%v %v %+v: %+v: loose", a, b, pose, got)
		}
	}
	t.Logf("%d apart, of %d the bound above confirmed by points", apart, tight)
	if apart < n/2 || tight < apart*3/4 {
		t.Errorf("%d apart, %d confirmed", apart, tight)
	}
}

// Two balls that touch, exactly, at many poses and far from the origin: the lower bound
// is never above zero by more than nothing at all.
func TestBallsThatTouchAreNotApart(t *testing.T) {
	r, n := dice(22), 20000
	if race.Enabled {
		n = 2000
	}
	for range n {
		at := randomVec(r, math.Pow(10, 6*r.Float64()-3))
		pose := randomPose(r, math.Pow(10, 6*r.Float64()-3))
		v := at
		x := mustTree(t)(CompactOf([]tri.Triangle{{v, v, v}}, math.Inf(1)))
		// b's corner is put where a's is, to rounding.
		w := pose.ApplyInv(v)
		y := mustTree(t)(CompactOf([]tri.Triangle{{w, w, w}}, math.Inf(1)))
		f := finder{a: x, b: y, pose: pose, q: &Query{}}
		if !f.begin() {
			t.Fatal("no pose")
		}
		truth := apartExactly(placedExactly(geom.IdentityPose(), v), placedExactly(pose, w))
		if g := f.gap(&x.Nodes[0], &y.Nodes[0], f.centre(&y.Nodes[0])); g > truth {
			t.Fatalf("%v, %+v: lower bound %g, truth %g", v, pose, g, truth)
		}
	}
}

// What a rotation is off by is counted: a ball under a matrix that lengthens by a part
// in a million is larger.
func TestStretch(t *testing.T) {
	r := dice(23)
	for range 1000 {
		k := 1 + 5e-7*r.Float64()
		rot := randomPose(r, 0).R
		for _, x := range []*float64{&rot.XX, &rot.XY, &rot.XZ, &rot.YX, &rot.YY, &rot.YZ, &rot.ZX, &rot.ZY, &rot.ZZ} {
			*x *= k
		}
		if got := stretch(&rot); got < k-1-1e-15 || got > 2*(k-1)+1e-14 {
			t.Fatalf("a matrix that lengthens by %g stretches by %g", k-1, got)
		}
	}
	a := scaled(bumpySphere(8, 0, 1), 1, geom.Vec{})
	x := mustTree(t)(Compact(a))
	pose := geom.IdentityPose()
	pose.R.XX, pose.R.YY, pose.R.ZZ = 1+5e-7, 1+5e-7, 1+5e-7
	pose.P.X = 2.5
	want := bruteForce(a, a, pose)
	for range 10 {
		got := Distance(x, x, pose, Query{Max: want * (1 + 1e-12)}, &Scratch{})
		if got.Lower > want+1e-15 || got.Outcome != Found {
			t.Fatalf("%+v, all pairs %g", got, want)
		}
	}
}

// A pose that may be off by so much makes both bounds allow for it: they hold for the
// pose that was meant.
func TestPoseErrorCounts(t *testing.T) {
	r := dice(24)
	x, y := mustTree(t)(Compact(bumpySphere(8, 0.2, 1))), mustTree(t)(Compact(soup(40, 2)))
	var s Scratch
	for range 200 {
		meant := randomPose(r, 4)
		const off = 1e-3
		given := meant
		dir, _ := geom.Unit(randomVec(r, 1))
		given.P = along(given.P, off*0.999, dir)
		truth := Distance(x, y, meant, Query{}, &s)
		got := Distance(x, y, given, Query{PoseError: off}, &s)
		if got.Lower > truth.Lower+1e-12 || got.Upper < truth.Upper-1e-12 {
			t.Fatalf("%+v, meant %+v", got, truth)
		}
		if got.Distance > 0 && got.Upper-got.Lower > 2.01*off && got.Lower > 0 {
			t.Fatalf("%+v: too wide", got)
		}
	}
}
