package mesh

// Component is a connected part of a mesh: while it does not intersect something, all of it is
// on one side. For the solid that it may enclose see [Solid].
type Component struct {
	Triangles []int32 // indices into Mesh.Triangles, ascending
}

// ComponentsOf returns the connected components of m, in the order of their first triangles.
// Triangles are connected if they share the position of a vertex. It computes them on each
// call, in O(n log n).
func ComponentsOf(m *Mesh) []Component {
	at := placesOf(m)
	sets := newUnionFind(len(m.Vertices))
	for _, t := range m.Triangles {
		sets.join(at[t[0]], at[t[1]])
		sets.join(at[t[0]], at[t[2]])
	}
	of := make([]int32, len(m.Vertices)) // 1 + component of a set's root, 0 where none yet
	var out []Component
	for i, t := range m.Triangles {
		root := sets.find(at[t[0]])
		if of[root] == 0 {
			out = append(out, Component{})
			of[root] = int32(len(out))
		}
		c := &out[of[root]-1]
		c.Triangles = append(c.Triangles, int32(i))
	}
	return out
}

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
