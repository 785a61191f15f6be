package node

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/jtc"
	"github.com/firstcontact-ros/firstcontact/node/internal/ensemble"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// passage is a trajectory that is proved free and passes the gate.
type passage struct {
	node    *Node
	q       *question  // answered FREE
	joints  []string   // that the trajectory names
	running *jtc.Plan  // that it replaces; nil if none
	beside  []*passage // what other controllers execute, together with which it was proved

	course atomic.Pointer[course] // in which it is watched
	broken atomic.Bool            // the controller is being stopped, or has ended it early

	mu    sync.Mutex
	sent  time.Time
	begun time.Time
	seen  map[string]sighting // of the joints when they were last measured
}

// newPassage returns the passage of a question that is answered FREE.
func (n *Node) newPassage(q *question, joints []string, allowed float64) *passage {
	p := &passage{node: n, q: q, joints: joints, running: q.forward.running, beside: q.forward.beside}
	c := &course{
		node: n, members: append([]*passage{p}, p.beside...), allowed: allowed,
		model: q.judged.model, rest: q.judged.way, tube: q.query.Tube, start: q.plan.Start,
	}
	p.course.Store(c)
	return p
}

// restTolerance, in rad or m, is how far a robot at rest may be measured from where it was when
// its motion was judged.
const restTolerance = 0.001

// Ready returns nil if the controller can still be told to execute what was judged.
func (p *passage) Ready() error {
	now, absent := p.node.loader.current()
	c := p.course.Load()
	switch why := p.node.monitor.whyOutdated(now); {
	case now == nil:
		return errors.New(absent)
	case now != c.model:
		return errors.New("the model or the scene has changed since the verdict")
	case why != "":
		return errors.New(why)
	}
	if err := p.timely(); err != nil {
		return err
	}
	if since := p.node.monitor.awaited.Load(); since != nil && since.Before(p.q.forward.came) {
		return errors.New("the scene changed before the goal came, and the new one is not in use yet")
	}
	present, fault := p.node.monitor.reading()
	if fault != "" {
		return errors.New(fault)
	}
	if late := present.Sub(p.q.plan.Start); late > p.q.controller.handover && (p.joins() || len(p.beside) > 0) {
		return fmt.Errorf("the verdict took %.3f s, longer than the motion that runs, or the stamp, allows (controller.handover)", late.Seconds())
	}
	if err := p.moved(c, p.node.monitor.measured()); err != nil {
		return err
	}
	p.look()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sent = present
	return nil
}

// timely returns an error if the node's time has jumped or stood still since the trajectory was
// judged: when the controller executes what is not known any more.
func (p *passage) timely() error {
	if p.q.forward.era != p.node.monitor.epoch() {
		return errors.New("the clock was set or stood still, or the node was paused, since the motion was judged")
	}
	return nil
}

// moved returns an error if a joint is not where it was when the motion was judged, or one of
// another controller not where that should have taken it. The
// tolerances of the trajectory do not count here: the controller adds them to where it starts.
// Of joints that a running trajectory moves, the tube covers where they get meanwhile. One that was
// over then moves nothing more, and a robot that is still on its way is nowhere else in the proof.
func (p *passage) moved(c *course, measured map[string]float64) error {
	for _, name := range c.rest.Joints {
		if p.movedOn(name) || p.movedBeside(name) {
			continue
		}
		then, known := p.q.at.Positions[name]
		now, fresh := measured[name]
		if !known || !fresh || math.Abs(now-then) > restTolerance {
			return fmt.Errorf("joint %s was at %g when the motion was judged and is at %g (NaN: not measured)", name, then, orNaN(now, fresh))
		}
	}
	for _, other := range p.beside {
		state, now := p.node.monitor.jointState()
		if _, err := other.part(state, now, c.allowed); err != nil {
			return err
		}
	}
	return nil
}

// movedOn reports whether the trajectory that runs was moving a joint when the new one was judged.
func (p *passage) movedOn(joint string) bool {
	return p.running != nil && !p.running.Over(p.q.plan.Start) && slices.Contains(p.running.Motion.Joints, joint)
}

// movedBeside reports whether another controller moves a joint.
func (p *passage) movedBeside(joint string) bool {
	return slices.ContainsFunc(p.beside, func(o *passage) bool { return slices.Contains(o.q.plan.Motion.Joints, joint) })
}

// stamped reports whether the trajectory says when it starts.
func (p *passage) stamped() bool { return !p.q.stamp.Equal(time.Unix(0, 0)) }

// joins reports whether where the trajectory begins depends on when the controller takes it over.
func (p *passage) joins() bool { return p.running != nil || p.stamped() }

// allowFor widens the plan to what the controller may execute if it has taken the trajectory over as long
// after it was judged. It is an error if that is not known.
func (p *passage) allowFor(took time.Duration) error {
	if !p.joins() {
		return nil // it begins at rest, whenever that is
	}
	if p.q.again == nil {
		return errLate
	}
	plan, err := p.q.again(took)
	if err != nil {
		return fmt.Errorf("%w: %w", errLate, err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.q.plan = plan
	if plan.End != nil && len(p.beside) == 0 {
		p.q.end = plan
	}
	return nil
}

var errLate = errors.New("the controller has taken the trajectory over later than controller.handover, and what it executes is not known")

func orNaN(x float64, known bool) float64 {
	if !known {
		return math.NaN()
	}
	return x
}

// Begin tells that the controller has taken the trajectory over. From now on it and what other
// controllers execute are watched together.
func (p *passage) Begin() {
	p.mu.Lock()
	p.begun = p.node.now()
	took := p.begun.Sub(p.q.plan.Start)
	p.mu.Unlock()
	c := p.course.Load()
	if took > p.q.controller.handover && (p.joins() || len(p.beside) > 0) {
		c.fail(p.allowFor(took))
		c.late.Store(true)
	}
	for _, other := range p.beside {
		other.course.Store(c)
	}
}

// Break tells that the controller is being stopped, or has ended the trajectory early.
func (p *passage) Break() { p.broken.Store(true) }

// executed is the plan as the controller executes it. It has begun after it was sent the trajectory, and not
// later than controller.handover after it was said to have begun, unless a stamp says when.
func (p *passage) executed() *jtc.Plan {
	p.mu.Lock()
	defer p.mu.Unlock()
	plan := *p.q.plan
	if !p.stamped() && !p.begun.IsZero() {
		plan.Start = p.begun
		plan.Sooner, plan.Later = max(0, p.begun.Sub(p.sent)), p.q.controller.handover
	}
	return &plan
}

// shift is how far (s) the controller may be from the plan's time: it has begun after it was sent
// the trajectory, and not later than controller.handover after it was said to have begun.
func (p *passage) shift() float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return max(p.q.controller.handover.Seconds(), p.begun.Sub(p.sent).Seconds())
}

// part is what the controller executes from now on. It is an error if the robot is measured
// farther from it than allowed (rad or m) beyond its tube.
func (p *passage) part(measured jtc.State, now time.Time, allowed float64) (ensemble.Part, error) {
	plan := p.executed()
	err := p.timely()
	if p.q.forward.drives {
		err = errDrives
	}
	if err != nil {
		return ensemble.Part{}, err
	}
	return partOf(p.q.robot, plan, p.shift(), measured, now, allowed)
}

// partOf is what a controller executes of a plan, which it may have begun a shift (s) sooner or later.
// It fails as passage.part does.
func partOf(robot *urdf.Robot, plan *jtc.Plan, shift float64, measured jtc.State, now time.Time, allowed float64) (ensemble.Part, error) {
	part := ensemble.Part{
		Motion: plan.Motion, Since: now.Sub(plan.Start).Seconds(), Shift: shift, Tube: widest(plan.Tube, plan),
	}
	off, err := part.Beside(onTurn(robot, measured, plan.Motion, part.Since).Positions, ageOf(measured, now))
	if err != nil {
		return part, err
	}
	for name, d := range off {
		if d > allowed {
			return part, fmt.Errorf("joint %s is measured %.3g rad or m beyond where the trajectory that runs has it, more than gate.deviation allows (%g)", name, d, allowed)
		}
		part.Tube[name] += d
	}
	return part, nil
}

// onTurn returns the state with joints that turn without end on the turn that a motion is on at a
// time (s).
func (m *model) onTurn(measured jtc.State, way *motion.Motion, at float64) jtc.State {
	return onTurn(m.origin.robot, measured, way, at)
}

func onTurn(robot *urdf.Robot, measured jtc.State, way *motion.Motion, at float64) jtc.State {
	out := measured
	out.Positions = maps.Clone(measured.Positions)
	for i, x := range way.At(at) {
		name := way.Joints[i]
		if now, known := measured.Positions[name]; known && continuous(robot, name) {
			out.Positions[name] = now + 2*math.Pi*math.Round((x-now)/(2*math.Pi))
		}
	}
	return out
}

// ageOf is how long ago the oldest joint was measured (s).
func ageOf(measured jtc.State, now time.Time) float64 {
	if measured.Stamp.IsZero() {
		return 0
	}
	return max(0, now.Sub(measured.Stamp).Seconds())
}

// widest is a tube that includes the goal tolerance of a plan, if it has one.
func widest(tube map[string]float64, plan *jtc.Plan) map[string]float64 {
	out := map[string]float64{}
	for name, w := range tube {
		out[name] = w
	}
	if plan != nil {
		for name, w := range plan.EndTube {
			out[name] = max(out[name], w)
		}
	}
	return out
}

// Over reports whether the motion has ended, however late the controller began: the robot has
// followed it and been measured at its end after that. One that lags or pauses is still on its way.
func (p *passage) Over() bool {
	plan := p.executed()
	at, _ := p.node.monitor.jointState()
	if !at.Stamp.After(plan.Start.Add(span(plan.Motion.Duration() + p.shift()))) {
		return false
	}
	c := p.course.Load()
	_, err := p.part(at, at.Stamp, c.allowed)
	return err == nil && c.followed(p.q.plan.Motion.Joints)
}
