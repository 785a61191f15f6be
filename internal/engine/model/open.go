package model

import (
	"math"
	"slices"
	"sync/atomic"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// open is a grid of cells over the world's solids. A cell is open if no surface of a solid comes
// near it and a path of such cells leads from it to the outside of the grid. No point of an open
// cell is inside a solid: what leads outside crosses no surface.
type open struct {
	origin [3]float64
	per    float64 // cells per metre
	count  [3]int
	cells  []cell
}

type cell uint8

const (
	unknown cell = iota
	near         // to a surface
	isOpen
)

// openCells is how many cells there are along the grid's longest side.
const openCells = 32

// OpenNear (m) is how near to a point of an open cell no surface of a solid is.
const OpenNear = 1e-4

// opening is a world's grid. It costs some thousand answers without it, more than a world that is soon followed by
// another gives, so it is made beside the world's work once it has been asked for often; with the world where large
// solids have to be made ready anyhow.
type opening struct {
	grid  atomic.Pointer[open]
	times atomic.Int64
	of    []*block // what encloses something
	err   float64  // the world's, of the grid
}

// openAfter is how often a grid is asked for before it is made.
const openAfter = 2000

// openAtOnce is of how many pieces the solids are that a world has and the one before had not, or not there, if its grid is
// made with it. Making these ready takes some 0.3 us for each, the grid half a millisecond and 30 ns for each.
const openAtOnce = 10000

// follow takes the grid of the world before, where that had the same solids.
func (o *opening) follow(w, prev *World) {
	o.err = w.Err
	for _, b := range w.own {
		if b.encloses {
			o.of = append(o.of, b)
		}
	}
	if prev == nil || w.Err > prev.opening.err || !slices.Equal(o.of, prev.opening.of) {
		return
	}
	if grid := prev.opening.grid.Load(); grid != nil {
		o.err = prev.opening.err
		o.grid.Store(grid)
	}
}

// MakeOpen makes the grid now.
func (w *World) MakeOpen() {
	if w.Encloses {
		w.opening.grid.Store(newOpen(w, math.MaxInt))
	}
}

// makeOpenAtOnce makes the grid now if that is a small part of what making the world took: not if triangles are so large that
// they come near to many cells each.
func (w *World) makeOpenAtOnce() {
	const cellsEach = 16
	w.opening.grid.Store(newOpen(w, cellsEach*len(w.Items)))
}

// asked returns the grid, nil if there is none yet.
func (o *opening) asked(w *World) *open {
	grid := o.grid.Load()
	if grid == nil && o.times.Add(1) == openAfter {
		go w.MakeOpen()
	}
	return grid
}

// newOpen returns the grid of a world that encloses something; nil for absurd sizes, and where more cells than most would have
// to be looked at.
func newOpen(w *World, most int) *open {
	box := geom.EmptyBox()
	for i := range w.Items {
		if w.Solid[i] != nil {
			box = box.Union(w.Items[i].bounds())
		}
	}
	lo, hi := coordinates(box.Min), coordinates(box.Max)
	longest, far := 0.0, 0.0
	for a := range lo {
		longest, far = max(longest, hi[a]-lo[a]), max(far, math.Abs(lo[a]), math.Abs(hi[a]))
	}
	margin := OpenNear + w.Err + 1e-11*far
	side := longest/openCells + 2*margin
	if !(side <= 1e6) {
		return nil
	}
	o := &open{per: 1 / side}
	for a := range lo {
		o.origin[a] = lo[a] - 1.5*side // so that what is near starts in the second cell
		o.count[a] = int((hi[a]-lo[a])/side) + 4
	}
	o.cells = make([]cell, o.count[0]*o.count[1]*o.count[2])
	for i := range w.Items {
		if w.Solid[i] != nil {
			if most -= o.mark(&w.Items[i], margin); most < 0 {
				return nil
			}
		}
	}
	o.flood()
	return o
}

func coordinates(v geom.Vec) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }

// bounds returns the box of a triangle.
func (it *Item) bounds() geom.Box {
	b := geom.EmptyBox().Extend(it.Vertices[0]).Extend(it.Vertices[1]).Extend(it.Vertices[2])
	r := geom.Vec{X: it.Radius, Y: it.Radius, Z: it.Radius}
	return geom.Box{Min: r3.Sub(b.Min, r), Max: r3.Add(b.Max, r)}
}

// at returns where a coordinate is along an axis, in cells.
func (o *open) at(axis int, x float64) float64 { return math.Floor((x - o.origin[axis]) * o.per) }

// mark notes the cells that a triangle comes near to: those of its box, of many only what its plane
// meets. It returns how many are in the box.
func (o *open) mark(it *Item, margin float64) (cells int) {
	b := it.bounds()
	lo, hi := coordinates(b.Min), coordinates(b.Max)
	var from, to [3]int
	cells = 1
	for a := range lo {
		from[a], to[a] = int(o.at(a, lo[a]-margin)), int(o.at(a, hi[a]+margin))
		cells *= to[a] - from[a] + 1
	}
	n, ok := it.plane()
	every := cells <= 8 || !ok
	side := 1 / o.per
	reach := side/2*(math.Abs(n.X)+math.Abs(n.Y)+math.Abs(n.Z)) + it.Radius + margin
	height := func(x, y, z int) float64 {
		middle := geom.Vec{X: (float64(x) + 0.5) * side, Y: (float64(y) + 0.5) * side, Z: (float64(z) + 0.5) * side}
		return r3.Dot(n, r3.Sub(r3.Add(middle, geom.Vec{X: o.origin[0], Y: o.origin[1], Z: o.origin[2]}), it.Vertices[0]))
	}
	for z := from[2]; z <= to[2]; z++ {
		for y := from[1]; y <= to[1]; y++ {
			for x := from[0]; x <= to[0]; x++ {
				if every || math.Abs(height(x, y, z)) <= reach {
					o.cells[(z*o.count[1]+y)*o.count[0]+x] = near
				}
			}
		}
	}
	return cells
}

// plane returns the normal of a triangle; false for slivers, whose cross product says little.
func (it *Item) plane() (n geom.Vec, ok bool) {
	a, b := r3.Sub(it.Vertices[1], it.Vertices[0]), r3.Sub(it.Vertices[2], it.Vertices[0])
	across := r3.Cross(a, b)
	n, ok = geom.Unit(across)
	return n, ok && geom.Norm(across) > 1e-3*geom.Norm(a)*geom.Norm(b)
}

// flood opens what a path leads to from the grid's first corner.
func (o *open) flood() {
	step := [3]int{1, o.count[0], o.count[0] * o.count[1]}
	front := []int{0}
	o.cells[0] = isOpen
	for len(front) > 0 {
		i := front[len(front)-1]
		front = front[:len(front)-1]
		for a, by := range step {
			at := i / by % o.count[a]
			if at > 0 && o.cells[i-by] == unknown {
				o.cells[i-by], front = isOpen, append(front, i-by)
			}
			if at < o.count[a]-1 && o.cells[i+by] == unknown {
				o.cells[i+by], front = isOpen, append(front, i+by)
			}
		}
	}
}

// holds reports whether a point is in an open cell.
func (o *open) holds(p geom.Vec) bool {
	if o == nil {
		return false
	}
	// The conversions keep the compiler from fusing these products into the differences below, which would not be 0 then.
	x, y, z := float64((p.X-o.origin[0])*o.per), float64((p.Y-o.origin[1])*o.per), float64((p.Z-o.origin[2])*o.per)
	nx, ny, nz := o.count[0], o.count[1], o.count[2]
	switch {
	case (x-x)+(y-y)+(z-z) != 0: // not a point
		return false
	case x < 0 || y < 0 || z < 0 || x >= float64(nx) || y >= float64(ny) || z >= float64(nz):
		return true // outside of the grid, which holds all solids and a cell more on each side
	}
	return o.cells[(int(z)*ny+int(y))*nx+int(x)] == isOpen
}

// IsOpen reports whether it is known at once that no solid of the world is around what is within
// OpenNear of x.
func (w *World) IsOpen(x geom.Vec) bool { return !w.Encloses || w.opening.grid.Load().holds(x) }
