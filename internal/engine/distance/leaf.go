package distance

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/model"
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/tri"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// meet takes the closest points of two leaves.
func (s *pairSearch) meet(a, b int32) {
	if a != volume.Whole && b != volume.Whole && s.a.Leaves.Mesh != nil && s.b.Leaves.Mesh != nil {
		s.triangles(a, b)
		return
	}
	w := s.w
	w.q.Work.Distances++
	ca, cb := volume.Core(s.a, a, &w.partA), volume.Core(s.b, b, &w.partB)
	w.search.Dir = geom.Vec{}
	r := convex.Bounded(ca, s.poseA, cb, s.poseB, s.enough()+s.slack, &w.search)
	s.lowest = min(s.lowest, r.Lower-s.slack)
	if r.Lower-s.slack >= s.enough() {
		return
	}
	d := r.Distance
	if r.Overlap {
		d = 0
	}
	if d < s.best.Distance {
		s.best = engine.PairTouch{Pair: s.pair, Touch: engine.Touch{
			A: s.poseA.ApplyInv(r.PointA), B: s.poseA.ApplyInv(r.PointB),
			Normal: toLocal(&s.poseA.R, r.Normal), Distance: d,
		}}
		s.last.a = s.best.Normal
		s.setAxis(&s.last)
		s.known.leafA, s.known.leafB, s.known.warm = a, b, true
	}
}

// triangles is meet for two triangles, in a's frame.
func (s *pairSearch) triangles(a, b int32) {
	w := s.w
	w.q.Work.Distances++
	ta, tb := volume.Triangle(s.a.Leaves, a), volume.Triangle(s.b.Leaves, b)
	for i := range tb {
		tb[i] = apply(&s.poseAB, tb[i])
	}
	radii := volume.Radius(s.a) + volume.Radius(s.b)
	enough := s.enough()
	if n := s.last.a; n != (geom.Vec{}) {
		if lower := gapOfTriangles(&ta, &tb, n)*(1-8*u) - radii - s.slack; lower >= enough {
			s.lowest = min(s.lowest, lower)
			return
		}
	}
	r := tri.Distance(&ta, &tb)
	lower := 0.0
	if n := r3.Sub(r.PointB, r.PointA); r.Distance > 0 {
		s.recent.a = r3.Scale(1/geom.Norm(n), n)
		s.setAxis(&s.recent)
		lower = gapOfTriangles(&ta, &tb, s.recent.a)*(1-8*u) - radii - s.slack
		if lower < r.Distance-radii-s.slack-motion.DistanceRounding/8 {
			lower = max(lower, s.trianglesApart(a, b))
		}
	}
	s.lowest = min(s.lowest, max(lower, 0))
	s.offer(r.PointA, r.PointB, a, b)
}

// trianglesApart bounds the distance of two triangles from below where the line
// between their closest points does not: that of near-parallel edges turns with
// every rounding.
func (s *pairSearch) trianglesApart(a, b int32) float64 {
	w := s.w
	w.search.Dir = geom.Vec{}
	r := convex.Distance(volume.Core(s.a, a, &w.partA), *s.poseA, volume.Core(s.b, b, &w.partB), *s.poseB, &w.search)
	return r.Lower - s.slack
}

// gapOfTriangles is the gap of two triangles along the unit vector n from s to t.
// Its rounding, of 8u of the coordinates, is in the slack.
func gapOfTriangles(s, t *tri.Triangle, n geom.Vec) float64 {
	least := min(r3.Dot(t[0], n), min(r3.Dot(t[1], n), r3.Dot(t[2], n)))
	return least - max(r3.Dot(s[0], n), max(r3.Dot(s[1], n), r3.Dot(s[2], n)))
}

// foot is the point of a surface nearest to another point, and its leaf; a negative
// node where there is none within reach.
type foot struct {
	at     geom.Vec
	node   int32
	square float64 // of the distance
}

// touching is what is no distance, squared: nothing nearer is worth looking for.
const touching = 1e-26

// nearestOn returns the point of a mesh nearest to x among those whose squared
// distance is at most within.
func (w *Searcher) nearestOn(l *model.Leaves, x geom.Vec, within float64) foot {
	best := foot{node: -1, square: within}
	stack := append(w.feet[:0], queued{0, squareToBox(&l.Tree.Nodes[0].Box, x)})
	for len(stack) > 0 && best.square > touching {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if top.lower > best.square {
			continue
		}
		n := &l.Tree.Nodes[top.at]
		if n.Left < 0 {
			t := volume.Triangle(l, top.at)
			p := tri.ClosestPoint(&t, x)
			if d := r3.Sub(p, x); r3.Dot(d, d) <= best.square {
				best = foot{p, top.at, r3.Dot(d, d)}
			}
			continue
		}
		near, far := queued{n.Left, squareToBox(&l.Tree.Nodes[n.Left].Box, x)}, queued{n.Left + 1, squareToBox(&l.Tree.Nodes[n.Left+1].Box, x)}
		if far.lower < near.lower {
			near, far = far, near
		}
		if far.lower <= best.square {
			stack = append(stack, far)
		}
		if near.lower <= best.square {
			stack = append(stack, near)
		}
	}
	w.feet = stack[:0]
	return best
}

// squareToBox returns the squared distance of a point to a box.
func squareToBox(b *geom.Box, x geom.Vec) float64 {
	dx := outside(x.X, b.Min.X, b.Max.X)
	dy := outside(x.Y, b.Min.Y, b.Max.Y)
	dz := outside(x.Z, b.Min.Z, b.Max.Z)
	return dx*dx + dy*dy + dz*dz
}

// outside tells how far x is from [lo, hi].
func outside(x, lo, hi float64) float64 {
	if x < lo {
		return lo - x
	}
	if x > hi {
		return x - hi
	}
	return 0
}

// hullOf returns a convex piece that holds the element, as tight as can be had.
func (w *Searcher) hullOf(element int) *convex.Core {
	e := &w.m.Elements[element]
	const tight = 1e-9 // m: not worth another hull
	if e.Exact || e.Leaves == nil || e.Leaves.Mesh == nil || e.Frame == 0 || e.Core.Radius-e.Padding <= tight {
		return &e.Core
	}
	if w.fine == nil {
		w.fine = make([]*convex.Core, len(w.m.Elements))
	}
	if w.fine[element] == nil {
		fine := *e.Leaves.Hull()
		if len(fine.Vertices) == 0 || fine.Radius+e.Padding > e.Core.Radius {
			fine = e.Core
		} else {
			fine.Radius += e.Padding
		}
		w.fine[element] = &fine
	}
	return w.fine[element]
}

// toOuter and toLocal are geom.Rot's Apply and ApplyInv, apply is geom.Pose's
// Apply, without the copies that value receivers cost in the hot loop.
func toOuter(r *geom.Rot, v geom.Vec) geom.Vec {
	return geom.Vec{
		X: r.XX*v.X + r.XY*v.Y + r.XZ*v.Z,
		Y: r.YX*v.X + r.YY*v.Y + r.YZ*v.Z,
		Z: r.ZX*v.X + r.ZY*v.Y + r.ZZ*v.Z,
	}
}

func toLocal(r *geom.Rot, v geom.Vec) geom.Vec {
	return geom.Vec{
		X: r.XX*v.X + r.YX*v.Y + r.ZX*v.Z,
		Y: r.XY*v.X + r.YY*v.Y + r.ZY*v.Z,
		Z: r.XZ*v.X + r.YZ*v.Y + r.ZZ*v.Z,
	}
}

func apply(p *geom.Pose, v geom.Vec) geom.Vec {
	x := toOuter(&p.R, v)
	return geom.Vec{X: x.X + p.P.X, Y: x.Y + p.P.Y, Z: x.Z + p.P.Z}
}

// inverseTimes returns the pose of b in a.
func inverseTimes(a, b *geom.Pose) geom.Pose {
	x := toLocal(&a.R, geom.Vec{X: b.R.XX, Y: b.R.YX, Z: b.R.ZX})
	y := toLocal(&a.R, geom.Vec{X: b.R.XY, Y: b.R.YY, Z: b.R.ZY})
	z := toLocal(&a.R, geom.Vec{X: b.R.XZ, Y: b.R.YZ, Z: b.R.ZZ})
	return geom.Pose{
		R: geom.Rot{XX: x.X, XY: y.X, XZ: z.X, YX: x.Y, YY: y.Y, YZ: z.Y, ZX: x.Z, ZY: y.Z, ZZ: z.Z},
		P: toLocal(&a.R, r3.Sub(b.P, a.P)),
	}
}

// points is parts for point clouds and cells, each of which is a solid of its own.
func (s *pairSearch) points() {
	w := s.w
	if k := s.known; k.warm {
		s.meet(k.leafA, k.leafB)
		s.lowest = math.Inf(1)
	}
	w.nodes = append(w.nodes[:0], nodePair{volume.Whole, volume.Whole, max(0, s.lower)})
	for len(w.nodes) > 0 && !w.q.Out() && s.best.Distance > 0 {
		n := w.nodes[len(w.nodes)-1]
		w.nodes = w.nodes[:len(w.nodes)-1]
		switch {
		case n.lower >= s.enough():
			s.lowest = min(s.lowest, n.lower)
		case volume.IsShape(s.a, n.a) && volume.IsShape(s.b, n.b):
			s.meet(n.a, n.b)
		case (n.a == volume.Whole || n.b == volume.Whole) && s.contains(n.a, n.b):
			return
		default:
			s.openPoints(n)
		}
	}
}

// openPoints is open where a side may still be whole.
func (s *pairSearch) openPoints(n nodePair) {
	openA := volume.OpensA(s.a, n.a, s.b, n.b)
	switch {
	case openA && n.a == volume.Whole:
		n.a = 0
	case !openA && n.b == volume.Whole:
		n.b = 0
	default:
		s.open(n)
		return
	}
	n.lower = s.bound(n.a, n.b, n.lower)
	s.w.nodes = append(s.w.nodes, n)
}

// pointwise reports whether one side is a point cloud, of which every point is
// asked for itself whether it lies inside the other.
func (s *pairSearch) pointwise() bool { return engine.IsPoints(s.a) || engine.IsPoints(s.b) }

// contains tells whether a solid contains a point or cell of the other element; the
// distance is then 0. Where that cannot be told the query ends without an answer.
func (s *pairSearch) contains(a, b int32) bool {
	points, solid, node := s.a, s.b, a
	poseP, poseS, opensSolid := s.poseA, s.poseB, !volume.OpensA(s.a, a, s.b, b)
	if !engine.IsPoints(points) {
		points, solid, node = s.b, s.a, b
		poseP, poseS, opensSolid = s.poseB, s.poseA, !opensSolid
	}
	if !opensSolid || !engine.Encloses(solid) {
		return false
	}
	l := points.Leaves
	at := poseP.Apply(l.Within(l.Tree.Order[l.Tree.Nodes[node].First]))
	inside, ok := engine.InsideSolids(solid, poseS.ApplyInv(at))
	switch {
	case !ok:
		s.w.q.Reason = undecidedInside
		return true
	case inside:
		s.inside(at)
	}
	return inside
}

// undecidedInside is why a query ends that depends on what is inside of what.
const undecidedInside = "cannot tell whether one mesh lies inside the other"

// inside notes a point of W that both sides have.
func (s *pairSearch) inside(at geom.Vec) {
	x := s.poseA.ApplyInv(at)
	s.best = engine.PairTouch{Pair: s.pair, Touch: engine.Touch{A: x, B: x}}
	s.guessed = engine.IsAmbiguous(s.a) || engine.IsAmbiguous(s.b)
}

// enclosed settles whether one solid contains part of the other, whose surfaces are
// apart; the distance is then 0. Where that cannot be told the query ends without an
// answer.
func (s *pairSearch) enclosed() {
	for _, side := range [2][2]int{{s.elementA, s.elementB}, {s.elementB, s.elementA}} {
		at, inside, ok := s.w.partWithin(side[0], side[1])
		switch {
		case !ok:
			s.w.q.Reason = undecidedInside
			return
		case inside:
			s.inside(at)
			return
		}
	}
}

// partWithin tells whether some connected part of element i lies inside element k,
// their surfaces being apart, and where. A connected surface that does not meet
// another is on one side of it, so that any one of its points tells; and none is
// inside where one is outside the box around the solid.
func (w *Searcher) partWithin(i, k int) (at geom.Vec, inside, ok bool) {
	a, b := &w.m.Elements[i], &w.m.Elements[k]
	poseA, poseB := &w.at.Element(i).Pose, &w.at.Element(k).Pose
	if b.Leaves == nil || a.Leaves == nil {
		inside, at, ok = w.solids.PartInside(a, poseA, b, poseB)
		return at, inside, ok
	}
	if !engine.Encloses(b) {
		return geom.Vec{}, false, true
	}
	poseBA := inverseTimes(poseB, poseA)
	in := a.Leaves.Extents()
	for p := range in {
		if sticksOut(&in[p], &poseBA, &b.Leaves.Solid.Box) {
			continue
		}
		at = in[p].Extreme[0]
		inside, ok = engine.InsideSolids(b, apply(&poseBA, at))
		if inside || !ok {
			return apply(poseA, at), inside, ok
		}
	}
	return geom.Vec{}, false, true
}

// sticksOut reports whether one of a part's extreme points is outside a box.
func sticksOut(p *model.PartExtent, pose *geom.Pose, box *geom.Box) bool {
	const margin = 1e-9 // far more than rounding, so that what is outside is
	for i := range p.Extreme {
		if squareToBox(box, apply(pose, p.Extreme[i])) > margin*margin {
			return true
		}
	}
	return false
}
