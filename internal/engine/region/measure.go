package region

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/rules"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// Scratch is what it takes to bound the distance in a cell. It belongs to one goroutine; the zero value is ready.
type Scratch struct {
	state   *kin.State
	dofs    []kin.Around
	middle  places
	corners [1 << most]places
	count   int     // of corners
	bend    float64 // of the grid
	parts   []parts
	search  convex.Workspace
	a, b    volume.Scratch
	solids  engine.Solids
}

// places are the poses of both elements, seen from the body where their chains part.
type places struct{ a, b geom.Pose }

// parts are two nodes of the elements' hierarchies and by how much they are apart in all of the cell, at least.
type parts struct {
	a, b  int32
	apart float64
	n     geom.Vec // from a to b
}

const (
	// farEnough (m) is a gap with which a direction is good enough.
	farEnough = 0.05
	// precisely is the part of the gap that a direction may fall short by.
	precisely = 1. / 1024
)

// measure returns a distance (m) that the pair nowhere in a cell falls below; 0 or less if nothing is proved.
//
// Parts of both elements are told apart by a plane that is fixed in the body where their chains part. The parts that are least apart
// are opened, until that is enough. Which planes are tried proves nothing: Gap at the corners does, less the bend.
func (s *Scratch) measure(t *Table, g *grid, c cell) float64 {
	s.place(t, g, c)
	s.parts = append(s.parts[:0], s.between(t, parts{a: volume.Whole, b: volume.Whole}))
	for opened := false; ; opened = true {
		i := s.least()
		p := s.parts[i]
		if p.apart >= g.enough || len(s.parts) >= g.parts || t.of != nil || !volume.CanOpen(&t.a, p.a) && !volume.CanOpen(&t.b, p.b) {
			if p.apart > 0 && opened && !s.outside(t) {
				return 0
			}
			return p.apart
		}
		last := len(s.parts) - 1
		s.parts[i] = s.parts[last]
		s.parts = s.parts[:last]
		s.open(t, p)
	}
}

// place places both elements in the middle of a cell and at its corners.
func (s *Scratch) place(t *Table, g *grid, c cell) {
	if s.state == nil || s.state.Tree != t.tree {
		s.state, s.dofs = kin.NewState(t.tree), make([]kin.Around, len(t.tree.Dofs))
	}
	var r Box
	for i := range t.axes {
		r[i] = g.along[i].interval(c[i])
	}
	s.bend, s.count = g.bend, 1<<len(t.axes)
	for k := range s.count {
		for i, x := range t.axes {
			s.dofs[x.dof].Q = r[i][k>>i&1]
		}
		s.corners[k] = s.placed(t)
	}
	for i, x := range t.axes {
		s.dofs[x.dof].Q = (r[i][0] + r[i][1]) / 2
	}
	s.middle = s.placed(t)
}

// slackOf bounds the errors of where both elements are placed, anywhere in a table.
func slackOf(t *Table) float64 {
	state, dofs := kin.NewState(t.tree), make([]kin.Around, len(t.tree.Dofs))
	for i, x := range t.axes {
		dofs[x.dof].MaxAbs = t.grids[0].along[i].farthest()
	}
	state.Bound(dofs)
	a, b := rules.SlackOf(state, &t.a, rho(&t.a)), rules.SlackOf(state, &t.b, rho(&t.b))
	return a.Within(0) + b.Within(0)
}

// rho bounds the distance of an element's parts from its frame's origin; the box of one may stick out of the element's ball.
func rho(e *model.Element) float64 { return 2 * (geom.Norm(e.Center) + e.Radius) }

// placed returns where both elements are.
func (s *Scratch) placed(t *Table) places {
	s.state.PlaceFrom(t.base, s.dofs)
	return places{s.pose(&t.a), s.pose(&t.b)}
}

func (s *Scratch) pose(e *model.Element) (p geom.Pose) {
	s.state.Ensure(e.Frame)
	p.Compose(&s.state.PoseWF[e.Frame], &e.PoseFE)
	return p
}

// between returns by how much two parts are apart in the cell, along a direction that is sought from p.n.
func (s *Scratch) between(t *Table, p parts) parts {
	a, b := volume.Tight(&t.a, p.a, &s.a), volume.Tight(&t.b, p.b, &s.b)
	s.search.Dir = p.n
	roughA, roughB := volume.Rough(&t.a, p.a, a), volume.Rough(&t.b, p.b, b)
	n, overlap := convex.Toward(roughA, &s.middle.a, roughB, &s.middle.b, 0, farEnough, precisely, &s.search)
	p.n, p.apart = n, math.Inf(-1)
	if overlap || n == (geom.Vec{}) {
		return p
	}
	least := math.Inf(1)
	for i := range s.count {
		c := &s.corners[i]
		least = min(least, convex.Gap(a, &c.a, b, &c.b, n)) // no number if one is none
	}
	// A direction is longer than 1 by a few roundings at most. Numbers that are too large make none, or -Inf, of the sum.
	if apart := least*(1-1e-12) - s.bend - t.slack; apart > math.Inf(-1) {
		p.apart = apart
	}
	return p
}

// least returns the place of the parts that are least apart.
func (s *Scratch) least() (at int) {
	for i := range s.parts {
		if s.parts[i].apart < s.parts[at].apart {
			at = i
		}
	}
	return at
}

// open adds the smaller parts of p.
func (s *Scratch) open(t *Table, p parts) {
	el, node := &t.a, &p.a
	if !volume.OpensA(&t.a, p.a, &t.b, p.b) {
		el, node = &t.b, &p.b
	}
	of := max(*node, 0) // the root of a hierarchy is no tighter than the whole
	if !volume.CanOpen(el, of) {
		*node = of
		s.parts = append(s.parts, s.between(t, p))
		return
	}
	left := el.Leaves.Tree.Nodes[of].Left
	for _, part := range [...]int32{left, left + 1} {
		*node = part
		s.parts = append(s.parts, s.between(t, p))
	}
}

// outside reports whether neither element contains a part of the other, in the middle of a cell. Surfaces that
// are apart in all of a cell then stay outside of each other.
func (s *Scratch) outside(t *Table) bool {
	inside, _, ok := s.solids.Inside(&t.a, &s.middle.a, &t.b, &s.middle.b)
	return ok && !inside
}
