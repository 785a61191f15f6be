package jtc

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// Stop returns the motion of a controller with decelerate_on_cancel: each joint slows down at
// its deceleration (rad/s² or m/s², above zero) until it stands, and stays there. It starts at
// state, of which every joint needs position and velocity (ErrUnknown).
//
// The controller samples this motion with its period and joins the samples by splines, which
// are the same except within the period in which a joint comes to stand: tube is how far that
// may be off.
//
// A controller without decelerate_on_cancel commands the measured position at once. What the
// robot does then depends on its drives.
func Stop(joints []string, state State, deceleration map[string]float64, period time.Duration) (m *motion.Motion, tube map[string]float64, err error) {
	stops := make([]float64, len(joints)) // s
	times := []float64{0}
	tube = map[string]float64{}
	for i, name := range joints {
		_, known := state.Positions[name]
		v, moves := state.Velocities[name]
		if !known || !moves {
			return nil, nil, fmt.Errorf("position or velocity of joint %s is %w", name, ErrUnknown)
		}
		a := deceleration[name]
		if !(a > 0) || math.IsInf(a, 0) {
			return nil, nil, fmt.Errorf("joint %s has the deceleration %g: give a positive number", name, a)
		}
		stops[i] = math.Abs(v) / a
		times = append(times, stops[i])
		if h := period.Seconds(); v != 0 && h > 0 {
			tube[name] = a * h * h
		}
	}
	slices.Sort(times)
	times = slices.Compact(times)
	if len(times) == 1 {
		times = append(times, 1) // at rest
	}
	m = &motion.Motion{Joints: slices.Clone(joints), KeepTurns: true}
	at := make([]float64, len(joints))
	for i, name := range joints {
		at[i] = state.Positions[name]
	}
	for k := range times[1:] {
		p := motion.Piece{Start: times[k], End: times[k+1], Ctrl: make([][]float64, len(joints))}
		for i, name := range joints {
			p.Ctrl[i] = []float64{at[i]}
			if p.Start >= stops[i] {
				continue
			}
			// The velocity falls in a straight line to zero at stops[i].
			v0, dt := state.Velocities[name], p.End-p.Start
			v := func(t float64) float64 { return v0 * (stops[i] - t) / stops[i] }
			end := at[i] + (v(p.Start)+v(p.End))/2*dt
			p.Ctrl[i] = []float64{at[i], at[i] + v(p.Start)*dt/2, end}
			at[i] = end
		}
		m.Pieces = append(m.Pieces, p)
	}
	return m, tube, m.Validate()
}
