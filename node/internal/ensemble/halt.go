package ensemble

import (
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/jtc"
)

// Halt is what is known when a controller is told to end a part before its time, or has ended it.
type Halt struct {
	Now      jtc.State // measured: every position
	Age      float64   // s since the measurement
	Reaction float64   // s for which the controller may still follow the part
	// Deceleration returns how hard a joint brakes at least (rad/s² or m/s²), 0 if that is not known.
	Deceleration func(joint string) float64
}

// Stopped returns where the joints of a part are from the measurement on: within a width of a
// middle, each joint for itself. This holds whatever the joints do, if each follows the part or
// goes on at its measured velocity until, at any time within the reaction, it begins to brake at
// its deceleration or harder, and then stays or goes back as far as to where it was measured.
//
// It is an error if a joint is not measured, or may move and its deceleration is not known.
func (p *Part) Stopped(h Halt) (middle, width map[string]float64, err error) {
	middle, width = map[string]float64{}, map[string]float64{}
	for row, name := range p.Motion.Joints {
		x, known := h.Now.Positions[name]
		if !known {
			return nil, nil, fmt.Errorf("joint %s is not measured", name)
		}
		b := boundsOf(p.part(p.Since-p.Shift-h.Age, p.Since+p.Shift+h.Reaction), row, math.Inf(-1), math.Inf(1))
		v := h.Now.Velocities[name]
		b.slow, b.fast = min(b.slow, v), max(b.fast, v)
		off := p.Tube[name] + max(b.low-x, x-b.high, 0)
		drift := x + v*(h.Age+h.Reaction)
		low, high := min(b.low, x, drift)-off, max(b.high, x, drift)+off
		if b.slow != 0 || b.fast != 0 {
			a := h.Deceleration(name)
			if !(a > 0) {
				return nil, nil, fmt.Errorf("no deceleration is given for joint %s (parameter lookahead.deceleration.%s, or lookahead.deceleration for all joints)", name, name)
			}
			low, high = low-b.slow*b.slow/(2*a), high+b.fast*b.fast/(2*a)
		}
		middle[name] = low + (high-low)/2
		width[name] = math.Nextafter(max(high-middle[name], middle[name]-low), math.Inf(1))
	}
	return middle, width, nil
}

// part returns the motion between two times, at least a moment of it.
func (p *Part) part(from, to float64) *motion.Motion {
	m := p.Motion
	if to <= m.Pieces[0].Start || from >= m.Duration() {
		at := p.Motion.At(from)
		return &motion.Motion{Joints: m.Joints, Pieces: []motion.Piece{{End: 1, Ctrl: points(at)}}}
	}
	if before, _, err := m.Split(to); err == nil {
		m = before
	}
	if _, after, err := m.Split(from); err == nil {
		m = after
	}
	return m
}

// Beside returns how far beyond the part, its tube and its shift joints are measured, an age (s)
// ago; it has no entry for those that are not. It is an error if a joint is not measured.
func (p *Part) Beside(measured map[string]float64, age float64) (map[string]float64, error) {
	off := map[string]float64{}
	window := p.part(p.Since-p.Shift-age, p.Since+p.Shift)
	if p.Shift+age == 0 { // the part would be all that is before
		window = &motion.Motion{Joints: p.Motion.Joints, Pieces: []motion.Piece{{End: 1, Ctrl: points(p.Motion.At(p.Since))}}}
	}
	for row, name := range p.Motion.Joints {
		x, known := measured[name]
		if !known {
			return nil, fmt.Errorf("joint %s is not measured", name)
		}
		b := boundsOf(window, row, math.Inf(-1), math.Inf(1))
		if d := max(b.low-x, x-b.high) - p.Tube[name]; d > 0 {
			off[name] = d
		}
	}
	return off, nil
}
