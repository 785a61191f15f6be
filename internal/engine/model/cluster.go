package model

import (
	"math/bits"
	"sync"
	"sync/atomic"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// lazyClusters are clusters of a mesh, each made on first use and shared by all models with
// the mesh.
type lazyClusters struct {
	once sync.Once
	of   []atomic.Pointer[convex.Core] // of each node
}

// Cluster returns the convex hull of the triangles below a node of a mesh's hierarchy, given by
// their vertices: nothing is left out, so that it needs no proof. Padding is not included.
func (l *Leaves) Cluster(node int32) *convex.Core {
	s := &l.clusters
	s.once.Do(func() { s.of = make([]atomic.Pointer[convex.Core], len(l.Tree.Nodes)) })
	at := &s.of[node]
	if at.Load() == nil {
		at.CompareAndSwap(nil, l.cluster(node)) // whoever comes second has made the same
	}
	return at.Load()
}

func (l *Leaves) cluster(node int32) *convex.Core {
	n := &l.Tree.Nodes[node]
	seen := make(indexSet, setSize(3*int(n.Count)))
	vertices := make([]geom.Vec, 0, n.Count)
	for _, i := range l.Tree.Order[n.First : n.First+n.Count] {
		for _, v := range l.Mesh.Triangles[i] {
			if seen.add(v) {
				vertices = append(vertices, l.Mesh.Vertices[v])
			}
		}
	}
	c, err := convex.NewInOrder(convex.Core{Kind: convex.Hull, Vertices: vertices})
	if err != nil {
		panic("model: a mesh has vertices that are no points: " + err.Error())
	}
	return &c
}

// indexSet is a hash table of indices, each plus one; 0 is a free place.
type indexSet []int32

// setSize is the size of a set of up to n indices: a power of two, at most half of it used.
func setSize(n int) int { return 1 << bits.Len(uint(2*n-1)) }

// add reports whether the set did not have the index.
func (s indexSet) add(index int32) bool {
	mask := uint32(len(s) - 1)
	for at := uint32(index) * 0x9e3779b1 >> 7 & mask; ; at = (at + 1) & mask {
		switch s[at] {
		case 0:
			s[at] = index + 1
			return true
		case index + 1:
			return false
		}
	}
}
