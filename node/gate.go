package node

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/jtc"
	"github.com/firstcontact-ros/firstcontact/msgs/controlmsgs"
	"github.com/firstcontact-ros/firstcontact/msgs/fcmsgs"
	"github.com/firstcontact-ros/firstcontact/node/internal/diagnostics"
	"github.com/firstcontact-ros/firstcontact/node/internal/ensemble"
	"github.com/firstcontact-ros/firstcontact/node/internal/events"
	"github.com/firstcontact-ros/firstcontact/node/internal/gate"
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
	allowed := j.node.live.Load().values.Double("gate.deviation")
	if drives(w.Goal) && w.Broken == nil {
		j.askDriving(w, allowed, told)
		return
	}
	q := j.node.ask().aboutGoal(&w, allowed)
	if q.forward != nil {
		q.forward.era = j.node.monitor.epoch()
	}
	j.node.validator.ask(q, asker{client: w.Client, bytes: w.Bytes, broken: w.Broken, told: func(a *fcmsgs.Verdict) {
		if a.Status != fcmsgs.VerdictFree {
			told(gate.Verdict{Reason: events.StatusName(a.Status) + ": " + a.Message})
			return
		}
		told(gate.Verdict{Plan: j.node.newPassage(q, w.Goal.Trajectory.JointNames, allowed)})
	}})
}

// forwarding is what a question says of a trajectory that the gate is to forward.
type forwarding struct {
	running    *jtc.Plan  // what the controller executes; nil if nothing
	beside     []*passage // what other controllers execute
	allowed    float64    // rad or m that these may be beyond their tubes
	era        uint64     // of the node's time
	came       time.Time  // when the gate got it
	drives     bool       // the goal moves the root link
	path, goal []jtc.Tolerance
}

// aboutGoal asks about a trajectory that the gate is to forward. What other controllers execute may
// be measured as far beyond its tube as allowed (rad or m).
func (q question) aboutGoal(w *gate.Question, allowed float64) *question {
	q.id = w.ID
	if w.Goal == nil {
		return &q // only its id was read
	}
	q.stamp = w.Goal.Trajectory.Header.Stamp.Time()
	q.deadline = max(w.Time, time.Millisecond)
	q.controller.handover = max(q.controller.handover, 2*w.Late)
	q.forward = &forwarding{path: tolerancesOf(w.Goal.PathTolerance), goal: tolerancesOf(w.Goal.GoalTolerance), allowed: allowed, came: w.Came}
	if p, ok := w.Running.(*passage); ok {
		q.forward.running = p.executed()
	}
	for _, plan := range w.Beside {
		if p, ok := plan.(*passage); ok {
			q.forward.beside = append(q.forward.beside, p)
		}
	}
	q.way = func(ctx context.Context, measured map[string]float64) (*motion.Motion, error) {
		way, err := q.wayOf(ctx, &w.Goal.Trajectory, measured)
		if err != nil {
			return nil, err
		}
		return q.together(way)
	}
	return &q
}

// together joins the motion of the controller that the question is about with those of the others,
// which began before. Other joints must stand still.
func (q *question) together(way *motion.Motion) (*motion.Motion, error) {
	if len(q.forward.beside) > 0 {
		parts := []ensemble.Part{{Motion: way, Shift: q.controller.handover.Seconds(), Tube: widest(q.query.Tube, q.end)}}
		for _, other := range q.forward.beside {
			part, err := other.part(q.at, q.now, q.forward.allowed)
			if other.broken.Load() {
				err = errors.New("it is being stopped")
			}
			if err != nil {
				return nil, undecidable(fmt.Sprintf("another controller executes %s: %v", other.q.id, err))
			}
			parts = append(parts, part)
		}
		var err error
		if way, q.query.Tube, err = ensemble.Join(parts); err != nil {
			return nil, undecidable(err.Error())
		}
		q.end = nil // the tube has it
		q.notes = append(q.notes, fmt.Sprintf("judged together with what %d other controllers execute meanwhile", len(q.forward.beside)))
	}
	if err := q.standing(way.Joints); err != nil {
		return nil, err
	}
	return way, nil
}

func tolerancesOf(given []controlmsgs.JointTolerance) (all []jtc.Tolerance) {
	for _, t := range given {
		all = append(all, jtc.Tolerance{Joint: t.Name, Position: t.Position})
	}
	return all
}
