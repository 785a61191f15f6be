package spacetime

import (
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/bvh"
	"github.com/firstcontact-ros/firstcontact/internal/convex"
	"github.com/firstcontact-ros/firstcontact/internal/model"
)

// Solids. Leaves are surfaces: a proof that they stay apart leaves out that one
// body lies inside the other. Where, at one time, a point of each connected part
// of either surface lies outside the other solid, and the surfaces are apart
// all along, no part ever gets inside: it would have to cross the surface. A
// proof at the level of the convex pieces needs no such check, as it separates
// the solids themselves.

// checkOutside is asked before the pair of e is opened. It reports true if
// neither solid contains a part of the other now, or if that was shown before;
// otherwise it has noted a witness, or why it cannot tell.
func (s *search) checkOutside(e entry, openA bool) bool {
	w := s.w
	q, p := &w.m.Pairs[e.pair], &w.pairs[e.pair]
	ea, eb := &w.m.Elements[q.A], &w.m.Elements[q.B]
	if isPoints(ea) || isPoints(eb) {
		return s.checkPoint(e, ea, eb, openA)
	}
	if p.outside {
		return true
	}
	poseA, poseB := p.a.pose, p.b.pose
	inside, at, ok := partInside(ea, &poseA, eb, &poseB)
	if ok && !inside {
		inside, at, ok = partInside(eb, &poseB, ea, &poseA)
	}
	return s.judge(e, p, inside, at, ok)
}

// checkPoint handles point clouds and cells, whose every piece is a part of its
// own: once a single one meets a whole mesh, a point of it is asked about, each
// time. What lies inside a cell is no question: a cell is a convex solid, and its
// leaf's proof separates that.
func (s *search) checkPoint(e entry, ea, eb *model.Element, openA bool) bool {
	p := &s.w.pairs[e.pair]
	points, solid, node, poseP, poseS := ea, eb, e.a, p.a.pose, p.b.pose
	opensSolid := !openA
	if !isPoints(ea) {
		points, solid, node, poseP, poseS = eb, ea, e.b, poseS, poseP
		opensSolid = openA
	}
	if !opensSolid || solid.Leaves == nil || !solid.Leaves.AnyClosed {
		return true
	}
	leaves := points.Leaves
	at := poseP.Apply(leaves.Within(leaves.Tree.Order[leaves.Tree.Nodes[node].First]))
	inside, ok := insideSolids(solid, poseS.ApplyInv(at))
	if ok && !inside {
		return true
	}
	return s.judge(e, p, inside, at, ok)
}

func (s *search) judge(e entry, p *placedPair, inside bool, at geom.Vec, ok bool) bool {
	switch {
	case !ok:
		s.w.reason = "cannot tell whether one mesh lies inside the other"
		return false
	case inside:
		s.witness(touch{pair: e.pair, a: at, b: at})
		return false
	}
	p.outside = true
	return true
}

// partInside tells whether some connected part of a's surface has its first
// point inside b, and where in W. Every solid that is convex is one part.
func partInside(a *model.Element, poseA *geom.Pose, b *model.Element, poseB *geom.Pose) (inside bool, at geom.Vec, ok bool) {
	if b.Leaves != nil && !b.Leaves.AnyClosed {
		return false, geom.Vec{}, true
	}
	if a.Leaves == nil {
		at = poseA.Apply(a.Core.Support(geom.Vec{X: 1}))
		inside, ok = insideShape(b, poseB.ApplyInv(at))
		return inside, at, ok
	}
	for i := range a.Leaves.Parts {
		first := a.Leaves.Mesh.Triangles[a.Leaves.Parts[i].Triangles[0]][0]
		at = poseA.Apply(a.Leaves.Mesh.Vertices[first])
		if inside, ok = insideShape(b, poseB.ApplyInv(at)); inside || !ok {
			return inside, at, ok
		}
	}
	return false, geom.Vec{}, true
}

// insideShape tells whether the point, in e's own frame, lies in its solid.
func insideShape(e *model.Element, x geom.Vec) (inside, ok bool) {
	if e.Leaves != nil {
		return insideSolids(e, x)
	}
	// A point on or within rounding of a convex solid counts as inside only where
	// the search finds it there; where it is outside, its surface is not crossed
	// without the leaves' proof failing.
	point := convex.Core{Kind: convex.Point, Vertices: []geom.Vec{x}}
	id := geom.IdentityPose()
	r := convex.Distance(&point, id, &e.Core, id, nil)
	return r.Overlap || r.Distance <= 0, true
}

// insideSolids tells whether the point lies inside a closed component of e's
// mesh; ok is false where that could not be decided.
func insideSolids(e *model.Element, x geom.Vec) (inside, ok bool) {
	l := e.Leaves
	for i := range l.Parts {
		if !l.Parts[i].Closed {
			continue
		}
		if inside, ok = bvh.Inside(l.Tree, l.Mesh, l.PartOf, int32(i), x); inside || !ok {
			return inside, ok
		}
	}
	return false, true
}
