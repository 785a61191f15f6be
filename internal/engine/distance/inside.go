package distance

import (
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
)

// undecidedInside is why a query ends that depends on what is inside of what.
const undecidedInside = "cannot tell whether one mesh lies inside the other"

// partWithin tells whether some connected part of element i lies inside element k,
// their surfaces being apart, and where. A connected surface that does not meet
// another is on one side of it, so that any one of its points tells; and none is
// inside where one is outside the box around the solid.
func (w *Searcher) partWithin(i, k int) (at geom.Vec, inside, ok bool) {
	a, b := &w.m.Elements[i], &w.m.Elements[k]
	poseA, poseB := &w.at.Element(i).Pose, &w.at.Element(k).Pose
	if b.Leaves == nil || a.Leaves == nil {
		inside, at, ok = w.solids.PartInside(a, poseA, b, poseB)
		return at, inside, ok
	}
	if !engine.Encloses(b) {
		return geom.Vec{}, false, true
	}
	var poseBA geom.Pose
	poseBA.Relate(poseB, poseA)
	in := a.Leaves.Extents()
	for p := range in {
		if sticksOut(&in[p], &poseBA, &b.Leaves.Solid.Box) {
			continue
		}
		at = in[p].Extreme[0]
		inside, ok = engine.InsideSolids(b, poseBA.Move(at))
		if inside || !ok {
			return poseA.Move(at), inside, ok
		}
	}
	return geom.Vec{}, false, true
}

// sticksOut reports whether one of a part's extreme points is outside a box.
func sticksOut(p *model.PartExtent, pose *geom.Pose, box *geom.Box) bool {
	const margin = 1e-9 // far more than rounding, so that what is outside is
	for i := range p.Extreme {
		if squareToBox(box, pose.Move(p.Extreme[i])) > margin*margin {
			return true
		}
	}
	return false
}

// isOutside reports whether neither solid of a pair was found to hold the other, for
// this question.
func (w *Searcher) isOutside(pair int32) bool {
	return w.outsides[pair] == w.q.Number
}
