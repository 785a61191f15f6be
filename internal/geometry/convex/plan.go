package convex

import (
	"errors"
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// Plan holds the choices behind a hull: which of the points are its vertices and, for each
// point, up to four vertices whose hull it is in or near. No proof depends on it: [Plan.Core]
// computes the radius that encloses the points, so a bad plan makes a larger piece or none,
// but none that leaves a point out.
type Plan struct {
	Vertices []int32    // indices of points, in the order of the core's Vertices
	Near     [][4]int32 // for each point, indices into Vertices; -1 stands for none
}

// PlanOf returns the plan of a core that HullOf or SimplifyHull made of points.
func PlanOf(points []geom.Vec, c *Core) Plan {
	at := make(map[geom.Vec]int32, len(c.Vertices))
	for i, v := range c.Vertices {
		at[v] = int32(i)
	}
	p := Plan{Vertices: make([]int32, len(c.Vertices)), Near: make([][4]int32, len(points))}
	find := newFinder(c)
	for i, q := range points {
		if k, ok := at[q]; ok {
			p.Vertices[k], p.Near[i] = int32(i), [4]int32{k, -1, -1, -1}
			continue
		}
		if near, ok := find.near(q); ok {
			p.Near[i] = near
			continue
		}
		var g search
		if g.nearby(find.inner, q) > 0 && find.inner != c {
			g = search{}
			g.nearby(c, q)
		}
		p.Near[i] = [4]int32{-1, -1, -1, -1}
		for k := range g.s.n {
			p.Near[i][k] = at[g.s.p[k].b]
		}
	}
	return p
}

// finder finds, for a point, the vertices of a core whose hull it is in or near.
type finder struct {
	c, inner *Core
	star     *star // around a vertex, its points the core's vertices; or nil
	apex     int32 // that vertex
}

func newFinder(c *Core) finder {
	f := finder{c: c, inner: c.inner(32)}
	o, err := outlineOf(c.Vertices, hullRounding*extentOf(c.Vertices))
	if err == nil && len(o.facets) > 0 {
		f.apex = o.ids[0]
		f.star = newStar(c.Vertices[f.apex], c.Vertices, o.facets)
	}
	return f
}

// near returns the corners of the tetrahedron between the star's center and a facet that p is in,
// or of a facet that p is not farther from than the core's radius.
func (f *finder) near(p geom.Vec) (near [4]int32, ok bool) {
	if f.star == nil {
		return near, false
	}
	i, ok := f.star.facet(p)
	if !ok {
		return near, false
	}
	v := f.star.facets[i].v
	if a, b, c := f.star.corners(i); within(p, f.star.center, a, b, c) {
		return [4]int32{f.apex, v[0], v[1], v[2]}, true
	}
	near = [4]int32{v[0], v[1], v[2], -1}
	return near, f.c.reachBy(p, &near) <= f.c.Radius
}

var errPlan = errors.New("the plan of a hull does not fit its points")

// Core returns the piece over the plan's vertices with a radius that provably
// reaches all points. It is the same for the same plan and points. Where the plan is
// that of a core, the radius is no larger than the core's but for rounding. A plan
// that does not fit is an error.
func (p *Plan) Core(points []geom.Vec) (Core, error) {
	n := len(p.Vertices)
	if n == 0 || n > len(points) || len(p.Near) != len(points) {
		return Core{}, fmt.Errorf("%w: it is for %d points, not %d", errPlan, len(p.Near), len(points))
	}
	c := Core{Kind: kindOf(n), Vertices: make([]geom.Vec, n)}
	for i, k := range p.Vertices {
		if k < 0 || int(k) >= len(points) {
			return Core{}, fmt.Errorf("%w: it names point %d of %d", errPlan, k, len(points))
		}
		c.Vertices[i] = points[k]
	}
	c.measureInOrder()
	var far float64
	for i := range points {
		d := c.reachBy(points[i], &p.Near[i])
		if !(d < math.Inf(1)) { // a NaN, too
			return Core{}, errPlan
		}
		if d > far {
			far = d
		}
	}
	c.Radius = far
	return c, nil
}

// Part returns the piece over some of c's vertices, in the given order, with c's radius. It fails
// on none, and on an index that c does not have.
func (c *Core) Part(vertices []int32) (Core, error) {
	if len(vertices) == 0 {
		return Core{}, errPlan
	}
	for _, k := range vertices {
		if k < 0 || int(k) >= len(c.Vertices) {
			return Core{}, errPlan
		}
	}
	part := Core{Radius: c.Radius, Vertices: pick(c.Vertices, vertices)}
	part.Kind = kindOf(len(vertices))
	part.measureInOrder()
	return part, nil
}

// kindOf is the kind of a hull of n vertices.
func kindOf(n int) Kind {
	if n <= 3 {
		return Kind(n-1) + Point
	}
	return Hull
}

// reachBy is reach with the vertices found: a verified bound of the distance of q to
// the core, radius left out, +Inf where near names none.
func (c *Core) reachBy(q geom.Vec, near *[4]int32) float64 {
	var v [4]geom.Vec
	m := 0
	for _, k := range near {
		if k < 0 {
			break
		}
		if int(k) >= len(c.Vertices) {
			return math.Inf(1)
		}
		v[m] = c.Vertices[k]
		m++
	}
	switch {
	case m == 0:
		return math.Inf(1)
	case m == 1 && v[0] == q, m == 4 && within(q, v[0], v[1], v[2], v[3]):
		return 0
	}
	var s simplex
	for i := range m {
		s.p[i] = vertex{w: sub(v[i], q), a: q, b: v[i]}
	}
	var sub subsimplex
	if s.solve(m, &sub) {
		s.enclosed(0)
		s.keepFour()
	} else {
		s.keep(&sub)
	}
	return s.reach(q, c)
}
