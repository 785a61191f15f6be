//go:build gl && cgo

package sweptgl

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/articulate"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/bvh"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
)

// solid is a convex set in float32: every point within radius of the hull of points. It holds
// the one that it was made of.
type solid struct {
	points [8][3]float32
	n      int
	radius float32
	box    bvh.Box32 // around it, radius included
	kind   convex.Kind
	inner  *geom.Vec // a point of what s was made of, where that is less than s
}

// leastRadius keeps squares of radii among the normal numbers of float32. It is added to every
// radius, in metres.
const leastRadius = 1e-15

// finite reports whether the solid says anything: NaN and what exceeds float32 do not.
func (s *solid) finite() bool {
	sum := s.radius - s.radius
	for i := range s.n {
		for _, x := range s.points[i] {
			sum += x - x
		}
	}
	for k := range 3 {
		sum += s.box.Lo[k] - s.box.Lo[k] + s.box.Hi[k] - s.box.Hi[k]
	}
	return sum == 0
}

// hold makes s the solid around the hull of points with a radius.
func (s *solid) hold(points []geom.Vec, radius float64) {
	s.n = len(points)
	moved, box := 0.0, geom.EmptyBox()
	for i, p := range points {
		s.points[i] = [3]float32{float32(p.X), float32(p.Y), float32(p.Z)}
		q := s.at(i)
		moved = max(moved, math.Abs(q.X-p.X)+math.Abs(q.Y-p.Y)+math.Abs(q.Z-p.Z))
		box = box.Extend(q)
		if moved != moved || q != q { // max drops no NaN, but says so nowhere
			moved = math.Inf(1)
		}
	}
	r := (radius + moved + leastRadius) * (1 + 0x1p-40)
	s.radius = upward(r)
	s.box = bvh.Outward(geom.Box{
		Min: geom.Vec{X: box.Min.X - r, Y: box.Min.Y - r, Z: box.Min.Z - r},
		Max: geom.Vec{X: box.Max.X + r, Y: box.Max.Y + r, Z: box.Max.Z + r},
	})
}

// at is a point of s, which float64 holds exactly.
func (s *solid) at(i int) geom.Vec {
	return vec(s.points[i])
}

// upward and downward round to float32, never inward.
func upward(x float64) float32   { return float32(x + math.Abs(x)*0x1p-23 + 0x1p-140) }
func downward(x float64) float32 { return float32(x - math.Abs(x)*0x1p-23 - 0x1p-140) }

// ofSlice is a slice of a volume, with a margin around it.
func ofSlice(sl *articulate.Slice, margin float64) (s solid) {
	s.kind = convex.Hull
	s.hold(sl.Corners[:], sl.Radius+margin)
	return s
}

// ofItem is a piece of the world; box is that of the world's tree around it.
func ofItem(m *model.Model, it *model.Item, box *bvh.Box32) (s solid) {
	c, pose := articulate.ItemCore(m, it)
	s.kind = c.Kind
	var points []geom.Vec
	switch c.Kind {
	case convex.Point, convex.Segment, convex.Triangle, convex.Hull:
		if len(c.Vertices) <= len(s.points) {
			points = append(points, c.Vertices...)
		}
	case convex.Box:
		points = cornersOf(c.Center, c.Half)
	case convex.Cylinder, convex.Cone: // the box around it, in its own frame
		s.kind, s.inner = convex.Box, &pose.P
		points = cornersOf(geom.Vec{}, geom.Vec{X: c.CoreRadius, Y: c.CoreRadius, Z: c.HalfLength})
	}
	if points == nil { // what has many corners: the box around it
		inner := pose.Apply(c.Vertices[0])
		s.kind, s.inner = convex.Box, &inner
		lo, hi := vec(box.Lo), vec(box.Hi)
		points = cornersOf(r3.Scale(0.5, r3.Add(lo, hi)), r3.Scale(0.5*(1+0x1p-45), r3.Sub(hi, lo)))
		s.hold(points, 0x1p-45*(geom.Norm(lo)+geom.Norm(hi)))
		return s
	}
	size := 0.0
	for i, p := range points {
		size = max(size, geom.Norm(p))
		points[i] = pose.Apply(p)
	}
	s.hold(points, c.Radius+0x1p-44*(size+geom.Norm(pose.P))) // the rounding of placing
	return s
}

// cornersOf lists the corners of a box: bit k of the index tells the side along axis k.
func cornersOf(center, half geom.Vec) []geom.Vec {
	points := make([]geom.Vec, 8)
	for i := range points {
		points[i] = geom.Vec{X: center.X + sign(i&1)*half.X, Y: center.Y + sign(i>>1&1)*half.Y, Z: center.Z + sign(i>>2&1)*half.Z}
	}
	return points
}

func vec(p [3]float32) geom.Vec {
	return geom.Vec{X: float64(p[0]), Y: float64(p[1]), Z: float64(p[2])}
}

// turned is a solid around s as seen from a frame that is turned by r.
func (s *solid) turned(r geom.Rot) (t solid) {
	var points [8]geom.Vec
	size := 0.0
	for i := range s.n {
		p := s.at(i)
		points[i] = r.ApplyInv(p)
		size = max(size, geom.Norm(p))
	}
	t.kind = s.kind
	t.hold(points[:s.n], float64(s.radius)+0x1p-45*size)
	return t
}

func sign(bit int) float64 { return float64(2*bit - 1) }
