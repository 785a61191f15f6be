package place

import (
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/internal/engine/lanes"
)

// ErrOf returns the errors that a frame's float32 pose may have, and how far its origin may be.
func (l *Lanes) ErrOf(frame int) (rot, pos, far float64) {
	e := &l.errs[frame]
	return e.rot, e.pos, e.far
}

// FrameAt returns a frame's float32 pose at one of the times, turned back from the z axis.
func (l *Lanes) FrameAt(frame, time int) geom.Pose {
	p := &l.poses[frame]
	at := func(i int) float64 { return float64(p.R[i][time]) }
	r := geom.Rot{XX: at(0), XY: at(1), XZ: at(2), YX: at(3), YY: at(4), YZ: at(5), ZX: at(6), ZY: at(7), ZZ: at(8)}
	return geom.Pose{
		R: r.Mul(l.frames[frame].turn.Inv()),
		P: geom.Vec{X: float64(p.P[0][time]), Y: float64(p.P[1][time]), Z: float64(p.P[2][time])},
	}
}

// SlackOf returns the error that an element's corners may have.
func (l *Lanes) SlackOf(element int) float64 {
	return l.errs[l.r.M.Elements[element].Frame].slackAt(l.outlineOf(element, &l.r.M.Elements[element]).part.rho)
}

// ErrsOf returns what the gap of two parts along a plane of their base may err by: the slacks of both, and what the turn of
// the base makes of how far they are.
func (l *Lanes) ErrsOf(element int, p *Part, base int) (slack, turn float64) {
	far := l.errs[l.r.M.Elements[element].Frame].far + p.rho
	return l.slackOf(element, p), (l.errs[base].rot + 32*v) * far
}

// TurnOf returns the rotation from a frame as the lanes turn it to the frame.
func (l *Lanes) TurnOf(frame int) geom.Rot { return l.frames[frame].turn }

// Above is above.
func Above(x float64) float32 { return above(x) }

// Rounded returns what setRounded sets.
func Rounded(a *kin.Around, least float64) (to kin.Around) {
	setRounded(&to, a, least)
	return to
}

// Bounds counts how often errors were bounded.
func (r *Robot) Bounds() uint64 { return r.bounds }

// LessTurns subtracts whole turns from an angle.
func LessTurns(angle float64) float64 { return lessTurns(angle) }

// AnglesOf returns where the joint of a frame is at the times.
func (l *Lanes) AnglesOf(frame int) lanes.Row { return l.turns[frame-1].Angle }
