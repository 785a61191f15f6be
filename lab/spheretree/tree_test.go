package spheretree

import (
	"math"
	"math/big"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
)

// checkCompact holds a compact tree to its word: every triangle is in exactly one
// leaf and, in interval arithmetic, inside the ball of every ancestor; ranges and
// children are as documented.
//
// Of a triangle that was cut the pieces are, which an exact twin of the cutting
// compares with the triangle.
func checkCompact(t *testing.T, name string, tree *Tree, given []tri.Triangle) (checked int) {
	t.Helper()
	if len(tree.Nodes) != 2*tree.Len()-1 {
		t.Fatalf("%s: %d nodes of %d pieces", name, len(tree.Nodes), tree.Len())
	}
	checkPieces(t, name, tree, given)
	seen := make([]int, tree.Len())
	for i := range tree.Nodes {
		n := &tree.Nodes[i]
		for k := n.First; k < n.First+n.Count; k++ {
			for _, v := range tree.Triangle(k) {
				checked++
				if outside(n.Center, n.Radius, v) {
					t.Fatalf("%s: node %d: %v is outside the ball about %v of radius %g", name, i, v, n.Center, n.Radius)
				}
			}
		}
		if n.Leaf() {
			if n.Count != 1 {
				t.Fatalf("%s: leaf %d has %d triangles", name, i, n.Count)
			}
			seen[n.First]++
			continue
		}
		l, r := &tree.Nodes[n.Left], &tree.Nodes[n.Left+1]
		if int(n.Left) <= i || l.First != n.First || r.First != n.First+l.Count || l.Count+r.Count != n.Count || l.Count < 1 || r.Count < 1 {
			t.Fatalf("%s: node %d: its children do not share its triangles", name, i)
		}
	}
	for k, n := range seen {
		if n != 1 {
			t.Fatalf("%s: piece %d is in %d leaves", name, k, n)
		}
	}
	if d := len(tree.Levels()); d > medianDepth+33 {
		t.Errorf("%s: %d levels", name, d)
	}
	return checked
}

// checkPieces compares the pieces of every triangle with it: the triangle itself where
// it was not cut, else corners that are, to the tree's blur, where halving the edges in
// exact arithmetic puts them, the pieces of the halves making up the whole.
func checkPieces(t *testing.T, name string, tree *Tree, given []tri.Triangle) {
	t.Helper()
	pieces := make([]map[tri.Triangle]int, len(given))
	for i, k := range tree.Order {
		if pieces[k] == nil {
			pieces[k] = map[tri.Triangle]int{}
		}
		pieces[k][*tree.Triangle(int32(i))]++
	}
	for k := range given {
		if pieces[k][given[k]] > 0 && len(pieces[k]) == 1 {
			continue
		}
		if tree.blur == 0 || !madeOf(given[k], exactly(given[k]), pieces[k], tree.blur, maxHalvings) || len(pieces[k]) != 0 {
			t.Fatalf("%s: triangle %d is not its %d pieces", name, k, len(pieces[k]))
		}
	}
}

// corners are those of a triangle in exact arithmetic.
type corners [3][3]*big.Float

func exactly(t tri.Triangle) (out corners) {
	for i, v := range t {
		for j, x := range [3]float64{v.X, v.Y, v.Z} {
			out[i][j] = new(big.Float).SetPrec(exact).SetFloat64(x)
		}
	}
	return out
}

// madeOf takes the pieces of a triangle out of the map: itself, or those of its halves,
// the exact triangle being halved alongside. It is false where a piece is missing or
// too far from where it should be.
func madeOf(t tri.Triangle, truth corners, pieces map[tri.Triangle]int, blur float64, depth int) bool {
	if pieces[t] > 0 {
		if pieces[t]--; pieces[t] == 0 {
			delete(pieces, t)
		}
		for i, v := range t {
			for j, x := range [3]float64{v.X, v.Y, v.Z} {
				d, _ := new(big.Float).SetPrec(exact).Sub(big.NewFloat(x), truth[i][j]).Float64()
				if math.Abs(d)*math.Sqrt(3) > blur {
					return false
				}
			}
		}
		return true
	}
	if depth == 0 {
		return false
	}
	for k := range 3 { // whichever edge it was
		p, q, r := t[k], t[(k+1)%3], t[(k+2)%3]
		if length(&t, k) < length(&t, (k+1)%3) || length(&t, k) < length(&t, (k+2)%3) {
			continue
		}
		mid := scale(0.5, add(p, q))
		var m [3]*big.Float
		for j := range m {
			m[j] = new(big.Float).SetPrec(exact).Add(truth[k][j], truth[(k+1)%3][j])
			m[j].Mul(m[j], big.NewFloat(0.5))
		}
		x, y, z := truth[k], truth[(k+1)%3], truth[(k+2)%3]
		return madeOf(tri.Triangle{p, mid, r}, corners{x, m, z}, pieces, blur, depth-1) &&
			madeOf(tri.Triangle{mid, q, r}, corners{m, y, z}, pieces, blur, depth-1)
	}
	return false
}

// checkGreedy holds a greedy tree to its word: in exact arithmetic each parent's ball
// holds its children's, and every triangle is covered by the balls of its leaves.
func checkGreedy(t *testing.T, name string, tree *Tree, given []tri.Triangle) {
	t.Helper()
	leaves := make([][]Node, len(given))
	for i := range tree.Nodes {
		n := &tree.Nodes[i]
		if n.Leaf() {
			k := tree.Order[n.First]
			leaves[k] = append(leaves[k], *n)
			continue
		}
		for c := n.Left; c <= n.Left+1; c++ {
			if int(c) <= i || !within(&tree.Nodes[c], n) {
				t.Fatalf("%s: node %d sticks out of its parent %d", name, c, i)
			}
		}
		if n.Count != tree.Nodes[n.Left].Count+tree.Nodes[n.Left+1].Count {
			t.Fatalf("%s: node %d counts wrong", name, i)
		}
	}
	for k := range leaves {
		if !covered(given[k], leaves[k], 60) {
			t.Fatalf("%s: triangle %d is not covered by its %d leaves", name, k, len(leaves[k]))
		}
	}
}

// within reports whether the child's ball is inside the parent's, exactly: with d the
// distance of the centres, d <= R - r.
func within(child, parent *Node) bool {
	sum := new(big.Float).SetPrec(exact)
	for _, x := range [3][2]float64{{child.Center.X, parent.Center.X}, {child.Center.Y, parent.Center.Y}, {child.Center.Z, parent.Center.Z}} {
		d := new(big.Float).SetPrec(exact).Sub(big.NewFloat(x[0]), big.NewFloat(x[1]))
		sum.Add(sum, d.Mul(d, d))
	}
	room := new(big.Float).SetPrec(exact).Sub(big.NewFloat(parent.Radius), big.NewFloat(child.Radius))
	return room.Sign() >= 0 && sum.Cmp(room.Mul(room, room)) <= 0
}

// covered cuts a triangle until each piece is inside one ball. The cuts are rounded,
// which the balls allow for many times over.
func covered(t tri.Triangle, balls []Node, depth int) bool {
	for i := range balls {
		b := &balls[i]
		if !outside(b.Center, b.Radius, t[0]) && !outside(b.Center, b.Radius, t[1]) && !outside(b.Center, b.Radius, t[2]) {
			return true
		}
	}
	if depth == 0 {
		return false
	}
	k := 0
	for i := 1; i < 3; i++ {
		if length(&t, i) > length(&t, k) {
			k = i
		}
	}
	p, q, r := t[k], t[(k+1)%3], t[(k+2)%3]
	mid := scale(0.5, add(p, q))
	return covered(tri.Triangle{p, mid, r}, balls, depth-1) && covered(tri.Triangle{mid, q, r}, balls, depth-1)
}

func TestCompactTreesEnclose(t *testing.T) {
	for name, m := range models() {
		tree := mustTree(t)(CompactOf(m, math.Inf(1)))
		checkCompact(t, name+", whole", tree, m)
		if tree.Len() != len(m) || tree.blur != 0 {
			t.Errorf("%s: something was cut", name)
		}
		tree = mustTree(t)(Compact(m))
		checkCompact(t, name, tree, m)
		if r := tree.Nodes[0].Radius; r > 0 && len(m) < 100 && r < 1e6 {
			checkCompact(t, name+", finer", mustTree(t)(CompactOf(m, r/9)), m)
		}
		nested := tree.Nested()
		for i := range nested.Nodes {
			if n := &nested.Nodes[i]; !n.Leaf() && !(within(&nested.Nodes[n.Left], n) && within(&nested.Nodes[n.Left+1], n)) {
				t.Fatalf("%s: a child of nested node %d sticks out", name, i)
			}
		}
	}
}

func TestGreedyTreesEnclose(t *testing.T) {
	for name, m := range models() {
		tree := mustTree(t)(Greedy(m, 0))
		checkGreedy(t, name, tree, m)
		if r := tree.Nodes[0].Radius; r > 0 && tree.Len() < 100 && r < 1e6 {
			checkGreedy(t, name+", finer", mustTree(t)(Greedy(m, r/9)), m)
		}
	}
}

// A compact tree's ball is no larger than that of the same triangles with children
// inside, and over an L much smaller in sum.
func TestCompactIsSmaller(t *testing.T) {
	for name, m := range models() {
		tree := mustTree(t)(Compact(m))
		nested := tree.Nested()
		for i := range tree.Nodes {
			if c, n := tree.Nodes[i].Radius, nested.Nodes[i].Radius; c > n*(1+1e-9)+1e-300 {
				t.Fatalf("%s: node %d: compact radius %g, nested %g", name, i, c, n)
			}
		}
	}
	tree := mustTree(t)(Compact(lShape(8)))
	if c, n := tree.Volume(), tree.Nested().Volume(); c > 0.8*n {
		t.Errorf("an L's compact balls have a volume of %g, nested ones of %g", c, n)
	}
}

func TestBadTrees(t *testing.T) {
	for name, ts := range map[string][]tri.Triangle{
		"nothing": nil, "NaN": {{{X: math.NaN()}}}, "infinity": {{}, {{Y: math.Inf(-1)}}}, "too far": {{{Z: 1e31}}},
	} {
		if _, err := Compact(ts); err == nil {
			t.Errorf("%s: a compact tree", name)
		}
		if _, err := Greedy(ts, 0); err == nil {
			t.Errorf("%s: a greedy tree", name)
		}
	}
	for _, r := range []float64{-1, math.NaN(), 1e-9} {
		if _, err := Greedy(boxMesh(1, 1, 1), r); err == nil {
			t.Errorf("a greedy tree with leaves of %g", r)
		}
	}
}

// The same triangles give the same trees.
func TestTreesAreDeterministic(t *testing.T) {
	m := soup(300, 1)
	for name, build := range map[string]func() (*Tree, error){
		"compact": func() (*Tree, error) { return Compact(m) },
		"greedy":  func() (*Tree, error) { return Greedy(m, 0) },
	} {
		a, b := mustTree(t)(build()), mustTree(t)(build())
		for i := range a.Nodes {
			if a.Nodes[i] != b.Nodes[i] {
				t.Fatalf("%s: node %d differs", name, i)
			}
		}
	}
}

// Levels add up.
func TestLevels(t *testing.T) {
	tree := mustTree(t)(Compact(soup(100, 3)))
	balls := 0
	for _, l := range tree.Levels() {
		balls += l.Balls
		if !(l.Mean <= l.Most*(1+1e-12)) {
			t.Errorf("%+v", l)
		}
	}
	if balls != len(tree.Nodes) {
		t.Errorf("%d balls on the levels of %d nodes", balls, len(tree.Nodes))
	}
	one := mustTree(t)(CompactOf([]tri.Triangle{{{X: -1}, {X: 1}, {Y: 1}}}, math.Inf(1)))
	if v := one.Volume(); math.Abs(v-4*math.Pi/3) > 1e-12 {
		t.Errorf("volume %g", v)
	}
	if c, r := one.Root(); geom.Norm(c) > 1e-12 || math.Abs(r-1) > 1e-12 {
		t.Errorf("root %v %g", c, r)
	}
}
