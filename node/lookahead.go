package node

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/firstcontact-ros/firstcontact/ccd"
	"github.com/firstcontact-ros/firstcontact/config"
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/node/internal/foresee"
	"github.com/firstcontact-ros/firstcontact/node/internal/jointstates"
)

// lookahead is what the monitor assumes of the next moments. The zero value looks at the present
// only.
type lookahead struct {
	mode         string  // off, measured_velocity, reference or braking
	horizon      float64 // s, of measured_velocity and reference
	stopTime     float64 // s: a contact within it is STOP
	reaction     float64 // s before the robot brakes
	deceleration float64 // rad/s² or m/s², of joints without their own; 0: none is given
	own          map[string]float64
	opening      bool          // a pair that parts does not stop the robot
	hold         time.Duration // a level falls only after it has been lower for so long
}

func lookaheadOf(v config.Values) lookahead {
	return lookahead{
		mode: v.String("lookahead.mode"), horizon: v.Double("lookahead.horizon"), stopTime: v.Double("lookahead.stop_time"),
		reaction: v.Double("lookahead.reaction"), deceleration: v.Double("lookahead.deceleration"), own: v.Each("lookahead.deceleration.<joint>"),
		opening: v.Bool("lookahead.opening"), hold: span(v.Double("level_hold")),
	}
}

func (l *lookahead) on() bool { return l.mode != "off" && l.mode != "" }

// check reports joints that a look-ahead lacks a deceleration of.
func (l *lookahead) check(joints []string) error {
	if l.mode != "braking" {
		return nil
	}
	for _, name := range joints {
		if l.decelerationOf(name) == 0 {
			return fmt.Errorf("parameter lookahead.mode is braking, but joint %s has no deceleration: give lookahead.deceleration.%s, or lookahead.deceleration for all joints", name, name)
		}
	}
	return nil
}

// motion is what the robot does next.
func (l *lookahead) motion(s *foresee.Situation) (*motion.Motion, error) {
	if l.mode == "measured_velocity" {
		return s.Drift(l.horizon)
	}
	rate := make([]float64, len(s.Joints))
	for i, name := range s.Joints {
		rate[i] = l.decelerationOf(name)
	}
	return s.Brake(l.reaction, rate)
}

// decelerationOf returns how fast a joint brakes; 0 if that is not given.
func (l *lookahead) decelerationOf(name string) float64 {
	if own, ok := l.own[name]; ok {
		return own
	}
	return l.deceleration
}

// foresee judges what the robot does next, and adapts the state: the time to contact, the speed
// at which its pair closes, and the level.
func (w *monitor) foresee(ctx context.Context, m *model, end *jointstates.Sample, s *fcmsgs.CollisionState) {
	l := &w.limits.ahead
	if !l.on() || s.Level == fcmsgs.CollisionStateUnknown || s.Level == fcmsgs.CollisionStateCollision {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, w.longest/2)
	defer cancel()
	o, err := w.outlook(m, end)
	var v motion.Verdict
	if err == nil {
		v, err = m.checker.Check(ctx, o.way, motion.Query{Tube: o.tube, TimeTolerance: wayTolerance * o.way.Duration()})
	}
	if err != nil {
		unjudged(s, "the look-ahead: "+err.Error()+o.note)
		return
	}
	s.Horizon = o.way.Duration() - o.lead
	s.ClosingSpeed = m.closingSpeed(o.at, s)
	if l.opening && o.parting != nil && s.Level == fcmsgs.CollisionStateStop && v.Status == motion.Free && w.allPart(ctx, m, end, o.parting, s) {
		s.Level = fcmsgs.CollisionStateWarn
		s.Reason += "; every pair as close as that is proved not to come closer"
	}
	l.apply(s, &v, &o)
	s.Reason += o.note
}

// apply sets the time to contact, and the level that follows from it.
func (l *lookahead) apply(s *fcmsgs.CollisionState, v *motion.Verdict, o *outlook) {
	level, when := fcmsgs.CollisionStateWarn, ""
	switch {
	case v.Status == motion.Free && o.guess:
		s.Horizon = 0
		return
	case v.Status == motion.Free:
		s.TimeToContact = math.Inf(1)
		return
	case v.Status == motion.Contact:
		s.TimeToContact = max(0, v.TOC.Lo-o.lead)
		when = fmt.Sprintf("%s touch in %.3f s", between(pairOf(v.Contact.Pair)), s.TimeToContact)
	default:
		s.TimeToContact = max(0, v.ProvenUntil-o.lead)
		when = fmt.Sprintf("nothing is proved from %.3f s on (%s)", s.TimeToContact, v.Reason)
	}
	when += o.words
	if l.mode == "braking" || s.TimeToContact < l.stopTime {
		level = fcmsgs.CollisionStateStop
	}
	if level <= s.Level {
		s.Reason += "; besides, " + when
		return
	}
	s.Level, s.Reason = level, when
	if v.Status == motion.Contact {
		at := &v.Contact
		s.Pair, s.PointA, s.PointB, s.Normal = pairOf(at.Pair), pointOf(at.PointA), pointOf(at.PointB), vectorOf(at.Normal)
		s.Scope = scopeOf(s.Pair)
	}
}

// situation is where the joints are and how fast they move. A velocity that was not measured is
// that between the joint's own last two measurements.
func situation(m *model, end *jointstates.Sample) (*foresee.Situation, error) {
	s := &foresee.Situation{Joints: m.joints, Position: end.Position, Velocity: end.Velocity}
	for i, name := range m.joints {
		if end.Velocity == nil || math.IsNaN(end.Velocity[i]) {
			return nil, unmeasuredVelocity(name)
		}
	}
	return s, nil
}

func unmeasuredVelocity(joint string) error {
	return fmt.Errorf("the velocity of joint %s is not measured, and there is no earlier measurement of it", joint)
}

// closingSpeed is that of the pair that decided the level; NaN if there is none.
func (m *model) closingSpeed(at *foresee.Situation, s *fcmsgs.CollisionState) float64 {
	if s.Pair.A.Name == "" || s.Normal.X == 0 && s.Normal.Y == 0 && s.Normal.Z == 0 {
		return nan
	}
	speed, err := at.ClosingSpeed(m.pointOn(&s.Pair.A, geom.Vec(s.PointA)), m.pointOn(&s.Pair.B, geom.Vec(s.PointB)), geom.Vec(s.Normal), m.checker.LinkPoses)
	if err != nil {
		return nan
	}
	return speed
}

// pointOn says which link carries a point of a body.
func (m *model) pointOn(b *fcmsgs.Body, p geom.Vec) foresee.Point {
	switch b.Kind {
	case fcmsgs.BodyRobotLink:
		return foresee.Point{Link: b.Name, At: p}
	case fcmsgs.BodyAttachedObject:
		if world := m.checker.World(); world != nil {
			if i := world.Object(b.Name); i >= 0 {
				return foresee.Point{Link: world.Objects[i].AttachedTo, At: p}
			}
		}
	}
	return foresee.Point{At: p}
}

// mostParting is how many pairs may part at once: each is proved alone.
const mostParting = 8

// allPart reports whether every pair that is closer than its minimum is proved to come no closer
// than it is, as far as the motion goes, and to be farther apart at its end.
func (w *monitor) allPart(ctx context.Context, m *model, at *jointstates.Sample, next *motion.Motion, s *fcmsgs.CollisionState) bool {
	near, _, err := m.distances(ctx, at, severalPairs)
	if err != nil || near.Stopped {
		return false
	}
	pairs := pairDistancesOf(near.Pairs)
	for i := range pairs {
		p := &pairs[i]
		own, special := m.margins[namesOf(p.Pair.A.Name, p.Pair.B.Name)]
		if !special {
			own = m.limits.marginOf(p.Pair)
		}
		if p.Lower >= own.stop {
			continue
		}
		if i >= mostParting || !m.parts(ctx, p, next) {
			return false
		}
	}
	if n := len(pairs); n >= m.limits.pairs && (n == 0 || !(pairs[n-1].Lower*(1-tolerance) >= m.limits.farthestStop(m))) {
		return false // others that are not listed may be too close
	}
	s.ClosestPairs = pairs
	return true
}

// farthestStop is the largest of all distances below which a pair has the level STOP.
func (l *limits) farthestStop(m *model) float64 {
	far := l.ranges.Min
	for _, class := range [...]*motion.DistanceRange{l.ranges.SelfRange, l.ranges.WorldRange, l.ranges.AttachedRange} {
		if class != nil {
			far = max(far, class.Min)
		}
	}
	for _, own := range m.margins {
		far = max(far, own.stop)
	}
	return far
}

// parts reports whether a pair is proved to stay as far apart as it is, but for the tolerance of
// its distance, and to be farther apart at the end of the motion.
func (m *model) parts(ctx context.Context, p *fcmsgs.PairDistance, next *motion.Motion) bool {
	alone, err := m.onlyPair(namesOf(p.Pair.A.Name, p.Pair.B.Name))
	if err != nil || p.Lower <= 0 {
		return false
	}
	v, err := alone.Check(ctx, next, motion.Query{Question: motion.IsFree, Clearance: p.Lower * (1 - 2*tolerance)})
	if err != nil || v.Status != motion.Free {
		return false
	}
	positions := map[string]float64{}
	for i, x := range next.At(next.Duration()) {
		positions[next.Joints[i]] = x
	}
	end, err := alone.Distance(ctx, positions, motion.DistanceQuery{Relative: tolerance})
	return err == nil && len(end.Pairs) > 0 && end.Pairs[0].Bounds.Lo > p.Upper
}

// onlyPair returns what checks one pair of the model alone. Only the monitor calls it.
func (m *model) onlyPair(pair names) (*ccd.Checker, error) {
	const most = 64
	if c, ok := m.alone[pair]; ok {
		return c, nil
	}
	c, err := m.checker.OnlyPair(pair[0], pair[1])
	if err != nil {
		return nil, err
	}
	if m.alone == nil || len(m.alone) >= most {
		m.alone = map[names]*ccd.Checker{}
	}
	m.alone[pair] = c
	return c, nil
}

// holdLevel keeps a state's level from falling before it has been lower for long enough. A contact
// that is over is held as STOP. UNKNOWN is never held, and never hidden. The time is that of the
// configurations' stamps, so that a recording is held as it was live; where it jumps, nothing is held.
func (w *monitor) holdLevel(s *fcmsgs.CollisionState, stamp time.Time) {
	hold := w.limits.ahead.hold
	if hold == 0 || s.Level == fcmsgs.CollisionStateUnknown {
		return
	}
	if since := stamp.Sub(w.heldAt); s.Level >= w.held || since > hold || since < -w.limits.timeout {
		w.held, w.heldAt = min(s.Level, fcmsgs.CollisionStateStop), stamp
		return
	}
	s.Level = w.held
	s.Reason += fmt.Sprintf("; the level was higher less than %v ago and is held", hold)
}

// scaling is how fast the robot may go on, from 0 to 1: at most as fast as the pairs near each
// other leave room for, and as the time to contact is a part of the horizon.
func scaling(s *fcmsgs.CollisionState) float64 {
	factor := 1.0
	switch s.Level {
	case fcmsgs.CollisionStateFree:
	case fcmsgs.CollisionStateWarn:
		factor = s.SpeedScaling
	default:
		return 0
	}
	if s.Horizon > 0 && s.TimeToContact < s.Horizon {
		factor = min(factor, s.TimeToContact/s.Horizon)
	}
	if math.IsNaN(factor) {
		return 0
	}
	return factor
}
