package romtree

// What may be queued. For two shapes a is the model's pair; for two meshes of which no
// more is known than what their hulls say b is the number of that glance.
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

// queue gives out the item with the smallest bound: a heap, by value.
type queue []item

func (q *queue) push(x item) {
	h := append(*q, x)
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 2
		if h[up].lower <= x.lower {
			break
		}
		h[i] = h[up]
		i = up
	}
	h[i] = x
	*q = h
}

func (q *queue) pop() item {
	h := *q
	top, last := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	*q = h
	if len(h) == 0 {
		return top
	}
	i := 0
	for {
		c := 2*i + 1
		if c >= len(h) {
			break
		}
		if c+1 < len(h) && h[c+1].lower < h[c].lower {
			c++
		}
		if h[c].lower >= last.lower {
			break
		}
		h[i] = h[c]
		i = c
	}
	h[i] = last
	return top
}
