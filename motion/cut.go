package motion

import (
	"fmt"
	"slices"
)

// Reverse returns the motion run backwards within the same time: its pieces cover the same
// interval. It fails if a piece is so short that its mirrored ends round to the same time.
func (m *Motion) Reverse() (*Motion, error) {
	first, last := m.Pieces[0].Start, m.Duration()
	mirror := func(t float64) float64 { return first + (last - t) }
	r := &Motion{ID: m.ID, Joints: m.Joints, KeepTurns: m.KeepTurns, Gaps: reversed(m.Gaps), Pieces: make([]Piece, len(m.Pieces))}
	for i := range m.Pieces {
		p := &m.Pieces[len(m.Pieces)-1-i]
		ctrl := make([][]float64, len(p.Ctrl))
		for j, c := range p.Ctrl {
			ctrl[j] = slices.Clone(c)
			slices.Reverse(ctrl[j])
		}
		r.Pieces[i] = Piece{Start: mirror(p.End), End: mirror(p.Start), Ctrl: ctrl}
	}
	for i := len(m.Root) - 1; i >= 0; i-- {
		p := &m.Pieces[i]
		r.Root = append(r.Root, m.Root[i].backwards(p.End-p.Start))
	}
	return r, r.Validate()
}

// Split cuts m at time t (s), strictly within it, into the motion before and the motion after.
// Both keep the times of m and meet exactly at t. Both have the gaps of m, except that the
// second lacks those before its first waypoint and at it, as its start is known.
//
// It fails if KeepTurns is false and t lies within a straight piece that moves a joint by more
// than half a turn: its direction depends on the robot, and the parts might turn in another
// one. Split the result of ccd.Checker's Resolve instead.
func (m *Motion) Split(t float64) (before, after *Motion, err error) {
	if first := m.Pieces[0].Start; !(t > first && t < m.Duration()) {
		return nil, nil, fmt.Errorf("cannot split a motion at %g s that lasts from %g to %g s", t, first, m.Duration())
	}
	i := m.PieceAt(t)
	part := func(root []RootPiece, pieces ...Piece) *Motion {
		part := &Motion{ID: m.ID, Joints: m.Joints, Root: root, KeepTurns: m.KeepTurns, Gaps: m.Gaps, Pieces: pieces}
		if pieces[0].Start > m.Pieces[0].Start {
			part = part.WithoutStart()
		}
		return part
	}
	p := m.Pieces[i]
	rootBefore, rootAfter := m.splitRoot(i, t-p.Start)
	if p.Start == t {
		return part(rootBefore, m.Pieces[:i:i]...), part(rootAfter, m.Pieces[i:]...), nil
	}
	if err := m.ambiguous(i); err != nil {
		return nil, nil, err
	}
	left := Piece{Start: p.Start, End: t}
	right := Piece{Start: t, End: p.End}
	for _, c := range p.Ctrl {
		a, b := subdivide(c, (t-p.Start)/(p.End-p.Start))
		left.Ctrl, right.Ctrl = append(left.Ctrl, a), append(right.Ctrl, b)
	}
	before = part(rootBefore, append(slices.Clone(m.Pieces[:i]), left)...)
	after = part(rootAfter, append([]Piece{right}, m.Pieces[i+1:]...)...)
	return before, after, nil
}

// ambiguous fails if the positions of piece i alone do not determine how a joint turns.
func (m *Motion) ambiguous(i int) error {
	for j, c := range m.Pieces[i].Ctrl {
		if !m.KeepTurns && len(c) == 2 && ShortWay(c[0], c[1]) != 0 {
			return fmt.Errorf("joint %s moves from %g to %g on piece %d, more than half a turn: if it is continuous it may go the short way, which depends on the robot: split the motion that ccd.Checker.Resolve returns", m.Joints[j], c[0], c[1], i)
		}
	}
	return nil
}

// splitRoot cuts the root's pieces u seconds after the start of piece i.
func (m *Motion) splitRoot(i int, u float64) (before, after []RootPiece) {
	switch {
	case len(m.Root) == 0:
		return nil, nil
	case u == 0:
		return m.Root[:i:i], m.Root[i:]
	}
	return m.Root[: i+1 : i+1], append([]RootPiece{m.Root[i].after(u)}, m.Root[i+1:]...)
}

// subdivide returns the control points of both halves of the Bernstein polynomial c cut at s.
// Both have the same number at s. On a straight line it lies between the ends, rounding
// included: neither part is longer than the whole.
func subdivide(c []float64, s float64) (left, right []float64) {
	n := len(c)
	if n == 2 {
		at := min(max((1-s)*c[0]+s*c[1], min(c[0], c[1])), max(c[0], c[1]))
		return []float64{c[0], at}, []float64{at, c[1]}
	}
	left, right = make([]float64, n), slices.Clone(c)
	for k := range n {
		left[k] = right[0]
		for i := range n - 1 - k {
			right[i] = (1-s)*right[i] + s*right[i+1]
		}
	}
	return left, right
}
