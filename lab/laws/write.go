package laws

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// files are a subject in a folder, as a user has it.
type files struct{ urdf, srdf, scene, motion string }

func num(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func vec(v geom.Vec) string { return num(v.X) + " " + num(v.Y) + " " + num(v.Z) }

func list(v geom.Vec) string { return "[" + num(v.X) + ", " + num(v.Y) + ", " + num(v.Z) + "]" }

// meshFormats are the writers of mesh files and the files' extensions.
var meshFormats = map[string]struct {
	extension string
	write     func(m *mesh) []byte
}{
	"stl":        {"stl", (*mesh).stlText},
	"binary stl": {"stl", (*mesh).stlBinary},
	"obj":        {"obj", (*mesh).obj},
	"dae":        {"dae", (*mesh).dae},
}

// formatNames is the keys of meshFormats in a fixed order.
var formatNames = []string{"stl", "binary stl", "obj", "dae"}

func (m *mesh) normal(t [3]int32) geom.Vec {
	n, _ := geom.Unit(r3.Cross(r3.Sub(m.v[t[1]], m.v[t[0]]), r3.Sub(m.v[t[2]], m.v[t[0]])))
	return n
}

func (m *mesh) stlText() []byte {
	var b bytes.Buffer
	b.WriteString("solid it\n")
	for _, t := range m.t {
		fmt.Fprintf(&b, "facet normal %s\nouter loop\n", vec(m.normal(t)))
		for _, i := range t {
			fmt.Fprintf(&b, "vertex %s\n", vec(m.v[i]))
		}
		b.WriteString("endloop\nendfacet\n")
	}
	b.WriteString("endsolid it\n")
	return b.Bytes()
}

// stlBinary is exact for vertices that single precision holds.
func (m *mesh) stlBinary() []byte {
	b := make([]byte, 80, 84+50*len(m.t))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(m.t)))
	put := func(v geom.Vec) {
		for _, x := range []float64{v.X, v.Y, v.Z} {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(x)))
		}
	}
	for _, t := range m.t {
		put(m.normal(t))
		for _, i := range t {
			put(m.v[i])
		}
		b = append(b, 0, 0)
	}
	return b
}

func (m *mesh) obj() []byte {
	var b bytes.Buffer
	for _, v := range m.v {
		fmt.Fprintf(&b, "v %s\n", vec(v))
	}
	for _, t := range m.t {
		fmt.Fprintf(&b, "f %d %d %d\n", t[0]+1, t[1]+1, t[2]+1)
	}
	return b.Bytes()
}

func (m *mesh) dae() []byte {
	var v, p strings.Builder
	for _, x := range m.v {
		v.WriteString(vec(x) + " ")
	}
	for _, t := range m.t {
		fmt.Fprintf(&p, "%d %d %d ", t[0], t[1], t[2])
	}
	return []byte(fmt.Sprintf(`<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="meter" meter="1"/><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="a" count="%d">%s</float_array>
<technique_common><accessor source="#a" count="%d" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="%d"><input semantic="VERTEX" source="#v" offset="0"/><p>%s</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="n"><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene>
</COLLADA>
`, 3*len(m.v), v.String(), len(m.v), len(m.t), p.String()))
}

// writer writes a subject into a folder.
type writer struct {
	dir    string
	meshes map[*mesh]string // written already, in the format that was asked for first
	err    error
}

func (w *writer) put(name string, data []byte) string {
	path := filepath.Join(w.dir, name)
	if err := os.WriteFile(path, data, 0o644); err != nil && w.err == nil {
		w.err = err
	}
	return path
}

// meshFile writes a body's mesh, in the unit that its scale undoes.
func (w *writer) meshFile(b *body) string {
	f, ok := meshFormats[b.format]
	if !ok {
		f = meshFormats["obj"]
	}
	m := b.mesh
	if b.scale != 1 {
		m = m.scaled(1 / b.scale)
	}
	if name := w.meshes[b.mesh]; name != "" && strings.HasSuffix(name, f.extension) && b.scale == 1 {
		return name
	}
	name := fmt.Sprintf("mesh%d.%s", len(w.meshes), f.extension)
	for k := 0; ; k++ {
		if _, err := os.Stat(filepath.Join(w.dir, name)); err != nil {
			break
		}
		name = fmt.Sprintf("mesh%d_%d.%s", len(w.meshes), k, f.extension)
	}
	w.put(name, f.write(m))
	w.meshes[b.mesh] = name
	return name
}

func (p pose) xml() string {
	return fmt.Sprintf(`<origin xyz="%s" rpy="%s"/>`, vec(p.xyz), vec(p.rpy))
}

func (w *writer) urdf(s *subject) []byte {
	var b bytes.Buffer
	b.WriteString("<robot name=\"random\">\n")
	for i := range s.links {
		l := &s.links[i]
		fmt.Fprintf(&b, "<link name=\"%s\">\n", l.name)
		for k := range l.shapes {
			fmt.Fprintf(&b, "<collision>%s<geometry>%s</geometry></collision>\n", l.shapes[k].pose.xml(), w.geometry(&l.shapes[k].body))
		}
		b.WriteString("</link>\n")
	}
	for i := range s.joints {
		j := &s.joints[i]
		fmt.Fprintf(&b, "<joint name=\"%s\" type=\"%s\">%s<parent link=\"%s\"/><child link=\"%s\"/>", j.name, j.kind, j.pose.xml(), j.parent, j.child)
		if j.kind != "fixed" && j.kind != "floating" {
			fmt.Fprintf(&b, `<axis xyz="%s"/>`, vec(j.axis))
		}
		if j.kind == "revolute" || j.kind == "prismatic" {
			fmt.Fprintf(&b, `<limit lower="%s" upper="%s" effort="1" velocity="1"/>`, num(j.lower), num(j.upper))
		}
		if j.follows != "" {
			fmt.Fprintf(&b, `<mimic joint="%s" multiplier="%s" offset="%s"/>`, j.follows, num(j.mult), num(j.offset))
		}
		b.WriteString("</joint>\n")
	}
	b.WriteString("</robot>\n")
	return b.Bytes()
}

func (w *writer) geometry(b *body) string {
	switch b.kind {
	case "box":
		return fmt.Sprintf(`<box size="%s"/>`, vec(b.size))
	case "sphere":
		return fmt.Sprintf(`<sphere radius="%s"/>`, num(b.radius))
	case "cylinder":
		return fmt.Sprintf(`<cylinder radius="%s" length="%s"/>`, num(b.radius), num(b.length))
	}
	name := w.meshFile(b)
	if b.scale == 1 {
		return fmt.Sprintf(`<mesh filename="%s"/>`, name)
	}
	return fmt.Sprintf(`<mesh filename="%s" scale="%s"/>`, name, vec(geom.Vec{X: b.scale, Y: b.scale, Z: b.scale}))
}

func (s *subject) srdfText() []byte {
	var b bytes.Buffer
	b.WriteString("<robot name=\"random\">\n")
	if s.frame != "" {
		kind := "fixed"
		if len(s.root) > 0 {
			kind = "floating"
		}
		fmt.Fprintf(&b, "<virtual_joint name=\"to_world\" type=\"%s\" parent_frame=\"%s\" child_link=\"%s\"/>\n", kind, s.frame, s.links[0].name)
	}
	for _, p := range s.disabled {
		fmt.Fprintf(&b, "<disable_collisions link1=\"%s\" link2=\"%s\" reason=\"Adjacent\"/>\n", p[0], p[1])
	}
	b.WriteString("</robot>\n")
	return b.Bytes()
}

func (w *writer) scene(s *subject) []byte {
	var b bytes.Buffer
	if s.frame != "" {
		fmt.Fprintf(&b, "frame: %s\n", s.frame)
	}
	b.WriteString("objects:")
	if len(s.objects) == 0 {
		b.WriteString(" []")
	}
	b.WriteString("\n")
	for i := range s.objects {
		o := &s.objects[i]
		fmt.Fprintf(&b, "  - id: %s\n    type: %s\n    xyz: %s\n    rpy: %s\n", o.id, o.kind, list(o.xyz), list(o.rpy))
		switch o.kind {
		case "box":
			fmt.Fprintf(&b, "    size: %s\n", list(o.size))
		case "sphere":
			fmt.Fprintf(&b, "    radius: %s\n", num(o.radius))
		case "cylinder", "capsule", "cone":
			fmt.Fprintf(&b, "    radius: %s\n    length: %s\n", num(o.radius), num(o.length))
		case "points":
			var rows []string
			for _, p := range o.points {
				rows = append(rows, list(p))
			}
			fmt.Fprintf(&b, "    points: [%s]\n    radius: %s\n", strings.Join(rows, ", "), num(o.radius))
		case "cells":
			var rows []string
			for _, c := range o.cells {
				rows = append(rows, strings.TrimSuffix(list(c.Min), "]")+", "+strings.TrimPrefix(list(c.Max), "["))
			}
			fmt.Fprintf(&b, "    cells: [%s]\n", strings.Join(rows, ", "))
		case "mesh":
			fmt.Fprintf(&b, "    mesh: %s\n", w.meshFile(&o.body))
			if o.scale != 1 {
				fmt.Fprintf(&b, "    scale: %s\n", num(o.scale))
			}
		}
		if o.padding > 0 {
			fmt.Fprintf(&b, "    padding: %s\n", num(o.padding))
		}
		if o.attached != "" {
			fmt.Fprintf(&b, "    attached_to: %s\n    touch_links: [%s]\n", o.attached, strings.Join(o.touch, ", "))
		}
	}
	if len(s.allowed) > 0 {
		var pairs []string
		for _, p := range s.allowed {
			pairs = append(pairs, "["+p[0]+", "+p[1]+"]")
		}
		fmt.Fprintf(&b, "allowed: [%s]\n", strings.Join(pairs, ", "))
	}
	if len(s.padded) > 0 {
		b.WriteString("link_padding:\n")
		for _, name := range slices.Sorted(maps.Keys(s.padded)) {
			fmt.Fprintf(&b, "  %s: %s\n", name, num(s.padded[name]))
		}
	}
	return b.Bytes()
}

// table is the motion as CSV; it must be straight and without a moving root.
func (s *subject) table() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "time,%s\n", strings.Join(s.names, ","))
	row := func(t float64, k int, at func(c []float64) float64) {
		b.WriteString(num(t))
		for _, c := range s.pieces[k].Ctrl {
			b.WriteString("," + num(at(c)))
		}
		b.WriteString("\n")
	}
	row(s.pieces[0].Start, 0, func(c []float64) float64 { return c[0] })
	for k := range s.pieces {
		row(s.pieces[k].End, k, func(c []float64) float64 { return c[len(c)-1] })
	}
	return b.Bytes()
}

// trajectory is the motion as a JointTrajectory, under the same conditions.
func (s *subject) trajectory() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "joint_names: [%s]\npoints:\n", strings.Join(s.names, ", "))
	row := func(t float64, k int, at func(c []float64) float64) {
		var q []string
		for _, c := range s.pieces[k].Ctrl {
			q = append(q, num(at(c)))
		}
		sec := math.Floor(t)
		fmt.Fprintf(&b, "- positions: [%s]\n  time_from_start: {sec: %d, nanosec: %d}\n", strings.Join(q, ", "), int(sec), int(math.Round((t-sec)*1e9)))
	}
	row(s.pieces[0].Start, 0, func(c []float64) float64 { return c[0] })
	for k := range s.pieces {
		row(s.pieces[k].End, k, func(c []float64) float64 { return c[len(c)-1] })
	}
	return b.Bytes()
}

// write puts the whole subject into a folder.
func (s *subject) write(dir string) (files, error) {
	w := &writer{dir: dir, meshes: map[*mesh]string{}}
	var f files
	f.urdf = w.put("robot.urdf", w.urdf(s))
	if s.srdf {
		f.srdf = w.put("robot.srdf", s.srdfText())
	}
	f.scene = w.put("scene.yaml", w.scene(s))
	if s.straight() && len(s.root) == 0 {
		if s.keepTurns {
			f.motion = w.put("motion.yaml", s.trajectory())
		} else {
			f.motion = w.put("motion.csv", s.table())
		}
	}
	return f, w.err
}
