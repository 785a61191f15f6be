package foresee

import (
	"errors"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/jtc"
)

// Follow is the motion of a robot that follows a way, from a time (s) within it on, for the reaction time
// (s, not negative), after which each joint decelerates as given (rad/s² or m/s², positive) until
// it stands. At the end of the way the robot stands. A moving root link is an error.
func Follow(way *motion.Motion, from, reaction float64, deceleration []float64) (*motion.Motion, error) {
	if !(reaction >= 0) || len(deceleration) != len(way.Joints) || len(way.Root) > 0 {
		return nil, errors.New("give a way whose root link stands, a reaction time, and a deceleration for each joint")
	}
	ahead := between(way, from, from+reaction)
	state := jtc.State{Positions: map[string]float64{}, Velocities: map[string]float64{}}
	rate := map[string]float64{}
	at := way.At(from + reaction)
	speed := Velocity(way, from+reaction)
	for i, name := range way.Joints {
		if len(ahead) > 0 { // no jump, to the last bit
			c := ahead[len(ahead)-1].Ctrl[i]
			at[i] = c[len(c)-1]
		}
		state.Positions[name], state.Velocities[name], rate[name] = at[i], speed[i], deceleration[i]
	}
	stop, _, err := jtc.Stop(way.Joints, state, rate, 0)
	if err != nil || len(ahead) == 0 {
		return stop, err
	}
	return then(way.Joints, ahead, stop)
}

// Velocity returns how fast the joints of a motion are at time t (s): rad/s or m/s. Where two pieces
// meet it is that of the first, and outside the motion the joints stand.
func Velocity(m *motion.Motion, t float64) []float64 {
	v := make([]float64, len(m.Joints))
	if t > m.Duration() || t < m.Pieces[0].Start {
		return v
	}
	p, last := &m.Pieces[0], t > m.Pieces[0].Start
	if last {
		if before, _, err := m.Split(t); err == nil {
			m = before
		}
		p = &m.Pieces[len(m.Pieces)-1]
	}
	for i, c := range p.Ctrl {
		n, k := len(c)-1, 1
		if n == 0 {
			continue
		}
		if last {
			k = n
		}
		v[i] = float64(n) * (c[k] - c[k-1]) / (p.End - p.Start)
	}
	return v
}

// between returns the pieces of a motion between two times, on a clock that begins with them; none
// if nothing of it lies there.
func between(m *motion.Motion, from, to float64) (pieces []motion.Piece) {
	if from >= m.Duration() || to <= m.Pieces[0].Start || !(from < to) {
		return nil
	}
	if before, _, err := m.Split(to); err == nil {
		m = before
	}
	if _, after, err := m.Split(from); err == nil {
		m = after
	}
	from = m.Pieces[0].Start
	for _, p := range m.Pieces {
		p.Start, p.End = p.Start-from, p.End-from
		pieces = append(pieces, p)
	}
	return pieces
}
