package convex

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// dot rounds each product, as cross does: where a compiler fuses products with sums, as that for arm64 does, the same
// numbers would give one value here and another one there, and the cross product of a vector with itself not zero.
func dot(a, b geom.Vec) float64 { return float64(a.X*b.X) + float64(a.Y*b.Y) + float64(a.Z*b.Z) }

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
		X: float64(a.Y*b.Z) - float64(a.Z*b.Y),
		Y: float64(a.Z*b.X) - float64(a.X*b.Z),
		Z: float64(a.X*b.Y) - float64(a.Y*b.X),
	}
}
