package spheretree

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
)

// Distance bounds the distance between trees a and b, b at poseAB in a's frame, from
// both sides, with witness points.
//
// It is Quinlan's search: pairs of balls from the roots down, the larger ball opened,
// the nearer child first, exact distances of triangles at the leaves. The best
// distance so far starts at q.Max and a pair of balls that is no closer, less the
// error allowed, is left aside (SPHERE II-A). As a compact tree's child may stick out
// of its parent, what is proved of the parent holds for the child too. The centre of a
// ball of b is transformed once for all the steps that open its partner (SPHERE
// II-C).
//
// Nothing is allocated once s has grown.
func Distance(a, b *Tree, poseAB geom.Pose, q Query, s *Scratch) Result {
	f := finder{a: a, b: b, pose: poseAB, q: &q}
	return f.run(s)
}

func (f *finder) run(s *Scratch) Result {
	if !f.begin() {
		return Result{Upper: math.Inf(1), Distance: math.Inf(1), TriangleA: -1, TriangleB: -1}
	}
	f.startWarm()
	f.search(s)
	return f.result()
}

// item is a pair of nodes to be looked at, with a lower bound of its distance and
// b's ball's centre in a's frame.
type item struct {
	lower  float64
	center geom.Vec
	a, b   int32
}

// finder is one query under way.
type finder struct {
	a, b *Tree
	pose geom.Pose
	q    *Query

	radii float64 // by which triangles are closer than their planes tell
	below float64 // what any lower bound is less than the gap of balls
	apart float64 // and than that of triangles
	above float64 // what an upper bound is more than the distance of witnesses

	enough float64 // a lower bound from which a pair cannot matter
	upper  float64 // of the best so far
	lowest float64 // of what was left aside
	best   tri.Result
	pairA  int32 // the best one's triangles, places in the trees' orders
	pairB  int32

	placed   tri.Triangle // triangle placedAt of b in a's frame
	placedAt int32
	again    bool // no cached centres: for the measurement of what they save
	work     Work
}

// begin works out the margins; false where pose or query are none.
func (f *finder) begin() bool {
	turn := stretch(&f.pose.R)
	if !(turn <= maxStretch) || !geom.Finite(f.pose.P) || !f.q.valid() || !(geom.Norm(f.pose.P) <= 4*maxCoordinate) {
		return false
	}
	size := (f.a.reach + f.b.reach + geom.Norm(f.pose.P)) * (1 + 8*u)
	f.radii = f.a.Radius + f.b.Radius
	size += f.radii
	rounding := lowerRounding*size + underflow + f.q.PoseError
	blur := f.a.blur + f.b.blur
	f.apart = f.radii + f.a.Deviation + f.b.Deviation + blur + rounding
	f.below = f.apart + f.b.reach*turn
	f.above = upperRounding*size + underflow + blur + f.q.PoseError
	f.upper, f.lowest = math.Inf(1), math.Inf(1)
	f.pairA, f.placedAt = -1, -1
	f.aim()
	return true
}

// aim sets what a pair must be closer than to matter.
func (f *finder) aim() {
	f.enough = f.upper * (1 - f.q.Alpha)
	if f.q.Max > 0 && f.q.Max < f.enough {
		f.enough = f.q.Max
	}
}

// done reports whether what was found is close enough, whatever else there is.
func (f *finder) done() bool {
	return f.pairA >= 0 && (f.upper <= f.q.Min || f.best.Distance <= f.radii)
}

// startWarm tries the triangles that were closest the last time.
func (f *finder) startWarm() {
	if w := f.q.Warm; w != nil && w.a > 0 && w.b > 0 && int(w.a) <= f.a.Len() && int(w.b) <= f.b.Len() {
		f.meet(w.a-1, w.b-1)
		f.lowest = math.Inf(1) // the search comes across them again
	}
}

// search goes down from the roots.
func (f *finder) search(s *Scratch) {
	todo := s.todo[:0]
	root := &f.b.Nodes[0]
	now := item{center: f.centre(root)}
	now.lower = max(0, f.gap(&f.a.Nodes[0], root, now.center))
	if f.done() { // by the warm start
		f.lowest = now.lower
		return
	}
	for {
		switch {
		case now.lower >= f.enough:
			f.lowest = min(f.lowest, now.lower)
		case f.a.Nodes[now.a].Left < 0 && f.b.Nodes[now.b].Left < 0:
			f.leaves(&now)
			if f.done() {
				for i := range todo {
					f.lowest = min(f.lowest, todo[i].lower)
				}
				s.todo = todo
				return
			}
		default:
			near, far := f.open(&now)
			if far.lower < f.enough {
				todo = append(todo, far)
			} else {
				f.lowest = min(f.lowest, far.lower)
			}
			now = near
			continue
		}
		if len(todo) == 0 {
			s.todo = todo
			return
		}
		now = todo[len(todo)-1]
		todo = todo[:len(todo)-1]
	}
}

// open returns the pairs of one node with the children of the other, the nearer first:
// by how far the balls are apart, or how deep in each other.
func (f *finder) open(n *item) (near, far item) {
	na, nb := &f.a.Nodes[n.a], &f.b.Nodes[n.b]
	near, far = *n, *n
	var gapNear, gapFar float64
	if nb.Left < 0 || na.Left >= 0 && na.Radius >= nb.Radius {
		near.a, far.a = na.Left, na.Left+1
		if f.again {
			near.center, far.center = f.centre(nb), f.centre(nb)
		}
		gapNear = f.gap(&f.a.Nodes[near.a], nb, near.center)
		gapFar = f.gap(&f.a.Nodes[far.a], nb, far.center)
	} else {
		near.b, far.b = nb.Left, nb.Left+1
		l, r := &f.b.Nodes[near.b], &f.b.Nodes[far.b]
		near.center, far.center = f.centre(l), f.centre(r)
		gapNear, gapFar = f.gap(na, l, near.center), f.gap(na, r, far.center)
	}
	// What is proved of the parent holds for the child, which may stick out of it.
	near.lower, far.lower = larger(n.lower, gapNear), larger(n.lower, gapFar)
	if gapFar < gapNear {
		near, far = far, near
	}
	return near, far
}

func larger(a, b float64) float64 {
	if b > a {
		return b
	}
	return a
}

// gap bounds the distance of two nodes from below by their balls, that of b centred at
// the given point of a's frame.
func (f *finder) gap(a, b *Node, center geom.Vec) float64 {
	f.work.Spheres++
	return geom.Norm(sub(center, a.Center)) - (a.Radius + b.Radius) - f.below
}

func (f *finder) centre(b *Node) geom.Vec {
	f.work.Transforms++
	return place(&f.pose, b.Center)
}

// result sums up.
func (f *finder) result() Result {
	r := Result{Outcome: Beyond, Lower: f.lowest, Upper: f.upper, Distance: math.Inf(1), TriangleA: -1, TriangleB: -1, Work: f.work}
	if f.pairA < 0 {
		return r
	}
	switch {
	case f.upper <= f.q.Min:
		r.Outcome = Within
	case !(f.q.Max > 0 && r.Lower >= f.q.Max):
		r.Outcome = Found
	}
	r.Distance = max(0, f.best.Distance-f.radii)
	r.Lower = min(r.Lower, f.upper)
	if r.Distance == 0 {
		r.Lower = 0
	}
	r.PointA, r.PointB = f.witness()
	r.TriangleA, r.TriangleB = f.a.Order[f.pairA], f.b.Order[f.pairB]
	if w := f.q.Warm; w != nil {
		*w = Warm{f.pairA + 1, f.pairB + 1}
	}
	return r
}

// witness returns the closest points with the trees' radii around the triangles' ones:
// where those balls overlap, a point in both.
func (f *finder) witness() (p, q geom.Vec) {
	p, q = f.best.PointA, f.best.PointB
	d := f.best.Distance
	if !(f.radii > 0) || !(d > 0) {
		return p, q
	}
	toB := scale(1/d, sub(q, p))
	if d <= f.radii {
		p = along(p, min(max((d+f.a.Radius-f.b.Radius)/2, 0), d), toB)
		return p, p
	}
	return along(p, f.a.Radius, toB), along(q, -f.b.Radius, toB)
}
