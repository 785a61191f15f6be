package tri

import "github.com/firstcontact-ros/firstcontact/geom"

// SegmentMeets reports whether the closed segment p q and t have a point in
// common, exactly. It is false for a t that is a segment or a point.
func SegmentMeets(p, q geom.Vec, t *Triangle) bool {
	sp, sq := Orient(t[0], t[1], t[2], p), Orient(t[0], t[1], t[2], q)
	if sp*sq > 0 {
		return false
	}
	if sp == 0 && sq == 0 {
		return meetsInPlane(p, q, t)
	}
	// The segment meets the plane in one point, inside t if the segment's line
	// passes all three edges on one side.
	s := passing(p, q, t)
	return !(s.has(1) && s.has(-1))
}

// sides is three signs.
type sides [3]int

func (s sides) has(sign int) bool { return s[0] == sign || s[1] == sign || s[2] == sign }

// passing returns on which side the line through p and q passes each edge of t.
func passing(p, q geom.Vec, t *Triangle) sides {
	return sides{Orient(p, q, t[0], t[1]), Orient(p, q, t[1], t[2]), Orient(p, q, t[2], t[0])}
}

// meetsInPlane is SegmentMeets for a segment in the plane of t, on the coordinate
// plane on which t has an area.
func meetsInPlane(p, q geom.Vec, t *Triangle) bool {
	axis := -1
	for k, s := range normalSigns(t[0], t[1], t[2]) {
		if s != 0 {
			axis = k
		}
	}
	if axis < 0 {
		return false
	}
	turn := func(a, b, c geom.Vec) int { return normalSigns(a, b, c)[axis] }
	inside := func(x geom.Vec) bool {
		s := sides{turn(t[0], t[1], x), turn(t[1], t[2], x), turn(t[2], t[0], x)}
		return !(s.has(1) && s.has(-1))
	}
	if inside(p) || inside(q) {
		return true
	}
	// Both ends outside: the segment meets t if it crosses an edge, touching
	// included. Collinear with an edge and ends outside, it meets another edge's
	// end, which the turns of that edge's ends show.
	for i := range 3 {
		a, b := t[i], t[next(i)]
		if turn(a, b, p)*turn(a, b, q) <= 0 && turn(p, q, a)*turn(p, q, b) <= 0 &&
			!(turn(p, q, a) == 0 && turn(p, q, b) == 0) {
			return true
		}
	}
	return false
}
