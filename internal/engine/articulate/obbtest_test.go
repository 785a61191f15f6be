package articulate

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/numeric/interval"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/race"
)

func (d chance) obb() OBB {
	half := geom.Vec{X: d.In(0, 1), Y: d.In(0, 1), Z: d.In(0, 1)}
	switch d.IntN(5) {
	case 0:
		half.X = 0
	case 1:
		half.X, half.Y = 0, 0
	}
	axes := geom.AxisAngle(d.Unit(), d.In(-3, 3))
	if d.IntN(3) == 0 {
		axes = geom.Identity()
	}
	return OBB{Center: d.Vec(0.5), Axes: axes, Half: half}
}

// corners are the box's, at a pose.
func (o *OBB) corners(pose geom.Pose) []geom.Vec {
	var out []geom.Vec
	for k := range 8 {
		s := func(bit int) float64 { return float64(2*(k>>bit&1) - 1) }
		x := geom.Vec{X: s(0) * o.Half.X, Y: s(1) * o.Half.Y, Z: s(2) * o.Half.Z}
		out = append(out, pose.Apply(r3.Add(o.Center, o.Axes.Apply(x))))
	}
	return out
}

// boxDistance is the distance of two boxes by the closest-point search.
func boxDistance(a *OBB, poseA geom.Pose, b *OBB, poseB geom.Pose) convex.Result {
	ca := convex.Core{Kind: convex.Hull, Vertices: a.corners(poseA)}
	cb := convex.Core{Kind: convex.Hull, Vertices: b.corners(poseB)}
	return convex.Distance(&ca, &identity, &cb, &identity, nil)
}

// At one instant the test is the separating axis theorem: it tells boxes that are apart
// from boxes that overlap, exactly but for rounding. Each of the fifteen axes is needed.
func TestApartOverIsComplete(t *testing.T) {
	d := newChance(4, 0)
	apart, touching := 0, 0
	for i := range trials(20000) {
		a, b := d.obb(), d.obb()
		poseA, poseB := d.Pose(0.6), d.Pose(0.6)
		ia, ib := interval.OfPose(poseA), interval.OfPose(poseB)
		r := RelativeOf(&ia, &ib)
		got := ApartOver(&r, &a, &b, 0)
		want := boxDistance(&a, poseA, &b, poseB)
		switch {
		case want.Overlap && got:
			t.Fatalf("pair %d: boxes that overlap are called apart", i)
		case want.Lower > 1e-9 && !got:
			t.Fatalf("pair %d: boxes %g apart are not told so", i, want.Lower)
		case got:
			apart++
		default:
			touching++
		}
		if got && want.Lower > 1e-9 && ApartOver(&r, &a, &b, want.Distance+1e-9) {
			t.Fatalf("pair %d: boxes %g apart are called farther apart", i, want.Distance)
		}
	}
	if !race.Enabled && (apart < 4000 || touching < 4000) {
		t.Errorf("%d apart, %d touching: the test is one-sided", apart, touching)
	}
}

// What the test proves over an interval holds at every time in it.
func TestApartOverHoldsAllAlong(t *testing.T) {
	proved := 0
	for i := range trials(150) {
		d := newChance(4, uint64(i+1))
		s := randomStage(t, d, 1+d.IntN(5), 1)
		frames := len(s.model.Tree.Frames)
		for range 20 {
			fa, fb := d.IntN(frames), d.IntN(frames)
			lo := d.In(0, 0.9)
			hi := min(1, lo+d.In(0, [...]float64{0.01, 0.1, 1}[d.IntN(3)]))
			a, b := d.obb(), d.obb()
			margin := [...]float64{0, 0.1}[d.IntN(2)]
			r := RelativeOf(s.mover.PoseWF(fa, lo, hi), s.mover.PoseWF(fb, lo, hi))
			if !ApartOver(&r, &a, &b, margin) {
				continue
			}
			proved++
			for k := range 9 {
				s.at(lo + (hi-lo)*float64(k)/8)
				if got := boxDistance(&a, s.state.PoseWF[fa], &b, s.state.PoseWF[fb]); got.Distance <= margin-1e-9 {
					t.Fatalf("stage %d: boxes are called more than %g apart on [%g, %g] but are %g apart", i, margin, lo, hi, got.Distance)
				}
			}
		}
	}
	if !race.Enabled && proved < 300 {
		t.Errorf("only %d proofs: the test tests little", proved)
	}
}

// The largest margin that the test proves while a box turns about an axis is no larger
// than the boxes' distance is at any time, but near it where they turn little.
func TestApartOverProvesNoMoreThanThereIs(t *testing.T) {
	d := newChance(5, 0)
	tight := 0
	for i := range trials(6000) {
		a, b := d.obb(), d.obb()
		a.Half, b.Half = r3.Scale([...]float64{0, 0.1, 1, 4}[d.IntN(4)], a.Half), r3.Scale([...]float64{0, 0.1, 1, 4}[d.IntN(4)], b.Half)
		axis, pivot, place := d.Unit(), d.Vec(2), d.Pose(3)
		if d.IntN(3) == 0 { // bars, which only axes across both part
			a.Half, b.Half, place.P = geom.Vec{Z: 5}, geom.Vec{Z: 5}, r3.Scale(0.5, place.P)
		}
		if d.IntN(2) == 0 {
			pivot = place.Apply(b.Center) // so that only axes move
		}
		most := [...]float64{1e-3, 0.05, 0.5}[d.IntN(3)]
		poseAt := func(angle float64) geom.Pose {
			turn := geom.AxisAngle(axis, angle)
			return geom.Pose{R: turn.Mul(place.R), P: r3.Add(turn.Apply(r3.Sub(place.P, pivot)), pivot)}
		}
		// The set of poses, as a chain would give it.
		turn := interval.Turn(axis, interval.I{Lo: -most, Hi: most})
		fixed := interval.OfPose(place)
		set := interval.Pose{R: turn.Mul(&fixed.R), P: turn.Apply(fixed.P.Sub(interval.OfVec(pivot))).Add(interval.OfVec(pivot))}
		static := interval.OfPose(geom.IdentityPose())
		relative := RelativeOf(&static, &set)
		if d.IntN(2) == 0 {
			relative, a, b = RelativeOf(&set, &static), b, a
		}
		turning, resting := &b, &a
		if relative != RelativeOf(&static, &set) {
			turning, resting = &a, &b
		}
		least := math.Inf(1)
		for k := range 17 {
			angle := most * (float64(k)/8 - 1)
			least = min(least, boxDistance(resting, geom.IdentityPose(), turning, poseAt(angle)).Distance)
		}
		if !ApartOver(&relative, &a, &b, 0) {
			continue
		}
		lo, hi := 0., 20.
		for range 40 {
			if mid := (lo + hi) / 2; ApartOver(&relative, &a, &b, mid) {
				lo = mid
			} else {
				hi = mid
			}
		}
		if lo > least+1e-9 {
			t.Fatalf("case %d: boxes turning by %g are proved %g apart all along, but are %g apart at some time", i, most, lo, least)
		}
		if lo > 0.97*least {
			tight++
		}
	}
	if !race.Enabled && tight < 200 {
		t.Errorf("only %d proofs are tight: the test tests little", tight)
	}
}

// Poses of which nothing is known prove nothing.
func TestApartOverOfNothingKnown(t *testing.T) {
	a, b := OBB{Axes: geom.Identity()}, OBB{Axes: geom.Identity(), Center: geom.Vec{X: 10}}
	known := interval.OfPose(geom.IdentityPose())
	for _, end := range []interval.I{{Lo: math.Inf(-1), Hi: math.Inf(1)}, {Lo: 0, Hi: math.Inf(1)}, {Lo: math.NaN(), Hi: math.NaN()}} {
		lost := known
		lost.P.X = end
		r := RelativeOf(&known, &lost)
		if ApartOver(&r, &a, &b, 0) {
			t.Errorf("boxes are called apart at a place of %v", end)
		}
	}
}

// Each axis alone separates some pairs of boxes: where only edges can, a test without
// the nine axes across edges is blind.
func TestEdgesSeparateBoxes(t *testing.T) {
	// Two long bars crossing at a right angle, turned by 45 degrees about their length
	// so that edge faces edge.
	a := OBB{Axes: geom.AxisAngle(geom.Vec{X: 1}, math.Pi/4), Half: geom.Vec{X: 5, Y: 1, Z: 1}}
	b := OBB{Axes: geom.AxisAngle(geom.Vec{Z: 1}, math.Pi/2).Mul(geom.AxisAngle(geom.Vec{X: 1}, math.Pi/4)), Half: geom.Vec{X: 5, Y: 1, Z: 1}}
	for _, c := range []struct {
		height float64
		apart  bool
	}{{2*math.Sqrt2 + 1e-6, true}, {2*math.Sqrt2 - 1e-6, false}} {
		poseA, poseB := interval.OfPose(geom.IdentityPose()), interval.OfPose(geom.Translation(geom.Vec{Z: c.height}))
		if r := RelativeOf(&poseA, &poseB); ApartOver(&r, &a, &b, 0) != c.apart {
			t.Errorf("bars whose edges are %g apart: apart %v", c.height-2*math.Sqrt2, !c.apart)
		}
	}
}
