package convex

import "github.com/firstcontact-ros/firstcontact/geom"

// BoxOf returns the core of an axis-aligned box that is not empty: it contains b,
// exactly, and is larger by a few roundings at most.
func BoxOf(b geom.Box) Core {
	c := b.Center()
	return Core{Kind: Box, Center: c, Half: geom.Vec{
		X: halfSide(c.X, b.Min.X, b.Max.X),
		Y: halfSide(c.Y, b.Min.Y, b.Max.Y),
		Z: halfSide(c.Z, b.Min.Z, b.Max.Z),
	}}
}

// halfSide reaches from c to both ends. Each difference is off by one rounding and
// the product by another: 2u, of which the factor gives 4u.
func halfSide(c, lo, hi float64) float64 {
	return max(hi-c, c-lo) * (1 + 4*0x1p-53)
}
