package laws

import (
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// drawScrew makes a robot with a screw: a drum that turns without end, a turret, and a
// slide that follows the drum; and lets it make many turns among obstacles along the
// slide. What is taken off or forgotten of a turn is seen at the slide.
func (d dice) drawScrew() *subject {
	s := &subject{keepTurns: d.one(2), tolerance: motion.DefaultTolerance, srdf: d.one(2), state: map[string]float64{}}
	ball := func(r float64) []placed { return []placed{{body: body{kind: "sphere", radius: r, scale: 1}}} }
	pitch := []float64{0.1, 0.05, 0.25, -0.1, d.In(-0.3, 0.3)}[d.IntN(5)]
	s.links = []link{{name: "base", shapes: ball(d.In(0.02, 0.1))}, {name: "drum"}, {name: "turret"}, {name: "nut", shapes: ball(d.In(0.03, 0.1))}}
	drum := joint{name: "L", kind: "continuous", parent: "base", child: "drum", pose: d.pose(0.1), axis: d.axis(), mult: 1}
	turret := joint{name: "A", kind: []string{"revolute", "continuous", "fixed"}[d.IntN(3)], parent: "base", child: "turret", axis: geom.Vec{Z: 1}, lower: -4, upper: 4, mult: 1}
	nut := joint{name: "P", kind: []string{"prismatic", "prismatic", "revolute", "continuous"}[d.IntN(4)], parent: "turret", child: "nut", axis: geom.Vec{X: 1}, lower: -100, upper: 100, follows: "L", mult: pitch}
	if nut.kind != "prismatic" { // a gear, with the ball on a lever
		nut.axis = geom.Vec{Z: 1}
		nut.mult = []float64{0.25, 0.5, 1.5, 1, -1}[d.IntN(5)]
		s.links[3].shapes[0].pose.xyz = geom.Vec{X: d.In(0.3, 0.6)}
	}
	nut.pose = pose{xyz: geom.Vec{X: d.In(0, 0.3)}}
	s.joints = []joint{drum, turret, nut}
	if d.one(3) { // another screw
		s.links = append(s.links, link{name: "second", shapes: ball(d.In(0.03, 0.1))})
		s.joints = append(s.joints, joint{name: "Q", kind: "prismatic", parent: "base", child: "second", pose: d.pose(0.3), axis: d.axis(), lower: -100, upper: 100, follows: "L", mult: d.In(-0.2, 0.2), offset: d.In(-0.2, 0.2)})
	}
	if d.one(2) { // another arm
		s.links = append(s.links, link{name: "arm", shapes: []placed{{d.pose(0.3), d.solid(0.15)}}})
		s.joints = append(s.joints, joint{name: "B", kind: "revolute", parent: "base", child: "arm", pose: d.pose(0.3), axis: d.axis(), lower: -3, upper: 3, mult: 1})
	}
	if s.srdf {
		for _, j := range s.joints {
			s.disabled = append(s.disabled, [2]string{j.parent, j.child})
		}
	}
	for i := range 1 + d.IntN(3) {
		r, a := d.In(0.2, 2), d.In(-math.Pi, math.Pi)
		if d.one(2) {
			a = 0
		}
		at := pose{xyz: geom.Vec{X: r * math.Cos(a), Y: r * math.Sin(a)}}
		s.objects = append(s.objects, object{id: "object" + num(float64(i)), placed: placed{at, d.solid(0.1)}})
	}
	d.turnOn(s)
	return s
}

// turnOn makes a motion of many turns of the drum.
func (d dice) turnOn(s *subject) {
	s.names = s.active()
	last := make([]float64, len(s.names))
	wrapped := !s.keepTurns && d.one(2) // as a sensor tells them
	step := []float64{2.5, -2.5, 4, math.Pi, 2, -5, 7}[d.IntN(7)]
	for k := range 1 + d.IntN(12) {
		p := motion.Piece{Start: float64(k), End: float64(k + 1)}
		for i, name := range s.names {
			to := last[i] + d.In(-0.5, 0.5)
			if name == "L" {
				to = last[i] + step
				if wrapped {
					to = math.Remainder(to, 2*math.Pi)
				}
			}
			p.Ctrl = append(p.Ctrl, []float64{last[i], to})
			last[i] = to
		}
		s.pieces = append(s.pieces, p)
	}
}
