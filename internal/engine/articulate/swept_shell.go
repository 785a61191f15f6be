package articulate

import (
	"math/bits"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/numeric/interval"
)

// TessellationCuller is the paper's second stage on the CPU: it holds the triangles of the
// swept surface against the environment's. It is the scratch of one goroutine.
//
// What comes within a clearance c of a swept volume S is within c + Epsilon of its triangles,
// or wholly inside: let I be a connected item, p a point of it and x one that is no
// farther than c from S. If p is in S, the volume's slices hold it. If it is not and x is, I
// crosses the boundary of S, which is within Epsilon of the triangles; and if neither is, the point
// of S nearest to x is on the boundary. The paper looks at the surface alone and leaves
// Epsilon out.
type TessellationCuller struct {
	// Tolerance is that of Sweeper.Tessellate, in metres; zero stands for a tenth of
	// the element's radius.
	Tolerance float64
	// Literal takes the triangles for the swept surface, as published: it drops contacts,
	// and is there for tables and tests alone.
	Literal bool

	sweeper *Sweeper
	hull    *HullCuller
	stamp   uint64
	seen    []uint64 // per item: the stamp when it was hit

	shells, triangles, sliced int
}

// NewTessellationCuller returns a culler of volumes that sweeper makes.
func NewTessellationCuller(sweeper *Sweeper) *TessellationCuller {
	return &TessellationCuller{
		sweeper: sweeper, hull: NewHullCuller(sweeper.links), seen: make([]uint64, len(sweeper.links.model.World.Items)),
	}
}

// Shells returns how many volumes were tessellated so far, into how many triangles, and how
// many had to be taken in slices, being singular.
func (c *TessellationCuller) Shells() (tessellated, triangles, sliced int) {
	return c.shells, c.triangles, c.sliced
}

// Cull implements [Culler].
func (c *TessellationCuller) Cull(v *SweptVolume, clearance float64, wanted func(element int32) bool, hit func(item int32)) {
	if len(v.Slices) == 0 || len(c.seen) == 0 {
		return
	}
	tol := c.Tolerance
	if tol == 0 {
		tol = c.sweeper.links.LSS[v.Element].Radius / 10
	}
	shell, err := c.sweeper.Tessellate(v.Element, v.Slices[0].S0, v.Slices[len(v.Slices)-1].S1, tol)
	if err != nil {
		c.sliced++
		c.hull.Cull(v, clearance, wanted, hit)
		return
	}
	c.shells++
	c.triangles += len(shell.Triangles)
	if c.Literal {
		shell.Epsilon = 0
	}
	c.stamp++
	for i := range shell.Triangles {
		c.triangle(&shell.Triangles[i], shell.Epsilon, clearance, wanted, hit)
	}
	if !c.Literal {
		c.inside(v, wanted, hit)
	}
}

// triangle hits what may be within clearance of the part of the surface that the triangle
// stands for.
func (c *TessellationCuller) triangle(tri *[3]geom.Vec, eps, clearance float64, wanted func(int32) bool, hit func(int32)) {
	w := c.sweeper.links.model.World
	margin := (clearance + w.Err) * (1 + 2*u)
	c.hull.core = convex.Core{Kind: convex.Triangle, Vertices: tri[:], Radius: eps}
	box := interval.OfVec(tri[0]).Hull(interval.OfVec(tri[1])).Hull(interval.OfVec(tri[2]))
	c.within(box.Grow(eps+margin), wanted, func(item int32) {
		if !c.hull.apart(item, margin) {
			c.seen[item] = c.stamp
			hit(item)
		}
	})
}

// inside hits what has a point in the volume.
func (c *TessellationCuller) inside(v *SweptVolume, wanted func(int32) bool, hit func(int32)) {
	m := c.sweeper.links.model
	for i := range v.Slices {
		s := &v.Slices[i]
		slice := s.Core()
		c.within(interval.OfBox(s.Box()).Grow(m.World.Err), wanted, func(item int32) {
			core, pose := ItemCore(m, &m.World.Items[item])
			point := convex.Core{Kind: convex.Point, Vertices: []geom.Vec{pose.Apply(core.Support(geom.Vec{X: 1}))}}
			if _, _, apart := convex.Separated(&slice, &identity, &point, &identity, m.World.Err, nil); !apart {
				c.seen[item] = c.stamp
				hit(item)
			}
		})
	}
}

// within visits the items whose boxes meet a box, that are wanted and were not hit.
func (c *TessellationCuller) within(box interval.Vec, wanted func(int32) bool, visit func(item int32)) {
	links := c.sweeper.links
	w := links.model.World
	at32 := bvh.Outward(box.Box())
	stack := append(c.hull.stack[:0], 0)
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if sole := links.sole[at]; sole >= 0 && !wanted(sole) {
			continue
		}
		n := &w.Tree.Nodes[at]
		for mask := n.Meets(&at32); mask != 0; mask &= mask - 1 {
			child := n.Child[bits.TrailingZeros32(mask)]
			if child >= 0 {
				stack = append(stack, child)
			} else if item := ^child; c.seen[item] != c.stamp && wanted(w.Items[item].Element) {
				visit(item)
			}
		}
	}
	c.hull.stack = stack
}

// culler returns what holds swept volumes against the world in stage 2.
func (w *Worker) culler() Culler {
	if !w.Options.Tessellate {
		return w.Culler
	}
	if w.tessellating == nil {
		w.tessellating = NewTessellationCuller(w.sweeper)
	}
	return w.tessellating
}
