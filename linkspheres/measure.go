package linkspheres

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// Estimate is a mean of samples, with its standard error.
type Estimate struct{ Mean, Error float64 }

// Measure holds statistical estimates about balls around a body. None of them is proved.
type Measure struct {
	// Volume is the volume of the balls' union in cubic metres, Ratio that volume over the
	// body's; Ratio is 0 if the body has no inside.
	Volume, Ratio Estimate
	// Excess is the mean distance from the body of points on the union's surface, in
	// metres.
	Excess  Estimate
	Samples int
}

// Sample estimates volumes and the mean excess from n points in the balls and n on their
// spheres, or from fewer if ctx ends earlier. The same seed gives the same estimates.
//
// A point is drawn from ball i with a probability proportional to its volume, uniformly
// inside, and has the weight 1/k if k balls contain it: so the union is sampled uniformly. The
// body is inside the union, so that the share of the points in the body is the ratio of the
// volumes.
func (b *Body) Sample(ctx context.Context, balls []Ball, n int, seed uint64) Measure {
	var m Measure
	if len(balls) == 0 {
		return m
	}
	random := rand.New(rand.NewPCG(seed, 0x5eed))
	volumes, areas := weights(balls, 3), weights(balls, 2)
	var v, in, vv, vin, inin float64
	var a, e, aa, ae, ee float64
	for range n {
		if m.Samples&63 == 0 && ctx.Err() != nil {
			break
		}
		m.Samples++
		i := pick(volumes, random.Float64())
		p := along(balls[i].Center, balls[i].Radius*math.Cbrt(random.Float64()), direction(random))
		w := 1 / float64(max(holders(balls, p), 1))
		x := 0.0
		if b.Inside(p) {
			x = w
		}
		v, in, vv, vin, inin = v+w, in+x, vv+w*w, vin+w*x, inin+x*x
		i = pick(areas, random.Float64())
		p = along(balls[i].Center, balls[i].Radius, direction(random))
		if holdersBut(balls, p, i) > 0 {
			continue
		}
		_, d := b.Distance(p)
		d = math.Max(d, 0)
		a, e, aa, ae, ee = a+1, e+d, aa+1, ae+d, ee+d*d
	}
	count := float64(m.Samples)
	all := volumes[len(volumes)-1] * 4 * math.Pi / 3
	mean := v / count
	m.Volume = Estimate{all * mean, all * math.Sqrt(math.Max(vv/count-mean*mean, 0)/count)}
	if len(b.solids) > 0 && in > 0 {
		m.Ratio = ratio(v, in, vv, vin, inin)
	}
	if a > 0 {
		m.Excess = ratio(e, a, ee, ae, aa)
	}
	return m
}

// ratio estimates the ratio of two means from sums over the same samples, with its
// standard error to first order.
func ratio(x, y, xx, xy, yy float64) Estimate {
	r := x / y
	return Estimate{r, math.Sqrt(math.Max(xx-2*r*xy+r*r*yy, 0)) / y}
}

// weights returns the running sums of the radii's powers.
func weights(balls []Ball, power float64) []float64 {
	out := make([]float64, len(balls))
	sum := 0.0
	for i := range balls {
		sum += math.Pow(balls[i].Radius, power)
		out[i] = sum
	}
	return out
}

func pick(sums []float64, x float64) int {
	x *= sums[len(sums)-1]
	for i, s := range sums {
		if x < s {
			return i
		}
	}
	return len(sums) - 1
}

// direction is uniformly distributed over the sphere.
func direction(r *rand.Rand) geom.Vec {
	z := 2*r.Float64() - 1
	s, c := math.Sincos(2 * math.Pi * r.Float64())
	w := math.Sqrt(1 - z*z)
	return geom.Vec{X: w * c, Y: w * s, Z: z}
}

func holders(balls []Ball, p geom.Vec) int { return holdersBut(balls, p, -1) }

func holdersBut(balls []Ball, p geom.Vec, but int) (n int) {
	for i := range balls {
		if i != but && square(p, balls[i].Center) <= balls[i].Radius*balls[i].Radius {
			n++
		}
	}
	return n
}
