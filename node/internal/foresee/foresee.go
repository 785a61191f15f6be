// Package foresee makes motions of what a robot may do next, to be checked before it does: go on
// at its present velocity, or brake.
package foresee

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/jtc"
)

// Situation is where the joints are and how fast they move: rad and rad/s, or m and m/s.
type Situation struct {
	Joints             []string
	Position, Velocity []float64
}

// Drift is the motion at constant velocity for a time (s, positive). It goes beyond the joints'
// limits if the velocity leads there.
func (s *Situation) Drift(span float64) (*motion.Motion, error) {
	if !(span > 0) {
		return nil, fmt.Errorf("a look-ahead of %g s: give a positive time", span)
	}
	m, err := motion.Between(s.Joints, s.Position, s.after(span), span)
	if err != nil {
		return nil, err
	}
	m.KeepTurns = true
	return m, nil
}

// after returns where the joints are after a time at constant velocity.
func (s *Situation) after(t float64) []float64 {
	at := make([]float64, len(s.Position))
	for i, x := range s.Position {
		at[i] = x + s.Velocity[i]*t
	}
	return at
}

// Brake is the motion at constant velocity for the reaction time (s, not negative), after which
// each joint decelerates as given (rad/s² or m/s², positive) until it stands.
func (s *Situation) Brake(reaction float64, deceleration []float64) (*motion.Motion, error) {
	if !(reaction >= 0) || len(deceleration) != len(s.Joints) {
		return nil, errors.New("give a reaction time and a deceleration for each joint")
	}
	state := jtc.State{Positions: map[string]float64{}, Velocities: map[string]float64{}}
	rate := map[string]float64{}
	for i, x := range s.after(reaction) {
		name := s.Joints[i]
		state.Positions[name], state.Velocities[name], rate[name] = x, s.Velocity[i], deceleration[i]
	}
	stop, _, err := jtc.Stop(s.Joints, state, rate, 0)
	if err != nil || reaction == 0 {
		return stop, err
	}
	first, err := s.Drift(reaction)
	if err != nil {
		return nil, err
	}
	for i, x := range s.after(reaction) { // no jump, to the last bit
		first.Pieces[0].Ctrl[i][len(first.Pieces[0].Ctrl[i])-1] = x
	}
	return then(s.Joints, first.Pieces, stop)
}

// then is the motion of the pieces, followed by another one from where they end.
func then(joints []string, pieces []motion.Piece, next *motion.Motion) (*motion.Motion, error) {
	m := &motion.Motion{Joints: slices.Clone(joints), KeepTurns: true, Pieces: slices.Clip(pieces)}
	begin := pieces[len(pieces)-1].End
	at := begin
	for _, p := range next.Pieces {
		// Rounding must not make a piece empty: joints may come to stand within less than 1e-16 s.
		p.Start, p.End = at, max(p.End+begin, math.Nextafter(at, math.Inf(1)))
		at = p.End
		m.Pieces = append(m.Pieces, p)
	}
	return m, m.Validate()
}

// Point is a point that a link carries; an empty link stands for the world, which does not move.
type Point struct {
	Link string
	At   geom.Vec // in the frame of the links' poses
}

// ClosingSpeed is how fast two points approach each other along the unit vector normal from a to b
// (m/s, negative while they part), by central differences of the links' poses.
func (s *Situation) ClosingSpeed(a, b Point, normal geom.Vec, poses func(map[string]float64) (map[string]geom.Pose, error)) (float64, error) {
	const step = 1e-4 // s
	now, err := poses(s.named(0))
	if err != nil {
		return math.NaN(), err
	}
	before, err := poses(s.named(-step))
	if err != nil {
		return math.NaN(), err
	}
	after, err := poses(s.named(step))
	if err != nil {
		return math.NaN(), err
	}
	along := func(p Point) float64 {
		if p.Link == "" {
			return 0
		}
		local := now[p.Link].ApplyInv(p.At)
		x, y := before[p.Link].Apply(local), after[p.Link].Apply(local)
		return ((y.X-x.X)*normal.X + (y.Y-x.Y)*normal.Y + (y.Z-x.Z)*normal.Z) / (2 * step)
	}
	return along(a) - along(b), nil
}

func (s *Situation) named(t float64) map[string]float64 {
	out := make(map[string]float64, len(s.Joints))
	for i, x := range s.after(t) {
		out[s.Joints[i]] = x
	}
	return out
}
