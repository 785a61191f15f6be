package geom

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Pose is a rigid motion x -> R x + P: the pose poseAB of frame B in frame A
// takes coordinates in B to coordinates in A.
type Pose struct {
	R Rot
	P Vec
}

// IdentityPose returns the pose that moves nothing.
func IdentityPose() Pose { return Pose{R: Identity()} }

// Translation returns the pose that shifts by p.
func Translation(p Vec) Pose { return Pose{R: Identity(), P: p} }

// Rigid returns an error unless R is a rotation, to within 1e-9, and P is finite: the zero Pose
// is not. 1e-9 exceeds the error of rotations computed in float64 by far.
func (a Pose) Rigid() error {
	x, y, z := a.R.Apply(Vec{X: 1}), a.R.Apply(Vec{Y: 1}), a.R.Apply(Vec{Z: 1})
	off := max(
		math.Abs(r3.Dot(x, x)-1), math.Abs(r3.Dot(y, y)-1), math.Abs(r3.Dot(z, z)-1),
		math.Abs(r3.Dot(x, y)), math.Abs(r3.Dot(y, z)), math.Abs(r3.Dot(r3.Cross(x, y), z)-1),
	)
	if !(off <= 1e-9) || !Finite(a.P) {
		return fmt.Errorf("its pose %v is not a rotation and a position: start from geom.IdentityPose", a)
	}
	return nil
}

// Apply takes the point v from the inner to the outer frame.
func (a Pose) Apply(v Vec) Vec { return a.Move(v) }

// ApplyInv takes the point v from the outer to the inner frame.
func (a Pose) ApplyInv(v Vec) Vec { return a.MoveBack(v) }

// Move is Apply, and MoveBack ApplyInv, for loops: they leave the pose where it is.
func (a *Pose) Move(v Vec) Vec { return r3.Add(a.R.Turn(v), a.P) }

// MoveBack takes the point v from the outer to the inner frame.
func (a *Pose) MoveBack(v Vec) Vec { return a.R.TurnBack(r3.Sub(v, a.P)) }

// Mul composes poses: poseAB.Mul(poseBC) is poseAC.
func (a Pose) Mul(b Pose) Pose { return Pose{R: a.R.Mul(b.R), P: a.Apply(b.P)} }

// Inv returns the inverse pose.
func (a Pose) Inv() Pose {
	r := a.R.Inv()
	return Pose{R: r, P: r3.Scale(-1, r.Apply(a.P))}
}

// Finite reports whether every coordinate of v is a finite number.
func Finite(v Vec) bool {
	// x-x is 0 for finite x and NaN for an infinity or a NaN.
	return (v.X-v.X)+(v.Y-v.Y)+(v.Z-v.Z) == 0
}

// Unit returns v scaled to length 1, to within 4 units in the last place, and
// reports whether v had a direction: one that is not finite, or shorter than
// 2^-1000, has none.
func Unit(v Vec) (Vec, bool) {
	if s := v.X*v.X + v.Y*v.Y + v.Z*v.Z; s > 0x1p-600 && s < 0x1p600 {
		return r3.Scale(1/math.Sqrt(s), v), true
	}
	m := math.Max(math.Abs(v.X), math.Max(math.Abs(v.Y), math.Abs(v.Z)))
	if !(m >= 0x1p-1000) || math.IsInf(m, 0) {
		return Vec{}, false
	}
	v = r3.Scale(1/m, v) // keeps the squares below from under- and overflowing
	return r3.Scale(1/Norm(v), v), true
}

// Norm returns the length of v with a relative error of at most 3 units in the
// last place, for components between 1e-150 and 1e150 in size. Unlike r3.Norm it
// does not guard against overflow, which takes four times as long.
func Norm(v Vec) float64 { return math.Sqrt(v.X*v.X + v.Y*v.Y + v.Z*v.Z) }

// Compose sets p to a.Mul(b): the same numbers without moving poses about, which
// takes a third of the time. p may be neither a nor b.
func (p *Pose) Compose(a, b *Pose) {
	s := &b.R
	xx, xy, xz := a.R.XX, a.R.XY, a.R.XZ
	p.R.XX = xx*s.XX + xy*s.YX + xz*s.ZX
	p.R.XY = xx*s.XY + xy*s.YY + xz*s.ZY
	p.R.XZ = xx*s.XZ + xy*s.YZ + xz*s.ZZ
	p.P.X = xx*b.P.X + xy*b.P.Y + xz*b.P.Z + a.P.X
	yx, yy, yz := a.R.YX, a.R.YY, a.R.YZ
	p.R.YX = yx*s.XX + yy*s.YX + yz*s.ZX
	p.R.YY = yx*s.XY + yy*s.YY + yz*s.ZY
	p.R.YZ = yx*s.XZ + yy*s.YZ + yz*s.ZZ
	p.P.Y = yx*b.P.X + yy*b.P.Y + yz*b.P.Z + a.P.Y
	zx, zy, zz := a.R.ZX, a.R.ZY, a.R.ZZ
	p.R.ZX = zx*s.XX + zy*s.YX + zz*s.ZX
	p.R.ZY = zx*s.XY + zy*s.YY + zz*s.ZY
	p.R.ZZ = zx*s.XZ + zy*s.YZ + zz*s.ZZ
	p.P.Z = zx*b.P.X + zy*b.P.Y + zz*b.P.Z + a.P.Z
}

// Relate sets p to the pose of b in a, a.Inv().Mul(b), without moving poses about. p may be neither a nor b.
func (p *Pose) Relate(a, b *Pose) {
	x := a.R.TurnBack(Vec{X: b.R.XX, Y: b.R.YX, Z: b.R.ZX})
	y := a.R.TurnBack(Vec{X: b.R.XY, Y: b.R.YY, Z: b.R.ZY})
	z := a.R.TurnBack(Vec{X: b.R.XZ, Y: b.R.YZ, Z: b.R.ZZ})
	p.R = Rot{XX: x.X, XY: y.X, XZ: z.X, YX: x.Y, YY: y.Y, YZ: z.Y, ZX: x.Z, ZY: y.Z, ZZ: z.Z}
	p.P = a.MoveBack(b.P)
}
