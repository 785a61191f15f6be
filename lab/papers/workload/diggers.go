package workload

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// excavator adds one that drives over the plain, turns its house and digs.
func (c *cell) excavator() {
	v := func(x, z float64) geom.Vec { return geom.Vec{X: x, Z: z} }
	c.link("world")
	c.link("drive_x")
	c.link("drive_y")
	c.slide("world", "drive_x", geom.Vec{}, axisX, -11, 11)
	c.slide("drive_x", "drive_y", geom.Vec{}, axisY, -11, 11)
	c.link("chassis", append(append([]solid{box(1, 0.9, 0.3).at(0, 0, 0.5), cylinder(0.45, 0.2).at(0, 0, 0.72)}, track(0.62)...), track(-0.62)...)...)
	c.spin("drive_y", "chassis", geom.Vec{}, axisZ)
	c.link("house",
		lathe(corner(0.7, 0), corner(0.75, 0.05), corner(0.75, 0.14)),
		box(0.75, 0.5, 0.85).at(0.25, 0.35, 0.6),
		box(0.9, 1.3, 0.55).at(-0.55, 0, 0.44),
		lathe(corner(0.62, 0), smooth(0.7, 0.2), corner(0.6, 0.4)).at(-0.55, 0, 0.15),
		pipe(0.05, route(0.1, geom.Vec{X: -0.5, Y: -0.4, Z: 0.65}, geom.Vec{X: -0.5, Y: -0.4, Z: 1.05}, geom.Vec{X: -0.8, Y: -0.4, Z: 1.1})...),
	)
	c.spin("chassis", "house", geom.Vec{Z: 0.84}, axisZ)
	c.link("boom",
		pipe(0.13, route(0.5, v(0.1, 0.05), v(1, 1.1), v(2.3, 0.9))...),
		rod(geom.Vec{Y: -0.2}, geom.Vec{Y: 0.2}, 0.12),
		rod(geom.Vec{X: 0.5, Y: 0.16, Z: 0.3}, geom.Vec{X: 1.2, Y: 0.16, Z: 1}, 0.04),
		rod(geom.Vec{X: 0.5, Y: -0.16, Z: 0.3}, geom.Vec{X: 1.2, Y: -0.16, Z: 1}, 0.04),
	)
	c.turn("house", "boom", geom.Vec{X: 0.6, Y: -0.25, Z: 0.25}, axisY, -50, 35)
	c.link("stick",
		limb(v(-0.3, 0.12), v(1.5, 0), 0.1, 0.07, 0.1),
		rod(geom.Vec{Y: -0.17}, geom.Vec{Y: 0.17}, 0.08),
		rod(geom.Vec{X: 0.2, Z: 0.18}, geom.Vec{X: 1.2, Z: 0.14}, 0.04),
	)
	c.turn("boom", "stick", v(2.3, 0.9), axisY, 10, 130)
	c.link("bucket", shovel()...)
	c.turn("stick", "bucket", v(1.55, 0), axisY, -40, 110)
	c.rest["stick"], c.rest["bucket"] = degrees(60), degrees(30)
	c.robotTriangles(18_940)
	c.size("triangles of the excavator", 18_940, ofRobot)
}

// track is a crawler with its wheels.
func track(y float64) []solid {
	var loop []point
	const steps = 10
	for side := range 2 {
		for i := range steps + 1 {
			s, co := math.Sincos(math.Pi * (float64(i)/steps - 0.5 + float64(side)))
			loop = append(loop, point{Vec: geom.Vec{X: 0.8*float64(1-2*side) + 0.28*co, Y: y, Z: 0.32 + 0.28*s}, sharp: i == 0 || i == steps})
		}
	}
	// The loop is open by a little, at the bottom, so that the tube does not meet itself.
	loop = append(loop, point{Vec: geom.Vec{X: 0.7, Y: y, Z: 0.04}, sharp: true})
	out := []solid{pipe(0.03, loop...), box(1.6, 0.3, 0.16).at(0, y, 0.32)}
	for i := range 5 {
		out = append(out, cylinder(0.2, 0.24).turned(math.Pi/2, 0, 0).at(0.36*(float64(i)-2), y, 0.3))
	}
	return out
}

// shovel is a bent sheet between two cheeks, with teeth.
func shovel() []solid {
	out := []solid{sheet(0.03, func(u, w float64) geom.Vec {
		s, c := math.Sincos(math.Pi * (0.1 + 1.1*u))
		return geom.Vec{X: 0.3 - 0.34*c, Y: 0.7 * (0.5 - w), Z: -0.1 - 0.32*s}
	})}
	for _, y := range []float64{-0.33, 0.33} {
		out = append(out, cylinder(0.3, 0.03).turned(math.Pi/2, 0, 0).at(0.3, y, -0.12))
	}
	for i := range 5 {
		out = append(out, limb(geom.Vec{X: 0.6, Y: 0.15 * (float64(i) - 2), Z: -0.05}, geom.Vec{X: 0.64, Y: 0.15 * (float64(i) - 2), Z: 0.1}, 0.025, 0.012, 0))
	}
	return append(out, rod(geom.Vec{Y: -0.16}, geom.Vec{Y: 0.16}, 0.06), box(0.3, 0.12, 0.12).at(0.12, 0, -0.06))
}

// towerCrane adds one on rails, built of thin bars, with a trolley and a hook on a
// rope.
func (c *cell) towerCrane() {
	v := func(x, y, z float64) geom.Vec { return geom.Vec{X: x, Y: y, Z: z} }
	const height, half = 8.0, 0.35
	c.link("world")
	c.link("rail_x")
	c.slide("world", "rail_x", geom.Vec{}, axisX, -9, 9)
	tower := []solid{box(1.6, 1.6, 0.25).at(0, 0, 0.2)}
	corners := [4][2]float64{{-half, -half}, {half, -half}, {half, half}, {-half, half}}
	for i, p := range corners {
		q := corners[(i+1)%4]
		tower = append(tower, bar(v(p[0], p[1], 0.3), v(p[0], p[1], height), 0.07))
		for k := range 6 {
			z := 0.4 + 1.25*float64(k)
			tower = append(tower, bar(v(p[0], p[1], z), v(q[0], q[1], z+1.25), 0.04))
		}
	}
	c.link("tower", tower...)
	c.slide("rail_x", "tower", geom.Vec{}, axisY, -9, 9)
	jib := []solid{
		box(0.9, 0.9, 0.2).at(0, 0, 0.15), box(0.5, 0.5, 0.7).at(0.4, 0.5, 0.3),
		bar(v(-3, -0.25, 0.5), v(7, -0.25, 0.5), 0.06), bar(v(-3, 0.25, 0.5), v(7, 0.25, 0.5), 0.06), bar(v(0, 0, 1.1), v(7, 0, 0.95), 0.06),
		box(0.8, 0.7, 0.9).at(-2.7, 0, 0.1), bar(v(0, 0, 0.4), v(0, 0, 2), 0.1), bar(v(0, 0, 2), v(5, 0, 1), 0.03), bar(v(0, 0, 2), v(-2.8, 0, 0.55), 0.03),
	}
	for k := range 14 {
		x := 0.5 * float64(k)
		y := 0.25 * float64(1-2*(k%2))
		jib = append(jib, bar(v(x, y, 0.5), v(x+0.5, 0, 1.1-0.02*x), 0.035), bar(v(x, y, 0.5), v(x+0.5, -y, 0.5), 0.035))
	}
	c.link("jib", jib...)
	c.spin("tower", "jib", geom.Vec{Z: height}, axisZ)
	c.link("trolley", box(0.4, 0.4, 0.12).at(0, 0, 0.36))
	c.slide("jib", "trolley", geom.Vec{}, axisX, 1, 6.5)
	c.link("hook", bar(v(0, 0, -0.1), v(0, 0, 7), 0.03), box(0.16, 0.1, 0.24).at(0, 0, -0.2), torus(0.1, 0.025).turned(math.Pi/2, 0, 0).at(0, 0, -0.4))
	// The rope is as long as it can be: what of it stands above the trolley is wound up
	// in a real crane, and here passes through nothing but the trolley.
	c.slide("trolley", "hook", geom.Vec{Z: -6.6}, axisZ, -0.5, 5.5)
	c.rest["trolley"], c.rest["hook"] = 3, 2
	c.allow("jib", "hook")
	c.robotTriangles(1288)
	c.size("triangles of the crane", 1288, ofRobot)
}

// excavatorSite and craneSite are Figures 9 and 10; loaded, the machine stands where
// it works and carries a weight.
func excavatorSite(loaded bool) func(c *cell) {
	return func(c *cell) {
		c.excavator()
		if loaded {
			c.attach("weight", "bucket", ball(0.22).at(0.42, 0, -0.18))
		}
		c.construction()
	}
}

func craneSite(loaded bool) func(c *cell) {
	return func(c *cell) {
		c.towerCrane()
		if loaded {
			c.attach("weight", "hook", cylinder(0.3, 0.5).at(0, 0, -0.8))
		}
		c.construction()
	}
}

// localPaths are a planner's: straight motions between free configurations, whose
// joints each lie up to a fraction of their range from those of the first one.
// Joints that held gives stay at about that place.
func localPaths(set string, far float64, held map[string]float64) func(a *asker) error {
	return func(a *asker) error {
		a.seed(set)
		var from []float64
		draw := func() []float64 {
			q := a.random()
			a.hold(q, held)
			for _, name := range slices.Sorted(maps.Keys(held)) {
				q[a.joint(name)] += 0.4 * (a.Float64() - 0.5)
			}
			if from != nil {
				for j := range q {
					q[j] = from[j] + far*(q[j]-from[j])
				}
			}
			return q
		}
		n := a.count(0)
		var motions []*motion.Motion
		for len(motions) < n {
			from = nil
			start, err := a.randomFree(draw)
			if err != nil {
				return err
			}
			from = start
			goal, err := a.randomFree(draw)
			if err != nil {
				return fmt.Errorf("%s: %w", set, err)
			}
			m, err := a.straight(start, goal)
			if err != nil {
				return err
			}
			motions = append(motions, m)
		}
		a.set(set, motions)
		return nil
	}
}
