package laws

import (
	"fmt"
	"math"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// draw makes a random subject.
func (d dice) draw() *subject {
	if d.one(6) {
		return d.drawScrew()
	}
	if d.one(20) {
		return d.drawGears()
	}
	s := &subject{keepTurns: true, tolerance: motion.DefaultTolerance}
	d.drawRobot(s)
	if d.one(2) {
		s.srdf = true
		for _, j := range s.joints {
			s.disabled = append(s.disabled, [2]string{j.parent, j.child})
		}
	}
	d.drawWorld(s)
	d.drawOptions(s)
	d.drawMotion(s)
	if d.one(10) {
		d.drawRoot(s)
	}
	return s
}

func (d dice) drawRobot(s *subject) {
	s.links = []link{{name: "base"}}
	if d.one(2) {
		s.links[0].shapes = []placed{{d.pose(0.05), d.solid(0.1)}}
	}
	for i := range 1 + d.IntN(4) {
		parent := s.links[len(s.links)-1].name
		if d.one(5) {
			parent = s.links[d.IntN(len(s.links))].name
		}
		l := link{name: fmt.Sprint("link", i)}
		if !d.one(8) {
			for range 1 + d.IntN(2) {
				l.shapes = append(l.shapes, placed{d.pose(0.12), d.solid(0.1)})
			}
		}
		s.links = append(s.links, l)
		j := joint{name: fmt.Sprint("joint", i), parent: parent, child: l.name, pose: d.pose(0.35), axis: d.axis(), lower: -10, upper: 10, mult: 1}
		j.kind = []string{"revolute", "revolute", "revolute", "continuous", "continuous", "prismatic", "planar", "fixed"}[d.IntN(8)]
		if j.kind == "planar" {
			j.axis = geom.Vec{Z: 1} // as readers have it
		}
		if j.kind == "revolute" || j.kind == "continuous" || j.kind == "prismatic" {
			d.drawMimic(s, &j)
		}
		s.joints = append(s.joints, j)
	}
	if len(s.active()) == 0 {
		s.joints[0].kind, s.joints[0].follows = "revolute", ""
	}
}

// drawMimic lets a joint follow an earlier one now and then.
func (d dice) drawMimic(s *subject, j *joint) {
	if !d.one(3) {
		return
	}
	for i := range s.joints {
		lead := &s.joints[i]
		if lead.follows != "" || lead.kind == "fixed" || lead.kind == "planar" || !d.one(2) {
			continue
		}
		j.follows = lead.name
		j.mult = []float64{1, -1, 2, 0.5, 0.1, 0.25, d.In(-2, 2)}[d.IntN(7)]
		if j.kind == "prismatic" && lead.kind != "prismatic" {
			j.mult *= 0.1
		}
		if d.one(2) {
			j.offset = d.In(-0.3, 0.3)
		}
		return
	}
}

// active lists the joints that a motion may name.
func (s *subject) active() (names []string) {
	for i := range s.joints {
		switch j := &s.joints[i]; {
		case j.follows != "" || j.kind == "fixed" || j.kind == "floating":
		case j.kind == "planar":
			names = append(names, j.name+"/x", j.name+"/y", j.name+"/theta")
		default:
			names = append(names, j.name)
		}
	}
	return names
}

// solid draws a shape that every file can hold.
func (d dice) solid(size float64) body {
	b := body{scale: 1, format: formatNames[d.IntN(len(formatNames))]}
	a := func() float64 { return d.gridded(0.3*size, 2*size) }
	switch d.IntN(10) {
	case 0, 1:
		b.kind, b.radius = "sphere", a()/2
	case 2, 3:
		b.kind, b.size = "box", geom.Vec{X: a(), Y: a(), Z: a()}
	case 4:
		b.kind, b.radius, b.length = "cylinder", a()/2, a()
	default:
		b.kind, b.mesh = "mesh", d.mesh(size)
		if d.one(6) {
			b.scale = []float64{0.5, 2, 0.001}[d.IntN(3)]
		}
	}
	return b
}

// mesh draws a mesh of one of the sorts that solids are confused by.
func (d dice) mesh(size float64) *mesh {
	a := func() float64 { return d.gridded(0.5*size, 2*size) }
	x, y, z := a(), a(), a()
	box := boxMesh(geom.Vec{X: x, Y: y, Z: z}, geom.Vec{})
	at := func(kx, ky, kz float64) geom.Vec { return geom.Vec{X: kx * x, Y: ky * y, Z: kz * z} }
	all := func(int) bool { return true }
	some := func(int) bool { return d.one(2) }
	switch d.IntN(12) {
	case 0, 1:
		return box
	case 2:
		return lMesh(d.gridded(size, 2*size))
	case 3:
		return box.open()
	case 4:
		return box.doubled(d.one(2))
	case 5: // overlapping
		other := boxMesh(at(1, 1, 1), geom.Vec{X: grid(x / 2), Y: grid(y / 4), Z: grid(z / 8)})
		if d.one(2) {
			other = other.reversed(all)
		}
		return join(box, other)
	case 6: // a cube within, sharing a corner, turned inside out or not
		inner := boxMesh(at(0.5, 0.5, 0.5), at(-0.25, -0.25, -0.25))
		if d.one(2) {
			inner = inner.reversed(all)
		}
		return join(box, inner)
	case 7: // a shell within
		inner := boxMesh(at(0.5, 0.5, 0.5), geom.Vec{})
		if d.one(2) {
			inner = inner.reversed(all)
		}
		return join(box, inner)
	case 8: // a wall shared with a neighbour
		return join(box, boxMesh(at(1, 1, 1), at(1, 0, 0)))
	case 9:
		return box.reversed(some)
	case 10: // a fin
		fin := &mesh{v: []geom.Vec{at(0.5, 0.5, 0.5), at(0.5, 0.5, -0.5), at(1, 1, 0)}, t: [][3]int32{{0, 1, 2}}}
		return join(box, fin)
	}
	return lMesh(d.gridded(size, 2*size)).reversed(some)
}

func (d dice) drawWorld(s *subject) {
	for i := range d.IntN(7) {
		o := object{id: fmt.Sprint("object", i), placed: placed{d.pose(0.8), d.solid(0.25)}}
		switch d.IntN(12) {
		case 0:
			o.body = body{kind: "capsule", scale: 1, radius: d.In(0.03, 0.1), length: d.In(0.05, 0.3)}
		case 1:
			o.body = body{kind: "cone", scale: 1, radius: d.In(0.03, 0.2), length: d.In(0.05, 0.3)}
		case 2:
			o.body = body{kind: "points", scale: 1, radius: d.In(0.001, 0.03)}
			for range 6 {
				o.points = append(o.points, geom.Vec{X: d.In(-0.3, 0.3), Y: d.In(-0.3, 0.3), Z: d.In(-0.3, 0.3)})
			}
		}
		if d.one(5) {
			o.padding = d.In(0.001, 0.03)
		}
		if d.one(8) {
			k := d.IntN(len(s.links))
			o.attached, o.pose = s.links[k].name, d.pose(0.15)
			for _, j := range s.joints {
				if j.parent == o.attached {
					o.touch = append(o.touch, j.child)
				}
				if j.child == o.attached {
					o.touch = append(o.touch, j.parent)
				}
			}
		}
		s.objects = append(s.objects, o)
	}
	if d.one(10) { // something that may hold the robot
		s.objects = append(s.objects, object{id: "hull", placed: placed{d.pose(0.2), body{kind: "mesh", mesh: d.mesh(1.5), format: "obj", scale: 1}}})
	}
	if len(s.objects) > 1 && d.one(6) {
		s.allowed = [][2]string{{s.objects[0].id, s.links[len(s.links)-1].name}}
	}
	if d.one(8) {
		s.padded = map[string]float64{s.links[d.IntN(len(s.links))].name: d.In(0.001, 0.02)}
	}
}

func (d dice) drawOptions(s *subject) {
	if d.one(6) {
		s.padding = d.In(0.001, 0.02)
	}
	if d.one(8) {
		s.optPadded = map[string]float64{s.links[d.IntN(len(s.links))].name: d.In(0.001, 0.02)}
	}
	if len(s.links) > 2 && d.one(8) {
		s.optAllowed = [][2]string{{s.links[0].name, s.links[2].name}}
	}
	if d.one(4) {
		s.clearance = d.In(0, 0.05)
	}
}

// drawMotion makes one to three pieces, mostly straight, that step less or more far.
func (d dice) drawMotion(s *subject) {
	s.names = s.active()
	s.state = map[string]float64{}
	if len(s.names) > 1 && d.one(5) { // a joint that is held
		k := d.IntN(len(s.names))
		s.state[s.names[k]] = d.In(-1, 1)
		s.names = append(append([]string(nil), s.names[:k]...), s.names[k+1:]...)
	}
	d.Shuffle(len(s.names), func(i, j int) { s.names[i], s.names[j] = s.names[j], s.names[i] })
	last := make([]float64, len(s.names))
	for i := range last {
		last[i] = d.In(-1, 1)
		if d.one(6) {
			last[i] = 0
		}
	}
	size := []float64{0.05, 0.4, 1.5, 3}[d.IntN(4)]
	degree := []int{1, 1, 1, 1, 2, 3, 5}[d.IntN(7)]
	s.keepTurns = degree > 1 || d.one(2)
	now := 0.0
	for range 1 + d.IntN(3) {
		p := motion.Piece{Start: now, End: now + float64(1+d.IntN(8))/8}
		now = p.End
		for i, name := range s.names {
			ctrl := []float64{last[i]}
			for range degree {
				ctrl = append(ctrl, last[i]+d.In(-size, size))
			}
			if degree == 1 && s.turns(name) && d.one(4) {
				ctrl[1] = last[i] + []float64{math.Pi, -math.Pi, 2 * math.Pi, 4, -5, 14}[d.IntN(6)]
			}
			last[i] = ctrl[degree]
			p.Ctrl = append(p.Ctrl, ctrl)
		}
		s.pieces = append(s.pieces, p)
	}
	if d.one(10) {
		s.tube = map[string]float64{s.names[d.IntN(len(s.names))]: d.In(0.001, 0.02)}
	}
}

// turns reports whether a variable is continuous.
func (s *subject) turns(name string) bool {
	j := s.joint(name)
	return j != nil && j.kind == "continuous" || j == nil && len(name) > 6 && name[len(name)-6:] == "/theta"
}
