package convex

import (
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// outline is the vertices of the hull of some points and the edges between them. It
// is a guess: what it leaves out is measured afterwards, see HullOf.
type outline struct {
	ids []int32 // indices of the vertices, ascending
	// edges are pairs of indices, each edge in both directions; none where there are
	// fewer than three vertices.
	edges [][2]int32
	// facets are the triangles between them; none where the points are in about one plane.
	facets []starFacet
}

// outlineOf returns the outline of ps, which are distinct.
func outlineOf(ps []geom.Vec, tol float64) (outline, error) {
	c, dim := corners(ps, 8*tol)
	switch dim {
	case 0:
		return outline{ids: c[:1]}, nil
	case 1:
		return outline{ids: ends(ps, sub(ps[c[1]], ps[c[0]]))}, nil
	case 2:
		n := cross(sub(ps[c[1]], ps[c[0]]), sub(ps[c[2]], ps[c[0]]))
		return polygon(planar(ps, largestAxis(n))), nil
	}
	kept := spareFacets.Get().(*[]hullFacet)
	q := quickhull{points: ps, tol: tol, facets: (*kept)[:0]}
	defer func() {
		*kept = q.facets
		spareFacets.Put(kept)
	}()
	if err := q.run(c); err != nil {
		return outline{}, err
	}
	return outline{q.vertices(), q.edges(), q.surface()}, nil
}

// polygon is the outline of a polygon with the given corners, in their order.
func polygon(around []int32) outline {
	var o outline
	for i, k := range around {
		next := around[(i+1)%len(around)]
		o.edges = append(o.edges, [2]int32{k, next}, [2]int32{next, k})
	}
	o.ids = slices.Clone(around)
	slices.Sort(o.ids)
	return o
}

// edges returns the edges of the hull's surface; each belongs to two facets, which
// pass through it in opposite directions.
func (q *quickhull) edges() [][2]int32 {
	var out [][2]int32
	for i := range q.facets {
		if f := &q.facets[i]; !f.gone {
			out = append(out, [2]int32{f.v[0], f.v[1]}, [2]int32{f.v[1], f.v[2]}, [2]int32{f.v[2], f.v[0]})
		}
	}
	return out
}

// surface returns the facets.
func (q *quickhull) surface() []starFacet {
	at, left := make([]int32, len(q.facets)), 0
	for i := range q.facets {
		if at[i] = int32(left); !q.facets[i].gone {
			left++
		}
	}
	out := make([]starFacet, 0, left)
	for i := range q.facets {
		if f := &q.facets[i]; !f.gone {
			out = append(out, starFacet{f.v, [3]int32{at[f.next[0]], at[f.next[1]], at[f.next[2]]}})
		}
	}
	return out
}

// mostRounds bounds how often prune makes an outline. Each round leaves out a vertex
// at least from among any that are redundant and neighbours.
const mostRounds = 16

// prune returns the outline without vertices that are within tol of the hull of the
// others: ties in height make quickhull take points on edges and faces.
//
// Whether a vertex is redundant, its neighbours tell. Let the nearest point to it of
// the hull of the others lie on the face that is highest in direction n. From each
// corner of that face some edge of the whole hull leads higher (as in the simplex
// method), and nothing is higher there but the vertex: the face's corners are its
// neighbours. Of two neighbours at most one is left out in a round, as each may be
// redundant only because of the other.
func (o outline) prune(ps []geom.Vec, tol float64) outline {
	needed := make([]bool, len(ps)) // with the neighbours it has
	for range mostRounds {
		if len(o.ids) <= 2 {
			break
		}
		keep := o.leaveOut(ps, tol, needed)
		if len(keep) == len(o.ids) {
			break
		}
		next, err := outlineOf(pick(ps, keep), tol)
		if err != nil {
			return outline{ids: keep}
		}
		o = next.of(keep)
	}
	return o
}

// leaveOut returns the vertices without some that are redundant, and notes which of
// them need not be asked about again as long as they have the same neighbours.
func (o outline) leaveOut(ps []geom.Vec, tol float64, needed []bool) []int32 {
	first, ring := o.rings(len(ps))
	locked := make([]bool, len(ps)) // next to one that was left out
	var around []geom.Vec
	keep := make([]int32, 0, len(o.ids))
	for _, k := range o.ids {
		if needed[k] || locked[k] {
			keep = append(keep, k)
			continue
		}
		near := ring[first[k]:first[k+1]]
		around = around[:0]
		for _, j := range near {
			around = append(around, ps[j])
		}
		others := Core{Kind: Hull, Vertices: around}
		if len(near) > 1 && others.reach(ps[k]) > tol {
			needed[k] = true
			keep = append(keep, k)
			continue
		}
		for _, j := range near {
			locked[j], needed[j] = true, false
		}
	}
	return keep
}

// rings returns the neighbours of each of n points: of point k, ring[first[k]:first[k+1]].
func (o outline) rings(n int) (first, ring []int32) {
	first, ring = make([]int32, n+2), make([]int32, len(o.edges))
	for _, e := range o.edges {
		first[e[0]+2]++
	}
	for k := 2; k < len(first); k++ {
		first[k] += first[k-1]
	}
	for _, e := range o.edges {
		ring[first[e[0]+1]] = e[1]
		first[e[0]+1]++
	}
	return first, ring
}

// of translates an outline of chosen points to the indices that these have.
func (o outline) of(chosen []int32) outline {
	for i, k := range o.ids {
		o.ids[i] = chosen[k]
	}
	for i, e := range o.edges {
		o.edges[i] = [2]int32{chosen[e[0]], chosen[e[1]]}
	}
	for i := range o.facets {
		v := &o.facets[i].v
		v[0], v[1], v[2] = chosen[v[0]], chosen[v[1]], chosen[v[2]]
	}
	return o
}
