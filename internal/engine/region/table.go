// Package region bounds the distance of two bodies of a robot from below, in cells of the space of the joints
// between them.
//
// Links with one link between them are close wherever the robot is, and where one is seen from the other depends
// on two joints alone. What is proved of a cell of these joints' ranges holds for every motion through it and in every
// world: a table of cells takes the place of a proof for each motion. It is what range-of-motion hulls and distance range
// intervals are to whole ranges of joints (compact sphere trees), for the pairs for which those are too coarse.
package region

import (
	"math"
	"slices"

	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
)

// Table holds bounds of a pair's distance, each computed when it is first needed. It depends on the two elements,
// on the joints between them and, of two groups, on which pairs of members are checked, on nothing else. Goroutines may share it.
type Table struct {
	tree  *kin.Tree
	base  int // the frame where the elements' chains part
	axes  []axis
	a, b  model.Element // copies: a table outlives the worlds it is used in
	of    []*Table      // where a or b is a group: the tables of all pairs of members
	slack float64       // error of where both elements are placed, anywhere in the table
	grids [len(precisions)]grid
}

// Of returns the table of a pair of shapes: the same in all worlds where both belong to the robot's links. It returns nil
// where none is kept: of pairs with the world, of bodies that more than two joints move relative to each other, or
// one without limits or with very wide ones, and of bodies of so many shapes that the tables of all pairs would be large.
func Of(m *model.Model, q *model.Pair) *Table {
	if isCrowded(m, q) {
		return nil
	}
	t, _ := m.OfPair(q, func() any { return newTable(m, q) }).(*Table)
	return t
}

func newTable(m *model.Model, q *model.Pair) *Table {
	axes := axesOf(m, q)
	if axes == nil {
		return nil
	}
	t := &Table{tree: m.Tree, base: q.Base, axes: axes, a: m.Elements[q.A], b: m.Elements[q.B]}
	for i := range t.grids {
		t.grids[i] = newGrid(t, precisions[i])
		if t.grids[i].cells == nil {
			return nil
		}
	}
	t.slack = slackOf(t)
	return t
}

// OfGroups returns the table of one of m.GroupPairs, for which those of all pairs of its members are given: they are about the same
// joints, so that either all are nil, as this one then is, or none. Worlds in which both groups are of the robot's links, and the same
// pairs are checked, share it.
func OfGroups(m *model.Model, group int, members []*Table) *Table {
	q := &m.GroupPairs[group]
	if isCrowded(m, q) || slices.Contains(members, nil) {
		return nil
	}
	t, _ := m.OfGroupPair(group, func() any {
		t := newTable(m, q)
		if t != nil {
			t.of = members
		}
		return t
	}).(*Table)
	return t
}

// mostPairs is of how many pairs of shapes two groups may be whose tables are kept: each has some ten kilobytes.
const mostPairs = 64

// isCrowded reports whether the groups of a pair are of more pairs of shapes.
func isCrowded(m *model.Model, q *model.Pair) bool {
	shapes := func(element int) int {
		if element < m.Real {
			element = int(m.GroupOf[element])
		}
		return max(1, len(m.Elements[element].Members))
	}
	return shapes(q.A)*shapes(q.B) > mostPairs
}

// Variables returns how many variables of the tree the table is about: one or two.
func (t *Table) Variables() int { return len(t.axes) }

// Variable returns the index of one of them in the tree.
func (t *Table) Variable(i int) int { return t.axes[i].dof }

// mostTold (m) is the largest distance that is looked for in a table: cells are not bounded more closely.
const mostTold = 0.015

// Apart reports whether the pair is proved farther apart than need (m), 0 or more, at all configurations of a box.
func (t *Table) Apart(s *Scratch, box *Box, need float64) bool {
	if !(need >= 0 && need <= mostTold) {
		return false
	}
	for i := range t.grids {
		if t.apartIn(s, i, box, need) {
			return true
		}
	}
	return false
}

// mostCells is how many cells a box may reach into that is asked about.
const mostCells = 16

func (t *Table) apartIn(s *Scratch, of int, box *Box, need float64) bool {
	g := &t.grids[of]
	from, to, ok := g.along[0].cells(box[0])
	if !ok {
		return false
	}
	first, last, row := 0, 0, 1
	if len(g.along) > 1 {
		if first, last, ok = g.along[1].cells(box[1]); !ok {
			return false
		}
		row = g.along[1].count
	}
	if (to-from+1)*(last-first+1) > mostCells {
		return false
	}
	for i := from; i <= to; i++ {
		for k := first; k <= last; k++ {
			d := math.Float32frombits(g.cells[i*row+k].Load())
			if float64(d) > need {
				continue
			}
			if d != unknown || !(t.compute(s, of, cell{i, k}) > need) {
				return false
			}
		}
	}
	return true
}

// bound returns the bound of a cell, NaN where nothing is proved.
func (t *Table) bound(s *Scratch, of int, c cell) float64 {
	if d := math.Float32frombits(t.grids[of].at(c).Load()); d != unknown {
		return float64(d)
	}
	return t.compute(s, of, c)
}

// unknown is what a cell holds that was not computed: no bound is 0.
const unknown = 0

func (t *Table) compute(s *Scratch, of int, c cell) float64 {
	d := s.measure(t, &t.grids[of], c)
	if t.of != nil && !(d >= t.grids[of].enough) {
		d = math.Inf(1)
		for _, member := range t.of {
			d = min(d, member.bound(s, of, c)) // NaN if one is
		}
	}
	held := float32(d * (1 - 0x1p-22)) // rounded down
	if !(held > 0) {
		held = float32(math.NaN())
	}
	t.grids[of].at(c).Store(math.Float32bits(held))
	return float64(held)
}

// axis is a joint between the two elements.
type axis struct{ frame, dof int }

// axesOf returns the joints between a pair, nil if there is none, or more than two, or two that move together.
func axesOf(m *model.Model, q *model.Pair) (axes []axis) {
	if q.World {
		return nil
	}
	for _, el := range [...]int{q.A, q.B} {
		for _, k := range m.Tree.Chain(m.Elements[el].Frame)[q.Parting:] {
			x := axis{int(k), m.Tree.Frames[k].Dof}
			if len(axes) == most || len(axes) == 1 && axes[0].dof == x.dof {
				return nil
			}
			axes = append(axes, x)
		}
	}
	return axes
}
