package mesh

import (
	"cmp"
	"slices"
	"sync"
)

// faces are the faces that bound space: triangles with three different corners, each once.
// Triangles with the same three corners in any order are one face; the first of them
// represents it.
type faces struct {
	corners [][3]int32 // of each triangle, with vertices at one position merged
	is      []bool     // of each triangle: it is a face
	sets    turns      // of triangles: those connected across edges that exactly two faces share
	rims    []int32    // the face of each edge that has one only
	sides   []side     // of the edges that three or more faces share, by edge
	edges   []int32    // the first of sides of each such edge, and len(sides)

	merged [][3]int32 // what corners is in where they are not the mesh's own
	keys   []uint64   // the sides of all triangles, by their edge's smaller vertex
	end    []int32    // of each vertex: where its keys end
	same   []spoke    // the sides of one edge
}

// side is an edge of a face.
type side struct {
	face  int32
	forth bool // the face runs along the edge from its smaller vertex to its larger one
}

// A key is a side as one number, which sorts those of one vertex by edge, then by triangle: the
// edge's larger vertex, the triangle, and which of its three sides it is. Indices of triangles
// are below 2^27.
func keyOf(larger int32, triangle, k int) uint64 {
	return uint64(larger)<<32 | uint64(triangle)<<2 | uint64(k)
}

func sideOf(key uint64) (triangle, k int32) { return int32(uint32(key)) >> 2, int32(key & 3) }

// spareFaces keeps the memory of faces for the next mesh: fresh memory costs more than what is
// written to it.
var spareFaces = sync.Pool{New: func() any { return new(faces) }}

// facesOf returns the faces of m, to be put into spareFaces.
func facesOf(m *Mesh) *faces {
	f := spareFaces.Get().(*faces)
	f.place(m)
	f.sort(len(m.Vertices))
	f.meet()
	return f
}

// release gives the memory back.
func (f *faces) release() {
	f.corners = nil // may be the mesh's
	spareFaces.Put(f)
}

// place fills corners.
func (f *faces) place(m *Mesh) {
	at, distinct := placesOf(m)
	if distinct {
		f.corners = m.Triangles
		return
	}
	f.merged = room(f.merged, len(m.Triangles))
	for i, t := range m.Triangles {
		f.merged[i] = [3]int32{at[t[0]], at[t[1]], at[t[2]]}
	}
	f.corners = f.merged
}

// room returns n elements of any content in the memory of s, or in more.
func room[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// sort lists the sides by their edge's smaller vertex.
func (f *faces) sort(vertices int) {
	f.is, f.end = room(f.is, len(f.corners)), room(f.end, vertices+1)
	clear(f.end)
	n := 0
	for i := range f.corners {
		c := &f.corners[i]
		f.is[i] = c[0] != c[1] && c[1] != c[2] && c[2] != c[0]
		if f.is[i] {
			n += 3
			f.end[min(c[0], c[1])+1]++
			f.end[min(c[1], c[2])+1]++
			f.end[min(c[2], c[0])+1]++
		}
	}
	for v := 1; v < len(f.end); v++ {
		f.end[v] += f.end[v-1]
	}
	f.keys = room(f.keys, n)
	for i := range f.corners {
		if !f.is[i] {
			continue
		}
		c := &f.corners[i]
		f.list(c[0], c[1], i, 0)
		f.list(c[1], c[2], i, 1)
		f.list(c[2], c[0], i, 2)
	}
}

func (f *faces) list(a, b int32, triangle, k int) {
	at := &f.end[min(a, b)]
	f.keys[*at] = keyOf(max(a, b), triangle, k)
	*at++
}

// meet finds the sides of each edge.
func (f *faces) meet() {
	f.sets.reset(len(f.corners))
	f.rims, f.sides, f.edges = f.rims[:0], f.sides[:0], f.edges[:0]
	from := int32(0)
	for _, end := range f.end[:len(f.end)-1] {
		of := f.keys[from:end]
		sortKeys(of)
		for i := 0; i < len(of); {
			n := 1
			for i+n < len(of) && of[i+n]>>32 == of[i]>>32 {
				n++
			}
			f.edge(of[i : i+n])
			i += n
		}
		from = end
	}
	f.edges = append(f.edges, int32(len(f.sides)))
}

func sortKeys(s []uint64) {
	if len(s) > 24 {
		slices.Sort(s)
		return
	}
	for i := 1; i < len(s); i++ {
		x, k := s[i], i
		for ; k > 0 && x < s[k-1]; k-- {
			s[k] = s[k-1]
		}
		s[k] = x
	}
}

// spoke is a side among those of its edge.
type spoke struct {
	side
	opposite int32 // the triangle's third corner
}

func (f *faces) spoke(key uint64) spoke {
	t, k := sideOf(key)
	c := &f.corners[t]
	next, third := k+1, k+2
	if next > 2 {
		next -= 3
	}
	if third > 2 {
		third -= 3
	}
	return spoke{side{t, c[k] < c[next]}, c[third]}
}

// edge takes the sides of one edge, in the order of their triangles.
func (f *faces) edge(of []uint64) {
	if len(of) == 2 {
		a, b := f.spoke(of[0]), f.spoke(of[1])
		if a.opposite != b.opposite {
			f.join(a.side, b.side)
			return
		}
	}
	f.same = f.same[:0]
	for _, key := range of {
		f.same = append(f.same, f.spoke(key))
	}
	// Triangles with the same corners have the same third one at each of their edges.
	slices.SortStableFunc(f.same, func(a, b spoke) int { return cmp.Compare(a.opposite, b.opposite) })
	n := 0
	for i := range f.same {
		if n > 0 && f.same[i].opposite == f.same[n-1].opposite {
			f.is[f.same[i].face] = false
			continue
		}
		f.same[n] = f.same[i]
		n++
	}
	switch n {
	case 1:
		f.rims = append(f.rims, f.same[0].face)
	case 2:
		f.join(f.same[0].side, f.same[1].side)
	default:
		f.edges = append(f.edges, int32(len(f.sides)))
		for i := range f.same[:n] {
			f.sides = append(f.sides, f.same[i].side)
		}
	}
}

// join connects two faces. Neighbours agree if they run along their edge in opposite directions.
func (f *faces) join(a, b side) { f.sets.join(a.face, b.face, a.forth == b.forth) }
