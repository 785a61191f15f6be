package workload

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// pumaBase is how far around the Puma's axis nothing stands.
const pumaBase = 0.34

// pipes is the first benchmark of RKLM04, section 6.
func pipes(c *cell) {
	c.arm("", "", geom.Pose{}, puma())
	c.robotTriangles(800)
	rng := c.random("pipes")
	grid := newPipeGrid(0.24, geom.Box{Min: geom.Vec{X: -1.2, Y: -1.2}, Max: geom.Vec{X: 1.2, Y: 1.2, Z: 1.8}}, pumaBase)
	for i := range 36 {
		corners := grid.run(rng, 8)
		if corners == nil {
			continue
		}
		r := 0.02 + 0.045*rng.Float64()
		run := []solid{pipe(r, route(1.6*r, corners...)...)}
		for _, k := range []int{0, len(corners) - 1} { // flanges at the ends
			next := corners[min(max(1, k-1), len(corners)-1)]
			out := r3.Sub(corners[k], next)
			run = append(run, cylinder(1.5*r, 0.02).posed(geom.Pose{R: towards(out), P: corners[k]}))
		}
		c.object(fmt.Sprintf("pipe_%d", i), run...)
	}
	c.worldTriangles(38_000)
	c.size("links", 7, bodies)
	c.size("triangles of the robot", 800, ofRobot)
	c.size("triangles of the pipes", 38_000, ofWorld)
}

// episode is after how many steps a random walk begins anew elsewhere.
const episode = 10

// steps are random walks whose joints each turn by up to so many degrees. They begin
// close to something, as the paper places its robot.
func steps(largest ...float64) func(a *asker) error {
	return func(a *asker) error {
		for _, most := range largest {
			name := fmt.Sprintf("%g deg", most)
			a.seed(name)
			var motions []*motion.Motion
			for n := a.count(0); len(motions) < n; {
				start, err := a.close()
				if err != nil {
					return err
				}
				more, err := a.walk(min(episode, n-len(motions)), start, func(q []float64) []float64 { return a.step(q, most) }, a.bounce)
				if err != nil {
					return err
				}
				motions = append(motions, more...)
			}
			a.set(name, motions)
		}
		return nil
	}
}

// step turns each joint by up to so many degrees.
func (a *asker) step(q []float64, most float64) []float64 {
	for i := range q {
		q[i] = a.stepWithin(i, q[i], degrees(most)*a.Float64())
	}
	return q
}

// close is a free configuration shortly before a contact.
func (a *asker) close() ([]float64, error) {
	for range tries {
		from, err := a.randomFree(a.random)
		if err != nil {
			return nil, err
		}
		m, err := a.straight(from, a.random())
		if err != nil {
			return nil, err
		}
		v, err := a.check(m, motion.Query{})
		if err != nil {
			return nil, err
		}
		if v.Status == motion.Contact {
			return a.before(m, &v, 1024)
		}
	}
	return nil, errors.New("nothing that the robot may hit was found")
}

// stepWithin turns joint i from x by step, to either side but not past its limits.
func (a *asker) stepWithin(i int, x, step float64) float64 {
	if a.IntN(2) == 0 {
		step = -step
	}
	if !a.endless[i] && (x+step > a.upper[i] || x+step < a.lower[i]) {
		step = -step
	}
	return x + step
}

// machineRoom is the second benchmark of RKLM04, section 6: the partial model of an
// auxiliary machine room.
func machineRoom(c *cell) {
	c.arm("", "", geom.Pose{}, puma())
	c.robotTriangles(800)
	m := &machinery{cell: c, Rand: c.random("machine room"), free: pumaBase}
	m.furnish(1180)
	c.worldTriangles(187_000)
	c.size("links", 7, bodies)
	c.size("triangles of the robot", 800, ofRobot)
	c.size("objects", 1180, objects)
	c.size("triangles of the room", 187_000, ofWorld)
}

// outside reports whether a place is farther than d from the z axis.
func outside(p geom.Vec, d float64) bool { return math.Hypot(p.X, p.Y) > d }
