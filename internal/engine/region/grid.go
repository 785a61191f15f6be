package region

import (
	"math"
	"sync/atomic"

	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
)

// most is how many variables a table is about at most.
const most = 2

// precision is how a grid's cells are bounded.
type precision struct {
	angle  float64 // rad: the width of cells; a prismatic joint's are as wide in units of arm
	parts  int     // how many are looked at in a cell
	enough float64 // m: beyond it no larger bound is looked for
}

// precisions are those of a table's grids. Most pairs are told apart by few large cells, cheaply.
var precisions = [...]precision{{1. / 4, 1, 1e-3}, {1. / 8, 8, 1e-2}}

// arm (m) makes widths of prismatic joints of angles.
const arm = 1. / 8

// mostInGrid is how many cells a grid has at most, of four bytes each.
const mostInGrid = 1 << 14

// Box is a range of each of a table's variables, from the least to the largest value, in rad or m.
type Box [most][2]float64

// cell is the place of a cell along each axis.
type cell [most]int

// grid divides the ranges of a table's variables into cells.
type grid struct {
	precision
	along []along // of each axis
	bend  float64 // by how much two points may come closer in a cell than a plane tells at its corners
	cells []atomic.Uint32
}

// along is an axis, divided.
type along struct {
	lo, width float64 // cell i is from lo + i*width on
	scale     float64 // 1/width
	count     int
}

// newGrid divides the ranges of a table's variables; the grid has no cells if one has no limits, or if there were too many.
func newGrid(t *Table, p precision) grid {
	g := grid{precision: p}
	n := 1
	for _, x := range t.axes {
		a, ok := divide(t.tree, x.frame, p.angle)
		if !ok {
			return grid{}
		}
		if n *= a.count; n > mostInGrid {
			return grid{}
		}
		g.along = append(g.along, a)
	}
	for i := range t.axes {
		g.bend += bend(t, &g, i, &t.a) + bend(t, &g, i, &t.b)
	}
	g.cells = make([]atomic.Uint32, n)
	return g
}

// at returns what is known of a cell.
func (g *grid) at(c cell) *atomic.Uint32 {
	if len(g.along) == 1 {
		return &g.cells[c[0]]
	}
	return &g.cells[c[0]*g.along[1].count+c[1]]
}

// divide divides a joint's range into cells, half of one or more beyond its limits on both sides.
func divide(t *kin.Tree, k int, angle float64) (a along, ok bool) {
	f := &t.Frames[k]
	d := &t.Dofs[f.Dof]
	lo, hi := d.Lo, d.Hi
	switch {
	case f.Mult == 0:
		return a, false
	case d.Continuous:
		lo, hi = -math.Pi, math.Pi
	case !d.Bounded:
		return a, false
	}
	a.width = angle / math.Abs(f.Mult)
	if f.Prismatic {
		a.width *= arm
	}
	n := math.Ceil((hi-lo)/a.width) + 1
	a.scale, a.lo, a.count = 1/a.width, (lo+hi)/2-n/2*a.width, int(n)
	return a, n <= mostInGrid
}

// cells returns the first and the last of the cells that a range reaches into, as well as can be told: see interval.
func (a *along) cells(r [2]float64) (from, to int, ok bool) {
	x, y := (r[0]-a.lo)*a.scale, (r[1]-a.lo)*a.scale
	if !(x >= 0 && x <= y && y < float64(a.count)) { // also where one is no number
		return 0, 0, false
	}
	return int(x), int(y), true
}

// interval returns a cell, on both sides larger by more than what cells rounds.
func (a *along) interval(i int) [2]float64 {
	more := 1e-9 * (math.Abs(a.lo) + float64(a.count)*a.width)
	lo := a.lo + float64(i)*a.width
	return [2]float64{lo - more, lo + a.width + more}
}

// farthest bounds the size of the variable.
func (a *along) farthest() float64 {
	return max(math.Abs(a.interval(0)[0]), math.Abs(a.interval(a.count - 1)[1]))
}

// bend bounds by how much the distance of an element's point from a plane may be less, within a cell, than the least at both
// ends of an axis.
//
// The axis of a revolute joint moves the point on a circle that is no larger than its reach. The second derivative of its distance from
// a plane, by the angle, is no larger than that, and a function whose second derivative is at most r is below its chord over a
// length w by at most r w²/8. A prismatic joint moves it on a straight line. First along one axis, then along the
// other: so the least at the corners, less the bend of each axis, is a bound for all of a cell.
func bend(t *Table, g *grid, axis int, e *model.Element) float64 {
	f := &t.tree.Frames[t.axes[axis].frame]
	if f.Prismatic {
		return 0
	}
	chain := t.tree.Chain(e.Frame)
	reach := make([]float64, len(chain))
	limit := func(k int) float64 { // of a prismatic joint; those before the axes do not count
		for i, x := range t.axes {
			if x.frame == k {
				joint := &t.tree.Frames[k]
				return math.Abs(joint.Mult)*g.along[i].farthest() + math.Abs(joint.Offset)
			}
		}
		return 0
	}
	t.tree.Reach(e.Frame, e.PoseFE.Move(e.Center), e.Radius*(1+1e-12)+1e-12, limit, reach)
	for i, k := range chain {
		if int(k) == t.axes[axis].frame {
			r := g.along[axis].interval(0)
			w := math.Abs(f.Mult) * (r[1] - r[0])
			return reach[i] * w * w / 8 * (1 + 1e-6)
		}
	}
	return 0
}
