package node

import (
	"context"
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/geometrymsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/moveitmsgs"
	"github.com/firstcontact-ros/firstcontact/node/ros"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// validityContacts is how many pairs of bodies an answer about a state lists at most.
const validityContacts = 64

// checkStateValidity answers the service of MoveIt's name and type: the state is valid if it is
// proved free of contact, and if it satisfies the joint constraints. The verdict, which gives
// the reason, is published too.
func (n *Node) checkStateValidity(r *moveitmsgs.GetStateValidityRequest, info ros.RequestInfo, reply func(*moveitmsgs.GetStateValidityResponse)) {
	n.mustNotPanic(func() {
		constraints := &jointConstraints{of: &r.Constraints}
		n.validator.ask(n.ask().aboutState(r, constraints), asker{
			client: info.Client, bytes: info.Bytes, broken: info.Err,
			told: func(a *fcmsgs.Verdict) { reply(validityOf(a, constraints)) },
		})
	})
}

// aboutState asks about the robot at rest in a state.
func (q question) aboutState(r *moveitmsgs.GetStateValidityRequest, constraints *jointConstraints) *question {
	stamp := r.RobotState.JointState.Header.Stamp
	q.id = fmt.Sprintf("check_state_validity@%d.%09d", stamp.Sec, stamp.Nanosec)
	q.stamp = stamp.Time()
	q.joined, q.query.Tube, q.group = motion.StraightLines, nil, r.GroupName
	q.query.Question, q.query.Range, q.query.MaxContacts = motion.FirstContact, motion.DistanceRanges{}, validityContacts
	q.way = func(_ context.Context, measured map[string]float64) (*motion.Motion, error) {
		given, err := readState(&r.RobotState)
		if err != nil {
			return nil, err
		}
		positions := map[string]float64{}
		for name, x := range measured {
			positions[name] = x
		}
		for name, x := range given.positions {
			positions[name] = x
		}
		constraints.decide(q.robot, positions)
		if len(given.positions) == 0 { // the present state
			given.positions = positions
		}
		if len(given.positions) == 0 {
			return nil, fmt.Errorf("the present state is %w: there are no fresh joint states", errNotKnown)
		}
		way, err := given.rest()
		if err == nil {
			way.Gaps = append(way.Gaps, given.gaps(q.world, "")...)
		}
		if constraints.others() {
			q.notes = append(q.notes, "only joint constraints are evaluated: the others count as violated")
		}
		return way, err
	}
	return &q
}

// validityOf turns a verdict about a state into the answer.
func validityOf(a *fcmsgs.Verdict, constraints *jointConstraints) *moveitmsgs.GetStateValidityResponse {
	out := &moveitmsgs.GetStateValidityResponse{Valid: a.Status == fcmsgs.VerdictFree && constraints.satisfied(), ConstraintResult: constraints.results}
	if a.Status != fcmsgs.VerdictContact {
		return out
	}
	contacts := a.Contacts
	if len(contacts) == 0 {
		contacts = []fcmsgs.Contact{{Scope: a.Scope, Pair: a.Pair, PointA: a.PointA, PointB: a.PointB, Normal: a.Normal}}
	}
	for i := range contacts {
		c := &contacts[i]
		p, q := c.PointA, c.PointB
		out.Contacts = append(out.Contacts, moveitmsgs.ContactInformation{
			Header:   a.Header,
			Position: geometrymsgs.Point{X: (p.X + q.X) / 2, Y: (p.Y + q.Y) / 2, Z: (p.Z + q.Z) / 2},
			Normal:   c.Normal, ContactBody1: c.Pair.A.Name, BodyType1: bodyType(c.Pair.A.Kind), ContactBody2: c.Pair.B.Name, BodyType2: bodyType(c.Pair.B.Kind),
		})
		out.CostSources = append(out.CostSources, moveitmsgs.CostSource{
			CostDensity: 1,
			AabbMin:     geometrymsgs.Vector3{X: math.Min(p.X, q.X), Y: math.Min(p.Y, q.Y), Z: math.Min(p.Z, q.Z)},
			AabbMax:     geometrymsgs.Vector3{X: math.Max(p.X, q.X), Y: math.Max(p.Y, q.Y), Z: math.Max(p.Z, q.Z)},
		})
	}
	return out
}

func bodyType(kind uint8) uint32 {
	switch kind {
	case fcmsgs.BodyWorldObject:
		return moveitmsgs.ContactInformationWorldObject
	case fcmsgs.BodyAttachedObject:
		return moveitmsgs.ContactInformationRobotAttached
	}
	return moveitmsgs.ContactInformationRobotLink
}

// jointConstraints evaluates the joint constraints of a request. Constraints of position,
// orientation and visibility count as violated.
type jointConstraints struct {
	of      *moveitmsgs.Constraints
	results []moveitmsgs.ConstraintEvalResult // in the order of MoveIt: joint constraints first
}

func (c *jointConstraints) others() bool {
	return len(c.of.PositionConstraints)+len(c.of.OrientationConstraints)+len(c.of.VisibilityConstraints) > 0
}

// decide evaluates the constraints at positions of joints. As in MoveIt, a continuous joint may
// be whole turns away, and the distance is weighted.
func (c *jointConstraints) decide(robot *urdf.Robot, positions map[string]float64) {
	c.results = nil
	for i := range c.of.JointConstraints {
		j := &c.of.JointConstraints[i]
		x, known := positions[j.JointName]
		off := x - j.Position
		if continuous(robot, j.JointName) {
			off = math.Remainder(off, 2*math.Pi)
		}
		const rounding = 2 * 0x1p-52
		within := known && off <= j.ToleranceAbove+rounding && off >= -j.ToleranceBelow-rounding
		c.results = append(c.results, moveitmsgs.ConstraintEvalResult{Result: within, Distance: j.Weight * math.Abs(off)})
	}
	for range len(c.of.PositionConstraints) + len(c.of.OrientationConstraints) + len(c.of.VisibilityConstraints) {
		c.results = append(c.results, moveitmsgs.ConstraintEvalResult{})
	}
}

// satisfied reports whether all constraints have been evaluated and are kept.
func (c *jointConstraints) satisfied() bool {
	if len(c.results) < len(c.of.JointConstraints) || c.others() {
		return false
	}
	for _, r := range c.results {
		if !r.Result {
			return false
		}
	}
	return true
}
