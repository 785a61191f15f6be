package live

import (
	"fmt"

	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/geometrymsgs"
)

// The closest pair need not be the one that the level is by: a pair may have a margin of its own, and a
// contact on the way to a state counts. The page says so beside the pairs.

// decide notes the pair that the level is by, which need not be the closest.
func (s *State) decide(m *fcmsgs.CollisionState) {
	if m.Scope == fcmsgs.CollisionStateScopeNone {
		return
	}
	s.Decided = &Pair{Names: names(&m.Pair), A: point(m.PointA), B: point(m.PointB), Normal: point(geometrymsgs.Point(m.Normal))}
	for i := range s.Pairs {
		if !same(&m.ClosestPairs[i].Pair, &m.Pair) {
			continue
		}
		p := &s.Pairs[i]
		s.Decided.Lower, s.Decided.Upper = p.Lower, p.Upper
		if i > 0 {
			p.Remark = "decides the level"
		}
	}
}

// Margin is a pair's own, in place of that of its class: the distances (m) below which the level is
// STOP, and WARN.
type Margin struct{ Stop, Warn float64 }

// Mark writes beside each pair that has a margin of its own what that is.
func (s *State) Mark(own func(a, b string) (Margin, bool)) {
	for i := range s.Pairs {
		p := &s.Pairs[i]
		m, special := own(p.Names[0], p.Names[1])
		if !special {
			continue
		}
		if p.Remark != "" {
			p.Remark += "; "
		}
		p.Remark += fmt.Sprintf("its own margin: STOP below %.4g m, WARN below %.4g m", m.Stop, m.Warn)
	}
}

// closestDecides reports whether the level is by the closest of the pairs that a state lists.
func closestDecides(m *fcmsgs.CollisionState) bool {
	return m.Scope == fcmsgs.CollisionStateScopeNone || len(m.ClosestPairs) == 0 || same(&m.ClosestPairs[0].Pair, &m.Pair)
}

func same(p, q *fcmsgs.BodyPair) bool { return *p == *q || p.A == q.B && p.B == q.A }
