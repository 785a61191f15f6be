package laws

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// carriedAsLink: an object that a link carries is a link that is fixed there.
func carriedAsLink(t *trial) {
	s := t.subject()
	t.said(s)
	for i, o := range s.objects {
		if o.attached == "" {
			continue
		}
		s.objects = slices.Delete(s.objects, i, i+1)
		s.links = append(s.links, link{name: o.id, shapes: []placed{{body: o.body}}})
		s.joints = append(s.joints, joint{name: "grasp", kind: "fixed", parent: o.attached, child: o.id, pose: o.pose, axis: geom.Vec{X: 1}})
		if o.kind == "capsule" || o.kind == "cone" || o.kind == "points" {
			s.inMemoryOnly = true
		}
		s.disabled = append(s.disabled, [2]string{o.attached, o.id})
		for _, name := range o.touch {
			s.disabled = append(s.disabled, [2]string{name, o.id})
		}
		if s.optPadded == nil {
			s.optPadded = map[string]float64{}
		}
		s.optPadded[o.id] = o.padding
		t.alike(s)
		return
	}
}

// linkInTwo: a link's box cut in two is the same link.
func linkInTwo(t *trial) {
	s := t.subject()
	for i := range s.links {
		for k, p := range s.links[i].shapes {
			if p.kind != "box" {
				continue
			}
			at, share := p.pose.geom(), t.In(0.2, 0.8)
			left, right := p, p
			left.size.X, right.size.X = share*p.size.X, (1-share)*p.size.X
			left.xyz = at.Apply(geom.Vec{X: (share - 1) / 2 * p.size.X})
			right.xyz = at.Apply(geom.Vec{X: share / 2 * p.size.X})
			s.links[i].shapes[k] = left
			s.links[i].shapes = append(s.links[i].shapes, right)
			t.alike(s)
			return
		}
	}
}

// shapesOnLinks: a shape on a link of its own, fixed to the link that had it, is the
// same body as long as the pairs are.
func shapesOnLinks(t *trial) {
	s := t.subject()
	t.said(s)
	var all []int
	for i := range s.links {
		if len(s.links[i].shapes) > 1 {
			all = append(all, i)
		}
	}
	if len(all) == 0 || len(s.allowed)+len(s.optAllowed) > 0 {
		return
	}
	l := &s.links[all[t.IntN(len(all))]]
	p := l.shapes[0]
	l.shapes = l.shapes[1:]
	name := l.name
	for _, m := range []map[string]float64{s.padded, s.optPadded} {
		if x, ok := m[name]; ok {
			m["part"] = x
		}
	}
	for _, d := range s.disabled {
		for k := range d {
			if d[k] == name {
				s.disabled = append(s.disabled, [2]string{d[1-k], "part"})
			}
		}
	}
	s.disabled = append(s.disabled, [2]string{name, "part"})
	for i := range s.objects {
		o := &s.objects[i]
		if o.attached == name || slices.Contains(o.touch, name) {
			o.touch = append(o.touch, "part")
		}
	}
	s.links = append(s.links, link{name: "part", shapes: []placed{{body: p.body}}})
	s.joints = append(s.joints, joint{name: "weld", kind: "fixed", parent: name, child: "part", pose: p.pose, axis: geom.Vec{X: 1}})
	t.alike(s)
}

// cellsAsBoxes: cells are boxes.
func cellsAsBoxes(t *trial) {
	x, y := t.subject(), t.subject()
	at := t.pose(0.6)
	var cells []geom.Box
	for i := range 3 {
		side := 0.125 * float64(1+t.IntN(2))
		lo := geom.Vec{X: side * float64(t.IntN(4)-2), Y: side * float64(t.IntN(4)-2), Z: side * float64(t.IntN(4)-2)}
		c := geom.Box{Min: lo, Max: r3.Add(lo, geom.Vec{X: side, Y: side, Z: side})}
		cells = append(cells, c)
		y.objects = append(y.objects, object{id: "cell" + num(float64(i)), placed: placed{
			posed(at.geom().Mul(geom.Translation(c.Center()))), body{kind: "box", size: r3.Scale(2, c.Half()), scale: 1},
		}})
	}
	x.objects = append(x.objects, object{id: "cells", placed: placed{at, body{kind: "cells", cells: cells, scale: 1}}})
	a, ok := t.ask(x)
	if !ok {
		return
	}
	if b, ok := t.ask(y); ok {
		t.same(a, b, true)
	}
}
