package motion

import (
	"fmt"
	"slices"
)

// Reverse returns the motion run backwards within the same time: its pieces
// cover the same interval. It fails where a piece is so short that its mirrored
// ends round to the same time.
func (m *Motion) Reverse() (*Motion, error) {
	first, last := m.Pieces[0].Start, m.Duration()
	mirror := func(t float64) float64 { return first + (last - t) }
	r := &Motion{ID: m.ID, Joints: m.Joints, KeepTurns: m.KeepTurns, Pieces: make([]Piece, len(m.Pieces))}
	for i := range m.Pieces {
		p := &m.Pieces[len(m.Pieces)-1-i]
		ctrl := make([][]float64, len(p.Ctrl))
		for j, c := range p.Ctrl {
			ctrl[j] = slices.Clone(c)
			slices.Reverse(ctrl[j])
		}
		r.Pieces[i] = Piece{Start: mirror(p.End), End: mirror(p.Start), Ctrl: ctrl}
	}
	return r, r.Validate()
}

// Split cuts m at time t (s), strictly within it, into the motion before and the
// motion after; both keep the times of m and meet exactly at t.
func (m *Motion) Split(t float64) (before, after *Motion, err error) {
	if first := m.Pieces[0].Start; !(t > first && t < m.Duration()) {
		return nil, nil, fmt.Errorf("cannot split a motion at %g s that lasts from %g to %g s", t, first, m.Duration())
	}
	i := m.PieceAt(t)
	part := func(pieces ...Piece) *Motion {
		return &Motion{ID: m.ID, Joints: m.Joints, KeepTurns: m.KeepTurns, Pieces: pieces}
	}
	p := m.Pieces[i]
	if p.Start == t {
		return part(m.Pieces[:i:i]...), part(m.Pieces[i:]...), nil
	}
	left := Piece{Start: p.Start, End: t}
	right := Piece{Start: t, End: p.End}
	for _, c := range p.Ctrl {
		a, b := subdivide(c, (t-p.Start)/(p.End-p.Start))
		left.Ctrl, right.Ctrl = append(left.Ctrl, a), append(right.Ctrl, b)
	}
	before = part(append(slices.Clone(m.Pieces[:i]), left)...)
	after = part(append([]Piece{right}, m.Pieces[i+1:]...)...)
	return before, after, nil
}

// subdivide returns the control points of both halves of the Bernstein
// polynomial c cut at s; the point at s is the same number in both.
func subdivide(c []float64, s float64) (left, right []float64) {
	n := len(c)
	left, right = make([]float64, n), slices.Clone(c)
	for k := range n {
		left[k] = right[0]
		for i := range n - 1 - k {
			right[i] = (1-s)*right[i] + s*right[i+1]
		}
	}
	return left, right
}
