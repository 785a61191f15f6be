package markers

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
	"github.com/firstcontact-ros/firstcontact/msgs/visualizationmsgs"
)

// part is what one marker shows of a body, in the body's frame.
type part struct {
	kind   int32
	pose   geom.Pose
	scale  geom.Vec
	points []geom.Vec // corners of triangles, or middles
}

// partsOf cuts a shape into parts. A mesh with more triangles is thinned: parts are for the eye.
func partsOf(s *shape.Shape, pose geom.Pose, triangles int) []part {
	round := geom.Vec{X: 2 * s.Radius, Y: 2 * s.Radius, Z: 2 * s.Radius}
	along := geom.Vec{X: 2 * s.Radius, Y: 2 * s.Radius, Z: s.Length}
	one := geom.Vec{X: 1, Y: 1, Z: 1}
	switch s.Kind {
	case shape.Box:
		return []part{{visualizationmsgs.MarkerCube, pose, s.Size, nil}}
	case shape.Sphere:
		return []part{{visualizationmsgs.MarkerSphere, pose, round, nil}}
	case shape.Cylinder:
		return []part{{visualizationmsgs.MarkerCylinder, pose, along, nil}}
	case shape.Capsule:
		end := geom.Vec{Z: s.Length / 2}
		return []part{
			{visualizationmsgs.MarkerCylinder, pose, along, nil},
			{visualizationmsgs.MarkerSphereList, pose, round, []geom.Vec{end, {Z: -s.Length / 2}}},
		}
	case shape.Cone:
		return []part{{visualizationmsgs.MarkerTriangleList, pose, one, cone(s)}}
	case shape.Mesh:
		return []part{{visualizationmsgs.MarkerTriangleList, pose, one, thinned(s.Mesh, triangles)}}
	case shape.Points:
		return []part{{visualizationmsgs.MarkerSphereList, pose, round, s.Points[:min(len(s.Points), triangles)]}}
	case shape.Cells:
		return cells(s, pose, triangles)
	}
	return nil
}

// cone returns the triangles of a cone of 24 sides.
func cone(s *shape.Shape) (corners []geom.Vec) {
	const sides = 24
	tip, foot := geom.Vec{Z: s.Length / 2}, geom.Vec{Z: -s.Length / 2}
	at := func(i int) geom.Vec {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / sides)
		return geom.Vec{X: s.Radius * cos, Y: s.Radius * sin, Z: foot.Z}
	}
	for i := range sides {
		corners = append(corners, at(i), at(i+1), tip, at(i+1), at(i), foot)
	}
	return corners
}

// cells returns one part for each size of cell.
func cells(s *shape.Shape, pose geom.Pose, most int) (parts []part) {
	bySize := map[geom.Vec]int{}
	for _, c := range s.Cells[:min(len(s.Cells), most)] {
		h := c.Half()
		size := geom.Vec{X: 2 * h.X, Y: 2 * h.Y, Z: 2 * h.Z}
		i, ok := bySize[size]
		if !ok {
			i = len(parts)
			bySize[size] = i
			parts = append(parts, part{visualizationmsgs.MarkerCubeList, pose, size, nil})
		}
		parts[i].points = append(parts[i].points, geom.Vec{X: (c.Min.X + c.Max.X) / 2, Y: (c.Min.Y + c.Max.Y) / 2, Z: (c.Min.Z + c.Max.Z) / 2})
	}
	return parts
}

// thinned returns the corners of a mesh's triangles, three each. Of a mesh with more triangles
// than wanted, vertices that share a cell of a grid become one, until few enough triangles with
// an area are left.
func thinned(m *shape.TriangleMesh, most int) []geom.Vec {
	if len(m.Triangles) <= most {
		return corners(m, func(i int32) int32 { return i })
	}
	box := geom.Box{Min: m.Vertices[0], Max: m.Vertices[0]}
	for _, v := range m.Vertices {
		box.Min = geom.Vec{X: min(box.Min.X, v.X), Y: min(box.Min.Y, v.Y), Z: min(box.Min.Z, v.Z)}
		box.Max = geom.Vec{X: max(box.Max.X, v.X), Y: max(box.Max.Y, v.Y), Z: max(box.Max.Z, v.Z)}
	}
	longest := max(box.Max.X-box.Min.X, box.Max.Y-box.Min.Y, box.Max.Z-box.Min.Z)
	for grid := 64.0; ; grid /= 1.5 {
		side := longest / grid
		type cell [3]int
		first := map[cell]int32{} // the vertex that stands for a cell
		of := make([]int32, len(m.Vertices))
		for i, v := range m.Vertices {
			c := cell{int((v.X - box.Min.X) / side), int((v.Y - box.Min.Y) / side), int((v.Z - box.Min.Z) / side)}
			if _, ok := first[c]; !ok {
				first[c] = int32(i)
			}
			of[i] = first[c]
		}
		if out := corners(m, func(i int32) int32 { return of[i] }); len(out) <= 3*most || grid < 1 {
			return out
		}
	}
}

// corners lists those of the triangles that have three different ones.
func corners(m *shape.TriangleMesh, of func(int32) int32) (out []geom.Vec) {
	seen := map[[3]int32]bool{}
	for _, t := range m.Triangles {
		a, b, c := of(t[0]), of(t[1]), of(t[2])
		if a == b || b == c || c == a || seen[[3]int32{a, b, c}] {
			continue
		}
		seen[[3]int32{a, b, c}] = true
		out = append(out, m.Vertices[a], m.Vertices[b], m.Vertices[c])
	}
	return out
}
