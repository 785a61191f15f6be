package laws

import (
	"fmt"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"

	"gonum.org/v1/gonum/spatial/r3"
)

// drawGears makes a long chain of which all joints follow one, some of them many times
// as far.
func (d dice) drawGears() *subject {
	s := &subject{keepTurns: d.one(2), tolerance: motion.DefaultTolerance, srdf: true, state: map[string]float64{}, links: []link{{name: "base"}}}
	for i := range 4 + d.IntN(6) {
		l := link{name: fmt.Sprint("link", i)}
		if d.one(2) {
			l.shapes = []placed{{d.pose(0.05), d.solid(0.06)}}
		}
		j := joint{name: fmt.Sprint("joint", i), kind: []string{"revolute", "continuous"}[d.IntN(2)], parent: s.links[i].name, child: l.name, pose: d.pose(0.15), axis: d.axis(), lower: -1000, upper: 1000, mult: 1}
		if i > 0 {
			j.follows, j.mult = "joint0", d.In(-3, 3)
			if d.one(4) {
				j.mult *= 10
			}
			s.disabled = append(s.disabled, [2]string{j.parent, j.child})
		}
		s.links, s.joints = append(s.links, l), append(s.joints, j)
	}
	d.drawWorld(s)
	if len(s.objects) == 0 {
		s.objects = []object{{id: "object0", placed: placed{d.pose(0.5), d.solid(0.2)}}}
	}
	s.names = []string{"joint0"}
	from := d.In(-3, 3)
	for k := range 1 + d.IntN(2) {
		to := from + d.In(-0.3, 0.3)
		s.pieces = append(s.pieces, motion.Piece{Start: float64(k), End: float64(k + 1), Ctrl: [][]float64{{from, to}}})
		from = to
	}
	return s
}

// drawRoot lets the root link move at a constant velocity while it turns at a constant
// rate.
func (d dice) drawRoot(s *subject) {
	start, point := d.pose(0.3).geom(), d.pose(0.5).xyz
	way, axis := d.Unit(), d.Unit()
	speed, rate := d.In(0, 0.5), d.In(-2, 2)
	for i := range s.pieces {
		u := s.pieces[i].Start
		turn := geom.AxisAngle(axis, rate*u)
		at := r3.Add(point, r3.Scale(speed*u, way))
		s.root = append(s.root, motion.RootPiece{
			Start: geom.Pose{R: turn.Mul(start.R), P: r3.Add(at, turn.Apply(r3.Sub(start.P, point)))},
			Point: at, Velocity: r3.Scale(speed, way), Turn: r3.Scale(rate, axis),
		})
	}
}
