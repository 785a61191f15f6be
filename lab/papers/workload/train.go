package workload

import (
	"fmt"
	"math"
	"strings"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// carLength from coupling to coupling, in the toy world's metres.
const carLength = 1.0

// train adds a locomotive, which floats, and its cars. Each coupling turns by yaw and
// pitch.
func (c *cell) train(prefix string, cars int, reach geom.Box) {
	name := func(i int) string { return fmt.Sprintf("%s%d", prefix, i) }
	c.link(name(0), locomotive()...)
	c.float("world", name(0), reach, 80, 80)
	for i := 1; i < cars; i++ {
		c.link(name(i) + "_yaw")
		c.turn(name(i-1), name(i)+"_yaw", geom.Vec{X: -carLength}, axisZ, -40, 40)
		c.link(name(i), carriage()...)
		c.turn(name(i)+"_yaw", name(i), geom.Vec{}, axisY, -30, 30)
	}
}

// undercarriage is the frame with couplings and wheels; the front coupling is at the
// origin, the rear one at -x.
func undercarriage(wheels int) []solid {
	mid := -carLength / 2
	out := []solid{
		box(0.8, 0.26, 0.06).at(mid, 0, 0),
		rod(geom.Vec{X: -0.12}, geom.Vec{X: -0.01}, 0.03),
		rod(geom.Vec{X: -carLength + 0.12}, geom.Vec{X: -carLength + 0.01}, 0.03),
	}
	for i := range wheels {
		x := mid + 0.66*(float64(i)/float64(wheels-1)-0.5)
		for _, y := range []float64{-0.17, 0.17} {
			out = append(out, lathe(corner(0.1, -0.03), corner(0.1, 0.03), corner(0.04, 0.03), corner(0.04, 0.05)).turned(math.Copysign(math.Pi/2, -y), 0, 0).at(x, y, -0.08))
		}
	}
	return out
}

func locomotive() []solid {
	mid := -carLength / 2
	return append(undercarriage(4),
		lathe(corner(0.12, -0.28), corner(0.15, -0.28), smooth(0.15, 0.22), smooth(0.1, 0.27), smooth(0, 0.29)).turned(0, math.Pi/2, 0).at(mid+0.1, 0, 0.17),
		lathe(corner(0.04, 0), smooth(0.045, 0.12), corner(0.08, 0.2)).at(mid+0.28, 0, 0.28),
		ball(0.06).at(mid+0.05, 0, 0.33),
		box(0.26, 0.34, 0.36).at(mid-0.26, 0, 0.21),
		sheet(0.02, func(u, w float64) geom.Vec {
			return geom.Vec{X: mid - 0.42 + 0.32*u, Y: 0.4 * (w - 0.5), Z: 0.44 - 0.3*(w-0.5)*(w-0.5)}
		}),
	)
}

func carriage() []solid {
	mid := -carLength / 2
	out := append(undercarriage(2),
		box(0.8, 0.36, 0.3).at(mid, 0, 0.18),
		sheet(0.02, func(u, w float64) geom.Vec {
			return geom.Vec{X: mid - 0.41 + 0.82*u, Y: 0.4 * (w - 0.5), Z: 0.4 - 0.4*(w-0.5)*(w-0.5)}
		}))
	for i := range 3 {
		out = append(out, cylinder(0.03, 0.08).at(mid-0.25+0.25*float64(i), 0, 0.42))
	}
	return out
}

// roomy is where trains fly.
var roomy = geom.Box{Min: geom.Vec{X: -20, Y: -20, Z: -20}, Max: geom.Vec{X: 20, Y: 20, Z: 20}}

// fourTrains is Figure 11, top, of ZRLK07.
func fourTrains(c *cell) {
	c.link("world")
	for i := range 4 {
		prefix := fmt.Sprintf("t%d_", i+1)
		c.train(prefix, 10, roomy)
		s, co := math.Sincos(math.Pi / 2 * float64(i))
		c.rest[prefix+"0_x"], c.rest[prefix+"0_y"], c.rest[prefix+"0_yaw"] = -1.2*co+0.6*s, -1.2*s-0.6*co, math.Pi/2*float64(i)
		c.rest[prefix+"0_z"] = 0.15 * float64(i)
	}
	c.robotTriangles(4 * 23_000)
	c.size("links", 4*10, bodies)
	c.size("triangles of the trains", 4*23_000, ofRobot)
}

// fourTrainsByPart are the same trains with wheels, couplings, tanks and roofs as
// elements of their own: pairs in the order of the 179,574 of ZRLK07's Table 2.
func fourTrainsByPart(c *cell) {
	fourTrains(c)
	c.partByPart()
}

// fallingTrain is Figure 11, bottom.
func fallingTrain(c *cell) {
	c.link("world")
	c.train("t1_", 17, roomy)
	c.rest["t1_0_x"], c.rest["t1_0_z"] = 8, 7.5
	c.robotTriangles(42_000)
	c.object("mountain", ground(24, 24, 1, mountain))
	c.worldTriangles(29_000)
	c.size("links", 17, bodies)
	c.size("triangles of the train", 42_000, ofRobot)
	c.size("triangles of the mountain", 29_000, ofWorld)
}

// mountain is the height of the mountain.
func mountain(x, y float64) float64 {
	r2 := x*x + y*y
	return 5.5*math.Exp(-r2/40) + 0.5*math.Sin(1.1*x+0.4*y)*math.Cos(0.9*y) + 0.2*math.Sin(2.3*x-1.7*y) + 0.8
}

// flight is what stands in for the dynamics of the papers' trains: bodies that fly,
// turn and wobble, drawn by a force, and lose their way where they hit something.
type flight struct {
	*asker
	rates []float64                // of the joints, per second
	keeps float64                  // how much of its speed a body keeps that bounces off
	pull  func(q, rates []float64) // changes the rates of where trains fly
}

// tick is the time of one frame of a simulation, in seconds.
const tick = 1.0 / 30

// propose moves on by one frame.
func (f *flight) propose(q []float64) []float64 {
	f.pull(q, f.rates)
	for i := range q {
		if f.wobbles(i) {
			f.rates[i] = 0.9*f.rates[i] + 0.5*f.NormFloat64()
		}
		q[i] += f.rates[i] * tick
	}
	return q
}

// wobbles reports whether joint i turns at random: all but those that carry a train
// through space.
func (f *flight) wobbles(i int) bool { return !f.slides[i] }

// hit is next of a walk: trains in contact bounce off with part of their speed and
// some at random.
func (f *flight) hit(m *motion.Motion, v *motion.Verdict) ([]float64, error) {
	if v.Status == motion.Contact {
		for _, b := range []motion.Body{v.Contact.Pair.A, v.Contact.Pair.B} {
			prefix, _, ok := strings.Cut(b.Name, "_")
			if !ok {
				continue
			}
			for i, name := range f.w.Joints {
				if !strings.HasPrefix(name, prefix+"_") {
					continue
				}
				f.rates[i] *= -f.keeps
				if f.slides[i] {
					f.rates[i] += 0.4 * f.NormFloat64()
				}
			}
		}
	}
	return f.bounce(m, v)
}

// tangled draws all trains to the middle.
func tangled(a *asker) error {
	f := &flight{asker: a, keeps: 0.8, rates: make([]float64, len(a.w.Rest)), pull: func(q, rates []float64) {
		for i := range q {
			if a.slides[i] {
				rates[i] -= 0.8 * tick * q[i]
			}
		}
	}}
	for i := range f.rates {
		if a.slides[i] {
			f.rates[i] = -0.8 * a.w.Rest[i] // on their way when it begins
		}
	}
	return f.fly("collision course")
}

// falling draws the train down.
func falling(a *asker) error {
	z := a.joint("t1_0_z")
	f := &flight{asker: a, keeps: 0.1, rates: make([]float64, len(a.w.Rest)), pull: func(_, rates []float64) { rates[z] -= 9.81 * tick }}
	f.rates[z] = -1
	return f.fly("fall")
}

func (f *flight) fly(set string) error {
	f.seed(set)
	motions, err := f.walk(f.count(0), f.w.Rest, f.propose, f.hit)
	if err != nil {
		return err
	}
	f.set(set, motions)
	return nil
}
