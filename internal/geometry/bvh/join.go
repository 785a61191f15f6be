package bvh

import "github.com/firstcontact-ros/firstcontact/geom"

// Refit returns the tree for other boxes of the same items: what lies below each node stays, and
// so does Order. Item i has box i, as in NewWide.
func (t *Wide) Refit(boxes []geom.Box) *Wide {
	r := &Wide{Nodes: make([]WideNode, len(t.Nodes)), Order: t.Order}
	copy(r.Nodes, t.Nodes)
	below := make([]geom.Box, len(t.Nodes))
	for at := len(r.Nodes) - 1; at >= 0; at-- { // children stand after their parent
		n := &r.Nodes[at]
		all := geom.EmptyBox()
		for i := range int(n.Count) {
			var box *geom.Box
			if child := n.Child[i]; child >= 0 {
				box = &below[child]
			} else {
				box = &boxes[t.Order[^child]]
			}
			n.hold(i, Outward(*box))
			unite(&all, box)
		}
		below[at] = all
	}
	return r
}

// hold sets the box of a child. Children are set from the first on.
func (n *WideNode) hold(i int, box Box32) {
	if i == 0 {
		n.Box = box
	}
	for k := range 3 {
		n.Lo[k][i], n.Hi[k][i] = box.Lo[k], box.Hi[k]
		n.Box.Lo[k], n.Box.Hi[k] = min(n.Box.Lo[k], box.Lo[k]), max(n.Box.Hi[k], box.Hi[k])
	}
}

// Part is a tree to be joined with others.
type Part struct {
	Tree *Wide    // nil for a single item
	Box  geom.Box // around all of its items
}

func (p *Part) items() int32 {
	if p.Tree == nil {
		return 1
	}
	return int32(len(p.Tree.Order))
}

// Join returns a tree over the items of all parts. The items of a part stand together and in
// the part's order; parts lists the parts in the order of their items. Order numbers the items
// part by part as they are given. The parts' trees are copied as they are.
func Join(of []Part) (t *Wide, parts []int32) {
	j := joiner{of: of, t: &Wide{}, first: make([]int32, len(of))}
	boxes := make([]geom.Box, len(of))
	nodes, items := 0, int32(0)
	for i := range of {
		boxes[i], j.first[i] = of[i].Box, items
		items += of[i].items()
		if of[i].Tree != nil {
			nodes += len(of[i].Tree.Nodes)
		}
	}
	j.top = NewWide(boxes)
	j.t.Nodes, j.t.Order = make([]WideNode, 0, nodes+len(j.top.Nodes)), make([]int32, 0, items)
	switch {
	case len(of) == 1 && of[0].Tree != nil:
		j.part(0)
	case len(of) > 0:
		j.node(0)
	}
	return j.t, j.order
}

type joiner struct {
	of    []Part
	first []int32 // number of each part's first item
	top   *Wide   // over the parts
	t     *Wide
	order []int32 // the parts appended so far
}

// node appends a node over parts, and all below it.
func (j *joiner) node(top int32) int32 {
	at := int32(len(j.t.Nodes))
	j.t.Nodes = append(j.t.Nodes, j.top.Nodes[top])
	first := int32(len(j.t.Order))
	for i := range int(j.top.Nodes[top].Count) {
		var child int32
		if c := j.top.Nodes[top].Child[i]; c >= 0 {
			child = j.node(c)
		} else {
			child = j.part(j.top.Order[^c])
		}
		j.t.Nodes[at].Child[i] = child
	}
	j.t.Nodes[at].First, j.t.Nodes[at].Items = first, int32(len(j.t.Order))-first
	return at
}

// part appends the items and nodes of a part, and returns it as a child.
func (j *joiner) part(part int32) (child int32) {
	p, first := &j.of[part], int32(len(j.t.Order))
	j.order = append(j.order, part)
	for k := range p.items() {
		item := k
		if p.Tree != nil {
			item = p.Tree.Order[k]
		}
		j.t.Order = append(j.t.Order, j.first[part]+item)
	}
	if p.Tree == nil {
		return ^first
	}
	at := int32(len(j.t.Nodes))
	j.t.Nodes = append(j.t.Nodes, p.Tree.Nodes...)
	for i := range j.t.Nodes[at:] {
		n := &j.t.Nodes[at+int32(i)]
		n.First += first
		for k := range int(n.Count) {
			if n.Child[k] >= 0 {
				n.Child[k] += at
			} else {
				n.Child[k] -= first // ^(item + first)
			}
		}
	}
	return at
}
