package spacetime

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/geometry/convex"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// report turns the traversal's hit on a piece into a Contact.
func (w *Worker) report(s *search, b *kin.Course, piece int, v *motion.Verdict) {
	p := b.Motion.Pieces[piece]
	t := &s.res.touch
	v.Status = motion.Contact
	v.Piece = piece
	v.TOC = motion.Interval{Lo: v.ProvenUntil, Hi: engine.TimeAbove(p.Start, p.End, s.res.hitAt)}
	if w.at.C != s.res.hitAt || w.piece != piece {
		w.place(s.res.hitAt, s.res.hitAt, s.res.hitAt)
	}
	v.Contact = w.witnessOf(t, v.TOC.Hi)
}

// meet judges two leaves that could not be proved apart: are they a witness?
// found is of the pair's elements, or of them the other way round.
func (s *search) meet(e entry, pair int32, found *convex.Result, swapped bool) {
	d := found.Distance
	if found.Overlap {
		d = 0
	}
	t := engine.PairTouch{Pair: pair, Touch: engine.Touch{A: found.PointA, B: found.PointB, Normal: found.Normal, Distance: d}}
	if swapped {
		t.A, t.B, t.Normal = t.B, t.A, r3.Scale(-1, t.Normal)
	}
	if s.witness(touch{t, false}, s.w.at.C) {
		s.leaves = e
	}
}

// witness takes note of two points of a pair at a time. It reports whether they are the
// earliest contact so far.
func (s *search) witness(t touch, at float64) bool {
	w := s.w
	if s.closest != nil {
		s.closest.lower(w, t.PairTouch, at)
		return false
	}
	clearance, tolerance := w.clearance, w.tolerance
	if s.keep != nil { // w.clearance may be that of more pairs than this
		clearance, tolerance = s.keep.of(w.ranged.pairs[t.Pair].Min)
	}
	if !(t.Distance <= clearance+tolerance+w.at.Pair(t.Pair).Tube) || s.res.hit && at >= s.res.hitAt {
		return false
	}
	s.res.hit, s.res.hitAt, s.res.touch = true, at, t
	return true
}

// witnessOf puts a touch in the caller's terms. The robot is placed at its time.
func (w *Worker) witnessOf(t *touch, at float64) motion.Witness {
	q := &w.m.Pairs[t.Pair]
	var a, b geom.Pose
	if t.atStart {
		a, b = w.start.Pose(q.A), w.start.Pose(q.B)
	} else {
		a, b = w.at.Element(q.A).Pose, w.at.Element(q.B).Pose
	}
	return engine.Witness(w.m, q, &t.Touch, at, a, b)
}
