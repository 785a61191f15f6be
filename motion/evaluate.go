package motion

import "sort"

// Duration returns the time in seconds at which the motion ends. It counts from the motion's
// start at zero, even if the first piece starts later.
func (m *Motion) Duration() float64 {
	if len(m.Pieces) == 0 {
		return 0
	}
	return m.Pieces[len(m.Pieces)-1].End
}

// At returns the positions at time t (s), in the order of Joints: rad or m. Before the first
// piece the joints rest at its first position, after the last piece at its last position. m
// must be valid.
//
// The positions are those of the motion as given. If KeepTurns is false, a continuous joint
// may turn the other way between them, depending on the robot: At matches the checked motion
// for the result of ccd.Checker's Resolve.
func (m *Motion) At(t float64) []float64 {
	return m.AppendAt(make([]float64, 0, len(m.Joints)), t)
}

// AppendAt appends the positions at time t to dst, as returned by At.
func (m *Motion) AppendAt(dst []float64, t float64) []float64 {
	p := &m.Pieces[m.PieceAt(t)]
	s := (t - p.Start) / (p.End - p.Start)
	if t < p.Start {
		s = 0
	} else if t > p.End {
		s = 1
	}
	for _, c := range p.Ctrl {
		dst = append(dst, bernstein(c, s))
	}
	return dst
}

// PieceAt returns the index of the piece that contains time t: the later of two that meet
// there, and the first or the last one for times outside the motion.
func (m *Motion) PieceAt(t float64) int {
	after := sort.Search(len(m.Pieces), func(i int) bool { return m.Pieces[i].Start > t })
	return max(after-1, 0)
}

// bernstein evaluates by de Casteljau, which returns the first and last control
// points exactly at s = 0 and s = 1.
func bernstein(c []float64, s float64) float64 {
	var b [maxControlPoints]float64
	n := copy(b[:], c)
	for n--; n > 0; n-- {
		for k := range n {
			b[k] = (1-s)*b[k] + s*b[k+1]
		}
	}
	return b[0]
}
