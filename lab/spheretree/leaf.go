package spheretree

import (
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
)

// leaves looks at the triangles of two leaves: along the line of the balls' centres
// first, which a few products tell, and closely where that does not part them.
func (f *finder) leaves(n *item) {
	a, b := f.a.Nodes[n.a].First, f.b.Nodes[n.b].First
	f.place(b)
	f.work.Gaps++
	x := sub(n.center, f.a.Nodes[n.a].Center)
	if g := separation(f.a.Triangle(a), &f.placed, n.center, x) - f.apart; g >= f.enough {
		f.lowest = min(f.lowest, g)
		return
	}
	f.meet(a, b)
}

// meet takes the distance of two triangles, by their places in the trees' orders. The
// pair's lower bound comes from directions alone, not from the closest points.
func (f *finder) meet(a, b int32) {
	f.place(b)
	f.work.Triangles++
	s, t := f.a.Triangle(a), &f.placed
	r := tri.Distance(s, t)
	f.lowest = min(f.lowest, max(0, f.apartBy(s, t, &r)))
	d := max(0, r.Distance-f.radii) + f.above
	if d < f.upper {
		f.upper, f.best, f.pairA, f.pairB = d, r, a, b
		f.aim()
	}
}

// place brings triangle i of b into a's frame.
func (f *finder) place(i int32) {
	if f.placedAt == i {
		return
	}
	f.placedAt = i
	f.work.Transforms += 3
	for k, v := range f.b.Triangle(i) {
		f.placed[k] = place(&f.pose, v)
	}
}

// tightEnough is the part of a distance that a gap may be short of it; what is less is
// searched for along further directions.
const tightEnough = 1 - 0x1p-40

// apartBy returns a lower bound of the distance of two triangles of which the closest
// points were found.
//
// It is the gap along the points' difference. Of triangles that all but touch that
// difference is mostly rounding, and a slightly turned direction costs the triangles'
// size times the turn; then the direction is taken from whole edges: normals of the
// triangles, common normals of two edges, and the difference freed of its part along
// an edge. One of these is the direction between closest points of a face and a
// corner, of two edges, and of an edge and a corner; that between two corners may be
// turned a little without harm.
func (f *finder) apartBy(s, t *tri.Triangle, r *tri.Result) float64 {
	if r.Distance == 0 {
		return 0
	}
	n := sub(r.PointB, r.PointA)
	best := separation(s, t, r.PointA, n)
	want := r.Distance * tightEnough
	if best >= want {
		return best - f.apart
	}
	offer := func(d geom.Vec) {
		if dot(d, n) < 0 {
			d = scale(-1, d)
		}
		best = max(best, separation(s, t, r.PointA, d))
	}
	var es, et [3]geom.Vec
	for i := range 3 {
		es[i], et[i] = sub(s[(i+1)%3], s[i]), sub(t[(i+1)%3], t[i])
	}
	offer(cross(es[0], es[1]))
	offer(cross(et[0], et[1]))
	for i := range 3 {
		for j := range 3 {
			offer(cross(es[i], et[j]))
		}
		for _, e := range [2]geom.Vec{es[i], et[i]} {
			if ee := dot(e, e); ee > 0 {
				offer(along(n, -dot(n, e)/ee, e))
			}
		}
	}
	return best - f.apart
}

// separation returns the gap between triangles s and t along n, which points from s
// to t and need not be of length 1, measured from a point near them; 0 of an n
// without direction. f.apart allows for its rounding.
func separation(s, t *tri.Triangle, from, n geom.Vec) float64 {
	length := geom.Norm(n)
	if !(length > 0x1p-466) {
		return 0
	}
	lo := min(dot(n, sub(t[0], from)), dot(n, sub(t[1], from)), dot(n, sub(t[2], from)))
	hi := max(dot(n, sub(s[0], from)), dot(n, sub(s[1], from)), dot(n, sub(s[2], from)))
	return (lo - hi) / length
}
