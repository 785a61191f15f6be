package engine

import (
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// Solids decides whether one body lies inside another. It is scratch memory of one goroutine.
// For the inside of a mesh see [mesh.Solid].
//
// Triangles are surfaces: a proof that they stay apart does not exclude that one body lies
// inside the other. If, at one time, a point of each connected part of either surface lies
// outside the other solid, and the surfaces are apart during the whole motion, no part ever
// gets inside: it would have to cross the surface. That time should be the motion's start: a
// proof about the time before a first contact must not depend on where a body was after it. A
// proof that separates the convex pieces around both bodies needs no such check, because it
// separates the solids themselves.
type Solids struct {
	point    convex.Core
	vertices [1]geom.Vec
}

// IsPoints reports whether the element consists of points or cells, which are separate parts.
func IsPoints(e *model.Element) bool { return e.Leaves != nil && e.Leaves.Mesh == nil }

// Encloses reports whether opening e leaves surfaces that may have something inside.
func Encloses(e *model.Element) bool {
	return e.Leaves != nil && e.Leaves.Solid != nil && e.Leaves.Solid.Encloses()
}

// IsAmbiguous reports whether a point may be called inside e although it is not.
func IsAmbiguous(e *model.Element) bool {
	return e.Leaves != nil && e.Leaves.Solid != nil && e.Leaves.Solid.Ambiguous
}

// Inside reports whether any part of one element lies inside the other, and where in W; ok is
// false if that could not be decided. Use it for pairs of which one is represented by its
// triangles.
func (s *Solids) Inside(a *model.Element, poseA *geom.Pose, b *model.Element, poseB *geom.Pose) (inside bool, at geom.Vec, ok bool) {
	inside, at, ok = s.holds(b, poseB, a, poseA)
	if ok && !inside {
		inside, at, ok = s.holds(a, poseA, b, poseB)
	}
	return inside, at, ok
}

// holds reports whether solid contains any part of e.
func (s *Solids) holds(solid *model.Element, poseS *geom.Pose, e *model.Element, poseE *geom.Pose) (inside bool, at geom.Vec, ok bool) {
	if !IsPoints(e) {
		return s.PartInside(e, poseE, solid, poseS)
	}
	if !Encloses(solid) {
		return false, at, true // convex solids are separated as such
	}
	center := poseS.Move(solid.Center)
	for i := range e.Leaves.Tree.Order {
		at = poseE.Move(e.Leaves.Within(int32(i)))
		if geom.Norm(geom.Vec{X: at.X - center.X, Y: at.Y - center.Y, Z: at.Z - center.Z}) > solid.Radius*(1+1e-9) {
			continue
		}
		if inside, ok = InsideSolids(solid, poseS.MoveBack(at)); inside || !ok {
			return inside, at, ok
		}
	}
	return false, at, true
}

// PartInside reports whether some connected part of a's surface has its first point inside b,
// and where in W. Every convex solid is one part.
func (s *Solids) PartInside(a *model.Element, poseA *geom.Pose, b *model.Element, poseB *geom.Pose) (inside bool, at geom.Vec, ok bool) {
	if b.Leaves != nil && !Encloses(b) {
		return false, geom.Vec{}, true
	}
	if a.Leaves == nil {
		at = poseA.Move(a.Core.Support(geom.Vec{X: 1}))
		inside, ok = s.insideShape(b, poseB.MoveBack(at))
		return inside, at, ok
	}
	for i := range a.Leaves.Parts {
		first := a.Leaves.Mesh.Triangles[a.Leaves.Parts[i].Triangles[0]][0]
		at = poseA.Move(a.Leaves.Mesh.Vertices[first])
		if inside, ok = s.insideShape(b, poseB.MoveBack(at)); inside || !ok {
			return inside, at, ok
		}
	}
	return false, geom.Vec{}, true
}

// insideShape reports whether the point, in e's own frame, lies in its solid.
func (s *Solids) insideShape(e *model.Element, x geom.Vec) (inside, ok bool) {
	if e.Leaves != nil {
		return InsideSolids(e, x)
	}
	// A point on or within rounding of a convex solid counts as inside only if the search
	// finds it there; if it is outside, its surface cannot be crossed without the leaves'
	// proof failing.
	s.vertices[0] = x
	s.point.Kind, s.point.Vertices = convex.Point, s.vertices[:]
	id := geom.IdentityPose()
	r := convex.Distance(&s.point, &id, &e.Core, &id, nil)
	return r.Overlap || r.Distance <= 0, true
}

// InsideSolids reports whether the point lies inside the solid of e's mesh, which must enclose
// something; ok is false if that could not be decided.
func InsideSolids(e *model.Element, x geom.Vec) (inside, ok bool) {
	return bvh.Inside(e.Leaves.Tree, e.Leaves.Mesh, e.Leaves.Solid, x)
}
