package node

import (
	"context"
	"time"

	"github.com/firstcontact-ros/firstcontact/internal/base/cputime"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/node/internal/jointstates"
)

// judge proves the newest motion and measures the distances at its end. It returns the
// state there.
func (w *monitor) judge(ctx context.Context, r round) *fcmsgs.CollisionState {
	end := r.newest.end()
	s := r.model.stateAt(end)
	s.MotionStart = builtininterfaces.TimeOf(r.begin.Stamp)
	s.ComputeTime = cputime.Of(func() {
		found := r.judge(ctx, r.newest, s, w.longest)
		w.count(found.judged, r.newest.motions())
		if found.ok {
			w.judgeDistance(ctx, r.model, end, s)
			w.foresee(ctx, r.model, end, s)
		} else {
			w.miss(end)
		}
	}).Seconds()
	w.holdLevel(s, end.Stamp)
	s.SpeedScaling = scaling(s)
	return s
}

// stateAt returns the state of a configuration, FREE until a check lowers it.
func (m *model) stateAt(end *jointstates.Sample) *fcmsgs.CollisionState {
	s := m.state()
	s.Level, s.SpeedScaling = fcmsgs.CollisionStateFree, 1
	s.Header.Stamp = builtininterfaces.TimeOf(end.Stamp)
	s.OldestSource = builtininterfaces.TimeOf(end.Source)
	s.MotionStart = s.Header.Stamp
	return s
}

// judgeMotions sets the level to COLLISION if a motion touches. It returns how many motions it
// judged, the end of the first that touches or nil, and whether all were judged.
func judgeMotions(ctx context.Context, m *model, chain way, s *fcmsgs.CollisionState, budget time.Duration) (judged int, touched *jointstates.Sample, ok bool) {
	all := chain.motions()
	until := time.Now().Add(budget)
	for {
		v, err := m.checkWay(ctx, chain[judged:], until)
		if err != nil {
			unjudged(s, err.Error())
			return judged, touched, false
		}
		if judged == 0 {
			s.BeyondLimits = v.BeyondLimits // of the whole chain
		}
		switch v.Status {
		case motion.Free:
			return all, touched, true
		case motion.Contact:
			if touched == nil {
				collide(s, &v.Contact)
				touched = chain[min(judged+v.Piece+1, all)]
			}
			if judged += v.Piece + 1; judged >= all {
				return all, touched, true
			}
			// The verdict covers nothing after the contact.
		default:
			unjudged(s, "the motion since the previous state could not be judged: "+v.Reason)
			return min(judged+int(v.ProvenUntil), all), touched, false
		}
	}
}

// checkWay checks the straight motions through the configurations, each of one second. A
// single configuration is checked at rest.
func (m *model) checkWay(ctx context.Context, chain []*jointstates.Sample, deadline time.Time) (motion.Verdict, error) {
	points := make([][]float64, len(chain))
	for i, s := range chain {
		points[i] = s.Position
	}
	way, err := motion.Path(m.joints, points, nil)
	if err != nil {
		return motion.Verdict{}, err
	}
	return m.checker.Check(ctx, way, motion.Query{Deadline: deadline, TimeTolerance: wayTolerance})
}

// wayTolerance is how precisely the time of contact is determined, as a part of the motion:
// the state does not report it.
const wayTolerance = 0.01

// tolerance is how far apart the bounds of a distance may be, as a part of the distance. It
// suffices to decide on which side of a limit the distance lies; exact bounds take several
// times as long.
const tolerance = 0.01

// judgeDistance fills in the closest pair at the end of the chain, and the level
// that follows from it.
func (w *monitor) judgeDistance(ctx context.Context, m *model, end *jointstates.Sample, s *fcmsgs.CollisionState) {
	ctx, cancel := context.WithTimeout(ctx, w.longest)
	defer cancel()
	d, proven, err := m.distances(ctx, end, closestPair)
	if err != nil {
		unjudged(s, "the distances could not be computed: "+err.Error())
		return
	}
	m.limits.within(s, d)
	s.ClosestPairs, s.ProvenPairs = pairDistancesOf(d.Pairs), uint32(proven)
	switch {
	case s.Level == fcmsgs.CollisionStateCollision:
	case d.Stopped:
		m.limits.stop(m, s, &s.ClosestPairs[0])
	case len(m.margins) > 0 && s.DistanceLower < m.limits.warn:
		// The closest pair may have a smaller margin of its own, and another may not.
		near, _, err := m.distances(ctx, end, nearPairs)
		if err != nil {
			unjudged(s, "the distances could not be computed: "+err.Error())
			return
		}
		listed := pairDistancesOf(near.Pairs)
		m.limits.grade(m, s, withFirst(s.ClosestPairs, listed), m.leastOfOthers(listed))
	default:
		m.limits.grade(m, s, s.ClosestPairs, s.DistanceLower)
	}
}

// withFirst returns pairs that are near, after the closest of all: its own margin may be so small that
// it is not among them.
func withFirst(closest, near []fcmsgs.PairDistance) []fcmsgs.PairDistance {
	if len(closest) == 0 {
		return near
	}
	all := append(make([]fcmsgs.PairDistance, 0, 1+len(near)), closest[0])
	for i := range near {
		if near[i].Pair != closest[0].Pair {
			all = append(all, near[i])
		}
	}
	return all
}

// search is what the monitor asks about distances.
type search int

const (
	closestPair  search = iota // stops at a pair closer than its minimum
	nearPairs                  // those closer than where their WARN begins, where some have margins of their own
	severalPairs               // as many as a state lists
	searches
)
