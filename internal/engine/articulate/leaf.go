package articulate

// Convex leaves: what Eq. 13 and 14 do not speak of. The paper's objects are triangles
// that must not touch. Spheres, cylinders and other solids, points, cells, rounded or
// padded triangles, and triangles that must stay farther apart than a clearance, are
// pairs of convex pieces here, each with a radius. Such a pair is active like an
// equation, and falls where one direction parts it all along an interval: bounds on the
// matrices bound how far either piece reaches along it. The direction is that of the
// closest points in the middle of the interval, which a search finds that nothing
// relies on.

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
	"github.com/firstcontact-ros/firstcontact/internal/numeric/interval"
)

// leafCore is a piece of an element; its vertices are stored beside it, so that making one
// allocates nothing.
type leafCore struct {
	core     convex.Core
	vertices [3]geom.Vec
}

func (l *leafCore) set(p *part, leaf int32) { l.core = p.core(leaf, &l.vertices) }

// gap is what is remembered of a pair of convex leaves: the direction from a to b, in
// the frame they are compared in, that parted them last.
type gap struct{ along geom.Vec }

// unitSlack is how much longer than 1 a direction of unit length may be: its square
// errs by 4, the root and the quotient by one rounding each.
const unitSlack = 0x1p-50

// partedAlong reports that two pieces of a pair stay more than the pair's margin apart
// along the direction n, of unit length, in the frame they are compared in.
func (w *Worker) partedAlong(p *activePair, leafA, leafB int32, n geom.Vec) bool {
	a := reachAlong(p.a.part, &w.poses(p.a, &w.span, &p.a.over).pose, leafA, n)
	b := reachAlong(p.b.part, &w.poses(p.b, &w.span, &p.b.over).pose, leafB, geom.Vec{X: -n.X, Y: -n.Y, Z: -n.Z})
	between := interval.Point(0).Sub(interval.Point(a).Add(interval.Point(b)))
	return between.Lo > p.margin*(1+unitSlack) && !math.IsInf(between.Lo, 0)
}

// reachAlong bounds from above n . x over all points x of a piece, without its radius,
// at all poses of the set.
func reachAlong(p *part, pose *interval.Pose, leaf int32, n geom.Vec) float64 {
	d, o := pose.R.ApplyInv(interval.OfVec(n)), interval.OfVec(n).Dot(pose.P)
	if p.faces != nil {
		t := p.faces.faces[leaf]
		return o.Add(interval.Point(reachOf(p.faces.vertices, t[:], d))).Hi
	}
	var vs [3]geom.Vec
	c := p.core(leaf, &vs)
	switch c.Kind {
	case convex.Box:
		h := interval.OfVec(c.Center).Dot(d)
		h = h.Add(d.X.Abs().Scale(c.Half.X)).Add(d.Y.Abs().Scale(c.Half.Y)).Add(d.Z.Abs().Scale(c.Half.Z))
		return o.Add(h).Hi
	case convex.Cylinder:
		rim := d.X.Sqr().Add(d.Y.Sqr()).Sqrt().Scale(c.CoreRadius)
		return o.Add(rim).Add(d.Z.Abs().Scale(c.HalfLength)).Hi
	case convex.Cone:
		rim := d.X.Sqr().Add(d.Y.Sqr()).Sqrt().Scale(c.CoreRadius)
		tip, base := d.Z.Scale(c.HalfLength), rim.Sub(d.Z.Scale(c.HalfLength))
		return o.Add(interval.Point(max(tip.Hi, base.Hi))).Hi
	case convex.Hull:
		if len(c.Vertices) > fewVertices {
			return o.Add(reachOfHull(p, &c, d)).Hi
		}
	}
	most := math.Inf(-1)
	for _, v := range c.Vertices {
		most = max(most, interval.OfVec(v).Dot(d).Hi)
	}
	return o.Add(interval.Point(most)).Hi
}

// fewVertices are looked at one by one.
const fewVertices = 16

func reachOf(vertices []geom.Vec, of []int32, d interval.Vec) float64 {
	most := math.Inf(-1)
	for _, i := range of {
		most = max(most, interval.OfVec(vertices[i]).Dot(d).Hi)
	}
	return most
}

// reachOfHull bounds the reach of a hull of many vertices along all directions of d:
// that along the middle one, and from the element's centre at most its radius for
// every unit that the direction differs from it.
func reachOfHull(p *part, c *convex.Core, d interval.Vec) interval.I {
	mid := d.Mid()
	middle := interval.OfVec(mid)
	center := interval.OfVec(p.element.Center)
	h := interval.Within(c.SupportValue(mid), c.SupportError(mid))
	off := interval.Vec{X: d.X.Sub(middle.X), Y: d.Y.Sub(middle.Y), Z: d.Z.Sub(middle.Z)}
	return center.Dot(d).Add(h.Sub(center.Dot(middle))).Add(off.Norm().Scale(p.reach))
}

// middlePose returns a pose in the middle of a set.
func middlePose(p *interval.Pose) geom.Pose {
	return geom.Pose{
		R: geom.Rot{
			XX: p.R[0].X.Mid(), XY: p.R[0].Y.Mid(), XZ: p.R[0].Z.Mid(),
			YX: p.R[1].X.Mid(), YY: p.R[1].Y.Mid(), YZ: p.R[1].Z.Mid(),
			ZX: p.R[2].X.Mid(), ZY: p.R[2].Y.Mid(), ZZ: p.R[2].Z.Mid(),
		},
		P: p.P.Mid(),
	}
}

// direction looks for a direction that parts two pieces at the instant.
func (w *Worker) direction(p *activePair, leafA, leafB int32) geom.Vec {
	a, b := &w.leafA, &w.leafB
	a.set(p.a.part, leafA)
	b.set(p.b.part, leafB)
	poseA, poseB := middlePose(&w.poses(p.a, &w.instant, &p.a.at).pose), middlePose(&w.poses(p.b, &w.instant, &p.b.at).pose)
	w.stats.Directions++
	r := convex.Distance(&a.core, &poseA, &b.core, &poseB, &w.search)
	return r.Normal
}

// parted reports that two pieces are shown apart over the interval at hand; g, if not nil, remembers by which direction.
func (w *Worker) parted(p *activePair, leafA, leafB int32, g *gap) bool {
	w.stats.GapTests++
	if g != nil && g.along != (geom.Vec{}) && w.partedAlong(p, leafA, leafB, g.along) {
		return true
	}
	w.search.Dir = geom.Vec{}
	if g != nil {
		w.search.Dir = g.along
	}
	n := w.direction(p, leafA, leafB)
	if n == (geom.Vec{}) {
		return false
	}
	if g != nil {
		g.along = n
	}
	return w.partedAlong(p, leafA, leafB, n)
}

// touchAt returns how close two pieces of a pair are at a time of the piece, in the
// world, radii taken off.
func (w *Worker) touchAt(p *activePair, leafA, leafB int32, at float64) engine.Touch {
	poseA, poseB := w.poseW(p.a, at), w.poseW(p.b, at)
	a, b := &w.leafA, &w.leafB
	a.set(p.a.part, leafA)
	b.set(p.b.part, leafB)
	a.core.Radius, b.core.Radius = p.a.part.radius, p.b.part.radius
	w.stats.Distances++
	if !p.convex() {
		return trianglesAt(&a.vertices, poseA, &b.vertices, poseB)
	}
	r := convex.Distance(&a.core, &poseA, &b.core, &poseB, nil)
	t := engine.Touch{A: r.PointA, B: r.PointB, Normal: r.Normal, Distance: r.Distance}
	if r.Overlap {
		t.Distance = 0
	}
	return t
}

func trianglesAt(a *[3]geom.Vec, poseA geom.Pose, b *[3]geom.Vec, poseB geom.Pose) engine.Touch {
	var s, t tri.Triangle
	for k := range 3 {
		s[k], t[k] = poseA.Apply(a[k]), poseB.Apply(b[k])
	}
	r := tri.Distance(&s, &t)
	n, _ := geom.Unit(geom.Vec{X: r.PointB.X - r.PointA.X, Y: r.PointB.Y - r.PointA.Y, Z: r.PointB.Z - r.PointA.Z})
	return engine.Touch{A: r.PointA, B: r.PointB, Normal: n, Distance: r.Distance}
}

// poseW returns where an element is in the world at a time of the piece.
func (w *Worker) poseW(s *side, at float64) geom.Pose {
	frame := middlePose(w.mover.PoseWF(s.frame, at, at))
	return frame.Mul(s.part.element.PoseFE)
}
