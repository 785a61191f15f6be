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
	ra := [9]float64{a.Axes.XX, a.Axes.XY, a.Axes.XZ, a.Axes.YX, a.Axes.YY, a.Axes.YZ, a.Axes.ZX, a.Axes.ZY, a.Axes.ZZ}
	ha, hb := [3]float64{a.Half.X, a.Half.Y, a.Half.Z}, [3]float64{b.Half.X, b.Half.Y, b.Half.Z}

	// b's centre from a's, in the frame of a's element.
	cb := [3]float64{b.Center.X, b.Center.Y, b.Center.Z}
	ca := [3]float64{a.Center.X, a.Center.Y, a.Center.Z}
	var m, ms [3]float64
	size := margin
	for i := range 3 {
		m[i] = r.c[3*i]*cb[0] + r.c[3*i+1]*cb[1] + r.c[3*i+2]*cb[2] + (r.t[i] - ca[i])
		ms[i] = r.d[3*i]*math.Abs(cb[0]) + r.d[3*i+1]*math.Abs(cb[1]) + r.d[3*i+2]*math.Abs(cb[2]) + r.s[i]
		size += math.Abs(ca[i]) + math.Abs(cb[i]) + math.Abs(r.t[i]) + ms[i] + ha[i] + hb[i]
	}
	slack := boxSlack * size

	// The same in a's own axes.
	var t, ts [3]float64
	for i := range 3 {
		t[i] = ra[i]*m[0] + ra[3+i]*m[1] + ra[6+i]*m[2]
		ts[i] = math.Abs(ra[i])*ms[0] + math.Abs(ra[3+i])*ms[1] + math.Abs(ra[6+i])*ms[2]
	}
	var c, d, most [9]float64 // e_i . f_j: the middle, the radius, the largest size
	turnInto(r, &ra, b, &c, &d, &most)

	edge := margin + slack
	for i := range 3 { // a's axes
		reach := ha[i] + hb[0]*most[3*i] + hb[1]*most[3*i+1] + hb[2]*most[3*i+2]
		if math.Abs(t[i])-ts[i] > reach+edge {
			return true
		}
	}
	for j := range 3 { // b's axes
		along := t[0]*c[j] + t[1]*c[3+j] + t[2]*c[6+j]
		off := 0.0
		for i := range 3 {
			off += math.Abs(t[i])*d[3*i+j] + ts[i]*most[3*i+j]
		}
		reach := hb[j] + ha[0]*most[j] + ha[1]*most[3+j] + ha[2]*most[6+j]
		if math.Abs(along)-off > reach+edge {
			return true
		}
	}
	return acrossEdges(&t, &ts, &c, &d, &most, &ha, &hb, edge)
}

// turnInto bounds the products e_i . f_j of the axes of both boxes.
func turnInto(r *Relative, ra *[9]float64, b *OBB, c, d, most *[9]float64) {
	rb := [9]float64{b.Axes.XX, b.Axes.XY, b.Axes.XZ, b.Axes.YX, b.Axes.YY, b.Axes.YZ, b.Axes.ZX, b.Axes.ZY, b.Axes.ZZ}
	for i := range 3 {
		x, y, z := ra[i], ra[3+i], ra[6+i]
		var v, w [3]float64
		for k := range 3 {
			v[k] = x*r.c[k] + y*r.c[3+k] + z*r.c[6+k]
			w[k] = math.Abs(x)*r.d[k] + math.Abs(y)*r.d[3+k] + math.Abs(z)*r.d[6+k]
		}
		for j := range 3 {
			mid := v[0]*rb[j] + v[1]*rb[3+j] + v[2]*rb[6+j]
			off := w[0]*math.Abs(rb[j]) + w[1]*math.Abs(rb[3+j]) + w[2]*math.Abs(rb[6+j])
			c[3*i+j], d[3*i+j] = mid, off
			most[3*i+j] = min(math.Abs(mid)+off, 1)
		}
	}
}

// acrossEdges tries the nine axes e_i x f_j.
func acrossEdges(t, ts *[3]float64, c, d, most *[9]float64, ha, hb *[3]float64, edge float64) bool {
	for i := range 3 {
		k, l := next[i], next[next[i]]
		for j := range 3 {
			// T . (e_i x f_j) = T_l (e_k . f_j) - T_k (e_l . f_j)
			along := t[l]*c[3*k+j] - t[k]*c[3*l+j]
			off := math.Abs(t[l])*d[3*k+j] + ts[l]*most[3*k+j] + math.Abs(t[k])*d[3*l+j] + ts[k]*most[3*l+j]
			n, o := next[j], next[next[j]]
			reach := ha[k]*most[3*l+j] + ha[l]*most[3*k+j] + hb[n]*most[3*i+o] + hb[o]*most[3*i+n]
			if math.Abs(along)-off > reach+edge {
				return true
			}
		}
	}
	return false
}

var next = [3]int{1, 2, 0}
