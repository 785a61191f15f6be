package mesh

import "cmp"

// clip cuts off ears. Cutting an ear changes only whether its two neighbours are ears (the
// other diagonals stay the same), so n corners cost n² steps.
func (t *triangulator) clip(poly []int32) error {
	t.start(int32(len(poly)))
	i, left := int32(0), int32(len(poly))
	for left > 3 {
		ok := false
		if i, ok = t.findEar(i, left); !ok {
			break
		}
		if err := t.emit(poly[t.prev[i]], poly[i], poly[t.next[i]]); err != nil {
			return err
		}
		i = t.drop(i)
		left--
	}
	return t.fanRest(poly, i, left)
}

// start makes a ring of n corners.
func (t *triangulator) start(n int32) {
	t.prev, t.next = t.prev[:0], t.next[:0]
	t.bend, t.ear, t.changed = t.bend[:0], t.ear[:0], t.changed[:0]
	for i := range n {
		a, b := (i+n-1)%n, (i+1)%n
		t.prev, t.next = append(t.prev, a), append(t.next, b)
		t.bend = append(t.bend, t.turn(a, i, b))
		t.changed = append(t.changed, i)
	}
	for i := range n {
		t.ear = append(t.ear, t.isEar(i))
	}
}

// drop removes corner i from the ring and returns the next.
func (t *triangulator) drop(i int32) int32 {
	a, b := t.prev[i], t.next[i]
	t.next[a], t.prev[b] = b, a
	t.bend[a], t.bend[b] = t.turn(t.prev[a], a, b), t.turn(a, b, t.next[b])
	t.ear[a], t.ear[b] = t.isEar(a), t.isEar(b)
	t.ear[i] = false
	t.changed = append(t.changed, a, b)
	return b
}

// findEar returns a spike if there is one, or else the next ear from i on.
func (t *triangulator) findEar(i, left int32) (int32, bool) {
	for n := len(t.changed); n > 0; n-- {
		j := t.changed[n-1]
		t.changed = t.changed[:n-1]
		if t.ear[j] && t.isSpike(j) {
			return j, true
		}
	}
	for range left {
		if t.ear[i] {
			return i, true
		}
		i = t.next[i]
	}
	return i, false
}

// isSpike reports whether the outline turns back at corner i. Spikes are removed first: beside
// one that runs along its side an ear is hard to identify.
func (t *triangulator) isSpike(i int32) bool {
	a, p, b := t.flat[t.prev[i]], t.flat[i], t.flat[t.next[i]]
	return t.bend[i] == 0 && !between(a.x, p.x, b.x) && !between(a.y, p.y, b.y)
}

// isEar reports whether the triangle at corner i may be cut off: it turns left
// and the outline does not enter it, or it has no area at all, so that the
// outline without corner i encloses the same points.
//
// Where the outline folds back onto itself, a strip of no width may turn left as
// well. Another corner lies in the place of i then, and the outline does not wind
// around the points between the sides.
func (t *triangulator) isEar(i int32) bool {
	if t.bend[i] <= 0 {
		return t.bend[i] == 0
	}
	a, b := t.prev[i], t.next[i]
	lo, hi := bounds(t.flat[a], t.flat[i], t.flat[b])
	twin := false
	for j := t.next[b]; j != a; j = t.next[j] {
		p := t.flat[j]
		if p.x < lo.x || p.x > hi.x || p.y < lo.y || p.y > hi.y {
			continue
		}
		if t.blocks(j, i) {
			return false
		}
		twin = twin || p == t.flat[i]
	}
	return !twin || t.winding(i) > 0
}

// blocks reports whether the outline at corner j runs inside the triangle of the
// ear i: j lies inside, or on its rim with a neighbour to the inner side. An
// outline that touches the ear from outside does not block it.
func (t *triangulator) blocks(j, i int32) bool {
	tri := [3]int32{t.prev[i], i, t.next[i]}
	var rim [3]bool // whether j lies on the side that leaves each corner
	for k := range tri {
		side := t.turn(tri[k], tri[(k+1)%3], j)
		if side < 0 {
			return false
		}
		rim[k] = side == 0
	}
	enters := func(j int32) bool {
		for k := range tri {
			if rim[k] && t.turn(tri[k], tri[(k+1)%3], j) <= 0 {
				return false
			}
		}
		return true
	}
	return enters(t.prev[j]) || enters(t.next[j])
}

// winding returns how often the outline winds around the points next to corner
// i, a left turn, that lie between its sides: next to the side that leaves it.
func (t *triangulator) winding(i int32) int {
	a, b := t.prev[i], t.next[i]
	p := t.flat[i]
	rises := t.flat[b].y > p.y || t.flat[b].y == p.y && t.flat[a].y > p.y
	above := func(j int32) bool { return t.flat[j].y > p.y || t.flat[j].y == p.y && !rises }
	w := 0
	for j, k := a, i; ; j, k = k, t.next[k] {
		if up := above(k); up != above(j) {
			side := cmp.Or(t.turn(j, k, i), t.turn(j, k, b), t.turn(j, k, a))
			switch {
			case up && side > 0:
				w++
			case !up && side < 0:
				w--
			}
		}
		if k == a {
			return w
		}
	}
}

func (t *triangulator) fanRest(poly []int32, first, left int32) error {
	j := t.next[first]
	for range left - 2 {
		k := t.next[j]
		if err := t.emit(poly[first], poly[j], poly[k]); err != nil {
			return err
		}
		j = k
	}
	return nil
}
