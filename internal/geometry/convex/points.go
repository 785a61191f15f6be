package convex

import (
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
)

// A point, which is a sphere's core, needs no search against anything but a hull.

// direct finds the closest points in closed form if one core is a point and the
// other no hull. It reports in overlap whether they are one to rounding.
func (g *search) direct() (overlap, ok bool) {
	switch {
	case g.a.Kind == Point && g.b.hasNearest():
		g.onA = g.a.Vertices[0]
		q := g.poseAB.R.TurnBack(sub(g.onA, g.poseAB.P))
		g.onB = add(g.poseAB.R.Turn(g.b.nearest(q)), g.poseAB.P)
	case g.b.Kind == Point && g.a.hasNearest():
		g.onB = add(g.poseAB.R.Turn(g.b.Vertices[0]), g.poseAB.P)
		g.onA = g.a.nearest(g.onB)
	default:
		return false, false
	}
	v := sub(g.onB, g.onA)
	g.upper = norm(v)
	if g.upper <= g.touch {
		v = g.start(geom.Vec{})
	}
	g.noteAlong(&v)
	return g.upper <= g.touch, true
}

// hasNearest reports whether nearest knows the core's kind.
func (c *Core) hasNearest() bool { return c.Kind != Hull }

// nearest returns the core's point nearest to q, both in the core's frame.
func (c *Core) nearest(q geom.Vec) geom.Vec {
	switch c.Kind {
	case Point:
		return c.Vertices[0]
	case Segment:
		return tri.ClosestOnSegment(c.Vertices[0], c.Vertices[1], q)
	case Triangle:
		return tri.ClosestPoint(&tri.Triangle{c.Vertices[0], c.Vertices[1], c.Vertices[2]}, q)
	case Box:
		return geom.Vec{
			X: c.Center.X + clamp(q.X-c.Center.X, c.Half.X),
			Y: c.Center.Y + clamp(q.Y-c.Center.Y, c.Half.Y),
			Z: c.Center.Z + clamp(q.Z-c.Center.Z, c.Half.Z),
		}
	case Cylinder:
		k := 1.0
		if l := lengthXY(q); l > c.CoreRadius {
			k = c.CoreRadius / l
		}
		return geom.Vec{X: k * q.X, Y: k * q.Y, Z: clamp(q.Z, c.HalfLength)}
	case Cone:
		return c.nearestOnCone(q)
	}
	return nan
}

// nearestOnCone finds the point on the cone's profile in the half plane of q.
func (c *Core) nearestOnCone(q geom.Vec) geom.Vec {
	l := lengthXY(q)
	profile := tri.Triangle{{Z: c.HalfLength}, {X: c.CoreRadius, Z: -c.HalfLength}, {Z: -c.HalfLength}}
	p := tri.ClosestPoint(&profile, geom.Vec{X: l, Z: q.Z})
	if l > 0 {
		k := p.X / l
		return geom.Vec{X: k * q.X, Y: k * q.Y, Z: p.Z}
	}
	return p
}

func clamp(x, size float64) float64 {
	switch {
	case x < -size:
		return -size
	case x > size:
		return size
	}
	return x
}
