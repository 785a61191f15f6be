package spacetime

import (
	"github.com/firstcontact-ros/firstcontact/internal/engine/volume"
)

// Many pairs at once. Balls around elements, seen in W, prove most pairs of a front apart.
// They need only what each element says of itself, so the pairs are tried together, and only
// those that are left go one by one through prove.

// front is entries of the arena in the order in which filter tries them: the first, or
// backwards the last, first.
type front struct {
	first, count int
	backwards    bool
}

// at returns the place in the arena of entry k.
func (f *front) at(k int) int {
	if f.backwards {
		return f.first + f.count - 1 - k
	}
	return f.first + k
}

func (m *many) begin() { m.from, m.end = 0, 0 }

// together reports whether entry k of the front is proved apart by its elements' balls, or
// was tried with them at least. It tries the entries from k on together when it comes to the
// first pair that it has not tried.
func (s *search) together(f *front, k int) (apart, tried bool) {
	w := s.w
	m := &w.many
	if k >= m.end {
		if s.ranged || w.arena[f.at(k)].pair < 0 { // ranged: each pair has its own clearance
			return false, false
		}
		s.tryTogether(f, k)
	}
	state := m.state[k-m.from]
	return state == parted, state != alone
}

// tryTogether tries the entries from k on.
func (s *search) tryTogether(f *front, k int) {
	w := s.w
	m := &w.many
	m.from, m.end = k, min(f.count, k+mostTogether)
	n := 0
	for i := range m.end - k {
		m.state[i] = alone
		e := w.arena[f.at(k+i)]
		if e.pair < 0 || e.a != volume.Whole || e.b != volume.Whole {
			continue
		}
		q := w.at.PairOf(e.pair)
		m.pairs[n], m.of[n] = [2]int32{int32(q.A), int32(q.B)}, uint8(i)
		n++
	}
	if n < fewestTogether {
		return
	}
	for _, q := range m.pairs[:n] {
		w.at.Element(int(q[0]))
		w.at.Element(int(q[1]))
	}
	fours := (n + 3) / 4
	for i := n; i < 4*fours; i++ {
		m.pairs[i] = m.pairs[0]
	}
	w.at.BallsParted(m.pairs[:4*fours], w.clearance, m.apart[:fours])
	for i := range n {
		m.state[m.of[i]] = left
		if m.apart[i/4]>>(i%4)&1 != 0 {
			m.state[m.of[i]] = parted
			w.q.Work.Proofs++
			s.noteParted(w.arena[f.at(k+int(m.of[i]))])
		}
	}
	w.q.Out()
}

// noteParted records that balls around whole elements are apart.
func (s *search) noteParted(e entry) {
	w := s.w
	if w.recorder != nil {
		q := w.at.PairOf(e.pair)
		w.noteBalls(e, w.m.Elements[q.A].Center, w.m.Elements[q.B].Center)
	}
}
