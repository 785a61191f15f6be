package verify

// region is a box of a pair's atoms and time: what an item proves, or what must be proved.
// Ranges of atoms are half-open.
type region struct {
	a0, a1, b0, b1 int32
	lo, hi         float64
}

func (r *region) holds(s *region) bool {
	return r.a0 <= s.a0 && s.a1 <= r.a1 && r.b0 <= s.b0 && s.b1 <= r.b1 && r.lo <= s.lo && s.hi <= r.hi
}

// meets reports whether the two share more than a border.
func (r *region) meets(s *region) bool {
	return r.a0 < s.a1 && s.a0 < r.a1 && r.b0 < s.b1 && s.b0 < r.b1 && r.lo < s.hi && s.lo < r.hi
}

// cover decides exactly whether items cover regions: borders are whole numbers and float64
// numbers, which are only compared. Neighbouring items share the instant between them.
type cover struct {
	// needed counts, for the second body, the atoms before each that must be covered; nil
	// means all. The atoms of an object that may be touched need no proof.
	needed []int32
	// steps bounds the work. Proofs written by the search need far fewer.
	steps int
}

const maxSteps = 200_000_000

// gap returns a part of r that no item covers, and true; or false if there is none. Items may
// be in any order and overlap.
func (c *cover) gap(r region, items []region) (region, bool) {
	if !c.trim(&r) {
		return r, false
	}
	var near []region
	for i := range items {
		if items[i].holds(&r) {
			return r, false
		}
		if items[i].meets(&r) {
			near = append(near, items[i])
		}
	}
	if c.steps += len(items) + 1; len(near) == 0 || c.steps > maxSteps {
		return r, true
	}
	left, right := split(r, near)
	if g, found := c.gap(left, near); found {
		return g, true
	}
	return c.gap(right, near)
}

// trim removes the ends of r that need no proof; false if nothing is left.
func (c *cover) trim(r *region) bool {
	if c.needed == nil {
		return true
	}
	n := c.needed
	if n[r.b0] == n[r.b1] {
		return false
	}
	for n[r.b0] == n[r.b0+1] {
		r.b0++
	}
	for n[r.b1] == n[r.b1-1] {
		r.b1--
	}
	return true
}

// split cuts r at a border of an item inside it: of a few near the middle, the one that cuts
// the fewest items. There is one, because an item meets r and does not contain it.
func split(r region, items []region) (left, right region) {
	best := -1
	for _, cut := range cuts(r, items) {
		n := 0
		for i := range items {
			if items[i].meets(&cut[0]) {
				n++
			}
			if items[i].meets(&cut[1]) {
				n++
			}
		}
		if best < 0 || n < best {
			best, left, right = n, cut[0], cut[1]
		}
	}
	return left, right
}

// cuts returns, for each axis, r cut at the border nearest to its middle.
func cuts(r region, items []region) [][2]region {
	var a, b int32
	var t float64
	var hasA, hasB, hasT bool
	near := func(x, best, lo, hi int32, has bool) bool {
		return x > lo && x < hi && (!has || off(x, lo, hi) < off(best, lo, hi))
	}
	for i := range items {
		s := &items[i]
		for _, x := range [2]int32{s.a0, s.a1} {
			if near(x, a, r.a0, r.a1, hasA) {
				a, hasA = x, true
			}
		}
		for _, x := range [2]int32{s.b0, s.b1} {
			if near(x, b, r.b0, r.b1, hasB) {
				b, hasB = x, true
			}
		}
		for _, x := range [2]float64{s.lo, s.hi} {
			if x > r.lo && x < r.hi && (!hasT || off(x, r.lo, r.hi) < off(t, r.lo, r.hi)) {
				t, hasT = x, true
			}
		}
	}
	var out [][2]region
	if hasT {
		p, q := r, r
		p.hi, q.lo = t, t
		out = append(out, [2]region{p, q})
	}
	if hasA {
		p, q := r, r
		p.a1, q.a0 = a, a
		out = append(out, [2]region{p, q})
	}
	if hasB {
		p, q := r, r
		p.b1, q.b0 = b, b
		out = append(out, [2]region{p, q})
	}
	return out
}

// off is twice the distance of x from the middle of lo and hi.
func off[T int32 | float64](x, lo, hi T) T {
	if d := x - lo - (hi - x); d > 0 {
		return d
	}
	return hi - x - (x - lo)
}
