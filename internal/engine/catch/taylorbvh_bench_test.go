package catch

import (
	"fmt"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// arm is a chain of n links, 2 m in all, whose joints turn about z, y and x in turns.
func BenchmarkTaylor(b *testing.B) {
	for _, depth := range []int{7, 15} {
		var c crank
		for i := range depth {
			c.offset = append(c.offset, geom.Vec{X: 2 / float64(depth)})
			c.from, c.rate = append(c.from, 0.1*float64(i%3)), append(c.rate, 0.2)
		}
		c.point, c.radius = geom.Vec{X: 2 / float64(depth)}, 0.05
		r, course := c.rig(b)
		e := &r.m.Elements[0]
		t := NewTaylorBVH(r.m, NewLinkBoxes(r.m))
		t.boxes[0].Axes = [3]geom.Vec{{X: 0.1}, {Y: 0.05}, {Z: 0.05}}
		t.Load(course, 0)
		run := func(name string, f func(s0 float64)) {
			b.Run(fmt.Sprintf("%s/%d", name, depth), func(b *testing.B) {
				s := 0.0
				for b.Loop() {
					if s += 1e-6; s > 0.5 {
						s = 0
					}
					f(s)
				}
			})
		}
		run("chain", func(s float64) { t.PoseWF(e.Frame, s, s+0.3) })
		run("intervals", func(s float64) { t.plain(t.during(s, s+0.3), 0, e.Frame) })
		run("twist", func(s float64) { t.TwistBF(0, e.Frame, s, s+0.3) })
		run("box", func(float64) { t.AABB(0, 0, 1) })
		run("approach", func(float64) { t.Approach(0, e.Frame, geom.Vec{X: 0.1}, 0.05, geom.Vec{X: 1}, 0, 1) })
	}
}
