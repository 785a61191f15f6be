package rules

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// Rule (B) for many pairs at once. What a ball says of itself is worked out once, so that a
// pair costs two differences and two comparisons; the kernel takes four pairs at a time.

// Ball is a ball during I, ready to be compared with others: seen in W, as those of all
// bodies. It fills a line of the cache; ballsAVX knows its layout.
type Ball struct {
	center [3]float64 // at c
	far    float64    // what it asks for by its displacement
	vel    [3]float64 // of the centre at c
	bent   float64    // what it asks for by the bend of its centre's path
}

// BallOf returns the ball of the given centre at c, its velocity there, and its radius, to
// which slack belongs and how far joints may stray. b bounds the motion of the centre.
//
// What it asks for is as in BallsApart, shared out to both balls of a pair. All terms are
// zero or more. Their sum has at most 7 roundings from radius and slack to the clearance, and
// the square of the sum one more: that makes it too small by 15u, the square of a distance is
// too large by 3u, and grown makes the sum's square larger by 32u. The floor keeps that square
// from being lost.
func BallOf(center, vel geom.Vec, radius float64, b Bounds) Ball {
	const floor = 0x1p-500
	radius += floor
	return Ball{
		center: [3]float64{center.X, center.Y, center.Z}, far: (radius + b.Far) * grown,
		vel: [3]float64{vel.X, vel.Y, vel.Z}, bent: (radius + Bent(b.Accel, b.H)) * grown,
	}
}

const grown = 1 + 16*u

// BallsParted proves pairs of balls more than a clearance apart for every t in I, as
// BallsApart does: bit k%4 of apart[k/4] is set for those pairs[k] that it proves apart.
// Pairs name two of the balls each, by their index. h is that of I, or 0 where none of the
// balls moves.
//
// There must be a multiple of four pairs, and as many bytes as there are fours.
func BallsParted(balls []Ball, pairs [][2]int32, clearance, h float64, apart []uint8) {
	fours := len(pairs) / 4
	if fours == 0 {
		return
	}
	clearance *= grown
	if vectors {
		_ = apart[fours-1]
		ballsAVX(&balls[0], &pairs[0], fours, clearance, h, &apart[0])
		return
	}
	for i := range fours {
		apart[i] = partedFour(balls, pairs[4*i:4*i+4], clearance, h)
	}
}

// partedFour is the kernel's twin: the same operations in the same order, so that both give
// the same bits. The kernel tries the second rule on all four or on none.
func partedFour(balls []Ball, pairs [][2]int32, clearance, h float64) (apart uint8) {
	for k := range pairs {
		if a, b := &balls[pairs[k][0]], &balls[pairs[k][1]]; a.farFrom(b, clearance) || h != 0 && a.passes(b, clearance, h) {
			apart |= 1 << k
		}
	}
	return apart
}

// farFrom proves two balls apart by their displacements: centres are as far apart at c as
// the radii and both displacements.
func (a *Ball) farFrom(b *Ball, clearance float64) bool {
	x := minus(&a.center, &b.center)
	return beyond(squareOf(&x), a.far+b.far+clearance)
}

// passes proves two balls apart by the lines on which their centres leave c: the proof of
// BallsApart. The nearest parameter errs as in DistanceToSegment. tiny keeps it a number
// where no speed is left, and moves the point by less than the floor of slack: by
// h tiny / |x1|, and by h |x1|.
func (a *Ball) passes(b *Ball, clearance, h float64) bool {
	const tiny = 0x1p-1022
	x, v := minus(&a.center, &b.center), minus(&a.vel, &b.vel)
	speed := squareOf(&v)
	s := product(&x, &v) / (speed + tiny)
	if h < s {
		s = h
	}
	if -h > s {
		s = -h
	}
	at := [3]float64{x[0] - float64(s*v[0]), x[1] - float64(s*v[1]), x[2] - float64(s*v[2])}
	return beyond(squareOf(&at), a.bent+b.bent+clearance) && speed <= math.MaxFloat64
}

// beyond compares the square of a length, which proves nothing where it overflowed, with a
// length.
func beyond(square, length float64) bool {
	return square > float64(length*length) && square <= math.MaxFloat64
}

func minus(a, b *[3]float64) [3]float64 { return [3]float64{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

func squareOf(a *[3]float64) float64 { return product(a, a) }

func product(a, b *[3]float64) float64 {
	return float64(a[0]*b[0]) + float64(a[1]*b[1]) + float64(a[2]*b[2])
}
