package mesh

import (
	"github.com/firstcontact-ros/firstcontact/geom"
)

// Solid is what a mesh encloses. It depends only on the mesh's faces as sets of corners: not
// on their order or orientation, nor on how often one is stored.
//
// The faces, without those that repeat another or lack three different corners, form patches,
// which are cut along the edges that three or more of them share. A cycle modulo 2 is a set of
// patches with an even number of faces at every edge; an oriented cycle gives each orientable
// patch an integer such that the faces cancel at every edge. A segment from a point to one far
// outside crosses every cycle a number of times, modulo 2 or counted with signs, and that
// number depends on the point only. The point is inside if it is not 0 for some cycle; a basis
// is as good as all cycles. So overlapping solids count as their union, and cavities as
// filled. Patches in no cycle enclose nothing.
//
// If patches are too complex to find the cycles, or one in a cycle is not orientable, a point
// is inside unless a segment from it crosses none of the patches in question: that holds for
// every point that is inside any cycle.
type Solid struct {
	// Surfaces counts the patches in no cycle: surfaces without an inside.
	Surfaces int
	// Ambiguous says that cycles were not found, or that a patch in one is not orientable.
	Ambiguous bool
	// Box is around all faces that enclose something; empty if none does.
	Box geom.Box

	// of each triangle, as in patches; -1 also for those that enclose nothing. Nil if all
	// triangles are of patch 0, with consistent orientation.
	of     []int32
	shares []share // of all patches
	first  []int32 // of each patch in shares, and len(shares)
	cycles []Kind
	tangle []int32 // of each patch: the smallest index in its connected set, -1 for none
}

// share is the contribution of a crossing of a patch to a cycle.
type share struct{ cycle, by int32 }

// Kind says how the crossings of a cycle are counted.
type Kind uint8

const (
	// Winding counts crossings with their signs; a sum other than 0 is inside.
	Winding Kind = iota
	// Parity counts crossings; an odd number is inside.
	Parity
	// Shell counts crossings of unresolved patches; a point is outside only if some segment
	// crosses none.
	Shell
)

// maxTangle bounds how many patches may be connected for their cycles to be found.
const maxTangle = 512

// SolidOf computes what m encloses, in O(n log n) for n triangles and O(p³) for p connected
// patches, up to a bound.
func SolidOf(m *Mesh) *Solid {
	s, _ := Topology(m)
	return s
}

// Topology returns what SolidOf and ComponentsOf return, at little more than the cost of the first.
func Topology(m *Mesh) (*Solid, []Component) {
	f := facesOf(m)
	defer f.release()
	p := f.patches()
	parts := f.components(p, len(m.Vertices))
	return solidOf(m, f, p), parts
}

// solidOf takes p.
func solidOf(m *Mesh, f *faces, p *patches) *Solid {
	s := &Solid{Box: geom.EmptyBox()}
	b := newBasis(p, f)
	b.find()
	s.cycles, s.tangle, s.Ambiguous = b.cycles, b.tangles, b.ambiguous
	s.first = make([]int32, 1, p.count+1)
	for _, of := range b.shares {
		s.shares = append(s.shares, of...)
		s.first = append(s.first, int32(len(s.shares)))
		if len(of) == 0 {
			s.Surfaces++
		}
	}
	s.mark(m, p)
	return s
}

// mark records which triangles enclose something.
func (s *Solid) mark(m *Mesh, p *patches) {
	s.of = p.of
	for t, of := range s.of {
		if of >= 0 && s.first[of/2] == s.first[of/2+1] {
			s.of[t] = -1
		}
		if s.of[t] < 0 {
			continue
		}
		for _, v := range m.Triangles[t] {
			extend(&s.Box, &m.Vertices[v])
		}
	}
	if p.single && s.Surfaces == 0 {
		s.of = nil
	}
}

// extend is Box.Extend in place.
func extend(b *geom.Box, p *geom.Vec) {
	b.Min.X, b.Min.Y, b.Min.Z = min(b.Min.X, p.X), min(b.Min.Y, p.Y), min(b.Min.Z, p.Z)
	b.Max.X, b.Max.Y, b.Max.Z = max(b.Max.X, p.X), max(b.Max.Y, p.Y), max(b.Max.Z, p.Z)
}

// Encloses reports whether anything may be inside.
func (s *Solid) Encloses() bool { return len(s.cycles) > 0 }

// Open reports whether m has a surface that encloses nothing.
func (s *Solid) Open() bool { return s.Surfaces > 0 }

// Bounds reports whether triangle t is part of what encloses something.
func (s *Solid) Bounds(t int32) bool { return len(s.cycles) > 0 && (s.of == nil || s.of[t] >= 0) }

// InCycle reports whether triangle t is part of the given cycle.
func (s *Solid) InCycle(t, cycle int32) bool {
	_, of := s.sharesOf(t)
	for i := range of {
		if of[i].cycle == cycle {
			return true
		}
	}
	return false
}

// sharesOf returns those of a triangle's patch, and whether the triangle's orientation is
// reversed.
func (s *Solid) sharesOf(t int32) (turned bool, of []share) {
	patch := int32(0)
	if s.of != nil {
		if s.of[t] < 0 {
			return false, nil
		}
		turned, patch = s.of[t]&1 == 1, s.of[t]/2
	}
	if len(s.cycles) == 0 {
		return false, nil
	}
	return turned, s.shares[s.first[patch]:s.first[patch+1]]
}

// Surface returns the one surface that encloses all, its faces oriented consistently and
// without repetitions; ok is false if m encloses nothing, or by several patches, or
// ambiguously, or has patches that enclose nothing.
func (s *Solid) Surface(m *Mesh) (surface *Mesh, ok bool) {
	if s.Surfaces > 0 || s.Ambiguous || len(s.first) != 2 || len(s.cycles) != 1 || s.cycles[0] != Winding {
		return nil, false
	}
	if s.of == nil {
		return m, true
	}
	surface = &Mesh{Vertices: m.Vertices}
	for t, c := range m.Triangles {
		if s.of[t] < 0 {
			continue
		}
		if s.of[t]&1 == 1 {
			c[1], c[2] = c[2], c[1]
		}
		surface.Triangles = append(surface.Triangles, c)
	}
	return surface, true
}

// Split returns the faces of m that enclose something, s being m's solid, as meshes that each
// enclose a part of it: those without a common cycle.
func (s *Solid) Split(m *Mesh) []*Mesh {
	if !s.Encloses() {
		return nil
	}
	if s.of == nil {
		return []*Mesh{m}
	}
	type piece struct {
		mesh  *Mesh
		index map[int32]int32
	}
	of := map[int32]*piece{}
	var all []*Mesh
	for t, c := range m.Triangles {
		if s.of[t] < 0 {
			continue
		}
		tangle := s.tangle[s.of[t]/2]
		p := of[tangle]
		if p == nil {
			p = &piece{&Mesh{}, map[int32]int32{}}
			of[tangle], all = p, append(all, p.mesh)
		}
		for k, v := range c {
			i, known := p.index[v]
			if !known {
				i = int32(len(p.mesh.Vertices))
				p.index[v], p.mesh.Vertices = i, append(p.mesh.Vertices, m.Vertices[v])
			}
			c[k] = i
		}
		p.mesh.Triangles = append(p.mesh.Triangles, c)
	}
	return all
}
