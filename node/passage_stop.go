package node

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"time"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/jtc"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/node/internal/ensemble"
	"github.com/firstcontact-ros/firstcontact/node/internal/events"
	"github.com/firstcontact-ros/firstcontact/node/internal/foresee"
)

// Stop judges the motion of a robot that brakes now, in the present world: after it has followed what
// the controllers execute for the reaction time, and, where its measured state is not on that, also
// after it has gone on at the measured velocities. The verdicts are published too.
func (p *passage) Stop(ctx context.Context) (free bool, result string) {
	m, absent := p.node.loader.current()
	if m == nil {
		return false, "the stop is not judged: " + absent
	}
	if p.q.forward.drives {
		return p.stops(ctx, "the stop", braking{}, errDrives)
	}
	at, now := p.node.monitor.jointState()
	b, err := p.following(m, at, now)
	if free, result = p.stops(ctx, "the stop", b, err); !free || b.near {
		return free, result
	}
	if b, err = p.node.monitor.limits.ahead.braking(m.joints, at, now); err != nil {
		return p.stops(ctx, "the stop", b, err)
	}
	free, other := p.stops(ctx, "the stop at the measured velocities", b, nil)
	return free, "on its way, " + result + "; at the measured velocities, " + other
}

// stops judges one way to stand.
func (p *passage) stops(ctx context.Context, what string, b braking, err error) (free bool, result string) {
	q := p.node.ask()
	q.id, q.stamp, q.joined = p.q.id+": "+what, p.node.now(), p.q.joined
	q.query.Question, q.query.Range, q.query.MaxContacts, q.query.Tube = motion.FirstContact, motion.DistanceRanges{}, 0, b.tube
	if end, ok := ctx.Deadline(); ok {
		q.deadline = max(time.Until(end)*3/4, time.Millisecond)
	}
	q.way = func(context.Context, map[string]float64) (*motion.Motion, error) {
		if err != nil {
			return nil, undecidable("the stop is not judged: " + err.Error())
		}
		q.notes = append(q.notes, fmt.Sprintf("this is the robot that %s for %.3g s and then brakes at the given decelerations", b.before, b.reaction))
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
	before   string  // what it does until it brakes
	reaction float64 // s
	motion   *motion.Motion
	tube     map[string]float64
	near     bool          // the measured state is on what the controllers execute
	part     ensemble.Part // what the robot does without brakes, from the measurement on
	halt     ensemble.Halt
}

// reacting returns how long the robot goes on before it brakes: for lookahead.reaction, or since the
// oldest measurement if that is longer.
func (l *lookahead) reacting(at jtc.State, now time.Time) float64 {
	return max(l.reaction, now.Sub(at.Stamp).Seconds())
}

// following returns how the robot comes to stand from its place on what the controllers execute.
func (p *passage) following(m *model, at jtc.State, now time.Time) (b braking, err error) {
	l := &p.node.monitor.limits.ahead
	b.before, b.reaction = "follows what the controllers execute", l.reacting(at, now)
	way, from, tube, err := p.course.Load().place(m, at, now)
	if err != nil {
		return b, err
	}
	rates, err := l.rates(way.Joints, at, foresee.Velocity(way, from+b.reaction))
	if err != nil {
		return b, err
	}
	b.tube, b.near = maps.Clone(tube), true
	if b.tube == nil {
		b.tube = map[string]float64{}
	}
	turned, speed := m.onTurn(at, way, from), foresee.Velocity(way, from)
	for i, x := range way.At(from) {
		name := way.Joints[i]
		off := math.Abs(turned.Positions[name] - x)
		b.near = b.near && off <= max(tube[name], restTolerance) && math.Abs(at.Velocities[name]-speed[i]) <= 0.02+0.1*math.Abs(speed[i])
		if off > tube[name] {
			b.tube[name] = math.Nextafter(off, math.Inf(1))
		}
	}
	if b.motion, err = foresee.Follow(way, from, b.reaction, rates); err != nil {
		return b, err
	}
	b.part = ensemble.Part{Motion: way, Since: from, Tube: tube}
	b.halt = ensemble.Halt{Now: turned, Reaction: b.reaction, Deceleration: l.decelerationOf}
	return b, nil
}

// rates returns how hard joints brake. One that stands, measured and on its way, needs no
// deceleration.
func (l *lookahead) rates(joints []string, at jtc.State, speed []float64) (rates []float64, err error) {
	for i, name := range joints {
		_, measured := at.Positions[name]
		v, moves := at.Velocities[name]
		rate := l.decelerationOf(name)
		switch {
		case !measured:
			return nil, fmt.Errorf("joint %s is not measured", name)
		case rate == 0 && (!moves || v != 0 || speed[i] != 0):
			return nil, fmt.Errorf("no deceleration is given for joint %s (parameter lookahead.deceleration.%s, or lookahead.deceleration for all joints)", name, name)
		case !moves:
			return nil, fmt.Errorf("the velocity of joint %s is not measured", name)
		case rate == 0:
			rate = 1
		}
		rates = append(rates, rate)
	}
	return rates, nil
}

// braking returns how the robot comes to stand from what is measured of it.
func (l *lookahead) braking(joints []string, at jtc.State, now time.Time) (b braking, err error) {
	if len(joints) == 0 {
		return b, errors.New("the robot has no joints")
	}
	b.before, b.reaction = "goes on at the measured velocities", l.reacting(at, now)
	from := &foresee.Situation{Joints: joints}
	for _, name := range joints {
		from.Position, from.Velocity = append(from.Position, at.Positions[name]), append(from.Velocity, at.Velocities[name])
	}
	rates, err := l.rates(joints, at, from.Velocity)
	if err != nil {
		return b, err
	}
	if b.motion, err = from.Brake(b.reaction, rates); err != nil {
		return b, err
	}
	b.part.Motion, err = motion.Path(joints, [][]float64{from.Position}, nil)
	b.halt = ensemble.Halt{Now: at, Reaction: b.reaction, Deceleration: l.decelerationOf}
	return b, err
}

// brakesHarder tells whether the robot stops free also if joints brake sooner or harder than
// given, each for itself: with every joint anywhere where that may take it.
func (m *model) brakesHarder(ctx context.Context, b braking, q motion.Query) string {
	middle, tube, err := b.part.Stopped(b.halt)
	if err != nil {
		return "if joints brake harder, that is not judged: " + err.Error()
	}
	q.Tube = tube
	at := make([]float64, len(b.motion.Joints))
	for i, name := range b.motion.Joints {
		at[i] = middle[name]
	}
	way, err := motion.Path(b.motion.Joints, [][]float64{at}, nil)
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
