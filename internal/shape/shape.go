// Package shape is the exact collision shapes: primitives stay primitives, a
// mesh keeps its triangles.
package shape

import (
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/mesh"
)

// Kind tells which fields of a Shape hold.
type Kind uint8

// The kinds of shape. Axes are the shape's own: cylinders, capsules and cones
// stand along z with the middle of their length at the origin, and a cone's tip
// is at +Length/2.
const (
	Invalid  Kind = iota
	Box           // Size
	Sphere        // Radius
	Cylinder      // Radius, Length
	Capsule       // Radius, Length (of the axis: the caps stand beyond it)
	Cone          // Radius of the base, Length
	Mesh          // Mesh
	Points        // Points, each a ball of Radius
	Cells         // Cells, each a solid box: the occupied cells of an octree
)

var kindNames = [...]string{"invalid", "box", "sphere", "cylinder", "capsule", "cone", "mesh", "points", "cells"}

// String returns the kind's name as scene files spell it.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// Shape is a solid or a surface in its own frame, in metres.
type Shape struct {
	Kind   Kind
	Size   geom.Vec // full side lengths
	Radius float64
	Length float64
	Mesh   *mesh.Mesh // scale already applied
	Points []geom.Vec
	Cells  []geom.Box // sides along the shape's axes
	Source string     // the mesh or octree file it came from, for messages
}

// Validate reports the first thing that keeps s from being a shape: a size that
// is negative, zero or not finite, a mesh without triangles, a vertex that is
// not finite, a cell without volume.
func (s *Shape) Validate() error {
	switch s.Kind {
	case Box:
		return allPositive("size", s.Size.X, s.Size.Y, s.Size.Z)
	case Sphere:
		return allPositive("radius", s.Radius)
	case Cylinder, Cone:
		return allPositive("radius and length", s.Radius, s.Length)
	case Capsule:
		if s.Length == 0 {
			return allPositive("radius", s.Radius)
		}
		return allPositive("radius and length", s.Radius, s.Length)
	case Points:
		return s.validatePoints()
	case Cells:
		return s.validateCells()
	case Mesh:
		return s.validateMesh()
	}
	return fmt.Errorf("shape has no kind")
}

func (s *Shape) validatePoints() error {
	if !(s.Radius >= 0) || math.IsInf(s.Radius, 0) {
		return fmt.Errorf("radius %g of the points must be zero or more", s.Radius)
	}
	if len(s.Points) == 0 {
		return fmt.Errorf("there are no points")
	}
	for i, p := range s.Points {
		if !geom.Finite(p) {
			return fmt.Errorf("point %d is not finite: %v", i, p)
		}
	}
	return nil
}

func (s *Shape) validateCells() error {
	if len(s.Cells) == 0 {
		return fmt.Errorf("there are no cells")
	}
	for i := range s.Cells {
		c := &s.Cells[i]
		if !geom.Finite(c.Min) || !geom.Finite(c.Max) {
			return fmt.Errorf("cell %d is not finite: %v to %v", i, c.Min, c.Max)
		}
		if !(c.Min.X < c.Max.X && c.Min.Y < c.Max.Y && c.Min.Z < c.Max.Z) {
			return fmt.Errorf("cell %d has no volume: %v to %v", i, c.Min, c.Max)
		}
	}
	return nil
}

func (s *Shape) validateMesh() error {
	if s.Mesh == nil || len(s.Mesh.Triangles) == 0 {
		return fmt.Errorf("mesh %s has no triangles", s.Source)
	}
	n := int32(len(s.Mesh.Vertices))
	for i, v := range s.Mesh.Vertices {
		if !geom.Finite(v) {
			return fmt.Errorf("mesh %s: vertex %d is not finite: %v", s.Source, i, v)
		}
	}
	for i, t := range s.Mesh.Triangles {
		for _, k := range t {
			if k < 0 || k >= n {
				return fmt.Errorf("mesh %s: triangle %d names vertex %d of %d", s.Source, i, k, n)
			}
		}
	}
	return nil
}

func allPositive(what string, xs ...float64) error {
	for _, x := range xs {
		if !(x > 0) || math.IsInf(x, 0) {
			return fmt.Errorf("%s must be positive and finite, not %g", what, x)
		}
	}
	return nil
}
