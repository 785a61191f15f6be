package node

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/jtc"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/controlmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/trajectorymsgs"
	"github.com/firstcontact-ros/firstcontact/node/diagnostics"
	"github.com/firstcontact-ros/firstcontact/node/events"
	"github.com/firstcontact-ros/firstcontact/node/gate"
)

// openGate stands in front of the controllers that the parameters name.
func (n *Node) openGate() (err error) {
	controllers := n.values.Strings("gate.controllers")
	if len(controllers) == 0 {
		return nil
	}
	n.gate, err = gate.New(gate.Options{
		Node: n.ros, Judge: gateJudge{n}, Controllers: controllers,
		Deadline: func() time.Duration { return n.ask().deadline }, Bounds: n.questionBounds(), Rate: questionRate, Guard: n.mustNotPanic,
	})
	if err != nil {
		return fmt.Errorf("parameter gate.controllers: %w", err)
	}
	n.diagnosis.Board.Add("gate", n.gateEntry)
	return nil
}

// runGate looks for ways around the gate, and closes it at the end.
func (n *Node) runGate(ctx context.Context) error {
	if n.gate == nil {
		return nil
	}
	return n.gate.Run(ctx)
}

func (n *Node) closeGate() error {
	if n.gate == nil {
		return nil
	}
	return n.gate.Close()
}

// gateEntry is the gate's part of /diagnostics.
func (n *Node) gateEntry(e *diagnostics.Entry) {
	r := n.gate.Report()
	for _, c := range r.Controllers {
		if !c.Present {
			e.Raise(diagnostics.Warn, "there is no action server of %s", c.Name)
		}
		e.Value(c.Name+" forwarded", c.Forwarded)
		e.Value(c.Name+" refused", c.Refused)
		e.Value(c.Name+" stopped", c.Stopped)
		e.Value(c.Name+" executes", c.Executing)
	}
	for _, way := range r.Bypasses {
		e.Raise(diagnostics.Error, "a way around the gate: %s", way)
	}
	e.Value("ways around", len(r.Bypasses))
}

// gateJudge has the validator judge what the gate is sent.
type gateJudge struct{ node *Node }

// Ask judges a trajectory as one from a topic, with the tolerances of its goal.
func (j gateJudge) Ask(w gate.Question, told func(gate.Verdict)) {
	q := j.node.ask().aboutGoal(&w)
	j.node.validator.ask(q, asker{client: w.Client, bytes: w.Bytes, broken: w.Broken, told: func(a *fcmsgs.Verdict) {
		if a.Status != fcmsgs.VerdictFree {
			told(gate.Verdict{Reason: events.StatusName(a.Status) + ": " + a.Message})
			return
		}
		told(gate.Verdict{Plan: &passage{
			node: j.node, q: q, model: q.judged.model, rest: q.judged.way, running: q.forward.running != nil,
			joints: w.Goal.Trajectory.JointNames, allowed: j.node.live.Load().values.Double("gate.deviation"),
		}})
	}})
}

// forwarding is what a question says of a trajectory that the gate is to forward.
type forwarding struct {
	running    *jtc.Plan // what the controller executes; nil if nothing
	path, goal []jtc.Tolerance
}

// aboutGoal asks about a trajectory that the gate is to forward.
func (q question) aboutGoal(w *gate.Question) *question {
	q.id = w.ID
	if w.Goal == nil {
		return &q // only its id was read
	}
	q.stamp = w.Goal.Trajectory.Header.Stamp.Time()
	q.deadline = max(w.Time, time.Millisecond)
	q.controller.handover = max(q.controller.handover, 2*w.Late)
	q.forward = &forwarding{path: tolerancesOf(w.Goal.PathTolerance), goal: tolerancesOf(w.Goal.GoalTolerance)}
	if p, ok := w.Running.(*passage); ok {
		q.forward.running = p.executed()
	}
	several := len(w.Goal.MultiDofTrajectory.Points) + len(w.Goal.MultiDofTrajectory.JointNames)
	q.way = func(ctx context.Context, measured map[string]float64) (*motion.Motion, error) {
		if several > 0 {
			return nil, errors.New("the goal has a multi_dof_trajectory, which the gate does not judge")
		}
		return q.wayOf(ctx, &w.Goal.Trajectory, measured)
	}
	return &q
}

func tolerancesOf(given []controlmsgs.JointTolerance) (all []jtc.Tolerance) {
	for _, t := range given {
		all = append(all, jtc.Tolerance{Joint: t.Name, Position: t.Position})
	}
	return all
}

// passage is a trajectory that is proved free and passes the gate.
type passage struct {
	node    *Node
	q       *question // answered FREE
	joints  []string  // that the trajectory names
	running bool      // it replaces another one
	allowed float64   // rad or m beyond the tube

	walk  sync.Mutex     // held by Watch
	model *model         // in which the rest is proved free
	rest  *motion.Motion // what is left of the motion, with all joints

	mu    sync.Mutex
	begun time.Time
}

// restTolerance, in rad or m, is how far a robot at rest may be measured from where it was when
// its motion was judged.
const restTolerance = 0.001

// Ready returns nil if the controller can still be told to execute what was judged.
func (p *passage) Ready() error {
	now, absent := p.node.loader.current()
	switch why := p.node.monitor.whyOutdated(now); {
	case now == nil:
		return errors.New(absent)
	case now != p.model:
		return errors.New("the model or the scene has changed since the verdict")
	case why != "":
		return errors.New(why)
	}
	if late := p.node.monitor.now().Sub(p.q.plan.Start); late > p.q.controller.handover && (p.running || p.stamped()) {
		return fmt.Errorf("the verdict took %.3f s, longer than the motion that runs, or the stamp, allows (controller.handover)", late.Seconds())
	}
	if p.running {
		return nil // the tube covers where the robot gets meanwhile
	}
	measured := p.node.monitor.measured()
	for _, name := range p.rest.Joints {
		then, known := p.q.at.Positions[name]
		now, fresh := measured[name]
		if !known || !fresh || math.Abs(now-then) > restTolerance+p.q.query.Tube[name] {
			return fmt.Errorf("joint %s was at %g when the motion was judged and is at %g (NaN: not measured)", name, then, orNaN(now, fresh))
		}
	}
	return nil
}

// stamped reports whether the trajectory says when it starts.
func (p *passage) stamped() bool { return !p.q.stamp.Equal(time.Unix(0, 0)) }

func orNaN(x float64, known bool) float64 {
	if !known {
		return math.NaN()
	}
	return x
}

// Begin tells that the controller has taken the trajectory over.
func (p *passage) Begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.begun = p.node.monitor.now()
}

// executed is the plan as the controller executes it.
func (p *passage) executed() *jtc.Plan {
	p.mu.Lock()
	defer p.mu.Unlock()
	plan := *p.q.plan
	if !p.stamped() && !p.begun.IsZero() {
		plan.Start = p.begun
	}
	return &plan
}

// Over reports whether the motion has ended.
func (p *passage) Over() bool {
	plan := p.executed()
	return p.node.monitor.now().After(plan.Start.Add(span(plan.Motion.Duration())))
}

// Hold returns a trajectory to where the robot is.
func (p *passage) Hold() *trajectorymsgs.JointTrajectory {
	measured := p.node.monitor.measured()
	at := trajectorymsgs.JointTrajectoryPoint{TimeFromStart: builtininterfaces.DurationOf(time.Millisecond)}
	for _, name := range p.joints {
		x, ok := measured[name]
		if !ok {
			return nil
		}
		at.Positions = append(at.Positions, x)
	}
	return &trajectorymsgs.JointTrajectory{JointNames: p.joints, Points: []trajectorymsgs.JointTrajectoryPoint{at}}
}

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
	if err := p.advance(p.node.monitor.now().Sub(start).Seconds(), measured); err != nil {
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
	to := min(elapsed+ahead, p.rest.Duration(), from+stretch)
	at, beside, joint := from, math.Inf(1), ""
	for i := range looks + 1 {
		t := from + (to-from)*float64(i)/looks
		if off, name := p.beside(max(t, from), measured); off < beside {
			at, beside, joint = t, off, name
		} else if joint == "" {
			joint = name
		}
	}
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
	q.id, q.stamp = fmt.Sprintf("%s from %.3f s on", p.q.id, from), time.Now()
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
