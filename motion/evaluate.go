package motion

import "sort"

// Duration returns the time in seconds at which the motion ends. It counts from
// the motion's start at zero, also where the first piece starts later.
func (m *Motion) Duration() float64 {
	if len(m.Pieces) == 0 {
		return 0
	}
	return m.Pieces[len(m.Pieces)-1].End
}

// At returns the positions at time t (s), in the order of Joints: rad or m. The
// joints rest at the first position before the first piece and at the last one
// after the last. m must be valid.
//
// They are the numbers of the motion as it stands. Where m does not keep its turns, a
// continuous joint may turn the other way between them, as the robot decides: At is
// true to what is checked for the motion that ccd.Checker's Resolve returns.
func (m *Motion) At(t float64) []float64 {
	return m.AppendAt(make([]float64, 0, len(m.Joints)), t)
}

// AppendAt appends the positions at time t to dst, as At gives them.
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

// PieceAt returns the index of the piece that holds time t: the later of two
// that meet there, the first or the last one outside the motion.
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
