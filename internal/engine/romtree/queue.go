package romtree

import "github.com/firstcontact-ros/firstcontact/internal/base/heap"

// What may be queued. For two shapes a is the model's pair; for two meshes of which no
// more is known than what their hulls say b is the number of that comparison.
const (
	twoMeshes uint8 = iota
	twoShapes
	twoLinks
	linkAndTree
	twoTrees
)

// item is two things that may be the closest, and a lower bound of their distance.
type item struct {
	lower float64
	a, b  int32
	kind  uint8
}

// queue gives out the item with the smallest bound first.
type queue struct{ heap.Min[things] }

// things are an item without its bound.
type things struct {
	a, b int32
	kind uint8
}

func (q *queue) push(x item) { q.Push(x.lower, things{x.a, x.b, x.kind}) }

func (q *queue) pop() item {
	x := q.Pop()
	return item{x.Key, x.Value.a, x.Value.b, x.Value.kind}
}
