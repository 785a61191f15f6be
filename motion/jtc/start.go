package jtc

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// startTolerance (rad or m) exceeds the noise of measurements of a robot at rest.
const startTolerance = 0.01

// joint is what is known of a joint at the time when the trajectory takes effect.
type joint struct {
	position, velocity, acceleration float64
	known                            bool // the position
}

// commanded returns what the controller commands a joint at a time (s from now), if that is
// known.
func (d *deriver) commanded(name string, t float64) (joint, bool) {
	r := d.at.Running
	if r == nil {
		return joint{}, false
	}
	row := slices.Index(r.Motion.Joints, name)
	if row < 0 {
		return joint{}, false
	}
	at := t + d.at.Now.Sub(r.Start).Seconds()
	p, v, a := sample(r.Motion, row, at)
	return joint{position: p, velocity: v, acceleration: a, known: true}, true
}

// measured returns the measured state of a joint, taken on to a time (s from now): where a
// trajectory runs, the joint keeps its distance to it.
func (d *deriver) measured(name string, t float64) joint {
	m := &d.at.Measured
	x, known := m.Positions[name]
	if !known {
		return joint{}
	}
	if d.runs() {
		if told, ok := d.commanded(name, t); ok {
			return told
		}
	}
	return joint{position: x, velocity: m.Velocities[name], acceleration: m.Accelerations[name], known: true}
}

// runs reports whether a trajectory runs that has not ended.
func (d *deriver) runs() bool { return d.at.Running != nil && !d.at.Running.Over(d.at.Now) }

// Over reports whether the motion of the plan has ended, by its time: the robot may still be on its way.
func (p *Plan) Over(now time.Time) bool {
	return now.Sub(p.Start.Add(p.Later)).Seconds() >= p.Motion.Duration()
}

// from returns the state that the controller starts a joint from.
func (d *deriver) from(name string, t float64) (joint, error) {
	j := joint{}
	if d.s.FromCommanded {
		j, _ = d.commanded(name, t)
	}
	if !j.known {
		j = d.measured(name, t)
	}
	if !j.known {
		return j, fmt.Errorf("the position of joint %s is %w: wait for joint states, or start the trajectory at time 0", name, ErrUnknown)
	}
	return j, nil
}

// hold adds the joints that the command leaves out to its points: at the position last
// commanded, with zero velocity and acceleration.
func (d *deriver) hold() error {
	n := len(d.c.Joints)
	d.points = make([]motion.Waypoint, len(d.c.Points))
	copy(d.points, d.c.Points)
	var at []float64
	for _, name := range d.names[n:] {
		j, told := d.commanded(name, d.begin)
		if m := d.measured(name, d.begin); !told {
			j = m
		} else if m.known && !d.runs() && d.apart(name, m.position, j.position) > startTolerance {
			d.gap(name, "name the joint in the trajectory", "joint %s is left out and held where it was commanded last, at %.6g, but it is measured at %.6g: something else may have moved it", name, j.position, m.position)
		}
		if !j.known {
			return fmt.Errorf("the trajectory leaves out joint %s, whose position is %w: wait for joint states, or name it", name, ErrUnknown)
		}
		at = append(at, j.position)
		d.note("joint %s is not in the trajectory: it is brought to rest at %.6g, where it was commanded last", name, j.position)
	}
	if len(at) == 0 {
		return nil
	}
	zeros := make([]float64, len(at))
	extend := func(row, by []float64) []float64 {
		if len(row) == 0 {
			return nil
		}
		return slices.Concat(row, by)
	}
	for i := range d.points {
		p := &d.points[i]
		if len(p.Positions) == 0 && len(p.Velocities)+len(p.Accelerations) > 0 {
			// The controller integrates these joints from zero derivatives: they stay.
			p.Velocities, p.Accelerations = extend(p.Velocities, zeros), extend(p.Accelerations, zeros)
			continue
		}
		for _, row := range [][]float64{p.Positions, p.Velocities, p.Accelerations} {
			if len(row) != 0 && len(row) != n {
				return fmt.Errorf("point %d has %d numbers for %d joints: give one per joint, in the order of the joint names", i, len(row), n)
			}
		}
		p.Positions, p.Velocities, p.Accelerations = extend(p.Positions, at), extend(p.Velocities, zeros), extend(p.Accelerations, zeros)
	}
	return nil
}

// bridge begins the motion at the robot's state: the controller interpolates from there to
// the first point.
func (d *deriver) bridge() error {
	first := &d.points[0]
	start := motion.Waypoint{
		Time:      d.begin,
		Positions: make([]float64, len(d.names)), Velocities: make([]float64, len(d.names)), Accelerations: make([]float64, len(d.names)),
	}
	for i, name := range d.names {
		j, err := d.from(name, d.begin)
		if err != nil {
			return fmt.Errorf("the motion to the first point: %w", err)
		}
		start.Positions[i], start.Velocities[i], start.Accelerations[i] = j.position, j.velocity, j.acceleration
		if len(first.Positions) == len(d.names) {
			start.Positions[i] = d.wrap(name, j.position, first.Positions[i])
		}
		d.unsteady(name, j)
	}
	lasts := first.Time + d.offset - d.begin
	d.keep(&start, first, lasts)
	points := make([]motion.Waypoint, 0, len(d.points)+1)
	points = append(points, start)
	for _, p := range d.points {
		p.Time += d.offset
		points = append(points, p)
	}
	var err error
	if d.plan.Motion, err = d.through(points); err != nil {
		return err
	}
	d.plan.Motion = d.plan.Motion.WithoutStart() // begins at d.begin, and precede knows the way there
	d.slack(&start, first, lasts)
	if nonzero(start.Velocities) {
		d.note("segment 0 leads from the present state to the first point, with the velocities that are known of it")
	} else {
		d.note("segment 0 is the motion from the present state, at rest, to the first point")
	}
	return nil
}

// keep removes the velocities and accelerations that the controller's start state lacks. The
// way to the first point takes T seconds.
func (d *deriver) keep(start, first *motion.Waypoint, T float64) {
	velocity, acceleration := d.s.StateVelocity, d.s.StateVelocity && d.s.StateAcceleration
	if d.s.FromCommanded && d.at.Running != nil {
		velocity, acceleration = true, true // a sampled state has both
	}
	lacks := !velocity && len(first.Velocities) > 0 || !acceleration && len(first.Accelerations) > 0
	swings := nonzero(first.Velocities) || nonzero(first.Accelerations)
	for _, v := range start.Velocities {
		swings = swings || velocity && byVelocity*T*math.Abs(v) > startTolerance
	}
	if lacks && swings && d.s.Fill == Unknown {
		d.gap("", "say which by the setting that fills in the start state (controller.start_fill in the node), or send a first point at rest, or at time 0",
			"the first point has %s, which the controller's start state lacks: whether it takes zeros for them depends on its release, and the two curves differ", lacking(velocity, first))
	}
	fill := d.s.Fill != Off
	if !velocity {
		start.Velocities = zeroIf(fill && len(first.Velocities) > 0, len(d.names))
	}
	if !acceleration {
		start.Accelerations = zeroIf(fill && len(first.Accelerations) > 0, len(d.names))
	}
}

func lacking(velocity bool, first *motion.Waypoint) string {
	if !velocity && len(first.Velocities) > 0 {
		return "velocities"
	}
	return "accelerations"
}

func zeroIf(yes bool, n int) []float64 {
	if !yes {
		return nil
	}
	return make([]float64, n)
}

func nonzero(row []float64) bool {
	return slices.ContainsFunc(row, func(x float64) bool { return x != 0 })
}

// wrap returns the position of a continuous joint from which the controller takes the short
// way to the first point.
func (d *deriver) wrap(name string, from, to float64) float64 {
	turns := 0
	if d.s.continuous(name) {
		turns = motion.ShortWay(from, to)
		d.halfTurn(name, from, to)
	}
	if turns == 0 {
		return from
	}
	if d.s.Wrap == Unknown {
		d.gap(name, "say which by the setting that wraps angles (controller.angle_wraparound in the node), or send a first point within half a turn",
			"joint %s starts at %.6g, more than half a turn from the first point at %.6g: whether the controller takes the short way is not known", name, from, to)
	}
	if d.s.Wrap == Off {
		return from
	}
	d.note("joint %s takes the short way from %.6g to the first point at %.6g", name, from, to)
	return from + 2*math.Pi*float64(turns)
}

// halfTurn adds a gap if the first point is half a turn away. The controller takes the shorter way from
// where it reads the joint when it takes the trajectory over, which may be on the other side.
func (d *deriver) halfTurn(name string, from, to float64) {
	way := math.Abs(math.Remainder(to-from, 2*math.Pi))
	if d.s.Wrap == Off || math.Pi-way > startTolerance+d.straying(name, d.late()).position {
		return
	}
	d.gap(name, "send a first point that is clearly less than half a turn away",
		"joint %s starts at %.6g, half a turn from the first point at %.6g: which way the controller takes is not known", name, from, to)
}

// enter begins the motion on the trajectory itself, which has points at or before its
// beginning: the controller jumps there.
func (d *deriver) enter() error {
	begin := d.begin - d.offset // on the trajectory's time
	for i := range d.next {
		if p := &d.points[i]; len(p.Positions) == 0 && len(p.Velocities)+len(p.Accelerations) > 0 {
			return fmt.Errorf("point %d is in the past and has no positions, which the controller would have to integrate: send stamp zero", i)
		}
	}
	m, err := d.through(d.points)
	if err != nil {
		return err
	}
	m = m.WithoutStart()
	m.KeepTurns = true
	switch first := m.Pieces[0].Start; {
	case d.next == len(d.points) && len(d.points) > 1: // its last point is due just now
		if m, err = motion.Path(d.names, [][]float64{m.At(m.Duration())}, nil); err != nil {
			return err
		}
	case begin > first && begin < m.Duration():
		if _, m, err = m.Split(begin); err != nil {
			return err
		}
		d.note("the trajectory's stamp is %.6g s in the past: the motion begins %.6g s after its start", -d.offset, begin)
	}
	d.plan.Motion = shifted(m, d.begin)
	for i, name := range d.names {
		at := d.plan.Motion.Pieces[0].Ctrl[i][0]
		j, err := d.from(name, d.begin)
		if err == nil && d.apart(name, j.position, at) > startTolerance {
			d.gaps = append(d.gaps, motion.StepGap(name, j.position, at))
			return nil
		}
		if d.jumps(i, name) {
			return nil
		}
	}
	return nil
}

// jumps adds a gap if a joint may be elsewhere than the trajectory when the controller enters it later: by
// its stamp, the trajectory does not wait.
func (d *deriver) jumps(row int, name string) bool {
	late := d.late()
	if !d.stamped() || late <= 0 {
		return false
	}
	const looks = 64
	for k := range looks {
		after := late * float64(k+1) / looks
		at, _, _ := sample(d.plan.Motion, row, d.begin+after)
		j, err := d.from(name, d.begin+after)
		if err == nil && d.apart(name, j.position, at) > startTolerance {
			d.gap(name, "send stamp zero, or a later one",
				"the controller may take the trajectory over %.3g s later, when joint %s is at %.6g and the trajectory at %.6g", after, name, j.position, at)
			return true
		}
	}
	return false
}

// apart is how far two positions of a joint are apart.
func (d *deriver) apart(name string, a, b float64) float64 {
	gap := math.Abs(a - b)
	if d.s.continuous(name) {
		gap = math.Abs(math.Remainder(a-b, 2*math.Pi))
	}
	return gap
}

// seams returns the times from now to when the trajectory takes effect at which the running one
// goes from a piece to the next, with both ends.
func (d *deriver) seams() []float64 {
	times := []float64{0, d.begin}
	if r := d.at.Running; r != nil {
		since := d.at.Now.Sub(r.Start).Seconds()
		for _, p := range r.Motion.Pieces {
			if t := p.Start - since; t > 0 && t < d.begin {
				times = append(times, t)
			}
		}
		if t := r.Motion.Duration() - since; t > 0 && t < d.begin {
			times = append(times, t)
		}
	}
	slices.Sort(times)
	return slices.Compact(times)
}

// precede puts what the robot does until the trajectory takes effect before it.
func (d *deriver) precede() error {
	var before []motion.Piece
	times := d.seams()
	for i := range times[1:] {
		p := motion.Piece{Start: times[i], End: times[i+1], Ctrl: make([][]float64, len(d.names))}
		for k, name := range d.names {
			c, err := d.until(name, p.Start, p.End)
			if err != nil {
				return err
			}
			if i > 0 {
				c[0] = before[i-1].Ctrl[k][len(before[i-1].Ctrl[k])-1]
			}
			p.Ctrl[k] = c
		}
		before = append(before, p)
	}
	d.waver()
	m := d.plan.Motion
	seam := before[len(before)-1].Ctrl
	for k, name := range d.names {
		c := slices.Clone(m.Pieces[0].Ctrl[k])
		from := seam[k][len(seam[k])-1]
		switch gap := math.Abs(c[0] - from); {
		case gap == 0:
		case gap <= 1e-9: // rounding
			c[0] = from
		case d.apart(name, c[0], from) <= 1e-9:
			return fmt.Errorf("joint %s wraps around when the trajectory takes effect: send it when the running one has ended, or start it within half a turn", name)
		default:
			d.gaps = append(d.gaps, motion.StepGap(name, from, c[0]))
			return d.alone()
		}
		m.Pieces[0].Ctrl[k] = c
	}
	m.Pieces[0].Start = d.begin
	m.Pieces = append(before, m.Pieces...)
	return m.Validate()
}

// alone leaves the motion as it begins later: what is before cannot be joined to it.
func (d *deriver) alone() error {
	d.gap("", "send a trajectory that begins where the robot is", "the motion until the trajectory takes effect is not checked")
	return nil
}

// until returns the control points of a joint between two times (s from now) before the
// trajectory takes effect.
func (d *deriver) until(name string, from, to float64) ([]float64, error) {
	if r := d.at.Running; r != nil && (d.s.FromCommanded || d.runs()) {
		if row := slices.Index(r.Motion.Joints, name); row >= 0 {
			since := d.at.Now.Sub(r.Start).Seconds()
			return cut(r.Motion, row, from+since, to+since), nil
		}
	}
	j := d.measured(name, from)
	if !j.known {
		return nil, fmt.Errorf("the position of joint %s is %w: wait for joint states", name, ErrUnknown)
	}
	return []float64{j.position}, nil
}
