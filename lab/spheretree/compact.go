package spheretree

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
)

// Compact is [CompactOf] with a leaf radius that suits the mesh: the smallest, in
// steps of a quarter, that cuts no more than every second triangle or so.
func Compact(triangles []tri.Triangle) (*Tree, error) { return CompactOf(triangles, 0) }

// CompactOf returns the compact sphere tree over triangles (SPHERE II-B and V), cut
// into pieces of at most the given radius (m; 0 chooses one, +Inf cuts nothing), one
// in each leaf: every node's ball is the smallest, to rounding, around the pieces
// below it, and provably holds what they stand for. Any triangles will do, without
// area or equal ones too. It fails where there are none, where a corner is not finite,
// and where so small a radius would make too many pieces.
//
// Nodes are split from the top where the balls of the parts, each weighed with the
// number of its pieces, have the least surface, of a few planes at right angles to
// the axes and to the direction in which the pieces spread most.
func CompactOf(triangles []tri.Triangle, radius float64) (*Tree, error) {
	t, err := newTree(triangles, radius)
	if err != nil {
		return nil, err
	}
	b := builder{tree: t}
	b.build()
	return t.measure(), nil
}

// builder splits a compact tree's triangles.
type builder struct {
	encloser
	tree *Tree
	keys []float64 // of the triangles of a node: where along the direction
	side [2][]geom.Vec
	best [2]convex.Ball // around the parts of the last split
}

// medianDepth is the depth from which nodes are split in half, so that no tree is
// deeper than 32 more, whatever its triangles.
const medianDepth = 64

func (b *builder) build() {
	t := b.tree
	n := len(t.Order)
	t.Nodes = make([]Node, 0, 2*n-1)
	b.add(b.enclose(t.Corners), 0, n)
	type task struct{ node, depth int32 }
	todo := []task{{0, 0}}
	for len(todo) > 0 {
		k := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		first, count := int(t.Nodes[k.node].First), int(t.Nodes[k.node].Count)
		if count == 1 {
			continue
		}
		left := b.split(first, count, k.depth < medianDepth)
		at := int32(len(t.Nodes))
		t.Nodes[k.node].Left = at
		b.add(b.best[0], first, left)
		b.add(b.best[1], first+left, count-left)
		todo = append(todo, task{at + 1, k.depth + 1}, task{at, k.depth + 1})
	}
}

func (b *builder) add(ball convex.Ball, first, count int) {
	ball = b.tree.grown(ball)
	b.tree.Nodes = append(b.tree.Nodes, Node{Center: ball.Center, Radius: ball.Radius, Left: -1, First: int32(first), Count: int32(count)})
}

// split reorders the node's triangles and returns how many go left, at least one and
// not all; best then holds the balls.
func (b *builder) split(first, count int, choose bool) int {
	directions := [4]geom.Vec{{X: 1}, {Y: 1}, {Z: 1}, b.spread(first, count)}
	found, foundCut, cost := -1, cut{}, math.Inf(1)
	for i := range directions {
		c, ok := b.cheapest(first, count, directions[i])
		if !choose || !ok {
			continue
		}
		if k := b.weigh(first, count, c); k < cost {
			found, foundCut, cost = i, c, k
		}
	}
	if found < 0 {
		return b.halve(first, count, directions[3])
	}
	return b.partition(first, count, directions[found], foundCut)
}

// weighCorners is of how many corners, about, the ball of a part is worked out for
// comparing cuts: of more, every so many-th is taken.
const weighCorners = 1500

// weigh returns the cost of a cut: surfaces of the parts' balls, each weighed with its
// pieces.
func (b *builder) weigh(first, count int, c cut) float64 {
	b.side[0], b.side[1] = b.side[0][:0], b.side[1][:0]
	pieces := [2]int{}
	every := 1 + 3*count/(2*weighCorners)
	for i := range count {
		k := 0
		if !c.left(b.keys[i]) {
			k = 1
		}
		if pieces[k]%every == 0 {
			b.side[k] = append(b.side[k], b.tree.Triangle(int32(first + i))[:]...)
		}
		pieces[k]++
	}
	sum := 0.0
	for k, points := range b.side {
		r := b.near(points).Radius
		sum += float64(pieces[k]) * r * r
	}
	return sum
}

// partition moves the triangles left of the cut to the front.
func (b *builder) partition(first, count int, direction geom.Vec, c cut) int {
	b.project(first, count, direction)
	i, j := 0, count-1
	for i <= j {
		if c.left(b.keys[i]) {
			i++
			continue
		}
		b.swap(first, i, j)
		j--
	}
	b.encloseParts(first, i, count)
	return i
}

func (b *builder) encloseParts(first, left, count int) {
	c := b.tree.Corners
	b.best[0] = b.enclose(c[3*first : 3*(first+left)])
	b.best[1] = b.enclose(c[3*(first+left) : 3*(first+count)])
}

// halve splits at the median along a direction.
func (b *builder) halve(first, count int, direction geom.Vec) int {
	b.project(first, count, direction)
	lo, hi, nth := 0, count-1, count/2
	for lo < hi { // Hoare's selection
		pivot := b.keys[(lo+hi)/2]
		i, j := lo, hi
		for i <= j {
			for b.keys[i] < pivot {
				i++
			}
			for b.keys[j] > pivot {
				j--
			}
			if i <= j {
				b.swap(first, i, j)
				i++
				j--
			}
		}
		switch {
		case nth <= j:
			hi = j
		case nth >= i:
			lo = i
		default:
			lo = hi
		}
	}
	b.encloseParts(first, nth, count)
	return nth
}

// swap exchanges two of the node's triangles and their keys.
func (b *builder) swap(first, i, j int) {
	b.keys[i], b.keys[j] = b.keys[j], b.keys[i]
	t, p, q := b.tree, first+i, first+j
	t.Order[p], t.Order[q] = t.Order[q], t.Order[p]
	x, y := t.Triangle(int32(p)), t.Triangle(int32(q))
	*x, *y = *y, *x
}

// project works out where each triangle's middle, tripled, is along a direction.
func (b *builder) project(first, count int, direction geom.Vec) {
	b.keys = b.keys[:0]
	for i := range count {
		v := b.tree.Triangle(int32(first + i))
		b.keys = append(b.keys, dot(direction, v[0])+dot(direction, v[1])+dot(direction, v[2]))
	}
}
