package mesh

// Tally counts how a segment crosses the cycles of solids. The zero value is ready; up to a
// fixed number of cycles it allocates nothing.
type Tally struct {
	n    int
	sums [64]sum
	more []sum // beyond the first
}

// sum is that of a cycle's crossings: factors are at most largestFactor, and a segment crosses
// fewer than 2^27 faces.
type sum struct {
	owner, cycle int32
	of           int32
	kind         Kind
}

// Reset forgets all crossings.
func (t *Tally) Reset() { t.n, t.more = 0, t.more[:0] }

// Cross records that the segment crosses a triangle of owner's solid s; side is 1 if it comes
// from the side on which the triangle turns counterclockwise, otherwise -1.
func (t *Tally) Cross(owner int32, s *Solid, triangle int32, side int32) {
	turned, of := s.sharesOf(triangle)
	if turned {
		side = -side
	}
	for i := range of {
		kind, by := s.cycles[of[i].cycle], int32(1)
		if kind == Winding {
			by = side * of[i].by
		}
		t.add(sum{owner, of[i].cycle, by, kind})
	}
}

func (t *Tally) add(x sum) {
	for i := range t.len() {
		if s := t.at(i); s.cycle == x.cycle && s.owner == x.owner {
			s.of += x.of
			return
		}
	}
	if t.n < len(t.sums) {
		t.sums[t.n] = x
		t.n++
		return
	}
	t.more = append(t.more, x)
}

func (t *Tally) len() int { return t.n + len(t.more) }

func (t *Tally) at(i int) *sum {
	if i < t.n {
		return &t.sums[i]
	}
	return &t.more[i-t.n]
}

// Inside returns the owner of a solid that contains the segment's first point, ignoring
// shells.
func (t *Tally) Inside() (owner int32, inside bool) {
	for i := range t.len() {
		s := t.at(i)
		if s.kind == Winding && s.of != 0 || s.kind == Parity && s.of&1 == 1 {
			return s.owner, true
		}
	}
	return -1, false
}

// Shell returns the first shell from the i-th cycle on that the segment crosses, and the index
// after it; it is negative if there is none.
func (t *Tally) Shell(i int) (owner, cycle int32, next int) {
	for ; i < t.len(); i++ {
		if s := t.at(i); s.kind == Shell {
			return s.owner, s.cycle, i + 1
		}
	}
	return -1, -1, -1
}
