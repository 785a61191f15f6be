package node

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/jtc"
	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/trajectorymsgs"
)

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
	present, fault := p.node.monitor.reading()
	if fault != "" {
		return errors.New(fault)
	}
	if late := present.Sub(p.q.plan.Start); late > p.q.controller.handover && (p.running || p.stamped()) {
		return fmt.Errorf("the verdict took %.3f s, longer than the motion that runs, or the stamp, allows (controller.handover)", late.Seconds())
	}
	return p.moved(p.node.monitor.measured())
}

// moved returns an error if a joint is not where it was when the motion was judged. The
// tolerances of the trajectory do not count here: the controller adds them to where it starts.
// Of joints that a running trajectory moves, the tube covers where they get meanwhile.
func (p *passage) moved(measured map[string]float64) error {
	for _, name := range p.rest.Joints {
		if p.running && slices.Contains(p.q.plan.Motion.Joints, name) {
			continue
		}
		then, known := p.q.at.Positions[name]
		now, fresh := measured[name]
		if !known || !fresh || math.Abs(now-then) > restTolerance {
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
	p.begun = p.node.now()
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
	return p.node.now().After(plan.Start.Add(span(plan.Motion.Duration())))
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
