// Package lanes computes with eight times of a motion at once, one in each lane of a vector:
// poses of frames, boxes around what an interval's steps sweep, support values of hulls. All
// numbers are float32, rounded to nearest; what bounds the errors stands with the caller
// (package place).
//
// Each function has a kernel of vector instructions and a twin in Go that does the same
// operations in the same order and gives the same bits.
package lanes

import "math"

// Times is how many times of an interval there are, its ends among them. Between them are
// Steps steps: step k is from time k to time k+1.
const (
	Times = 8
	Steps = Times - 1
	All   = 1<<Steps - 1 // the set of all steps; bit k is step k, from time k to time k+1 (see Ends)
)

// Ends holds at which time each step ends; step k begins at time k. The last is for the last time alone.
type Ends [Times]int32

// Steps that are from each time to the next, and steps that are one time each, of as many robots at rest.
var (
	Joined   = Ends{1, 2, 3, 4, 5, 6, 7, 7}
	Separate = Ends{0, 1, 2, 3, 4, 5, 6, 7}
)

// Row is a number at each of the times.
type Row [Times]float32

// Point is a point or direction at each of the times.
type Point [3]Row

// Pose is that of a frame at each of the times: R row by row, and P.
type Pose struct {
	R [9]Row
	P Point
}

// Joint carries a frame: about or along the z axis of the frame itself. Fixed is the pose in
// the parent's frame where the joint is at zero, its rotation row by row and its position.
type Joint struct {
	Fixed  [12]float32
	Parent int32
	_      [3]int32
}

// Turn is a joint at each of the times: its angle, from -MaxAngle to MaxAngle, and how far it
// slides along z.
type Turn struct{ Angle, Slide Row }

// MaxAngle (rad) is more than half a turn: whole turns are subtracted from what is beyond it.
const MaxAngle = 4

// Box is a box in a frame, aligned with its axes.
type Box struct {
	Center, Half [3]float32
	Frame        int32
	Grow         float32 // what sweeps it is made larger by
}

// Sweep is a box around what something sweeps in each step; lane Steps is for the last time
// alone.
type Sweep struct{ Lo, Hi Point }

// HalfSpace is one for each step: N.x <= Reach.
type HalfSpace struct {
	N     [3]float32
	_     float32
	Reach Row // lane Steps means nothing
}

// Beyond returns the steps in which what has N.x >= least all over it is beyond the half-space.
func (h *HalfSpace) Beyond(least float64) (steps uint8) {
	for k, reach := range h.Reach[:Steps] {
		if least > float64(reach) {
			steps |= 1 << k
		}
	}
	return steps
}

// Eight is eight boxes side by side, like the children of a node of a bvh.Wide tree.
type Eight [3][8]float32

// Still is the pose of a frame at the origin that does not move.
func Still() Pose {
	var p Pose
	for _, i := range [...]int{0, 4, 8} {
		for k := range p.R[i] {
			p.R[i][k] = 1
		}
	}
	return p
}

// place is Place's twin.
func place(poses []Pose, joints []Joint, turns []Turn) {
	for j := range joints {
		placeOne(&poses[j+1], &poses[joints[j].Parent], &joints[j], &turns[j])
	}
}

func placeOne(out, parent *Pose, j *Joint, t *Turn) {
	f := &j.Fixed
	for k := range Times {
		s, c := sincos(t.Angle[k])
		for i := range 3 {
			r0, r1, r2 := parent.R[3*i][k], parent.R[3*i+1][k], parent.R[3*i+2][k]
			x := dot(r0, f[0], r1, f[3], r2, f[6])
			y := dot(r0, f[1], r1, f[4], r2, f[7])
			z := dot(r0, f[2], r1, f[5], r2, f[8])
			p := dot(r0, f[9], r1, f[10], r2, f[11]) + parent.P[i][k]
			out.R[3*i][k] = float32(c*x) + float32(s*y)
			out.R[3*i+1][k] = float32(c*y) - float32(s*x)
			out.R[3*i+2][k] = z
			out.P[i][k] = p + float32(t.Slide[k]*z)
		}
	}
}

// sincos computes sine and cosine of an angle of at most MaxAngle with an error of less than 3v, v = 2^-24.
//
// The angle is less by quarter turns then, n of them, in two parts: the products with the first are exact, as are the differences,
// and the second rounds the angle by v/2 at most. Of the power series the next terms are less than v/2. Sums of
// a few terms, of which each is less than an eighth of the one before, err by some 1.5v.
func sincos(x float32) (sin, cos float32) {
	m := float32(x*perQuarter) + nearest // of which the last bits are those of n
	n := m - nearest
	x -= float32(n * quarter)
	x -= float32(n * quarterRest)
	y := float32(x * x)
	s := float32(y*sin9) + sin7
	s = float32(s*y) + sin5
	s = float32(s*y) + sin3
	s = float32(float32(s*y)*x) + x
	c := float32(y*cos8) + cos6
	c = float32(c*y) + cos4
	c = float32(c*y) + cos2
	c = float32(c*y) + 1
	odd := math.Float32bits(m) << 31
	opposite := math.Float32bits(m) << 30 & (1 << 31)
	sin, cos = s, c
	if odd != 0 {
		sin, cos = c, s
	}
	return flip(sin, opposite), flip(cos, opposite^odd)
}

// flip changes the sign of a number if that of a set is set.
func flip(x float32, sign uint32) float32 { return math.Float32frombits(math.Float32bits(x) ^ sign) }

// What sincos multiplies by. Nearest makes a sum end at the units of a number.
const (
	perQuarter  float32 = 2 / math.Pi
	nearest     float32 = 3 << 22
	quarter     float32 = 0x1.921fbp0 // 21 bits of it, so that products with up to 7 are exact
	quarterRest float32 = math.Pi/2 - 0x1.921fbp0

	sin3, sin5, sin7, sin9 float32 = -1. / 6, 1. / 120, -1. / 5040, 1. / 362880
	cos2, cos4, cos6, cos8 float32 = -1. / 2, 1. / 24, -1. / 720, 1. / 40320
)

// dot rounds each product and each sum, from the left.
func dot(a, b, c, d, e, f float32) float32 { return float32(a*b) + float32(c*d) + float32(e*f) }

// sweep is SweepBoxes' twin.
func sweep(poses []Pose, boxes []Box, ends *Ends, out []Sweep) {
	for i := range boxes {
		sweepOne(&poses[boxes[i].Frame], &boxes[i], ends, &out[i])
	}
}

func sweepOne(p *Pose, b *Box, ends *Ends, out *Sweep) {
	c, h := &b.Center, &b.Half
	for i := range 3 {
		var lo, hi Row
		for k := range Times {
			r0, r1, r2 := p.R[3*i][k], p.R[3*i+1][k], p.R[3*i+2][k]
			at := dot(r0, c[0], r1, c[1], r2, c[2]) + p.P[i][k]
			half := dot(abs(r0), h[0], abs(r1), h[1], abs(r2), h[2]) + b.Grow
			lo[k], hi[k] = at-half, at+half
		}
		for k := range Times {
			end := ends[k]
			out.Lo[i][k], out.Hi[i][k] = least(lo[k], lo[end]), most(hi[k], hi[end])
		}
	}
}

// least and most are the processor's: the second of two numbers where one is a NaN.
func least(a, b float32) float32 {
	if a < b {
		return a
	}
	return b
}

func most(a, b float32) float32 {
	if a > b {
		return a
	}
	return b
}

// abs is x without its sign, which a zero has too.
func abs(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }

// missed is Missed's twin.
func missed(s *Sweep, lo, hi *Eight, of uint32, out *[8]uint8) {
	for i := range 8 {
		if of>>i&1 == 0 {
			continue
		}
		var set uint8
		for k := range Steps {
			for a := range 3 {
				if lo[a][i] > s.Hi[a][k] || hi[a][i] < s.Lo[a][k] {
					set |= 1 << k
				}
			}
		}
		out[i] = set
	}
}

// direct is Direct's twin.
func direct(p *Pose, n *[3]float32, out *Point) {
	for i := range 3 {
		for k := range Times {
			out[i][k] = dot(p.R[3*i][k], n[0], p.R[3*i+1][k], n[1], p.R[3*i+2][k], n[2])
		}
	}
}

// support is Support's twin.
func support(p *Pose, corners [][3]float32, n *Point, out *Row) {
	for k := range Times {
		out[k] = p.farthest(corners, n[0][k], n[1][k], n[2][k], k)
	}
}

// gap is Gap's twin.
func gap(pa *Pose, a [][3]float32, pb *Pose, b [][3]float32, n *Point, out *Row) {
	for k := range Times {
		nx, ny, nz := n[0][k], n[1][k], n[2][k]
		out[k] = -pa.farthest(a, nx, ny, nz, k) - pb.farthest(b, -nx, -ny, -nz, k)
	}
}

// farthest returns how far a hull of corners reaches along a direction at one of the times.
func (p *Pose) farthest(corners [][3]float32, nx, ny, nz float32, k int) float32 {
	x := dot(p.R[0][k], nx, p.R[3][k], ny, p.R[6][k], nz)
	y := dot(p.R[1][k], nx, p.R[4][k], ny, p.R[7][k], nz)
	z := dot(p.R[2][k], nx, p.R[5][k], ny, p.R[8][k], nz)
	along := func(c *[3]float32) float32 { return dot(c[0], x, c[1], y, c[2], z) }
	// Two corners at a time: half as many maxima wait for the one before.
	far, i := float32(math.Inf(-1)), 0
	for ; i+2 <= len(corners); i += 2 {
		far = most(far, most(along(&corners[i]), along(&corners[i+1])))
	}
	if i < len(corners) {
		far = most(far, along(&corners[i]))
	}
	return far + dot(p.P[0][k], nx, p.P[1][k], ny, p.P[2][k], nz)
}

// sums is Sums' twin.
func sums(rows []Row, factors []float32, out []Row) {
	n := len(factors)
	for i := range out {
		var sum Row
		for k, f := range factors {
			for j, x := range &rows[i*n+k] {
				sum[j] += float32(x * f)
			}
		}
		out[i] = sum
	}
}

// apart is Apart's twin.
func apart(swept []Sweep, pairs [][2]int32, steps []uint8) {
	for i, q := range pairs {
		a, b := &swept[q[0]], &swept[q[1]]
		var set uint8
		for k := range Steps {
			for x := range 3 {
				if a.Lo[x][k] > b.Hi[x][k] || a.Hi[x][k] < b.Lo[x][k] {
					set |= 1 << k
				}
			}
		}
		steps[i] = set
	}
}

// beyond is Beyond's twin.
func beyond(half []HalfSpace, lo, hi *Eight, out *[8]uint8) {
	for h := range half {
		n, reach := &half[h].N, &half[h].Reach
		for i := range out {
			along := func(a int) float32 { return least(float32(n[a]*lo[a][i]), float32(n[a]*hi[a][i])) }
			nearest := along(0) + along(1) + along(2)
			for k := range Steps {
				if nearest > reach[k] {
					out[i] |= 1 << k
				}
			}
		}
	}
}

// beside is Beside's twin.
func beside(base *Pose, own *Box, p *Pose, box *Box, ends *Ends, grow float32) (steps uint8) {
	c, h := &box.Center, &box.Half
	for j := range 3 {
		var lo, hi Row
		for k := range Times {
			a0, a1, a2 := base.R[j][k], base.R[3+j][k], base.R[6+j][k]
			turned := func(l int) float32 { return dot(a0, p.R[l][k], a1, p.R[3+l][k], a2, p.R[6+l][k]) }
			x, y, z := turned(0), turned(1), turned(2)
			way := dot(a0, p.P[0][k]-base.P[0][k], a1, p.P[1][k]-base.P[1][k], a2, p.P[2][k]-base.P[2][k])
			at := dot(x, c[0], y, c[1], z, c[2]) + way - own.Center[j]
			reach := dot(abs(x), h[0], abs(y), h[1], abs(z), h[2]) + own.Half[j] + grow
			lo[k], hi[k] = at-reach, at+reach
		}
		for k := range Steps {
			end := ends[k]
			if least(lo[k], lo[end]) > 0 || most(hi[k], hi[end]) < 0 {
				steps |= 1 << k
			}
		}
	}
	return steps
}
