package model

import (
	"slices"
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
	used := make([]int32, 0, 3*n.Count)
	for _, i := range l.Tree.Order[n.First : n.First+n.Count] {
		used = append(used, l.Mesh.Triangles[i][:]...)
	}
	slices.Sort(used)
	used = slices.Compact(used)
	vertices := make([]geom.Vec, len(used))
	for k, v := range used {
		vertices[k] = l.Mesh.Vertices[v]
	}
	c, err := convex.New(convex.Core{Kind: convex.Hull, Vertices: vertices})
	if err != nil {
		panic("model: a mesh has vertices that are no points: " + err.Error())
	}
	return &c
}
