package articulate

// The continuous overlap test of two oriented boxes: RKLM04, Eq. 12 and section 5.1.1.
//
// Each of the fifteen axes of the static separating axis test is a function of time
// here: e_i of box A, f_j of box B, and e_i x f_j, at the same instant that both sides
// of
//
//	|a . T_A T_B|  >  sum_i a_i |a . e_i|  +  sum_i b_i |a . f_i|                  (12)
//
// are taken at. Interval arithmetic bounds both sides over an interval of time; where
// the lower bound of the left one exceeds the upper bound of the right one, this axis
// separates the boxes all along.
//
// Departures. The paper bounds the boxes' axes and centres in the world and multiplies
// those; here the motion of one element in the frame of the other is bounded once for
// all boxes (Relative), and each test turns it into the boxes' own frames, where
// e_i . e_j is 0 or 1 and needs no bound. Intervals are kept as middle and radius, whose
// products need no case distinctions. The right side grows by what must be exceeded, a
// clearance and the radii of rounded pieces, as |a| is at most 1 for every axis.

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/internal/numeric/interval"
)

// Relative is where one element is in the frame of another over an interval of time:
// the matrix C and the position T, entry by entry, within D and S of it.
type Relative struct {
	c, d [9]float64 // row by row
	t, s [3]float64
}

// RelativeOf returns where b is in the frame of a, of poses in a third frame; either
// is a set of poses that holds the true one of every instant.
func RelativeOf(a, b *interval.Pose) Relative {
	// R_a^T R_b, and R_a^T (P_b - P_a).
	var r Relative
	at := interval.Mat{
		{X: a.R[0].X, Y: a.R[1].X, Z: a.R[2].X},
		{X: a.R[0].Y, Y: a.R[1].Y, Z: a.R[2].Y},
		{X: a.R[0].Z, Y: a.R[1].Z, Z: a.R[2].Z},
	}
	rot := at.Mul(&b.R).Rotation()
	for i := range 3 {
		r.c[3*i], r.d[3*i] = middle(rot[i].X)
		r.c[3*i+1], r.d[3*i+1] = middle(rot[i].Y)
		r.c[3*i+2], r.d[3*i+2] = middle(rot[i].Z)
	}
	p := at.Apply(b.P.Sub(a.P))
	r.t[0], r.s[0] = middle(p.X)
	r.t[1], r.s[1] = middle(p.Y)
	r.t[2], r.s[2] = middle(p.Z)
	return r
}

// middle returns a number and how far from it, rounded up, the interval's may be.
func middle(a interval.I) (mid, radius float64) {
	mid = a.Mid()
	return mid, max(a.Hi-mid, mid-a.Lo) * (1 + 0x1p-50)
}

// boxSlack times the sum of all lengths that enter a test bounds its rounding. No
// number on the way exceeds 4 times that sum, none is the end of more than 40
// roundings, each of at most 2^-53 of its result, and the boxes' axes are orthonormal
// to 8 x 2^-53 only, which moves what they are multiplied with by as little: 4 x (40 +
// 24) x 2^-53 = 2^-45.
const boxSlack = 0x1p-44

// ApartOver reports that box a, of the element in whose frame r is, and box b, of the
// other, are more than margin apart at every instant that r stands for: some axis
// separates them at each. False says nothing.
func ApartOver(r *Relative, a, b *OBB, margin float64) bool {
	var x axesTest
	edge := margin + x.place(r, a, b, margin)
	return x.alongA(edge) || x.alongB(edge) || x.acrossEdges(edge)
}

// axesTest is two boxes over an interval, as the separating axis test (Eq. 12) sees them:
// e_i are the axes of a, f_j those of b.
type axesTest struct {
	ha, hb  [3]float64 // half sizes
	t, ts   [3]float64 // b's centre from a's along the axes of a: the middle and the radius
	c, d    [9]float64 // e_i . f_j: the middle and the radius
	largest [9]float64 // the largest size of e_i . f_j, at most 1
}

// place sets the boxes of a test and returns what it may be off by for rounding.
func (x *axesTest) place(r *Relative, a, b *OBB, margin float64) (slack float64) {
	ra := [9]float64{a.Axes.XX, a.Axes.XY, a.Axes.XZ, a.Axes.YX, a.Axes.YY, a.Axes.YZ, a.Axes.ZX, a.Axes.ZY, a.Axes.ZZ}
	x.ha, x.hb = [3]float64{a.Half.X, a.Half.Y, a.Half.Z}, [3]float64{b.Half.X, b.Half.Y, b.Half.Z}

	// b's centre from a's, in the frame of a's element.
	cb := [3]float64{b.Center.X, b.Center.Y, b.Center.Z}
	ca := [3]float64{a.Center.X, a.Center.Y, a.Center.Z}
	var m, ms [3]float64
	size := margin
	for i := range 3 {
		m[i] = r.c[3*i]*cb[0] + r.c[3*i+1]*cb[1] + r.c[3*i+2]*cb[2] + (r.t[i] - ca[i])
		ms[i] = r.d[3*i]*math.Abs(cb[0]) + r.d[3*i+1]*math.Abs(cb[1]) + r.d[3*i+2]*math.Abs(cb[2]) + r.s[i]
		size += math.Abs(ca[i]) + math.Abs(cb[i]) + math.Abs(r.t[i]) + ms[i] + x.ha[i] + x.hb[i]
	}

	// The same in a's own axes.
	for i := range 3 {
		x.t[i] = ra[i]*m[0] + ra[3+i]*m[1] + ra[6+i]*m[2]
		x.ts[i] = math.Abs(ra[i])*ms[0] + math.Abs(ra[3+i])*ms[1] + math.Abs(ra[6+i])*ms[2]
	}
	x.turn(r, &ra, b)
	return boxSlack * size
}

// turn bounds the products e_i . f_j.
func (x *axesTest) turn(r *Relative, ra *[9]float64, b *OBB) {
	rb := [9]float64{b.Axes.XX, b.Axes.XY, b.Axes.XZ, b.Axes.YX, b.Axes.YY, b.Axes.YZ, b.Axes.ZX, b.Axes.ZY, b.Axes.ZZ}
	for i := range 3 {
		ex, ey, ez := ra[i], ra[3+i], ra[6+i]
		var v, w [3]float64
		for k := range 3 {
			v[k] = ex*r.c[k] + ey*r.c[3+k] + ez*r.c[6+k]
			w[k] = math.Abs(ex)*r.d[k] + math.Abs(ey)*r.d[3+k] + math.Abs(ez)*r.d[6+k]
		}
		for j := range 3 {
			mid := v[0]*rb[j] + v[1]*rb[3+j] + v[2]*rb[6+j]
			off := w[0]*math.Abs(rb[j]) + w[1]*math.Abs(rb[3+j]) + w[2]*math.Abs(rb[6+j])
			x.c[3*i+j], x.d[3*i+j] = mid, off
			x.largest[3*i+j] = min(math.Abs(mid)+off, 1)
		}
	}
}

// alongA tries the axes of a.
func (x *axesTest) alongA(edge float64) bool {
	for i := range 3 {
		reach := x.ha[i] + x.hb[0]*x.largest[3*i] + x.hb[1]*x.largest[3*i+1] + x.hb[2]*x.largest[3*i+2]
		if math.Abs(x.t[i])-x.ts[i] > reach+edge {
			return true
		}
	}
	return false
}

// alongB tries the axes of b.
func (x *axesTest) alongB(edge float64) bool {
	for j := range 3 {
		along := x.t[0]*x.c[j] + x.t[1]*x.c[3+j] + x.t[2]*x.c[6+j]
		off := 0.0
		for i := range 3 {
			off += math.Abs(x.t[i])*x.d[3*i+j] + x.ts[i]*x.largest[3*i+j]
		}
		reach := x.hb[j] + x.ha[0]*x.largest[j] + x.ha[1]*x.largest[3+j] + x.ha[2]*x.largest[6+j]
		if math.Abs(along)-off > reach+edge {
			return true
		}
	}
	return false
}

// acrossEdges tries the nine axes e_i x f_j.
func (x *axesTest) acrossEdges(edge float64) bool {
	t, ts, c, d, most := &x.t, &x.ts, &x.c, &x.d, &x.largest
	for i := range 3 {
		k, l := next[i], next[next[i]]
		for j := range 3 {
			// T . (e_i x f_j) = T_l (e_k . f_j) - T_k (e_l . f_j)
			along := t[l]*c[3*k+j] - t[k]*c[3*l+j]
			off := math.Abs(t[l])*d[3*k+j] + ts[l]*most[3*k+j] + math.Abs(t[k])*d[3*l+j] + ts[k]*most[3*l+j]
			n, o := next[j], next[next[j]]
			reach := x.ha[k]*most[3*l+j] + x.ha[l]*most[3*k+j] + x.hb[n]*most[3*i+o] + x.hb[o]*most[3*i+n]
			if math.Abs(along)-off > reach+edge {
				return true
			}
		}
	}
	return false
}

var next = [3]int{1, 2, 0}
