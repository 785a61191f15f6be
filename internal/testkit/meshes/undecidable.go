package meshes

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
)

// Urchin is a closed mesh around the origin, convex if the given points are on a sphere, with a vertex at each of them,
// and two cubes that make its box reach from -5 to 5 along every axis.
func Urchin(rays []geom.Vec) *mesh.Mesh {
	star := &mesh.Mesh{Vertices: rays}
	for i := range rays {
		for j := range rays {
			for k := range rays {
				if i < j && i < k && j != k && outermost(rays, i, j, k) {
					star.Triangles = append(star.Triangles, [3]int32{int32(i), int32(j), int32(k)})
				}
			}
		}
	}
	return Of(star, At(geom.Vec{X: -4.5, Y: -4.5, Z: -4.5}, Cube(0.5)), At(geom.Vec{X: 4.5, Y: 4.5, Z: 4.5}, Cube(0.5)))
}

// outermost reports whether no point is above the triangle i, j, k, which is
// counterclockwise seen from there.
func outermost(ps []geom.Vec, i, j, k int) bool {
	n := r3.Cross(r3.Sub(ps[j], ps[i]), r3.Sub(ps[k], ps[i]))
	for _, p := range ps {
		if r3.Dot(n, r3.Sub(p, ps[i])) > 1e-9 {
			return false
		}
	}
	return true
}

// probes are the directions in which package bvh looks for a way out of a mesh.
var probes = []geom.Vec{
	{X: 0.2371, Y: 0.1433, Z: 0.9609},
	{X: -0.3119, Y: 0.1877, Z: -0.9313},
	{X: 0.9533, Y: -0.2237, Z: 0.2029},
	{X: -0.9431, Y: -0.1693, Z: 0.2861},
	{X: 0.1583, Y: 0.9467, Z: -0.2803},
	{X: -0.2689, Y: -0.9551, Z: -0.1237},
	{X: 0.5851, Y: 0.5563, Z: 0.5897},
	{X: -0.6029, Y: 0.5717, Z: -0.5563},
	{X: 0.6143, Y: -0.5479, Z: -0.5671},
	{X: -0.5413, Y: -0.6211, Z: 0.5669},
}

// Undecidable is a mesh of which package bvh cannot tell whether it holds its origin: each
// segment from there that is tried passes through a vertex.
func Undecidable() *mesh.Mesh {
	rays := make([]geom.Vec, len(probes))
	for i, d := range probes {
		rays[i] = r3.Scale(1./64, geom.Vec{X: 60 * d.X, Y: 60 * d.Y, Z: 60 * d.Z}) // the far end is 60 d
	}
	return Urchin(rays)
}
