package spacetime

import (
	"context"
	"math"
	"math/big"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Pi to more digits than 300 bits hold.
const piDigits = "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798214808651"

// sineCosine is both for an angle of any size, to some 250 bits.
func sineCosine(x num) (sin, cos num) {
	pi, _, _ := big.ParseFloat(piDigits, 10, precision, big.ToNearestEven)
	turn := num{pi}.times(exactly(2))
	turns, _ := x.over(turn).Int(nil)
	x = x.minus(num{new(big.Float).SetPrec(precision).SetInt(turns)}.times(turn))
	sin, cos = exactly(0), exactly(0)
	term := exactly(1)
	for k := range 120 {
		switch k % 4 {
		case 0:
			cos = cos.plus(term)
		case 1:
			sin = sin.plus(term)
		case 2:
			cos = cos.minus(term)
		case 3:
			sin = sin.minus(term)
		}
		term = term.times(x).over(exactly(float64(k + 1)))
	}
	return sin, cos
}

// Bounds of a distance hold for long chains with strong gears, whose links nobody knows
// exactly where to compute, and are as close as they say.
func TestDistancesOfGearedChains(t *testing.T) {
	widest, most := 0.0, 0.0
	for i := range rounds(watched(60)) {
		d := newDice(98, uint64(i))
		n := 1 + d.IntN(40)
		const length, radius = 0.5, 0.05
		gears := make([]float64, n)
		chain := make([]hinge, n)
		for k := range chain {
			gears[k] = d.Spread(1, geom.MaxAngle) * float64(1-2*d.IntN(2))
			chain[k] = hinge{parent: k, kind: urdf.Continuous, axis: ez, origin: at(length, 0, 0)}
			if k > 0 {
				chain[k].mimics, chain[k].mult = 1, gears[k]
			}
		}
		gears[0] = 1
		shapes := made(at(length, 0, 0), ball(radius))
		if d.IntN(2) == 0 {
			shapes = made(at(length, 0, 0), pointsShape(radius, ex, ex)) // both at length + 1
			shapes[0].PoseLS = at(length-1, 0, 0)
		}
		chain[n-1].parts = shapes
		q := d.In(-3, 3)

		x, y, angle := exactly(length), exactly(0), exactly(0)
		for k := range chain {
			angle = angle.plus(exactly(gears[k]).times(exactly(q)))
			sin, cos := sineCosine(angle)
			x, y = x.plus(cos.times(exactly(length))), y.plus(sin.times(exactly(length)))
		}
		far := d.Spread(1e-4, 30)
		center := at(x.float()+radius*2+far, y.float(), 0)
		dx, dy := exactly(center.P.X).minus(x), exactly(center.P.Y).minus(y)
		truth := dx.times(dx).plus(dy.times(dy)).root().minus(exactly(2 * radius))

		r := newRig(t, robotOf(nil, chain...), worldOf(object("ball", ball(radius), center)), 0, move([]float64{q, q}))
		for _, tol := range []float64{0, 1e-9, 1e-3} {
			out, err := r.w.Distances(context.Background(), []float64{q}, motion.DistanceQuery{NoSelf: true, Tolerance: tol})
			if err != nil {
				t.Fatal(err)
			}
			b := out.Pairs[0].Bounds
			if exactly(b.Lo).exceeds(truth) || truth.exceeds(exactly(b.Hi)) || out.World.Hi != b.Hi {
				t.Errorf("chain %d of %d joints: %g is not within %v", i, n, truth.float(), b)
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
