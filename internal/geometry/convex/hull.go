package convex

import (
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
)

// HullOf returns the convex hull of points as a core whose Vertices are some of
// them and whose Radius is a verified bound: every point is within Radius of the
// hull of the Vertices. Radius is 0 where every other point is strictly inside,
// and otherwise a few roundings of the coordinates (about 1e-15 of their size; for
// slivers up to 1e-12): points within rounding of a face, such as the vertices of
// a finely meshed flat side, are left out.
//
// The choice of vertices needs no trust: for each point that was left out HullOf finds an
// explicit convex combination of vertices near it, and the distance to that, rounded up, is
// the proof. It fails on no points and on points that are not finite.
func HullOf(points []geom.Vec) (Core, error) {
	ps, err := distinct(points)
	if err != nil {
		return Core{}, err
	}
	flat := hullRounding * extentOf(ps)
	o, err := outlineOf(ps, flat)
	if err != nil {
		return Core{}, err
	}
	o = o.prune(ps, flat)
	c := coreOf(ps, o.ids)
	// Heights over needles are mostly rounding, so quickhull may have left out relevant
	// points: add them, the farthest first.
	tol := HullTolerance(ps)
	far, missing := c.verify(ps, o.facets, tol)
	if len(missing) > 0 {
		q := newFarQueue(c, missing)
		q.grow(len(c.Vertices)+256, tol)
		c = q.core
		c.measure()
		far, _ = c.verify(ps, o.facets, tol)
	}
	c.Radius = far
	return c, nil
}

// HullTolerance is the Radius that HullOf strives for: a few roundings of the points.
func HullTolerance(points []geom.Vec) float64 { return 32 * hullRounding * extentOf(points) }

// hullRounding times the size of the points is what HullOf takes as flat: 32u is
// twice what a convex combination costs in rounding (see combination). No proof
// rests on it.
const hullRounding = 32 * 0x1p-53

// largestAxis returns the axis of the largest coordinate of d.
func largestAxis(d geom.Vec) int {
	x, y, z := math.Abs(d.X), math.Abs(d.Y), math.Abs(d.Z)
	switch {
	case x >= y && x >= z:
		return 0
	case y >= z:
		return 1
	}
	return 2
}

// ends returns the two ends of points on one line along d, ascending. The
// coordinate that changes most orders them exactly.
func ends(ps []geom.Vec, d geom.Vec) []int32 {
	axis := largestAxis(d)
	key := func(p geom.Vec) float64 { return [3]float64{p.X, p.Y, p.Z}[axis] }
	lo := widest(ps, func(p geom.Vec) float64 { return -key(p) })
	hi := widest(ps, key)
	return []int32{min(lo, hi), max(lo, hi)}
}

// distinct returns the points without repetitions, in order.
func distinct(points []geom.Vec) ([]geom.Vec, error) {
	if len(points) == 0 {
		return nil, fmt.Errorf("convex hull of no points")
	}
	if err := finiteAll(points); err != nil {
		return nil, err
	}
	seen := make(map[geom.Vec]struct{}, len(points))
	out := make([]geom.Vec, 0, len(points))
	for _, p := range points {
		if _, ok := seen[p]; !ok {
			seen[p] = struct{}{}
			out = append(out, p)
		}
	}
	return out, nil
}

// coreOf returns the core over the chosen points.
func coreOf(ps []geom.Vec, chosen []int32) Core {
	c := Core{Kind: kindOf(len(chosen)), Vertices: pick(ps, chosen)}
	c.measure()
	return c
}

func pick(ps []geom.Vec, chosen []int32) []geom.Vec {
	vs := make([]geom.Vec, len(chosen))
	for i, k := range chosen {
		vs[i] = ps[k]
	}
	return vs
}

// verify returns a bound of the distance of all points to c, radius left out, and
// those that are farther than tol. The facets, triangles by the indices of their corners in ps,
// are a guess of where to look: a corner that is no vertex of c makes all of them useless.
func (c *Core) verify(ps []geom.Vec, facets []starFacet, tol float64) (far float64, missing []geom.Vec) {
	vertex := make(map[geom.Vec]struct{}, len(c.Vertices))
	for _, v := range c.Vertices {
		vertex[v] = struct{}{}
	}
	isVertex := make([]bool, len(ps))
	for i, p := range ps {
		_, isVertex[i] = vertex[p]
	}
	near := closeTo{c: c}
	if cornersAre(isVertex, facets) {
		near.star = starOf(c, ps, facets)
	}
	if near.star == nil {
		near.inner, near.closer = c.inner(32), c.inner(512)
	}
	for i, p := range ps {
		if isVertex[i] {
			continue
		}
		d := near.reach(p, min(far, tol))
		if d > far {
			far = d
		}
		if d > tol {
			missing = append(missing, p)
		}
	}
	return far, missing
}

// cornersAre reports whether the corners of all facets are among the points that are marked.
func cornersAre(marked []bool, facets []starFacet) bool {
	for i := range facets {
		if v := &facets[i].v; !marked[v[0]] || !marked[v[1]] || !marked[v[2]] {
			return false
		}
	}
	return true
}

// closeTo bounds distances to a core at less cost than its reach does.
type closeTo struct {
	c             *Core
	star          *star // around a point of c, with corners that are vertices of c; or nil
	inner, closer *Core // of some of its vertices, where there is no star
}

// reach returns a verified bound of the distance of p to the core: of a point that is not inside, a
// coarse one if that is at most enough or about the rounding of a combination.
func (n *closeTo) reach(p geom.Vec, enough float64) float64 {
	if n.star == nil {
		if n.inner.reach(p) == 0 || n.closer.reach(p) == 0 {
			return 0
		}
		return n.c.reach(p)
	}
	if f, ok := n.star.facet(p); ok {
		// The star's center is in the core, and so is all of a facet's tetrahedron.
		f, inside := n.star.exact(f, p)
		if inside {
			return 0
		}
		a, b, c := n.star.corners(f)
		if d := n.c.reachOf(p, a, b, c); d <= max(enough, 1.25*combination*n.c.Extent()) {
			return d
		}
	}
	return n.c.reach(p)
}

// reachOf returns a verified bound of the distance of p to three vertices' triangle.
func (c *Core) reachOf(p geom.Vec, vertices ...geom.Vec) float64 {
	var s simplex
	for i, v := range vertices {
		s.p[i] = vertex{w: sub(v, p), a: p, b: v}
	}
	var nearest subsimplex
	s.solve(len(vertices), &nearest)
	s.keep(&nearest)
	return s.reach(p, c)
}

// inner returns a core of a few of c's vertices, to tell at little cost that a
// point is far inside.
func (c *Core) inner(few int) *Core {
	if len(c.Vertices) <= 2*few {
		return c
	}
	s := Core{Kind: Hull, Vertices: make([]geom.Vec, 0, few)}
	for k := range few {
		// A spiral of directions that cover the sphere evenly.
		z := 1 - (2*float64(k)+1)/float64(few)
		y, x := math.Sincos(float64(k) * math.Pi * (3 - math.Sqrt(5)))
		w := math.Sqrt(1 - z*z)
		s.Vertices = append(s.Vertices, c.Support(geom.Vec{X: w * x, Y: w * y, Z: z}))
	}
	s.measure()
	return &s
}

// reach returns a verified bound of the distance of p to the core, radius left
// out, which has vertices: 0 if p is inside a tetrahedron of them by exact signs,
// else the distance to the convex combination of up to four of them that the
// search found.
func (c *Core) reach(p geom.Vec) float64 {
	var g search
	return g.nearby(c, p)
}

// nearby is reach by the search g, which has not been used, but whose g.s may be what such a search
// left for p and some of c's vertices; g.s is then the vertices that the bound is by.
func (g *search) nearby(c *Core, p geom.Vec) float64 {
	point := Core{Kind: Point, Vertices: []geom.Vec{p}}
	id := geom.IdentityPose()
	g.init(&point, c, &id, &id)
	if l := norm(g.s.v); 0 < g.s.n && g.s.n < 4 && l > g.touch {
		g.upper = l
		g.run(g.s.direction())
	} else {
		g.s = simplex{}
		g.run(g.start(geom.Vec{}))
	}
	if g.s.n == 4 && within(p, g.s.p[0].b, g.s.p[1].b, g.s.p[2].b, g.s.p[3].b) {
		return 0
	}
	return g.s.reach(p, c)
}

// reach returns a verified bound of the distance of p to the point of c that s's
// weights make.
func (s *simplex) reach(p geom.Vec, c *Core) float64 {
	if s.n == 1 && s.p[0].b == p {
		return 0
	}
	_, q := s.witness()
	return norm(sub(q, p))*(1+ballRounding) + combination*c.Extent()
}

// combination times the size of the vertices bounds how far the computed sum of
// lambda_i v_i is from a true convex combination. The lambdas are not negative and
// sum to 1 within 8u: each is a quotient (or one less two others), scaled by one
// factor; the sum of four products takes 4 more roundings: 12u, and 16u with second
// order.
const combination = 16 * 0x1p-53

// within reports whether p is inside or on the tetrahedron a b c d, exactly; false
// if that is flat.
func within(p, a, b, c, d geom.Vec) bool {
	o := tri.Orient(a, b, c, d)
	return o != 0 && tri.Orient(a, b, c, p)*o >= 0 && tri.Orient(a, c, d, p)*o >= 0 &&
		tri.Orient(a, d, b, p)*o >= 0 && tri.Orient(b, d, c, p)*o >= 0
}
