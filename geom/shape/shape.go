// Package shape defines the exact collision shapes: primitives stay primitives, a mesh keeps
// its triangles. Links (urdf.Collision) and obstacles (scene.Object) consist of them.
package shape

import (
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// Kind determines which fields of a Shape are used.
type Kind uint8

// The kinds of shape. Axes are the shape's own: cylinders, capsules and cones lie along z with
// the middle of their length at the origin, and a cone's tip is at +Length/2.
const (
	Invalid  Kind = iota
	Box           // Size
	Sphere        // Radius
	Cylinder      // Radius, Length
	Capsule       // Radius, Length (of the axis: the caps lie beyond it)
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
	Mesh   *TriangleMesh // scale already applied
	Points []geom.Vec
	Cells  []geom.Box // sides along the shape's axes
	Source string     // the mesh or octree file it came from, for messages
}

// Validate returns the first reason why s is not a valid shape: a size that is negative, zero,
// not finite or not between geom.MinLength and geom.MaxLength, a mesh without triangles or
// smaller than geom.MinLength, a point beyond geom.MaxLength, a cell without volume.
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
	if !(s.Radius >= 0 && s.Radius <= geom.MaxLength) {
		return fmt.Errorf("radius %g of the points must be zero or more, and at most %g m: check the unit", s.Radius, float64(geom.MaxLength))
	}
	if len(s.Points) == 0 {
		return fmt.Errorf("there are no points")
	}
	for i, p := range s.Points {
		if !geom.Bounded(p) {
			return beyond(fmt.Sprintf("point %d", i), p)
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
		for _, corner := range [2]geom.Vec{c.Min, c.Max} {
			if !geom.Bounded(corner) {
				return beyond(fmt.Sprintf("cell %d", i), corner)
			}
		}
		if !(c.Max.X-c.Min.X >= geom.MinLength && c.Max.Y-c.Min.Y >= geom.MinLength && c.Max.Z-c.Min.Z >= geom.MinLength) {
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
	box := geom.EmptyBox()
	for i, v := range s.Mesh.Vertices {
		if !geom.Bounded(v) {
			return fmt.Errorf("mesh %s: %w", s.Source, beyond(fmt.Sprintf("vertex %d", i), v))
		}
		box = box.Extend(v)
	}
	if size := max(box.Max.X-box.Min.X, box.Max.Y-box.Min.Y, box.Max.Z-box.Min.Z); !(size >= geom.MinLength) {
		return fmt.Errorf("mesh %s is no larger than %g m: check the unit and the scale", s.Source, size)
	}
	for i, t := range s.Mesh.Triangles {
		for _, k := range t {
			if k < 0 || k >= n {
				return fmt.Errorf("mesh %s: triangle %d refers to vertex %d of %d", s.Source, i, k, n)
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
		if !(x >= geom.MinLength && x <= geom.MaxLength) {
			return fmt.Errorf("%s must be from %g m to %g m, not %g: check the unit", what, float64(geom.MinLength), float64(geom.MaxLength), x)
		}
	}
	return nil
}

func beyond(what string, p geom.Vec) error {
	if !geom.Finite(p) {
		return fmt.Errorf("%s is not finite: %v", what, p)
	}
	return fmt.Errorf("%s is beyond %g m: %v: check the unit", what, float64(geom.MaxLength), p)
}
