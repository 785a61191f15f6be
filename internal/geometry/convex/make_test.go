package convex

import (
	"math"
	"math/rand"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
)

var kindNames = [...]string{"point", "segment", "triangle", "box", "cylinder", "cone", "hull"}

func (k Kind) name() string { return kindNames[k] }

func randomVec(r *rand.Rand, size float64) geom.Vec {
	return geom.Vec{X: size * r.NormFloat64(), Y: size * r.NormFloat64(), Z: size * r.NormFloat64()}
}

func randomPose(r *rand.Rand, size float64) geom.Pose {
	q, err := geom.Quat(r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64()+1e-3)
	if err != nil {
		panic(err)
	}
	return geom.Pose{R: q, P: randomVec(r, size)}
}

// spread is a positive size, one in four times of another order of magnitude:
// plates and needles.
func spread(r *rand.Rand) float64 {
	x := 0.05 + r.Float64()
	if r.Intn(4) == 0 {
		x *= math.Pow(10, -6*r.Float64())
	}
	return x
}

func randomCore(r *rand.Rand, k Kind) Core {
	c := Core{Kind: k}
	switch k {
	case Point, Segment, Triangle:
		for range int(k) + 1 {
			c.Vertices = append(c.Vertices, randomVec(r, 0.5))
		}
	case Hull:
		wide := geom.Vec{X: spread(r), Y: spread(r), Z: spread(r)}
		for range 1 + r.Intn(8) {
			v := randomVec(r, 1)
			c.Vertices = append(c.Vertices, geom.Vec{X: wide.X * v.X, Y: wide.Y * v.Y, Z: wide.Z * v.Z})
		}
	case Box:
		c.Half = geom.Vec{X: spread(r), Y: spread(r), Z: spread(r)}
		c.Center = randomVec(r, 0.5)
	default:
		c.CoreRadius, c.HalfLength = spread(r), spread(r)
	}
	return c
}

// scaled returns c times k.
func (c *Core) scaled(k float64) Core {
	s := Core{Kind: c.Kind, Radius: k * c.Radius, CoreRadius: k * c.CoreRadius, HalfLength: k * c.HalfLength}
	s.Center, s.Half = scale(k, c.Center), scale(k, c.Half)
	for _, v := range c.Vertices {
		s.Vertices = append(s.Vertices, scale(k, v))
	}
	return s
}

// face returns a direction in which c's support is large, often a whole face or
// edge, and a point of that support.
func (c *Core) face(r *rand.Rand) (n, p geom.Vec) {
	n = randomVec(r, 1)
	switch c.Kind {
	case Segment:
		if r.Intn(2) == 0 {
			n = cross(n, sub(c.Vertices[1], c.Vertices[0]))
			return n, mix(r, c.Vertices...)
		}
	case Triangle:
		a, b, d := c.Vertices[0], c.Vertices[1], c.Vertices[2]
		m := cross(sub(b, a), sub(d, a))
		switch r.Intn(3) {
		case 0:
			return m, mix(r, a, b, d)
		case 1: // over the edge a b, away from d
			m = add(cross(sub(b, a), m), scale(r.NormFloat64(), m))
			return m, mix(r, a, b)
		}
	case Box:
		k := r.Intn(7) // which coordinates of n to leave out
		n = geom.Vec{X: n.X * float64(1-k&1), Y: n.Y * float64(1-k>>1&1), Z: n.Z * float64(1-k>>2&1)}
		if dot(n, n) == 0 {
			n.X = 1
		}
		pick := func(h, d float64) float64 {
			if d == 0 {
				return h * (2*r.Float64() - 1)
			}
			return math.Copysign(h, d)
		}
		return n, add(c.Center, geom.Vec{X: pick(c.Half.X, n.X), Y: pick(c.Half.Y, n.Y), Z: pick(c.Half.Z, n.Z)})
	case Cylinder:
		s, co := math.Sincos(2 * math.Pi * r.Float64())
		switch r.Intn(3) {
		case 0:
			k := c.CoreRadius * r.Float64()
			return geom.Vec{Z: -1}, geom.Vec{X: k * co, Y: k * s, Z: -c.HalfLength}
		case 1:
			return geom.Vec{X: co, Y: s}, geom.Vec{X: c.CoreRadius * co, Y: c.CoreRadius * s, Z: c.HalfLength * (2*r.Float64() - 1)}
		}
	case Cone:
		s, co := math.Sincos(2 * math.Pi * r.Float64())
		switch r.Intn(3) {
		case 0:
			k := c.CoreRadius * r.Float64()
			return geom.Vec{Z: -1}, geom.Vec{X: k * co, Y: k * s, Z: -c.HalfLength}
		case 1: // along the slant
			k := r.Float64()
			tip, foot := geom.Vec{Z: c.HalfLength}, geom.Vec{X: c.CoreRadius * co, Y: c.CoreRadius * s, Z: -c.HalfLength}
			return geom.Vec{X: 2 * c.HalfLength * co, Y: 2 * c.HalfLength * s, Z: c.CoreRadius}, along(tip, k, sub(foot, tip))
		}
	case Hull:
		// A facet of the brute-force hull, if it has any.
		if f := facets(c.Vertices); len(f) > 0 && r.Intn(2) == 0 {
			g := f[r.Intn(len(f))]
			return g.n, mix(r, g.a, g.b, g.c)
		}
	}
	return n, c.Support(n)
}

func mix(r *rand.Rand, ps ...geom.Vec) geom.Vec {
	var sum float64
	var v geom.Vec
	for _, p := range ps {
		k := r.Float64()
		sum += k
		v = along(v, k, p)
	}
	return scale(1/sum, v)
}

// onFloor returns a pose that puts c below the plane z = 0, touching it at the origin.
func (c *Core) onFloor(r *rand.Rand) geom.Pose {
	n, p := c.face(r)
	u, _ := geom.Unit(n)
	x, _ := geom.Unit(cross(u, orthogonal(u)))
	y := cross(u, x)
	rot := geom.Rot{XX: x.X, XY: x.Y, XZ: x.Z, YX: y.X, YY: y.Y, YZ: y.Z, ZX: u.X, ZY: u.Y, ZZ: u.Z}
	return geom.Pose{R: rot, P: neg(rot.Apply(p))}
}

func orthogonal(u geom.Vec) geom.Vec {
	if math.Abs(u.X) < 0.6 {
		return geom.Vec{X: 1}
	}
	return geom.Vec{Y: 1}
}

// facet is a supporting triangle of a point set, n outward.
type facet struct{ a, b, c, n geom.Vec }

// facetsOf is the last answer of facets, which takes the fourth power of the number
// of points and is asked for the same ones again and again.
var facetsOf struct {
	first *geom.Vec
	n     int
	out   []facet
}

// facets returns every triangle of vs that has all of vs on one side, exactly.
func facets(vs []geom.Vec) (out []facet) {
	if facetsOf.first == &vs[0] && facetsOf.n == len(vs) {
		return facetsOf.out
	}
	defer func() { facetsOf.first, facetsOf.n, facetsOf.out = &vs[0], len(vs), out }()
	for i := range vs {
		for j := i + 1; j < len(vs); j++ {
			for k := j + 1; k < len(vs); k++ {
				sides := [3]int{}
				for l := range vs {
					sides[1+tri.Orient(vs[i], vs[j], vs[k], vs[l])]++
				}
				n := cross(sub(vs[j], vs[i]), sub(vs[k], vs[i]))
				switch {
				case sides[0] > 0 && sides[2] == 0:
					out = append(out, facet{vs[i], vs[j], vs[k], n})
				case sides[2] > 0 && sides[0] == 0:
					out = append(out, facet{vs[i], vs[j], vs[k], neg(n)})
				}
			}
		}
	}
	return out
}

// off returns how far p is outside the core, by closed forms; for a hull a lower
// bound of it (the height over its facets).
func (c *Core) off(p geom.Vec) float64 {
	switch c.Kind {
	case Point:
		return norm(sub(p, c.Vertices[0]))
	case Segment:
		return norm(sub(p, tri.ClosestOnSegment(c.Vertices[0], c.Vertices[1], p)))
	case Triangle:
		return norm(sub(p, tri.ClosestPoint(&tri.Triangle{c.Vertices[0], c.Vertices[1], c.Vertices[2]}, p)))
	case Box:
		d := sub(p, c.Center)
		return norm(geom.Vec{
			X: math.Max(math.Abs(d.X)-c.Half.X, 0),
			Y: math.Max(math.Abs(d.Y)-c.Half.Y, 0),
			Z: math.Max(math.Abs(d.Z)-c.Half.Z, 0),
		})
	case Cylinder:
		return math.Hypot(math.Max(lengthXY(p)-c.CoreRadius, 0), math.Max(math.Abs(p.Z)-c.HalfLength, 0))
	case Cone:
		profile := tri.Triangle{{Z: c.HalfLength}, {X: c.CoreRadius, Z: -c.HalfLength}, {X: -c.CoreRadius, Z: -c.HalfLength}}
		q := geom.Vec{X: lengthXY(p), Z: p.Z}
		return norm(sub(q, tri.ClosestPoint(&profile, q)))
	}
	var far float64
	for _, f := range facets(c.Vertices) {
		u, _ := geom.Unit(f.n)
		far = math.Max(far, dot(u, sub(p, f.a)))
	}
	return far
}
