package node

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/jtc"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/node/events"
	"github.com/firstcontact-ros/firstcontact/node/foresee"
)

// Stop judges the motion of a robot that brakes now, from what is measured, in the present world.
// Its verdict is published too.
func (p *passage) Stop(ctx context.Context) (free bool, result string) {
	at, now := p.node.monitor.jointState()
	m, absent := p.node.loader.current()
	if m == nil {
		return false, "the stop is not judged: " + absent
	}
	b, err := p.node.monitor.limits.ahead.braking(m.joints, at, now)
	q := p.node.ask()
	q.id, q.stamp, q.joined = p.q.id+": the stop", now, p.q.joined
	q.query.Question, q.query.Range, q.query.MaxContacts, q.query.Tube = motion.FirstContact, motion.DistanceRanges{}, 0, nil
	if end, ok := ctx.Deadline(); ok {
		q.deadline = time.Until(end) * 3 / 4
	}
	q.way = func(context.Context, map[string]float64) (*motion.Motion, error) {
		if err != nil {
			return nil, undecidable("the stop is not judged: " + err.Error())
		}
		q.notes = append(q.notes, fmt.Sprintf("this is the robot that goes on at the measured velocities for %.3g s and then brakes at the given decelerations", b.reaction))
		return b.motion, nil
	}
	verdicts := make(chan *fcmsgs.Verdict, 1)
	p.node.validator.ask(&q, asker{client: p.node.ros.Participant().GUID(), told: func(a *fcmsgs.Verdict) { verdicts <- a }})
	var a *fcmsgs.Verdict
	select {
	case a = <-verdicts:
	case <-ctx.Done():
		a = &fcmsgs.Verdict{Message: ctx.Err().Error()}
	}
	switch {
	case a.Status == fcmsgs.VerdictFree:
		return true, "the robot stops free: " + a.Message + "; " + q.judged.model.brakesHarder(ctx, b, q.query)
	case a.Status == fcmsgs.VerdictContact:
		return false, "the robot does not stop in time: although it brakes, " + a.Message
	case err != nil:
		return false, "the stop is not judged: " + err.Error()
	}
	return false, "whether the robot stops free is not proved: " + events.StatusName(a.Status) + ": " + a.Message
}

// braking is how a robot comes to stand.
type braking struct {
	reaction float64 // s
	from     *foresee.Situation
	motion   *motion.Motion
}

// braking returns how the robot comes to stand from what is measured of it. Before it brakes it
// goes on for lookahead.reaction, or since the oldest measurement if that is longer. A joint
// that stands needs no deceleration.
func (l *lookahead) braking(joints []string, at jtc.State, now time.Time) (b braking, err error) {
	b.from = &foresee.Situation{Joints: joints}
	b.reaction = max(l.reaction, now.Sub(at.Stamp).Seconds())
	var rates []float64
	for _, name := range joints {
		x, measured := at.Positions[name]
		v, moves := at.Velocities[name]
		rate := l.decelerationOf(name)
		switch {
		case !measured:
			return b, fmt.Errorf("joint %s is not measured", name)
		case rate == 0 && (!moves || v != 0):
			return b, fmt.Errorf("no deceleration is given for joint %s (parameter lookahead.deceleration.%s, or lookahead.deceleration for all joints)", name, name)
		case !moves:
			return b, fmt.Errorf("the velocity of joint %s is not measured", name)
		case rate == 0:
			rate = 1
		}
		b.from.Position, b.from.Velocity, rates = append(b.from.Position, x), append(b.from.Velocity, v), append(rates, rate)
	}
	if len(joints) == 0 {
		return b, errors.New("the robot has no joints")
	}
	b.motion, err = b.from.Brake(b.reaction, rates)
	return b, err
}

// brakesHarder tells whether the robot stops free also if joints brake sooner or harder than
// given, each for itself: with every joint anywhere between where it is measured and where it
// stands at last.
func (m *model) brakesHarder(ctx context.Context, b braking, q motion.Query) string {
	end := b.motion.At(b.motion.Duration())
	middle := make([]float64, len(end))
	q.Tube = map[string]float64{}
	for i, x := range b.from.Position {
		middle[i] = x + (end[i]-x)/2
		if x != end[i] {
			q.Tube[b.motion.Joints[i]] = math.Nextafter(max(math.Abs(end[i]-middle[i]), math.Abs(x-middle[i])), math.Inf(1))
		}
	}
	way, err := motion.Path(b.motion.Joints, [][]float64{middle}, nil)
	if err != nil {
		return "if joints brake harder, that is not judged: " + err.Error()
	}
	way.KeepTurns = true
	v, _, err := m.checker.CheckMargin(ctx, way, q)
	switch {
	case err != nil:
		return "if joints brake harder, that is not judged: " + err.Error()
	case v.Status != motion.Free:
		return "if joints brake sooner or harder, each for itself, that is not proved"
	}
	return "also if joints brake sooner or harder, each for itself"
}
