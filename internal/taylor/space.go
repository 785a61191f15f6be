package taylor

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/interval"
)

// Vec is a vector that moves: a Taylor vector.
type Vec struct{ X, Y, Z Model }

// Mat is a matrix that changes, row by row: a Taylor matrix.
type Mat [3]Vec

// Pose is a frame that moves: x goes to R x + P. It stands for the upper three rows of
// ZRLK07's homogeneous Taylor matrices (Equations 1 and 2).
type Pose struct {
	R Mat
	P Vec
}

// Identity is the pose that moves nothing.
func Identity() Pose {
	var p Pose
	p.R[0].X, p.R[1].Y, p.R[2].Z = Const(1), Const(1), Const(1)
	return p
}

// ConstVec is the vector that stands still.
func ConstVec(v geom.Vec) Vec { return Vec{Const(v.X), Const(v.Y), Const(v.Z)} }

// Add returns v + w.
func (v *Vec) Add(w *Vec) Vec { return Vec{v.X.Add(&w.X), v.Y.Add(&w.Y), v.Z.Add(&w.Z)} }

// Sub returns v - w.
func (v *Vec) Sub(w *Vec) Vec { return Vec{v.X.Sub(&w.X), v.Y.Sub(&w.Y), v.Z.Sub(&w.Z)} }

// Mul returns k v.
func (v *Vec) Mul(k *Model) Vec { return Vec{v.X.Mul(k), v.Y.Mul(k), v.Z.Mul(k)} }

// Cross returns v x w.
func (v *Vec) Cross(w *Vec) Vec {
	minus := func(a, b, c, d *Model) Model {
		p, q := a.Mul(b), c.Mul(d)
		return p.Sub(&q)
	}
	return Vec{
		minus(&v.Y, &w.Z, &v.Z, &w.Y),
		minus(&v.Z, &w.X, &v.X, &w.Z),
		minus(&v.X, &w.Y, &v.Y, &w.X),
	}
}

// CrossFrom returns n x v for a constant n.
func (v *Vec) CrossFrom(n geom.Vec) Vec {
	zero := Model{}
	return Vec{
		lin(&v.Z, &v.Y, &zero, n.Y, -n.Z, 0, 0),
		lin(&v.X, &v.Z, &zero, n.Z, -n.X, 0, 0),
		lin(&v.Y, &v.X, &zero, n.X, -n.Y, 0, 0),
	}
}

// Dot returns v . n for a constant n.
func (v *Vec) Dot(n geom.Vec) Model { return lin(&v.X, &v.Y, &v.Z, n.X, n.Y, n.Z, 0) }

// Bound returns a box around everything that v passes.
func (v *Vec) Bound() interval.Vec {
	return interval.Vec{X: v.X.Bound(), Y: v.Y.Bound(), Z: v.Z.Bound()}
}

// row returns v' c for the column of a constant matrix whose entries may be off by off.
func (v *Vec) row(c geom.Vec, off float64) Model {
	return lin(&v.X, &v.Y, &v.Z, c.X, c.Y, c.Z, off)
}

// Mul returns m n.
func (m *Mat) Mul(n *Mat) Mat {
	var p Mat
	for i := range m {
		x, y, z := n[0].Mul(&m[i].X), n[1].Mul(&m[i].Y), n[2].Mul(&m[i].Z)
		x = x.Add(&y)
		p[i] = x.Add(&z)
	}
	return p
}

// Apply returns m v for a constant v.
func (m *Mat) Apply(v geom.Vec) Vec { return Vec{m[0].Dot(v), m[1].Dot(v), m[2].Dot(v)} }

// ApplyModel returns m v.
func (m *Mat) ApplyModel(v *Vec) Vec {
	dot := func(r *Vec) Model {
		x, y, z := r.X.Mul(&v.X), r.Y.Mul(&v.Y), r.Z.Mul(&v.Z)
		x = x.Add(&y)
		return x.Add(&z)
	}
	return Vec{dot(&m[0]), dot(&m[1]), dot(&m[2])}
}

// Apply returns where a point of the moving frame goes.
func (p *Pose) Apply(v geom.Vec) Vec {
	r := p.R.Apply(v)
	return r.Add(&p.P)
}

// Mul returns p q: q first, then p.
func (p *Pose) Mul(q *Pose) Pose {
	at := p.R.ApplyModel(&q.P)
	return Pose{R: p.R.Mul(&q.R), P: at.Add(&p.P)}
}

// Then hangs a frame on p that stands still in it: at poses it, and may place a point x
// by pos + rot |x| off.
func (p *Pose) Then(at geom.Pose, rot, pos float64) Pose {
	var q Pose
	// A matrix wrong by rot as an operator has no entry that is more off.
	x := geom.Vec{X: at.R.XX, Y: at.R.YX, Z: at.R.ZX}
	y := geom.Vec{X: at.R.XY, Y: at.R.YY, Z: at.R.ZY}
	z := geom.Vec{X: at.R.XZ, Y: at.R.YZ, Z: at.R.ZZ}
	for i := range p.R {
		r := &p.R[i]
		q.R[i] = Vec{r.row(x, rot), r.row(y, rot), r.row(z, rot)}
	}
	moved := Vec{p.R[0].row(at.P, pos), p.R[1].row(at.P, pos), p.R[2].row(at.P, pos)}
	q.P = moved.Add(&p.P)
	return q
}

// Slide moves the frame along an axis of its own by q.
func (p *Pose) Slide(axis geom.Vec, q *Model) {
	d := p.R.Apply(axis)
	d = d.Mul(q)
	p.P = d.Add(&p.P)
}

// Turn turns the frame about a unit axis of its own by q, right-handed. The axis is of
// length 1 to within 4 u.
//
// Row by row, with r a row of p.R: the part d = r.a along the axis stays, the rest w = r
// - d a turns: r' = d a + cos w + sin (r x a). Of an axis off length 1 by 4 u the parts
// err by 8 u of |r| each, that is 32 u of the row's size.
func (p *Pose) Turn(axis geom.Vec, q *Model) {
	sin, cos := SinCos(q)
	switch {
	case axis.X == 0 && axis.Y == 0:
		sin = sin.Scale(math.Copysign(1, axis.Z))
		for i := range p.R {
			mix(&p.R[i].X, &p.R[i].Y, &sin, &cos)
		}
	case axis.X == 0 && axis.Z == 0:
		sin = sin.Scale(math.Copysign(1, axis.Y))
		for i := range p.R {
			mix(&p.R[i].Z, &p.R[i].X, &sin, &cos)
		}
	case axis.Y == 0 && axis.Z == 0:
		sin = sin.Scale(math.Copysign(1, axis.X))
		for i := range p.R {
			mix(&p.R[i].Y, &p.R[i].Z, &sin, &cos)
		}
	default:
		for i := range p.R {
			p.R[i] = p.R[i].turn(axis, &sin, &cos)
		}
	}
	p.R.trim()
}

// mix replaces two entries of a row by a cos + b sin and b cos - a sin.
func mix(a, b, sin, cos *Model) {
	ac, bs, bc, as := a.Mul(cos), b.Mul(sin), b.Mul(cos), a.Mul(sin)
	*a, *b = ac.Add(&bs), bc.Sub(&as)
}

func (v *Vec) turn(a geom.Vec, sin, cos *Model) Vec {
	d := v.Dot(a)
	along := Vec{d.Scale(a.X), d.Scale(a.Y), d.Scale(a.Z)}
	rest := v.Sub(&along)
	zero := Model{}
	across := Vec{
		lin(&v.Y, &v.Z, &zero, a.Z, -a.Y, 0, 0),
		lin(&v.Z, &v.X, &zero, a.X, -a.Z, 0, 0),
		lin(&v.X, &v.Y, &zero, a.Y, -a.X, 0, 0),
	}
	err := 32 * u * (v.X.mag() + v.Y.mag() + v.Z.mag())
	rest, across = rest.Mul(cos), across.Mul(sin)
	along = along.Add(&rest)
	along = along.Add(&across)
	along.X.grow(err)
	along.Y.grow(err)
	along.Z.grow(err)
	return along
}

// unit is above the size of an entry of a rotation whose numbers were rounded.
const unit = 1 + 1e-9

// trim replaces entries of a rotation of which nothing is known any more: what a long
// chain of large turns makes of them is never wider than [-1, 1].
func (m *Mat) trim() {
	for i := range m {
		for _, e := range [3]*Model{&m[i].X, &m[i].Y, &m[i].Z} {
			if !(e.R.Hi-e.R.Lo < 2*unit) {
				*e = Of(interval.I{Lo: -unit, Hi: unit})
			}
		}
	}
}
