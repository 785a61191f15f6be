package static

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/mesh"
)

// solid is a connected component of a mesh that encloses something: each of its edges
// belongs to an even number of its faces. What it encloses is where a ray out of it meets
// its faces an odd number of times, whatever way they are turned.
type solid struct {
	faces [][3]geom.Vec
	box   geom.Box
}

// components finds a mesh's solids and a vertex of each of its connected components.
func components(m *mesh.Mesh, pose geom.Pose) ([]solid, []geom.Vec) {
	id := make([]int, len(m.Vertices))
	seen := map[geom.Vec]int{}
	for i, v := range m.Vertices {
		k := geom.Vec{X: v.X + 0, Y: v.Y + 0, Z: v.Z + 0} // one zero
		if _, ok := seen[k]; !ok {
			seen[k] = len(seen)
		}
		id[i] = seen[k]
	}
	up := make([]int, len(seen))
	for i := range up {
		up[i] = i
	}
	root := func(i int) int {
		for up[i] != i {
			up[i] = up[up[i]]
			i = up[i]
		}
		return i
	}
	edges := map[[2]int]int{}
	for _, t := range m.Triangles {
		for k := range 3 {
			u, v := id[t[k]], id[t[(k+1)%3]]
			up[root(u)] = root(v)
			if u != v {
				edges[[2]int{min(u, v), max(u, v)}]++
			}
		}
	}
	open := map[int]bool{}
	for e, n := range edges {
		if n%2 != 0 {
			open[root(e[0])] = true
		}
	}
	of := map[int]*solid{}
	var order []int
	var probes []geom.Vec
	for _, t := range m.Triangles {
		r := root(id[t[0]])
		var f [3]geom.Vec
		for k := range f {
			f[k] = pose.Apply(m.Vertices[t[k]])
		}
		if of[r] == nil {
			of[r] = &solid{box: geom.EmptyBox()}
			order, probes = append(order, r), append(probes, f[0])
		}
		c := of[r]
		c.faces = append(c.faces, f)
		for _, v := range f {
			c.box = c.box.Extend(v)
		}
	}
	var solids []solid
	for _, r := range order {
		if !open[r] {
			solids = append(solids, *of[r])
		}
	}
	return solids, probes
}

// rays point in no direction that a model is likely to have.
var rays = [...]geom.Vec{
	{X: 0.7071234, Y: 0.3131, Z: 0.6341},
	{X: -0.4713, Y: 0.8231, Z: 0.3171},
	{X: 0.1931, Y: -0.5717, Z: 0.7973},
	{X: -0.6173, Y: -0.3371, Z: -0.7109},
	{X: 0.8839, Y: -0.1237, Z: -0.4519},
	{X: 0.2719, Y: 0.9257, Z: -0.2633},
}

// outside tells whether a point that is on no face is certainly in no solid.
func outside(solids []solid, x geom.Vec) bool {
	for i := range solids {
		if !solids[i].outside(x) {
			return false
		}
	}
	return true
}

func (s *solid) outside(x geom.Vec) bool {
	b := &s.box
	if x.X < b.Min.X || x.Y < b.Min.Y || x.Z < b.Min.Z || x.X > b.Max.X || x.Y > b.Max.Y || x.Z > b.Max.Z {
		return true
	}
	for _, ray := range rays {
		if odd, ok := s.crossings(x, ray); ok {
			return !odd
		}
	}
	return false // not certain
}

// crossings tells whether a ray meets an odd number of faces (Moeller, Trumbore 1997);
// ok is false where it passes so near an edge that rounding may decide.
func (s *solid) crossings(x, ray geom.Vec) (odd, ok bool) {
	const margin = 1e-9
	for i := range s.faces {
		f := &s.faces[i]
		u, v := r3.Sub(f[1], f[0]), r3.Sub(f[2], f[0])
		p := r3.Cross(ray, v)
		det := r3.Dot(u, p)
		w := r3.Sub(x, f[0])
		q := r3.Cross(w, u)
		size := math.Sqrt(r3.Norm2(u) * r3.Norm2(v))
		if math.Abs(det) <= margin*size { // seen edge-on, or without area
			if math.Abs(r3.Dot(w, r3.Cross(u, v))) <= margin*size*(math.Sqrt(r3.Norm2(w))+size) && size > 0 {
				return false, false
			}
			continue
		}
		a, b := r3.Dot(w, p)/det, r3.Dot(ray, q)/det
		if a < -margin || b < -margin || a+b > 1+margin || r3.Dot(v, q)/det < 0 {
			continue
		}
		if a < margin || b < margin || a+b > 1-margin {
			return false, false
		}
		odd = !odd
	}
	return odd, true
}
