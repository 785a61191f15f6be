package laws

import (
	"math"
	"math/rand/v2"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// dice draws what is tried.
type dice struct{ *rand.Rand }

func roll(seed, stream uint64) dice { return dice{rand.New(rand.NewPCG(seed, stream))} }

func (d dice) in(lo, hi float64) float64 { return lo + (hi-lo)*d.Float64() }

// one reports true once in n times.
func (d dice) one(n int) bool { return d.IntN(n) == 0 }

func (d dice) unit() geom.Vec {
	for {
		if v, ok := geom.Unit(geom.Vec{X: d.NormFloat64(), Y: d.NormFloat64(), Z: d.NormFloat64()}); ok {
			return v
		}
	}
}

func (d dice) axis() geom.Vec {
	return [...]geom.Vec{{X: 1}, {Y: 1}, {Z: 1}, {Z: -1}, d.unit()}[d.IntN(5)]
}

func (d dice) pose(reach float64) pose {
	return pose{
		xyz: geom.Vec{X: d.in(-reach, reach), Y: d.in(-reach, reach), Z: d.in(-reach, reach)},
		rpy: geom.Vec{X: d.in(-3, 3), Y: d.in(-1.5, 1.5), Z: d.in(-3, 3)},
	}
}

// grid rounds to a multiple of 2^-10: such numbers, their sums and their halves
// survive single-precision files.
func grid(x float64) float64 { return math.Round(x*1024) / 1024 }

// gridded draws a length that is a positive multiple of 2^-9.
func (d dice) gridded(lo, hi float64) float64 { return 2 * math.Max(grid(d.in(lo, hi)/2), 1.0/1024) }
