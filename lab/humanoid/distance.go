package main

import (
	"math"
	"sort"

	"github.com/firstcontact-ros/firstcontact/geom"
	"gonum.org/v1/gonum/spatial/r3"
)

// The generator's own judge of distances: convex pieces, a textbook GJK, and
// sampling in time. It shares no code with the checker, so that the facts in
// expected.yaml do not come from what they are to test.

// part is a convex piece in the root's frame: all points within radius of the
// core, whose support mapping is given.
type part struct {
	support func(n vec) vec // farthest point of the core along n
	radius  float64
	center  vec
	reach   float64 // every point of the piece is within reach of center
}

func (s solid) parts(poseWL geom.Pose) []part {
	pose := poseWL.Mul(geom.Pose{R: geom.RPY(s.rpy.X, s.rpy.Y, s.rpy.Z), P: s.xyz})
	if s.kind == "mesh" {
		var ps []part
		for _, vs := range meshes[s.mesh].pieces {
			ps = append(ps, hull(vs).at(pose))
		}
		return ps
	}
	return []part{s.convex().at(pose)}
}

func (s solid) convex() part {
	switch s.kind {
	case "box":
		h := r3.Scale(0.5, s.size)
		return part{reach: r3.Norm(h), support: func(n vec) vec {
			return vec{X: math.Copysign(h.X, n.X), Y: math.Copysign(h.Y, n.Y), Z: math.Copysign(h.Z, n.Z)}
		}}
	case "sphere":
		return part{radius: s.radius, reach: s.radius, support: func(vec) vec { return vec{} }}
	case "capsule":
		return part{radius: s.radius, reach: s.radius + s.length/2, support: func(n vec) vec {
			return vec{Z: math.Copysign(s.length/2, n.Z)}
		}}
	case "cylinder":
		return part{reach: math.Hypot(s.radius, s.length/2), support: func(n vec) vec {
			return s.rim(n, math.Copysign(s.length/2, n.Z))
		}}
	case "cone":
		return part{reach: math.Hypot(s.radius, s.length/2), support: func(n vec) vec {
			tip, base := vec{Z: s.length / 2}, s.rim(n, -s.length/2)
			if r3.Dot(n, tip) > r3.Dot(n, base) {
				return tip
			}
			return base
		}}
	}
	panic("no such kind: " + s.kind)
}

func (s solid) rim(n vec, z float64) vec {
	d := math.Hypot(n.X, n.Y)
	if d == 0 {
		return vec{X: s.radius, Z: z}
	}
	return vec{X: s.radius * n.X / d, Y: s.radius * n.Y / d, Z: z}
}

func hull(vs []vec) part {
	var c vec
	for _, v := range vs {
		c = r3.Add(c, r3.Scale(1/float64(len(vs)), v))
	}
	reach := 0.0
	for _, v := range vs {
		reach = math.Max(reach, r3.Norm(r3.Sub(v, c)))
	}
	return part{center: c, reach: reach, support: func(n vec) vec {
		best, at := math.Inf(-1), vec{}
		for _, v := range vs {
			if d := r3.Dot(n, v); d > best {
				best, at = d, v
			}
		}
		return at
	}}
}

func (p part) at(pose geom.Pose) part {
	local := p.support
	p.center = pose.Apply(p.center)
	p.support = func(n vec) vec { return pose.Apply(local(pose.R.ApplyInv(n))) }
	return p
}

// distance of two pieces, or infinity where that is limit or more; where they
// overlap, minus the least depth found over many directions (never less than
// the true depth).
func distance(a, b part, limit float64) float64 {
	d := gjk(a, b, limit+a.radius+b.radius) - a.radius - b.radius
	if d > 0 {
		return d
	}
	return -depth(a, b)
}

// gjk returns the distance of the cores, 0 where they meet; it stops at the
// first proof that the distance is limit or more and returns infinity.
func gjk(a, b part, limit float64) float64 {
	w := func(n vec) vec { return r3.Sub(a.support(r3.Scale(-1, n)), b.support(n)) }
	v := r3.Sub(a.center, b.center)
	if v == (vec{}) {
		v = vec{X: 1}
	}
	var simplex []vec
	for range 200 {
		p := w(v)
		if len(simplex) > 0 && r3.Dot(v, v)-r3.Dot(v, p) <= 1e-12+1e-9*r3.Dot(v, v) {
			break
		}
		if d := r3.Dot(v, p); d > 0 && d >= limit*r3.Norm(v) {
			return math.Inf(1)
		}
		simplex, v = nearest(append(simplex, p))
		if len(simplex) == 4 || r3.Dot(v, v) < 1e-16 {
			return 0
		}
	}
	return r3.Norm(v)
}

// nearest returns the point of the simplex nearest to the origin and the
// corners that carry it, by trying every face.
func nearest(simplex []vec) ([]vec, vec) {
	best, at := math.Inf(1), vec{}
	carry := 0
	var buf [4]vec
	for mask := 1; mask < 1<<len(simplex); mask++ {
		if p, ok := footpoint(pick(buf[:0], simplex, mask)); ok && r3.Norm2(p) < best {
			best, at, carry = r3.Norm2(p), p, mask
		}
	}
	return pick(nil, simplex, carry), at
}

// pick appends the corners in the mask.
func pick(face, simplex []vec, mask int) []vec {
	for i, p := range simplex {
		if mask>>i&1 == 1 {
			face = append(face, p)
		}
	}
	return face
}

// footpoint is the origin's projection on the affine hull of the face, where
// it falls inside.
func footpoint(face []vec) (vec, bool) {
	k := len(face) - 1
	var m [3][4]float64 // normal equations of |face[0] + sum x_i e_i|
	var e [3]vec
	for i := range k {
		e[i] = r3.Sub(face[i+1], face[0])
	}
	for i := range k {
		for j := range k {
			m[i][j] = r3.Dot(e[i], e[j])
		}
		m[i][k] = -r3.Dot(e[i], face[0])
	}
	x, ok := solve(m, k)
	if !ok {
		return vec{}, false
	}
	p, rest := face[0], 1.0
	for i := range k {
		if x[i] < 0 {
			return vec{}, false
		}
		rest -= x[i]
		p = r3.Add(p, r3.Scale(x[i], e[i]))
	}
	return p, rest >= 0
}

// solve eliminates with pivoting; it fails on a singular system.
func solve(m [3][4]float64, k int) ([3]float64, bool) {
	for c := range k {
		p := c
		for r := c + 1; r < k; r++ {
			if math.Abs(m[r][c]) > math.Abs(m[p][c]) {
				p = r
			}
		}
		if math.Abs(m[p][c]) < 1e-20 {
			return [3]float64{}, false
		}
		m[c], m[p] = m[p], m[c]
		for r := range k {
			if r == c {
				continue
			}
			f := m[r][c] / m[c][c]
			for j := c; j <= k; j++ {
				m[r][j] -= f * m[c][j]
			}
		}
	}
	var x [3]float64
	for c := range k {
		x[c] = m[c][k] / m[c][c]
	}
	return x, true
}

// depth is the least overlap over directions spread on the sphere, then walked
// downhill.
func depth(a, b part) float64 {
	overlap := func(n vec) float64 {
		gap := r3.Dot(n, r3.Sub(a.support(n), b.support(r3.Scale(-1, n))))
		return gap + a.radius + b.radius
	}
	best, dir := math.Inf(1), vec{}
	const n = 400
	for i := range n {
		z := 1 - (2*float64(i)+1)/n
		s, c := math.Sincos(float64(i) * math.Pi * (3 - math.Sqrt(5)))
		r := math.Sqrt(1 - z*z)
		d := vec{X: r * c, Y: r * s, Z: z}
		if o := overlap(d); o < best {
			best, dir = o, d
		}
	}
	for step := 0.1; step > 1e-6; step /= 2 {
		for _, by := range []vec{axisX, axisY, axisZ, {X: -1}, {Y: -1}, {Z: -1}} {
			d := r3.Unit(r3.Add(dir, r3.Scale(step, by)))
			if o := overlap(d); o < best {
				best, dir = o, d
			}
		}
	}
	return math.Max(best, 0)
}

// near is the signed distance of one pair of bodies.
type near struct {
	class    string // self or world
	a, b     string
	distance float64
}

// body is the pieces of a link or an obstacle and a ball around them.
type body struct {
	parts []part
	ball  part // only center and reach
}

func newBody(parts []part) body {
	b := body{parts: parts}
	for _, p := range parts {
		b.ball.center = r3.Add(b.ball.center, r3.Scale(1/float64(len(parts)), p.center))
	}
	for _, p := range parts {
		b.ball.reach = math.Max(b.ball.reach, p.reach+r3.Norm(r3.Sub(p.center, b.ball.center)))
	}
	return b
}

// apart bounds the distance of two pieces from below by the balls around them.
func apart(a, b part) float64 {
	return r3.Norm(r3.Sub(a.center, b.center)) - a.reach - b.reach
}

// nearest pairs at the configuration q: every checked pair closer than limit,
// closest first.
func (w *world) nearest(q state, limit float64) []near {
	poses := w.robot.poses(q)
	bodies := map[string]body{}
	for _, l := range w.robot.links {
		var ps []part
		for _, s := range l.solids {
			ps = append(ps, s.parts(poses[l.name])...)
		}
		bodies[l.name] = newBody(ps)
	}
	var found []near
	for _, p := range w.pairs {
		other := bodies[p.b]
		if p.class == "world" {
			other = w.obstacles[p.b]
		}
		if d := closest(bodies[p.a], other, limit); d < limit {
			found = append(found, near{p.class, p.a, p.b, d})
		}
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].distance < found[j].distance })
	return found
}

// closest is the signed distance of two bodies if it is below limit. Pieces of
// one body do not count against each other, so an overlap is at least as deep
// as its deepest pair of pieces.
func closest(a, b body, limit float64) float64 {
	if apart(a.ball, b.ball) > limit {
		return limit
	}
	best := limit
	for _, p := range a.parts {
		for _, q := range b.parts {
			if apart(p, q) < best {
				best = math.Min(best, distance(p, q, best))
			}
		}
	}
	return best
}
