package kin

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// A moving root: a point with constant velocity and a rotation about a fixed axis through it,
// which are the four last variables of the tree.

// MovesRoot reports whether the motion moves the root link.
func (b *Course) MovesRoot() bool { return len(b.Motion.Root) > 0 }

// Root returns the tree's other data about a moving root on a piece (for State.Root); for a
// fixed root that of StillRoot.
func (b *Course) Root(piece int) Root {
	if !b.MovesRoot() {
		return StillRoot()
	}
	r := rootOf(&b.Motion.Root[piece])
	r.Jump = b.jumps
	return r
}

// StillRoot is the Root of a fixed root link.
func StillRoot() Root { return Root{Axis: geom.Vec{Z: 1}, Pose: geom.IdentityPose()} }

// rootCtrl returns the control points of a root variable on a piece.
func (b *Course) rootCtrl(d, piece int) (from, to float64) {
	p, r := &b.Motion.Pieces[piece], &b.Motion.Root[piece]
	span := p.End - p.Start
	switch d - (len(b.rows) - RootDofs) {
	case 0:
		return r.Point.X, r.Point.X + span*r.Velocity.X
	case 1:
		return r.Point.Y, r.Point.Y + span*r.Velocity.Y
	case 2:
		return r.Point.Z, r.Point.Z + span*r.Velocity.Z
	}
	return 0, span * r3.Norm(r.Turn)
}

// rootRests reports whether a root variable is constant on a piece.
func (b *Course) rootRests(d, piece int) bool {
	r := &b.Motion.Root[piece]
	switch d - (len(b.rows) - RootDofs) {
	case 0:
		return r.Velocity.X == 0
	case 1:
		return r.Velocity.Y == 0
	case 2:
		return r.Velocity.Z == 0
	}
	return r.Turn == geom.Vec{}
}

// rootRange returns the minimum and the maximum of a root variable.
func (b *Course) rootRange(d int) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for i := range b.Motion.Root {
		from, to := b.rootCtrl(d, i)
		lo, hi = min(lo, min(from, to)), max(hi, max(from, to))
	}
	return lo, hi
}

// rootOffset bounds the distance of the root link's origin from the point it rotates about.
func (b *Course) rootOffset() float64 {
	far := 0.0
	for i := range b.Motion.Root {
		far = max(far, r3.Norm(r3.Sub(b.Motion.Root[i].Start.P, b.Motion.Root[i].Point)))
	}
	return far * (1 + 8*u)
}

func rootOf(r *motion.RootPiece) Root {
	axis, ok := geom.Unit(r.Turn)
	if !ok {
		axis = geom.Vec{Z: 1}
	}
	return Root{Axis: axis, Pose: geom.Pose{R: upright(r.Start.R), P: r3.Sub(r.Start.P, r.Point)}}
}

// upright orthonormalizes a nearly orthogonal matrix to rounding, as the error bounds of this
// package assume: by Gram-Schmidt on its columns.
func upright(r geom.Rot) geom.Rot {
	x, _ := geom.Unit(geom.Vec{X: r.XX, Y: r.YX, Z: r.ZX})
	y := geom.Vec{X: r.XY, Y: r.YY, Z: r.ZY}
	y, _ = geom.Unit(r3.Sub(y, r3.Scale(r3.Dot(x, y), x)))
	z := r3.Cross(x, y)
	return geom.Rot{XX: x.X, XY: y.X, XZ: z.X, YX: x.Y, YY: y.Y, YZ: z.Y, ZX: x.Z, ZY: y.Z, ZZ: z.Z}
}
