package show

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
)

// Facets of round shapes.
const (
	sides = 32 // around an axis
	bands = 8  // from a pole of a ball to its equator
)

// MeshOf returns the surface of a shape as triangles, in the shape's frame. A mesh of more than
// about `most` triangles is simplified, clouds and octrees are thinned, unless most is 0.
func MeshOf(s *shape.Shape, most int) Mesh {
	if most <= 0 {
		most = math.MaxInt
	}
	switch s.Kind {
	case shape.Box:
		var m Mesh
		h := geom.Vec{X: s.Size.X / 2, Y: s.Size.Y / 2, Z: s.Size.Z / 2}
		m.box(geom.Box{Min: geom.Vec{X: -h.X, Y: -h.Y, Z: -h.Z}, Max: h})
		m.Of = 12
		return m
	case shape.Sphere:
		return lathe(capRings(s.Radius, 0))
	case shape.Cylinder:
		return lathe([]ring{{0, -s.Length / 2}, {s.Radius, -s.Length / 2}, {s.Radius, s.Length / 2}, {0, s.Length / 2}})
	case shape.Capsule:
		return lathe(capRings(s.Radius, s.Length))
	case shape.Cone:
		return lathe([]ring{{0, -s.Length / 2}, {s.Radius, -s.Length / 2}, {0, s.Length / 2}})
	case shape.Mesh:
		return simplified(s.Mesh, most)
	case shape.Points:
		return cloudOf(s.Points, s.Radius, most)
	case shape.Cells:
		return cellsOf(s.Cells, most)
	}
	return Mesh{}
}

// ring is a circle around z.
type ring struct{ radius, z float64 }

// capRings are the rings of a ball, or of a capsule whose axis has a length, from below.
func capRings(radius, length float64) (out []ring) {
	for i := -bands; i <= bands; i++ {
		sin, cos := sinCos(math.Pi / 2 * float64(i) / float64(bands))
		if i == -bands || i == bands {
			cos = 0
		}
		z := length / 2
		if i < 0 {
			z = -z
		}
		if i == 0 && length > 0 {
			out = append(out, ring{radius, -z})
		}
		out = append(out, ring{radius * cos, z + radius*sin})
	}
	return out
}

// lathe turns rings around z, from below, into a surface. Rings of radius 0 are points.
func lathe(rings []ring) Mesh {
	var m Mesh
	row := func(r ring) []uint32 {
		out := make([]uint32, sides)
		if r.radius == 0 {
			tip := m.vertex(geom.Vec{Z: r.z})
			for i := range out {
				out[i] = tip
			}
			return out
		}
		for i, v := range circle(r.radius, r.z, sides) {
			out[i] = m.vertex(v)
		}
		return out
	}
	below := row(rings[0])
	for _, r := range rings[1:] {
		above := row(r)
		for i := range sides {
			k := (i + 1) % sides
			if below[i] != below[k] {
				m.triangle(below[i], below[k], above[k])
			}
			if above[i] != above[k] {
				m.triangle(below[i], above[k], above[i])
			}
		}
		below = above
	}
	m.Of = len(m.Triangles) / 3
	return m
}

// box appends a box.
func (m *Mesh) box(b geom.Box) {
	var at [8]uint32
	for i := range at {
		v := b.Min
		if i&1 != 0 {
			v.X = b.Max.X
		}
		if i&2 != 0 {
			v.Y = b.Max.Y
		}
		if i&4 != 0 {
			v.Z = b.Max.Z
		}
		at[i] = m.vertex(v)
	}
	for _, f := range [6][4]int{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
		m.triangle(at[f[0]], at[f[1]], at[f[2]])
		m.triangle(at[f[0]], at[f[2]], at[f[3]])
	}
}

// leastRadius (m) is how small a point of a cloud is drawn.
const leastRadius = 0.002

// cloudOf draws points as octahedra. Of too many, those that share a cell of a grid are one.
func cloudOf(points []geom.Vec, radius float64, most int) Mesh {
	m := Mesh{Of: 8 * len(points)}
	radius = max(radius, leastRadius)
	for _, p := range thinned(points, max(1, most/8)) {
		var at [6]uint32
		for k, d := range [6]geom.Vec{{X: radius}, {Y: radius}, {X: -radius}, {Y: -radius}, {Z: radius}, {Z: -radius}} {
			at[k] = m.vertex(geom.Vec{X: p.X + d.X, Y: p.Y + d.Y, Z: p.Z + d.Z})
		}
		for k := range uint32(4) {
			m.triangle(at[k], at[(k+1)%4], at[4])
			m.triangle(at[(k+1)%4], at[k], at[5])
		}
	}
	return m
}

// thinned returns the points, of too many one for each cell of a grid.
func thinned(points []geom.Vec, most int) []geom.Vec {
	if len(points) <= most {
		return points
	}
	for g := newGrid(points, math.Sqrt(float64(most))); ; g.side *= 1.3 {
		var out []geom.Vec
		seen := map[cell]bool{}
		for _, p := range points {
			if c := g.cell(p); !seen[c] {
				seen[c] = true
				out = append(out, p)
			}
		}
		if len(out) <= most {
			return out
		}
	}
}

// cellsOf draws the boxes of an octree. Of too many, those that share a cell of a grid are
// drawn as the box around them.
func cellsOf(cells []geom.Box, most int) Mesh {
	m := Mesh{Of: 12 * len(cells)}
	boxes := cells
	if most = max(1, most/12); len(cells) > most {
		centers := make([]geom.Vec, len(cells))
		for i := range cells {
			centers[i] = cells[i].Center()
		}
		for g := newGrid(centers, math.Sqrt(float64(most))); len(boxes) > most; g.side *= 1.3 {
			boxes = nil
			at := map[cell]int{}
			for i := range cells {
				c := g.cell(centers[i])
				if k, ok := at[c]; ok {
					boxes[k] = boxes[k].Union(cells[i])
					continue
				}
				at[c] = len(boxes)
				boxes = append(boxes, cells[i])
			}
		}
	}
	for i := range boxes {
		m.box(boxes[i])
	}
	return m
}
