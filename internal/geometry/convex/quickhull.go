package convex

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
)

// quickhull is the quickhull algorithm (Barber, Dobkin, Huhdanpaa 1996) on exact orientation
// signs, so that the surface stays a closed convex one for all points. Points no higher than
// tol over every facet they were compared with are left out; the effect is measured
// afterwards, see HullOf.
type quickhull struct {
	points []geom.Vec
	tol    float64
	facets []hullFacet
	todo   []int32 // facets that may have points above
	// Scratch of one insertion.
	visible []int32
	horizon []horizonEdge
	starts  map[int32]int32 // new facet by the first vertex of its horizon edge
}

// hullFacet is a triangle, counterclockwise seen from outside.
type hullFacet struct {
	v     [3]int32
	next  [3]int32 // the facet across the edge from v[i] to v[i+1]
	above []int32  // points that this facet still has to bring in
	gone  bool
	n     geom.Vec // unit normal, to rounding; zero where there is none
	mark  bool     // visible from the point being inserted
}

// horizonEdge is an edge from a to b between a visible facet and one that is not.
type horizonEdge struct{ a, b, beyond int32 }

// spareFacets keeps the memory of facets for the next hull.
var spareFacets = sync.Pool{New: func() any { return new([]hullFacet) }}

// run makes the hull from four points that are not in one plane.
func (q *quickhull) run(first [4]int32) error {
	if tri.Orient(q.points[first[0]], q.points[first[1]], q.points[first[2]], q.points[first[3]]) > 0 {
		first[0], first[1] = first[1], first[0] // the fourth must be below the rest
	}
	a, b, c, d := first[0], first[1], first[2], first[3]
	for _, f := range [4][3]int32{{a, b, c}, {a, d, b}, {b, d, c}, {c, d, a}} {
		q.add(f)
	}
	q.facets[0].next = [3]int32{1, 2, 3}
	q.facets[1].next = [3]int32{3, 2, 0}
	q.facets[2].next = [3]int32{1, 3, 0}
	q.facets[3].next = [3]int32{2, 1, 0}
	for i := range q.points {
		if k := int32(i); k != a && k != b && k != c && k != d {
			q.assign(k, []int32{0, 1, 2, 3})
		}
	}
	q.starts = map[int32]int32{}
	for len(q.todo) > 0 {
		f := q.todo[len(q.todo)-1]
		q.todo = q.todo[:len(q.todo)-1]
		if q.facets[f].gone || len(q.facets[f].above) == 0 {
			continue
		}
		if err := q.insert(f, q.farthest(f)); err != nil {
			return err
		}
	}
	return nil
}

// add appends a facet and returns its index.
func (q *quickhull) add(v [3]int32) int32 {
	n, _ := geom.Unit(cross(sub(q.points[v[1]], q.points[v[0]]), sub(q.points[v[2]], q.points[v[0]])))
	f := hullFacet{v: v, n: n}
	if k := len(q.facets); k < cap(q.facets) { // memory of an earlier hull
		f.above = q.facets[:k+1][k].above[:0]
	}
	q.facets = append(q.facets, f)
	return int32(len(q.facets) - 1)
}

// height returns how far point k is above facet f, to rounding.
func (q *quickhull) height(f, k int32) float64 {
	return dot(q.facets[f].n, sub(q.points[k], q.points[q.facets[f].v[0]]))
}

// sees reports whether point k is strictly above facet f, exactly.
func (q *quickhull) sees(f, k int32) bool {
	v := &q.facets[f].v
	return tri.Orient(q.points[v[0]], q.points[v[1]], q.points[v[2]], q.points[k]) > 0
}

// assign gives point k to the facet among fs that it is highest above, if any.
func (q *quickhull) assign(k int32, fs []int32) {
	best, at := q.tol, int32(-1)
	for _, f := range fs {
		if h := q.height(f, k); h > best {
			best, at = h, f
		}
	}
	if at >= 0 && q.sees(at, k) {
		if len(q.facets[at].above) == 0 {
			q.todo = append(q.todo, at)
		}
		q.facets[at].above = append(q.facets[at].above, k)
	}
}

// farthest returns the highest of the points above facet f.
func (q *quickhull) farthest(f int32) int32 {
	best, at := math.Inf(-1), int32(-1)
	for _, k := range q.facets[f].above {
		if h := q.height(f, k); h > best {
			best, at = h, k
		}
	}
	return at
}

// insert replaces the facets that point k sees, f among them, by a cone from k
// over their horizon.
func (q *quickhull) insert(f, k int32) error {
	q.look(f, k)
	clear(q.starts)
	fresh := make([]int32, 0, len(q.horizon))
	for _, e := range q.horizon {
		id := q.add([3]int32{e.a, e.b, k})
		if _, twice := q.starts[e.a]; twice {
			return fmt.Errorf("convex hull: the horizon of point %d meets itself", k)
		}
		q.starts[e.a] = id
		fresh = append(fresh, id)
	}
	for i, e := range q.horizon {
		id := fresh[i]
		after, ok := q.starts[e.b]
		if !ok {
			return fmt.Errorf("convex hull: the horizon of point %d is open", k)
		}
		q.facets[id].next[0] = e.beyond
		q.facets[id].next[1] = after
		q.facets[after].next[2] = id
		q.join(e, id)
	}
	for _, v := range q.visible {
		orphans := q.facets[v].above
		q.facets[v].above, q.facets[v].gone = orphans[:0], true
		for _, p := range orphans {
			if p != k {
				q.assign(p, fresh)
			}
		}
	}
	return nil
}

// look fills visible and horizon with what point k sees, starting at facet f.
func (q *quickhull) look(f, k int32) {
	q.visible, q.horizon = append(q.visible[:0], f), q.horizon[:0]
	q.facets[f].mark = true
	for i := 0; i < len(q.visible); i++ {
		v := q.visible[i]
		for e := range 3 {
			g := q.facets[v].next[e]
			switch {
			case q.facets[g].mark:
			case q.sees(g, k):
				q.facets[g].mark = true
				q.visible = append(q.visible, g)
			default:
				q.horizon = append(q.horizon, horizonEdge{q.facets[v].v[e], q.facets[v].v[(e+1)%3], g})
			}
		}
	}
}

// join sets id as the new neighbour of the facet beyond a horizon edge.
func (q *quickhull) join(e horizonEdge, id int32) {
	g := &q.facets[e.beyond]
	for i := range 3 {
		if g.v[i] == e.b && g.v[(i+1)%3] == e.a {
			g.next[i] = id
		}
	}
}

// vertices returns the points on the hull, ascending.
func (q *quickhull) vertices() []int32 {
	var out []int32
	for i := range q.facets {
		if !q.facets[i].gone {
			out = append(out, q.facets[i].v[:]...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// corners finds four points spread as wide as the set is: dim+1 of them are in
// general position, exactly, where dim is the dimension of the set (0 to 3), or less
// where it is no thicker than slim: heights over the faces of a lens that thin
// would tell nothing.
func corners(ps []geom.Vec, slim float64) (c [4]int32, dim int) {
	for i := range ps {
		if ps[i].X < ps[c[0]].X {
			c[0] = int32(i)
		}
	}
	c[1] = widest(ps, func(p geom.Vec) float64 { d := sub(p, ps[c[0]]); return dot(d, d) })
	e, ok := geom.Unit(sub(ps[c[1]], ps[c[0]]))
	if !ok {
		return c, 0
	}
	aside := func(p geom.Vec) float64 { return norm(cross(e, sub(p, ps[c[0]]))) }
	c[2] = widest(ps, aside)
	if aside(ps[c[2]]) <= slim || tri.Collinear(ps[c[0]], ps[c[1]], ps[c[2]]) {
		return c, 1
	}
	n, _ := geom.Unit(cross(e, sub(ps[c[2]], ps[c[0]])))
	above := func(p geom.Vec) float64 { return math.Abs(dot(n, sub(p, ps[c[0]]))) }
	c[3] = widest(ps, above)
	if above(ps[c[3]]) <= slim || tri.Orient(ps[c[0]], ps[c[1]], ps[c[2]], ps[c[3]]) == 0 {
		return c, 2
	}
	return c, 3
}

// widest returns the index of the point with the largest measure.
func widest(ps []geom.Vec, measure func(geom.Vec) float64) int32 {
	best, at := math.Inf(-1), 0
	for i, p := range ps {
		if m := measure(p); m > best {
			best, at = m, i
		}
	}
	return int32(at)
}

// planar returns the corners of the hull of points in about one plane, by Andrew's
// monotone chain on exact turns, as seen along a coordinate axis along which it has
// an area.
func planar(ps []geom.Vec, axis int) []int32 {
	order := make([]int32, len(ps))
	for i := range order {
		order[i] = int32(i)
	}
	u := func(p geom.Vec) [3]float64 { return [3]float64{p.X, p.Y, p.Z} }
	i, j := (axis+1)%3, (axis+2)%3
	slices.SortFunc(order, func(a, b int32) int {
		p, q := u(ps[a]), u(ps[b])
		switch {
		case p[i] < q[i] || p[i] == q[i] && p[j] < q[j]:
			return -1
		case p == q:
			return 0
		}
		return 1
	})
	half := func(order []int32) (chain []int32) {
		for _, k := range order {
			for len(chain) > 1 && tri.Turn(ps[chain[len(chain)-2]], ps[chain[len(chain)-1]], ps[k], axis) <= 0 {
				chain = chain[:len(chain)-1]
			}
			chain = append(chain, k)
		}
		return chain[:len(chain)-1]
	}
	lower := half(order)
	slices.Reverse(order)
	return append(lower, half(order)...)
}
