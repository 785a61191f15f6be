package workload

import (
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// kitchen adds a kitchen of 4 by 4 metres: a run of cupboards with sink, stove and
// dishes, a fridge, a laid table with chairs, and shelves with jars.
func (c *cell) kitchen() {
	k := kitchen{cell: c}
	k.add("floor", box(4.4, 4.4, 0.1).at(0, 0, -0.06))
	k.add("wall", box(0.1, 4.4, 2.5).at(2.2, 0, 1.25))
	k.add("wall", box(4.4, 0.1, 2.5).at(0, 2.2, 1.25))
	k.counter()
	k.upper()
	k.fridge(at(1.75, 1.7, 0))
	k.table(at(-1.1, -1.1, 0.4))
	for i := range 3 {
		a := 0.4 + math.Pi/2*float64(i)
		k.chair(at(-1.1+0.75*math.Cos(a), -1.1+0.75*math.Sin(a), a+math.Pi))
	}
	k.shelf(at(0.4, 2.03, -math.Pi/2))
	k.add("lamp", lathe(corner(0.18, 0), smooth(0.14, 0.1), smooth(0.05, 0.2), corner(0.02, 0.22)).at(-1.1, -1.1, 1.6), cylinder(0.006, 0.7).at(-1.1, -1.1, 2.15))
	c.worldTriangles(95_000)
	c.size("triangles of the kitchen", 95_000, ofWorld)
}

type kitchen struct{ *cell }

func (k *kitchen) add(kind string, solids ...solid) {
	k.object(fmt.Sprintf("%s_%d", kind, len(k.objects)), solids...)
}

func (k *kitchen) put(kind string, p geom.Pose, solids ...solid) { k.add(kind, posed(p, solids)...) }

// counter runs along the wall at x = 2.
func (k *kitchen) counter() {
	for i := range 5 {
		y := -1.8 + 0.6*float64(i)
		k.add("cupboard", box(0.55, 0.58, 0.8).at(1.85, y, 0.45))
		k.add("door", box(0.02, 0.54, 0.7).at(1.56, y, 0.45))
		k.add("handle", pipe(0.007, route(0.02, geom.Vec{X: 1.55, Y: y - 0.1, Z: 0.72}, geom.Vec{X: 1.51, Y: y - 0.1, Z: 0.72}, geom.Vec{X: 1.51, Y: y + 0.1, Z: 0.72}, geom.Vec{X: 1.55, Y: y + 0.1, Z: 0.72})...))
	}
	k.add("worktop", box(0.62, 3.1, 0.04).at(1.85, -0.6, 0.87))
	k.add("sink", torus(0.2, 0.03).at(1.82, -1.5, 0.9), lathe(corner(0.03, 0.89), smooth(0.17, 0.9), corner(0.18, 0.94)).at(1.82, -1.5, 0))
	k.add("tap", pipe(0.015, route(0.07, geom.Vec{X: 2.08, Y: -1.5, Z: 0.88}, geom.Vec{X: 2.08, Y: -1.5, Z: 1.2}, geom.Vec{X: 1.88, Y: -1.5, Z: 1.2}, geom.Vec{X: 1.88, Y: -1.5, Z: 1.1})...))
	for i := range 4 {
		x, y := 1.72+0.28*float64(i%2), -0.25+0.3*float64(i/2)
		k.add("plate", cylinder(0.09, 0.015).at(x, y, 0.9))
		k.add("knob", lathe(corner(0.02, 0), smooth(0.022, 0.015), corner(0.015, 0.025)).turned(0, -math.Pi/2, 0).at(1.535, -0.3+0.1*float64(i), 0.83))
	}
	k.add("pot", lathe(corner(0.1, 0.91), corner(0.11, 1.03), corner(0.12, 1.035), smooth(0.06, 1.06), smooth(0.015, 1.065), corner(0.02, 1.09)).at(1.72, -0.25, 0))
	k.add("pan", lathe(corner(0.1, 0.91), corner(0.12, 0.95)).at(2, 0.05, 0), rod(geom.Vec{X: 1.9, Y: 0.05, Z: 0.935}, geom.Vec{X: 1.65, Y: 0.05, Z: 0.96}, 0.012))
	for i := range 6 {
		k.add("glass", lathe(corner(0.025, 0.89), smooth(0.03, 0.95), corner(0.035, 1.0)).at(1.7+0.1*float64(i%3), -0.95+0.1*float64(i/3), 0.001))
	}
	k.add("kettle", lathe(corner(0.09, 0.89), smooth(0.1, 0.97), smooth(0.06, 1.08), corner(0.03, 1.1)).at(1.95, 0.55, 0.001),
		torus(0.07, 0.01).turned(math.Pi/2, 0, 0).at(1.95, 0.55, 1.11))
}

// upper cupboards hang on the same wall, with a hood over the stove.
func (k *kitchen) upper() {
	for i := range 5 {
		y := -1.8 + 0.6*float64(i)
		if i == 3 {
			k.add("hood", lathe(corner(0.28, 1.45), smooth(0.2, 1.55), corner(0.09, 1.7), corner(0.09, 2.4)).at(1.88, 0, 0))
			continue
		}
		k.add("cupboard", box(0.33, 0.58, 0.7).at(1.97, y, 1.75))
		k.add("handle", rod(geom.Vec{X: 1.78, Y: y + 0.2, Z: 1.45}, geom.Vec{X: 1.78, Y: y + 0.2, Z: 1.6}, 0.008))
	}
}

func (k *kitchen) fridge(p geom.Pose) {
	k.put("fridge", p, box(0.6, 0.6, 1.7).at(0, 0, 0.86))
	k.put("door", p, box(0.04, 0.58, 1.0).at(-0.33, 0, 0.55))
	k.put("door", p, box(0.04, 0.58, 0.6).at(-0.33, 0, 1.39))
	for _, z := range []float64{0.8, 1.3} {
		k.put("handle", p, pipe(0.01, route(0.03, geom.Vec{X: -0.35, Y: 0.22, Z: z}, geom.Vec{X: -0.41, Y: 0.22, Z: z}, geom.Vec{X: -0.41, Y: 0.22, Z: z + 0.25}, geom.Vec{X: -0.35, Y: 0.22, Z: z + 0.25})...))
	}
}

func (k *kitchen) table(p geom.Pose) {
	k.put("table", p, cylinder(0.5, 0.03).at(0, 0, 0.73), lathe(corner(0.25, 0), smooth(0.06, 0.06), smooth(0.04, 0.4), corner(0.1, 0.71)))
	for i := range 4 {
		a := math.Pi / 2 * float64(i)
		x, y := 0.33*math.Cos(a), 0.33*math.Sin(a)
		k.put("dish", p, lathe(corner(0.05, 0), smooth(0.09, 0.012), corner(0.11, 0.025)).at(x, y, 0.747))
		k.put("cup", p, lathe(corner(0.025, 0), smooth(0.038, 0.03), corner(0.04, 0.08)).at(0.75*x-0.35*y, 0.75*y+0.35*x, 0.747),
			torus(0.02, 0.005).turned(math.Pi/2, 0, 0).at(0.75*x-0.35*y+0.05, 0.75*y+0.35*x, 0.787))
	}
	k.put("bowl", p, lathe(corner(0.05, 0), smooth(0.1, 0.04), corner(0.13, 0.09)).at(0, 0, 0.747))
	for i := range 5 {
		s, co := math.Sincos(2 * math.Pi * float64(i) / 5)
		k.put("apple", p, ball(0.035).at(0.06*co, 0.06*s, 0.86))
	}
}

func (k *kitchen) chair(p geom.Pose) {
	k.put("seat", p, box(0.4, 0.4, 0.03).at(0, 0, 0.45))
	for _, s := range [4][2]float64{{-1, -1}, {1, -1}, {-1, 1}, {1, 1}} {
		k.put("leg", p, cylinder(0.016, 0.43).at(0.17*s[0], 0.17*s[1], 0.217))
	}
	k.put("back", p,
		sheet(0.015, func(u, w float64) geom.Vec {
			return geom.Vec{X: -0.19 - 0.03*math.Sin(math.Pi*u), Y: 0.36 * (0.5 - u), Z: 0.65 + 0.25*w}
		}),
		rod(geom.Vec{X: -0.19, Y: 0.16, Z: 0.47}, geom.Vec{X: -0.19, Y: 0.16, Z: 0.7}, 0.012), rod(geom.Vec{X: -0.19, Y: -0.16, Z: 0.47}, geom.Vec{X: -0.19, Y: -0.16, Z: 0.7}, 0.012))
}

func (k *kitchen) shelf(p geom.Pose) {
	for i := range 3 {
		z := 1 + 0.35*float64(i)
		k.put("board", p, box(0.22, 1.1, 0.02).at(0, 0, z))
		for j := range 6 {
			y := -0.45 + 0.18*float64(j)
			k.put("jar", p, lathe(corner(0.04, 0), smooth(0.045, 0.08), corner(0.035, 0.12), corner(0.037, 0.122), corner(0.037, 0.14)).at(0, y, z+0.012))
		}
	}
}
