package romtree

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// grown is every point within radius of the hull of points.
type grown struct {
	points []geom.Vec
	radius float64
}

// cloud is a union of grown hulls of different radii, so that a large ball does not
// enlarge everything that moves with it.
type cloud []grown

// sameRadius is the largest ratio of radii that are merged; radii below smallRadius are always
// merged.
const sameRadius, smallRadius = 1.3, 2e-3

func classOf(radius float64) int {
	if radius <= smallRadius {
		return 0
	}
	return 1 + int(math.Log(radius/smallRadius)/math.Log(sameRadius))
}

// with returns the union of two clouds.
func (c cloud) with(more cloud) cloud {
	out := append(cloud(nil), c...)
next:
	for _, g := range more {
		for i := range out {
			if classOf(out[i].radius) == classOf(g.radius) {
				points := append(append([]geom.Vec(nil), out[i].points...), g.points...)
				out[i] = grown{points, max(out[i].radius, g.radius)}
				continue next
			}
		}
		out = append(out, g)
	}
	return out
}

// joined returns the same cloud with parts of similar radii merged.
func (c cloud) joined() cloud {
	var out cloud
next:
	for _, g := range c {
		for i := range out {
			if classOf(out[i].radius) == classOf(g.radius) {
				out[i] = grown{append(out[i].points, g.points...), max(out[i].radius, g.radius)}
				continue next
			}
		}
		out = append(out, grown{slices.Clone(g.points), g.radius})
	}
	return out
}

// mapped returns the cloud with each point replaced by f's result, possibly several points,
// and the radius enlarged by more, given the largest |p| of its points.
func (c cloud) mapped(f func(points []geom.Vec, p geom.Vec) []geom.Vec, more func(far float64) float64) cloud {
	out := make(cloud, len(c))
	for i, g := range c {
		var points []geom.Vec
		for _, p := range g.points {
			points = f(points, p)
		}
		out[i] = grown{points, (g.radius + more(farOf(g.points))) * (1 + wayRounding)}
	}
	return out
}

func farOf(points []geom.Vec) float64 {
	far := 0.0
	for _, p := range points {
		far = max(far, geom.Norm(p))
	}
	return far
}

// reach bounds the distance of the cloud's points from a line through the origin that the
// joint rotates about.
func (c cloud) reach(w *way) float64 {
	r := 0.0
	for _, g := range c {
		for _, p := range g.points {
			r = max(r, (w.distanceToAxis(p)+g.radius+wayRounding*geom.Norm(p))*(1+wayRounding))
		}
	}
	return r
}

// fewer returns a cloud around this one that has at most about n points for each
// radius: those farthest in n directions, and a radius that holds the others,
// each by the distance to some point of the hull of those.
func (c cloud) fewer(n int) cloud {
	out := make(cloud, len(c))
	for i, g := range c {
		out[i] = g.fewer(n)
	}
	return out
}

func (g grown) fewer(n int) grown {
	if len(g.points) <= n {
		return g
	}
	chosen := outermost(g.points, directions(n))
	core := coreOf(chosen)
	id, off := geom.IdentityPose(), 0.0
	point := convex.Core{Kind: convex.Point, Vertices: make([]geom.Vec, 1)}
	for _, p := range g.points {
		point.Vertices[0] = p
		// The distance is that of p to a convex combination of the chosen ones, whose error is
		// a few roundings of their size.
		if r := convex.Distance(&point, &id, &core, &id, nil); !r.Overlap {
			off = max(off, r.Distance)
		}
	}
	return grown{chosen, (g.radius + off + wayRounding*farOf(g.points)) * (1 + wayRounding)}
}

// coreOf returns the hull of points, with precomputed measures where possible.
func coreOf(points []geom.Vec) convex.Core {
	c := convex.Core{Kind: convex.Hull, Vertices: points}
	if m, err := convex.New(c); err == nil {
		return m
	}
	return c
}

// outermost returns the points that are farthest in one of the directions, each
// once.
func outermost(points, dirs []geom.Vec) []geom.Vec {
	taken := make([]bool, len(points))
	var out []geom.Vec
	for _, n := range dirs {
		best, at := math.Inf(-1), 0
		for i, p := range points {
			if d := r3.Dot(n, p); d > best {
				best, at = d, i
			}
		}
		if !taken[at] {
			taken[at] = true
			out = append(out, points[at])
		}
	}
	return out
}

// directions distributes n unit vectors over the sphere along a spiral.
func directions(n int) []geom.Vec {
	out := make([]geom.Vec, n)
	golden := math.Pi * (3 - math.Sqrt(5))
	for i := range out {
		z := 1 - (2*float64(i)+1)/float64(n)
		r := math.Sqrt(1 - z*z)
		s, c := math.Sincos(golden * float64(i))
		out[i] = geom.Vec{X: r * c, Y: r * s, Z: z}
	}
	return out
}

// ball returns a ball that contains the cloud.
func (c cloud) ball() convex.Ball {
	var all []geom.Vec
	for _, g := range c {
		all = append(all, g.points...)
	}
	if len(all) == 0 {
		return convex.Ball{Radius: -1}
	}
	b := convex.Ball{Center: c.middle(all)}
	for _, g := range c {
		b.Radius = max(b.Radius, (convex.BallAround(b.Center, g.points).Radius+g.radius)*(1+wayRounding))
	}
	return b
}

// middle estimates the centre of a small ball around the cloud.
func (c cloud) middle(all []geom.Vec) geom.Vec {
	if len(c) == 1 {
		return convex.MinBall(all).Center
	}
	// Balls of different radii: move from the centre of the points toward the farthest one, in
	// decreasing steps (Badoiu and Clarkson).
	x := convex.MinBall(all).Center
	for i := 2; i < 200; i++ {
		far, at := -1.0, geom.Vec{}
		for _, g := range c {
			for _, p := range g.points {
				if d := geom.Norm(r3.Sub(p, x)) + g.radius; d > far {
					d := r3.Sub(p, x)
					far, at = geom.Norm(d)+g.radius, p
				}
			}
		}
		x = r3.Add(x, r3.Scale(1/float64(i+1), r3.Sub(at, x)))
	}
	return x
}
