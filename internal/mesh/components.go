package mesh

import "slices"

// Component is a connected part of a mesh.
//
// Closed says that every edge belongs to an even number of the component's
// triangles. Then a ray that misses all edges crosses the component an even or
// an odd number of times depending on nothing but the point it starts from, and
// odd means inside: the triangles are a cycle modulo two, and the parity of
// crossings cannot change without crossing the surface. Neither consistent
// orientation nor manifold edges are needed for that, so files that lack them
// still make solids. Where a component overlaps itself, points inside an even
// number of times count as outside; a solid made of several components is the
// union of their insides.
//
// Triangles with a repeated vertex bound nothing: their edges cancel. A
// component of only such triangles is closed and has no inside.
type Component struct {
	Triangles []int32 // indices into Mesh.Triangles, ascending
	Closed    bool
}

// Components returns the connected components of m, triangles being connected
// where they share a vertex, in the order of their first triangles. It computes
// them anew on each call, in O(n log n).
func (m *Mesh) Components() []Component {
	sets := newUnionFind(len(m.Vertices))
	for _, t := range m.Triangles {
		sets.join(t[0], t[1])
		sets.join(t[0], t[2])
	}
	of := make([]int32, len(m.Vertices)) // 1 + component of a set's root, 0 where none yet
	var out []Component
	for i, t := range m.Triangles {
		root := sets.find(t[0])
		if of[root] == 0 {
			out = append(out, Component{Closed: true})
			of[root] = int32(len(out))
		}
		c := &out[of[root]-1]
		c.Triangles = append(c.Triangles, int32(i))
	}
	for _, v := range m.oddEdges() {
		out[of[sets.find(v)]-1].Closed = false
	}
	return out
}

// oddEdges returns one vertex of each edge that an odd number of triangles share.
func (m *Mesh) oddEdges() []int32 {
	edges := make([]uint64, 0, 3*len(m.Triangles))
	for _, t := range m.Triangles {
		if t[0] == t[1] || t[1] == t[2] || t[2] == t[0] {
			continue
		}
		edges = append(edges, edge(t[0], t[1]), edge(t[1], t[2]), edge(t[2], t[0]))
	}
	slices.Sort(edges)
	var odd []int32
	for i := 0; i < len(edges); {
		j := i + 1
		for j < len(edges) && edges[j] == edges[i] {
			j++
		}
		if (j-i)%2 == 1 {
			odd = append(odd, int32(edges[i]>>32))
		}
		i = j
	}
	return odd
}

// edge names the edge between two vertices, whichever comes first.
func edge(a, b int32) uint64 { return uint64(min(a, b))<<32 | uint64(max(a, b)) }

// unionFind holds disjoint sets of 0 … n-1, with path halving and union by size.
type unionFind struct{ parent, size []int32 }

func newUnionFind(n int) *unionFind {
	u := &unionFind{parent: make([]int32, n), size: make([]int32, n)}
	for i := range u.parent {
		u.parent[i], u.size[i] = int32(i), 1
	}
	return u
}

func (u *unionFind) find(i int32) int32 {
	for u.parent[i] != i {
		u.parent[i] = u.parent[u.parent[i]]
		i = u.parent[i]
	}
	return i
}

func (u *unionFind) join(i, j int32) {
	i, j = u.find(i), u.find(j)
	if i == j {
		return
	}
	if u.size[i] < u.size[j] {
		i, j = j, i
	}
	u.parent[j] = i
	u.size[i] += u.size[j]
}
