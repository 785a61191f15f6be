package mesh

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// maxEars is the largest polygon cut by ears, whose cost grows with the square
// of the number of corners.
const maxEars = 4096

// triangulator cuts polygons into triangles. It holds scratch and is not for
// concurrent use.
//
// A polygon of n corners always becomes n-2 triangles between its corners, whose
// edges cancel in pairs except for the outline: a closed mesh of polygons stays
// closed. What they cover is judged in the plane that the outline spans best:
//
//   - If the triangles of the fan around the first corner all turn the same way,
//     they cover each point as often as the outline winds around it: once inside
//     a simple polygon, never outside. Convex polygons are the common case.
//   - Else ears are clipped, which covers a simple polygon exactly, concave or not.
//   - Where no ear is left (an outline that crosses itself, or has no area) or
//     the polygon has more than maxEars corners, the rest becomes a fan. Its
//     signed triangles add up to the winding number, so each point around which
//     the outline winds is covered: the surface may grow, but loses nothing.
//
// A face of two corners or one stays as the segment or point that it is.
type triangulator struct {
	emit func(a, b, c int32) error

	flat       []point // the corners in the plane, counterclockwise
	prev, next []int32
	ear        []bool
}

type point struct{ x, y float64 }

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

// flatten drops the coordinate along which the outline's normal is longest, and
// orders the other two so that the outline runs counterclockwise.
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

// turn is twice the signed area of the triangle of three corners.
func (t *triangulator) turn(i, j, k int32) float64 {
	a, b, c := t.flat[i], t.flat[j], t.flat[k]
	return (b.x-a.x)*(c.y-a.y) - (b.y-a.y)*(c.x-a.x)
}

func (t *triangulator) fanTurnsOneWay() bool {
	for i := 2; i < len(t.flat); i++ {
		if !(t.turn(0, int32(i-1), int32(i)) >= 0) {
			return false
		}
	}
	return true
}

// clip cuts off ears. Cutting an ear changes only whether its two neighbours
// are ears (the diagonals of the rest are what they were), so n corners cost n²
// steps. Rounding and touching outlines may break that; then all are looked at
// again, a few times.
func (t *triangulator) clip(poly []int32) error {
	n := int32(len(poly))
	t.prev, t.next, t.ear = t.prev[:0], t.next[:0], t.ear[:0]
	for i := range n {
		t.prev = append(t.prev, (i+n-1)%n)
		t.next = append(t.next, (i+1)%n)
		t.ear = append(t.ear, false)
	}
	i, left := int32(0), n
	for again := 0; left > 3; {
		i = t.findEar(i, left)
		if !t.ear[i] {
			if again == 8 {
				break
			}
			again++
			if !t.markEars(i, left) {
				break
			}
			continue
		}
		a, b := t.prev[i], t.next[i]
		if err := t.emit(poly[a], poly[i], poly[b]); err != nil {
			return err
		}
		t.next[a], t.prev[b] = b, a
		left--
		t.ear[a], t.ear[b] = t.isEar(a), t.isEar(b)
		i = b
	}
	return t.fanRest(poly, i, left)
}

// findEar returns the next ear from i on, or i where there is none.
func (t *triangulator) findEar(i, left int32) int32 {
	j := i
	for range left {
		if t.ear[j] {
			return j
		}
		j = t.next[j]
	}
	return i
}

func (t *triangulator) markEars(i, left int32) (any bool) {
	for range left {
		t.ear[i] = t.isEar(i)
		any = any || t.ear[i]
		i = t.next[i]
	}
	return any
}

// isEar reports whether the triangle at corner i may be cut off: it turns left
// and no other corner lies in it, or it has no area at all, so that the outline
// without corner i encloses the same points.
func (t *triangulator) isEar(i int32) bool {
	a, b := t.prev[i], t.next[i]
	area := t.turn(a, i, b)
	if area <= 0 {
		return area == 0
	}
	for j := t.next[b]; j != a; j = t.next[j] {
		// A corner inside implies a corner inside that does not turn left.
		if t.turn(t.prev[j], j, t.next[j]) <= 0 && t.inside(j, a, i, b) {
			return false
		}
	}
	return true
}

// inside reports whether corner j lies in the closed triangle, corners of the
// same place excepted: outlines that touch themselves have such.
func (t *triangulator) inside(j, a, b, c int32) bool {
	p := t.flat[j]
	if p == t.flat[a] || p == t.flat[b] || p == t.flat[c] {
		return false
	}
	return t.turn(a, b, j) >= 0 && t.turn(b, c, j) >= 0 && t.turn(c, a, j) >= 0
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
