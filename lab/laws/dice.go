package laws

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/testkit/chance"
)

// dice draws what is tried.
type dice struct{ chance.Dice }

func roll(seed, stream uint64) dice { return dice{chance.New(seed, stream)} }

// one reports true once in n times.
func (d dice) one(n int) bool { return d.IntN(n) == 0 }

func (d dice) axis() geom.Vec {
	return [...]geom.Vec{{X: 1}, {Y: 1}, {Z: 1}, {Z: -1}, d.Unit()}[d.IntN(5)]
}

func (d dice) pose(reach float64) pose {
	return pose{
		xyz: geom.Vec{X: d.In(-reach, reach), Y: d.In(-reach, reach), Z: d.In(-reach, reach)},
		rpy: geom.Vec{X: d.In(-3, 3), Y: d.In(-1.5, 1.5), Z: d.In(-3, 3)},
	}
}

// grid rounds to a multiple of 2^-10: such numbers, their sums and their halves
// survive single-precision files.
func grid(x float64) float64 { return math.Round(x*1024) / 1024 }

// gridded draws a length that is a positive multiple of 2^-9.
func (d dice) gridded(lo, hi float64) float64 { return 2 * math.Max(grid(d.In(lo, hi)/2), 1.0/1024) }
