package node

import (
	"maps"
	"slices"
	"time"

	"github.com/firstcontact-ros/firstcontact/msgs/builtininterfaces"
	"github.com/firstcontact-ros/firstcontact/msgs/trajectorymsgs"
)

// sighting is where a joint was measured (rad or m), and when.
type sighting struct {
	position float64
	at       time.Time
}

// sightings returns the joints' fresh measurements by name, possibly none.
func (w *monitor) sightings() map[string]sighting {
	w.mu.Lock()
	defer w.mu.Unlock()
	now, seen := w.read(), map[string]sighting{}
	if w.tracker == nil {
		return seen
	}
	for name, j := range w.tracker.Agreed(now) {
		seen[name] = sighting{j.Position, j.Stamp}
	}
	return seen
}

// look notes where the joints are measured, and returns it. What stops a robot often is what takes the
// measurements away: there is no model, or the joint states have ended.
func (p *passage) look() map[string]sighting {
	now := p.node.monitor.sightings()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.seen == nil {
		p.seen = map[string]sighting{}
	}
	maps.Copy(p.seen, now)
	return now
}

// Hold returns a trajectory to where the robot is: where it is measured, or else where the controller has
// taken it since it was measured last.
func (p *passage) Hold() *trajectorymsgs.JointTrajectory {
	measured := p.look()
	at := trajectorymsgs.JointTrajectoryPoint{TimeFromStart: builtininterfaces.DurationOf(time.Millisecond)}
	for _, name := range p.joints {
		x, known := measured[name].position, true
		if _, fresh := measured[name]; !fresh {
			x, known = p.goneTo(name)
		}
		if !known {
			return nil
		}
		at.Positions = append(at.Positions, x)
	}
	return &trajectorymsgs.JointTrajectory{JointNames: p.joints, Points: []trajectorymsgs.JointTrajectoryPoint{at}}
}

// goneTo returns where the controller has taken a joint that is not measured any more: as far from
// the last measurement as the trajectory leads meanwhile. Where the node's time has jumped, how far
// that is is not known.
func (p *passage) goneTo(joint string) (x float64, known bool) {
	plan := p.executed()
	row := slices.Index(plan.Motion.Joints, joint)
	if row < 0 || p.timely() != nil {
		return 0, false
	}
	led := func(t time.Time) float64 { return plan.Motion.At(t.Sub(plan.Start).Seconds())[row] }
	now := p.node.now()
	p.mu.Lock()
	last, seen := p.seen[joint]
	p.mu.Unlock()
	if !seen || last.at.After(now) {
		return led(now), true
	}
	return last.position + led(now) - led(last.at), true
}
