package convex

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// This file is trusted: every proof of separation rests on it. It holds the
// support mapping of each kind of core and the bound of its rounding error, and
// nothing else.

// Support returns a point of the core (radius not included) that maximises
// dir·p, in the core's frame. dir needs no particular length; for a zero dir any
// point of the core is right.
//
// The value dir·p of the returned point is within twice [Core.SupportError] of
// the maximum, and the point within 4u of its own size of the core.
func (c *Core) Support(dir geom.Vec) geom.Vec {
	switch c.Kind {
	case Point:
		return c.Vertices[0]
	case Segment, Triangle, Hull:
		return c.Vertices[c.extreme(dir)]
	case Box:
		return geom.Vec{
			X: c.Center.X + withSign(c.Half.X, dir.X),
			Y: c.Center.Y + withSign(c.Half.Y, dir.Y),
			Z: c.Center.Z + withSign(c.Half.Z, dir.Z),
		}
	case Cylinder:
		p := rim(c.CoreRadius, dir)
		p.Z = withSign(c.HalfLength, dir.Z)
		return p
	case Cone:
		if tip, base := c.coneValues(dir); tip >= base {
			return geom.Vec{Z: c.HalfLength}
		}
		p := rim(c.CoreRadius, dir)
		p.Z = -c.HalfLength
		return p
	}
	return nan
}

// SupportValue returns the maximum of dir·p over the core (radius not included),
// in the core's frame, with an error of at most [Core.SupportError]. It is NaN,
// and so proves nothing, if dir is or if the core has no kind.
//
// Why it is right: a linear function takes its maximum over a hull at a vertex;
// over a box at the corner that has dir's signs; over a disc of radius r about
// the z axis it is r |dir.xy|, by Cauchy-Schwarz; a cylinder is the hull of two
// such discs and a cone the hull of one and its tip.
func (c *Core) SupportValue(dir geom.Vec) float64 {
	switch c.Kind {
	case Point:
		return dot(c.Vertices[0], dir)
	case Segment, Triangle, Hull:
		if len(c.cols.x) > 0 && c.measured() {
			return c.cols.largest(dir.X, dir.Y, dir.Z)
		}
		return dot(c.Vertices[c.extreme(dir)], dir)
	case Box:
		return dot(c.Center, dir) +
			(c.Half.X*math.Abs(dir.X) + c.Half.Y*math.Abs(dir.Y) + c.Half.Z*math.Abs(dir.Z))
	case Cylinder:
		return c.CoreRadius*lengthXY(dir) + c.HalfLength*math.Abs(dir.Z)
	case Cone:
		// A NaN in dir is in base, and fails the comparison.
		tip, base := c.coneValues(dir)
		if tip >= base {
			return tip
		}
		return base
	}
	return math.NaN()
}

// supportRounding times extent times |dir| bounds the rounding error of
// SupportValue. With u = 2^-53 and g(k) = ku/(1-ku), each product or sum of k
// roundings is off by g(k) times the sum of its terms' sizes:
//
//	vertices  3 products, 2 sums: g(3) sum |v_i d_i| <= g(3) |v| |d|
//	box       6 products, 5 sums, 4 roundings deep at most: g(4) (|c| + |h|) |d|
//	disc      x*x + y*y is off by the factor 1+g(2), its root by 1+g(2), then
//	          one product and one sum: g(4) (r |dxy| + h |dz|) <= g(4) |(r, h)| |d|
//
// and fused multiply-adds only leave roundings out. A vertex that wins by
// rounding changes the maximum by no more than the bound itself. What is left
// between 4 and 8 covers the second order and the rounding of the bound.
const supportRounding = 8 * 0x1p-53

// underflow is added to |dir|: where |dir.xy| is below 2^-511 its square is lost
// and the disc's support is off by at most r 2^-511, which is less than
// supportRounding * underflow * r; lost products of the other kinds are smaller.
const underflow = 0x1p-450

// SupportError bounds the difference between SupportValue(dir) and the exact
// maximum: a few units in the last place of extent times |dir|.
func (c *Core) SupportError(dir geom.Vec) float64 {
	return supportRounding * c.Extent() * (norm(dir) + underflow)
}

// Extent returns a bound of |p| over the core's points p (radius not included):
// exact but for a relative error below 4u for vertices, cylinders and cones,
// |Center| + |Half| for a box.
func (c *Core) Extent() float64 {
	switch c.Kind {
	case Box:
		return norm(c.Center) + norm(c.Half)
	case Cylinder, Cone:
		return math.Sqrt(c.CoreRadius*c.CoreRadius + c.HalfLength*c.HalfLength)
	}
	if c.measured() {
		return c.extent
	}
	return extentOf(c.Vertices)
}

// extreme returns the index of a vertex with the largest computed dir·v, the same
// value by the plain scan, by columns and by groups.
func (c *Core) extreme(dir geom.Vec) int {
	if len(c.cols.x) > 0 && c.measured() {
		return c.cols.extreme(dir.X, dir.Y, dir.Z)
	}
	if len(c.groups) > 0 && c.measured() {
		return extremeOfGroups(c.groups, c.Vertices, dir)
	}
	return extreme(c.Vertices, dir)
}

// extreme is the plain scan. A NaN in dir leaves the first.
func extreme(vs []geom.Vec, dir geom.Vec) int {
	best, at := dot(vs[0], dir), 0
	for i := 1; i < len(vs); i++ {
		if d := dot(vs[i], dir); d > best {
			best, at = d, i
		}
	}
	return at
}

// coneValues returns the support of a cone's tip and of its base disc.
func (c *Core) coneValues(dir geom.Vec) (tip, base float64) {
	return c.HalfLength * dir.Z, c.CoreRadius*lengthXY(dir) - c.HalfLength*dir.Z
}

// rim returns the point of the disc of radius r in the plane z = 0 farthest
// along dir, the middle if dir has no part in the plane.
func rim(r float64, dir geom.Vec) geom.Vec {
	l := lengthXY(dir)
	if l == 0 {
		return geom.Vec{}
	}
	return geom.Vec{X: r * (dir.X / l), Y: r * (dir.Y / l)}
}

func lengthXY(d geom.Vec) float64 { return math.Sqrt(d.X*d.X + d.Y*d.Y) }

func withSign(size, sign float64) float64 {
	if sign < 0 {
		return -size
	}
	return size
}

func extentOf(vs []geom.Vec) float64 {
	var m float64
	for i := range vs {
		if d := dot(vs[i], vs[i]); d > m {
			m = d
		}
	}
	return math.Sqrt(m)
}
