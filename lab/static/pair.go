package static

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// pair is two pieces and a pose in which they were seen apart.
type pair struct {
	a, b  int32   // pieces; a's ball is the smaller one
	reach float64 // of the two balls together
	apart float64
	last  float64  // what the last search found
	rot   geom.Rot // of a's frame in b's where they were apart by that much
	mid   geom.Vec // of a's ball there
	guess [2]int32 // leaves
	plane geom.Vec // its normal in a's frame, from a to b, or zero
}

// moved bounds how far any point of a has moved, as b sees it, since the reference: to
// where a stands at rot and the middle of its ball, of radius r, at mid in b's frame.
//
// A point of a is mid + R y with |y| <= r: it has moved by at most
// |mid' - mid| + |(R' - R) y|, and the difference of two rotations stretches nothing by
// more than its Frobenius norm divided by the root of two, as its singular values are
// s, s, 0.
func (p *pair) moved(r float64, rot *geom.Rot, mid geom.Vec) float64 {
	return (math.Sqrt(r3.Norm2(r3.Sub(mid, p.mid))) + r*math.Sqrt(apartness(rot, &p.rot)/2)) * (1 + 1e-12)
}

// kept tells whether the reference shows that the pair is more than limit apart: no
// point has come nearer to the other body by more than it moved. Nor can a body have got
// into another without meeting its surface, which is what the distance is to.
func (p *pair) kept(r float64, rot *geom.Rot, mid geom.Vec, limit float64) bool {
	left := p.apart - limit
	return left > 0 && p.moved(r, rot, mid) < left
}

// apartness is the square of the Frobenius norm of a difference.
func apartness(a, b *geom.Rot) float64 {
	xx, xy, xz := a.XX-b.XX, a.XY-b.XY, a.XZ-b.XZ
	yx, yy, yz := a.YX-b.YX, a.YY-b.YY, a.YZ-b.YZ
	zx, zy, zz := a.ZX-b.ZX, a.ZY-b.ZY, a.ZZ-b.ZZ
	return xx*xx + xy*xy + xz*xz + yx*yx + yy*yy + yz*yz + zx*zx + zy*zy + zz*zz
}

// relative is a's rotation and a point of a as b's frame has them.
func relative(a, b *geom.Pose, point geom.Vec) (geom.Rot, geom.Vec) {
	var r geom.Rot
	r.XX = b.R.XX*a.R.XX + b.R.YX*a.R.YX + b.R.ZX*a.R.ZX
	r.XY = b.R.XX*a.R.XY + b.R.YX*a.R.YY + b.R.ZX*a.R.ZY
	r.XZ = b.R.XX*a.R.XZ + b.R.YX*a.R.YZ + b.R.ZX*a.R.ZZ
	r.YX = b.R.XY*a.R.XX + b.R.YY*a.R.YX + b.R.ZY*a.R.ZX
	r.YY = b.R.XY*a.R.XY + b.R.YY*a.R.YY + b.R.ZY*a.R.ZY
	r.YZ = b.R.XY*a.R.XZ + b.R.YY*a.R.YZ + b.R.ZY*a.R.ZZ
	r.ZX = b.R.XZ*a.R.XX + b.R.YZ*a.R.YX + b.R.ZZ*a.R.ZX
	r.ZY = b.R.XZ*a.R.XY + b.R.YZ*a.R.YY + b.R.ZZ*a.R.ZY
	r.ZZ = b.R.XZ*a.R.XZ + b.R.YZ*a.R.YZ + b.R.ZZ*a.R.ZZ
	return r, b.R.ApplyInv(r3.Sub(point, b.P))
}

// planeShare is the part of what the last search found that a plane must still show
// before another search.
const planeShare = 0.4

// look measures a pair anew. It returns a lower bound of the distance of the two as
// solids, or -Inf where it is not sure that they are more than the limit apart.
func (j *Judge) look(p *pair, a, b *piece, pa, pb *geom.Pose, rot geom.Rot, mid geom.Vec, limit float64) float64 {
	j.Looks++
	s := &j.search
	s.a, s.b, s.limit = a, b, limit
	s.ofB = pa.Inv().Mul(*pb)
	if d := s.byPlane(p); d > limit {
		p.apart, p.rot, p.mid = d, rot, mid
		return d
	}
	j.Searches++
	d := s.distance(math.Max(j.plenty, 2*limit), p.guess)
	j.Leaves += s.count
	if s.count > 0 && s.along != (geom.Vec{}) {
		p.guess = s.pair
	}
	p.plane, p.last = geom.Vec{}, d
	parted := s.parted(s.along)
	if parted > 0 {
		p.plane = s.along
	}
	if d <= limit || parted <= 0 && !j.outside(a, b, &s.ofB) {
		p.apart = math.Inf(-1) // the search ended early, or something may be inside
		return math.Inf(-1)
	}
	p.apart, p.rot, p.mid = d, rot, mid
	return d
}

// byPlane is what a plane shows the pieces to be apart, if that is not much less than
// they may be: the last search's plane beside what it found, or that between the leaves
// that were nearest then beside these two's distance. Else it is -Inf.
func (s *search) byPlane(p *pair) float64 {
	good := func(d, of float64) bool { return d > s.limit && d-s.limit > planeShare*(of-s.limit) }
	if d := s.parted(p.plane); good(d, p.last) {
		return d
	}
	if p.plane == (geom.Vec{}) || p.guess[0] < 0 {
		return math.Inf(-1)
	}
	s.b.leaves[p.guess[1]].moved(&s.ofB, &s.sb)
	g, n := gap(&s.a.leaves[p.guess[0]], &s.sb, s.limit, math.Inf(1))
	if d := s.parted(n); g > s.limit && good(d, g) {
		p.plane, p.last = n, g
		return d
	}
	return math.Inf(-1)
}

// outside tells whether neither piece has a component in the other.
func (j *Judge) outside(a, b *piece, ofB *geom.Pose) bool {
	if len(a.solids) > 0 {
		for _, x := range b.probes {
			j.Insides++
			if !outside(a.solids, ofB.Apply(x)) {
				return false
			}
		}
	}
	if len(b.solids) > 0 {
		for _, x := range a.probes {
			j.Insides++
			if !outside(b.solids, ofB.ApplyInv(x)) {
				return false
			}
		}
	}
	return true
}
