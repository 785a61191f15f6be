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
	count   int
	sides   []side  // of all faces, by edge
	edges   []int32 // the first of sides of each edge, and len(sides)
}

// side is an edge of a face: corner k and the next of triangle t.
type side struct {
	to       int32 // the edge's larger vertex
	opposite int32 // the face's third corner
	half     int32 // 3t + k
}

// forth reports whether the face runs along the edge from its smaller vertex to its
// larger one.
func (f *faces) forth(s *side) bool {
	t, k := s.half/3, s.half%3
	return f.corners[t][k] < f.corners[t][(k+1)%3]
}

// spareFaces keeps the memory of faces for the next mesh: fresh memory costs more than what is
// written to it.
var spareFaces = sync.Pool{New: func() any { return new(faces) }}

// facesOf returns the faces of m, to be put into spareFaces.
func facesOf(m *Mesh) *faces {
	at := placesOf(m)
	f := spareFaces.Get().(*faces)
	f.corners, f.is = room(f.corners, len(m.Triangles)), room(f.is, len(m.Triangles))
	start := make([]int32, len(m.Vertices)+1)
	for i, t := range m.Triangles {
		c := [3]int32{at[t[0]], at[t[1]], at[t[2]]}
		f.corners[i] = c
		if f.is[i] = c[0] != c[1] && c[1] != c[2] && c[2] != c[0]; !f.is[i] {
			continue
		}
		for k := range c {
			start[min(c[k], c[(k+1)%3])+1]++
		}
	}
	f.sort(start)
	f.merge(start)
	return f
}

// room returns n elements of any content in the memory of s, or in more.
func room[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// sort puts the sides into order, by the edge's smaller vertex, its larger one, the
// opposite corner and the triangle. On return those of vertex v end where start[v]
// says.
func (f *faces) sort(start []int32) {
	for v := 1; v < len(start); v++ {
		start[v] += start[v-1]
	}
	f.sides = room(f.sides, int(start[len(start)-1]))
	for i, c := range f.corners {
		if !f.is[i] {
			continue
		}
		for k := range c {
			a, b := c[k], c[(k+1)%3]
			v := min(a, b)
			f.sides[start[v]] = side{to: max(a, b), opposite: c[(k+2)%3], half: int32(3*i + k)}
			start[v]++
		}
	}
	from := int32(0)
	for _, end := range start[:len(start)-1] {
		sortSides(f.sides[from:end])
		from = end
	}
}

func sortSides(s []side) {
	if len(s) > 16 {
		slices.SortFunc(s, compareSides)
		return
	}
	for i := 1; i < len(s); i++ {
		x, k := s[i], i
		for ; k > 0 && compareSides(x, s[k-1]) < 0; k-- {
			s[k] = s[k-1]
		}
		s[k] = x
	}
}

func compareSides(a, b side) int {
	if a.to != b.to {
		return cmp.Compare(a.to, b.to)
	}
	if a.opposite != b.opposite {
		return cmp.Compare(a.opposite, b.opposite)
	}
	return cmp.Compare(a.half, b.half)
}

// merge leaves of triangles with the same corners the first, and tells the edges apart.
func (f *faces) merge(end []int32) {
	n, from := 0, int32(0)
	f.edges = room(f.edges, len(f.sides)/2+1)[:0]
	for _, end := range end[:len(end)-1] {
		last := int32(-1) // the edge's larger vertex
		for i := from; i < end; i++ {
			s := f.sides[i]
			if s.to == last && f.sides[n-1].opposite == s.opposite {
				f.is[s.half/3] = false
				continue
			}
			if s.to != last {
				f.edges, last = append(f.edges, int32(n)), s.to
			}
			f.sides[n] = s
			n++
		}
		from = end
	}
	f.sides, f.edges, f.count = f.sides[:n], append(f.edges, int32(n)), n/3
}
