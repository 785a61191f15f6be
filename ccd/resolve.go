package ccd

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// Resolve returns the motion that a check of m is about, with continuous joints unwrapped.
// Where a continuous joint of m takes the short way, its control points are shifted by
// whole turns, as are those of mimic joints of m that follow it; the result keeps its turns
// (Motion.KeepTurns). Its positions by At and its parts by Split are those that Check
// checks. Every link passes through the same poses at the waypoints. A shifted number is
// rounded, by at most 4 * 2^-53 of the larger of the given number and the result.
//
// Joints that the motion does not name play no part. Bad input is an error, as for Check,
// and so are positions that exceed motion.MaxPosition after shifting. The result shares
// unchanged parts with m.
func (c *Checker) Resolve(m *motion.Motion) (*motion.Motion, error) {
	plain, l, err := c.plain(m)
	if err != nil {
		return nil, err
	}
	joints := *plain
	joints.Root = nil // which has no turns to be told
	course := &kin.Course{}
	course.Bind(c.model.Tree, &joints, c.state, l.rows)
	out := *m
	out.KeepTurns = true
	if !course.Turned() {
		return &out, nil
	}
	out.Pieces = make([]motion.Piece, len(m.Pieces))
	followed := c.followed(m.Joints)
	for p := range m.Pieces {
		out.Pieces[p] = resolved(&m.Pieces[p], p, course, followed)
	}
	return &out, out.Validate()
}

// leading is the variable that a joint follows, and how many turns it makes for one of
// that.
type leading struct {
	dof  int
	mult float64
}

// followed returns what each of the named joints follows: itself, where it is free.
func (c *Checker) followed(names []string) []leading {
	out := make([]leading, len(names))
	for i, name := range names {
		for k := range c.model.Tree.Frames {
			if f := &c.model.Tree.Frames[k]; f.Joint == name {
				out[i] = leading{f.Dof, f.Mult}
			}
		}
	}
	return out
}

// resolved is a piece with turns taken off the rows.
func resolved(p *motion.Piece, piece int, course *kin.Course, followed []leading) motion.Piece {
	out := motion.Piece{Start: p.Start, End: p.End, Ctrl: make([][]float64, len(p.Ctrl))}
	for i, ctrl := range p.Ctrl {
		start, end := course.Turns(followed[i].dof, piece)
		if start == 0 && end == 0 || followed[i].mult == 0 {
			out.Ctrl[i] = ctrl
			continue
		}
		// Nothing tells the turns: times the multiplier they are whole.
		times := func(turns int) int { return int(math.Round(followed[i].mult * float64(turns))) }
		row := make([]float64, len(ctrl))
		for k, x := range ctrl {
			row[k] = kin.Unturned(x, times(start))
		}
		row[len(row)-1] = kin.Unturned(ctrl[len(ctrl)-1], times(end))
		out.Ctrl[i] = row
	}
	return out
}
