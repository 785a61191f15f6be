package plausible

import (
	"fmt"
	"math"
	"slices"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// Thresholds for positions. docs/plausibility.md says why.
const (
	farBeyond    = 0.5         // rad beyond a limit
	farSlide     = 0.05        // m beyond a limit, and more than twice the joint's travel
	manyTurns    = 3 * math.Pi // rad: numbers that are larger may be degrees
	turnedLimits = 4 * math.Pi // rad of a joint whose limits look like degrees
	tooFast      = 5           // times the velocity limit, of a continuous joint that turns many times
	spinning     = 50          // rad/s where a continuous joint has no velocity limit
	slack        = 0.1         // rad or, of the travel, that numbers may exceed limits after conversion
)

// row is a joint that a motion names.
type row struct {
	*urdf.Joint
	lo, hi float64 // of the positions
	speed  float64 // rad/s or m/s at most
	excess float64 // beyond the limits
}

// rows returns the joints of a motion, which are at these indices; those that the robot lacks are left out.
func (m *Model) rows(mo *motion.Motion, at []int) []row {
	out := make([]row, 0, len(at))
	for k, i := range at {
		if i < 0 {
			continue
		}
		if m.robot.Joints[i].Mimic != nil {
			continue // its leader's positions count
		}
		r := row{Joint: &m.robot.Joints[i], lo: math.Inf(1), hi: math.Inf(-1)}
		for p := range mo.Pieces {
			piece := &mo.Pieces[p]
			ctrl := piece.Ctrl[k]
			step := 0.0
			r.lo, r.hi = min(r.lo, ctrl[0], ctrl[len(ctrl)-1]), max(r.hi, ctrl[0], ctrl[len(ctrl)-1])
			for i := 1; i < len(ctrl); i++ {
				step = max(step, math.Abs(ctrl[i]-ctrl[i-1]))
				if i > 1 { // a curve: control points may be far beyond it
					x := between(ctrl, float64(i-1)/float64(len(ctrl)-1))
					r.lo, r.hi = min(r.lo, x), max(r.hi, x)
				}
			}
			r.speed = max(r.speed, step*float64(len(ctrl)-1)/(piece.End-piece.Start))
		}
		if l := &r.Limit; l.Bounded && l.Lower < l.Upper { // else the file gives none
			r.excess = max(l.Lower-r.lo, r.hi-l.Upper, 0)
		}
		out = append(out, r)
	}
	return out
}

// between returns the position at s in [0, 1] of a piece with these control points.
func between(ctrl []float64, s float64) float64 {
	var c [8]float64
	n := copy(c[:], ctrl)
	for ; n > 1; n-- {
		for i := range n - 1 {
			c[i] += s * (c[i+1] - c[i])
		}
	}
	return c[0]
}

// Turns reports whether a joint whose limits do not tell turns so far that Gaps may have a
// finding: one without limits, or whose limits look like degrees. It allocates nothing.
func (m *Model) Turns(mo *motion.Motion) bool {
	for _, i := range m.robot.turning {
		k := slices.Index(mo.Joints, m.robot.Joints[i].Name)
		if k < 0 {
			continue
		}
		for p := range mo.Pieces {
			for _, x := range mo.Pieces[p].Ctrl[k] {
				if math.Abs(x) > manyTurns {
					return true
				}
			}
		}
	}
	return false
}

// most is the largest position without its sign.
func (r *row) most() float64 { return max(math.Abs(r.lo), math.Abs(r.hi)) }

// fits reports whether the positions times a factor are within the limits.
func (r *row) fits(factor, slack float64) bool {
	return !r.Limit.Bounded || factor*r.lo >= r.Limit.Lower-slack && factor*r.hi <= r.Limit.Upper+slack
}

// State judges positions (rad or m, by joint name) that joints are held at.
func (m *Model) State(positions map[string]float64) []Finding {
	var rows []row
	for i := range m.robot.Joints {
		j := &m.robot.Joints[i]
		x, ok := positions[j.Name]
		if !ok || j.Mimic != nil {
			continue
		}
		r := row{Joint: j, lo: x, hi: x}
		if j.Limit.Bounded && j.Limit.Lower < j.Limit.Upper {
			r.excess = max(j.Limit.Lower-x, x-j.Limit.Upper, 0)
		}
		rows = append(rows, r)
	}
	return judgePositions(rows)
}

// judgePositions judges where a motion takes the joints.
func judgePositions(rows []row) []Finding {
	var turned, slid []*row
	degrees, millimetres := true, true // all numbers would fit if they were
	for i := range rows {
		r := &rows[i]
		switch r.Type {
		case urdf.Revolute, urdf.Continuous:
			degrees = degrees && (limitsInDegrees(r.Joint) || r.fits(math.Pi/180, slack))
			if r.turnsTooFar() {
				turned = append(turned, r)
			}
		case urdf.Prismatic:
			travel := r.Limit.Upper - r.Limit.Lower
			millimetres = millimetres && r.fits(1e-3, slack*travel)
			if r.Limit.Bounded && r.excess > max(farSlide, 2*travel) {
				slid = append(slid, r)
			}
		}
	}
	var out, beyond []measured
	for _, r := range turned {
		if degrees && r.most() > manyTurns {
			out = append(out, r.measured("degrees", "rad"))
		} else {
			beyond = append(beyond, r.measured("", "rad"))
		}
	}
	list := collect("degrees", manyTurns, out, more)
	out = nil
	for _, r := range slid {
		if millimetres && r.most() > 10 {
			out = append(out, r.measured("millimetres", "m"))
		} else {
			beyond = append(beyond, r.measured("", "m"))
		}
	}
	list = append(list, collect("millimetres", farSlide, out, more)...)
	return append(list, collect("far-beyond-limits", farBeyond, beyond, more)...)
}

// turnsTooFar reports whether a joint's angles cannot be meant.
func (r *row) turnsTooFar() bool {
	switch {
	case limitsInDegrees(r.Joint):
		return r.most() > turnedLimits
	case r.Limit.Bounded:
		return r.excess > farBeyond
	}
	fast := float64(spinning)
	if r.Limit.Velocity > 0 {
		fast = tooFast * r.Limit.Velocity
	}
	return r.most() > manyTurns && r.speed > fast
}

// measured describes a joint whose positions are not meant. The worst is the one with the
// largest number.
func (r *row) measured(unit, read string) measured {
	x := r.lo
	if math.Abs(r.hi) > math.Abs(r.lo) {
		x = r.hi
	}
	m := measured{about: r.Name, value: math.Abs(x)}
	m.detail = fmt.Sprintf("joint %s goes to %.6g", r.Name, x)
	switch {
	case limitsInDegrees(r.Joint):
		m.detail += fmt.Sprintf(", and its limits, %g and %g, are degrees too: URDF angles are in radians", r.Limit.Lower, r.Limit.Upper)
	case r.Limit.Bounded:
		m.detail += fmt.Sprintf(", its limits are %.4g and %.4g %s", r.Limit.Lower, r.Limit.Upper, read)
	default:
		m.detail += fmt.Sprintf(" at up to %.4g rad/s", r.speed)
	}
	if unit != "" {
		m.detail = "values look like " + unit + ": " + m.detail
	}
	return m
}
