package verify

import (
	"errors"
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// Points, directions and rotations are kept as float64 numbers with a bound of their error in
// length: unlike intervals for every coordinate, such bounds add up along a chain of rotations
// instead of multiplying.

// ball encloses a point or a direction: the true one is at most err from v.
type ball struct {
	v   geom.Vec
	err float64
}

// rotation encloses a rotation: the true one differs from the matrix with these rows by at
// most err in length for a unit vector.
type rotation struct {
	x, y, z geom.Vec
	err     float64
}

// pose is a rotation and the position of its frame's origin.
type pose struct {
	r rotation
	p ball
}

var still = pose{r: rotation{x: geom.Vec{X: 1}, y: geom.Vec{Y: 1}, z: geom.Vec{Z: 1}}}

func plus(a, b geom.Vec) geom.Vec { return geom.Vec{X: a.X + b.X, Y: a.Y + b.Y, Z: a.Z + b.Z} }

func minus(a, b geom.Vec) geom.Vec { return geom.Vec{X: a.X - b.X, Y: a.Y - b.Y, Z: a.Z - b.Z} }

func times(s float64, a geom.Vec) geom.Vec { return geom.Vec{X: s * a.X, Y: s * a.Y, Z: s * a.Z} }

// dot has an error of at most 4u |a| |b|: each product has u, the sums 2u of them all.
func dot(a, b geom.Vec) float64 { return a.X*b.X + a.Y*b.Y + a.Z*b.Z }

// cross has an error of at most 4u |a| |b|: each coordinate has 2u(1+u) of the two products'
// sizes, which are at most |a| |b| together.
func cross(a, b geom.Vec) geom.Vec {
	return geom.Vec{X: a.Y*b.Z - a.Z*b.Y, Y: a.Z*b.X - a.X*b.Z, Z: a.X*b.Y - a.Y*b.X}
}

// length bounds |a| from above.
func length(a geom.Vec) float64 { return above(math.Sqrt(dot(a, a))) }

// size bounds the length of every vector in a.
func (a ball) size() float64 { return above(length(a.v) + a.err) }

func at(v geom.Vec) ball { return ball{v: v} }

// add rounds each coordinate once: u of the sum's length.
func (a ball) add(b ball) ball {
	v := plus(a.v, b.v)
	return ball{v, above(a.err + b.err + u*length(v))}
}

func (a ball) sub(b ball) ball { return a.add(ball{times(-1, b.v), b.err}) }

// scale multiplies by a number known to lie in s.
func (a ball) scale(s interval) ball {
	m := s.mid()
	v := times(m, a.v)
	return ball{v, above(s.mag()*a.err + s.rad()*length(a.v) + u*length(v))}
}

// cross multiplies: a x b - a' x b' = a x (b - b') + (a - a') x b'.
func (a ball) cross(b ball) ball {
	la := length(a.v)
	return ball{cross(a.v, b.v), above(la*b.err + a.err*b.size() + 4*u*la*length(b.v))}
}

// dot returns the interval of a.b.
func (a ball) dot(b ball) interval {
	la := length(a.v)
	err := above(la*b.err + a.err*b.size() + 4*u*la*length(b.v))
	d := dot(a.v, b.v)
	return interval{addDown(d, -err), addUp(d, err)}
}

// apply rotates a. The matrix is within err of a rotation, which keeps lengths; the three dot
// products have errors of 4u |row| |v| each, the rows together have length sqrt(3): 7u |v|.
func (r *rotation) apply(a ball) ball {
	l := length(a.v)
	return ball{
		geom.Vec{X: dot(r.x, a.v), Y: dot(r.y, a.v), Z: dot(r.z, a.v)},
		above(a.err + r.err*l + 8*u*l),
	}
}

// inverse is the transpose.
func (r *rotation) inverse() rotation {
	return rotation{
		x:   geom.Vec{X: r.x.X, Y: r.y.X, Z: r.z.X},
		y:   geom.Vec{X: r.x.Y, Y: r.y.Y, Z: r.z.Y},
		z:   geom.Vec{X: r.x.Z, Y: r.y.Z, Z: r.z.Z},
		err: r.err,
	}
}

// then applies s first and r second. Both matrices are within their err of rotations, and the
// nine dot products have errors of 4u of the rows' lengths, which are sqrt(3) together for
// either: 12u.
func (r *rotation) then(s *rotation) rotation {
	t := s.inverse() // its rows are the columns of s
	row := func(a geom.Vec) geom.Vec { return geom.Vec{X: dot(a, t.x), Y: dot(a, t.y), Z: dot(a, t.z)} }
	return rotation{row(r.x), row(r.y), row(r.z), above(r.err + s.err + r.err*s.err + 13*u)}
}

// place transforms a point from p's frame to the frame that p is a pose in.
func (p *pose) place(a ball) ball { return p.r.apply(a).add(p.p) }

// then composes poses: q is a pose in p's frame.
func (p *pose) then(q *pose) pose { return pose{r: p.r.then(&q.r), p: p.place(q.p)} }

// rpyErr bounds how far the matrix computed from roll, pitch and yaw is from the exact
// rotation. Each of the three matrices has sine and cosine, with errors of at most 2^-51 = 4u,
// in four entries, and one entry rounded a few times: 9u. Composing them twice adds 12u each:
// 51u.
const rpyErr = 52 * u

// maxLength in metres exceeds the size of every robot and scene.
const maxLength = 1e10

// loaded converts a pose from a file, after checking that its matrix R is a rotation except
// for rounding. With E = R'R - 1 the rotation nearest to R is at most |E| from it, because for
// a singular value s of R |s - 1| <= |s^2 - 1|.
func loaded(g *geom.Pose) (pose, error) {
	p := pose{p: at(g.P)}
	p.r = rotation{
		x: geom.Vec{X: g.R.XX, Y: g.R.XY, Z: g.R.XZ},
		y: geom.Vec{X: g.R.YX, Y: g.R.YY, Z: g.R.YZ},
		z: geom.Vec{X: g.R.ZX, Y: g.R.ZY, Z: g.R.ZZ},
	}
	c := p.r.inverse()
	xx, yy, zz := dot(c.x, c.x)-1, dot(c.y, c.y)-1, dot(c.z, c.z)-1
	xy, yz, zx := dot(c.x, c.y), dot(c.y, c.z), dot(c.z, c.x)
	e := math.Sqrt(xx*xx+yy*yy+zz*zz+2*(xy*xy+yz*yz+zx*zx)) + 16*u
	if !(e <= 1e-8) || !(dot(cross(c.x, c.y), c.z) > 0) || !(length(g.P) <= maxLength) {
		return pose{}, errors.New("its pose is not a rotation and a finite position")
	}
	p.r.err = above(e + rpyErr)
	return p, nil
}

// about is the rotation by the angle q about the axis, which has length 1 except for rounding.
//
// Rodrigues' formula c 1 + (1-c) u u' + s [u]: an error of s or c moves a unit vector by no
// more than itself, one of the axis' length by five times itself (the formula is linear in [u]
// and quadratic in u u'), and the entries round by at most 6u + 2u (of u u'), 2u (of [u]) and
// 3u (the sums) in all.
func about(axis geom.Vec, q interval) (rotation, error) {
	off := math.Abs(dot(axis, axis)-1) + 8*u
	if !(off <= 1e-9) {
		return rotation{}, errors.New("its axis does not have length 1")
	}
	si, ci, err := sinCos(q)
	if err != nil {
		return rotation{}, err
	}
	s, c, a := si.mid(), ci.mid(), axis
	k := 1 - c
	return rotation{
		x:   geom.Vec{X: c + k*a.X*a.X, Y: k*a.X*a.Y - s*a.Z, Z: k*a.X*a.Z + s*a.Y},
		y:   geom.Vec{X: k*a.Y*a.X + s*a.Z, Y: c + k*a.Y*a.Y, Z: k*a.Y*a.Z - s*a.X},
		z:   geom.Vec{X: k*a.Z*a.X - s*a.Y, Y: k*a.Z*a.Y + s*a.X, Z: c + k*a.Z*a.Z},
		err: above(si.rad() + ci.rad() + 5*off + 16*u),
	}, nil
}
