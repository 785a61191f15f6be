package clearance

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Where FCL calls two links farther apart than two points of ours are, the points
// decide: they are looked for on every triangle, by code of its own.

// onSurface returns how far the point x of the link's frame is from the surfaces of the
// link's meshes, boxes and round shapes.
func onSurface(l *urdf.Link, x geom.Vec) float64 {
	best := math.Inf(1)
	for i := range l.Collisions {
		s := l.Collisions[i].Shape
		local := l.Collisions[i].PoseLS.ApplyInv(x)
		across, along := math.Hypot(local.X, local.Y)-s.Radius, math.Abs(local.Z)-s.Length/2
		switch s.Kind {
		case shape.Box:
			best = math.Min(best, math.Abs(toBox(local, s.Size)))
		case shape.Sphere:
			best = math.Min(best, math.Abs(r3.Norm(local)-s.Radius))
		case shape.Cylinder:
			d := math.Max(across, along) // inside, and beside one of its sides
			if across > 0 && along > 0 {
				d = math.Hypot(across, along)
			}
			best = math.Min(best, math.Abs(d))
		case shape.Mesh:
			m := s.Mesh
			for _, t := range m.Triangles {
				best = math.Min(best, toTriangle(local, m.Vertices[t[0]], m.Vertices[t[1]], m.Vertices[t[2]]))
			}
		}
	}
	return best
}

// toBox is how far x is outside of a box about the origin; negative inside.
func toBox(x, size geom.Vec) float64 {
	out := geom.Vec{X: math.Abs(x.X) - size.X/2, Y: math.Abs(x.Y) - size.Y/2, Z: math.Abs(x.Z) - size.Z/2}
	if most := math.Max(out.X, math.Max(out.Y, out.Z)); most <= 0 {
		return most
	}
	return r3.Norm(geom.Vec{X: math.Max(0, out.X), Y: math.Max(0, out.Y), Z: math.Max(0, out.Z)})
}

// toTriangle is the distance of x from a triangle: from its plane where the foot of the
// perpendicular is inside, else from an edge.
func toTriangle(x, a, b, c geom.Vec) float64 {
	n := r3.Cross(r3.Sub(b, a), r3.Sub(c, a))
	inside := r3.Norm2(n) > 0
	best := math.Inf(1)
	for _, e := range [3][2]geom.Vec{{a, b}, {b, c}, {c, a}} {
		way := r3.Sub(e[1], e[0])
		inside = inside && r3.Dot(r3.Cross(way, r3.Sub(x, e[0])), n) >= 0
		s := 0.0
		if l := r3.Norm2(way); l > 0 {
			s = math.Max(0, math.Min(1, r3.Dot(r3.Sub(x, e[0]), way)/l))
		}
		best = math.Min(best, r3.Norm(r3.Sub(x, r3.Add(e[0], r3.Scale(s, way)))))
	}
	if inside {
		best = math.Min(best, math.Abs(r3.Dot(r3.Sub(x, a), n))/r3.Norm(n))
	}
	return best
}
