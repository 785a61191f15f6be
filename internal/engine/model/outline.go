package model

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// Outline returns points in the element's frame F whose hull, grown by radius, contains the
// element, padding included.
//
// The points are the core's, each placed with an error of at most 16u of its size and the
// error of the element's own pose; both are in the radius. A cylinder or cone is replaced by a
// prism around it.
func (e *Element) Outline() (points []geom.Vec, radius float64) { return e.OutlineOf(&e.Core) }

// OutlineOf is Outline for a convex piece of the element, in E.
func (e *Element) OutlineOf(core *convex.Core) (points []geom.Vec, radius float64) {
	const u = 0x1p-53
	far := 0.0
	for _, p := range outline(core) {
		at := e.PoseFE.Apply(p)
		points, far = append(points, at), math.Max(far, geom.Norm(at))
	}
	rho := 2 * (geom.Norm(e.Center) + e.Radius)
	return points, (core.Radius + e.ErrP + e.ErrR*rho + 64*u*far) * (1 + roundRadius)
}
