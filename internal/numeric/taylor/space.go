package taylor

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/numeric/interval"
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

// Add returns v + w.
func (v *Vec) Add(w *Vec) Vec { return Vec{v.X.Add(&w.X), v.Y.Add(&w.Y), v.Z.Add(&w.Z)} }

// Sub returns v - w.
func (v *Vec) Sub(w *Vec) Vec { return Vec{v.X.Sub(&w.X), v.Y.Sub(&w.Y), v.Z.Sub(&w.Z)} }

// Mul returns k v.
func (v *Vec) Mul(k *Model) Vec { return Vec{v.X.Mul(k), v.Y.Mul(k), v.Z.Mul(k)} }

// Cross returns v x w.
func (v *Vec) Cross(w *Vec) Vec {
	x, y, z := v.X.Neg(), v.Y.Neg(), v.Z.Neg()
	return Vec{dot2(&v.Y, &w.Z, &z, &w.Y), dot2(&v.Z, &w.X, &x, &w.Z), dot2(&v.X, &w.Y, &y, &w.X)}
}

// CrossFrom returns n x v for a constant n.
func (v *Vec) CrossFrom(n geom.Vec) Vec {
	zero := Model{}
	return Vec{
		lin(&v.Z, &v.Y, &zero, n.Y, -n.Z, 0),
		lin(&v.X, &v.Z, &zero, n.Z, -n.X, 0),
		lin(&v.Y, &v.X, &zero, n.X, -n.Y, 0),
	}
}

// DotModel returns v . w.
func (v *Vec) DotModel(w *Vec) Model { return dot3(&v.X, &w.X, &v.Y, &w.Y, &v.Z, &w.Z) }

// Dot returns v . n for a constant n.
func (v *Vec) Dot(n geom.Vec) Model { return lin(&v.X, &v.Y, &v.Z, n.X, n.Y, n.Z) }

// Bound returns a box around everything that v passes.
func (v *Vec) Bound() interval.Vec {
	return interval.Vec{X: v.X.Bound(), Y: v.Y.Bound(), Z: v.Z.Bound()}
}

// Mul returns m n.
func (m *Mat) Mul(n *Mat) Mat {
	var p Mat
	for i := range m {
		r := &m[i]
		p[i] = Vec{
			dot3(&r.X, &n[0].X, &r.Y, &n[1].X, &r.Z, &n[2].X),
			dot3(&r.X, &n[0].Y, &r.Y, &n[1].Y, &r.Z, &n[2].Y),
			dot3(&r.X, &n[0].Z, &r.Y, &n[1].Z, &r.Z, &n[2].Z),
		}
	}
	return p
}

// Apply returns m v for a constant v.
func (m *Mat) Apply(v geom.Vec) Vec { return Vec{m[0].Dot(v), m[1].Dot(v), m[2].Dot(v)} }

// ApplyModel returns m v.
func (m *Mat) ApplyModel(v *Vec) Vec {
	return Vec{m[0].DotModel(v), m[1].DotModel(v), m[2].DotModel(v)}
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
	// The rows of p.R and the columns of what at.R is off, which is rot at most as an
	// operator, make entries of rot at most, as the rows are of length 1.
	x := geom.Vec{X: at.R.XX, Y: at.R.YX, Z: at.R.ZX}
	y := geom.Vec{X: at.R.XY, Y: at.R.YY, Z: at.R.ZY}
	z := geom.Vec{X: at.R.XZ, Y: at.R.YZ, Z: at.R.ZZ}
	straight := at.R == geom.Identity()
	for i := range p.R {
		r := &p.R[i]
		if straight {
			q.R[i] = *r
			q.R[i].grow(rot * (1 + 8*u))
			continue
		}
		// No entry of at.R is above 1, but for rounding.
		err := rot*(1+8*u) + 16*u*(r.X.mag()+r.Y.mag()+r.Z.mag())
		q.R[i] = Vec{r.sum(x, err), r.sum(y, err), r.sum(z, err)}
	}
	moved := p.R.Apply(at.P)
	moved.grow(pos * (1 + 8*u))
	q.P = moved.Add(&p.P)
	return q
}

// sum returns v . n, whose rounding is in err.
func (v *Vec) sum(n geom.Vec, err float64) (m Model) {
	for i := range m.C {
		m.C[i] = n.X*v.X.C[i] + n.Y*v.Y.C[i] + n.Z*v.Z.C[i]
	}
	xl, xh := ends(&v.X, n.X)
	yl, yh := ends(&v.Y, n.Y)
	zl, zh := ends(&v.Z, n.Z)
	m.R = interval.I{Lo: xl + yl + zl, Hi: xh + yh + zh}
	m.grow(err)
	return m
}

func (v *Vec) grow(err float64) {
	v.X.grow(err)
	v.Y.grow(err)
	v.Z.grow(err)
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
	minus := a.Neg()
	*a, *b = dot2(a, cos, b, sin), dot2(b, cos, &minus, sin)
}

func (v *Vec) turn(a geom.Vec, sin, cos *Model) Vec {
	d := v.Dot(a)
	along := Vec{d.Scale(a.X), d.Scale(a.Y), d.Scale(a.Z)}
	rest := v.Sub(&along)
	x, y, z := v.X.Neg(), v.Y.Neg(), v.Z.Neg()
	zero := Model{}
	across := Vec{
		lin(&v.Y, &z, &zero, a.Z, a.Y, 0), lin(&v.Z, &x, &zero, a.X, a.Z, 0), lin(&v.X, &y, &zero, a.Y, a.X, 0),
	}
	turned := Vec{
		dot2(&rest.X, cos, &across.X, sin), dot2(&rest.Y, cos, &across.Y, sin), dot2(&rest.Z, cos, &across.Z, sin),
	}
	along = along.Add(&turned)
	along.grow(32 * u * (v.X.mag() + v.Y.mag() + v.Z.mag()))
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
