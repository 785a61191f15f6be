package workload

import (
	"github.com/firstcontact-ros/firstcontact/geom"
)

// sixJoint is a serial arm with six revolute joints, in metres: turret, shoulder,
// elbow and a wrist of three axes that meet. At zero its upper arm stands upright
// and its forearm points along x.
type sixJoint struct {
	base     float64 // height of the shoulder
	shoulder float64 // the shoulder's distance from the turret's axis
	side     float64 // the upper arm's offset to the side of the turret
	upper    float64 // length of the upper arm
	elbow    float64 // rise from the elbow to the forearm's axis
	forearm  float64 // from the elbow to the wrist
	flange   float64 // from the wrist to the flange
	girth    float64 // radius of the upper arm; the others go by it
	limits   [6][2]float64
	tool     []solid // on the flange, along x
	own      int     // triangles of the tool and the flange; 0 for their share
}

// arm adds the arm to the cell on the link parent. Its links are prefix+"base" and
// prefix+"link1" to prefix+"link6", and its joints bear the names of the latter.
func (c *cell) arm(prefix, parent string, mount geom.Pose, s *sixJoint) {
	g := s.girth
	base := prefix + "base"
	c.link(base,
		lathe(corner(2.2*g, 0), corner(2.2*g, 0.3*g), corner(1.7*g, 0.3*g), corner(1.5*g, s.base-1.6*g)),
	)
	if parent != "" {
		c.fix(parent, base, mount)
	}
	name := func(i string) string { return prefix + "link" + i }
	c.link(name("1"),
		lathe(corner(1.5*g, -1.5*g), corner(1.6*g, -g), corner(1.2*g, 0.2*g)),
		rod(geom.Vec{X: s.shoulder, Y: -1.3 * g}, geom.Vec{X: s.shoulder, Y: max(s.side-g, 0.2*g)}, 1.1*g),
	)
	c.turn(base, name("1"), geom.Vec{Z: s.base}, axisZ, s.limits[0][0], s.limits[0][1])
	c.link(name("2"),
		limb(geom.Vec{}, geom.Vec{Z: s.upper}, 1.05*g, 0.8*g, 0),
		rod(geom.Vec{Y: -1.1 * g, Z: s.upper}, geom.Vec{Y: 1.1 * g, Z: s.upper}, 0.75*g),
	)
	c.turn(name("1"), name("2"), geom.Vec{X: s.shoulder, Y: s.side}, axisY, s.limits[1][0], s.limits[1][1])
	c.link(name("3"),
		rod(geom.Vec{Y: -g}, geom.Vec{Y: g}, 0.85*g),
		box(1.8*g, 1.5*g, 1.3*g).at(0.1*g, 0, s.elbow),
	)
	c.turn(name("2"), name("3"), geom.Vec{Z: s.upper}, axisY, s.limits[2][0], s.limits[2][1])
	c.link(name("4"),
		rod(geom.Vec{X: g}, geom.Vec{X: s.forearm - 0.9*g}, 0.6*g),
		box(1.1*g, 0.3*g, 0.8*g).at(s.forearm-0.5*g, 0.55*g, 0),
	)
	c.turn(name("3"), name("4"), geom.Vec{Z: s.elbow}, axisX, s.limits[3][0], s.limits[3][1])
	c.link(name("5"),
		rod(geom.Vec{Y: -0.4 * g}, geom.Vec{Y: 0.5 * g}, 0.45*g),
		rod(geom.Vec{}, geom.Vec{X: s.flange - 0.2*g}, 0.35*g),
	)
	c.turn(name("4"), name("5"), geom.Vec{X: s.forearm}, axisY, s.limits[4][0], s.limits[4][1])
	tool := []solid{rod(geom.Vec{X: -0.2 * g}, geom.Vec{X: 0.1 * g}, 0.5*g)}
	c.link(name("6"), append(tool, s.tool...)...)
	c.links[len(c.links)-1].triangles = s.own
	c.turn(name("5"), name("6"), geom.Vec{X: s.flange}, axisX, s.limits[5][0], s.limits[5][1])
}

// gripper has two fingers.
func gripper(size float64) []solid {
	return []solid{
		box(0.4*size, size, 0.5*size).at(0.3*size, 0, 0),
		box(0.9*size, 0.2*size, 0.4*size).at(0.9*size, 0.4*size, 0),
		box(0.9*size, 0.2*size, 0.4*size).at(0.9*size, -0.4*size, 0),
	}
}

// torch is an arc welding gun: a thin bent tube on a holder.
func torch(size float64) []solid {
	p := func(x, z float64) geom.Vec { return geom.Vec{X: x * size, Z: z * size} }
	return []solid{
		box(0.16*size, 0.1*size, 0.1*size).at(0.1*size, 0, 0),
		pipe(0.022*size, route(0.14*size, p(0.15, 0), p(0.5, 0.16), p(0.86, -0.2))...),
		lathe(corner(0.036*size, 0), corner(0.03*size, 0.1*size), corner(0.016*size, 0.16*size)).posed(geom.Pose{
			R: towards(geom.Vec{X: 0.36, Z: -0.36}), P: p(0.83, -0.17),
		}),
	}
}

// puma is like the Puma 560.
func puma() *sixJoint {
	return &sixJoint{
		base: 0.66, side: 0.17, upper: 0.432, elbow: 0.02, forearm: 0.433, flange: 0.1, girth: 0.07,
		limits: [6][2]float64{{-160, 160}, {-110, 110}, {-135, 135}, {-140, 140}, {-100, 100}, {-266, 266}},
		tool:   gripper(0.09),
	}
}

// irb is like an IRB 2400, in metres.
func irb() *sixJoint {
	return &sixJoint{
		base: 0.615, shoulder: 0.1, upper: 0.705, elbow: 0.135, forearm: 0.755, flange: 0.12, girth: 0.11,
		limits: [6][2]float64{{-180, 180}, {-100, 110}, {-60, 65}, {-200, 200}, {-120, 120}, {-350, 350}},
	}
}

// f200 stands for the robot that SSL04 calls F 200: a larger arm, of which the paper
// gives the forearm alone.
func f200() *sixJoint {
	return &sixJoint{
		base: 0.75, shoulder: 0.3, upper: 0.85, elbow: 0.2, forearm: 1, flange: 0.14, girth: 0.13,
		limits: [6][2]float64{{-180, 180}, {-80, 100}, {-80, 80}, {-240, 240}, {-125, 125}, {-350, 350}},
	}
}

// scaled returns the arm with a forearm of the given length.
func (s *sixJoint) scaled(forearm float64) *sixJoint {
	k := forearm / s.forearm
	t := *s
	for _, x := range []*float64{&t.base, &t.shoulder, &t.side, &t.upper, &t.elbow, &t.forearm, &t.flange, &t.girth} {
		*x *= k
	}
	return &t
}
