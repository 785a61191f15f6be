package distance

import (
	"gonum.org/v1/gonum/spatial/r3"

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

// toOuter and toLocal are geom.Rot's Apply and ApplyInv, apply is geom.Pose's
// Apply, without the copies that value receivers cost in the hot loop.
func toOuter(r *geom.Rot, v geom.Vec) geom.Vec {
	return geom.Vec{
		X: r.XX*v.X + r.XY*v.Y + r.XZ*v.Z,
		Y: r.YX*v.X + r.YY*v.Y + r.YZ*v.Z,
		Z: r.ZX*v.X + r.ZY*v.Y + r.ZZ*v.Z,
	}
}

func toLocal(r *geom.Rot, v geom.Vec) geom.Vec {
	return geom.Vec{
		X: r.XX*v.X + r.YX*v.Y + r.ZX*v.Z,
		Y: r.XY*v.X + r.YY*v.Y + r.ZY*v.Z,
		Z: r.XZ*v.X + r.YZ*v.Y + r.ZZ*v.Z,
	}
}

func apply(p *geom.Pose, v geom.Vec) geom.Vec {
	x := toOuter(&p.R, v)
	return geom.Vec{X: x.X + p.P.X, Y: x.Y + p.P.Y, Z: x.Z + p.P.Z}
}

// inverseTimes returns the pose of b in a.
func inverseTimes(a, b *geom.Pose) geom.Pose {
	x := toLocal(&a.R, geom.Vec{X: b.R.XX, Y: b.R.YX, Z: b.R.ZX})
	y := toLocal(&a.R, geom.Vec{X: b.R.XY, Y: b.R.YY, Z: b.R.ZY})
	z := toLocal(&a.R, geom.Vec{X: b.R.XZ, Y: b.R.YZ, Z: b.R.ZZ})
	return geom.Pose{
		R: geom.Rot{XX: x.X, XY: y.X, XZ: z.X, YX: x.Y, YY: y.Y, YZ: z.Y, ZX: x.Z, ZY: y.Z, ZZ: z.Z},
		P: toLocal(&a.R, r3.Sub(b.P, a.P)),
	}
}

// u is the largest relative error of a float64 operation.
const u = 0x1p-53

func abs(x float64) float64 {
	if x < 0 {
		return -x
	}
	return x
}
