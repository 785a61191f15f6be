package model

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/mesh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
)

// SolidAround returns an element whose mesh encloses the point x of W, -1 if there is none
// among those to which row, one of Model.Against, gives a pair. ok is false if every segment
// that was tried met an edge or a vertex. Otherwise the answer is exact for the surfaces with
// the items' vertices, except that x may be called inside an ambiguous solid although it is
// not (see [mesh.Solid]). use is scratch memory of one goroutine.
func (w *World) SolidAround(x geom.Vec, row []int32, use *Segments) (element int32, ok bool) {
	if !w.Encloses || !within(x, w.Box) || w.opening.asked(w).holds(x) {
		return -1, true
	}
	c := casting{w: w, x: x, row: row, Segments: use, only: -1, shell: -1}
	for attempt := range attempts {
		touched, ok := c.cast(w.beyond(x, attempt))
		if touched >= 0 {
			return touched, true
		}
		if ok {
			if element, inside := c.tally.Inside(); inside {
				return element, true
			}
			return c.shells(), true
		}
	}
	return -1, false
}

// attempts is how many segments are tried.
const attempts = 16

// beyond returns a point outside the world's box, by the shortest way out but slightly
// oblique, because edges of man-made objects often are not.
func (w *World) beyond(x geom.Vec, attempt int) geom.Vec {
	size := r3.Sub(w.Box.Max, w.Box.Min)
	margin := 1e-3 * (size.X + size.Y + size.Z)
	slant := margin * (0.37 + 0.61*float64(attempt))
	end := [6]geom.Vec{
		{X: w.Box.Min.X - margin, Y: x.Y + slant, Z: x.Z - 0.7*slant},
		{X: w.Box.Max.X + margin, Y: x.Y - slant, Z: x.Z + 0.7*slant},
		{X: x.X + slant, Y: w.Box.Min.Y - margin, Z: x.Z + 0.7*slant},
		{X: x.X - slant, Y: w.Box.Max.Y + margin, Z: x.Z - 0.7*slant},
		{X: x.X - slant, Y: x.Y + 0.7*slant, Z: w.Box.Min.Z - margin},
		{X: x.X + slant, Y: x.Y - 0.7*slant, Z: w.Box.Max.Z + margin},
	}
	best := 0
	for i := range end {
		if r3.Norm2(r3.Sub(end[i], x)) < r3.Norm2(r3.Sub(end[best], x)) {
			best = i
		}
	}
	return end[(best+attempt)%len(end)]
}

// Segments is scratch memory for segments from a point, for repeated use: making it costs more
// than most answers.
type Segments struct {
	tally mesh.Tally
	stack [2 * bvh.MaxDepth * bvh.Width]int32 // of a tree that is joined of others
}

// casting is the state of casting segments from a point.
type casting struct {
	w   *World
	x   geom.Vec
	row []int32
	*Segments
	// The element and the shell of its solid that count; negative for all.
	only, shell int32
}

// shells returns the element of a shell that the last segment crosses, and that no
// other segment escapes; -1 if there is none.
func (c *casting) shells() int32 {
	for element, shell, i := c.tally.Shell(0); i >= 0; element, shell, i = c.tally.Shell(i) {
		one := casting{w: c.w, x: c.x, row: c.row, Segments: &Segments{}, only: element, shell: shell}
		if !one.escapes() {
			return element
		}
	}
	return -1
}

// escapes reports whether a segment crosses nothing of the only shell.
func (c *casting) escapes() bool {
	for attempt := range attempts {
		if touched, ok := c.cast(c.w.beyond(c.x, attempt)); touched >= 0 {
			return false
		} else if _, _, shell := c.tally.Shell(0); ok && shell < 0 {
			return true
		}
	}
	return false
}

// counts reports whether the crossing of an item matters.
func (c *casting) counts(it *Item, solid *mesh.Solid) bool {
	if solid == nil || c.row[it.Element-c.w.First] < 0 {
		return false
	}
	return c.only < 0 || it.Element == c.only && solid.InCycle(it.Leaf, c.shell)
}

// cast tallies the crossings of one segment. It returns an element that x is on, which
// counts as inside, or -1; ok is false if the segment meets an edge or a vertex.
func (c *casting) cast(end geom.Vec) (touched int32, ok bool) {
	w, segment := c.w, bvh.Outward(geom.EmptyBox().Extend(c.x).Extend(end))
	c.tally.Reset()
	stack := &c.stack
	stack[0] = 0 // the root
	n := 1
	ok = true
	for n > 0 {
		n--
		node := &w.Tree.Nodes[stack[n]]
		for children, i := node.Meets(&segment), 0; children != 0; children, i = children>>1, i+1 {
			if children&1 == 0 {
				continue
			}
			if child := node.Child[i]; child >= 0 {
				stack[n] = child
				n++
				continue
			}
			at := ^node.Child[i]
			it, solid := &w.Items[at], w.Solid[at]
			if !c.counts(it, solid) {
				continue
			}
			t := tri.Triangle(it.Vertices)
			switch how, side := tri.Cross(c.x, end, &t); how {
			case tri.Crossed:
				c.tally.Cross(it.Element, solid, it.Leaf, int32(side))
			case tri.Touched:
				return it.Element, true
			case tri.Ambiguous:
				ok = false // a later triangle may still be touched
			}
		}
	}
	return -1, ok
}

func within(x geom.Vec, b geom.Box) bool {
	return x.X >= b.Min.X && x.X <= b.Max.X && x.Y >= b.Min.Y && x.Y <= b.Max.Y && x.Z >= b.Min.Z && x.Z <= b.Max.Z
}
