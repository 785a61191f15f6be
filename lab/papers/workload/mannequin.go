package workload

import (
	"github.com/firstcontact-ros/firstcontact/geom"
)

// standing is the height of a mannequin's hips above its soles.
const standing = 0.99

// socket hangs child on parent by three turns about one point: pitch, roll and yaw,
// each with limits in degrees. The last joint has the child's name.
func (c *cell) socket(parent, child string, at geom.Vec, pitch, roll, yaw [2]float64) {
	c.link(child + "_pitch")
	c.link(child + "_roll")
	c.turn(parent, child+"_pitch", at, axisY, pitch[0], pitch[1])
	c.turn(child+"_pitch", child+"_roll", geom.Vec{}, axisX, roll[0], roll[1])
	c.turn(child+"_roll", child, geom.Vec{}, axisZ, yaw[0], yaw[1])
}

// mannequin adds a figure of 15 links, some 1.75 m tall, whose pelvis floats within
// reach of parent. It looks along x, its arms hang, and at zero it stands straight.
func (c *cell) mannequin(prefix, parent string, reach geom.Box) {
	v := func(x, y, z float64) geom.Vec { return geom.Vec{X: x, Y: y, Z: z} }
	n := func(s string) string { return prefix + s }
	both := func(a float64) [2]float64 { return [2]float64{-a, a} }
	c.link(n("pelvis"), limb(v(0, -0.08, 0), v(0, 0.08, 0), 0.1, 0.1, 0.05))
	c.float(parent, n("pelvis"), reach, 60, 45)
	c.link(n("torso"),
		limb(v(0, 0, 0.06), v(0, 0, 0.36), 0.12, 0.14, 0.06),
		limb(v(0, -0.14, 0.4), v(0, 0.14, 0.4), 0.05, 0.05, 0))
	c.socket(n("pelvis"), n("torso"), v(0, 0, 0.12), [2]float64{-30, 100}, both(40), both(60))
	c.link(n("head"),
		limb(v(0, 0, 0), v(0, 0, 0.06), 0.045, 0.045, 0),
		limb(v(0.01, 0, 0.13), v(0.01, 0, 0.2), 0.09, 0.09, 0.03),
		limb(v(0.09, 0, 0.15), v(0.11, 0, 0.13), 0.012, 0.016, 0))
	c.socket(n("torso"), n("head"), v(0, 0, 0.48), [2]float64{-50, 60}, both(40), both(80))
	for _, side := range []float64{1, -1} {
		s := n("left_")
		if side < 0 {
			s = n("right_")
		}
		c.armOf(s, n("torso"), v(0, side*0.24, 0.4), side)
		c.legOf(s, n("pelvis"), v(0, side*0.1, -0.05), side)
	}
}

// armOf hangs upper arm, forearm and hand at the shoulder. Elbows bend forward by
// negative angles.
func (c *cell) armOf(s, torso string, shoulder geom.Vec, side float64) {
	v := func(x, y, z float64) geom.Vec { return geom.Vec{X: x, Y: y, Z: z} }
	outward := [2]float64{-30, 160}
	if side < 0 {
		outward = [2]float64{-160, 30}
	}
	c.link(s+"upper_arm", limb(v(0, 0, -0.01), v(0, 0, -0.25), 0.046, 0.038, 0.1))
	c.socket(torso, s+"upper_arm", shoulder, [2]float64{-170, 60}, outward, [2]float64{-90, 90})
	c.link(s+"forearm", limb(v(0, 0, -0.02), v(0, 0, -0.22), 0.037, 0.027, 0.12))
	c.turn(s+"upper_arm", s+"forearm", v(0, 0, -0.28), axisY, -145, 0)
	hand := []solid{limb(v(0, 0, -0.03), v(0, 0, -0.08), 0.026, 0.03, 0)}
	for i := range 4 {
		y := 0.013 * (float64(i) - 1.5)
		hand = append(hand, limb(v(0.018*float64(i)-0.027, 0.3*y, -0.09), v(0.018*float64(i)-0.027, 0.3*y, -0.155), 0.009, 0.007, 0))
	}
	hand = append(hand, limb(v(0.03, 0, -0.05), v(0.055, 0, -0.1), 0.01, 0.008, 0))
	c.link(s + "hand_pitch")
	c.turn(s+"forearm", s+"hand_pitch", v(0, 0, -0.26), axisY, -70, 70)
	c.link(s+"hand", hand...)
	c.turn(s+"hand_pitch", s+"hand", geom.Vec{}, axisX, -30, 30)
}

// legOf hangs thigh, shin and foot at the hip. Knees bend by positive angles.
func (c *cell) legOf(s, pelvis string, hip geom.Vec, side float64) {
	v := func(x, y, z float64) geom.Vec { return geom.Vec{X: x, Y: y, Z: z} }
	outward := [2]float64{-35, 50}
	if side < 0 {
		outward = [2]float64{-50, 35}
	}
	c.link(s+"thigh", limb(v(0, 0, -0.03), v(0, 0, -0.38), 0.074, 0.052, 0.06))
	c.socket(pelvis, s+"thigh", hip, [2]float64{-120, 40}, outward, [2]float64{-40, 40})
	c.link(s+"shin", limb(v(0, 0, -0.03), v(0, 0, -0.38), 0.05, 0.034, 0.12))
	c.turn(s+"thigh", s+"shin", v(0, 0, -0.43), axisY, 0, 145)
	c.link(s + "foot_pitch")
	c.turn(s+"shin", s+"foot_pitch", v(0, 0, -0.42), axisY, -50, 40)
	c.link(s+"foot",
		limb(v(-0.04, 0, -0.05), v(0.16, 0, -0.055), 0.04, 0.035, 0),
		limb(v(0, 0, -0.01), v(0, 0, -0.03), 0.034, 0.038, 0))
	c.turn(s+"foot_pitch", s+"foot", geom.Vec{}, axisX, -25, 25)
}
