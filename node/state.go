package node

import (
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
)

// nan stands for a distance of which nothing was proved.
var nan = math.NaN()

// state returns a state with the level UNKNOWN and no result.
func (m *model) state() *fcmsgs.CollisionState {
	s := &fcmsgs.CollisionState{ClosingSpeed: nan, TimeToContact: nan, ClockOffset: nan}
	unmeasured(s)
	if m != nil {
		s.Header.FrameID, s.AssumedPairs, s.AcceptedGaps = m.frame, m.assumed, m.accepted
		s.CheckedPairs = m.checked
		s.ModelHash, s.SceneHash, s.SceneVersion = m.hash, m.sceneHash, m.sceneVersion
	}
	return s
}

// unknown returns the state without a configuration or without a model.
func (w *monitor) unknown(m *model, reason string, missing []string) *fcmsgs.CollisionState {
	s := m.state()
	s.Reason, s.MissingJoints, s.TimeToContact = reason, missing, 0
	return s
}

// unjudged makes the state UNKNOWN, except after a contact.
func unjudged(s *fcmsgs.CollisionState, reason string) {
	if s.Level == fcmsgs.CollisionStateCollision {
		s.Reason += "; besides, " + reason
		return
	}
	s.Level, s.Reason, s.TimeToContact = fcmsgs.CollisionStateUnknown, reason, 0
	unmeasured(s)
}

// collide makes the state COLLISION.
func collide(s *fcmsgs.CollisionState, at *motion.Witness) {
	s.Level = fcmsgs.CollisionStateCollision
	s.Pair = pairOf(at.Pair)
	s.Reason = between(s.Pair) + " touch on the motion from the previous state"
	s.Scope = scopeOf(s.Pair)
	s.PointA, s.PointB, s.Normal = pointOf(at.PointA), pointOf(at.PointB), vectorOf(at.Normal)
}

// grade sets the level by the pair that requires the worst one, the closest of several. Lower
// bounds decide, so that uncertainty never improves the level. near lists the closest pair and those
// that are closer than where their level WARN begins, by increasing distance; those without margins of
// their own that it does not list are others apart, at least.
func (l *limits) grade(m *model, s *fcmsgs.CollisionState, near []fcmsgs.PairDistance, others float64) {
	switch {
	case s.BeyondMax:
		s.Reason = fmt.Sprintf("beyond max: every pair is at least %g m apart", s.DistanceLower)
		return
	case len(near) == 0:
		s.Reason = fmt.Sprintf("every pair is at least %g m apart", s.DistanceLower)
		return
	}
	begin := *s
	for i := range near {
		p := &near[i]
		own, special := m.margins[namesOf(p.Pair.A.Name, p.Pair.B.Name)]
		d := p.Lower
		if !special {
			own, d = l.marginOf(p.Pair), math.Min(d, others)
		}
		of := begin
		own.grade(&of, p, d)
		room := min(s.SpeedScaling, own.room(d))
		if i == 0 || of.Level > s.Level {
			*s = of
		}
		s.SpeedScaling = room
	}
}

// room is a distance above that of STOP as a part of the range of WARN, from 0 to 1.
func (own margin) room(d float64) float64 {
	if d >= own.warn {
		return 1
	}
	return max(0, (d-own.stop)/(own.warn-own.stop))
}

// leastOfOthers bounds the distance of the pairs without margins of their own that a search of near
// pairs does not list. If it ended with as many as it was asked for, at least one of those is such a pair.
func (m *model) leastOfOthers(near []fcmsgs.PairDistance) float64 {
	n := len(near)
	if n <= len(m.margins) {
		return math.Inf(1) // all pairs within reach are listed
	}
	return near[n-1].Lower * (1 - tolerance)
}

// stop makes the state STOP by the pair that ended the search, closer than its minimum. Nothing
// touches, as far as the motion to the state's configuration was judged.
func (l *limits) stop(m *model, s *fcmsgs.CollisionState, p *fcmsgs.PairDistance) {
	own, special := m.margins[namesOf(p.Pair.A.Name, p.Pair.B.Name)]
	if !special {
		own = l.marginOf(p.Pair)
	}
	s.Scope, s.Pair, s.PointA, s.PointB, s.Normal = scopeOf(p.Pair), p.Pair, p.PointA, p.PointB, p.Normal
	s.Level, s.SpeedScaling = fcmsgs.CollisionStateStop, 0
	switch {
	case p.Upper <= motion.DefaultTolerance:
		s.Level, s.Reason = fcmsgs.CollisionStateCollision, between(p.Pair)+" touch"
	case p.Upper < own.stop:
		s.Reason = fmt.Sprintf("%s are at most %.4f m apart, closer than %.4g m; the search stopped there", between(p.Pair), p.Upper, own.stop)
	default:
		s.Reason = fmt.Sprintf("%s are at most %.4f m apart, which is not clear of %.4g m; the search stopped there", between(p.Pair), p.Upper, own.stop)
	}
}

// marginOf returns the margin of a pair by its class.
func (l *limits) marginOf(p fcmsgs.BodyPair) margin {
	r := l.ranges.OfClass(scopeOf(p) == fcmsgs.VerdictScopeWorld, p.A.Kind == fcmsgs.BodyAttachedObject || p.B.Kind == fcmsgs.BodyAttachedObject)
	return margin{r.Min, l.warn, r.Max}
}

// grade sets the level by one pair, where it and all that it stands for are at least d apart.
// Pairs that it stands for keep their minimum, or the search had stopped.
func (own margin) grade(s *fcmsgs.CollisionState, p *fcmsgs.PairDistance, d float64) {
	s.Scope, s.Pair, s.PointA, s.PointB, s.Normal = scopeOf(p.Pair), p.Pair, p.PointA, p.PointB, p.Normal
	switch {
	case d <= 0 && p.Upper <= motion.DefaultTolerance:
		s.Level, s.Reason = fcmsgs.CollisionStateCollision, between(p.Pair)+" touch"
	case d <= 0:
		s.Level = fcmsgs.CollisionStateCollision
		s.Reason = fmt.Sprintf("%s may touch: they are at most %.4f m apart", between(p.Pair), p.Upper)
	case p.Lower < own.stop:
		s.Level = fcmsgs.CollisionStateStop
		s.Reason = fmt.Sprintf("%s are %.4f m apart, closer than %.4g m", between(p.Pair), p.Lower, own.stop)
	case d < own.warn:
		s.Level = fcmsgs.CollisionStateWarn
		s.Reason = fmt.Sprintf("%s are %.4f m apart, closer than %.4g m", between(p.Pair), d, own.warn)
	default:
		s.Reason = fmt.Sprintf("the closest pair within its range, %s, is %.4f m apart", between(p.Pair), p.Lower)
	}
}
