package show

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
)

// simplified returns a mesh of at most so many triangles that looks like m. Vertices that share a
// cell of a grid become one, where the planes of their triangles are closest (Lindstrom,
// Out-of-core simplification of large polygonal models, 2000), and triangles that lose a corner
// disappear.
func simplified(m *shape.TriangleMesh, most int) Mesh {
	if len(m.Triangles) <= most {
		return whole(m)
	}
	for g := newGrid(m.Vertices, math.Sqrt(float64(max(most, 1)))); ; g.side *= 1.2 {
		if out, ok := clustered(m, &g, most); ok {
			return out
		}
	}
}

// whole returns a mesh with all its triangles.
func whole(m *shape.TriangleMesh) Mesh {
	out := Mesh{Of: len(m.Triangles), Vertices: make([]float32, 0, 3*len(m.Vertices)), Triangles: make([]uint32, 0, 3*len(m.Triangles))}
	for _, v := range m.Vertices {
		out.vertex(v)
	}
	for _, t := range m.Triangles {
		out.triangle(uint32(t[0]), uint32(t[1]), uint32(t[2]))
	}
	return out
}

// cell is a cell of a grid.
type cell [3]int32

// grid cuts space into cubes.
type grid struct {
	origin geom.Vec
	side   float64
}

// newGrid returns a grid of so many cubes along the longest side of what it holds.
func newGrid(points []geom.Vec, cubes float64) grid {
	box := geom.EmptyBox()
	for _, p := range points {
		box = box.Extend(p)
	}
	longest := max(box.Max.X-box.Min.X, box.Max.Y-box.Min.Y, box.Max.Z-box.Min.Z, geom.MinLength)
	return grid{box.Min, longest / max(cubes, 1)}
}

func (g *grid) cell(p geom.Vec) cell {
	d := r3.Sub(p, g.origin)
	return cell{int32(d.X / g.side), int32(d.Y / g.side), int32(d.Z / g.side)}
}

// clustered merges the vertices of each cell. It fails if more triangles than wanted are left,
// unless nothing is left to merge.
func clustered(m *shape.TriangleMesh, g *grid, most int) (Mesh, bool) {
	index := map[cell]uint32{}
	of := make([]uint32, len(m.Vertices))
	var clusters []cluster
	for i, v := range m.Vertices {
		c := g.cell(v)
		k, ok := index[c]
		if !ok {
			k = uint32(len(clusters))
			index[c] = k
			clusters = append(clusters, cluster{at: v})
		}
		of[i] = k
		clusters[k].vertex(v)
	}
	out := Mesh{Of: len(m.Triangles)}
	seen := map[[3]uint32]bool{}
	for _, t := range m.Triangles {
		a, b, c := of[t[0]], of[t[1]], of[t[2]]
		if a == b || b == c || c == a || seen[sorted(a, b, c)] {
			continue
		}
		if len(out.Triangles) == 3*most && len(clusters) > 1 {
			return Mesh{}, false
		}
		seen[sorted(a, b, c)] = true
		out.triangle(a, b, c)
	}
	if len(out.Triangles) == 0 { // smaller than a cell: its box will do
		all := whole(m)
		out.box(all.Box())
		return out, true
	}
	for _, t := range m.Triangles {
		a, b, c := m.Vertices[t[0]], m.Vertices[t[1]], m.Vertices[t[2]]
		n := r3.Cross(r3.Sub(b, a), r3.Sub(c, a))
		for _, k := range t {
			clusters[of[k]].plane(n, a)
		}
	}
	for i := range clusters {
		out.vertex(clusters[i].best(g.side))
	}
	return out, true
}

// sorted starts a triangle at its smallest corner.
func sorted(a, b, c uint32) [3]uint32 {
	switch {
	case a < b && a < c:
		return [3]uint32{a, b, c}
	case b < c:
		return [3]uint32{b, c, a}
	}
	return [3]uint32{c, a, b}
}

// cluster gathers the vertices of a cell, and the sum of squared distances from the planes of
// their triangles, weighted by area: x'Ax - 2b'x about the first vertex.
type cluster struct {
	at                     geom.Vec // the first vertex
	sum                    geom.Vec // of the vertices, less the first
	n                      float64
	xx, xy, xz, yy, yz, zz float64 // A
	b                      geom.Vec
}

func (c *cluster) vertex(v geom.Vec) {
	c.sum = r3.Add(c.sum, r3.Sub(v, c.at))
	c.n++
}

// plane adds the plane through p with the normal n, whose length is the weight.
func (c *cluster) plane(n, p geom.Vec) {
	d := r3.Dot(n, r3.Sub(p, c.at))
	c.xx += n.X * n.X
	c.xy += n.X * n.Y
	c.xz += n.X * n.Z
	c.yy += n.Y * n.Y
	c.yz += n.Y * n.Z
	c.zz += n.Z * n.Z
	c.b = r3.Add(c.b, r3.Scale(d, n))
}

// stiffness pulls the best point towards the mean of the vertices, where the planes do not say
// where it is.
const stiffness = 1e-2

// best returns the point closest to the planes, within a cell's side of the vertices' mean.
func (c *cluster) best(side float64) geom.Vec {
	mean := r3.Scale(1/c.n, c.sum)
	e := stiffness * (c.xx + c.yy + c.zz)
	xx, yy, zz := c.xx+e, c.yy+e, c.zz+e
	b := r3.Add(c.b, r3.Scale(e, mean))
	// Cramer's rule.
	det := xx*(yy*zz-c.yz*c.yz) - c.xy*(c.xy*zz-c.yz*c.xz) + c.xz*(c.xy*c.yz-yy*c.xz)
	best := geom.Vec{
		X: (b.X*(yy*zz-c.yz*c.yz) - c.xy*(b.Y*zz-c.yz*b.Z) + c.xz*(b.Y*c.yz-yy*b.Z)) / det,
		Y: (xx*(b.Y*zz-c.yz*b.Z) - b.X*(c.xy*zz-c.yz*c.xz) + c.xz*(c.xy*b.Z-b.Y*c.xz)) / det,
		Z: (xx*(yy*b.Z-b.Y*c.yz) - c.xy*(c.xy*b.Z-b.Y*c.xz) + b.X*(c.xy*c.yz-yy*c.xz)) / det,
	}
	if !(geom.Norm(r3.Sub(best, mean)) <= side) { // or not a number
		best = mean
	}
	return r3.Add(c.at, best)
}
