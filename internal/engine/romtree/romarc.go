package romtree

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/engine/kin"
)

// This file is trusted: the positions of a point that one joint moves. Everything is in the
// joint's frame at position zero, so that the axis passes through the origin.

// way is the motion of one joint: about or along a unit axis, between two positions.
type way struct {
	axis      geom.Vec
	prismatic bool
	at        Range // finite, if prismatic
}

// wayOf returns the motion of joint k in its range.
func wayOf(f *kin.Frame, at Range) way {
	axis := f.Axis
	if u, ok := geom.Unit(axis); ok && !f.Prismatic { // an axis set by hand may not have length 1
		axis = u
	}
	return way{axis, f.Prismatic, at}
}

// fullTurn reports whether the joint can make a full turn.
func (w *way) fullTurn() bool { return !(w.at.Hi-w.at.Lo < 2*math.Pi) }

// known reports whether the joint's motion is bounded.
func (w *way) known() bool { return !w.prismatic || w.at.Finite() }

// circle splits p: under rotation by q it is at mid + cos(q) a + sin(q) b.
func (w *way) circle(p geom.Vec) (mid, a, b geom.Vec) {
	mid = r3.Scale(r3.Dot(p, w.axis), w.axis)
	a = r3.Sub(p, mid)
	return mid, a, r3.Cross(w.axis, a)
}

// distanceToAxis returns the distance of p from the axis.
func (w *way) distanceToAxis(p geom.Vec) float64 {
	_, a, _ := w.circle(p)
	return geom.Norm(a)
}

// place returns p with the joint at q.
func (w *way) place(p geom.Vec, q float64) geom.Vec {
	if w.prismatic {
		return r3.Add(p, r3.Scale(q, w.axis))
	}
	mid, a, b := w.circle(p)
	s, c := math.Sincos(q)
	return r3.Add(mid, r3.Add(r3.Scale(c, a), r3.Scale(s, b)))
}

// wayRounding, times the lengths involved, exceeds the error of a point placed here, or of a
// distance to one: the circle's parts have 9 roundings, the sine and cosine errors of 2^-51
// each, their products and sums 6 roundings, the axis 6.
const wayRounding = 64 * 0x1p-53

// farthest bounds the distance from x to every position of p.
//
// Prismatic: a distance along a line is convex, so it is largest at an end. Revolute: the
// square is |x|^2 + |p|^2 - 2 x.p(q), and x.p(q) = x.mid + rho cos(q - q0), least half a turn
// from q0 if that is in the range, and at an end otherwise. Counting the half turn as reached
// if it nearly is makes the bound larger.
func (w *way) farthest(x, p geom.Vec) float64 {
	size := geom.Norm(x) + geom.Norm(p)
	if w.prismatic {
		lo, hi := w.place(p, w.at.Lo), w.place(p, w.at.Hi)
		return max(geom.Norm(r3.Sub(x, lo)), geom.Norm(r3.Sub(x, hi))) + wayRounding*(size+w.at.Size())
	}
	mid, a, b := w.circle(p)
	cos, sin := r3.Dot(x, a), r3.Dot(x, b)
	rho := math.Hypot(cos, sin)
	least := -rho
	if !w.reaches(math.Atan2(sin, cos) + math.Pi) {
		s0, c0 := math.Sincos(w.at.Lo)
		s1, c1 := math.Sincos(w.at.Hi)
		least = min(cos*c0+sin*s0, cos*c1+sin*s1)
	}
	square := r3.Dot(x, x) + r3.Dot(p, p) - 2*(r3.Dot(x, mid)+least)
	return math.Sqrt(max(0, square)+4*wayRounding*size*size) * (1 + wayRounding)
}

// nearlyReached exceeds the rounding of an angle of many turns.
const nearlyReached = 1e-9

// reaches reports whether the range contains q plus any whole turns, or nearly so.
func (w *way) reaches(q float64) bool {
	if w.fullTurn() {
		return true
	}
	lo, hi := w.at.Lo-nearlyReached, w.at.Hi+nearlyReached
	return q+2*math.Pi*math.Ceil((lo-q)/(2*math.Pi)) <= hi
}

// arcs returns the number of equal arcs of at most gap, which is less than a half turn, that
// the range is cut into, the first angle and the width of each.
func (w *way) arcs(gap float64) (n int, first, width float64) {
	span, first := w.at.Hi-w.at.Lo, w.at.Lo
	if w.fullTurn() {
		span, first = 2*math.Pi, 0
	}
	n = max(1, int(math.Ceil(span/gap)))
	return n, first, span / float64(n)
}

// around appends points whose hull holds every place of p: the ends, and for each
// arc the point where the tangents at its ends meet, 1/cos(width/2) times as far
// from the axis. The arc lies in the triangle of its ends and that point; and the end
// between two arcs lies midway between their points, so that only the first and the
// last are needed, and none where the joint comes round.
func (w *way) around(points []geom.Vec, p geom.Vec, gap float64) []geom.Vec {
	if w.prismatic {
		return append(points, w.place(p, w.at.Lo), w.place(p, w.at.Hi))
	}
	n, first, width := w.arcs(gap)
	mid, a, b := w.circle(p)
	out := 1 / math.Cos(width/2)
	for i := range n {
		s, c := math.Sincos(first + (float64(i)+0.5)*width)
		points = append(points, r3.Add(mid, r3.Add(r3.Scale(out*c, a), r3.Scale(out*s, b))))
	}
	if w.fullTurn() {
		return points
	}
	return append(points, w.place(p, w.at.Lo), w.place(p, w.at.Hi))
}

// samples appends the positions of p at both ends and between them, at most gap apart, as the
// paper samples them.
func (w *way) samples(points []geom.Vec, p geom.Vec, gap float64) []geom.Vec {
	if w.prismatic {
		return append(points, w.place(p, w.at.Lo), w.place(p, w.at.Hi))
	}
	n, first, width := w.arcs(gap)
	for i := range n + 1 {
		points = append(points, w.place(p, first+float64(i)*width))
	}
	return points
}

// sampleError bounds how far a position of a point no farther than r from the axis is from the
// hull of its samples: an arc rises r (1 - cos(width/2)) over its chord, and a slide is its
// own hull.
func (w *way) sampleError(r, gap float64) float64 {
	if w.prismatic {
		return 0
	}
	_, _, width := w.arcs(gap)
	half := math.Sin(width / 4)
	return r * 2 * half * half * (1 + wayRounding) // 1 - cos x = 2 sin^2(x/2)
}
