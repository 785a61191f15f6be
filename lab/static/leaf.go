package static

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// kind of a convex leaf.
type kind uint8

const (
	triangle kind = iota
	box           // half
	sphere        // round
	capsule       // half.Z, round
	cylinder      // half.Z, half.X is the radius
	cone          // likewise, the tip at +half.Z
)

// leaf is convex: a core and a ball of radius round about each of its points.
type leaf struct {
	kind  kind
	v     [3]geom.Vec // of a triangle
	pose  geom.Pose   // of a primitive
	half  geom.Vec
	round float64
}

// moved writes the leaf as seen from the frame in which its own has this pose.
func (l *leaf) moved(p *geom.Pose, out *leaf) {
	if l.kind == triangle {
		out.kind, out.round = triangle, 0
		for i := range l.v {
			out.v[i] = p.Apply(l.v[i])
		}
		return
	}
	*out = *l
	out.pose = p.Mul(l.pose)
}

// support is a point of the core that is farthest along n.
func (l *leaf) support(n geom.Vec) geom.Vec {
	if l.kind == triangle {
		a, b, c := r3.Dot(n, l.v[0]), r3.Dot(n, l.v[1]), r3.Dot(n, l.v[2])
		switch {
		case a >= b && a >= c:
			return l.v[0]
		case b >= c:
			return l.v[1]
		}
		return l.v[2]
	}
	return l.pose.Apply(l.core(l.pose.R.ApplyInv(n)))
}

// core is support in the primitive's own frame.
func (l *leaf) core(n geom.Vec) geom.Vec {
	s := geom.Vec{Z: math.Copysign(l.half.Z, n.Z)}
	switch l.kind {
	case box:
		s.X, s.Y = math.Copysign(l.half.X, n.X), math.Copysign(l.half.Y, n.Y)
	case sphere:
		s.Z = 0
	case cylinder, cone:
		rim := math.Hypot(n.X, n.Y)
		if l.kind == cone { // the tip, or the rim of the base
			if n.Z*l.half.Z >= l.half.X*rim-n.Z*l.half.Z {
				return geom.Vec{Z: l.half.Z}
			}
			s.Z = -l.half.Z
		}
		if rim > 0 {
			s.X, s.Y = l.half.X*n.X/rim, l.half.X*n.Y/rim
		}
	}
	return s
}

// corners are points whose hull holds the core.
func (l *leaf) corners(visit func(geom.Vec)) {
	if l.kind == triangle {
		for _, v := range l.v {
			visit(v)
		}
		return
	}
	x, y := l.half.X, l.half.Y
	if l.kind == cylinder || l.kind == cone {
		y = x
	}
	for k := range 8 {
		side := func(bit int, h float64) float64 {
			if k>>bit&1 == 0 {
				return -h
			}
			return h
		}
		visit(l.pose.Apply(geom.Vec{X: side(0, x), Y: side(1, y), Z: side(2, l.half.Z)}))
	}
}

// away is how far a point is from the leaf, 0 if inside; never more than that, but
// for a cone's the distance from the cylinder about it.
func (l *leaf) away(x geom.Vec) float64 {
	if l.kind == triangle {
		return math.Sqrt(r3.Norm2(r3.Sub(x, nearestOfTriangle(x, l.v[0], l.v[1], l.v[2]))))
	}
	p := l.pose.ApplyInv(x)
	out := func(x, h float64) float64 { return math.Max(0, math.Abs(x)-h) }
	z := out(p.Z, l.half.Z)
	switch l.kind {
	case box:
		a, b := out(p.X, l.half.X), out(p.Y, l.half.Y)
		return math.Sqrt(a*a + b*b + z*z)
	case cylinder, cone:
		a := math.Max(0, math.Sqrt(p.X*p.X+p.Y*p.Y)-l.half.X)
		return math.Sqrt(a*a + z*z)
	}
	return math.Max(0, math.Sqrt(p.X*p.X+p.Y*p.Y+z*z)-l.round) // a point or a segment along z
}

// nearestOfTriangle is the point of a triangle nearest to x, by Voronoi regions
// (Ericson, Real-Time Collision Detection, 5.1.5).
func nearestOfTriangle(x, a, b, c geom.Vec) geom.Vec {
	ab, ac, ax := r3.Sub(b, a), r3.Sub(c, a), r3.Sub(x, a)
	d1, d2 := r3.Dot(ab, ax), r3.Dot(ac, ax)
	if d1 <= 0 && d2 <= 0 {
		return a
	}
	bx := r3.Sub(x, b)
	d3, d4 := r3.Dot(ab, bx), r3.Dot(ac, bx)
	if d3 >= 0 && d4 <= d3 {
		return b
	}
	vc := d1*d4 - d3*d2
	if vc <= 0 && d1 >= 0 && d3 <= 0 {
		return r3.Add(a, r3.Scale(d1/(d1-d3), ab))
	}
	cx := r3.Sub(x, c)
	d5, d6 := r3.Dot(ab, cx), r3.Dot(ac, cx)
	if d6 >= 0 && d5 <= d6 {
		return c
	}
	vb := d5*d2 - d1*d6
	if vb <= 0 && d2 >= 0 && d6 <= 0 {
		return r3.Add(a, r3.Scale(d2/(d2-d6), ac))
	}
	va := d3*d6 - d5*d4
	if va <= 0 && d4-d3 >= 0 && d5-d6 >= 0 {
		return r3.Add(b, r3.Scale((d4-d3)/((d4-d3)+(d5-d6)), r3.Sub(c, b)))
	}
	k := 1 / (va + vb + vc)
	return r3.Add(a, r3.Add(r3.Scale(vb*k, ab), r3.Scale(vc*k, ac)))
}
