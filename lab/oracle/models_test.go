package oracle

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// start builds and starts the program, or skips where it cannot be built.
func start(t *testing.T) *Oracle {
	t.Helper()
	binary, err := Build()
	if errors.Is(err, ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	o, err := Start(binary)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := o.Close(); err != nil {
			t.Error(err)
		}
	})
	return o
}

// write puts a file into a fresh folder, or into the given one.
func write(t *testing.T, folder, name, text string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// load starts the program with a robot made of the given elements.
func load(t *testing.T, elements ...string) *Oracle {
	t.Helper()
	o := start(t)
	loadInto(t, o, elements...)
	return o
}

func loadInto(t *testing.T, o *Oracle, elements ...string) {
	t.Helper()
	path := write(t, t.TempDir(), "robot.urdf", urdf(elements...))
	if _, err := o.Robot(path, ""); err != nil {
		t.Fatal(err)
	}
}

func urdf(elements ...string) string {
	return `<robot name="made">` + strings.Join(elements, "\n") + `</robot>`
}

// link writes a link with one collision element for each geometry; a geometry
// may begin with its origin.
func link(name string, geometries ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<link name=%q>", name)
	for _, g := range geometries {
		if strings.HasPrefix(g, "<origin") {
			end := strings.Index(g, "/>") + len("/>")
			fmt.Fprintf(&b, "<collision>%s<geometry>%s</geometry></collision>", g[:end], g[end:])
			continue
		}
		fmt.Fprintf(&b, "<collision><geometry>%s</geometry></collision>", g)
	}
	b.WriteString("</link>")
	return b.String()
}

// joint writes a joint; details are axis, origin, mimic elements.
func joint(name, kind, parent, child string, details ...string) string {
	limit := ""
	if kind == "revolute" || kind == "prismatic" {
		limit = `<limit lower="-7" upper="7" effort="1" velocity="1"/>`
	}
	return fmt.Sprintf(`<joint name=%q type=%q><parent link=%q/><child link=%q/>%s%s</joint>`,
		name, kind, parent, child, limit, strings.Join(details, ""))
}

const (
	axisX = `<axis xyz="1 0 0"/>`
	axisY = `<axis xyz="0 1 0"/>`
	axisZ = `<axis xyz="0 0 1"/>`
)

// floater is a robot of one free body with the given geometry.
func floater(geometry string) []string {
	return []string{link("base"), link("body", geometry), joint("free", "floating", "base", "body")}
}

// triangles is a mesh to be written to a file.
type triangles [][3][3]float64

// boxMesh is a closed box about the middle, faces outward.
func boxMesh(sx, sy, sz float64) triangles {
	corner := func(i int) [3]float64 {
		side := func(bit int, s float64) float64 { return s * (float64(i>>bit&1) - 0.5) }
		return [3]float64{side(0, sx), side(1, sy), side(2, sz)}
	}
	quads := [][4]int{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}
	var m triangles
	for _, q := range quads {
		m = append(m, [3][3]float64{corner(q[0]), corner(q[1]), corner(q[2])})
		m = append(m, [3][3]float64{corner(q[0]), corner(q[2]), corner(q[3])})
	}
	return m
}

// inward turns every face over.
func (m triangles) inward() triangles {
	var out triangles
	for _, t := range m {
		out = append(out, [3][3]float64{t[0], t[2], t[1]})
	}
	return out
}

func (m triangles) stl() string {
	var b strings.Builder
	b.WriteString("solid made\n")
	for _, t := range m {
		b.WriteString("facet normal 0 0 0\nouter loop\n")
		for _, v := range t {
			fmt.Fprintf(&b, "vertex %.17g %.17g %.17g\n", v[0], v[1], v[2])
		}
		b.WriteString("endloop\nendfacet\n")
	}
	b.WriteString("endsolid made\n")
	return b.String()
}

// dae writes the mesh as COLLADA below a node with the given transform.
func (m triangles) dae(unit float64, up, transform string) string {
	var positions, indices strings.Builder
	for i, t := range m {
		for k, v := range t {
			fmt.Fprintf(&positions, "%g %g %g ", v[0], v[1], v[2])
			fmt.Fprintf(&indices, "%d ", 3*i+k)
		}
	}
	n := 3 * len(m)
	return fmt.Sprintf(`<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="made" meter="%g"/><up_axis>%s</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="%d">%s</float_array><technique_common>
<accessor source="#pa" count="%d" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor>
</technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="%d"><input semantic="VERTEX" source="#v" offset="0"/><p>%s</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="n">%s<instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene>
</COLLADA>`, unit, up, 3*n, positions.String(), n, len(m), indices.String(), transform)
}

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s: got %.12g, want %.12g within %g", what, got, want, within)
	}
}

// hasPair tells whether the pair is among them, either way round.
func hasPair(pairs []Pair, a, b string) bool {
	for _, p := range pairs {
		if p == (Pair{a, b}) || p == (Pair{b, a}) {
			return true
		}
	}
	return false
}
