package spheretree

import "github.com/firstcontact-ros/firstcontact/geom"

func dot(a, b geom.Vec) float64 { return a.X*b.X + a.Y*b.Y + a.Z*b.Z }

func add(a, b geom.Vec) geom.Vec { return geom.Vec{X: a.X + b.X, Y: a.Y + b.Y, Z: a.Z + b.Z} }

func sub(a, b geom.Vec) geom.Vec { return geom.Vec{X: a.X - b.X, Y: a.Y - b.Y, Z: a.Z - b.Z} }

func scale(k float64, a geom.Vec) geom.Vec { return geom.Vec{X: k * a.X, Y: k * a.Y, Z: k * a.Z} }

// along returns p + k d.
func along(p geom.Vec, k float64, d geom.Vec) geom.Vec {
	return geom.Vec{X: p.X + k*d.X, Y: p.Y + k*d.Y, Z: p.Z + k*d.Z}
}

func cross(a, b geom.Vec) geom.Vec {
	return geom.Vec{X: a.Y*b.Z - a.Z*b.Y, Y: a.Z*b.X - a.X*b.Z, Z: a.X*b.Y - a.Y*b.X}
}

// place is geom.Pose's Apply without the copy of the pose.
func place(p *geom.Pose, v geom.Vec) geom.Vec {
	return geom.Vec{
		X: p.R.XX*v.X + p.R.XY*v.Y + p.R.XZ*v.Z + p.P.X,
		Y: p.R.YX*v.X + p.R.YY*v.Y + p.R.YZ*v.Z + p.P.Y,
		Z: p.R.ZX*v.X + p.R.ZY*v.Y + p.R.ZZ*v.Z + p.P.Z,
	}
}
