package tri

import "github.com/firstcontact-ros/firstcontact/geom"

// Crossing is how a segment from a point to one far outside meets a triangle.
type Crossing uint8

// The ways of crossing, each decided exactly.
const (
	Missed    Crossing = iota // no point in common
	Crossed                   // one point in common, inside the triangle and the segment
	Touched                   // the segment starts on the triangle
	Ambiguous                 // through an edge or a vertex, or along the plane: try another segment
)

// Cross reports how the segment from origin to end meets t, and from which side of t it comes:
// 1 from the one on which t turns counterclockwise, -1 from the other. The side is valid only
// if the segment crosses t. end must not lie on t.
//
// A triangle without area bounds nothing: it is missed, unless the line from
// origin to end meets the line of one of its edges, or they are parallel.
func Cross(origin, end geom.Vec, t *Triangle) (how Crossing, side int) {
	so, se := Orient(t[0], t[1], t[2], origin), Orient(t[0], t[1], t[2], end)
	switch {
	case so*se > 0:
		return Missed, so
	case so == 0 && se == 0:
		return crossInPlane(origin, end, t), so
	}
	s := passing(origin, end, t)
	switch {
	case s.has(1) && s.has(-1):
		return Missed, so
	case so == 0:
		return Touched, so
	case se == 0 || s.has(0):
		return Ambiguous, so
	}
	return Crossed, so
}

// crossInPlane is Cross where all five points are in one plane, or t has no area.
func crossInPlane(origin, end geom.Vec, t *Triangle) Crossing {
	if meetsInPlane(origin, origin, t) || onEdge(origin, t) {
		return Touched
	}
	if passing(origin, end, t).has(0) {
		return Ambiguous
	}
	return Missed
}

// onEdge reports whether p lies on an edge of t, exactly.
func onEdge(p geom.Vec, t *Triangle) bool {
	for i := range 3 {
		a, b := t[i], t[next(i)]
		if normalSigns(a, b, p) == [3]int{} &&
			between(a.X, p.X, b.X) && between(a.Y, p.Y, b.Y) && between(a.Z, p.Z, b.Z) {
			return true
		}
	}
	return false
}

func between(a, x, b float64) bool { return a <= x && x <= b || b <= x && x <= a }
