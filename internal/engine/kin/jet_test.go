package kin_test

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/urdf"
)

// The oracle of positions and their first three derivatives: a point is carried from
// its link towards the root with third-order automatic differentiation. It
// shares no formula with the code under test, neither poses nor Jacobians.

// jet is a number that depends on time: its value and three derivatives.
type jet [4]float64

func (a jet) plus(b jet) jet { return jet{a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]} }

func (a jet) times(b jet) jet {
	return jet{
		a[0] * b[0],
		a[1]*b[0] + a[0]*b[1],
		a[2]*b[0] + 2*a[1]*b[1] + a[0]*b[2],
		a[3]*b[0] + 3*a[2]*b[1] + 3*a[1]*b[2] + a[0]*b[3],
	}
}

func (a jet) scaled(k float64) jet { return jet{k * a[0], k * a[1], k * a[2], k * a[3]} }

func (a jet) sincos() (s, c jet) {
	sin, cos := math.Sincos(a[0])
	v2, v3, va := a[1]*a[1], a[1]*a[1]*a[1], 3*a[1]*a[2]
	return jet{sin, cos * a[1], cos*a[2] - sin*v2, cos*a[3] - sin*va - cos*v3},
		jet{cos, -sin * a[1], -sin*a[2] - cos*v2, -sin*a[3] - cos*va + sin*v3}
}

// polynomial evaluates Bernstein control points at time t with derivatives.
func polynomial(ctrl []float64, t float64) jet {
	w := make([]jet, len(ctrl))
	for i, b := range ctrl {
		w[i] = jet{b}
	}
	s, rest := jet{t, 1}, jet{1 - t, -1}
	for n := len(w) - 1; n > 0; n-- {
		for i := range n {
			w[i] = rest.times(w[i]).plus(s.times(w[i+1]))
		}
	}
	return w[0]
}

// jet3 is a point that depends on time.
type jet3 [3]jet

func fixedPoint(v geom.Vec) jet3 { return jet3{{v.X}, {v.Y}, {v.Z}} }

// order returns the value (0), velocity (1), acceleration (2) or jerk (3).
func (p jet3) order(k int) geom.Vec { return geom.Vec{X: p[0][k], Y: p[1][k], Z: p[2][k]} }

func (p jet3) plus(q jet3) jet3 {
	return jet3{p[0].plus(q[0]), p[1].plus(q[1]), p[2].plus(q[2])}
}

// turned rotates p about the unit axis u by Rodrigues' formula.
func (p jet3) turned(u [3]float64, angle jet) jet3 {
	s, c := angle.sincos()
	dot := p[0].scaled(u[0]).plus(p[1].scaled(u[1])).plus(p[2].scaled(u[2]))
	k := jet{1 - c[0], -c[1], -c[2], -c[3]}
	var r jet3
	for i := range r {
		j, l := (i+1)%3, (i+2)%3
		cross := p[l].scaled(u[j]).plus(p[j].scaled(-u[l]))
		r[i] = p[i].times(c).plus(cross.times(s)).plus(dot.times(k).scaled(u[i]))
	}
	return r
}

// posed takes p from the inner frame to the outer.
func (p jet3) posed(a geom.Pose) jet3 {
	row := func(x, y, z, o float64) jet {
		return p[0].scaled(x).plus(p[1].scaled(y)).plus(p[2].scaled(z)).plus(jet{o})
	}
	return jet3{
		row(a.R.XX, a.R.XY, a.R.XZ, a.P.X),
		row(a.R.YX, a.R.YY, a.R.YZ, a.P.Y),
		row(a.R.ZX, a.R.ZY, a.R.ZZ, a.P.Z),
	}
}

// oracle carries points of a plan's robot whose variables follow curves.
type oracle struct {
	plan  plan
	robot *urdf.Robot
	dofOf []int // per hinge, its own variable or that of the hinge it follows
	cs    curves
}

// newOracle numbers the variables in hinge order, as Tree documents.
func newOracle(p plan, cs curves) *oracle {
	o := &oracle{plan: p, robot: p.robot(), dofOf: make([]int, len(p)), cs: cs}
	n := 0
	for i, h := range p {
		if h.mimics == 0 && p.moving(i) {
			o.dofOf[i] = n
			n++
		}
	}
	for i, h := range p {
		if h.mimics > 0 {
			o.dofOf[i] = o.dofOf[h.mimics-1]
		}
	}
	return o
}

// position of hinge i at time t.
func (o *oracle) position(i int, t float64) jet {
	h, q := &o.plan[i], polynomial(o.cs[o.dofOf[i]], t)
	if h.mimics > 0 {
		q = q.scaled(h.mult).plus(jet{h.offset})
	}
	return q
}

// carry returns the point p of the given link in the frame of link stop, at
// time t. It calls lever with every revolute hinge passed and the point's
// distance from its axis.
func (o *oracle) carry(link, stop int, p geom.Vec, t float64, lever func(hinge int, distance float64)) jet3 {
	x := fixedPoint(p)
	for l := link; l != stop; {
		i := l - 1
		j := &o.robot.Joints[i]
		u := asTriple(j.Axis)
		switch j.Type {
		case urdf.Prismatic:
			q := o.position(i, t)
			x = x.plus(jet3{q.scaled(u[0]), q.scaled(u[1]), q.scaled(u[2])})
		case urdf.Revolute, urdf.Continuous:
			if lever != nil {
				lever(i, distanceToLine(x.order(0), j.Axis))
			}
			x = x.turned(u, o.position(i, t))
		}
		x = x.posed(j.PosePC)
		l = j.Parent
	}
	return x
}

// distanceToLine is that of p to the line through the origin along the unit u,
// by projection: no cancellation where p lies near the line.
func distanceToLine(p, u geom.Vec) float64 {
	k := p.X*u.X + p.Y*u.Y + p.Z*u.Z
	dx, dy, dz := p.X-k*u.X, p.Y-k*u.Y, p.Z-k*u.Z
	return math.Sqrt(dx*dx + dy*dy + dz*dz)
}
