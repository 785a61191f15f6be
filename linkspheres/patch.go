package linkspheres

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/geom/shape"
)

// maxDepth bounds how often a piece of surface is halved: thirty times in each of two
// directions.
const maxDepth = 60

// splitRounding times a size bounds how far maxDepth halvings move a piece's corners: each
// replaces the true middle by one with an error of less than 2u.
const splitRounding = 2 * maxDepth * u

// triangle is a flat piece of surface. Every point of the true one is within err of the
// triangle with these corners.
type triangle struct {
	corners [3]geom.Vec
	err     float64
}

// reach returns the radius that a ball about o needs to contain the triangle: that of its
// corners, because a ball is convex.
func (t *triangle) reach(o geom.Vec) float64 {
	return math.Max(reach(o, t.corners[0], t.err), math.Max(reach(o, t.corners[1], t.err), reach(o, t.corners[2], t.err)))
}

// halves splits the triangle across its longest edge.
func (t *triangle) halves() (a, b triangle) {
	c := &t.corners
	i, most := 0, square(c[0], c[1])
	for k := 1; k < 3; k++ {
		if d := square(c[k], c[(k+1)%3]); d > most {
			i, most = k, d
		}
	}
	j, k := (i+1)%3, (i+2)%3
	m := scale(0.5, add(c[i], c[j]))
	return triangle{[3]geom.Vec{c[i], m, c[k]}, t.err}, triangle{[3]geom.Vec{m, c[j], c[k]}, t.err}
}

func (t *triangle) middle() geom.Vec {
	return scale(1.0/3, add(t.corners[0], add(t.corners[1], t.corners[2])))
}

// span is twice a bound of the distance of the triangle's points from its middle.
func (t *triangle) span() float64 {
	c := &t.corners
	return math.Sqrt(math.Max(square(c[0], c[1]), math.Max(square(c[1], c[2]), square(c[2], c[0]))))
}

// grownErr returns t with err increased by the error of halving.
func (t *triangle) grownErr() triangle {
	size := math.Max(size1(t.corners[0]), math.Max(size1(t.corners[1]), size1(t.corners[2])))
	return triangle{t.corners, t.err + splitRounding*size}
}

// pair is a point of a profile, (distance from the axis, height), or a direction.
type pair [2]float64

// patch is a piece of a primitive's round surface, in the primitive's frame: a profile rotated
// about the z axis from direction a to b, counterclockwise by at most a quarter turn. The
// profile is a segment from p to q or, if arc is set, the arc of radius about (0, center) from
// direction p to q, at most a quarter turn.
type patch struct {
	host   *round
	p, q   pair
	arc    bool
	radius float64
	center float64
	a, b   pair
}

// patchesOf cuts the surface of a primitive that is not a box.
func patchesOf(r *round) []patch {
	s, h := r.shape, r.shape.Length/2
	var profile []patch
	segment := func(p, q pair) { profile = append(profile, patch{host: r, p: p, q: q}) }
	arc := func(p, q pair, center float64) {
		profile = append(profile, patch{host: r, p: p, q: q, arc: true, radius: s.Radius, center: center})
	}
	switch s.Kind {
	case shape.Cylinder:
		segment(pair{0, -h}, pair{s.Radius, -h})
		segment(pair{s.Radius, -h}, pair{s.Radius, h})
		segment(pair{s.Radius, h}, pair{0, h})
	case shape.Cone:
		segment(pair{0, -h}, pair{s.Radius, -h})
		segment(pair{s.Radius, -h}, pair{0, h})
	default: // a capsule; a sphere is one of length 0
		if s.Kind == shape.Sphere {
			h = 0
		}
		arc(pair{0, -1}, pair{1, 0}, -h)
		arc(pair{1, 0}, pair{0, 1}, h)
		if h > 0 {
			segment(pair{s.Radius, -h}, pair{s.Radius, h})
		}
	}
	quarter := [...]pair{{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 0}}
	var out []patch
	for _, p := range profile {
		for i := range 4 {
			p.a, p.b = quarter[i], quarter[i+1]
			out = append(out, p)
		}
	}
	return out
}

// err bounds the rounding of comparing a distance from p with one from the
// primitive's surface in the primitive's frame; see [round.signed].
func (s *round) err(p geom.Vec) float64 {
	return (s.skew+64*u)*(size1(p)+size1(s.pose.P)+2*s.extent) + s.off + tiny
}

// corners returns points of the profile's plane whose hull contains the profile: for an arc
// its ends and the intersection of the tangents there.
func (c *patch) corners() (list [3]pair, n int) {
	if !c.arc {
		return [3]pair{c.p, c.q}, 2
	}
	t := c.radius / (1 + (float64(c.p[0]*c.q[0]) + c.p[1]*c.q[1]))
	return [3]pair{
		{c.radius * c.p[0], c.center + c.radius*c.p[1]},
		{c.radius * c.q[0], c.center + c.radius*c.q[1]},
		{t * (c.p[0] + c.q[0]), c.center + t*(c.p[1]+c.q[1])},
	}, 3
}

// reach returns the radius that a ball about center needs to contain the patch: the whole
// sphere of an arc, or each corner's circular arc. At each angle of the rotation the profile
// is in the hull of its corners, and a ball is convex.
//
// The distance from the ball's centre, x away from the axis, to a point of a circle about the
// axis grows with the angle between their directions; so over an arc it is largest at an end,
// unless the arc contains the direction away from the centre, where it is that of the whole
// circle. The decision allows for rounding.
//
// Rounding: the errors of the compared numbers are less than 64u of the sizes of which
// host.err takes 64u already, and that of halving.
func (c *patch) reach(center geom.Vec) float64 {
	h := c.host
	o := h.pose.ApplyInv(center)
	x := math.Hypot(o.X, o.Y)
	whole := c.a[1]*o.X-c.a[0]*o.Y >= -16*u*x && c.b[0]*o.Y-c.b[1]*o.X >= -16*u*x // the turn from a to -o, and from -o to b
	most := 0.0
	list, n := c.corners()
	for _, k := range list[:n] {
		z := k[1] - o.Z
		if whole {
			most = math.Max(most, above(k[0]+x, z, 0))
			continue
		}
		most = math.Max(most, above(k[0]*c.a[0]-o.X, k[0]*c.a[1]-o.Y, z))
		most = math.Max(most, above(k[0]*c.b[0]-o.X, k[0]*c.b[1]-o.Y, z))
	}
	if c.arc {
		most = math.Min(most, above(o.X, o.Y, o.Z-c.center)+c.radius)
	}
	return (most + 2*h.err(center) + splitRounding*h.extent) * (1 + 8*u)
}

// halves splits the patch in its longer direction: its profile or its rotation.
func (c *patch) halves() (x, y patch) {
	list, n := c.corners()
	wide := 0.0
	for _, k := range list[:n] {
		wide = math.Max(wide, k[0])
	}
	turn := wide * math.Hypot(c.a[0]-c.b[0], c.a[1]-c.b[1])
	long := math.Hypot(list[0][0]-list[1][0], list[0][1]-list[1][1])
	x, y = *c, *c
	switch {
	case turn > long:
		x.b = between(c.a, c.b)
		y.a = x.b
	case c.arc:
		x.q = between(c.p, c.q)
		y.p = x.q
	default:
		x.q = pair{(c.p[0] + c.q[0]) / 2, (c.p[1] + c.q[1]) / 2}
		y.p = x.q
	}
	return x, y
}

// between returns the direction half way, of length 1 to within 4u. Its exact direction is
// irrelevant: both halves begin and end there.
func between(a, b pair) pair {
	x, y := a[0]+b[0], a[1]+b[1]
	l := math.Hypot(x, y)
	return pair{x / l, y / l}
}

// middle returns a point of the patch, in the link's frame.
func (c *patch) middle() geom.Vec {
	d := between(c.a, c.b)
	m := pair{(c.p[0] + c.q[0]) / 2, (c.p[1] + c.q[1]) / 2}
	if c.arc {
		m = between(c.p, c.q)
		m = pair{c.radius * m[0], c.center + c.radius*m[1]}
	}
	return c.host.pose.Apply(geom.Vec{X: m[0] * d[0], Y: m[0] * d[1], Z: m[1]})
}

func (c *patch) span() float64 {
	list, n := c.corners()
	wide := 0.0
	for _, k := range list[:n] {
		wide = math.Max(wide, k[0])
	}
	return math.Hypot(wide*math.Hypot(c.a[0]-c.b[0], c.a[1]-c.b[1]), math.Hypot(list[0][0]-list[1][0], list[0][1]-list[1][1]))
}
