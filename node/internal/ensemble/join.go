// Package ensemble joins what several controllers execute at the same time into one motion with a
// tube that covers how their clocks may differ, and bounds where joints get that are stopped.
package ensemble

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/premise"
)

// Part is what one controller executes.
type Part struct {
	Motion *motion.Motion // of its joints, with KeepTurns, without a moving root link
	// Since is the time (s) on Motion at time 0 of the whole. It is negative if the motion begins
	// later.
	Since float64
	// Shift is how much (s) the controller may be ahead of that or behind it.
	Shift float64
	Tube  map[string]float64 // rad or m around Motion
}

// Join returns the motion of all joints of the parts together, from time 0 of the whole to the end
// of the last part, with the gaps of all. A part that has ended rests at its end. The tube covers
// each part's own, and where its joints are if the part is ahead or behind by its Shift, each part
// for itself: what is proved of the motion with the tube holds for all such shifts.
//
// It is an error if two parts move the same joint.
func Join(parts []Part) (way *motion.Motion, tube map[string]float64, err error) {
	way, tube = &motion.Motion{KeepTurns: true}, map[string]float64{}
	var rests []*remainder
	var times []float64
	for i := range parts {
		r, err := parts[i].rest()
		if err != nil {
			return nil, nil, err
		}
		for row, name := range parts[i].Motion.Joints {
			if slices.Contains(way.Joints, name) {
				return nil, nil, fmt.Errorf("two controllers move joint %s", name)
			}
			way.Joints = append(way.Joints, name)
			if w := parts[i].width(row); w > 0 {
				tube[name] = w
			}
		}
		way.Gaps = append(way.Gaps, lacking(way.Gaps, parts[i].Motion.Gaps)...)
		rests, times = append(rests, r), append(times, r.times()...)
	}
	slices.Sort(times)
	if times = slices.Compact(times); len(times) < 2 {
		times = []float64{0, 1} // all have ended
	}
	for i, end := range times[1:] {
		p := motion.Piece{Start: times[i], End: end, Ctrl: make([][]float64, 0, len(way.Joints))}
		for _, r := range rests {
			rows, err := r.until(end)
			if err != nil {
				return nil, nil, err
			}
			p.Ctrl = append(p.Ctrl, rows...)
		}
		way.Pieces = append(way.Pieces, p)
	}
	return way, tube, way.Validate()
}

// lacking returns the gaps that are not among those known.
func lacking(known, gaps []premise.Premise) (out []premise.Premise) {
	for _, g := range gaps {
		same := func(k premise.Premise) bool { return k.Kind == g.Kind && k.Detail == g.Detail }
		if !slices.ContainsFunc(known, same) {
			out = append(out, g)
		}
	}
	return out
}

// width is how far a joint may be from the motion: its tube, and what the shift of time changes,
// which is at most the highest speed times the shift, and at most all of its way.
func (p *Part) width(row int) float64 {
	w := p.Tube[p.Motion.Joints[row]]
	if p.Shift > 0 {
		b := boundsOf(p.Motion, row, p.Since-p.Shift, math.Inf(1))
		w += min(max(b.fast, -b.slow)*p.Shift, b.high-b.low)
	}
	if w > 0 {
		w = math.Nextafter(w, math.Inf(1))
	}
	return w
}

// bounds of the position of a joint (rad or m), and of its velocity.
type bounds struct{ low, high, slow, fast float64 }

// boundsOf returns bounds between two times of a motion, from the control points of its pieces.
func boundsOf(m *motion.Motion, row int, from, to float64) bounds {
	first := m.Pieces[m.PieceAt(from)].Ctrl[row][0]
	b := bounds{low: first, high: first}
	if from >= m.Duration() {
		c := m.Pieces[len(m.Pieces)-1].Ctrl[row]
		b.low, b.high = c[len(c)-1], c[len(c)-1]
	}
	for i := range m.Pieces {
		p := &m.Pieces[i]
		if p.End < from || p.Start > to {
			continue
		}
		c := p.Ctrl[row]
		for k, x := range c {
			b.low, b.high = min(b.low, x), max(b.high, x)
			if k > 0 {
				v := float64(len(c)-1) * (x - c[k-1]) / (p.End - p.Start)
				b.slow, b.fast = min(b.slow, v), max(b.fast, v)
			}
		}
	}
	return b
}

// remainder is what is left of a part, on the clock of the whole.
type remainder struct {
	joints []string
	pieces []motion.Piece
	next   int
	left   motion.Piece // what is left of pieces[next], if it was cut
	cut    bool
	at     [][]float64 // where the joints are
}

// rest returns what is left of the part.
func (p *Part) rest() (*remainder, error) {
	m := p.Motion
	switch {
	case len(m.Root) > 0:
		return nil, errors.New("a controller moves the root link: what another one does at the same time is not judged with it")
	case !m.KeepTurns:
		return nil, errors.New("a motion does not say how its joints turn")
	}
	at := m.At(p.Since)
	if p.Since >= m.Duration() {
		return &remainder{joints: m.Joints, at: points(at)}, nil
	}
	if p.Since > m.Pieces[0].Start {
		var err error
		if _, m, err = m.Split(p.Since); err != nil {
			return nil, err
		}
	}
	r := &remainder{joints: m.Joints, at: points(at)}
	for i, piece := range m.Pieces {
		piece.Start, piece.End = piece.Start-p.Since, piece.End-p.Since
		if i == 0 {
			piece.Start = max(piece.Start, 0)
		}
		if !(piece.Start < piece.End) {
			return nil, fmt.Errorf("a piece of a motion that lasts to %g s is too short to be joined with another motion", piece.End)
		}
		r.pieces = append(r.pieces, piece)
	}
	if r.pieces[0].Start > 0 { // it begins later: the joints rest where it begins
		lead := motion.Piece{Start: 0, End: r.pieces[0].Start, Ctrl: r.at}
		r.pieces = slices.Insert(r.pieces, 0, lead)
	}
	return r, nil
}

// points makes a control point of each number.
func points(at []float64) [][]float64 {
	out := make([][]float64, len(at))
	for i, x := range at {
		out[i] = []float64{x}
	}
	return out
}

func (r *remainder) times() []float64 {
	out := []float64{0}
	for i := range r.pieces {
		out = append(out, r.pieces[i].End)
	}
	return out
}

// until returns the control points from where it was called last to a time, of which no piece ends
// before.
func (r *remainder) until(end float64) ([][]float64, error) {
	if r.next == len(r.pieces) {
		return r.at, nil
	}
	piece := r.pieces[r.next]
	if r.cut {
		piece = r.left
	}
	if r.cut = piece.End > end; r.cut {
		m := &motion.Motion{Joints: r.joints, KeepTurns: true, Pieces: []motion.Piece{piece}}
		before, after, err := m.Split(end)
		if err != nil {
			return nil, err
		}
		piece, r.left = before.Pieces[0], after.Pieces[0]
	} else {
		r.next++
	}
	r.at = make([][]float64, len(piece.Ctrl))
	for i, c := range piece.Ctrl {
		r.at[i] = c[len(c)-1:]
	}
	return piece.Ctrl, nil
}
