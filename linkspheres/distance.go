package linkspheres

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// Distance bounds the signed distance of p, in the link's frame, from the body: for a point in
// a solid, minus its depth in the solid where it is deepest; for other points, the distance
// from the nearest surface or solid. The body has a point within max(hi, 0) of p, and none
// closer than lo; a ball about p of radius -hi lies in it. An empty body is infinitely far.
func (b *Body) Distance(p geom.Vec) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(1)
	for _, s := range b.solids {
		box := s.box()
		if _, mesh := s.(*meshSolid); mesh && !within(&box, p) {
			continue // the triangles below cover it
		}
		l, h := s.signed(p)
		lo, hi = math.Min(lo, l), math.Min(hi, h)
	}
	if b.tree == nil || hi <= 0 {
		return lo, hi
	}
	l, h := surfaceDistance(b.tree, b.soup, p)
	return math.Min(lo, l-b.soupErr), math.Min(hi, h+b.soupErr)
}

// Inside reports whether p is in a solid of the body, up to rounding.
func (b *Body) Inside(p geom.Vec) bool {
	for _, s := range b.solids {
		box := s.box()
		if !within(&box, p) {
			continue
		}
		if lo, hi := s.signed(p); lo+hi <= 0 {
			return true
		}
	}
	return false
}

func within(b *geom.Box, p geom.Vec) bool {
	return b.Min.X <= p.X && p.X <= b.Max.X && b.Min.Y <= p.Y && p.Y <= b.Max.Y && b.Min.Z <= p.Z && p.Z <= b.Max.Z
}
