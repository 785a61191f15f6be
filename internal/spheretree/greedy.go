package spheretree

import (
	"fmt"
	"math"
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/convex"
	"github.com/firstcontact-ros/firstcontact/internal/tri"
)

// Greedy returns the greedy sphere tree over triangles (SPHERE II-B, after Quinlan
// 1994): balls of at most the given radius (m) cover every triangle, neighbours are
// combined from the bottom up, and each parent is the smallest ball around its two
// children's balls. Radius 0 takes the smallest power of two of the whole's radius
// that makes at most twice as many leaves as there are triangles. It fails as
// [Compact] does, and where so small a radius would make too many leaves.
//
// The papers do not say which balls count as nearby. Here they are put in the order of
// a space-filling curve, and of those close to each other in it two are combined
// where each is the other's best match, by the radius of the common ball.
func Greedy(triangles []tri.Triangle, radius float64) (*Tree, error) {
	t, err := newTree(triangles)
	if err != nil {
		return nil, err
	}
	if !(radius >= 0) || math.IsInf(radius, 0) {
		return nil, fmt.Errorf("leaf radius %g m: give a positive one, or 0 for one that suits the mesh", radius)
	}
	if radius == 0 {
		radius = t.leafRadius()
	}
	leaves := t.blanket(radius)
	if leaves == nil {
		return nil, fmt.Errorf("leaf radius %g m makes more than %d leaves of %d triangles: give a larger one", radius, maxLeaves, t.Len())
	}
	t.combine(leaves)
	return t.measure(), nil
}

// maxLeaves bounds the memory of a greedy tree.
const maxLeaves = 1 << 22

// leafRadius chooses a radius for Greedy.
func (t *Tree) leafRadius() float64 {
	most := 2*t.Len() + 16
	radius := new(encloser).near(t.Corners).Radius
	for range 60 {
		if t.countLeaves(radius/2, most) > most {
			break
		}
		radius /= 2
	}
	return radius
}

// countLeaves counts the leaves of a radius, and stops soon after most.
func (t *Tree) countLeaves(radius float64, most int) int {
	n := 0
	var small encloser
	for i := range int32(t.Len()) {
		if !cover(&small, *t.Triangle(i), radius, maxPieces, func(convex.Ball) bool { n++; return n <= most }) {
			break
		}
	}
	return n
}

// blanket returns leaves of at most the given radius that cover the triangles; nil
// where there would be too many.
func (t *Tree) blanket(radius float64) []Node {
	area := 0.0 // of which no ball covers more than pi radius²
	for i := range int32(t.Len()) {
		x := t.Triangle(i)
		area += geom.Norm(cross(sub(x[1], x[0]), sub(x[2], x[0]))) / 2
	}
	if area > maxLeaves*math.Pi*radius*radius || t.countLeaves(radius, maxLeaves) > maxLeaves {
		return nil
	}
	leaves := []Node{}
	var small encloser
	for i := range int32(t.Len()) {
		cover(&small, *t.Triangle(i), radius, maxPieces, func(b convex.Ball) bool {
			leaves = append(leaves, Node{Center: b.Center, Radius: b.Radius, Left: -1, First: i, Count: 1})
			return true
		})
	}
	return leaves
}

// maxPieces is how often a triangle is halved at most: a radius at the limit of the
// coordinates' precision is not reached by halving.
const maxPieces = 40

// cover emits balls that together hold the triangle, of at most the radius where depth
// allows: it halves the longest edge until a piece's ball is small enough. It ends
// early, and returns false, when emit does.
//
// The middle of an edge is rounded by at most 2u of the edge's ends (a sum, and the
// half is exact), so that the pieces as computed may part by that, once for each
// halving and carried on to the pieces' pieces: radii are larger by 2u maxPieces of
// the corners' sizes.
func cover(small *encloser, t tri.Triangle, radius float64, depth int, emit func(convex.Ball) bool) bool {
	b := small.enclose(t[:])
	if b.Radius <= radius || depth == 0 {
		if depth < maxPieces {
			size := max(geom.Norm(t[0]), geom.Norm(t[1]), geom.Norm(t[2]))
			b.Radius = b.Radius*(1+4*u) + 4*u*maxPieces*size
		}
		return emit(b)
	}
	k := 0
	for i := 1; i < 3; i++ {
		if length(&t, i) > length(&t, k) {
			k = i
		}
	}
	p, q, r := t[k], t[(k+1)%3], t[(k+2)%3]
	mid := scale(0.5, add(p, q))
	return cover(small, tri.Triangle{p, mid, r}, radius, depth-1, emit) && cover(small, tri.Triangle{mid, q, r}, radius, depth-1, emit)
}

func length(t *tri.Triangle, i int) float64 {
	d := sub(t[(i+1)%3], t[i])
	return dot(d, d)
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
