// Package chance draws random numbers, vectors and poses for tests. Equal seeds give
// equal draws.
//
// The judges of the lab (lab/static, lab/premises) and the verifier's tests
// (certificate/verify) draw their own on purpose: an error here must not hide one there.
package chance

import (
	"math"
	"math/rand/v2"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// Dice is a source of random values.
type Dice struct{ *rand.Rand }

// New returns the dice of a seed and a stream.
func New(seed, stream uint64) Dice { return Dice{rand.New(rand.NewPCG(seed, stream))} }

// In returns a number from lo to hi.
func (d Dice) In(lo, hi float64) float64 { return lo + (hi-lo)*d.Float64() }

// Spread returns a number from lo to hi, both positive, whose logarithm is evenly
// distributed.
func (d Dice) Spread(lo, hi float64) float64 {
	return math.Exp(d.In(math.Log(lo), math.Log(hi)))
}

// Vec returns a point of the cube from -size to size.
func (d Dice) Vec(size float64) geom.Vec {
	return geom.Vec{X: d.In(-size, size), Y: d.In(-size, size), Z: d.In(-size, size)}
}

// Unit returns a direction.
func (d Dice) Unit() geom.Vec {
	for {
		if v, ok := geom.Unit(geom.Vec{X: d.NormFloat64(), Y: d.NormFloat64(), Z: d.NormFloat64()}); ok {
			return v
		}
	}
}

// Axis returns the axis of a joint: one of the three coordinate axes or any direction.
func (d Dice) Axis() geom.Vec {
	return [...]geom.Vec{{X: 1}, {Y: 1}, {Z: 1}, d.Unit()}[d.IntN(4)]
}

// Pose returns a pose with any rotation whose origin is in the cube from -size to size.
func (d Dice) Pose(size float64) geom.Pose {
	return geom.Pose{R: geom.AxisAngle(d.Unit(), d.In(-3, 3)), P: d.Vec(size)}
}
