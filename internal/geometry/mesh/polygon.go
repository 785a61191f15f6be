package mesh

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// maxEars is the largest polygon for ear clipping, whose cost is quadratic in the number of
// corners.
const maxEars = 4096

// triangulator cuts polygons into triangles. It holds scratch memory and is not safe for
// concurrent use.
//
// A polygon of n corners always becomes n-2 triangles between its corners, whose
// edges cancel in pairs except for the outline: a closed mesh of polygons stays
// closed. What they cover is judged in the plane that the outline spans best:
//
//   - If the triangles of the fan around the first corner all turn the same way,
//     they cover each point as often as the outline winds around it: once inside
//     a simple polygon, never outside. Convex polygons are the common case.
//   - Else ears are clipped, which covers a simple polygon exactly, concave or not,
//     also where it touches itself, as it does along the bridge to a hole.
//   - Where no ear is left (an outline that crosses itself, or has no area) or
//     the polygon has more than maxEars corners, the rest becomes a fan. Its
//     signed triangles add up to the winding number, so each point around which
//     the outline winds is covered: the surface may grow, but loses nothing.
//
// Turns are decided exactly, on the given coordinates. A corner that touches the outline
// between two corners, in a plane oblique to the axes, may have been rounded to the other
// side: such an outline crosses itself.
//
// A face of two corners or one stays a segment or a point.
type triangulator struct {
	emit func(a, b, c int32) error

	flat       []point // the corners in the plane, counterclockwise
	prev, next []int32 // the outline of what is left
	bend       []int   // its turn at each corner
	ear        []bool
	changed    []int32 // corners to examine for spikes; some may have been cut off
}

// cut emits the triangles of the polygon whose corners are pos[poly[0]],
// pos[poly[1]], …
func (t *triangulator) cut(pos []geom.Vec, poly []int32) error {
	switch n := len(poly); n {
	case 0:
		return nil
	case 1, 2:
		return t.emit(poly[0], poly[n-1], poly[n-1])
	case 3:
		return t.emit(poly[0], poly[1], poly[2])
	}
	if slices.ContainsFunc(poly, func(i int32) bool { return !geom.Finite(pos[i]) }) {
		return t.fan(poly) // turns are those of finite corners; what takes the triangles refuses others
	}
	t.flatten(pos, poly)
	if t.fanTurnsOneWay() || len(poly) > maxEars {
		return t.fan(poly)
	}
	return t.clip(poly)
}

func (t *triangulator) fan(poly []int32) error {
	for i := 2; i < len(poly); i++ {
		if err := t.emit(poly[0], poly[i-1], poly[i]); err != nil {
			return err
		}
	}
	return nil
}

// flatten drops the coordinate along which the outline's normal is longest, and orders the
// other two so that the outline runs counterclockwise.
func (t *triangulator) flatten(pos []geom.Vec, poly []int32) {
	n := newell(pos, poly)
	ax, ay, az := math.Abs(n.X), math.Abs(n.Y), math.Abs(n.Z)
	t.flat = t.flat[:0]
	for _, i := range poly {
		v := pos[i]
		var p point
		var up float64
		switch {
		case az >= ax && az >= ay:
			p, up = point{v.X, v.Y}, n.Z
		case ay >= ax:
			p, up = point{v.Z, v.X}, n.Y
		default:
			p, up = point{v.Y, v.Z}, n.X
		}
		if up < 0 {
			p.x, p.y = p.y, p.x
		}
		t.flat = append(t.flat, p)
	}
}

// newell returns twice the vector area of the outline, measured from its first
// corner so that a polygon far from the origin loses no digits.
func newell(pos []geom.Vec, poly []int32) geom.Vec {
	var n geom.Vec
	o := pos[poly[0]]
	for i := 2; i < len(poly); i++ {
		n = r3.Add(n, r3.Cross(r3.Sub(pos[poly[i-1]], o), r3.Sub(pos[poly[i]], o)))
	}
	return n
}

// turn is the sign of the turn from corner i over j to k, exactly.
func (t *triangulator) turn(i, j, k int32) int {
	return turn(t.flat[i], t.flat[j], t.flat[k])
}

func (t *triangulator) fanTurnsOneWay() bool {
	for i := 2; i < len(t.flat); i++ {
		if t.turn(0, int32(i-1), int32(i)) < 0 {
			return false
		}
	}
	return true
}
