package verify

import (
	"github.com/firstcontact-ros/firstcontact/geom"
)

// where is what is known of a point and the inside of a closed surface.
type where uint8

const (
	unknown where = iota
	outside
	inside
)

// rays are directions that meet edges of man-made meshes only by accident.
var rays = [...]geom.Vec{
	{X: 0.3137, Y: 0.2719, Z: 0.9091},
	{X: 0.2539, Y: -0.9241, Z: 0.2857},
	{X: -0.8923, Y: 0.3253, Z: 0.3121},
	{X: -0.5869, Y: -0.5407, Z: -0.6029},
	{X: 0.6217, Y: 0.5623, Z: -0.5449},
	{X: 0.9473, Y: 0.1871, Z: -0.2609},
}

// locate tells whether the point p, in the shape's frame, is inside the closed
// component: whether a ray from it crosses its triangles an odd number of times.
// That is the same for all points that p may stand for, as each crossing and each
// miss is decided for all of them; where one cannot be, another ray is tried.
func (c *component) locate(p ball) where {
	e := p.err
	if p.v.X < c.box.Min.X-e || p.v.Y < c.box.Min.Y-e || p.v.Z < c.box.Min.Z-e ||
		p.v.X > c.box.Max.X+e || p.v.Y > c.box.Max.Y+e || p.v.Z > c.box.Max.Z+e {
		return outside
	}
	for _, d := range rays {
		odd, sure := false, true
		for _, t := range c.triangles {
			k := c.mesh.Triangles[t]
			v := c.mesh.Vertices
			hit, ok := crosses(p, d, [3]geom.Vec{v[k[0]], v[k[1]], v[k[2]]})
			if !ok {
				sure = false
				break
			}
			odd = odd != hit
		}
		if sure && odd {
			return inside
		}
		if sure {
			return outside
		}
	}
	return unknown
}

// crosses tells whether the ray from p along d crosses the triangle; ok is false
// where it passes too close to an edge or starts too close to the plane.
//
// The volumes e_i of d with the edges seen from p have one sign if the line passes
// inside, and their sum is that of d with the triangle; the crossing lies ahead if
// the volume of the triangle seen from p has that sign too.
func crosses(p ball, d geom.Vec, t [3]geom.Vec) (hit, ok bool) {
	if t[0] == t[1] || t[1] == t[2] || t[2] == t[0] {
		return false, true // it bounds nothing
	}
	var seen [3]ball
	for i := range t {
		seen[i] = at(t[i]).sub(p)
	}
	var sign [3]int
	for i := range 3 {
		sign[i] = signOf(seen[i].cross(seen[(i+1)%3]).dot(at(d)))
	}
	if has(sign, 1) && has(sign, -1) {
		return false, true
	}
	if has(sign, 0) {
		return false, false
	}
	ahead := signOf(seen[0].cross(seen[1]).dot(seen[2]))
	return ahead == sign[0], ahead != 0
}

func has(signs [3]int, s int) bool { return signs[0] == s || signs[1] == s || signs[2] == s }

// signOf is 0 where the interval has both signs or none.
func signOf(x interval) int {
	switch {
	case x.lo > 0:
		return 1
	case x.hi < 0:
		return -1
	}
	return 0
}
