package workload

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// armar adds a humanoid on a wheeled platform, with a torso that bends, a head that
// turns and two arms of seven joints, whose hands have three fingers.
func (c *cell) armar() {
	v := func(x, y, z float64) geom.Vec { return geom.Vec{X: x, Y: y, Z: z} }
	both := func(a float64) [2]float64 { return [2]float64{-a, a} }
	c.link("world")
	c.link("drive_x")
	c.link("drive_y")
	c.slide("world", "drive_x", geom.Vec{}, axisX, -1.4, 1.4)
	c.slide("drive_x", "drive_y", geom.Vec{}, axisY, -1.4, 1.4)
	platform := []solid{
		lathe(corner(0.28, 0.06), smooth(0.32, 0.1), smooth(0.32, 0.3), corner(0.26, 0.36)),
		lathe(corner(0.12, 0.36), smooth(0.09, 0.5), corner(0.1, 0.62)),
	}
	for i := range 4 {
		s, co := math.Sincos(math.Pi/4 + float64(i)*math.Pi/2)
		platform = append(platform, cylinder(0.06, 0.04).turned(math.Pi/2, 0, 0).at(0.24*co, 0.24*s, 0.065))
	}
	c.link("platform", platform...)
	c.spin("drive_y", "platform", geom.Vec{}, axisZ)
	c.link("hip", limb(v(0, -0.06, 0), v(0, 0.06, 0), 0.08, 0.08, 0))
	c.turn("platform", "hip", v(0, 0, 0.68), axisZ, -120, 120)
	c.link("torso",
		limb(v(0, 0, 0.1), v(0, 0, 0.4), 0.1, 0.13, 0.1),
		rod(v(0, -0.16, 0.46), v(0, 0.16, 0.46), 0.05))
	c.turn("hip", "torso", geom.Vec{}, axisY, -20, 80)
	c.link("neck", cylinder(0.045, 0.1).at(0, 0, 0.05))
	c.turn("torso", "neck", v(0, 0, 0.53), axisZ, -90, 90)
	c.link("head",
		limb(v(0, 0, 0.08), v(0.01, 0, 0.16), 0.09, 0.085, 0.05),
		cylinder(0.025, 0.05).turned(0, math.Pi/2, 0).at(0.1, 0.035, 0.13),
		cylinder(0.025, 0.05).turned(0, math.Pi/2, 0).at(0.1, -0.035, 0.13))
	c.turn("neck", "head", v(0, 0, 0.1), axisY, -35, 40)
	for _, side := range []float64{1, -1} {
		s := "left_"
		if side < 0 {
			s = "right_"
		}
		outward := [2]float64{-50, 150}
		if side < 0 {
			outward = [2]float64{-150, 50}
		}
		c.link(s+"shoulder", limb(v(0, side*0.02, 0), v(0, side*0.07, 0), 0.055, 0.06, 0))
		c.turn("torso", s+"shoulder", v(0, side*0.18, 0.46), axisY, -170, 60)
		c.link(s+"upper_arm", limb(v(0, 0, -0.03), v(0, 0, -0.22), 0.05, 0.042, 0.05), cylinder(0.052, 0.05).at(0, 0, -0.14))
		c.link(s + "upper_arm_roll")
		c.turn(s+"shoulder", s+"upper_arm_roll", v(0, side*0.08, 0), axisX, outward[0], outward[1])
		c.turn(s+"upper_arm_roll", s+"upper_arm", geom.Vec{}, axisZ, -90, 90)
		c.link(s+"forearm", limb(v(0, 0, -0.02), v(0, 0, -0.19), 0.042, 0.032, 0.1))
		c.turn(s+"upper_arm", s+"forearm", v(0, 0, -0.27), axisY, -140, 0)
		c.link(s+"wrist", cylinder(0.03, 0.05).at(0, 0, -0.02))
		c.turn(s+"forearm", s+"wrist", v(0, 0, -0.23), axisZ, -120, 120)
		c.link(s + "hand_pitch")
		c.turn(s+"wrist", s+"hand_pitch", v(0, 0, -0.06), axisY, both(60)[0], both(60)[1])
		c.link(s+"hand", box(0.08, 0.03, 0.09).at(0, 0, -0.055))
		c.turn(s+"hand_pitch", s+"hand", geom.Vec{}, axisX, both(40)[0], both(40)[1])
		for i, x := range []float64{-0.028, 0, 0.028} {
			c.link(s+"finger_"+string(rune('1'+i)), limb(v(0, 0, -0.02), v(0, 0, -0.07), 0.011, 0.008, 0))
			c.turn(s+"hand", s+"finger_"+string(rune('1'+i)), v(x, 0, -0.105), axisX, -20, 60)
		}
	}
	c.robotTriangles(16_440)
	c.size("triangles of the humanoid", 16_440, ofRobot)
}

// armarAlone is for self-collision; armarInKitchen is Figure 8.
func armarAlone(c *cell) { c.armar() }

func armarInKitchen(c *cell) {
	c.armar()
	c.kitchen()
}

// gestures are motions of torso, head and arms between free postures, the platform
// standing still; driving moves it as well, by up to so much.
func gestures(set string, driving float64) func(a *asker) error {
	return func(a *asker) error {
		a.seed(set)
		draw := func() []float64 {
			q := a.random()
			a.hold(q, map[string]float64{
				"drive_x": driving * (a.Float64() - 0.5), "drive_y": driving * (a.Float64() - 0.5), "platform": 2 * math.Pi * (a.Float64() - 0.5),
			})
			if driving == 0 {
				q[a.joint("platform")] = 0
			}
			q[a.joint("torso")] *= 0.4
			return q
		}
		motions, err := a.segments(a.count(0), draw, either)
		if err != nil {
			return err
		}
		a.set(set, motions)
		a.seed("configurations")
		for range a.count(1000) {
			a.w.Configurations = append(a.w.Configurations, draw())
		}
		return nil
	}
}
