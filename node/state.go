package node

import (
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
)

// nan is what distances are where nothing was proved.
var nan = math.NaN()

// state is a state that says nothing yet: UNKNOWN.
func (m *model) state() *fcmsgs.CollisionState {
	s := &fcmsgs.CollisionState{DistanceLower: nan, DistanceUpper: nan, ClosingSpeed: nan, TimeToContact: nan, ClockOffset: nan}
	if m != nil {
		s.Header.FrameID, s.AssumedPairs, s.AcceptedGaps = m.frame, m.assumed, m.accepted
		s.CheckedPairs = m.checked
		s.ModelHash, s.SceneHash, s.SceneVersion = m.hash, m.sceneHash, m.sceneVersion
	}
	return s
}

// unknown is the state where there is nothing to judge, or nothing to judge by.
func (w *monitor) unknown(m *model, reason string, missing []string) *fcmsgs.CollisionState {
	s := m.state()
	s.Reason, s.MissingJoints, s.TimeToContact = reason, missing, 0
	return s
}

// unjudged makes the state UNKNOWN, unless a contact has been found: that stands.
func unjudged(s *fcmsgs.CollisionState, reason string) {
	if s.Level == fcmsgs.CollisionStateCollision {
		s.Reason += "; besides, " + reason
		return
	}
	s.Level, s.Reason, s.TimeToContact = fcmsgs.CollisionStateUnknown, reason, 0
	s.DistanceLower, s.DistanceUpper = nan, nan
}

// collide makes the state COLLISION.
func collide(s *fcmsgs.CollisionState, at *motion.Witness) {
	s.Level = fcmsgs.CollisionStateCollision
	s.Pair = pairOf(at.Pair)
	s.Reason = between(s.Pair) + " touch on the way from the state before"
	s.Scope = scopeOf(s.Pair)
	s.PointA, s.PointB, s.Normal = pointOf(at.PointA), pointOf(at.PointB), vectorOf(at.Normal)
}

// grade sets the level by the pair that asks for the highest, of several the closest.
// Lower bounds decide, so that doubt never makes the level better. Those that are near
// are the closest, by rising distance, one of them without a margin of its own if there
// is one within reach: what is farther away than all of them asks for no more.
func (l *limits) grade(m *model, s *fcmsgs.CollisionState, near []fcmsgs.PairDistance) {
	if len(near) == 0 {
		s.Reason = fmt.Sprintf("every pair is at least %g m apart", s.DistanceLower)
		return
	}
	begin := *s
	for i := range near {
		p := &near[i]
		own, special := m.margins[namesOf(p.Pair.A.Name, p.Pair.B.Name)]
		d := p.Lower
		if !special {
			own, d = margin{l.stop, l.warn}, math.Min(d, m.leastOfOthers(s, near))
		}
		of := begin
		own.grade(&of, p, d)
		if i == 0 || of.Level > s.Level {
			*s = of
		}
	}
}

// leastOfOthers bounds the distance of pairs that are not listed among the near.
func (m *model) leastOfOthers(s *fcmsgs.CollisionState, near []fcmsgs.PairDistance) float64 {
	switch n := len(near); {
	case len(m.margins) == 0:
		return s.DistanceLower
	case n <= len(m.margins):
		return math.Inf(1) // all within reach are listed
	default:
		return near[n-1].Lower * (1 - tolerance)
	}
}

// grade sets the level by one pair that is no closer than d.
func (own margin) grade(s *fcmsgs.CollisionState, p *fcmsgs.PairDistance, d float64) {
	s.Scope, s.Pair, s.PointA, s.PointB, s.Normal = scopeOf(p.Pair), p.Pair, p.PointA, p.PointB, p.Normal
	switch {
	case d <= 0 && p.Upper <= motion.DefaultTolerance:
		s.Level, s.Reason = fcmsgs.CollisionStateCollision, between(p.Pair)+" touch"
	case d <= 0:
		s.Level = fcmsgs.CollisionStateCollision
		s.Reason = fmt.Sprintf("%s may touch: they are at most %.4f m apart", between(p.Pair), p.Upper)
	case d < own.stop:
		s.Level = fcmsgs.CollisionStateStop
		s.Reason = fmt.Sprintf("%s are %.4f m apart, closer than %.4g m", between(p.Pair), d, own.stop)
	case d < own.warn:
		s.Level = fcmsgs.CollisionStateWarn
		s.Reason = fmt.Sprintf("%s are %.4f m apart, closer than %.4g m", between(p.Pair), d, own.warn)
	default:
		s.Reason = fmt.Sprintf("the closest, %s, are %.4f m apart", between(p.Pair), d)
	}
}
