package convex

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
)

func dot(a, b geom.Vec) float64 { return a.X*b.X + a.Y*b.Y + a.Z*b.Z }

func norm(a geom.Vec) float64 { return math.Sqrt(a.X*a.X + a.Y*a.Y + a.Z*a.Z) }

func add(a, b geom.Vec) geom.Vec { return geom.Vec{X: a.X + b.X, Y: a.Y + b.Y, Z: a.Z + b.Z} }

func sub(a, b geom.Vec) geom.Vec { return geom.Vec{X: a.X - b.X, Y: a.Y - b.Y, Z: a.Z - b.Z} }

func scale(k float64, a geom.Vec) geom.Vec { return geom.Vec{X: k * a.X, Y: k * a.Y, Z: k * a.Z} }

func neg(a geom.Vec) geom.Vec { return geom.Vec{X: -a.X, Y: -a.Y, Z: -a.Z} }

// along returns p + k d.
func along(p geom.Vec, k float64, d geom.Vec) geom.Vec {
	return geom.Vec{X: p.X + k*d.X, Y: p.Y + k*d.Y, Z: p.Z + k*d.Z}
}

func cross(a, b geom.Vec) geom.Vec {
	return geom.Vec{
		X: a.Y*b.Z - a.Z*b.Y,
		Y: a.Z*b.X - a.X*b.Z,
		Z: a.X*b.Y - a.Y*b.X,
	}
}

// turn and turnBack are geom.Rot's Apply and ApplyInv without the copy of the
// matrix that a value receiver costs in the hot loop.
func turn(r *geom.Rot, v geom.Vec) geom.Vec {
	return geom.Vec{
		X: r.XX*v.X + r.XY*v.Y + r.XZ*v.Z,
		Y: r.YX*v.X + r.YY*v.Y + r.YZ*v.Z,
		Z: r.ZX*v.X + r.ZY*v.Y + r.ZZ*v.Z,
	}
}

func turnBack(r *geom.Rot, v geom.Vec) geom.Vec {
	return geom.Vec{
		X: r.XX*v.X + r.YX*v.Y + r.ZX*v.Z,
		Y: r.XY*v.X + r.YY*v.Y + r.ZY*v.Z,
		Z: r.XZ*v.X + r.YZ*v.Y + r.ZZ*v.Z,
	}
}
