package interval

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// Vec is a box of vectors.
type Vec struct{ X, Y, Z I }

// OfVec is the box of one vector.
func OfVec(v geom.Vec) Vec { return Vec{Point(v.X), Point(v.Y), Point(v.Z)} }

// OfBox is a box of points.
func OfBox(b geom.Box) Vec {
	return Vec{I{b.Min.X, b.Max.X}, I{b.Min.Y, b.Max.Y}, I{b.Min.Z, b.Max.Z}}
}

// Box returns v as a box of points.
func (v Vec) Box() geom.Box {
	return geom.Box{Min: geom.Vec{X: v.X.Lo, Y: v.Y.Lo, Z: v.Z.Lo}, Max: geom.Vec{X: v.X.Hi, Y: v.Y.Hi, Z: v.Z.Hi}}
}

// Add returns v + w.
func (v Vec) Add(w Vec) Vec { return Vec{v.X.Add(w.X), v.Y.Add(w.Y), v.Z.Add(w.Z)} }

// Sub returns v - w.
func (v Vec) Sub(w Vec) Vec { return Vec{v.X.Sub(w.X), v.Y.Sub(w.Y), v.Z.Sub(w.Z)} }

// Scale returns k v.
func (v Vec) Scale(k I) Vec { return Vec{v.X.Mul(k), v.Y.Mul(k), v.Z.Mul(k)} }

// Grow returns v with every side moved outward by r >= 0.
func (v Vec) Grow(r float64) Vec { return Vec{v.X.Grow(r), v.Y.Grow(r), v.Z.Grow(r)} }

// Dot returns v . w.
func (v Vec) Dot(w Vec) I { return v.X.Mul(w.X).Add(v.Y.Mul(w.Y)).Add(v.Z.Mul(w.Z)) }

// Cross returns v x w.
func (v Vec) Cross(w Vec) Vec {
	return Vec{
		v.Y.Mul(w.Z).Sub(v.Z.Mul(w.Y)),
		v.Z.Mul(w.X).Sub(v.X.Mul(w.Z)),
		v.X.Mul(w.Y).Sub(v.Y.Mul(w.X)),
	}
}

// Norm returns the lengths of v's vectors.
func (v Vec) Norm() I { return v.X.Sqr().Add(v.Y.Sqr()).Add(v.Z.Sqr()).Sqrt() }

// Hull returns the smallest box that contains v and w.
func (v Vec) Hull(w Vec) Vec { return Vec{v.X.Hull(w.X), v.Y.Hull(w.Y), v.Z.Hull(w.Z)} }

// Overlaps reports whether v and w share a point.
func (v Vec) Overlaps(w Vec) bool {
	return v.X.Lo <= w.X.Hi && w.X.Lo <= v.X.Hi && v.Y.Lo <= w.Y.Hi && w.Y.Lo <= v.Y.Hi && v.Z.Lo <= w.Z.Hi && w.Z.Lo <= v.Z.Hi
}

// Contains reports whether x is in v.
func (v Vec) Contains(x geom.Vec) bool {
	return v.X.Contains(x.X) && v.Y.Contains(x.Y) && v.Z.Contains(x.Z)
}

// Mid returns a vector in the middle of v.
func (v Vec) Mid() geom.Vec { return geom.Vec{X: v.X.Mid(), Y: v.Y.Mid(), Z: v.Z.Mid()} }

// Mat is a set of matrices, row by row.
type Mat [3]Vec

// OfRot is the set of one matrix.
func OfRot(r geom.Rot) Mat {
	return Mat{
		{Point(r.XX), Point(r.XY), Point(r.XZ)},
		{Point(r.YX), Point(r.YY), Point(r.YZ)},
		{Point(r.ZX), Point(r.ZY), Point(r.ZZ)},
	}
}

// Apply returns m v.
func (m *Mat) Apply(v Vec) Vec { return Vec{m[0].Dot(v), m[1].Dot(v), m[2].Dot(v)} }

// ApplyInv returns the transpose of m times v.
func (m *Mat) ApplyInv(v Vec) Vec {
	return m[0].Scale(v.X).Add(m[1].Scale(v.Y)).Add(m[2].Scale(v.Z))
}

// Mul returns m n.
func (m *Mat) Mul(n *Mat) (p Mat) {
	for i := range m {
		p[i] = n.ApplyInv(m[i])
	}
	return p
}

// Add returns m + n.
func (m *Mat) Add(n *Mat) Mat { return Mat{m[0].Add(n[0]), m[1].Add(n[1]), m[2].Add(n[2])} }

// Scale returns k m.
func (m *Mat) Scale(k I) Mat { return Mat{m[0].Scale(k), m[1].Scale(k), m[2].Scale(k)} }

// Pose is a set of poses: x goes to R x + P.
type Pose struct {
	R Mat
	P Vec
}

// OfPose is the set of one pose.
func OfPose(p geom.Pose) Pose { return Pose{OfRot(p.R), OfVec(p.P)} }

// PoseWithin is a pose whose image of a point x has an error of up to pos + rot |x|: rot
// bounds the error of the matrix as an operator, and so that of every entry.
func PoseWithin(p geom.Pose, rot, pos float64) Pose {
	q := OfPose(p)
	for i := range q.R {
		q.R[i] = q.R[i].Grow(rot)
	}
	q.P = q.P.Grow(pos)
	return q
}

// Apply returns where p places v.
func (p *Pose) Apply(v Vec) Vec { return p.R.Apply(v).Add(p.P) }

// Mul returns p q: q first, then p.
func (p *Pose) Mul(q *Pose) Pose { return Pose{p.R.Mul(&q.R), p.Apply(q.P)} }

// rotationSlack exceeds the rounding error of a rotation's entry.
const rotationSlack = 1e-12

// Rotation restricts the entries of a set of rotations to [-1, 1], plus or minus the rounding
// of the rotations themselves.
func (m Mat) Rotation() Mat {
	unit := I{-1 - rotationSlack, 1 + rotationSlack}
	cut := func(a I) I {
		if b, ok := a.Intersect(unit); ok {
			return b
		}
		return a
	}
	for i := range m {
		m[i] = Vec{cut(m[i].X), cut(m[i].Y), cut(m[i].Z)}
	}
	return m
}

// Turn returns the rotations by the angles about a unit axis: cos A + sin B + C after
// RKLM04, equations 3 and 4, with R the identity. The axis is of length 1 to within
// a few roundings, which the result's entries are widened by.
func Turn(axis geom.Vec, angle I) Mat {
	sin, cos := SinCos(angle)
	u := OfVec(axis)
	var m Mat
	for i, ui := range [3]I{u.X, u.Y, u.Z} {
		c := u.Scale(ui) // C = u u^T
		m[i] = Vec{c.X.Mul(Point(1).Sub(cos)), c.Y.Mul(Point(1).Sub(cos)), c.Z.Mul(Point(1).Sub(cos))}
	}
	m[0].X, m[1].Y, m[2].Z = m[0].X.Add(cos), m[1].Y.Add(cos), m[2].Z.Add(cos)
	s := u.Scale(sin) // B = u*
	m[0].Y, m[0].Z = m[0].Y.Sub(s.Z), m[0].Z.Add(s.Y)
	m[1].X, m[1].Z = m[1].X.Add(s.Z), m[1].Z.Sub(s.X)
	m[2].X, m[2].Y = m[2].X.Sub(s.Y), m[2].Y.Add(s.X)
	for i := range m {
		m[i] = m[i].Grow(axisSlack)
	}
	return m.Rotation()
}

// axisSlack bounds the error of an entry if the axis' length is 1 to within 4 u: the error of
// its products is then some 10 u, with u = 2^-53.
const axisSlack = 16 * 0x1p-53

// Finite reports whether v has no infinite end.
func (v Vec) Finite() bool {
	for _, a := range [3]I{v.X, v.Y, v.Z} {
		if math.IsInf(a.Lo, 0) || math.IsInf(a.Hi, 0) {
			return false
		}
	}
	return true
}
