package workload

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// The scenes of SSL04, Figures 1, 11, 12 and 14. The lengths of reference links are
// those of its Table II, in units that the paper does not name: one is a metre here,
// so that its values of delta keep their meaning.

// skinny adds an arm of 20 links of 0.5 units, which stands upright at zero and bends
// about y and x by turns.
func (c *cell) skinny(prefix, parent string, mount geom.Vec) {
	const length, side = 0.5, 0.06
	for i := range 20 {
		name := fmt.Sprintf("%s%02d", prefix, i+1)
		// Four-sided, with a point at either end: 16 triangles.
		c.link(name, cylinder(side/math.Sqrt2, 0.84*length).at(0, 0, length/2))
		at, axis := geom.Vec{Z: length}, axisY
		if i == 0 {
			at = mount
		}
		if i%2 == 1 {
			axis = axisX
		}
		c.turn(parent, name, at, axis, -60, 60)
		parent = name
	}
}

// tori is Figure 1 a: two skinny arms in three thin rings, one above the other.
func tori(c *cell) {
	c.link("world")
	c.skinny("left_", "world", geom.Vec{X: -0.5})
	c.skinny("right_", "world", geom.Vec{X: 0.5})
	c.robotTriangles(2 * 320)
	for i := range 3 {
		c.object(fmt.Sprintf("torus_%d", i), torus(1.4, 0.05).at(0, 0, 2.2*float64(i+1)))
	}
	c.worldTriangles(3 * 6000)
	c.size("links", 40, bodies)
	c.size("triangles of the arms", 2*320, ofRobot)
	c.size("triangles of the tori", 3*6000, ofWorld)
}

// lattice is Figure 11 c with so many arms, each through a hole of its own.
func lattice(arms int) func(c *cell) {
	return func(c *cell) {
		const bars, gap, side = 8, 0.6, 0.06
		c.link("world")
		holes := []geom.Vec{{}}
		if arms > 1 {
			holes = nil
			for i := range 9 {
				holes = append(holes, geom.Vec{X: 1.2 * float64(i%3-1), Y: 1.2 * float64(i/3-1)})
			}
		}
		for i, at := range holes[:arms] {
			c.skinny(fmt.Sprintf("arm%d_", i+1), "world", at)
		}
		c.robotTriangles(320 * arms)
		var all []solid
		for layer := range 2 {
			z := 2 + 2.5*float64(layer)
			for i := range bars {
				x := gap * (float64(i) - (bars-1)/2.0)
				end := gap * bars / 2
				all = append(all,
					bar(geom.Vec{X: x, Y: -end, Z: z}, geom.Vec{X: x, Y: end, Z: z}, side),
					bar(geom.Vec{X: -end, Y: x, Z: z + 1.5*side}, geom.Vec{X: end, Y: x, Z: z + 1.5*side}, side))
			}
		}
		c.object("lattice", all...)
		c.worldTriangles(384)
		c.size("links", 20*arms, bodies)
		c.size("triangles of the arms", 320*arms, ofRobot)
		c.size("triangles of the lattice", 384, ofWorld)
	}
}

// cage stands around the origin: panels of posts and rails, each one object. It
// keeps the arm's base clear of it.
func (c *cell) cage(panels, bars int, radius, height float64) {
	const side = 0.06
	width := 2 * radius * math.Tan(math.Pi/float64(panels)) * 0.92
	for i := range panels {
		turn := geom.Pose{R: geom.RPY(0, 0, 2*math.Pi*(float64(i)+0.5)/float64(panels))}
		var all []solid
		for k := range bars {
			z := height * float64(k-1) / float64(bars-2)
			a, b := geom.Vec{X: radius, Y: -width / 2, Z: z}, geom.Vec{X: radius, Y: width / 2, Z: z}
			if k < 2 { // posts
				y := width * (float64(k) - 0.5)
				a, b = geom.Vec{X: radius, Y: y}, geom.Vec{X: radius, Y: y, Z: height}
			}
			all = append(all, bar(a, b, side).posed(turn))
		}
		c.object(fmt.Sprintf("panel_%d", i), all...)
	}
	c.worldTriangles(432)
	c.size("triangles of the cage", 432, ofWorld)
}

// irbInCage is Figure 11 a, f200InCage Figure 11 b.
func irbInCage(c *cell) {
	arm := irb().scaled(1.77)
	arm.tool = gripper(0.2)
	c.arm("", "", geom.Pose{}, arm)
	c.robotTriangles(2991)
	c.cage(9, 4, 2.2, 4.2)
	c.size("triangles of the robot", 2991, ofRobot)
}

func f200InCage(c *cell) {
	c.arm("", "", geom.Pose{}, welder(1.65))
	c.robotTriangles(2502)
	c.cage(6, 6, 2.3, 3.6)
	c.size("triangles of the robot", 2502, ofRobot)
}

// welder is the F 200 with an arc welding gun; the end effector has 1,080 of its
// 2,502 triangles.
func welder(forearm float64) *sixJoint {
	arm := f200().scaled(forearm)
	arm.tool = torch(0.5 * forearm)
	arm.own = 1080
	return arm
}

// machineTool is Figure 12 a.
func machineTool(c *cell) {
	const k = 1.16
	c.arm("", "", geom.Pose{}, welder(k))
	c.robotTriangles(2502)
	at := geom.Pose{R: geom.Identity(), P: geom.Vec{X: 1.25 * k}}
	c.object("frame", posed(at, machineFrame(k))...)
	c.object("spindle", posed(at, machineSpindle(k))...)
	c.worldTriangles(34_171)
	c.size("triangles of the robot", 2502, ofRobot)
	c.size("triangles of the machine tool", 34_171, ofWorld)
}

// posed moves all solids.
func posed(p geom.Pose, solids []solid) []solid {
	for i := range solids {
		solids[i] = solids[i].posed(p)
	}
	return solids
}

// machineFrame is bed, column, the cabin with its window towards the robot, guides
// and hoses of a milling machine.
func machineFrame(k float64) []solid {
	v := func(x, y, z float64) geom.Vec { return geom.Vec{X: x * k, Y: y * k, Z: z * k} }
	out := []solid{
		box(1.4*k, 1.7*k, 0.5*k).at(0.75*k, 0, 0.25*k),
		box(0.4*k, 0.8*k, 1.5*k).at(1.25*k, 0, 1.25*k),
		box(0.04*k, 1.7*k, 0.35*k).at(0.05*k, 0, 0.68*k), // below the window
		box(0.04*k, 1.7*k, 0.3*k).at(0.05*k, 0, 1.95*k),  // above it
		box(1.2*k, 0.04*k, 1.6*k).at(0.65*k, 0.85*k, 1.3*k),
		box(1.2*k, 0.04*k, 1.6*k).at(0.65*k, -0.85*k, 1.3*k),
		box(0.7*k, 0.8*k, 0.12*k).at(0.55*k, 0, 0.7*k), // the table
		torus(0.16*k, 0.03*k).at(0.55*k, 0.1*k, 0.8*k), // and work upon it
		lathe(corner(0.12*k, 0), corner(0.1*k, 0.12*k), smooth(0.05*k, 0.2*k), corner(0.05*k, 0.3*k)).at(0.5*k, -0.22*k, 0.76*k),
	}
	for i := range 4 {
		y := -0.3 + 0.2*float64(i)
		out = append(out, rod(v(0.2, y, 0.58), v(0.95, y, 0.58), 0.035*k))
	}
	for i := range 3 {
		y := 0.3 + 0.12*float64(i)
		out = append(out, pipe(0.025*k, route(0.08*k, v(1.2, y, 0.5), v(0.9, y, 0.9), v(0.75, y, 1.5), v(1.1, y, 1.9))...))
	}
	return out
}

// machineSpindle is the head with its spindle, chuck, tool and magazine.
func machineSpindle(k float64) []solid {
	out := []solid{
		box(0.5*k, 0.4*k, 0.6*k).at(0.85*k, 0, 1.6*k),
		lathe(corner(0.03*k, -0.3*k), corner(0.03*k, -0.12*k), smooth(0.09*k, -0.1*k), corner(0.12*k, 0), corner(0.14*k, 0.35*k)).at(0.62*k, 0, 1.3*k),
		cylinder(0.25*k, 0.1*k).at(0.65*k, 0.52*k, 1.6*k),
	}
	for i := range 10 {
		s, c := math.Sincos(2 * math.Pi * float64(i) / 10)
		out = append(out, lathe(corner(0.015*k, 0), corner(0.015*k, 0.1*k), corner(0.03*k, 0.13*k), corner(0.03*k, 0.2*k)).
			at((0.65+0.2*c)*k, (0.52+0.2*s)*k, 1.4*k))
	}
	return out
}

// workshop is Figure 12 b.
func workshop(c *cell) {
	arm := irb().scaled(0.64)
	arm.tool = gripper(0.08)
	c.arm("", "", geom.Pose{}, arm)
	c.robotTriangles(5450)
	m := &machinery{cell: c, Rand: c.random("workshop"), free: 0.4}
	m.room = geom.Box{Min: geom.Vec{X: -1.8, Y: -1.8}, Max: geom.Vec{X: 1.8, Y: 1.8, Z: 2}}
	m.grid = newPipeGrid(0.3, m.room, 0.7)
	m.most = 150
	m.add("floor", box(4.4, 4.4, 0.1).at(0, 0, -0.06))
	for i := range 4 {
		yaw := math.Pi / 2 * float64(i)
		at := geom.Pose{R: geom.RPY(0, 0, yaw), P: geom.RPY(0, 0, yaw).Apply(geom.Vec{X: 0.85})}
		m.bench(at)
		if i%2 == 0 {
			m.shelf(at)
		} else {
			m.drill(at)
		}
	}
	for i := range 4 {
		at := geom.Pose{R: geom.RPY(0, 0, float64(i)), P: geom.RPY(0, 0, math.Pi/4+math.Pi/2*float64(i)).Apply(geom.Vec{X: 1.35})}
		if i%2 == 0 {
			m.tank(at)
		} else {
			m.pump(at)
		}
	}
	for range 4 {
		m.piping()
	}
	c.worldTriangles(74_681)
	c.size("triangles of the robot", 5450, ofRobot)
	c.size("triangles of the workshop", 74_681, ofWorld)
}

// carCell is Figures 12 c and d: six arms around a car body, three to either side.
func carCell(arm func() *sixJoint, k float64, robot, car int) func(c *cell) {
	return func(c *cell) {
		c.link("world")
		for i := range 6 {
			side := float64(1 - 2*(i%2))
			at := geom.Pose{
				R: geom.RPY(0, 0, -side*math.Pi/2),
				P: r3.Scale(k, geom.Vec{X: 1.6 * float64(i/2-1), Y: side * 1.75, Z: -0.2}),
			}
			prefix := fmt.Sprintf("r%d_", i+1)
			c.arm(prefix, "world", at, arm())
			c.rest[prefix+"link2"], c.rest[prefix+"link3"] = -0.6, -0.5 // leaning back
		}
		c.robotTriangles(6 * robot)
		c.object("car", carBody(k)...)
		c.worldTriangles(car)
		c.size("triangles of the robots", 6*robot, ofRobot)
		c.size("triangles of the car body", car, ofWorld)
	}
}

// spotWelder is an IRB 2400 of Figure 12 c with a pair of tongs.
func spotWelder() *sixJoint {
	arm := irb().scaled(1.59)
	arm.tool = tongs(0.35 * 1.59)
	return arm
}

// arcWelder is one of the F 200 of Figure 12 d.
func arcWelder() *sixJoint { return welder(1.32) }

// tongs weld spots between two tips.
func tongs(size float64) []solid {
	p := func(x, z float64) geom.Vec { return geom.Vec{X: x * size, Z: z * size} }
	r := 0.035 * size
	return []solid{
		box(0.25*size, 0.2*size, 0.5*size).at(0.14*size, 0, 0),
		pipe(r, route(0.1*size, p(0.2, 0.2), p(0.7, 0.3), p(1, 0.12), p(1, 0.03))...),
		pipe(r, route(0.1*size, p(0.2, -0.2), p(0.7, -0.3), p(1, -0.12), p(1, -0.03))...),
	}
}

// carBody is a body in white of bent sheets, 4.2 k long, on its side members.
func carBody(k float64) []solid {
	const thick = 0.02
	plate := func(at func(u, w float64) geom.Vec) solid {
		return sheet(thick*k, func(u, w float64) geom.Vec { return r3.Scale(k, at(u, w)) })
	}
	arch := func(half, rise, s float64) (y, z float64) { // across the car, s from -1 to 1
		return half * s, -rise * s * s
	}
	out := []solid{
		plate(func(u, w float64) geom.Vec { // floor pan
			return geom.Vec{X: -1.5 + 3*u, Y: 1.3 * (w - 0.5), Z: 0.3 + 0.04*math.Sin(6*math.Pi*w)}
		}),
		plate(func(u, w float64) geom.Vec { // roof
			y, z := arch(0.6, 0.06, 2*w-1)
			return geom.Vec{X: -0.9 + 1.5*u, Y: y, Z: 1.42 + z - 0.08*(2*u-1)*(2*u-1)}
		}),
		plate(func(u, w float64) geom.Vec { // bonnet
			y, z := arch(0.68, 0.1, 2*w-1)
			return geom.Vec{X: 1.05 + 0.95*u, Y: y, Z: 0.98 + z - 0.2*u*u}
		}),
		plate(func(u, w float64) geom.Vec { // boot
			y, z := arch(0.66, 0.08, 2*w-1)
			return geom.Vec{X: -2 + 0.6*u, Y: y, Z: 0.98 + z - 0.1*(1-u)*(1-u)}
		}),
	}
	for _, side := range []float64{-1, 1} {
		// v runs so that the sheet's outside is the car's.
		flank := func(x0, x1, z0, z1 float64) solid {
			return plate(func(u, w float64) geom.Vec {
				x := x0 + (x1-x0)*u
				if side > 0 {
					x = x0 + (x1-x0)*(1-u)
				}
				return geom.Vec{X: x, Y: side * (0.74 + 0.05*math.Sin(math.Pi*w)), Z: z0 + (z1-z0)*w}
			})
		}
		out = append(out, flank(-2, -1.15, 0.62, 0.9), flank(-1.1, -0.1, 0.34, 0.88), flank(-0.05, 1, 0.34, 0.88), flank(1.05, 1.95, 0.6, 0.86))
		v := func(x, y, z float64) geom.Vec { return geom.Vec{X: x * k, Y: side * y * k, Z: z * k} }
		for _, p := range [][2]geom.Vec{ // pillars and sill
			{v(1.05, 0.7, 0.92), v(0.6, 0.58, 1.32)},
			{v(-0.08, 0.74, 0.34), v(-0.1, 0.58, 1.38)},
			{v(-1.1, 0.72, 0.34), v(-0.9, 0.58, 1.34)},
			{v(-1.5, 0.7, 0.3), v(1.4, 0.7, 0.3)},
		} {
			out = append(out, rod(p[0], p[1], 0.035*k))
		}
	}
	return out
}
