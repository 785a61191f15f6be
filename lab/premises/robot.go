package premises

import (
	"fmt"
	"strings"
)

// shapeSpec is one shape of a link or an object.
type shapeSpec struct {
	kind string // box, sphere, cylinder, mesh; cone and capsule in scenes
	size vec    // box; radius and length of others
	file string
	xyz  vec
	rpy  vec
}

type mimicSpec struct {
	leader             string
	multiplier, offset float64
}

type jointSpec struct {
	name, kind    string
	parent, child string
	xyz, rpy      vec
	axis          vec
	noAxis        bool
	lower, upper  float64
	mimic         *mimicSpec
}

type linkSpec struct {
	name   string
	shapes []shapeSpec
}

// robotSpec is a robot before it is written as URDF; the first link is the root.
type robotSpec struct {
	links  []linkSpec
	joints []jointSpec
}

func (r *robotSpec) joint(name string) *jointSpec {
	for i := range r.joints {
		if r.joints[i].name == name {
			return &r.joints[i]
		}
	}
	return nil
}

func triple(v vec) string { return fmt.Sprintf("%.17g %.17g %.17g", v[0], v[1], v[2]) }

func (r *robotSpec) urdf() string {
	var b strings.Builder
	b.WriteString("<?xml version=\"1.0\"?>\n<robot name=\"made\">\n")
	for _, l := range r.links {
		fmt.Fprintf(&b, "<link name=%q>\n", l.name)
		for _, s := range l.shapes {
			fmt.Fprintf(&b, " <collision><origin xyz=%q rpy=%q/><geometry>", triple(s.xyz), triple(s.rpy))
			switch s.kind {
			case "box":
				fmt.Fprintf(&b, "<box size=%q/>", triple(s.size))
			case "sphere":
				fmt.Fprintf(&b, "<sphere radius=\"%.17g\"/>", s.size[0])
			case "cylinder":
				fmt.Fprintf(&b, "<cylinder radius=\"%.17g\" length=\"%.17g\"/>", s.size[0], s.size[1])
			case "mesh":
				scale := ""
				if s.size != (vec{}) {
					scale = fmt.Sprintf(" scale=%q", triple(s.size))
				}
				fmt.Fprintf(&b, "<mesh filename=%q%s/>", s.file, scale)
			}
			b.WriteString("</geometry></collision>\n")
		}
		b.WriteString("</link>\n")
	}
	for _, j := range r.joints {
		fmt.Fprintf(&b, "<joint name=%q type=%q>\n <parent link=%q/><child link=%q/><origin xyz=%q rpy=%q/>\n", j.name, j.kind, j.parent, j.child, triple(j.xyz), triple(j.rpy))
		if !j.noAxis {
			fmt.Fprintf(&b, " <axis xyz=%q/>\n", triple(j.axis))
		}
		if j.kind == "revolute" || j.kind == "prismatic" {
			fmt.Fprintf(&b, " <limit lower=\"%.17g\" upper=\"%.17g\" effort=\"1\" velocity=\"1\"/>\n", j.lower, j.upper)
		}
		if m := j.mimic; m != nil {
			fmt.Fprintf(&b, " <mimic joint=%q multiplier=\"%.17g\" offset=\"%.17g\"/>\n", m.leader, m.multiplier, m.offset)
		}
		b.WriteString("</joint>\n")
	}
	b.WriteString("</robot>\n")
	return b.String()
}

// primitive is a random one of about a size.
func (d dice) primitive(size float64) shapeSpec {
	s := shapeSpec{rpy: d.in(3)}
	half := size * d.between(0.3, 1) / 2
	switch s.kind = pick(d, "box", "sphere", "cylinder"); s.kind {
	case "box":
		s.size = vec{size * d.between(0.2, 1), size * d.between(0.2, 1), size * d.between(0.2, 1)}
	case "sphere":
		s.size[0] = half
	default:
		s.size = vec{half, size * d.between(0.3, 1)}
	}
	return s
}

// axis is one that models have, or any.
func (d dice) axis() vec {
	if d.chance(0.3) {
		return d.unit()
	}
	return pick(d, vec{1, 0, 0}, vec{0, 1, 0}, vec{0, 0, 1}, vec{0, 0, -1}, vec{0, -1, 0})
}

// arm is a chain whose links are rods with a little room between them.
func (d dice) arm(c *query, links int) *robotSpec {
	r := &robotSpec{links: []linkSpec{{name: "base", shapes: []shapeSpec{{kind: "box", size: vec{0.15, 0.15, 0.1}}}}}}
	tip := 0.08
	for i := range links {
		length, width := d.between(0.12, 0.3), d.between(0.02, 0.06)
		l := linkSpec{name: fmt.Sprint("link", i)}
		rod := shapeSpec{kind: pick(d, "box", "cylinder"), size: vec{width, width, length}, xyz: vec{0, 0, length/2 + 0.02}}
		if rod.kind == "cylinder" {
			rod.size = vec{width / 2, length}
		} else if d.chance(0.4) {
			w, h := width/2, length/2
			rod = shapeSpec{kind: "mesh", xyz: rod.xyz, file: c.mesh(d, d.boxMesh(vec{-w, -w, -h}.grid(), vec{w, w, h}.grid()))}
		}
		l.shapes = []shapeSpec{rod}
		if d.chance(0.3) {
			s := d.primitive(0.12)
			s.xyz = vec{d.between(-0.1, 0.1), d.between(-0.1, 0.1), d.between(0.05, length)}
			l.shapes = append(l.shapes, s)
		}
		j := jointSpec{name: fmt.Sprint("joint", i), parent: r.links[len(r.links)-1].name, child: l.name, xyz: vec{0, 0, tip}, axis: d.axis()}
		j.kind = pick(d, "revolute", "revolute", "continuous", "continuous", "prismatic")
		switch j.kind {
		case "revolute":
			j.lower, j.upper = -d.between(0.5, 3), d.between(0.5, 3)
			if d.chance(0.1) {
				j.lower, j.upper = d.between(0.1, 0.5), d.between(0.6, 2) // 0 is out of range
			}
		case "prismatic":
			j.lower, j.upper = -d.between(0, 0.2), d.between(0.1, 0.4)
		}
		if d.chance(0.4) {
			j.rpy = d.in(1.6)
		}
		tip = length + 0.06
		r.links, r.joints = append(r.links, l), append(r.joints, j)
	}
	return r
}

// multipliers of joints that follow.
var multipliers = []float64{1, -1, 2, -2, 3, 0.5, -0.5, 0.25, 0.1, 0.3, -0.7, 1.5}

// follows lets some joints of an arm follow others.
func (d dice) follows(r *robotSpec, times int) {
	for range times {
		a, b := &r.joints[d.IntN(len(r.joints))], &r.joints[d.IntN(len(r.joints))]
		if a == b || a.mimic != nil || b.mimic != nil && d.chance(0.5) || leads(r, a.name, b.name) {
			continue
		}
		a.mimic = &mimicSpec{leader: b.name, multiplier: pick(d, multipliers...)}
		if a.kind == "prismatic" && b.kind != "prismatic" {
			a.mimic.multiplier *= pick(d, 0.1, 0.05, 0.2)
		}
		if d.chance(0.4) {
			a.mimic.offset = d.between(-0.4, 0.4)
		}
	}
}

// leads tells whether joint a leads to b by followers.
func leads(r *robotSpec, a, b string) bool {
	for j := r.joint(b); j != nil && j.mimic != nil; j = r.joint(j.mimic.leader) {
		if j.mimic.leader == a {
			return true
		}
	}
	return false
}

// floater is a body without a base that three slides and, where asked, a turn move: its
// configuration is its position.
func floater(shapes []shapeSpec, turning bool) *robotSpec {
	r := &robotSpec{links: []linkSpec{{name: "root"}}}
	parent := "root"
	for i, axis := range []vec{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}} {
		child := fmt.Sprint("carriage", i)
		r.links = append(r.links, linkSpec{name: child})
		r.joints = append(r.joints, jointSpec{name: fmt.Sprint("slide", i), kind: "prismatic", parent: parent, child: child, axis: axis, lower: -5, upper: 5})
		parent = child
	}
	if turning {
		r.links = append(r.links, linkSpec{name: "hub"})
		r.joints = append(r.joints, jointSpec{name: "spin", kind: "continuous", parent: parent, child: "hub", axis: vec{0, 0, 1}})
		parent = "hub"
	}
	r.links[len(r.links)-1].shapes = shapes
	return r
}
