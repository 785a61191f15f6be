package mesh

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// affine is the map v -> x v.X + y v.Y + z v.Z + p of a node of COLLADA or glTF.
type affine struct{ x, y, z, p geom.Vec }

func scaling(x, y, z float64) affine {
	return affine{x: geom.Vec{X: x}, y: geom.Vec{Y: y}, z: geom.Vec{Z: z}}
}

func (a affine) linear(v geom.Vec) geom.Vec {
	return r3.Add(r3.Add(r3.Scale(v.X, a.x), r3.Scale(v.Y, a.y)), r3.Scale(v.Z, a.z))
}

func (a affine) apply(v geom.Vec) geom.Vec { return r3.Add(a.linear(v), a.p) }

// mul returns the map that applies b first and a second.
func (a affine) mul(b affine) affine {
	return affine{x: a.linear(b.x), y: a.linear(b.y), z: a.linear(b.z), p: a.apply(b.p)}
}

// mirrors reports whether a reverses orientation.
func (a affine) mirrors() bool { return r3.Dot(a.x, r3.Cross(a.y, a.z)) < 0 }

// fromMatrix converts the 16 numbers of a COLLADA matrix, row by row.
func fromMatrix(m []float64) (affine, error) {
	if m[12] != 0 || m[13] != 0 || m[14] != 0 || m[15] != 1 {
		return affine{}, fmt.Errorf("last row %g %g %g %g of a node's matrix must be 0 0 0 1", m[12], m[13], m[14], m[15])
	}
	return affine{
		x: geom.Vec{X: m[0], Y: m[4], Z: m[8]},
		y: geom.Vec{X: m[1], Y: m[5], Z: m[9]},
		z: geom.Vec{X: m[2], Y: m[6], Z: m[10]},
		p: geom.Vec{X: m[3], Y: m[7], Z: m[11]},
	}, nil
}

// turning returns the rotation by degrees about axis, which need not have length 1. Quarter
// turns are exact.
func turning(axis geom.Vec, degrees float64) (affine, error) {
	if degrees == 0 {
		return scaling(1, 1, 1), nil
	}
	u, ok := geom.Unit(axis)
	if !ok {
		return affine{}, fmt.Errorf("a node rotates by %g degrees about the axis (%g, %g, %g), which has no direction", degrees, axis.X, axis.Y, axis.Z)
	}
	s, c := sincosDegrees(degrees)
	r := geom.AxisSinCos(u, s, c)
	return affine{
		x: geom.Vec{X: r.XX, Y: r.YX, Z: r.ZX},
		y: geom.Vec{X: r.XY, Y: r.YY, Z: r.ZY},
		z: geom.Vec{X: r.XZ, Y: r.YZ, Z: r.ZZ},
	}, nil
}

func sincosDegrees(d float64) (sin, cos float64) {
	switch d = math.Mod(d, 360); d {
	case 90, -270:
		return 1, 0
	case 180, -180:
		return 0, -1
	case 270, -90:
		return -1, 0
	}
	return math.Sincos(d * math.Pi / 180)
}
