package ccd

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/motion"
)

// LimitKind is what a limit of a joint is about.
type LimitKind uint8

// The kinds of limits.
const (
	PositionLimit     LimitKind = iota + 1 // rad or m
	VelocityLimit                          // rad/s or m/s
	AccelerationLimit                      // rad/s² or m/s²
)

// Excess is the largest excess of a joint beyond a limit during a motion.
type Excess struct {
	Joint string
	Of    LimitKind
	Limit float64
	motion.Peak
}

// relativeExcess is how far velocities and accelerations may exceed a limit: planners scale
// motions to their limits, and print them with six digits.
const relativeExcess = 1e-6

// Excesses returns where a motion takes joints beyond the limits of the URDF for position and
// velocity, and beyond accelerations (by joint, above zero): the largest excess of each limit,
// in the order of the robot's joints. Joints that follow others are included. It tells extrema
// of the polynomials between the points, not only values at points; of steps of the velocity
// at points it tells nothing. Verdicts do not depend on it.
//
// It fails on bad input, as Check does.
func (c *Checker) Excesses(m *motion.Motion, accelerations map[string]float64) ([]Excess, error) {
	m, err := c.Resolve(m) // so that no turn counts that nobody makes
	if err != nil {
		return nil, err
	}
	rows := map[string]int{}
	for row, name := range m.Joints {
		rows[name] = row
	}
	var out []Excess
	for i := range c.robot.Joints {
		j := &c.robot.Joints[i]
		row, named := rows[j.Name]
		scale, offset := 1.0, 0.0
		if !named && j.Mimic != nil {
			row, named = rows[c.robot.Joints[j.Mimic.Joint].Name]
			scale, offset = j.Mimic.Multiplier, j.Mimic.Offset
		}
		if !named || scale == 0 {
			continue
		}
		of := excess{m: m, row: row, scale: scale, offset: offset, joint: j.Name}
		if j.Limit.Bounded {
			out = of.position(out, j.Limit.Lower, j.Limit.Upper)
		}
		out = of.rate(out, VelocityLimit, j.Limit.Velocity)
		out = of.rate(out, AccelerationLimit, accelerations[j.Name])
	}
	return out, nil
}

// excess looks for those of one joint, which is at scale times the row's position plus offset.
type excess struct {
	m             *motion.Motion
	row           int
	scale, offset float64
	joint         string
}

// peak returns the largest of sign times a derivative, if it is above a bound.
func (e *excess) peak(derivative int, sign, above float64) (motion.Peak, bool) {
	shift := 0.0
	if derivative == 0 {
		shift = e.offset
	}
	size := math.Abs(e.scale)
	p, found := e.m.Peak(e.row, derivative, sign*math.Copysign(1, e.scale), (above-sign*shift)/size)
	p.Value = p.Value*e.scale + shift
	return p, found
}

func (e *excess) position(out []Excess, lower, upper float64) []Excess {
	high, above := e.peak(0, 1, upper+limitTolerance)
	low, below := e.peak(0, -1, -lower+limitTolerance)
	switch {
	case above && (!below || high.Value-upper >= lower-low.Value):
		return append(out, Excess{Joint: e.joint, Of: PositionLimit, Limit: upper, Peak: high})
	case below:
		return append(out, Excess{Joint: e.joint, Of: PositionLimit, Limit: lower, Peak: low})
	}
	return out
}

func (e *excess) rate(out []Excess, of LimitKind, limit float64) []Excess {
	if !(limit > 0) {
		return out // the file gives none
	}
	bound := limit * (1 + relativeExcess)
	forth, found := e.peak(int(of)-1, 1, bound)
	if found {
		bound = forth.Value
	}
	if back, more := e.peak(int(of)-1, -1, bound); more {
		forth, found = back, true
	}
	if !found {
		return out
	}
	return append(out, Excess{Joint: e.joint, Of: of, Limit: limit, Peak: forth})
}
