package model

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/bvh"
	"github.com/firstcontact-ros/firstcontact/internal/tri"
)

// SolidAround returns the element one of whose closed surfaces has the point x of
// W inside, -1 if there is none among those to which row gives a pair. ok is false where
// every segment that was tried met an edge or a vertex; the answer is exact
// otherwise, for the surfaces whose vertices are the items'. odd is scratch of
// Solids numbers, zero before and after.
func (w *World) SolidAround(x geom.Vec, odd []int32, row []int32) (element int32, ok bool) {
	if !w.AnyClosed || !within(x, w.Box) {
		return -1, true
	}
	for attempt := range attempts {
		if element, ok = w.cast(x, w.beyond(x, attempt), odd, row); ok {
			return element, true
		}
	}
	return -1, false
}

// attempts is how many segments are tried.
const attempts = 16

// beyond returns a point outside the world's box, the shortest way out but a
// little aslant, as the edges of what people build are not.
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

// cast counts the crossings of one segment.
func (w *World) cast(x, end geom.Vec, odd []int32, row []int32) (element int32, ok bool) {
	segment := bvh.Outward(geom.EmptyBox().Extend(x).Extend(end))
	var stack [bvh.MaxDepth * bvh.Width]int32
	var crossed [64]int32 // surfaces crossed; where there are more, they are sought
	n, crossings := 1, 0
	ok, element = true, -1
	for n > 0 && ok {
		n--
		node := &w.Tree.Nodes[stack[n]]
		for children, i := node.Meets(&segment), 0; children != 0; children, i = children>>1, i+1 {
			if children&1 == 0 {
				continue
			}
			if c := node.Child[i]; c >= 0 {
				stack[n] = c
				n++
				continue
			}
			at := ^node.Child[i]
			it, solid := &w.Items[at], w.Solid[at]
			if solid < 0 || row[it.Element] < 0 {
				continue
			}
			t := tri.Triangle(it.Vertices)
			switch tri.Cross(x, end, &t) {
			case tri.Crossed:
				odd[solid] ^= 1
				if crossings < len(crossed) {
					crossed[crossings] = at
				}
				crossings++
			case tri.Touched:
				element = it.Element // on the surface counts as inside
			case tri.Ambiguous:
				ok = false
			}
		}
	}
	if crossings > len(crossed) {
		for at := range w.Items {
			if s := w.Solid[at]; s >= 0 && odd[s] == 1 {
				element = w.Items[at].Element
			}
		}
		clear(odd)
		return element, ok
	}
	for _, at := range crossed[:crossings] {
		if s := w.Solid[at]; odd[s] == 1 {
			element, odd[s] = w.Items[at].Element, 0
		}
	}
	return element, ok
}

func within(x geom.Vec, b geom.Box) bool {
	return x.X >= b.Min.X && x.X <= b.Max.X && x.Y >= b.Min.Y && x.Y <= b.Max.Y && x.Z >= b.Min.Z && x.Z <= b.Max.Z
}
