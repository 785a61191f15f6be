package workload

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// bench with a vice and some work upon it; at is its middle on the floor, x away
// from the robot.
func (m *machinery) bench(at geom.Pose) {
	m.add("top", box(0.5, 0.9, 0.05).at(0.1, 0, 0.45).posed(at))
	for _, s := range [4][2]float64{{-1, -1}, {1, -1}, {-1, 1}, {1, 1}} {
		m.add("leg", box(0.05, 0.05, 0.42).at(0.1+0.2*s[0], 0.4*s[1], 0.21).posed(at))
	}
	m.add("vice", box(0.12, 0.1, 0.08).at(0, -0.3, 0.52).posed(at))
	m.add("jaw", box(0.03, 0.14, 0.1).at(-0.1, -0.3, 0.55).posed(at))
	m.add("screw", rod(geom.Vec{X: -0.16, Y: -0.3, Z: 0.53}, geom.Vec{X: 0, Y: -0.3, Z: 0.53}, 0.015).posed(at))
	m.add("cup", lathe(corner(0.04, 0), smooth(0.05, 0.06), corner(0.045, 0.11)).at(0.1, 0.05, 0.476).posed(at))
	m.add("ring", torus(0.06, 0.015).at(0, 0.28, 0.495).posed(at))
}

// shelf on the far edge of a bench, with bins.
func (m *machinery) shelf(at geom.Pose) {
	for i := range 3 {
		z := 0.75 + 0.3*float64(i)
		m.add("board", box(0.25, 0.9, 0.02).at(0.35, 0, z).posed(at))
		for k := range 4 {
			m.add("bin", box(0.16, 0.14, 0.1).at(0.35, -0.33+0.22*float64(k), z+0.06).posed(at))
		}
	}
	for _, y := range []float64{-0.45, 0.45} {
		m.add("side", box(0.25, 0.02, 0.95).at(0.35, y, 0.95).posed(at))
	}
}

// drill is a pillar drill on a bench.
func (m *machinery) drill(at geom.Pose) {
	m.add("pillar", cylinder(0.035, 0.8).at(0.25, 0.1, 0.88).posed(at))
	m.add("table", box(0.2, 0.2, 0.03).at(0.1, 0.1, 0.62).posed(at))
	m.add("head", box(0.3, 0.14, 0.2).at(0.14, 0.1, 1.15).posed(at))
	m.add("chuck", lathe(corner(0.006, -0.18), corner(0.006, -0.08), corner(0.03, -0.06), corner(0.035, 0)).at(0.08, 0.1, 1.04).posed(at))
	for i := range 3 {
		s, c := math.Sincos(2 * math.Pi / 3 * float64(i))
		m.add("lever", rod(geom.Vec{X: 0.14, Y: 0.18, Z: 1.12}, geom.Vec{X: 0.14 + 0.12*c, Y: 0.2, Z: 1.12 + 0.12*s}, 0.008).posed(at))
	}
}
