// Package convex is the convex pieces that the engine separates: support mappings (trusted),
// closest points between two pieces (an untrusted search), convex hulls and minimal enclosing
// balls with their verification.
package convex

import (
	"fmt"
	"math"
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// Kind determines which fields of a Core are used.
type Kind uint8

// The kinds of core. Cylinder and Cone stand along z with the middle of their
// length at the origin; a cone's tip is at +HalfLength.
const (
	Point    Kind = iota // Vertices[0]
	Segment              // Vertices[0], Vertices[1]
	Triangle             // Vertices[0..2]
	Box                  // Center, Half: axis-aligned in the core's frame
	Cylinder             // CoreRadius, HalfLength
	Cone                 // CoreRadius, HalfLength
	Hull                 // the convex hull of Vertices
)

// Core is a closed convex set in its own frame F; it represents the piece of every point
// within Radius of the core (a sphere is a Point with a radius, a capsule a Segment). It is
// immutable and may be shared; to change its numbers make a new literal or call [New] instead
// of writing into its Vertices.
type Core struct {
	Kind       Kind
	Radius     float64
	Center     geom.Vec
	Half       geom.Vec
	CoreRadius float64
	HalfLength float64
	Vertices   []geom.Vec

	// Set by New, with the vertices they were computed from; see measured.
	extent float64
	groups []group
	cols   columns
	of     *geom.Vec
	count  int
}

// New checks c and precomputes its measures for queries: a literal Core gives the same
// answers, but more slowly if it has many vertices. The result has its own Vertices, the same
// in another order. It fails if Validate does.
func New(c Core) (Core, error) {
	if err := c.Validate(); err != nil {
		return Core{}, err
	}
	c.Vertices = slices.Clone(c.Vertices)
	c.measure()
	return c, nil
}

// NewInOrder is New for vertices of which neighbours are near each other already, as in the order of a
// hierarchy. The result keeps that order, and the slice.
func NewInOrder(c Core) (Core, error) {
	if err := c.Validate(); err != nil {
		return Core{}, err
	}
	c.measureInOrder()
	return c, nil
}

// measure sorts c's vertices into groups and stores those and the extent.
func (c *Core) measure() {
	if len(c.Vertices) >= manyVertices {
		arrange(c.Vertices)
	}
	c.measureInOrder()
}

// measureInOrder is measure for vertices that are in an order that measure made.
func (c *Core) measureInOrder() {
	if len(c.Vertices) == 0 {
		return
	}
	c.extent, c.of, c.count = extentOf(c.Vertices), &c.Vertices[0], len(c.Vertices)
	c.groups, c.cols = nil, columns{}
	switch n := len(c.Vertices); {
	case vectors && n >= fewVertices && n <= mostInColumns:
		c.cols = columnsOf(c.Vertices)
	case n >= manyVertices:
		c.groups = groupsOf(c.Vertices, c.extent)
	}
}

// measured reports whether the stored measures belong to c's Vertices: a copy of a Core may
// have been given others.
func (c *Core) measured() bool {
	return c.count == len(c.Vertices) && c.count > 0 && c.of == &c.Vertices[0]
}

// Validate returns why c is not a convex set that queries support: an unknown kind, a wrong
// number of vertices, a negative size, a number that is not finite. Queries on such a core are
// undefined.
func (c *Core) Validate() error {
	if !(c.Radius >= 0) || math.IsInf(c.Radius, 0) {
		return fmt.Errorf("radius %g of a convex piece must be zero or more", c.Radius)
	}
	switch c.Kind {
	case Point, Segment, Triangle:
		if n := int(c.Kind-Point) + 1; len(c.Vertices) != n {
			return fmt.Errorf("a convex piece of kind %d has %d vertices, not %d", c.Kind, len(c.Vertices), n)
		}
		return finiteAll(c.Vertices)
	case Hull:
		if len(c.Vertices) == 0 {
			return fmt.Errorf("a convex hull has no vertices")
		}
		return finiteAll(c.Vertices)
	case Box:
		if !geom.Finite(c.Center) || !geom.Finite(c.Half) || c.Half.X < 0 || c.Half.Y < 0 || c.Half.Z < 0 {
			return fmt.Errorf("box with centre %v and half sides %v must be finite and not negative", c.Center, c.Half)
		}
		return nil
	case Cylinder, Cone:
		if !(c.CoreRadius >= 0 && c.HalfLength >= 0) || math.IsInf(c.CoreRadius+c.HalfLength, 0) {
			return fmt.Errorf("radius %g and half length %g must be zero or more", c.CoreRadius, c.HalfLength)
		}
		return nil
	}
	return fmt.Errorf("convex piece of unknown kind %d", c.Kind)
}

func finiteAll(vs []geom.Vec) error {
	for i, v := range vs {
		if !geom.Finite(v) {
			return fmt.Errorf("vertex %d of a convex piece is not finite: %v", i, v)
		}
	}
	return nil
}
