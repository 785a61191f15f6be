package model

import "github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"

// Spheres returns the number of spheres in an element's tree and of its levels. Each sphere is
// a small one around all that is below it, independent of its children's (the compact combine
// method of SPHERE, section II-B). A primitive has one.
func (e *Element) Spheres() (n, levels int) {
	if e.Leaves == nil {
		return 1, 1
	}
	return len(e.Leaves.Tree.Nodes), depth(e.Leaves.Tree, 0)
}

func depth(t *bvh.Tree, node int32) int {
	left := t.Nodes[node].Left
	if left < 0 {
		return 1
	}
	return 1 + max(depth(t, left), depth(t, left+1))
}
