package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/firstcontact-ros/firstcontact/geom"
	"gonum.org/v1/gonum/spatial/r3"
)

// urdf writes the model. Capsules came into URDF with version 1.1; without
// them each becomes a cylinder and two spheres, the same set of points, which
// every older parser reads.
func (m *model) urdf(capsules bool) string {
	var b strings.Builder
	b.WriteString("<?xml version=\"1.0\"?>\n<!-- Written by make humanoid; edit that, not this. -->\n")
	version := "1.0"
	if capsules {
		version = "1.1"
	}
	fmt.Fprintf(&b, "<robot name=\"humanoid\" version=\"%s\">\n", version)
	for _, l := range m.links {
		l.urdf(&b, capsules)
	}
	for _, j := range m.joints {
		j.urdf(&b)
	}
	b.WriteString("</robot>\n")
	return b.String()
}

func (l link) urdf(b *strings.Builder, capsules bool) {
	if len(l.solids) == 0 {
		fmt.Fprintf(b, "  <link name=\"%s\"/>\n", l.name)
		return
	}
	fmt.Fprintf(b, "  <link name=\"%s\">\n", l.name)
	for _, s := range l.solids {
		if s.kind == "capsule" && !capsules {
			end := geom.RPY(s.rpy.X, s.rpy.Y, s.rpy.Z).Apply(vec{Z: s.length / 2})
			cylinder(s.radius, s.length, s.xyz, s.rpy).urdf(b)
			sphere(s.radius, r3.Add(s.xyz, end)).urdf(b)
			sphere(s.radius, r3.Sub(s.xyz, end)).urdf(b)
			continue
		}
		s.urdf(b)
	}
	b.WriteString("  </link>\n")
}

func (s solid) urdf(b *strings.Builder) {
	b.WriteString("    <collision>\n")
	if s.xyz != (vec{}) || s.rpy != (vec{}) {
		fmt.Fprintf(b, "      <origin xyz=\"%s\" rpy=\"%s\"/>\n", triple(s.xyz), triple(s.rpy))
	}
	b.WriteString("      <geometry>")
	switch s.kind {
	case "box":
		fmt.Fprintf(b, "<box size=\"%s\"/>", triple(s.size))
	case "sphere":
		fmt.Fprintf(b, "<sphere radius=\"%s\"/>", num(s.radius))
	case "cylinder", "capsule":
		fmt.Fprintf(b, "<%s radius=\"%s\" length=\"%s\"/>", s.kind, num(s.radius), num(s.length))
	case "mesh":
		fmt.Fprintf(b, "<mesh filename=\"package://humanoid_description/meshes/%s.stl\"/>", s.mesh)
	}
	b.WriteString("</geometry>\n    </collision>\n")
}

func (j joint) urdf(b *strings.Builder) {
	kind := "revolute"
	if j.fixed() {
		kind = "fixed"
	}
	fmt.Fprintf(b, "  <joint name=\"%s\" type=\"%s\">\n", j.name, kind)
	fmt.Fprintf(b, "    <parent link=\"%s\"/>\n    <child link=\"%s\"/>\n", j.parent, j.child)
	fmt.Fprintf(b, "    <origin xyz=\"%s\"/>\n", triple(j.xyz))
	if !j.fixed() {
		fmt.Fprintf(b, "    <axis xyz=\"%s\"/>\n", triple(j.axis))
		fmt.Fprintf(b, "    <limit lower=\"%s\" upper=\"%s\" velocity=\"%s\" effort=\"%s\"/>\n",
			num(j.lower), num(j.upper), num(j.velocity), num(j.effort))
	}
	b.WriteString("  </joint>\n")
}

// num writes x to the nanometre or nanoradian, without a trailing zero.
func num(x float64) string {
	s := strconv.FormatFloat(x, 'f', 9, 64)
	s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	if s == "-0" {
		return "0"
	}
	return s
}

func triple(v vec) string { return num(v.X) + " " + num(v.Y) + " " + num(v.Z) }
