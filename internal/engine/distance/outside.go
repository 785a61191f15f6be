package distance

import (
	"github.com/firstcontact-ros/firstcontact/geom"
)

// squareToBox returns the squared distance of a point to a box.
func squareToBox(b *geom.Box, x geom.Vec) float64 {
	dx := outside(x.X, b.Min.X, b.Max.X)
	dy := outside(x.Y, b.Min.Y, b.Max.Y)
	dz := outside(x.Z, b.Min.Z, b.Max.Z)
	return dx*dx + dy*dy + dz*dz
}

// outside tells how far x is from [lo, hi].
func outside(x, lo, hi float64) float64 {
	if x < lo {
		return lo - x
	}
	if x > hi {
		return x - hi
	}
	return 0
}

// u is the largest relative error of a float64 operation.
const u = 0x1p-53

func abs(x float64) float64 {
	if x < 0 {
		return -x
	}
	return x
}
