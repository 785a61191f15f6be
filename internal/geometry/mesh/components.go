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
	_, parts := Topology(m)
	return parts
}

// components connects patches, and triangles that are in none, that have a corner in common.
func (f *faces) components(p *patches, vertices int) []Component {
	of := make([]int32, len(f.corners)) // a set for each triangle
	n := int32(p.count)
	for t := range of {
		if of[t] = p.of[t] >> 1; of[t] < 0 {
			of[t] = n
			n++
		}
	}
	sets := newUnionFind(int(n))
	if n > 1 {
		f.touch(of, sets, vertices)
	}
	part := make([]int32, n) // 1 + component of a set's root, 0 where none yet
	var sizes []int
	for t := range of {
		root := sets.find(of[t])
		if part[root] == 0 {
			sizes = append(sizes, 0)
			part[root] = int32(len(sizes))
		}
		of[t] = part[root] - 1
		sizes[of[t]]++
	}
	out, all := make([]Component, len(sizes)), make([]int32, len(of))
	for i, size := range sizes {
		out[i].Triangles, all = all[:0:size], all[size:]
	}
	for t, i := range of {
		out[i].Triangles = append(out[i].Triangles, int32(t))
	}
	return out
}

// touch joins the sets of triangles at each vertex.
func (f *faces) touch(of []int32, sets *unionFind, vertices int) {
	first := make([]int32, vertices) // 1 + the set of a triangle at each vertex, 0 where none yet
	for t := range f.corners {
		set := of[t]
		for _, v := range f.corners[t] {
			switch first[v] {
			case set + 1:
			case 0:
				first[v] = set + 1
			default:
				sets.join(first[v]-1, set)
			}
		}
	}
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
