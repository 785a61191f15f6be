package distance

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
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
			A: s.poseA.MoveBack(r.PointA), B: s.poseA.MoveBack(r.PointB),
			Normal: s.poseA.R.TurnBack(r.Normal), Distance: d,
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
		tb[i] = s.poseAB.Move(tb[i])
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
	r := convex.Distance(volume.Core(s.a, a, &w.partA), s.poseA, volume.Core(s.b, b, &w.partB), s.poseB, &w.search)
	return r.Lower - s.slack
}

// gapOfTriangles is the gap of two triangles along the unit vector n from s to t.
// Its rounding, of 8u of the coordinates, is in the slack.
func gapOfTriangles(s, t *tri.Triangle, n geom.Vec) float64 {
	least := min(r3.Dot(t[0], n), min(r3.Dot(t[1], n), r3.Dot(t[2], n)))
	return least - max(r3.Dot(s[0], n), max(r3.Dot(s[1], n), r3.Dot(s[2], n)))
}

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
	at := poseP.Move(l.Within(l.Tree.Order[l.Tree.Nodes[node].First]))
	inside, ok := engine.InsideSolids(solid, poseS.MoveBack(at))
	switch {
	case !ok:
		s.w.q.Reason = undecidedInside
		return true
	case inside:
		s.inside(at)
	}
	return inside
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
