package workload

import (
	"context"
	"fmt"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// randomSegments are the sets of SSL04, section V: segments between free
// configurations, of which the first set has those that collide (Table III), the
// second those that are free (Table VI) and the third whatever comes (Table XI). It
// adds the configurations of Table I and a problem of planning (Tables IV and V).
func randomSegments(a *asker) error {
	for _, s := range []struct {
		name   string
		wanted func(free bool) bool
	}{{"colliding", colliding}, {"free", apart}, {"random", either}} {
		a.seed(s.name)
		motions, err := a.segments(a.count(1000), a.random, s.wanted)
		if err != nil {
			return err
		}
		a.set(s.name, motions)
	}
	a.configurations(1000)
	return a.problem("across", a.random)
}

// walkFrom is the random walk of SSL04, section V-E, from upright, in steps of up to
// so many degrees for each joint: the paper does not say how long its steps are.
func walkFrom(most float64) func(a *asker) error {
	return func(a *asker) error {
		a.seed("walk")
		motions, err := a.walk(a.count(0), a.w.Rest, func(q []float64) []float64 { return a.step(q, most) }, a.reject)
		if err != nil {
			return err
		}
		a.set("walk", motions)
		a.configurations(1000)
		return nil
	}
}

// grazing is the full turn of SSL04, section V-F, at four clearances. The arm bends
// down to each by its second joint.
func grazing(a *asker) error {
	for _, clearance := range []float64{0.1, 0.01, 0.001, 0.0001} {
		q, err := a.bend(clearance)
		if err != nil {
			return err
		}
		from, to := append([]float64{a.lower[0]}, q[1:]...), append([]float64{a.upper[0]}, q[1:]...)
		m, err := a.straight(from, to)
		if err != nil {
			return err
		}
		a.set(fmt.Sprintf("clearance %g", clearance), []*motion.Motion{m})
	}
	return nil
}

// bend returns a configuration at which the arm, turned to x, is a little more than
// the clearance away from what is below it.
func (a *asker) bend(clearance float64) ([]float64, error) {
	q := append([]float64(nil), a.w.Rest...)
	lo, hi := q[1], a.upper[1] // far enough, and too low
	for range 60 {
		q[1] = (lo + hi) / 2
		d, err := a.gap(q)
		switch {
		case err != nil:
			return nil, err
		case d < 1.001*clearance:
			hi = q[1]
		case d > 1.005*clearance:
			lo = q[1]
		default:
			return q, nil
		}
	}
	return nil, fmt.Errorf("the arm cannot be bent to a clearance of %g", clearance)
}

// gap is the distance to the world.
func (a *asker) gap(q []float64) (float64, error) {
	at := map[string]float64{}
	for i, name := range a.w.Joints {
		at[name] = q[i]
	}
	d, err := a.checker.Distance(context.Background(), at, motion.DistanceQuery{NoSelf: true})
	return d.World.Lo, err
}

// grazer is the robot of Figure 14, its gun pointing down.
func grazer(c *cell) {
	c.arm("", "", geom.Pose{}, welder(1.32))
	c.robotTriangles(2502)
	c.rest["link2"], c.rest["link3"], c.rest["link5"] = 0.2, -0.3, 0.9
	c.size("triangles of the robot", 2502, ofRobot)
	c.size("triangles of the end effector", 1080, func(w *Workload) int {
		return len(w.Robot.Links[w.Robot.Link("link6")].Collisions[0].Shape.Mesh.Triangles)
	})
}

// badFloor is Figure 14 a: on a floor of 8,000 triangles.
func badFloor(c *cell) {
	grazer(c)
	c.object("floor", ground(9, 9, 0.2, func(_, _ float64) float64 { return 0 }))
	c.worldTriangles(8000)
	c.allow("base", "floor")
	c.size("triangles of the floor", 8000, ofWorld)
}

// badBox is Figures 14 b and c: on a box beside another one of that width, whose
// faces have 8,000 triangles each.
func badBox(width float64) func(c *cell) {
	return func(c *cell) {
		grazer(c)
		c.object("stand", box(1, 1, 1).at(0, 0, -0.5))
		c.objects[0].triangles = minimum
		c.object("box", evenBox(1.4, width, 1).at(2.5, 0, -0.5))
		c.worldTriangles(6 * 8000)
		c.allow("base", "stand")
		c.size("triangles of the box", 6*8000, func(w *Workload) int { return len(w.World.Objects[1].Shape.Mesh.Triangles) })
	}
}
