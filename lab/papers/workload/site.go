package workload

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// site is the construction site of ZRLK07, Figures 9 and 10, in toy size: a plain
// between hills, and on it all that gets into an excavator's way.
type site struct {
	*cell
	*rand.Rand
}

// flat is the radius of the plain.
const flat = 13.0

// construction adds the site.
func (c *cell) construction() {
	s := site{cell: c, Rand: c.random("site")}
	c.object("ground", ground(40, 40, 1, hills))
	s.truck(at(5, 4, 0.5))
	s.truck(at(-8, 6, 2))
	s.house(at(-4, -6, 0.3))
	s.pipeStack(at(7, -5, 0.9))
	s.pipeStack(at(-7, 0, 1.8))
	for i := range 8 {
		a := 2 * math.Pi * float64(i) / 8
		s.tree(at(11.5*math.Cos(a), 11.5*math.Sin(a), 0))
	}
	for i := range 6 {
		a := 2*math.Pi*float64(i)/6 + 0.2
		s.fence(at(9.5*math.Cos(a), 9.5*math.Sin(a), a))
	}
	for i := range 5 {
		s.bricks(at(1.5+2.2*float64(i%3), 8-1.6*float64(i/3), 0.2*float64(i)))
	}
	for i := range 14 {
		a := 2 * math.Pi * s.Float64()
		r := 4 + 5*s.Float64()
		if i%2 == 0 {
			s.cone(at(r*math.Cos(a), r*math.Sin(a), a))
		} else {
			s.barrel(at(r*math.Cos(a), r*math.Sin(a), a))
		}
	}
	c.object("manhole", torus(0.7, 0.12).at(-2, 4.5, 0.14), lathe(corner(0.5, 0), corner(0.45, 0.5), corner(0.4, 0.5), corner(0.4, 0.52)).at(-5, 4, 0.01))
	c.worldTriangles(394_000)
	c.size("triangles of the site", 394_000, ofWorld)
}

// at is a place on the plain.
func at(x, y, yaw float64) geom.Pose {
	return geom.Pose{R: geom.RPY(0, 0, yaw), P: geom.Vec{X: x, Y: y}}
}

// hills rise beyond the plain.
func hills(x, y float64) float64 {
	d := max(0, math.Hypot(x, y)-flat)
	return 0.03 * d * d * (1 + 0.3*math.Sin(0.9*x)*math.Cos(0.7*y))
}

func (s *site) add(kind string, pose geom.Pose, solids ...solid) {
	s.object(fmt.Sprintf("%s_%d", kind, len(s.objects)), posed(pose, solids)...)
}

// truck with a cab, six wheels and an open bed.
func (s *site) truck(p geom.Pose) {
	wheels := []solid{box(3.4, 0.7, 0.2).at(0, 0, 0.55)}
	for _, x := range []float64{-1.3, -0.6, 1.2} {
		for _, y := range []float64{-0.62, 0.62} {
			wheels = append(wheels, lathe(corner(0.2, -0.14), corner(0.38, -0.14), smooth(0.42, 0), corner(0.38, 0.14), corner(0.2, 0.14)).turned(math.Pi/2, 0, 0).at(x, y, 0.43))
		}
	}
	s.add("truck", p, wheels...)
	s.add("cab", p, box(0.9, 1.3, 1).at(1.3, 0, 1.2), box(0.5, 1.2, 0.1).at(1.1, 0, 1.76), cylinder(0.05, 1.4).at(0.8, 0.6, 1.5))
	side := func(sign float64) solid {
		return sheet(0.06, func(u, w float64) geom.Vec {
			return geom.Vec{X: -1.8 + 2.4*u, Y: sign * (0.55 + 0.2*w), Z: 0.75 + 0.65*w}
		})
	}
	s.add("bed", p,
		sheet(0.06, func(u, w float64) geom.Vec { return geom.Vec{X: -1.8 + 2.4*u, Y: 1.1 * (w - 0.5), Z: 0.75} }),
		side(1), side(-1), box(0.06, 1.3, 0.7).at(0.62, 0, 1.1))
}

// house under construction: posts, beams, joists and a stair.
func (s *site) house(p geom.Pose) {
	v := func(x, y, z float64) geom.Vec { return geom.Vec{X: x, Y: y, Z: z} }
	for floor := range 3 {
		z := 2 * float64(floor)
		for i := range 4 {
			for j := range 3 {
				x, y := 1.6*(float64(i)-1.5), 1.8*(float64(j)-1)
				s.add("post", p, bar(v(x, y, z), v(x, y, z+1.85), 0.16))
			}
		}
		for i := range 9 {
			x := 0.6 * (float64(i) - 4)
			s.add("joist", p, bar(v(x, -2, z+1.92), v(x, 2, z+1.92), 0.12))
		}
		for i := range 8 {
			s.add("step", p, box(0.3, 0.9, 0.06).at(-2.2+0.3*float64(i), 2.6, z+0.25+0.22*float64(i)))
		}
	}
}

// pipeStack is a heap of pipes, open at their ends as far as a torus shows it.
func (s *site) pipeStack(p geom.Pose) {
	for row := range 4 {
		for i := range 5 - row {
			y, z := 0.5*(float64(i)-float64(4-row)/2), 0.26+0.43*float64(row)
			s.add("pipe", p, cylinder(0.22, 3).turned(0, math.Pi/2, 0).at(0, y, z), torus(0.22, 0.03).turned(0, math.Pi/2, 0).at(1.5, y, z), torus(0.22, 0.03).turned(0, math.Pi/2, 0).at(-1.5, y, z))
		}
	}
}

func (s *site) tree(p geom.Pose) {
	h := 1.2 + s.Float64()
	s.add("tree", p, limb(geom.Vec{Z: 0.15}, geom.Vec{Z: h}, 0.14, 0.1, 0), ball(0.8).at(0, 0, h+0.5), ball(0.55).at(0.4, 0.3, h+0.9), ball(0.5).at(-0.4, -0.2, h+1))
}

func (s *site) fence(p geom.Pose) {
	var all []solid
	for i := range 12 {
		y := 0.25 * (float64(i) - 5.5)
		all = append(all, box(0.04, 0.08, 1.1).at(0, y, 0.57))
	}
	all = append(all, box(0.05, 3, 0.07).at(0.05, 0, 0.3), box(0.05, 3, 0.07).at(0.05, 0, 0.9))
	s.add("fence", p, all...)
}

func (s *site) bricks(p geom.Pose) {
	var all []solid
	for layer := range 4 {
		for i := range 3 {
			for j := range 4 {
				all = append(all, box(0.28, 0.19, 0.14).at(0.31*(float64(i)-1), 0.22*(float64(j)-1.5), 0.09+0.16*float64(layer)))
			}
		}
	}
	s.add("bricks", p, all...)
}

func (s *site) cone(p geom.Pose) {
	s.add("cone", p, box(0.5, 0.5, 0.05).at(0, 0, 0.03), lathe(corner(0.2, 0.055), smooth(0.12, 0.4), corner(0.04, 0.8)))
}

func (s *site) barrel(p geom.Pose) {
	s.add("barrel", p, lathe(corner(0.28, 0.01), smooth(0.3, 0.2), smooth(0.33, 0.45), smooth(0.3, 0.7), corner(0.28, 0.9)), torus(0.32, 0.02).at(0, 0, 0.25), torus(0.32, 0.02).at(0, 0, 0.65))
}
