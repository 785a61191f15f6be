package lazyprm

import "math/rand/v2"

// milestone is a configuration that is free of collision. The segment to its parent
// need not be.
type milestone struct {
	q        []float64 // rad or m
	unit     []float64 // as a share of each joint's limits
	parent   *milestone
	children []*milestone
	edge     *Edge // to the parent, in the direction from the start to the goal; nil at a root
	home     *tree
	slot     int // in its cell
}

// tree grows from one end of the problem.
type tree struct {
	root     *milestone
	fromGoal bool
	size     int
	grid     *grid
}

func newTree(dice *rand.Rand, root *milestone, fromGoal bool) *tree {
	t := &tree{root: root, fromGoal: fromGoal, grid: newGrid(dice, len(root.q))}
	t.add(root)
	return t
}

func (t *tree) add(m *milestone) {
	m.home = t
	t.size++
	t.grid.add(m)
}

// grow hangs m under a parent of this tree.
func (t *tree) grow(parent, m *milestone) {
	m.parent, m.edge = parent, NewEdge(parent.q, m.q)
	if t.fromGoal {
		m.edge.turn()
	}
	parent.children = append(parent.children, m)
	t.add(m)
}

// sort puts the milestones into another grid: what is crowded in one plane need not be
// in another.
func (t *tree) sort(dice *rand.Rand) {
	t.grid = newGrid(dice, len(t.root.q))
	t.root.each(t.grid.add)
}

// each calls f for a milestone and all below it.
func (m *milestone) each(f func(*milestone)) {
	f(m)
	for _, c := range m.children {
		c.each(f)
	}
}

// toRoot returns the segments from m up to its root.
func (m *milestone) toRoot() []*Edge {
	var out []*Edge
	for ; m.parent != nil; m = m.parent {
		out = append(out, m.edge)
	}
	return out
}

// cut takes m, and what is below it, from its parent.
func (m *milestone) cut() {
	siblings := m.parent.children
	for i, c := range siblings {
		if c == m {
			m.parent.children = append(siblings[:i:i], siblings[i+1:]...)
			break
		}
	}
	m.parent, m.edge = nil, nil
}

// rehang makes m, of a part that was cut off above top, a child of a milestone of the
// other tree through the bridge, and takes all of the part over with it: parents become
// children from m up to top. Segments on that way are driven as before; those beside
// it the other way round.
func rehang(m, top, parent *milestone, bridge *Edge) {
	from, to := m.home, parent.home
	var spine []*milestone
	for n := m; n != nil; n = n.parent {
		spine = append(spine, n)
	}
	isSpine := make(map[*milestone]bool, len(spine))
	for _, n := range spine {
		isSpine[n] = true
	}
	top.each(func(n *milestone) {
		from.size--
		from.grid.remove(n)
		if !isSpine[n] {
			n.edge.turn()
		}
	})
	for i := len(spine) - 1; i > 0; i-- { // spine[i] is the parent of spine[i-1]
		above, below := spine[i], spine[i-1]
		e := below.edge
		below.cut()
		above.parent, above.edge = below, e
		below.children = append(below.children, above)
	}
	m.parent, m.edge = parent, bridge
	parent.children = append(parent.children, m)
	m.each(to.add)
}
