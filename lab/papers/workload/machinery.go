package workload

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// machinery furnishes a room with pumps, tanks, pipes with valves, cabinets,
// railings and ducts.
type machinery struct {
	*cell
	*rand.Rand
	free float64 // around the z axis, where the robot stands

	room geom.Box
	grid *pipeGrid
	most int // objects
}

// furnish adds n objects.
func (m *machinery) furnish(n int) {
	m.room = geom.Box{Min: geom.Vec{X: -2.4, Y: -2.4}, Max: geom.Vec{X: 2.4, Y: 2.4, Z: 2.7}}
	m.grid = newPipeGrid(0.3, m.room, m.free)
	m.most = len(m.objects) + n
	m.add("floor", box(5.2, 5.2, 0.1).at(0, 0, -0.06))
	m.add("wall", box(0.1, 5.2, 2.8).at(-2.6, 0, 1.4))
	m.add("wall", box(5.2, 0.1, 2.8).at(0, 2.6, 1.4))
	kinds := []func(place geom.Pose){m.pump, m.tank, m.cabinet, m.railing, m.duct}
	for i := 0; len(m.objects) < m.most; i++ {
		if i%2 == 0 {
			m.piping()
			continue
		}
		kinds[i/2%len(kinds)](m.somewhere())
	}
}

// add adds one object until there are enough.
func (m *machinery) add(kind string, solids ...solid) {
	if len(m.objects) < m.most {
		m.object(fmt.Sprintf("%s_%d", kind, len(m.objects)), solids...)
	}
}

// somewhere is a place on the floor away from the robot, turned at random.
func (m *machinery) somewhere() geom.Pose {
	for {
		p := geom.Vec{X: m.between(m.room.Min.X, m.room.Max.X), Y: m.between(m.room.Min.Y, m.room.Max.Y)}
		if outside(p, m.free+0.4) {
			return geom.Pose{R: geom.RPY(0, 0, float64(m.IntN(8))*math.Pi/4), P: p}
		}
	}
}

func (m *machinery) between(a, b float64) float64 { return a + m.Float64()*(b-a) }

// pump on a bed of its own, with motor, bolts and two nozzles.
func (m *machinery) pump(at geom.Pose) {
	r := m.between(0.07, 0.13)
	z := r + 0.12
	m.add("bed", box(6*r, 2.6*r, 0.1).at(0, 0, 0.05).posed(at))
	m.add("casing", lathe(corner(0.5*r, -0.6*r), smooth(r, -0.4*r), smooth(1.2*r, 0), smooth(r, 0.4*r), corner(0.5*r, 0.6*r)).turned(0, math.Pi/2, 0).at(-1.6*r, 0, z).posed(at))
	m.add("motor", lathe(corner(0.4*r, -1.3*r), smooth(r, -1.1*r), corner(r, 1.1*r), corner(0.5*r, 1.3*r)).turned(0, math.Pi/2, 0).at(1.3*r, 0, z).posed(at))
	m.add("shaft", cylinder(0.2*r, 1.6*r).turned(0, math.Pi/2, 0).at(-0.4*r, 0, z).posed(at))
	m.add("inlet", cylinder(0.4*r, 1.5*r).turned(0, math.Pi/2, 0).at(-2.6*r, 0, z).posed(at))
	m.add("outlet", cylinder(0.35*r, 2*r).at(-1.6*r, 0, z+1.8*r).posed(at))
	for _, s := range [4][2]float64{{-1, -1}, {1, -1}, {-1, 1}, {1, 1}} {
		m.add("bolt", cylinder(0.012, 0.06).at(2.7*r*s[0], 1.1*r*s[1], 0.12).posed(at))
	}
}

// tank on legs with a manhole and nozzles.
func (m *machinery) tank(at geom.Pose) {
	r, h := m.between(0.15, 0.3), m.between(0.4, 1.1)
	m.add("tank", lathe(smooth(0, 0.2), smooth(0.6*r, 0.22), smooth(r, 0.3), corner(r, 0.3+h), smooth(0.6*r, 0.38+h), smooth(0, 0.4+h)).posed(at))
	for i := range 4 {
		s, c := math.Sincos(math.Pi/4 + float64(i)*math.Pi/2)
		m.add("leg", box(0.05, 0.05, 0.4).at(0.85*r*c, 0.85*r*s, 0.2).posed(at))
	}
	m.add("manhole", cylinder(0.4*r, 0.08).turned(0, math.Pi/2, 0).at(r, 0, 0.3+h/2).posed(at))
	m.add("nozzle", cylinder(0.04, 0.3).at(0, 0, 0.45+h).posed(at))
	m.add("flange", cylinder(0.07, 0.03).at(0, 0, 0.6+h).posed(at))
}

// cabinet with a handle, feet and gauges.
func (m *machinery) cabinet(at geom.Pose) {
	h := m.between(0.7, 1.8)
	m.add("cabinet", box(0.35, 0.6, h).at(0, 0, 0.08+h/2).posed(at))
	m.add("handle", pipe(0.012, route(0.03, geom.Vec{X: 0.17, Y: 0.2, Z: 0.5 * h}, geom.Vec{X: 0.24, Y: 0.2, Z: 0.5 * h}, geom.Vec{X: 0.24, Y: 0.2, Z: 0.5*h + 0.16}, geom.Vec{X: 0.17, Y: 0.2, Z: 0.5*h + 0.16})...).posed(at))
	for _, s := range [4][2]float64{{-1, -1}, {1, -1}, {-1, 1}, {1, 1}} {
		m.add("foot", cylinder(0.025, 0.08).at(0.14*s[0], 0.26*s[1], 0.04).posed(at))
	}
	for i := range 3 {
		m.add("gauge", lathe(corner(0.05, 0), corner(0.05, 0.02), smooth(0.03, 0.035), smooth(0, 0.04)).turned(0, math.Pi/2, 0).at(0.175, -0.15+0.13*float64(i), 0.8*h).posed(at))
	}
}

// railing of posts and rails.
func (m *machinery) railing(at geom.Pose) {
	for i := range 4 {
		m.add("post", cylinder(0.02, 0.95).at(0, -0.6+0.4*float64(i), 0.475).posed(at))
	}
	for i := range 3 {
		m.add("rail", rod(geom.Vec{Y: -0.65, Z: 0.35 + 0.3*float64(i)}, geom.Vec{Y: 0.65, Z: 0.35 + 0.3*float64(i)}, 0.02).posed(at))
	}
}

// duct below the ceiling, on hangers.
func (m *machinery) duct(at geom.Pose) {
	z := m.between(2.0, 2.4)
	m.add("duct", box(1.1, 0.3, 0.22).at(0, 0, z).posed(at))
	for i := range 2 {
		x := -0.4 + 0.8*float64(i)
		m.add("hanger", rod(geom.Vec{X: x, Y: -0.17, Z: z - 0.13}, geom.Vec{X: x, Y: -0.17, Z: 2.75}, 0.008).posed(at))
		m.add("hanger", rod(geom.Vec{X: x, Y: 0.17, Z: z - 0.13}, geom.Vec{X: x, Y: 0.17, Z: 2.75}, 0.008).posed(at))
	}
	m.add("damper", lathe(corner(0.09, 0), corner(0.09, 0.12), corner(0.05, 0.12), corner(0.05, 0.2)).turned(math.Pi, 0, 0).at(0.1, 0, z-0.11).posed(at))
}

// piping is a pipe with flanges and, halfway along its first run, a valve.
func (m *machinery) piping() {
	corners := m.grid.run(m.Rand, 5)
	if corners == nil {
		return
	}
	r := m.between(0.015, 0.05)
	m.add("pipe", pipe(r, route(2*r, corners...)...))
	last := len(corners) - 1
	m.add("flange", cylinder(1.6*r, 0.03).posed(geom.Pose{R: towards(r3.Sub(corners[0], corners[1])), P: corners[0]}))
	m.add("flange", cylinder(1.6*r, 0.03).posed(geom.Pose{R: towards(r3.Sub(corners[last], corners[last-1])), P: corners[last]}))
	along := r3.Sub(corners[1], corners[0])
	valve := geom.Pose{R: towards(along), P: r3.Add(corners[0], r3.Scale(0.5, along))}
	m.add("valve", lathe(corner(1.3*r, -2*r), smooth(1.9*r, 0), corner(1.3*r, 2*r)).posed(valve))
	m.add("stem", cylinder(0.3*r, 3*r).turned(math.Pi/2, 0, 0).at(0, 2.8*r, 0).posed(valve))
	m.add("handwheel", torus(1.5*r, 0.25*r).turned(math.Pi/2, 0, 0).at(0, 4.2*r, 0).posed(valve))
}
