package exact

import "github.com/firstcontact-ros/firstcontact/geom"

// Vec is a vector, Rot a matrix by rows, Pose what maps x to R x + P.
type (
	Vec  [3]Num
	Rot  [3]Vec
	Pose struct {
		R Rot
		P Vec
	}
)

// VecOf returns the vector v.
func VecOf(v geom.Vec) Vec { return Vec{Of(v.X), Of(v.Y), Of(v.Z)} }

// Plus returns a + b.
func (a Vec) Plus(b Vec) Vec { return Vec{a[0].Plus(b[0]), a[1].Plus(b[1]), a[2].Plus(b[2])} }

// Minus returns a - b.
func (a Vec) Minus(b Vec) Vec { return Vec{a[0].Minus(b[0]), a[1].Minus(b[1]), a[2].Minus(b[2])} }

// Scaled returns k a.
func (a Vec) Scaled(k Num) Vec { return Vec{k.Times(a[0]), k.Times(a[1]), k.Times(a[2])} }

// Dot returns a.b.
func (a Vec) Dot(b Vec) Num {
	return a[0].Times(b[0]).Plus(a[1].Times(b[1])).Plus(a[2].Times(b[2]))
}

// Cross returns a x b.
func (a Vec) Cross(b Vec) Vec {
	var c Vec
	for i := range c {
		j, k := (i+1)%3, (i+2)%3
		c[i] = a[j].Times(b[k]).Minus(a[k].Times(b[j]))
	}
	return c
}

// Norm returns |a|.
func (a Vec) Norm() Num { return a.Dot(a).Sqrt() }

// Unit returns a / |a|; a is not zero.
func (a Vec) Unit() Vec { return a.Scaled(Of(1).Over(a.Norm())) }

// Off returns the distance from a to v.
func (a Vec) Off(v geom.Vec) Num { return a.Minus(VecOf(v)).Norm() }

// RotOf returns the matrix m.
func RotOf(m geom.Rot) Rot {
	return Rot{
		VecOf(geom.Vec{X: m.XX, Y: m.XY, Z: m.XZ}),
		VecOf(geom.Vec{X: m.YX, Y: m.YY, Z: m.YZ}),
		VecOf(geom.Vec{X: m.ZX, Y: m.ZY, Z: m.ZZ}),
	}
}

// Identity returns the matrix that leaves vectors as they are.
func Identity() Rot { return RotOf(geom.Identity()) }

// Apply returns r v.
func (r Rot) Apply(v Vec) Vec { return Vec{r[0].Dot(v), r[1].Dot(v), r[2].Dot(v)} }

// ApplyInv returns the transpose of r times v.
func (r Rot) ApplyInv(v Vec) Vec { return r.transpose().Apply(v) }

func (r Rot) transpose() (t Rot) {
	for i := range t {
		t[i] = Vec{r[0][i], r[1][i], r[2][i]}
	}
	return t
}

// Times returns r s.
func (r Rot) Times(s Rot) Rot {
	columns := s.transpose()
	var t Rot
	for i := range t {
		t[i] = columns.Apply(r[i])
	}
	return t
}

// Off returns the distance from r to m in the Frobenius norm.
func (r Rot) Off(m geom.Rot) Num {
	sum := Of(0)
	for i, row := range RotOf(m) {
		d := r[i].Minus(row)
		sum = sum.Plus(d.Dot(d))
	}
	return sum.Sqrt()
}

// Turned returns v turned about the unit vector u by an angle (Rodrigues' formula).
func Turned(v, u Vec, angle Num) Vec {
	s, c := Sincos(angle)
	return v.Scaled(c).Plus(u.Cross(v).Scaled(s)).Plus(u.Scaled(u.Dot(v).Times(Of(1).Minus(c))))
}

// Turn returns the rotation about the unit vector u by an angle.
func Turn(u Vec, angle Num) Rot {
	s, c := Sincos(angle)
	var columns Rot
	for i, e := range Identity() {
		along := u.Dot(e).Times(Of(1).Minus(c))
		columns[i] = e.Scaled(c).Plus(u.Cross(e).Scaled(s)).Plus(u.Scaled(along))
	}
	return columns.transpose()
}

// RPY returns the rotation that URDF writes as roll, pitch and yaw.
func RPY(rpy geom.Vec) Rot {
	r, axes := Identity(), Identity()
	for _, k := range []int{2, 1, 0} { // yaw, pitch, roll
		if angle := VecOf(rpy)[k]; angle.Sign() != 0 {
			r = r.Times(Turn(axes[k], angle))
		}
	}
	return r
}

// Apply returns R x + P.
func (p Pose) Apply(x Vec) Vec { return p.R.Apply(x).Plus(p.P) }

// ApplyInv returns the point that Apply takes to x.
func (p Pose) ApplyInv(x Vec) Vec { return p.R.ApplyInv(x.Minus(p.P)) }
