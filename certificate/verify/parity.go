package verify

import (
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
)

// solid is the set enclosed by a unit of a mesh's patches: a point is inside if a path from it
// to infinity crosses a cycle modulo 2 an odd number of times, or an oriented cycle a number
// of times that is not 0, counted with the crossings' signs. The inside of a mesh is the union
// of its solids.
//
// In an ambiguous unit a point is outside only if some path from it to infinity crosses
// nothing.
type solid struct {
	span
	frame pose // of the shape in the body's frame
	mesh  *mesh.Mesh
	faces []face // of patches that are in a cycle
	unit  unit
	box   geom.Box
}

// solidsOf returns the solids of a mesh with vertices at these places, whose atoms are
// numbered from first on, and whether some of its faces enclose nothing.
func solidsOf(m *mesh.Mesh, places []int32, frame pose, first int) (solids []solid, open bool) {
	p := newPatches(m, places)
	units, open := p.units()
	of := make([]int, len(p.orientable)) // the solid of each patch plus one
	for i := range units {
		solids = append(solids, solid{frame: frame, mesh: m, unit: units[i], box: emptyBox})
		for _, patch := range units[i].patches {
			of[patch] = i + 1
		}
	}
	for _, f := range p.faces {
		k := of[f.patch]
		if k == 0 {
			continue
		}
		s := &solids[k-1]
		s.faces = append(s.faces, f)
		s.add(int32(first) + f.triangle)
		for _, v := range m.Triangles[f.triangle] {
			s.box = extended(s.box, m.Vertices[v])
		}
	}
	return solids, open
}

// where is the position of a point relative to a solid.
type where uint8

const (
	unknown where = iota
	outside
	inside
)

// rays are directions that are unlikely to meet edges of man-made meshes.
var rays = [...]geom.Vec{
	{X: 0.3137, Y: 0.2719, Z: 0.9091},
	{X: 0.2539, Y: -0.9241, Z: 0.2857},
	{X: -0.8923, Y: 0.3253, Z: 0.3121},
	{X: -0.5869, Y: -0.5407, Z: -0.6029},
	{X: 0.6217, Y: 0.5623, Z: -0.5449},
	{X: 0.9473, Y: 0.1871, Z: -0.2609},
	{X: -0.1733, Y: 0.8329, Z: -0.5261},
	{X: 0.1259, Y: -0.2347, Z: -0.9643},
}

// locate decides whether the point p, in the shape's frame, is inside. The answer holds for
// all points of the ball p, because each crossing and each miss is decided for all of them; if
// one cannot be, another ray is tried.
func (s *solid) locate(p ball) where {
	e := p.err
	if p.v.X < s.box.Min.X-e || p.v.Y < s.box.Min.Y-e || p.v.Z < s.box.Min.Z-e ||
		p.v.X > s.box.Max.X+e || p.v.Y > s.box.Max.Y+e || p.v.Z > s.box.Max.Z+e {
		return outside
	}
	found := unknown
	for _, d := range rays {
		crossings, sure := s.cross(p, d)
		switch {
		case !sure:
		case !s.unit.ambiguous:
			if s.unit.encloses(crossings) {
				return inside
			}
			return outside
		case len(crossings) == 0:
			return outside
		default:
			found = inside
		}
	}
	return found
}

// crossing is where a ray crosses a patch: along its orientation, 1, or against it, -1.
type crossing struct {
	patch int32
	sign  int
}

// cross returns the crossings of the ray from p along d. sure is false if one cannot be
// decided.
func (s *solid) cross(p ball, d geom.Vec) (out []crossing, sure bool) {
	v := s.mesh.Vertices
	for i := range s.faces {
		f := &s.faces[i]
		t := s.mesh.Triangles[f.triangle]
		sign, ok := crosses(p, d, [3]geom.Vec{v[t[0]], v[t[1]], v[t[2]]})
		if !ok {
			return nil, false
		}
		if f.turned {
			sign = -sign
		}
		if sign != 0 {
			out = append(out, crossing{f.patch, sign})
		}
	}
	return out, true
}

// encloses reports whether a point with these crossings is inside.
func (u *unit) encloses(crossings []crossing) bool {
	return slices.ContainsFunc(u.even, func(c cycle) bool { return c.sum(crossings, 2) != 0 }) ||
		slices.ContainsFunc(u.oriented, func(c cycle) bool { return c.sum(crossings, prime) != 0 })
}

// sum counts the crossings of a cycle with their signs.
func (c cycle) sum(crossings []crossing, modulus uint64) (n uint64) {
	for _, x := range crossings {
		if x.sign > 0 {
			n += c[x.patch]
		} else {
			n += modulus - c[x.patch]
		}
		n %= modulus
	}
	return n
}

// crosses reports whether the ray from p along d crosses the triangle: 0 if not, otherwise 1
// or -1 by the side it comes from. ok is false if it passes too close to an edge or starts too
// close to the plane.
//
// The volumes e_i of d with the edges seen from p have one sign if the line passes inside, and
// their sum is that of d with the triangle; the crossing lies ahead if the volume of the
// triangle seen from p has that sign too.
func crosses(p ball, d geom.Vec, t [3]geom.Vec) (sign int, ok bool) {
	var seen [3]ball
	for i := range t {
		seen[i] = at(t[i]).sub(p)
	}
	var signs [3]int
	for i := range 3 {
		signs[i] = signOf(seen[i].cross(seen[(i+1)%3]).dot(at(d)))
	}
	if has(signs, 1) && has(signs, -1) {
		return 0, true
	}
	if has(signs, 0) {
		return 0, false
	}
	ahead := signOf(seen[0].cross(seen[1]).dot(seen[2]))
	if ahead == signs[0] {
		return ahead, true
	}
	return 0, ahead != 0
}

func has(signs [3]int, s int) bool { return signs[0] == s || signs[1] == s || signs[2] == s }

// signOf is 0 if the interval contains 0.
func signOf(x interval) int {
	switch {
	case x.lo > 0:
		return 1
	case x.hi < 0:
		return -1
	}
	return 0
}
