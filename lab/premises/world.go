package premises

import (
	"fmt"
	"strings"
)

type objectSpec struct {
	id         string
	shape      shapeSpec
	padding    float64
	attachedTo string
	touchLinks []string
}

type sceneSpec struct {
	objects []objectSpec
	allowed [][2]string
	padding map[string]float64
}

func list(v vec) string { return fmt.Sprintf("[%.17g, %.17g, %.17g]", v[0], v[1], v[2]) }

// yaml writes the scene in the package's own format.
func (s *sceneSpec) yaml() string {
	var b strings.Builder
	if len(s.objects) == 0 {
		b.WriteString("objects: []\n")
	} else {
		b.WriteString("objects:\n")
	}
	for _, o := range s.objects {
		fmt.Fprintf(&b, "  - {id: %s, type: %s, xyz: %s, rpy: %s", o.id, o.shape.kind, list(o.shape.xyz), list(o.shape.rpy))
		switch o.shape.kind {
		case "box":
			fmt.Fprintf(&b, ", size: %s", list(o.shape.size))
		case "sphere":
			fmt.Fprintf(&b, ", radius: %.17g", o.shape.size[0])
		case "mesh":
			fmt.Fprintf(&b, ", mesh: %s", o.shape.file)
			if o.shape.size != (vec{}) {
				fmt.Fprintf(&b, ", scale: %s", list(o.shape.size))
			}
		case "points":
			fmt.Fprintf(&b, ", radius: %.17g, points: [%s, [0.1, 0, 0], [0, 0.05, 0.1]]", o.shape.size[0], list(vec{}))
		case "cells":
			fmt.Fprintf(&b, ", cells: [[0, 0, 0, %.17g, %.17g, %.17g], [-0.1, 0, 0, 0, 0.1, 0.1]]", o.shape.size[0], o.shape.size[1], o.shape.size[2])
		default:
			fmt.Fprintf(&b, ", radius: %.17g, length: %.17g", o.shape.size[0], o.shape.size[1])
		}
		if o.padding > 0 {
			fmt.Fprintf(&b, ", padding: %.17g", o.padding)
		}
		if o.attachedTo != "" {
			fmt.Fprintf(&b, ", attached_to: %s", o.attachedTo)
		}
		if len(o.touchLinks) > 0 {
			fmt.Fprintf(&b, ", touch_links: [%s]", strings.Join(o.touchLinks, ", "))
		}
		b.WriteString("}\n")
	}
	if len(s.allowed) > 0 {
		b.WriteString("allowed:\n")
		for _, p := range s.allowed {
			fmt.Fprintf(&b, "  - [%s, %s]\n", p[0], p[1])
		}
	}
	if len(s.padding) > 0 {
		b.WriteString("link_padding:\n")
		for name, x := range s.padding {
			fmt.Fprintf(&b, "  %s: %.17g\n", name, x)
		}
	}
	return b.String()
}

// obstacle is a random one, somewhere within reach.
func (d dice) obstacle(c *query, id string, reach float64) objectSpec {
	o := objectSpec{id: id, shape: d.primitive(0.25)}
	switch d.IntN(8) {
	case 0, 1:
		o.shape = shapeSpec{kind: "mesh", file: c.mesh(d, d.oddMesh(pick(d, oddKinds...), 0.3)), rpy: d.in(3)}
	case 2:
		o.shape = shapeSpec{kind: pick(d, "cone", "capsule"), size: vec{d.between(0.03, 0.1), d.between(0.05, 0.2)}, rpy: d.in(3)}
	case 3:
		o.shape = shapeSpec{kind: "points", size: vec{0.03}}
	case 4:
		o.shape = shapeSpec{kind: "cells", size: vec{0.1, 0.1, 0.1}, rpy: d.in(3)}
	}
	o.shape.xyz = d.unit().times(d.between(0.3, 1) * reach)
	return o
}

func (d dice) world(c *query, reach float64) *sceneSpec {
	s := &sceneSpec{}
	for i := range 1 + d.IntN(3) {
		s.objects = append(s.objects, d.obstacle(c, fmt.Sprint("obstacle", i), reach))
	}
	return s
}
