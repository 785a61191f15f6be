package spheretree

import (
	"math"
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
)

// Greedy returns the greedy sphere tree over triangles (SPHERE II-B, after Quinlan
// 1994): the pieces' balls are combined with their neighbours' from the bottom up, and
// each parent is the smallest ball around its two children's balls. Triangles are cut
// to the given radius as [CompactOf] does; it fails as that does.
//
// The papers do not say which balls count as nearby. Here they are put in the order of
// a space-filling curve, and of those close to each other in it two are combined
// where each is the other's best match, by the radius of the common ball.
func Greedy(triangles []tri.Triangle, radius float64) (*Tree, error) {
	t, err := newTree(triangles, radius)
	if err != nil {
		return nil, err
	}
	leaves := make([]Node, t.Len())
	var small encloser
	for i := range leaves {
		b := t.grown(small.enclose(t.Triangle(int32(i))[:]))
		leaves[i] = Node{Center: b.Center, Radius: b.Radius, Left: -1, First: int32(i), Count: 1}
	}
	t.combine(leaves)
	return t.measure(), nil
}

// window is how far along the curve a match is looked for.
const window = 12

// combine builds the tree over leaves from the bottom up.
//
// In each round neighbours that are each other's best match are combined. Where fewer
// than one in sixteen are, all are combined with the next along the curve instead, so
// that rounds, and with them the depth, stay few.
func (t *Tree) combine(leaves []Node) {
	now := sortAlongCurve(leaves)
	made := make([][2]Node, 0, len(leaves)) // children of the nodes made, by their First
	for len(now) > 1 {
		match := matches(now)
		next := now[:0:0]
		taken := make([]bool, len(now))
		join := func(i, j int) {
			made = append(made, [2]Node{now[i], now[j]})
			b := around(now[i].ball(), now[j].ball())
			next = append(next, Node{
				Center: b.Center, Radius: b.Radius, Left: int32(len(made) - 1),
				First: -1, Count: now[i].Count + now[j].Count,
			})
			taken[i], taken[j] = true, true
		}
		pairs := 0
		for i, j := range match {
			if i < j && match[j] == i {
				pairs++
			}
		}
		if 16*pairs < len(now) {
			for i := range match {
				match[i] = i ^ 1
			}
		}
		for i := range now {
			if taken[i] {
				continue
			}
			if j := match[i]; j > i && j < len(now) && match[j] == i {
				join(i, j)
				continue
			}
			next = append(next, now[i])
		}
		now = next
	}
	t.layOut(now[0], made)
}

func (n *Node) ball() convex.Ball { return convex.Ball{Center: n.Center, Radius: n.Radius} }

// matches returns, for each ball, which of those near it along the curve makes the
// smallest ball with it.
func matches(now []Node) []int {
	best := make([]int, len(now))
	least := make([]float64, len(now))
	for i := range now {
		least[i], best[i] = math.Inf(1), i
	}
	for i := range now {
		for j := i + 1; j < min(i+1+window, len(now)); j++ {
			r := around(now[i].ball(), now[j].ball()).Radius
			if r < least[i] {
				least[i], best[i] = r, j
			}
			if r < least[j] {
				least[j], best[j] = r, i
			}
		}
	}
	return best
}

// around returns a ball that provably holds two, the smallest to rounding.
func around(a, b convex.Ball) convex.Ball {
	d := sub(b.Center, a.Center)
	apart := geom.Norm(d)
	c := a
	switch {
	case apart+a.Radius <= b.Radius:
		c = b
	case apart+b.Radius <= a.Radius:
	default:
		c.Center = along(a.Center, (apart+b.Radius-a.Radius)/2/apart, d)
	}
	// Each reach is a distance, off by 3.5u (or, where squares vanish, 2^-500), and a sum.
	c.Radius = max(geom.Norm(sub(c.Center, a.Center))+a.Radius, geom.Norm(sub(c.Center, b.Center))+b.Radius)
	c.Radius = c.Radius*(1+6*u) + underflow
	return c
}

// layOut puts the nodes below root in the tree's array, siblings adjacent: Left of a
// node made is its place in made, until then.
func (t *Tree) layOut(root Node, made [][2]Node) {
	t.Nodes = append(make([]Node, 0, 2*len(made)+1), root)
	todo := []int32{0}
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		n := &t.Nodes[i]
		if n.Left < 0 {
			continue
		}
		children := made[n.Left]
		n.Left = int32(len(t.Nodes))
		todo = append(todo, n.Left+1, n.Left)
		t.Nodes = append(t.Nodes, children[0], children[1])
	}
}

// sortAlongCurve orders balls by the Morton code of their centres.
func sortAlongCurve(leaves []Node) []Node {
	box := geom.EmptyBox()
	for i := range leaves {
		box = extend(box, leaves[i].Center)
	}
	d := sub(box.Max, box.Min)
	size := max(d.X, d.Y, d.Z)
	type coded struct {
		code uint64
		at   int32
	}
	codes := make([]coded, len(leaves))
	for i := range leaves {
		p := sub(leaves[i].Center, box.Min)
		codes[i] = coded{spreadBits(p.X, size) | spreadBits(p.Y, size)<<1 | spreadBits(p.Z, size)<<2, int32(i)}
	}
	slices.SortFunc(codes, func(a, b coded) int {
		switch {
		case a.code != b.code && a.code < b.code, a.code == b.code && a.at < b.at:
			return -1
		case a == b:
			return 0
		}
		return 1
	})
	out := make([]Node, len(leaves))
	for i, c := range codes {
		out[i] = leaves[c.at]
	}
	return out
}

// spreadBits returns the 20 bits of x/size at every third place.
func spreadBits(x, size float64) uint64 {
	if !(size > 0) {
		return 0
	}
	v := uint64(min(max(x/size, 0), 1) * (1<<20 - 1))
	v = (v | v<<32) & 0x1f00000000ffff
	v = (v | v<<16) & 0x1f0000ff0000ff
	v = (v | v<<8) & 0x100f00f00f00f00f
	v = (v | v<<4) & 0x10c30c30c30c30c3
	return (v | v<<2) & 0x1249249249249249
}

// Nested returns a compact tree's grouping with the greedy method's balls: leaves keep
// theirs, each parent is the smallest ball around its two children's (SPHERE Figure
// 2a). What sets it apart from the compact tree is the way to combine alone.
func (t *Tree) Nested() *Tree {
	out := *t
	out.Nodes = slices.Clone(t.Nodes)
	out.reach = 0
	for i := len(out.Nodes) - 1; i >= 0; i-- { // children come after their parents
		n := &out.Nodes[i]
		if n.Leaf() {
			continue
		}
		b := around(out.Nodes[n.Left].ball(), out.Nodes[n.Left+1].ball())
		n.Center, n.Radius = b.Center, b.Radius
	}
	return out.measure()
}
