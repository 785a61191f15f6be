package spheretree

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// literalBall is SPHERE Algorithms 1 and 2 as they are printed: a ball through the
// first two points, moved for every further point that is not inside, and never again
// compared with those before. It may miss points: of -1, 1, 3 on a line it holds
// only 0 to 3. Only its centre is of use, as a start.
//
// Where the printed formulas cannot be read their text is followed: the new centre is
// where the line through the midpoint of v and far, at right angles to them, meets
// the edge from v to the old centre, if the angle there is sharp; else the middle of v
// and the old centre. Of no points the radius is -1.
func literalBall(points []geom.Vec) convex.Ball {
	switch len(points) {
	case 0:
		return convex.Ball{Radius: -1}
	case 1:
		return convex.Ball{Center: points[0]}
	}
	c := scale(0.5, add(points[0], points[1]))
	r := geom.Norm(sub(c, points[0]))
	for i := 2; i < len(points); i++ {
		v := points[i]
		if geom.Norm(sub(v, c)) > r {
			c = literalUpdate(c, v, farthestFrom(v, points[:i]))
			r = geom.Norm(sub(v, c))
		}
	}
	return convex.Ball{Center: c, Radius: r}
}

func literalUpdate(c, v, far geom.Vec) geom.Vec {
	toC, ok := geom.Unit(sub(c, v))
	toFar, ok2 := geom.Unit(sub(far, v))
	cos := dot(toC, toFar)
	if !ok || !ok2 || !(cos > 0 && cos < 1) {
		return scale(0.5, add(c, v))
	}
	n := sub(toC, scale(cos, toFar)) // its length is the sine
	return along(scale(0.5, add(far, v)), 0.5*geom.Norm(sub(far, v))/cos, n)
}

func farthestFrom(v geom.Vec, points []geom.Vec) geom.Vec {
	best, far := math.Inf(-1), v
	for _, p := range points {
		if d := sub(p, v); dot(d, d) > best {
			best, far = dot(d, d), p
		}
	}
	return far
}

// literalCorners is up to how many points the paper's update is tried: each move looks
// at all points before it.
const literalCorners = 192

// encloser finds smallest balls; it keeps the memory that takes.
type encloser struct{ local []geom.Vec }

// enclose returns a ball that provably holds points, of which there is at least one,
// and is the smallest to rounding: that about the paper's centre with the radius that
// holds all (the repair), where it is no larger than what pivoting finds, else the
// latter. The radius is measured last, over all points, and rounded outward.
//
// Centres are looked for relative to the first point: where the points are small and
// far from the origin, rounding would else be larger than what pivoting asks whether a
// point is inside, and it would give up.
func (e *encloser) enclose(points []geom.Vec) convex.Ball {
	center := e.near(points)
	best := convex.BallAround(add(points[0], center.Center), points)
	if len(points) <= literalCorners {
		c := literalBall(e.local).Center
		if b := convex.BallAround(add(points[0], c), points); b.Radius < best.Radius {
			return b
		}
	}
	return best
}

// near returns the smallest ball around points relative to the first of them.
func (e *encloser) near(points []geom.Vec) convex.Ball {
	e.local = e.local[:0]
	for i := range points {
		e.local = append(e.local, sub(points[i], points[0]))
	}
	return convex.MinBall(e.local)
}
