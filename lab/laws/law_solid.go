package laws

import (
	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/motion"
)

// probe is a small ball on three slides, which a motion of a hundredth of a metre
// moves from a point: where it is inside a solid, that alone makes it a contact.
func probe(objects ...object) *subject {
	s := &subject{keepTurns: true, tolerance: motion.DefaultTolerance, srdf: true, state: map[string]float64{}, objects: objects}
	s.links = []link{{name: "base"}, {name: "x"}, {name: "y"}, {name: "z", shapes: []placed{{body: body{kind: "sphere", radius: 0.001, scale: 1}}}}}
	for i, name := range []string{"x", "y", "z"} {
		axis := []geom.Vec{{X: 1}, {Y: 1}, {Z: 1}}[i]
		s.joints = append(s.joints, joint{name: "j" + name, kind: "prismatic", parent: s.links[i].name, child: name, axis: axis, lower: -9, upper: 9, mult: 1})
		s.names = append(s.names, "j"+name)
	}
	s.pieces = []motion.Piece{{Start: 0, End: 1, Ctrl: [][]float64{{0, 0}, {0, 0}, {0, 0}}}}
	return s
}

// probed holds two worlds against each other at many points of a cube.
func (t *trial) probed(x, y *subject, reach float64) {
	a, ok := t.build(x)
	if !ok {
		return
	}
	b, ok := t.build(y)
	if !ok {
		return
	}
	for range 12 {
		p := [3]float64{t.In(-reach, reach), t.In(-reach, reach), t.In(-reach, reach)}
		at := map[string]float64{"jx": p[0], "jy": p[1], "jz": p[2]}
		t.sameDistance(t.distance(a, at), t.distance(b, at), 1)
		for _, c := range []*asked{a, b} {
			m := &motion.Motion{Joints: x.names, Pieces: []motion.Piece{{Start: 0, End: 1}}}
			for _, v := range p {
				m.Pieces[0].Ctrl = append(m.Pieces[0].Ctrl, []float64{v, v + 0.005})
			}
			c.motion = m
		}
		q := x.query()
		if t.one(3) {
			methods := []motion.Method{motion.Spacetime, motion.Articulate, motion.Catch, motion.Bisect}
			q.Method = methods[t.IntN(len(methods))]
		}
		u, ok := t.check(a, q)
		if !ok {
			return
		}
		v, ok := t.check(b, q)
		if !ok {
			return
		}
		u.q.Method, v.q.Method = motion.Auto, motion.Auto
		t.same(u, v, true)
	}
}

// solidsAnotherWay: a ball is inside a mesh, or beside it, however its triangles are
// written.
func solidsAnotherWay(t *trial) {
	m := t.mesh(0.5)
	at := t.pose(0.05)
	thing := func(m *mesh) object {
		return object{id: "thing", placed: placed{at, body{kind: "mesh", mesh: m, scale: 1, format: formatNames[t.IntN(len(formatNames))]}}}
	}
	t.probed(probe(thing(m)), probe(thing(t.rewritten(m))), 0.7)
}

// rewritten is the same mesh in other triangles.
func (t *trial) rewritten(m *mesh) *mesh {
	for range 1 + t.IntN(3) {
		switch t.IntN(7) {
		case 0:
			m = m.doubled(true)
		case 1:
			m = m.doubled(false)
		case 2:
			m = m.reversed(func(int) bool { return t.one(2) })
		case 3:
			if len(m.t) < 200 {
				m = m.quartered()
			}
		case 4:
			m = m.shuffled(t.dice)
		case 5:
			m = m.split()
		default:
			m = m.reversed(func(int) bool { return true })
		}
	}
	return m
}

// partsAsObjects: closed parts in one mesh, apart, touching, overlapping or one in the
// other, each turned outside in or not, are the union of as many objects.
func partsAsObjects(t *trial) {
	at := t.pose(0.05)
	var parts []*mesh
	side := func() float64 { return 0.125 * float64(1+t.IntN(4)) }
	step := func() float64 { return 0.0625 * float64(t.IntN(9)-4) }
	for range 2 + t.IntN(2) {
		m := boxMesh(geom.Vec{X: side(), Y: side(), Z: side()}, geom.Vec{X: step(), Y: step(), Z: step()})
		if t.one(4) {
			m = lMesh(0.5)
		}
		if t.one(2) {
			m = m.reversed(func(int) bool { return true })
		}
		parts = append(parts, m)
	}
	thing := func(id string, m *mesh) object {
		return object{id: id, placed: placed{at, body{kind: "mesh", mesh: m, scale: 1, format: "obj"}}}
	}
	var apart []object
	for i, m := range parts {
		apart = append(apart, thing("part"+num(float64(i)), m))
	}
	t.probed(probe(thing("all", join(parts...))), probe(apart...), 0.6)
}
