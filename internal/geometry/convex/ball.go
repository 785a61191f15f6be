package convex

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// Ball is a closed ball.
type Ball struct {
	Center geom.Vec
	Radius float64
}

// MinBall returns the smallest ball around points, to rounding; every point is
// provably inside, since the radius is the largest distance from the centre as
// computed, rounded outward. No points: the ball of radius -1, which is empty.
//
// The centre is found by pivoting on the farthest point (Gärtner 1999, after
// Welzl 1991), which is deterministic and takes a few passes over the points. It
// is untrusted: only the last pass decides the radius.
func MinBall(points []geom.Vec) Ball {
	if len(points) == 3 {
		if c, ok := aroundTriangle(points); ok {
			return BallAround(c, points)
		}
	}
	return MinBallBy(points, func(c geom.Vec) (float64, int) { return Farthest(points, c) })
}

// MinBallBy is MinBall where the caller knows a faster way to find what Farthest finds among
// the points.
func MinBallBy(points []geom.Vec, farthest func(c geom.Vec) (far float64, at int)) Ball {
	if len(points) == 0 {
		return Ball{Radius: -1}
	}
	s := support{n: 1}
	s.p[0] = points[0]
	b := Ball{Center: points[0]}
	far, at := farthest(b.Center)
	// The radius grows with every pivot, so that this ends; the cap is a belt.
	for range 64 {
		if far <= b.Radius*b.Radius*(1+0x1p-44) {
			break
		}
		grown, ok := s.pivot(points[at])
		if !ok || grown.Radius <= b.Radius {
			break
		}
		f, i := farthest(grown.Center)
		b, far, at = grown, f, i
	}
	b.Radius = radiusAround(points, b.Center, far)
	return b
}

// aroundTriangle returns the centre of the smallest ball around three points: the middle of the
// longest side, unless the angle opposite is acute.
func aroundTriangle(p []geom.Vec) (geom.Vec, bool) {
	u, v, w := sub(p[1], p[0]), sub(p[2], p[0]), sub(p[2], p[1])
	uu, vv, ww := dot(u, u), dot(v, v), dot(w, w)
	switch {
	case ww >= uu+vv:
		return scale(0.5, add(p[1], p[2])), true
	case vv >= uu+ww:
		return scale(0.5, add(p[0], p[2])), true
	case uu >= vv+ww:
		return scale(0.5, add(p[0], p[1])), true
	}
	n := cross(u, v)
	d := 2 * dot(n, n)
	c := add(p[0], scale(1/d, cross(sub(scale(uu, v), scale(vv, u)), n)))
	return c, d > 0 && geom.Finite(c)
}

// BallAround returns the ball about a given centre that provably holds points, no
// larger than rounding asks for; of no points the empty one, as MinBall. About the
// centre of their MinBall it is that ball. The radius is NaN or infinite where the
// centre is not finite.
func BallAround(center geom.Vec, points []geom.Vec) Ball {
	if len(points) == 0 {
		return Ball{Radius: -1}
	}
	if !geom.Finite(center) {
		return Ball{Center: center, Radius: math.NaN()}
	}
	return Ball{Center: center, Radius: radiusAround(points, center, far(points, center))}
}

// BallAroundBy is to BallAround as MinBallBy is to MinBall.
func BallAroundBy(center geom.Vec, points []geom.Vec, farthest func(c geom.Vec) (far float64, at int)) Ball {
	if len(points) == 0 {
		return Ball{Radius: -1}
	}
	if !geom.Finite(center) {
		return Ball{Center: center, Radius: math.NaN()}
	}
	far, _ := farthest(center)
	return Ball{Center: center, Radius: radiusAround(points, center, far)}
}

// Farthest returns the largest computed squared distance from c and the first point that has it. Each product is rounded, as
// those of dot are.
func Farthest(points []geom.Vec, c geom.Vec) (float64, int) {
	best, at := -1.0, 0
	for i := range points {
		p := &points[i]
		x, y, z := p.X-c.X, p.Y-c.Y, p.Z-c.Z
		if d := float64(x*x) + float64(y*y) + float64(z*z); d > best {
			best, at = d, i
		}
	}
	return best, at
}

// far is Farthest without the point. Numbers that are not negative have the order of their bits,
// and the largest of integers is found without a branch.
func far(points []geom.Vec, c geom.Vec) float64 {
	var best uint64
	for i := range points {
		p := &points[i]
		x, y, z := p.X-c.X, p.Y-c.Y, p.Z-c.Z
		if d := math.Float64bits(float64(x*x) + float64(y*y) + float64(z*z)); d > best {
			best = d
		}
	}
	return math.Float64frombits(best)
}

// ballRounding bounds the relative rounding error of a computed distance, in
// u = 2^-53: each difference 1, squared 2, product 1, two sums 2, which the root
// halves to 2.5, and the root itself 1. The rest covers the rounding of the
// product with 1 + ballRounding.
const ballRounding = 6 * 0x1p-53

// radiusAround returns a radius that provably reaches from c to every point,
// given the largest computed squared distance.
func radiusAround(points []geom.Vec, c geom.Vec, far float64) float64 {
	if far > 0x1p-900 { // no square that matters was lost to underflow
		return math.Sqrt(far) * (1 + ballRounding)
	}
	var r float64
	for _, p := range points { // |p - c| is at most the sum of its coordinates' sizes
		d := math.Abs(p.X-c.X) + math.Abs(p.Y-c.Y) + math.Abs(p.Z-c.Z)
		r = max(r, d)
	}
	return r * (1 + ballRounding)
}

// support is the points, at most four, that the smallest ball so far rests on.
type support struct {
	p [5]geom.Vec
	n int
}

// pivot adds q to the support and returns the smallest ball around it all, with
// the points it does not rest on dropped: the smallest, among the balls through q
// and up to three others, that holds the rest.
func (s *support) pivot(q geom.Vec) (Ball, bool) {
	s.p[s.n] = q
	best, chosen := Ball{Radius: math.Inf(1)}, 0
	for set := range 1 << s.n {
		b, ok := s.through(set)
		if ok && b.Radius < best.Radius && s.inside(b) {
			best, chosen = b, set
		}
	}
	if math.IsInf(best.Radius, 1) {
		return Ball{}, false
	}
	n := 0
	for i := range s.n {
		if chosen&(1<<i) != 0 {
			s.p[n] = s.p[i]
			n++
		}
	}
	s.p[n] = q
	s.n = n + 1
	return best, true
}

func (s *support) inside(b Ball) bool {
	r := b.Radius * b.Radius * (1 + 0x1p-40)
	for _, p := range s.p[:s.n+1] {
		if d := sub(p, b.Center); dot(d, d) > r {
			return false
		}
	}
	return true
}

// through returns the smallest ball whose sphere passes through the newest point
// and those of set, if they are in general position and at most four.
func (s *support) through(set int) (Ball, bool) {
	q := s.p[s.n]
	var e [4]geom.Vec
	k := 0
	for i := range s.n {
		if set&(1<<i) != 0 {
			e[k] = sub(s.p[i], q)
			k++
		}
	}
	var c geom.Vec // from q
	switch k {
	case 0:
		return Ball{Center: q}, true
	case 1:
		c = scale(0.5, e[0])
	case 2:
		// c = (|e0|^2 e1 - |e1|^2 e0) x (e0 x e1) ... in the plane of both.
		n := cross(e[0], e[1])
		d := 2 * dot(n, n)
		if !(d > 0) {
			return Ball{}, false
		}
		c = scale(1/d, cross(sub(scale(dot(e[0], e[0]), e[1]), scale(dot(e[1], e[1]), e[0])), n))
	case 3:
		d := 2 * dot(e[0], cross(e[1], e[2]))
		if d == 0 {
			return Ball{}, false
		}
		c = scale(dot(e[0], e[0]), cross(e[1], e[2]))
		c = along(c, dot(e[1], e[1]), cross(e[2], e[0]))
		c = along(c, dot(e[2], e[2]), cross(e[0], e[1]))
		c = scale(1/d, c)
	default:
		return Ball{}, false
	}
	r := norm(c)
	if !(r < math.Inf(1)) {
		return Ball{}, false
	}
	return Ball{Center: add(q, c), Radius: r}, true
}

// Ball returns a ball around the whole piece, radius included, in the core's frame:
// the smallest for all kinds but a cone wider than tall (then that of its base), to
// rounding, and rounded outward.
func (c *Core) Ball() Ball {
	var b Ball
	switch c.Kind {
	case Box:
		b = Ball{c.Center, norm(c.Half)}
	case Cylinder:
		b.Radius = math.Sqrt(c.CoreRadius*c.CoreRadius + c.HalfLength*c.HalfLength)
	case Cone:
		b = c.coneBall()
	default:
		b = MinBall(c.Vertices)
	}
	// Each radius is off by at most 4u: a difference and a sum, a square, a root.
	b.Radius = (b.Radius + c.Radius) * (1 + ballRounding)
	return b
}

// coneBall returns a ball around a cone's tip and base, on its axis: through both
// where the cone is taller than wide.
func (c *Core) coneBall() Ball {
	r, h := c.CoreRadius, 2*c.HalfLength
	up := 0.0 // of the centre over the base
	if h > r {
		up = (h - r*r/h) / 2
	}
	z := up - c.HalfLength
	toTip, toRim := c.HalfLength-z, math.Sqrt(r*r+(z+c.HalfLength)*(z+c.HalfLength))
	return Ball{geom.Vec{Z: z}, max(toTip, toRim)}
}
