package geom

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Vec is a point or a direction; the name that holds it says the frame.
type Vec = r3.Vec

// Rot is a rotation matrix, named row by column: Apply(e_x) is (XX, YX, ZX).
// The zero value is not a rotation; start from Identity.
type Rot struct {
	XX, XY, XZ float64
	YX, YY, YZ float64
	ZX, ZY, ZZ float64
}

// Identity returns the rotation that leaves every vector alone.
func Identity() Rot { return Rot{XX: 1, YY: 1, ZZ: 1} }

// Apply rotates v.
func (r Rot) Apply(v Vec) Vec { return r.Turn(v) }

// ApplyInv rotates v by the inverse (the transpose) of r.
func (r Rot) ApplyInv(v Vec) Vec { return r.TurnBack(v) }

// Turn is Apply, and TurnBack ApplyInv, for loops: they leave the rotation where it is. Copying it takes as long as
// turning by it.
func (r *Rot) Turn(v Vec) Vec {
	return Vec{
		X: r.XX*v.X + r.XY*v.Y + r.XZ*v.Z,
		Y: r.YX*v.X + r.YY*v.Y + r.YZ*v.Z,
		Z: r.ZX*v.X + r.ZY*v.Y + r.ZZ*v.Z,
	}
}

// TurnBack rotates v by the inverse of r.
func (r *Rot) TurnBack(v Vec) Vec {
	return Vec{
		X: r.XX*v.X + r.YX*v.Y + r.ZX*v.Z,
		Y: r.XY*v.X + r.YY*v.Y + r.ZY*v.Z,
		Z: r.XZ*v.X + r.YZ*v.Y + r.ZZ*v.Z,
	}
}

// Mul returns the rotation that applies s first and r second.
func (r Rot) Mul(s Rot) Rot {
	return Rot{
		XX: r.XX*s.XX + r.XY*s.YX + r.XZ*s.ZX,
		XY: r.XX*s.XY + r.XY*s.YY + r.XZ*s.ZY,
		XZ: r.XX*s.XZ + r.XY*s.YZ + r.XZ*s.ZZ,
		YX: r.YX*s.XX + r.YY*s.YX + r.YZ*s.ZX,
		YY: r.YX*s.XY + r.YY*s.YY + r.YZ*s.ZY,
		YZ: r.YX*s.XZ + r.YY*s.YZ + r.YZ*s.ZZ,
		ZX: r.ZX*s.XX + r.ZY*s.YX + r.ZZ*s.ZX,
		ZY: r.ZX*s.XY + r.ZY*s.YY + r.ZZ*s.ZY,
		ZZ: r.ZX*s.XZ + r.ZY*s.YZ + r.ZZ*s.ZZ,
	}
}

// Inv returns the inverse rotation.
func (r Rot) Inv() Rot {
	return Rot{r.XX, r.YX, r.ZX, r.XY, r.YY, r.ZY, r.XZ, r.YZ, r.ZZ}
}

// AxisAngle returns the rotation by angle about the unit vector axis
// (right-hand rule). The caller guarantees |axis| = 1 to rounding.
func AxisAngle(axis Vec, angle float64) Rot {
	s, c := math.Sincos(angle)
	return AxisSinCos(axis, s, c)
}

// AxisSinCos is AxisAngle for an angle given by its sine and cosine.
func AxisSinCos(u Vec, s, c float64) Rot {
	k := 1 - c
	return Rot{
		XX: c + k*u.X*u.X, XY: k*u.X*u.Y - s*u.Z, XZ: k*u.X*u.Z + s*u.Y,
		YX: k*u.Y*u.X + s*u.Z, YY: c + k*u.Y*u.Y, YZ: k*u.Y*u.Z - s*u.X,
		ZX: k*u.Z*u.X - s*u.Y, ZY: k*u.Z*u.Y + s*u.X, ZZ: c + k*u.Z*u.Z,
	}
}

// RPY returns the rotation of URDF's rpy attribute: roll about x, then pitch
// about y, then yaw about z, all about the fixed axes.
func RPY(roll, pitch, yaw float64) Rot {
	return AxisAngle(Vec{Z: 1}, yaw).Mul(AxisAngle(Vec{Y: 1}, pitch)).Mul(AxisAngle(Vec{X: 1}, roll))
}

// Quat returns the rotation of the quaternion (x, y, z, w), which is
// normalised first. It fails on a quaternion that is zero or not finite.
func Quat(x, y, z, w float64) (Rot, error) {
	n := math.Sqrt(x*x + y*y + z*z + w*w)
	if !(n > 1e-9) || math.IsInf(n, 0) {
		return Rot{}, fmt.Errorf("quaternion (%g, %g, %g, %g) has no direction: give x, y, z, w of length 1", x, y, z, w)
	}
	x, y, z, w = x/n, y/n, z/n, w/n
	return Rot{
		XX: 1 - 2*(y*y+z*z), XY: 2 * (x*y - w*z), XZ: 2 * (x*z + w*y),
		YX: 2 * (x*y + w*z), YY: 1 - 2*(x*x+z*z), YZ: 2 * (y*z - w*x),
		ZX: 2 * (x*z - w*y), ZY: 2 * (y*z + w*x), ZZ: 1 - 2*(x*x+y*y),
	}, nil
}
