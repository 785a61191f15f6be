package articulate

// Line swept spheres: RKLM04, section 4.2.1, which fits them to links as the library of
// swept sphere volumes does: a line along the points' principal direction, of the radius
// that reaches all points, drawn in at both ends as far as the round caps allow.
//
// Departures. The paper encloses each link in one volume; a link here may have several
// collision elements, and each has its own, which is tighter (LSSOfBody is the
// paper's). Besides the principal direction its two normals and the spheres' own
// direction compete, as a plate has no direction that is principal by much, and the
// best is turned to make the volume smaller. None of the search is trusted: the last
// pass measures how far the points are from the segment and makes that the radius.

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// LSS is a line swept sphere: every point within Radius of the segment from A to B,
// in metres, in a frame that the maker tells.
type LSS struct {
	A, B   geom.Vec
	Radius float64
}

// Volume returns how large the sphere-swept line is, in cubic metres.
func (l *LSS) Volume() float64 {
	return math.Pi * l.Radius * l.Radius * (geom.Norm(r3.Sub(l.B, l.A)) + 4./3*l.Radius)
}

// Distance returns how far p is from the segment, without the radius.
func (l *LSS) Distance(p geom.Vec) float64 { return geom.Norm(r3.Sub(p, l.nearest(p))) }

// nearest returns the segment's point nearest to p, to rounding.
func (l *LSS) nearest(p geom.Vec) geom.Vec {
	d := r3.Sub(l.B, l.A)
	t := r3.Dot(r3.Sub(p, l.A), d) / r3.Dot(d, d)
	if !(t > 0) { // a segment of no length included
		return l.A
	}
	if t >= 1 {
		return l.B
	}
	return r3.Add(l.A, r3.Scale(t, d))
}

// u is the largest relative error of one rounding.
const u = 0x1p-53

// reach bounds from above how far p is from the segment. The nearest point as computed
// is within 6u of the coordinates' sizes of the segment (a difference, a product and a
// sum), the computed length errs by 4u of itself.
func (l *LSS) reach(p geom.Vec) float64 {
	return l.Distance(p)*(1+8*u) + 8*u*(geom.Norm(l.A)+geom.Norm(l.B)) + tiny
}

// tiny is more than what squares and products lose below the smallest numbers.
const tiny = 0x1p-500

// LSSAround returns a line swept sphere that holds every point of the hull of points
// with radius added all around. It is proved, not fitted, to do so: the distance from a
// segment is a convex function, so that it is greatest in a corner of the hull, and
// Radius is the greatest of them, rounded outward.
//
// The points, of which there is one at least, are finite. The search looks at likely
// only, which may be nil: a few of the points that tell the shape of all.
func LSSAround(points, likely []geom.Vec, radius float64) LSS {
	if len(likely) == 0 {
		likely = points
	}
	l := drawnIn(points, fitLSS(likely, radius), radius)
	far := 0.0
	for _, p := range points {
		far = max(far, l.reach(p))
	}
	l.Radius = (far + radius) * (1 + 2*u)
	return l
}

// LSSOfElement returns a line swept sphere, in the element's frame F, around the
// element, padding included. What the loaded poses are off by is in the radius.
func LSSOfElement(e *model.Element) LSS {
	points, radius := corners(e)
	var likely []geom.Vec
	if e.Core.Kind == convex.Hull {
		likely = e.Core.Vertices
	}
	l := LSSAround(points, likely, radius)
	return l.placed(e.PoseFE, e.ErrR, e.ErrP)
}

// LSSOfBody returns the line swept sphere around all elements of a body, in its frame,
// as the paper has it for a link. The body has an element at least.
func LSSOfBody(m *model.Model, body int) LSS {
	var all []geom.Vec
	var slack, radius float64
	for _, i := range m.Bodies[body].Elements {
		e := &m.Elements[i]
		points, r := corners(e)
		radius = max(radius, r)
		for _, p := range points {
			all = append(all, e.PoseFE.Apply(p))
			slack = max(slack, placingSlack(e.PoseFE, p, e.ErrR, e.ErrP))
		}
	}
	return LSSAround(all, nil, (radius+slack)*(1+2*u))
}

// placed moves l to another frame by a pose that errs as kin says.
func (l LSS) placed(pose geom.Pose, errR, errP float64) LSS {
	slack := max(placingSlack(pose, l.A, errR, errP), placingSlack(pose, l.B, errR, errP))
	return LSS{A: pose.Apply(l.A), B: pose.Apply(l.B), Radius: (l.Radius + slack) * (1 + 2*u)}
}

// placingSlack bounds how far pose.Apply(p) is from where p truly is: the pose's own
// error and that of three products and three sums a coordinate, of which each is below
// 6u of the sizes. A point between two placed ones is off by no more than the worse.
func placingSlack(pose geom.Pose, p geom.Vec, errR, errP float64) float64 {
	size := geom.Norm(p)
	return (errP + errR*size + 16*u*(size+geom.Norm(pose.P))) * (1 + 16*u)
}

// rimCorners is how many corners stand for a circle: the polygon around it sticks out
// by 1 - cos(pi / rimCorners) of the radius, 0.03 %.
const rimCorners = 128

// corners returns points of the element's own frame, and a radius, such that the shape is in
// the points' hull with the radius added all around.
func corners(e *model.Element) ([]geom.Vec, float64) {
	if e.Exact || e.Leaves == nil {
		return coreCorners(&e.Core), e.Core.Radius
	}
	l := e.Leaves
	switch {
	case l.Mesh != nil:
		return l.Mesh.Vertices, e.Padding
	case l.Cells != nil:
		var points []geom.Vec
		for _, c := range l.Cells {
			points = appendBox(points, c.Min, c.Max)
		}
		return points, (l.Radius + e.Padding) * (1 + 2*u)
	}
	return l.Points, (l.Radius + e.Padding) * (1 + 2*u)
}

func coreCorners(c *convex.Core) []geom.Vec {
	switch c.Kind {
	case convex.Box:
		// Rounding the sums moves a side by u of its place: a box that is larger by 2u.
		grown := r3.Add(c.Half, r3.Scale(4*u, geom.Vec{
			X: c.Half.X + math.Abs(c.Center.X), Y: c.Half.Y + math.Abs(c.Center.Y), Z: c.Half.Z + math.Abs(c.Center.Z),
		}))
		return appendBox(nil, r3.Sub(c.Center, grown), r3.Add(c.Center, grown))
	case convex.Cylinder:
		return appendRim(appendRim(nil, c.CoreRadius, c.HalfLength), c.CoreRadius, -c.HalfLength)
	case convex.Cone:
		return append(appendRim(nil, c.CoreRadius, -c.HalfLength), geom.Vec{Z: c.HalfLength})
	}
	return c.Vertices
}

func appendBox(points []geom.Vec, lo, hi geom.Vec) []geom.Vec {
	for i := range 8 {
		p := lo
		if i&1 != 0 {
			p.X = hi.X
		}
		if i&2 != 0 {
			p.Y = hi.Y
		}
		if i&4 != 0 {
			p.Z = hi.Z
		}
		points = append(points, p)
	}
	return points
}

// appendRim appends the corners of a polygon around the circle of radius r about the z axis
// at height z. Sine and cosine err by 4u, as does each corner by a few more.
func appendRim(points []geom.Vec, r, z float64) []geom.Vec {
	r *= (1 + 32*u) / math.Cos(math.Pi/rimCorners)
	for i := range rimCorners {
		s, c := math.Sincos(2 * math.Pi * float64(i) / rimCorners)
		points = append(points, geom.Vec{X: r * c, Y: r * s, Z: z})
	}
	return points
}
