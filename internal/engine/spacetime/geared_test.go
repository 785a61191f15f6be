package spacetime

import (
	"context"
	"math"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/exact"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/robots"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Bounds of a distance hold for long chains with strong gears, whose links nobody knows
// exactly where to compute, and are as close as they say.
func TestDistancesOfGearedChains(t *testing.T) {
	widest, most := 0.0, 0.0
	for i := range rounds(watched(60)) {
		d := newDice(98, uint64(i))
		n := 1 + d.IntN(40)
		const length, radius = 0.5, 0.05
		gears := make([]float64, n)
		chain := make([]robots.Hinge, n)
		for k := range chain {
			gears[k] = d.Spread(1, geom.MaxAngle) * float64(1-2*d.IntN(2))
			chain[k] = robots.Hinge{Parent: k, Kind: urdf.Continuous, Axis: ez, Origin: robots.At(length, 0, 0)}
			if k > 0 {
				chain[k].Mimics, chain[k].Mult = 1, gears[k]
			}
		}
		gears[0] = 1
		shapes := robots.Part(robots.At(length, 0, 0), robots.Ball(radius))
		if d.IntN(2) == 0 {
			shapes = robots.Part(robots.At(length, 0, 0), robots.Points(radius, ex, ex)) // both at length + 1
			shapes[0].PoseLS = robots.At(length-1, 0, 0)
		}
		chain[n-1].Parts = shapes
		q := d.In(-3, 3)

		x, y, angle := exact.Of(length), exact.Of(0), exact.Of(0)
		for k := range chain {
			angle = angle.Plus(exact.Of(gears[k]).Times(exact.Of(q)))
			sin, cos := exact.Sincos(angle)
			x, y = x.Plus(cos.Times(exact.Of(length))), y.Plus(sin.Times(exact.Of(length)))
		}
		far := d.Spread(1e-4, 30)
		center := robots.At(x.Float()+radius*2+far, y.Float(), 0)
		dx, dy := exact.Of(center.P.X).Minus(x), exact.Of(center.P.Y).Minus(y)
		truth := dx.Times(dx).Plus(dy.Times(dy)).Sqrt().Minus(exact.Of(2 * radius))

		r := newRig(t, robots.Of(nil, chain...), robots.World(robots.Object("ball", robots.Ball(radius), center)), 0, robots.Move([]float64{q, q}))
		for _, tol := range []float64{0, 1e-9, 1e-3} {
			out, err := r.w.Distances(context.Background(), []float64{q}, motion.DistanceQuery{NoSelf: true, Tolerance: tol})
			if err != nil {
				t.Fatal(err)
			}
			b := out.Pairs[0].Bounds
			if exact.Of(b.Lo).Exceeds(truth) || truth.Exceeds(exact.Of(b.Hi)) || out.World.Hi != b.Hi {
				t.Errorf("chain %d of %d joints: %g is not within %v", i, n, truth.Float(), b)
			}
			width := b.Hi - b.Lo
			if promised := math.Max(tol, math.Max(motion.DistanceRounding, out.Rounding)) + 1e-10*b.Hi; width > promised {
				t.Errorf("chain %d of %d joints: bounds are %g apart, promised %g", i, n, width, promised)
			}
			widest, most = math.Max(widest, width*float64(1-math.Ceil(tol))), math.Max(most, out.Rounding)
		}
	}
	t.Logf("bounds at most %g apart, rounding %g", widest, most)
	if widest < 2*motion.DistanceRounding {
		t.Error("rounding alone would do: a poor test")
	}
}
