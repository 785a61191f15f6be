package tri

import (
	"github.com/firstcontact-ros/firstcontact/geom"
)

func dot(a, b geom.Vec) float64 { return a.X*b.X + a.Y*b.Y + a.Z*b.Z }

func sub(a, b geom.Vec) geom.Vec { return geom.Vec{X: a.X - b.X, Y: a.Y - b.Y, Z: a.Z - b.Z} }

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

func square(p, q geom.Vec) float64 {
	d := sub(p, q)
	return dot(d, d)
}
