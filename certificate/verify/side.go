package verify

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/certificate"
	"github.com/firstcontact-ros/firstcontact/geom"
)

// A side of an item is a set of atoms that moves with one body, or a ball around
// them. The functions here go through its atoms.

// side is one side of an item at a moment. Its core consists of the atoms without their radii:
// a ball of fixed radius around a moving point turns about its own centre, so that only the
// core's points need to be followed.
type side struct {
	m          *moment
	body       int
	first, end int // the atoms, in the written order
	// If it is a ball: the centre in the body's frame, and the radius.
	isBall bool
	center geom.Vec
	radius float64
	reach  *reach
}

// reach bounds the distance of a side's points from the axes of the joints in its chain, 1 for
// a prismatic joint: R_k on the interval, and with all joints anywhere in their tubes.
type reach struct{ nominal, wide []float64 }

// newSide prepares a part; center, if not nil, makes it a ball.
func (m *moment) newSide(p certificate.Part, center *geom.Vec) (*side, error) {
	b := m.bodies[p.Body]
	first, end, err := b.part(p)
	if err != nil {
		return nil, err
	}
	s := &side{m: m, body: p.Body, first: first, end: end}
	if center != nil {
		s.isBall, s.center, s.radius = true, *center, b.radiusAbout(first, end, *center, true)
		s.reach = m.reachOf(s)
		return s, nil
	}
	if s.reach = m.parts[p]; s.reach == nil {
		s.reach = m.reachOf(s)
		m.parts[p] = s.reach
	}
	return s, nil
}

func (s *side) mount() mount { return s.m.tree.mount(s.m.bodies[s.body].link) }

func (s *side) chain() []int { return s.m.tree.chain(s.mount()) }

// reachOf computes R_k = min( r_k , d_k + sum over deeper joints j of R_j ch_j ): d_k is the
// distance of the side's points from axis k at c; in the frame that joint k moves only deeper
// joints move the points, by at most R_j ch_j each, and a distance from a line changes no
// faster than the point. r_k is the largest distance in any configuration: the sum of lengths
// from the axis along the links.
func (m *moment) reachOf(s *side) *reach {
	chain, where := s.chain(), s.mount()
	r := &reach{make([]float64, len(chain)), make([]float64, len(chain))}
	inverse := m.poseOf(s.body).r.inverse()
	out := s.farthest(where)
	outWide := out
	var deeper, deeperWide float64
	for i := len(chain) - 1; i >= 0; i-- {
		k, j := &m.joints[chain[i]], &m.tree.joints[chain[i]]
		if j.slides {
			r.nominal[i], r.wide[i] = 1, 1
			out, outWide = above(out+k.far), above(outWide+k.far+j.tube)
		} else {
			origin := inverse.apply(k.origin.sub(m.poseOf(s.body).p))
			d := s.fromAxis(origin, inverse.apply(k.axis))
			r.nominal[i] = min(out, above(d+deeper))
			r.wide[i] = min(outWide, above(d+deeperWide))
		}
		deeper = above(deeper + r.nominal[i]*k.chord)
		deeperWide = above(deeperWide + r.wide[i]*k.wide)
		out, outWide = above(out+j.fixed.p.size()), above(outWide+j.fixed.p.size())
	}
	return r
}

// farthest bounds the distance of the core's points from the origin of the joint frame that
// the body is mounted on.
func (s *side) farthest(where mount) float64 {
	back := where.pose.r.inverse()
	o := back.apply(ball{times(-1, where.pose.p.v), where.pose.p.err})
	if s.isBall {
		return above(length(minus(s.center, o.v)) + o.err + 4*u*(length(s.center)+length(o.v)))
	}
	return above(s.m.bodies[s.body].radiusAbout(s.first, s.end, o.v, false) + o.err)
}

// fromAxis bounds the distance of the core's points from the axis through origin.
//
// For a disc with centre c, axis a and radius r and with w = (c - o) x u, the
// distance of c + r e is |w + r e x u|; its square is |w|² + 2 r e.(u x w) + r²
// |e x u|², and e, across a, has at most |(u x w) x a| in common with u x w.
func (s *side) fromAxis(origin, axis ball) float64 {
	b := s.m.bodies[s.body]
	o, n := origin.v, axis.v
	span := above(b.far + origin.size()) // bounds |p - o|
	square := func(p geom.Vec) float64 {
		w := cross(minus(p, o), n)
		return dot(w, w)
	}
	var d2 float64
	if s.isBall {
		span = above(length(s.center) + origin.size())
		d2 = square(s.center)
	} else {
		d2 = b.largest(s.first, s.end, func(r *run) float64 {
			d := math.Sqrt(square(r.center)) + r.radius*(1+1e-9)
			return d * d
		}, func(a *atom) (d2 float64) {
			for _, p := range b.pointsOf(a) {
				d2 = max(d2, square(p))
			}
			for i := range b.discsOf(a) {
				d := &b.discsOf(a)[i]
				w := cross(minus(d.center, o), n)
				across := cross(cross(n, w), d.axis)
				d2 = max(d2, dot(w, w)+2*d.radius*math.Sqrt(dot(across, across))+d.radius*d.radius+64*u*span*span)
			}
			return d2
		})
	}
	// The difference has an error of u, the product of 4u, times the span; the axis and its
	// origin have their own.
	return above(math.Sqrt(d2) + 8*u*span + origin.err + span*axis.err + b.err)
}

// radiusAbout returns the radius of a ball around y that contains the atoms' core, or with
// their radii the atoms. A disc's farthest point from y: with v = c - y, |v + r e|² = |v|² + 2
// r e.v + r², and e has at most |v x a| in common with v.
func (b *body) radiusAbout(first, end int, y geom.Vec, radii bool) float64 {
	span := above(b.far + length(y))
	return above(b.err + 4*u*span + b.largest(first, end, func(r *run) float64 {
		return length(minus(r.center, y)) + r.radius + r.more
	}, func(a *atom) float64 {
		var d2 float64
		for _, p := range b.pointsOf(a) {
			v := minus(p, y)
			d2 = max(d2, dot(v, v))
		}
		for i := range b.discsOf(a) {
			d := &b.discsOf(a)[i]
			v := minus(d.center, y)
			across := cross(v, d.axis)
			d2 = max(d2, dot(v, v)+2*d.radius*math.Sqrt(dot(across, across))+d.radius*d.radius+64*u*span*span)
		}
		if radii {
			return above(math.Sqrt(d2) + a.radius)
		}
		return above(math.Sqrt(d2))
	}))
}

// displacement bounds how far the core's points move from their positions at c in the frame
// after the first joints of the chain: M = sum of R_k ch_k.
func (s *side) displacement(from int) float64 {
	var m float64
	for i, k := range s.chain() {
		if i >= from {
			m = above(m + s.reach.nominal[i]*s.m.joints[k].chord)
		}
	}
	return m
}

// stray bounds how far the joints' tubes take a point from the motion's: one joint after the
// other deviates and moves the point by at most R_k times its chord.
func (s *side) stray(from int) float64 {
	var m float64
	for i, k := range s.chain() {
		if i >= from {
			m = above(m + s.reach.wide[i]*s.m.joints[k].stray)
		}
	}
	return m
}

// acceleration bounds the component along n of the acceleration a of the core's points, |n.a|,
// on the interval in the frame after the first joints of the chain, for a fixed n of length at
// most size:
//
//	s_k = min(|n|, |n x u_k| + |n| sum over turning j < k of delta_j)
//	A   = sum s_k R_k alpha_k + sum R_k omega_k (omega_k s_k + 2 sum over turning m < k of omega_m s_m)
//
// where a prismatic k has |n| alpha_k in the first sum and no omega_k s_k in the second.
// Proof: joint k moves a point with the velocity u_k x r, |r| = R_k, and n.(u_k x r) = (n x
// u_k).r; an axis turns by no more than the joints before it; and the derivative of that by
// joint m < k is u_m x (u_k x r).
func (s *side) acceleration(from int, n ball, size float64) float64 {
	var a, turning, turned float64
	for i, k := range s.chain() {
		if i < from {
			continue
		}
		j, r := &s.m.joints[k], s.reach.nominal[i]
		if s.m.tree.joints[k].slides {
			a = above(a + r*(size*j.alpha+2*j.omega*turning))
			continue
		}
		sk := min(size, above(n.cross(j.axis).size()+size*turned))
		a = above(a + r*(sk*j.alpha+j.omega*(j.omega*sk+2*turning)))
		turning = above(turning + j.omega*sk)
		turned = above(turned + j.delta)
	}
	return a
}

// drift returns g and k such that n.v' of the point x, v' its velocity at c in the frame after
// the first joints, is g.x + k: the sum over the joints of q'_k (n x u_k).(x - o_k), or q'_k
// n.u_k for a prismatic one.
func (s *side) drift(from int, n ball) (g ball, k interval) {
	for i, c := range s.chain() {
		if i < from {
			continue
		}
		j := &s.m.joints[c]
		if s.m.tree.joints[c].slides {
			k = k.add(n.dot(j.axis).mul(j.rate))
			continue
		}
		w := n.cross(j.axis).scale(j.rate)
		g = g.add(w)
		k = k.sub(w.dot(j.origin))
	}
	return g, k
}

// farthestAlong returns more than n.(x + tau v'(x)) of any point x of the side,
// its radii included: m.x + tau k with m = n + tau g, and m.x over the body's
// points p is (R'm).p + m.P. size bounds |n|.
func (s *side) farthestAlong(n, g ball, k interval, tau, size float64) float64 {
	b, p := s.m.bodies[s.body], s.m.poseOf(s.body)
	m := n
	if tau != 0 {
		m = n.add(g.scale(exactly(tau)))
	}
	inverse := p.r.inverse()
	local := inverse.apply(m)
	var most, far float64
	if s.isBall {
		far = above(length(s.center))
		most = addUp(dot(local.v, s.center), mulUp(s.radius, size))
	} else {
		far, most = b.far, b.most(s.first, s.end, local.v, size)
	}
	ll := length(local.v)
	err := above(local.err*far + 8*u*ll*far + ll*b.err)
	rest := m.dot(p.p).add(exactly(tau).mul(k))
	return addUp(addUp(most, err), rest.hi)
}

// most returns the largest m.p over the atoms' points, and radius times size: up
// to 8u |m| |p|, which the caller adds.
func (b *body) most(first, end int, m geom.Vec, size float64) float64 {
	l := length(m)
	return b.largest(first, end, func(r *run) float64 {
		return dot(m, r.center) + l*r.radius + size*r.more
	}, func(a *atom) float64 {
		v := math.Inf(-1)
		for _, p := range b.pointsOf(a) {
			v = max(v, m.X*p.X+m.Y*p.Y+m.Z*p.Z)
		}
		for i := range b.discsOf(a) {
			d := &b.discsOf(a)[i]
			across := cross(m, d.axis)
			v = max(v, dot(m, d.center)+d.radius*math.Sqrt(dot(across, across)))
		}
		if a.radius > 0 {
			v = addUp(v, mulUp(a.radius, size))
		}
		return v
	})
}
