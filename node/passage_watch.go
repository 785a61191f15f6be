package node

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/node/events"
	"github.com/firstcontact-ros/firstcontact/node/gate"
)

// Watch judges the rest of the motion if the world has changed, and looks whether the robot is
// where it should be.
func (p *passage) Watch(ctx context.Context) error {
	now, absent := p.node.loader.current()
	if now == nil {
		return errors.New(absent)
	}
	if why := p.node.monitor.whyOutdated(now); why != "" {
		return errors.New(why)
	}
	measured := p.node.monitor.measured()
	start := p.executed().Start
	p.walk.Lock()
	defer p.walk.Unlock()
	if err := p.advance(p.node.now().Sub(start).Seconds(), measured); err != nil {
		return err
	}
	if now == p.model {
		return nil
	}
	if !now.onlyMoved(p.model) {
		return errors.New("the robot's model has changed")
	}
	return p.judgeRest(ctx)
}

// How the robot is looked for on its trajectory: a controller may lag, or be slowed down, so it
// is looked for from where it was last.
const (
	ahead   = 0.1 // s that it may be ahead of time
	stretch = 1.0 // s of the trajectory that are looked at
	looks   = 64
)

// advance drops what the robot has passed. It is an error if the robot is farther beside the
// trajectory than the tube and what the parameter gate.deviation adds to it. The caller holds
// walk.
func (p *passage) advance(elapsed float64, measured map[string]float64) error {
	from := p.rest.Pieces[0].Start
	to := max(from, min(elapsed+ahead, p.rest.Duration(), from+stretch))
	at, beside, joint := p.find(from, to, measured)
	if math.IsInf(beside, 1) {
		return fmt.Errorf("joint %s is not measured", joint)
	}
	if beside > p.allowed {
		return fmt.Errorf("%w: joint %s is measured %.3g rad or m beyond its tolerance, more than gate.deviation allows (%g)", gate.ErrDeviation, joint, beside, p.allowed)
	}
	if _, rest, err := p.rest.Split(at); err == nil {
		p.rest = rest
	}
	return nil
}

// find looks for the robot between two times of the motion. A motion that goes back the way it
// came is twice where the robot is: the first time counts, so that what the robot may not have
// passed stays.
func (p *passage) find(from, to float64, measured map[string]float64) (at, off float64, joint string) {
	coarse, _, _ := p.nearest(from, to, measured)
	step := (to - from) / looks
	around := func(t float64) (at, off float64, joint string) {
		return p.nearest(max(from, t-step), min(to, t+step), measured)
	}
	at, off, joint = around(coarse)
	before := math.Inf(1)
	for i := range looks {
		t := from + float64(i)*step
		here, _ := p.beside(t, measured)
		next, _ := p.beside(t+step, measured)
		if here <= before && here <= next && t+step < at {
			if first, d, name := around(t); d <= off+p.allowed/4 {
				return first, d, name
			}
		}
		before = here
	}
	return at, off, joint
}

// nearest looks for the robot between two times of the motion. It returns where it is least
// beside it.
func (p *passage) nearest(from, to float64, measured map[string]float64) (at, off float64, joint string) {
	at, off = from, math.Inf(1)
	for i := range looks + 1 {
		t := min(from+(to-from)*float64(i)/looks, to)
		if d, name := p.beside(t, measured); d < off || joint == "" {
			at, off, joint = t, d, name
		}
	}
	return at, off, joint
}

// beside returns how far the robot is beyond its tube around the motion at time t, and the joint
// that is farthest; infinity if a joint is not measured.
func (p *passage) beside(t float64, measured map[string]float64) (off float64, joint string) {
	for i, x := range p.rest.At(t) {
		name := p.rest.Joints[i]
		d := math.Inf(1)
		if is, ok := measured[name]; ok {
			d = math.Abs(is - x)
			if continuous(p.q.robot, name) {
				d = math.Abs(math.Remainder(d, 2*math.Pi))
			}
		}
		if d -= p.q.query.Tube[name]; d > off || joint == "" {
			off, joint = d, name
		}
	}
	return off, joint
}

// judgeRest judges what is left of the motion in the present world. The caller holds walk.
func (p *passage) judgeRest(ctx context.Context) error {
	rest, from := p.rest, p.rest.Pieces[0].Start
	if from >= rest.Duration() {
		return nil
	}
	q := p.node.ask()
	q.id, q.stamp = fmt.Sprintf("%s from %.3f s on", p.q.id, from), p.node.now()
	q.query.Question, q.query.Range, q.query.MaxContacts = motion.FirstContact, motion.DistanceRanges{}, 0
	q.query.Tube, q.joined = p.q.query.Tube, p.q.joined
	q.way = func(context.Context, map[string]float64) (*motion.Motion, error) {
		q.end = p.q.end
		return rest, nil
	}
	verdicts := make(chan *fcmsgs.Verdict, 1)
	p.node.validator.ask(&q, asker{client: p.node.ros.Participant().GUID(), told: func(a *fcmsgs.Verdict) { verdicts <- a }})
	select {
	case a := <-verdicts:
		if a.Status != fcmsgs.VerdictFree {
			return fmt.Errorf("the rest of the motion: %s: %s", events.StatusName(a.Status), a.Message)
		}
		p.model = q.judged.model
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
