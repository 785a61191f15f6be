// Package convex is the convex pieces that the engine proves apart: support
// mappings (trusted), closest points between two pieces (an untrusted search),
// convex hulls and minimal enclosing balls with their verification.
package convex

import (
	"github.com/firstcontact-ros/firstcontact/geom"
)

// Kind tells which fields of a Core hold.
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

// Core is a closed convex set in its own frame F; the piece it stands for is
// every point within Radius of the core (a sphere is a Point with a radius, a
// capsule a Segment). It is immutable and may be shared.
type Core struct {
	Kind       Kind
	Radius     float64
	Center     geom.Vec
	Half       geom.Vec
	CoreRadius float64
	HalfLength float64
	Vertices   []geom.Vec
}
