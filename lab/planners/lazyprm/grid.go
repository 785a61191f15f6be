package lazyprm

import (
	"math"
	"math/rand/v2"
)

// perAxis is how many cells a grid has along either axis.
const perAxis = 10

// grid sorts the milestones of a tree into the cells of a plane, two joints wide, so
// that one can be drawn where they are few, and one close by be found. Only the choice
// of what to try depends on it.
type grid struct {
	axes   [2]int
	cells  map[[2]int]*cell
	filled []*cell // those with milestones, in order of their first, so that draws depend on the seed alone
}

type cell struct {
	key        [2]int
	place      int // in filled
	milestones []*milestone
}

// newGrid chooses two joints by lot; with one joint both axes are the same.
func newGrid(dice *rand.Rand, joints int) *grid {
	g := &grid{cells: map[[2]int]*cell{}}
	g.axes[0] = dice.IntN(joints)
	g.axes[1] = dice.IntN(joints)
	for joints > 1 && g.axes[1] == g.axes[0] {
		g.axes[1] = dice.IntN(joints)
	}
	return g
}

func (g *grid) keyOf(m *milestone) [2]int {
	var key [2]int
	for k, axis := range g.axes {
		key[k] = min(max(int(m.unit[axis]*perAxis), 0), perAxis-1)
	}
	return key
}

func (g *grid) add(m *milestone) {
	key := g.keyOf(m)
	c := g.cells[key]
	if c == nil {
		c = &cell{key: key}
		g.cells[key] = c
	}
	if len(c.milestones) == 0 {
		c.place = len(g.filled)
		g.filled = append(g.filled, c)
	}
	m.slot = len(c.milestones)
	c.milestones = append(c.milestones, m)
}

func (g *grid) remove(m *milestone) {
	c := g.cells[g.keyOf(m)]
	last := len(c.milestones) - 1
	c.milestones[m.slot] = c.milestones[last]
	c.milestones[m.slot].slot = m.slot
	c.milestones = c.milestones[:last]
	if last > 0 {
		return
	}
	end := len(g.filled) - 1
	g.filled[c.place] = g.filled[end]
	g.filled[c.place].place = c.place
	g.filled = g.filled[:end]
}

// draw returns a milestone, each cell being as likely as any other.
func (g *grid) draw(dice *rand.Rand) *milestone {
	c := g.filled[dice.IntN(len(g.filled))]
	return c.milestones[dice.IntN(len(c.milestones))]
}

// closest returns the milestone that is closest to m of those in m's cell, or nil.
func (g *grid) closest(m *milestone) *milestone {
	c := g.cells[g.keyOf(m)]
	if c == nil {
		return nil
	}
	var best *milestone
	least := math.Inf(1)
	for _, n := range c.milestones {
		if d := distance(n.unit, m.unit); d < least {
			best, least = n, d
		}
	}
	return best
}
