package premises

import (
	"math"
	"math/rand/v2"
)

type vec [3]float64

// dice draws what the campaign needs.
type dice struct{ *rand.Rand }

func newDice(seed, number uint64) dice { return dice{rand.New(rand.NewPCG(seed, number))} }

// grid rounds to a number that single precision holds: assimp keeps vertices so.
func grid(x float64) float64 { return math.Round(x*1024) / 1024 }

func (v vec) grid() vec { return vec{grid(v[0]), grid(v[1]), grid(v[2])} }

func (v vec) plus(w vec) vec { return vec{v[0] + w[0], v[1] + w[1], v[2] + w[2]} }

func (v vec) times(s float64) vec { return vec{s * v[0], s * v[1], s * v[2]} }

func (d dice) between(lo, hi float64) float64 { return lo + (hi-lo)*d.Float64() }

func (d dice) chance(p float64) bool { return d.Float64() < p }

func (d dice) in(size float64) vec {
	return vec{d.between(-size, size), d.between(-size, size), d.between(-size, size)}
}

func (d dice) unit() vec {
	for {
		v := vec{d.NormFloat64(), d.NormFloat64(), d.NormFloat64()}
		if n := math.Sqrt(v[0]*v[0] + v[1]*v[1] + v[2]*v[2]); n > 0.1 {
			return v.times(1 / n)
		}
	}
}

func pick[T any](d dice, of ...T) T { return of[d.IntN(len(of))] }
