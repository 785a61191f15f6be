package node

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/jtc"
	"github.com/firstcontact-ros/firstcontact/node/internal/ensemble"
	"github.com/firstcontact-ros/firstcontact/node/internal/foresee"
	"github.com/firstcontact-ros/firstcontact/node/internal/jointstates"
)

// With lookahead.mode reference the robot is assumed to go on along the trajectories that run: those
// that passed the gate, and those on topics of controllers. Where a joint is measured beside its
// trajectory, or has none, it is assumed to go on at its measured velocity: that finds contacts, and
// says nothing where there are none.

// outlook is the motion that the look-ahead assumes.
type outlook struct {
	at      *foresee.Situation // with the velocities that it begins with
	way     *motion.Motion
	tube    map[string]float64 // around way
	lead    float64            // s of way by whose end the robot may be where way begins
	parting *motion.Motion     // the same from where the robot is measured: pairs part along it; nil if they need not
	guess   bool               // nothing says that the robot goes on so: a contact is one, its absence means nothing
	words   string             // what is assumed, for a contact on the way
	note    string             // the same, for every state; "" if the mode says it
}

// executed is what the controllers execute, as far as it is known, at the time of a measurement. Parts
// of the robot that are measured beside their trajectory are left out; why says so.
type executed func(m *model, measured jtc.State, now time.Time) (parts []ensemble.Part, why string)

// outlook returns what the look-ahead assumes of a configuration.
func (w *monitor) outlook(m *model, end *jointstates.Sample) (outlook, error) {
	l := &w.limits.ahead
	if l.mode == "reference" {
		return w.alongPlans(m, end)
	}
	at, err := situation(m, end)
	if err != nil {
		return outlook{}, err
	}
	next, err := l.motion(at)
	o := outlook{at: at, way: next, parting: next, words: " at the measured velocities"}
	if l.mode == "braking" {
		o.words = " although the robot brakes"
	}
	return o, err
}

// alongPlans looks along the trajectories that run.
func (w *monitor) alongPlans(m *model, end *jointstates.Sample) (outlook, error) {
	parts, why := w.running(m, end)
	o, err := w.limits.ahead.along(m, end, parts)
	if err != nil && len(parts) > 0 {
		why = err.Error() // two of them move one joint
		parts = nil
		o, err = w.limits.ahead.along(m, end, nil)
	}
	if o.words = " along the trajectory that runs"; len(parts) == 0 {
		o.words = " at the measured velocities"
	}
	if o.guess = why != ""; o.guess && why != noneRuns {
		o.parting = nil // a controller has the robot go elsewhere
	}
	o.note = "; looking ahead" + o.words
	if why != "" {
		o.note = "; " + why + ": looking ahead" + o.words
	}
	return o, err
}

// running returns what is executed at a configuration.
func (w *monitor) running(m *model, end *jointstates.Sample) (parts []ensemble.Part, why string) {
	if w.executed == nil {
		return nil, noneRuns
	}
	measured := jtc.State{Positions: map[string]float64{}}
	for i, name := range m.joints {
		measured.Positions[name] = end.Position[i]
	}
	if parts, why = w.executed(m, measured, end.Stamp); len(parts) == 0 && why == "" {
		why = noneRuns
	}
	return parts, why
}

const noneRuns = "no trajectory is known to run"

// along returns the outlook along parts, and at the measured velocities of the other joints. The
// parts' joints are measured within their tubes and shifts.
func (l *lookahead) along(m *model, end *jointstates.Sample, parts []ensemble.Part) (o outlook, err error) {
	if o.at, err = beginOf(m, end, parts); err != nil {
		return o, err
	}
	exact, shifted := slices.Clone(parts), false
	for i := range exact {
		shifted = shifted || exact[i].Shift > 0
		exact[i].Tube = nil
	}
	if len(parts) == 1 {
		// The robot is on one trajectory, a little earlier or later: looking from the earliest place to
		// the latest needs no tube around it.
		o.lead = 2 * parts[0].Shift
		parts = []ensemble.Part{soonest(m, o.at, parts[0])}
	}
	others := joinless(o.at, parts)
	if o.way, o.tube, err = l.joined(others, parts, o.lead); err != nil {
		return o, err
	}
	if shifted {
		return o, nil // the controller may be behind, and what parts by its plan still come closer
	}
	if o.parting, _, err = l.joined(others, exact, 0); err != nil {
		return o, err
	}
	o.parting, err = movedTo(o.parting, o.at)
	return o, err
}

// soonest is a part from the earliest place on where its robot may be. Its tube includes where the
// robot is measured, beside the place that is nearest to it.
func soonest(m *model, at *foresee.Situation, p ensemble.Part) ensemble.Part {
	measured := jtc.State{Positions: map[string]float64{}}
	for i, name := range at.Joints {
		measured.Positions[name] = at.Position[i]
	}
	measured = m.onTurn(measured, p.Motion, p.Since)
	const places = 16
	least, tube := math.Inf(1), p.Tube
	for k := range places + 1 {
		worst, around := 0.0, widest(p.Tube, nil)
		for row, x := range p.Motion.At(p.Since + p.Shift*(2*float64(k)/places-1)) {
			name := p.Motion.Joints[row]
			off := math.Nextafter(math.Abs(measured.Positions[name]-x), math.Inf(1))
			worst = max(worst, off-p.Tube[name])
			around[name] = max(around[name], off)
		}
		if worst < least {
			least, tube = worst, around
		}
	}
	p.Since, p.Shift, p.Tube = p.Since-p.Shift, 0, tube
	return p
}

// joined joins parts and the drift of the other joints to a motion of the horizon, after a lead in
// which the others may have begun to move.
func (l *lookahead) joined(others *foresee.Situation, parts []ensemble.Part, lead float64) (*motion.Motion, map[string]float64, error) {
	all := slices.Clone(parts)
	if len(others.Joints) > 0 {
		drift, err := others.Drift(l.horizon + lead)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, ensemble.Part{Motion: drift, Since: -lead / 2, Shift: lead / 2})
	}
	way, tube, err := ensemble.Join(all)
	if err != nil {
		return nil, nil, err
	}
	return lasting(way, l.horizon+lead), tube, nil
}

// lasting returns the motion up to a time; one that ends before rests until then.
func lasting(way *motion.Motion, until float64) *motion.Motion {
	if last := way.Duration(); last < until {
		rest := motion.Piece{Start: last, End: until}
		for _, x := range way.At(last) {
			rest.Ctrl = append(rest.Ctrl, []float64{x})
		}
		way.Pieces = append(way.Pieces, rest)
	} else if before, _, err := way.Split(until); err == nil {
		return before
	}
	return way // a little longer is no harm
}

// beginOf is where the joints are measured, and how fast they begin to move: those of parts as they
// say, the others as measured.
func beginOf(m *model, end *jointstates.Sample, parts []ensemble.Part) (*foresee.Situation, error) {
	s := &foresee.Situation{Joints: m.joints, Position: end.Position, Velocity: make([]float64, len(m.joints))}
	for i, name := range m.joints {
		s.Velocity[i] = nan
		if end.Velocity != nil {
			s.Velocity[i] = end.Velocity[i]
		}
		for k := range parts {
			if row := slices.Index(parts[k].Motion.Joints, name); row >= 0 {
				const step = 1e-4 // s
				p := &parts[k]
				s.Velocity[i] = (p.Motion.At(p.Since + step)[row] - p.Motion.At(p.Since - step)[row]) / (2 * step)
			}
		}
		if math.IsNaN(s.Velocity[i]) {
			return nil, unmeasuredVelocity(name)
		}
	}
	return s, nil
}

// joinless is the part of a situation about joints that no part moves.
func joinless(s *foresee.Situation, parts []ensemble.Part) *foresee.Situation {
	o := &foresee.Situation{}
	for i, name := range s.Joints {
		moved := slices.ContainsFunc(parts, func(p ensemble.Part) bool { return slices.Contains(p.Motion.Joints, name) })
		if !moved {
			o.Joints, o.Position, o.Velocity = append(o.Joints, name), append(o.Position, s.Position[i]), append(o.Velocity, s.Velocity[i])
		}
	}
	return o
}

// movedTo returns the motion in parallel, from where the joints are measured.
func movedTo(way *motion.Motion, at *foresee.Situation) (*motion.Motion, error) {
	begin := way.At(0)
	out := *way
	out.Pieces = nil
	for _, p := range way.Pieces {
		rows := make([][]float64, len(p.Ctrl))
		for row, name := range way.Joints {
			i := slices.Index(at.Joints, name)
			if i < 0 {
				return nil, fmt.Errorf("the trajectory moves joint %s, which has no position of its own", name)
			}
			rows[row] = slices.Clone(p.Ctrl[row])
			for k := range rows[row] {
				rows[row][k] += at.Position[i] - begin[row]
			}
		}
		p.Ctrl = rows
		out.Pieces = append(out.Pieces, p)
	}
	return &out, out.Validate()
}

// executed returns what the controllers execute: of the gate's, and of those whose topic is heard.
func (n *Node) executed(m *model, measured jtc.State, now time.Time) (parts []ensemble.Part, why string) {
	allowed := n.live.Load().values.Double("gate.deviation")
	taken := map[string]bool{}
	take := func(p ensemble.Part, err error) {
		switch {
		case err != nil:
			why = err.Error()
		case len(p.Motion.Root) > 0 || len(p.Motion.Gaps) > 0:
			why = "what a controller makes of its trajectory is not known for certain"
		case !slices.ContainsFunc(p.Motion.Joints, func(name string) bool { return taken[name] }):
			for _, name := range p.Motion.Joints {
				taken[name] = true
			}
			parts = append(parts, p)
		}
	}
	if n.gate != nil {
		for _, running := range n.gate.Running() {
			switch p, ok := running.(*passage); {
			case !ok:
			case p.broken.Load():
				why = "a controller is made to end its trajectory"
			default:
				take(p.part(measured, now, allowed))
			}
		}
	}
	for _, s := range n.successions {
		plan, unclear := s.now(n.monitor.timeline())
		switch {
		case unclear != "":
			why = unclear
		case plan != nil:
			shift := n.ask().controller.handover.Seconds()
			p, err := partOf(m.origin.robot, plan, shift, measured, now, allowed)
			if p.Since <= plan.Motion.Duration()+shift {
				take(p, err)
			}
		}
	}
	return parts, why
}

// now returns what the controller executes on a timeline of the node's time, nil if it is not known to
// execute anything. Where it may, but what is not known, why says so.
func (s *succession) now(line uint64) (plan *jtc.Plan, why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for number := range s.open {
		if number > s.since {
			why = "a trajectory that a controller has just got is not judged yet"
		}
	}
	switch {
	case why != "" || s.since == 0:
	case s.running == nil:
		why = "what a controller makes of its trajectory is not known"
	case s.line != line:
		return nil, "the time was set since a controller got its trajectory"
	}
	if s.line != line {
		return nil, why
	}
	return s.running, why
}
