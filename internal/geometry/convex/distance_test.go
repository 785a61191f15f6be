package convex

import (
	"fmt"
	"math"
	"math/rand"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// eachPair runs f for every pair of kinds.
func eachPair(t *testing.T, f func(t *testing.T, ka, kb Kind, r *rand.Rand)) {
	for ka := Point; ka <= Hull; ka++ {
		for kb := Point; kb <= Hull; kb++ {
			t.Run(ka.name()+"-"+kb.name(), func(t *testing.T) {
				f(t, ka, kb, rand.New(rand.NewSource(int64(ka)*100+int64(kb))))
			})
		}
	}
}

func curved(k Kind) bool { return k == Cylinder || k == Cone }

// Two cores on either side of a slab that both touch, at points across from each
// other, are as far apart as the slab is thick: exact for faces, edges, rims and
// corners in any pairing, for gaps from 1e-12 to 1 and sizes from 1e-6 to 1e3 m.
func TestDistanceAcrossSlab(t *testing.T) {
	eachPair(t, func(t *testing.T, ka, kb Kind, r *rand.Rand) {
		var above, below float64
		var steps, most int
		const rounds = 400
		for i := range rounds {
			a, b := randomCore(r, ka), randomCore(r, kb)
			pa, pb := a.onFloor(r), b.onFloor(r)
			gap := math.Pow(10, -12*r.Float64())
			flip := geom.Pose{R: geom.Rot{XX: 1, YY: -1, ZZ: -1}, P: geom.Vec{Z: gap}}
			pose := randomPose(r, 1)
			pa, pb = pose.Mul(pa), pose.Mul(flip).Mul(pb)
			k := math.Pow(10, 9*r.Float64()-6)
			a, b = a.scaled(k), b.scaled(k)
			pa.P, pb.P = scale(k, pa.P), scale(k, pb.P)
			gap *= k

			var ws Workspace
			got := Distance(&a, &pa, &b, &pb, &ws)
			steps += ws.Iterations
			most = max(most, ws.Iterations)
			size := a.Extent() + b.Extent() + norm(pa.P) + norm(pb.P)
			if !(got.Lower <= gap+32*0x1p-53*size) { // the poses are rounded, too
				t.Fatalf("lower bound %.17g of a distance of %.17g\n%+v %+v\n%+v %+v", got.Lower, gap, a, pa, b, pb)
			}
			above = math.Max(above, (got.Distance-gap)/(gap*1e-10+size*1e-14))
			below = math.Max(below, (gap-got.Lower)/(gap*1e-10+size*1e-14))
			if gap > 64*0x1p-53*size && got.Overlap {
				t.Fatalf("overlap at gap %g, size %g", gap, size)
			}
			if i < 50 {
				checkWitness(t, &a, pa, &b, pb, got)
			}
		}
		// Polytopes are exact to rounding; what is curved converges to 1e-10 of its size.
		limitAbove, limitBelow := 2.0, 100.0
		if curved(ka) || curved(kb) {
			limitAbove, limitBelow = 1e4, 1e4
		}
		if above > limitAbove || below > limitBelow {
			t.Errorf("bounds are too wide")
		}
		t.Logf("distance above %.2g, lower bound below %.2g (of 1e-10 gap + 1e-14 size), %.1f steps, at most %d", above, below, float64(steps)/rounds, most)
	})
}

// checkWitness checks that the witnesses are points of the pieces, as far apart as
// Distance says, and the bounds in order.
func checkWitness(t *testing.T, a *Core, pa geom.Pose, b *Core, pb geom.Pose, got Result) {
	t.Helper()
	size := a.Extent() + b.Extent() + norm(pa.P) + norm(pb.P) + a.Radius + b.Radius
	tol := 64 * 0x1p-53 * size
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("%s\n%+v\n%+v %+v\n%+v %+v", fmt.Sprintf(format, args...), got, *a, pa, *b, pb)
	}
	if off := a.off(pa.ApplyInv(got.PointA)) - a.Radius; !(off <= tol) {
		fail("PointA is %g of the size outside a", off/size)
	}
	if off := b.off(pb.ApplyInv(got.PointB)) - b.Radius; !(off <= tol) {
		fail("PointB is %g of the size outside b", off/size)
	}
	if apart := norm(sub(got.PointA, got.PointB)); !(math.Abs(apart-got.Distance) <= tol) {
		fail("Distance %g, but witnesses %g apart", got.Distance, apart)
	}
	if !(got.Lower <= got.Distance+tol) || got.Lower < 0 {
		fail("Lower %g > Distance %g", got.Lower, got.Distance)
	}
	if got.Overlap && got.Lower > 0 {
		fail("Overlap with a proof of separation")
	}
	if n := norm(got.Normal); n != 0 && math.Abs(n-1) > 1e-15 {
		fail("Normal has length %g", n)
	}
}

// Pieces with a point deep in both overlap, and the witnesses are common points.
func TestOverlap(t *testing.T) {
	eachPair(t, func(t *testing.T, ka, kb Kind, r *rand.Rand) {
		for range 60 {
			a, b := randomCore(r, ka), randomCore(r, kb)
			a.Radius, b.Radius = 0.1*r.Float64(), 0.1*r.Float64()
			pa, pb := randomPose(r, 1), randomPose(r, 1)
			pb.P = add(pb.P, sub(pa.Apply(a.somewhere(r)), pb.Apply(b.somewhere(r))))
			got := Distance(&a, &pa, &b, &pb, nil)
			if !got.Overlap || got.Distance != 0 || got.Lower != 0 {
				t.Fatalf("no overlap: %+v\n%+v %+v\n%+v %+v", got, a, pa, b, pb)
			}
			checkWitness(t, &a, pa, &b, pb, got)
			same := Distance(&a, &pa, &a, &pa, nil)
			if !same.Overlap {
				t.Fatalf("a piece does not overlap itself: %+v", same)
			}
			checkWitness(t, &a, pa, &a, pa, same)
		}
	})
}

// somewhere returns a random point of the core.
func (c *Core) somewhere(r *rand.Rand) geom.Vec {
	_, p := c.face(r)
	_, q := c.face(r)
	_, s := c.face(r)
	_, v := c.face(r)
	return mix(r, p, q, s, v)
}

// Radii: the distance of the pieces is that of the cores less both radii, and
// where it is negative they overlap.
func TestRadii(t *testing.T) {
	eachPair(t, func(t *testing.T, ka, kb Kind, r *rand.Rand) {
		for range 100 {
			a, b := randomCore(r, ka), randomCore(r, kb)
			pa, pb := randomPose(r, 1), randomPose(r, 1)
			core := Distance(&a, &pa, &b, &pb, nil)
			a.Radius, b.Radius = r.Float64(), r.Float64()*float64(r.Intn(2))
			got := Distance(&a, &pa, &b, &pb, nil)
			checkWitness(t, &a, pa, &b, pb, got)
			want := core.Distance - a.Radius - b.Radius
			if (want > 1e-13) == got.Overlap || math.Abs(math.Max(want, 0)-got.Distance) > 1e-9 {
				t.Fatalf("distance %g, overlap %v, want %g", got.Distance, got.Overlap, want)
			}
		}
	})
}

// Anywhere: the bracket [Lower, Distance] is tight. Lower is proven by Gap and
// Distance by its witnesses, so that a tight bracket is the distance.
func TestBracketIsTight(t *testing.T) {
	eachPair(t, func(t *testing.T, ka, kb Kind, r *rand.Rand) {
		var worst float64
		var steps, most, over int
		const rounds = 400
		for range rounds {
			a, b := randomCore(r, ka), randomCore(r, kb)
			pa, pb := randomPose(r, 0.5), randomPose(r, 0.5)
			var ws Workspace
			got := Distance(&a, &pa, &b, &pb, &ws)
			steps += ws.Iterations
			most = max(most, ws.Iterations)
			if got.Overlap {
				over++
			}
			checkWitness(t, &a, pa, &b, pb, got)
			size := a.Extent() + b.Extent() + norm(pa.P) + norm(pb.P)
			w := (got.Distance - got.Lower) / (1e-10*got.Distance + 1e-13*size)
			if w > 3 {
				t.Errorf("bracket [%g, %g] after %d steps", got.Lower, got.Distance, ws.Iterations)
			}
			worst = math.Max(worst, w)
		}
		t.Logf("bracket %.2g of 1e-10 distance + 1e-13 size, %.1f steps, at most %d, %d overlap", worst, float64(steps)/rounds, most, over)
	})
}

// A rough answer's bracket holds the distance and is as tight as asked for, or shows that the pieces
// are farther apart than enough.
func TestRoughly(t *testing.T) {
	eachPair(t, func(t *testing.T, ka, kb Kind, r *rand.Rand) {
		for range 100 {
			a, b := randomCore(r, ka), randomCore(r, kb)
			a.Radius, b.Radius = 0.5*r.Float64(), 0.5*r.Float64()
			pa, pb := randomPose(r, 1.5), randomPose(r, 1.5)
			exact := Distance(&a, &pa, &b, &pb, nil)
			var ws Workspace
			slop, enough := math.Pow(10, -1-4*r.Float64()), math.Inf(1)
			if r.Intn(2) == 0 {
				enough = exact.Distance * (0.5 + r.Float64())
			}
			got := Roughly(&a, &pa, &b, &pb, enough, slop, &ws)
			checkWitness(t, &a, pa, &b, pb, got)
			size := a.Extent() + b.Extent() + norm(pa.P) + norm(pb.P)
			tiny := 1e-9*exact.Distance + 1e-12*size
			if got.Lower > exact.Distance+tiny || got.Distance < exact.Distance-tiny {
				t.Fatalf("bracket [%g, %g] of the distance %g", got.Lower, got.Distance, exact.Distance)
			}
			if w := got.Distance - got.Lower; w > slop*got.Distance+tiny && !(got.Lower > enough) {
				t.Errorf("bracket [%g, %g] for the part %g", got.Lower, got.Distance, slop)
			}
		}
	})
}

// The direction of Toward is one along which pieces are nearly as far apart as they can be. If that is no more than least, the
// search ends earlier; otherwise least changes nothing.
func TestToward(t *testing.T) {
	eachPair(t, func(t *testing.T, ka, kb Kind, r *rand.Rand) {
		var steps, fewer, apart int
		for range 200 {
			a, b := randomCore(r, ka), randomCore(r, kb)
			a.Radius, b.Radius = 0.3*r.Float64(), 0.3*r.Float64()
			pa, pb := randomPose(r, 1.5), randomPose(r, 1.5)
			exact := Distance(&a, &pa, &b, &pb, nil)
			var ws Workspace
			n, overlap := Toward(&a, &pa, &b, &pb, 0, math.Inf(1), 1e-6, &ws)
			if exact.Overlap {
				if gap := Gap(&a, &pa, &b, &pb, n); gap > 0 {
					t.Fatalf("a gap of %g of pieces that overlap", gap)
				}
				continue
			}
			if overlap {
				t.Fatalf("pieces that are %g apart are said to overlap", exact.Distance)
			}
			apart++
			size := a.Extent() + b.Extent() + norm(pa.P) + norm(pb.P)
			if gap := Gap(&a, &pa, &b, &pb, n); gap < exact.Distance-1e-6*size {
				t.Fatalf("a gap of %g, of %g", gap, exact.Distance)
			}
			steps += ws.Iterations
			all := ws.Iterations
			if same, _ := Toward(&a, &pa, &b, &pb, 0.99*exact.Distance, math.Inf(1), 1e-6, &ws); same != n || ws.Iterations != all {
				t.Fatalf("pieces %g apart: another direction where they are to be more than %g", exact.Distance, 0.99*exact.Distance)
			}
			ended, overlap := Toward(&a, &pa, &b, &pb, 1.5*exact.Distance+1e-9, math.Inf(1), 1e-6, &ws)
			if fewer += ws.Iterations; overlap || ws.Iterations > all {
				t.Fatalf("pieces %g apart: overlap %v after %d steps instead of %d", exact.Distance, overlap, ws.Iterations, all)
			}
			if ended != (geom.Vec{}) && math.Abs(norm(ended)-1) > 1e-15 {
				t.Fatalf("direction %v", ended)
			}
		}
		if t.Logf("%d apart, %d steps, %d where they are too close", apart, steps, fewer); apart == 0 || steps > 4*apart && fewer > steps*9/10 {
			t.Error("no search ended early")
		}
	})
}

// Separated proves what is true and nothing else, and proves it again in one step.
func TestSeparated(t *testing.T) {
	eachPair(t, func(t *testing.T, ka, kb Kind, r *rand.Rand) {
		var steps int
		for range 200 {
			a, b := randomCore(r, ka), randomCore(r, kb)
			a.Radius = 0.1 * r.Float64() * float64(r.Intn(2))
			pa, pb := a.onFloor(r), b.onFloor(r)
			gap := math.Pow(10, -8*r.Float64())
			flip := geom.Pose{R: geom.Rot{XX: 1, YY: -1, ZZ: -1}, P: geom.Vec{Z: gap + a.Radius}}
			pose := randomPose(r, 1)
			pa, pb = pose.Mul(pa), pose.Mul(flip).Mul(pb)
			var ws Workspace
			n, proven, ok := Separated(&a, &pa, &b, &pb, 0.9*gap, &ws)
			steps += ws.Iterations
			if !ok || !(proven > 0.9*gap) || proven > gap+1e-13 {
				t.Fatalf("gap %g: proven %g, %v\n%+v %+v\n%+v %+v", gap, proven, ok, a, pa, b, pb)
			}
			if exact := exactGap(&a, pa, &b, pb, n); toFloat(exact) < proven {
				t.Fatalf("proven %g, but the supports are %g apart", proven, toFloat(exact))
			}
			if _, _, ok = Separated(&a, &pa, &b, &pb, 0.9*gap, &ws); !ok || ws.Iterations != 1 {
				t.Fatalf("again: %v in %d steps", ok, ws.Iterations)
			}
			if _, proven, ok = Separated(&a, &pa, &b, &pb, gap+1e-12, nil); ok {
				t.Fatalf("gap %g: proven %g", gap, proven)
			}
		}
		t.Logf("%.1f steps", float64(steps)/200)
	})
}

// A start from the last answer takes fewer steps and gives the same distance.
func TestWarmStart(t *testing.T) {
	r := rand.New(rand.NewSource(7))
	var cold, warm int
	for range 2000 {
		a, b := randomCore(r, Kind(r.Intn(7))), randomCore(r, Kind(r.Intn(7)))
		pa, pb := randomPose(r, 1), randomPose(r, 1)
		var ws Workspace
		first := Distance(&a, &pa, &b, &pb, &ws)
		cold += ws.Iterations
		again := Distance(&a, &pa, &b, &pb, &ws)
		warm += ws.Iterations
		if math.Abs(first.Distance-again.Distance) > 1e-9 || first.Overlap != again.Overlap {
			t.Fatalf("cold %+v, warm %+v", first, again)
		}
	}
	t.Logf("cold %d steps, warm %d", cold, warm)
	if warm*4 > cold*3 {
		t.Fatalf("warm start took %d steps, cold %d", warm, cold)
	}
}

// TestTangentCylinder: a cylinder whose rim touches an edge of a box with its side, or is near
// it, is found to be as close as it is. The lengths of the search fall to the rounding of the
// supports there, while its direction still turns.
func TestTangentCylinder(t *testing.T) {
	r := rand.New(rand.NewSource(12))
	for range 2000 {
		a := Core{Kind: Cylinder, CoreRadius: 0.5, HalfLength: 0.25}
		b := Core{Kind: Box, Half: geom.Vec{X: 0.25, Y: 0.75, Z: 0.5}}
		angle := 2 * math.Pi * r.Float64()
		pa := geom.Pose{R: geom.Rot{XX: math.Cos(angle), XY: -math.Sin(angle), YX: math.Sin(angle), YY: math.Cos(angle), ZZ: 1}, P: geom.Vec{X: -0.75, Y: -1, Z: -1}}
		gap := [...]float64{0, 1e-15, 1e-12, 1e-9, 1e-6}[r.Intn(5)]
		pb := geom.Pose{R: geom.Identity(), P: geom.Vec{X: gap, Y: r.Float64() - 1.5, Z: -0.25}}
		ws := Workspace{Dir: geom.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}}
		got := Distance(&a, &pa, &b, &pb, &ws)
		if wide := 1e-10; !(got.Distance <= gap+wide) || !(got.Lower >= gap-wide) {
			t.Fatalf("gap %g: between %g and %g (angle %v, box at %v)", gap, got.Lower, got.Distance, angle, pb.P)
		}
	}
}
