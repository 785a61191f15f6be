package jtc

import (
	"math"
	"slices"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// How far a curve between two points changes with the derivatives at one of them, per unit and
// per second, or second squared, that it takes. With s in [0, 1], the cubic's s(1-s)² is
// at most 4/27, the quintic's s - 6s³ + 8s⁴ - 3s⁵ at most 0.198 and its s²(1-s)³/2 at most
// 0.0173. The weight of an end's position is at most 1.
const (
	byVelocity     = 0.2
	byAcceleration = 0.0175
)

// unsteady adds a gap if the controller starts from a command that is not known, or if a joint moves and nobody knows where it will be when the controller
// takes the command over.
func (d *deriver) unsteady(name string, j joint) {
	if _, told := d.commanded(name, d.begin); d.s.FromCommanded && !told && !d.untold {
		d.untold = true // one is enough
		d.gap(name, "start the trajectory with a point at time 0 where the robot is, or send one of which the start is known before it",
			"the controller starts from the state that it last commanded, and what it commanded joint %s is not known", name)
	}
	if d.runs() && slices.Contains(d.at.Running.Motion.Joints, name) {
		_, known := d.at.Measured.Velocities[name]
		if d.s.FromCommanded || !d.s.StateVelocity || known || j.velocity == 0 {
			return
		}
		d.gap(name, "publish velocities in joint_states, or set interpolate_from_desired_state",
			"joint %s moves, and the velocity that the controller starts from is not measured", name)
		return
	}
	wait := d.at.Handover.Seconds() + d.begin
	if stamp := d.at.Measured.Stamp; !stamp.IsZero() {
		wait += math.Max(0, d.at.Now.Sub(stamp).Seconds())
	}
	v, known := d.at.Measured.Velocities[name]
	if !known {
		v, known = d.at.Measured.Drifts[name]
	}
	if known && math.Abs(v)*wait > startTolerance {
		d.gap(name, "wait until the robot stands still", "joint %s moves at %.3g, and the trajectory that it follows is not known: where the motion starts is not known", name, v)
	}
}

// late is how much later (s) than planned the controller may take the trajectory over.
func (d *deriver) late() float64 {
	if d.begin > 0 {
		return 0 // the stamp decides
	}
	return d.at.Handover.Seconds()
}

// slack widens the tube by what a handover later than now, and the distance of the robot from
// the running trajectory, change of the way to the first point, which takes T seconds.
func (d *deriver) slack(start, first *motion.Waypoint, T float64) {
	late := d.late()
	shrinks := 0.0 // how much shorter the way to the first point may take
	if d.stamped() && d.begin == 0 {
		if shrinks = late; late >= T {
			d.gap("", "send stamp zero, or a later one", "the first point may be past when the controller takes the trajectory over, %.3g s from now", late)
		}
	}
	for i, name := range d.names {
		off := d.straying(name, late)
		width := off.position
		if len(start.Velocities) > 0 && len(first.Velocities) > 0 {
			width += byVelocity * (T*off.velocity + shrinks*(math.Abs(start.Velocities[i])+math.Abs(at(first.Velocities, i))))
			if len(start.Accelerations) > 0 && len(first.Accelerations) > 0 {
				width += byAcceleration * (T*T*off.acceleration + 2*T*shrinks*(math.Abs(start.Accelerations[i])+math.Abs(at(first.Accelerations, i))))
			}
		}
		if width > 0 {
			d.plan.Tube[name] += width
		}
	}
}

// waver widens the tube by how far the running trajectory may be from its time until the new one takes effect.
func (d *deriver) waver() {
	r := d.at.Running
	if r == nil {
		return
	}
	t := d.at.Now.Sub(r.Start).Seconds()
	sooner, later := r.Sooner.Seconds(), r.Later.Seconds()
	for _, name := range d.names {
		row := slices.Index(r.Motion.Joints, name)
		if row < 0 {
			continue
		}
		if width := math.Max(sooner, later) * fastest(r.Motion, row, t-later, t+d.begin+sooner); width > 0 {
			d.plan.Tube[name] += width
		}
	}
}

// fastest bounds the velocity of a joint between two times.
func fastest(m *motion.Motion, row int, since, until float64) (v float64) {
	for i := range m.Pieces {
		p := &m.Pieces[i]
		if p.End <= since || p.Start >= until {
			continue
		}
		for _, x := range derivative(p.Ctrl[row], p.End-p.Start) {
			v = math.Max(v, math.Abs(x))
		}
	}
	return v
}

func at(row []float64, i int) float64 {
	if i < len(row) {
		return row[i]
	}
	return 0 // rows of another length are an error elsewhere
}

// straying returns how far the start state of a joint may be from the one taken, if the
// controller takes over up to late seconds later.
func (d *deriver) straying(name string, late float64) (off joint) {
	if !d.runs() {
		return off
	}
	r := d.at.Running
	row := slices.Index(r.Motion.Joints, name)
	if row < 0 {
		return off
	}
	t := d.begin + d.at.Now.Sub(r.Start).Seconds()
	off = swing(r.Motion, row, t, t-r.Later.Seconds(), t+late+r.Sooner.Seconds())
	if d.s.FromCommanded {
		return off
	}
	// The controller starts from the measured state, which lags behind or leads.
	when := t - d.begin
	if stamp := d.at.Measured.Stamp; !stamp.IsZero() {
		when = stamp.Sub(r.Start).Seconds()
	}
	p, v, _ := sample(r.Motion, row, when)
	if x, ok := d.at.Measured.Positions[name]; ok {
		off.position += d.apart(name, x, p)
	}
	if x, ok := d.at.Measured.Velocities[name]; ok {
		off.velocity += math.Abs(x - v)
	}
	return off
}

// swing bounds how far position, velocity and acceleration of a joint are from those at time t
// between two times around it.
func swing(m *motion.Motion, row int, t, since, until float64) (off joint) {
	p0, v0, a0 := sample(m, row, t)
	widen := func(p, v, a float64) {
		off.position = math.Max(off.position, math.Abs(p-p0))
		off.velocity = math.Max(off.velocity, math.Abs(v-v0))
		off.acceleration = math.Max(off.acceleration, math.Abs(a-a0))
	}
	if until <= since {
		return off
	}
	if begin := &m.Pieces[0]; since < begin.Start {
		widen(begin.Ctrl[row][0], 0, 0)
	}
	if until >= m.Duration() {
		c := m.Pieces[len(m.Pieces)-1].Ctrl[row]
		widen(c[len(c)-1], 0, 0)
	}
	for i := range m.Pieces {
		piece := &m.Pieces[i]
		from, to := math.Max(piece.Start, since), math.Min(piece.End, until)
		if from >= to {
			continue
		}
		c := cut(m, row, from, to)
		d1 := derivative(c, to-from)
		d2 := derivative(d1, to-from)
		for _, x := range c {
			widen(x, v0, a0)
		}
		for _, x := range d1 {
			widen(p0, x, a0)
		}
		if len(d1) == 0 {
			widen(p0, 0, a0)
		}
		for _, x := range d2 {
			widen(p0, v0, x)
		}
		if len(d2) == 0 {
			widen(p0, v0, 0)
		}
	}
	return off
}
