package mesh

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// What the tests are made of: a cube of side 1 and writers for each format.

var one = geom.Vec{X: 1, Y: 1, Z: 1}

// within is a source of bounded size, without files beside it.
func within(t testing.TB, lim limits) source {
	return source{t.Context(), lim, func(string, int64) ([]byte, error) { return nil, fs.ErrNotExist }}
}

// cubeCorners has corner i at the bits of i.
var cubeCorners = []geom.Vec{{}, {X: 1}, {Y: 1}, {X: 1, Y: 1}, {Z: 1}, {X: 1, Z: 1}, {Y: 1, Z: 1}, {X: 1, Y: 1, Z: 1}}

// cubeFaces are quads, counterclockwise seen from outside.
var cubeFaces = [][]int{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}

type tri [3]geom.Vec

// cube returns the cube's triangles, moved by d.
func cube(d geom.Vec) []tri {
	var out []tri
	for _, f := range cubeFaces {
		for i := 2; i < 4; i++ {
			out = append(out, tri{
				r3.Add(cubeCorners[f[0]], d), r3.Add(cubeCorners[f[i-1]], d), r3.Add(cubeCorners[f[i]], d),
			})
		}
	}
	return out
}

func binarySTL(header string, tris []tri) []byte {
	out := append([]byte(header), make([]byte, 80-len(header))...)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(tris)))
	f := func(v geom.Vec) {
		for _, x := range [3]float64{v.X, v.Y, v.Z} {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(x)))
		}
	}
	for _, t := range tris {
		f(geom.Vec{X: math.NaN()}) // normals are never read
		f(t[0])
		f(t[1])
		f(t[2])
		out = append(out, 0, 0)
	}
	return out
}

func asciiSTL(tris []tri) []byte {
	var b bytes.Buffer
	b.WriteString("solid made by a test\n")
	for _, t := range tris {
		b.WriteString("  facet normal nan nan nan\n    outer loop\n")
		for _, v := range t {
			fmt.Fprintf(&b, "      vertex %g %g %g\n", v.X, v.Y, v.Z)
		}
		b.WriteString("    endloop\n  endfacet\n")
	}
	b.WriteString("endsolid made by a test\n")
	return b.Bytes()
}

func cubeOBJ() []byte {
	var b strings.Builder
	b.WriteString("# a cube\no cube\n")
	for _, v := range cubeCorners {
		fmt.Fprintf(&b, "v %g %g %g\n", v.X, v.Y, v.Z)
	}
	for _, f := range cubeFaces {
		fmt.Fprintf(&b, "f %d %d %d %d\n", f[0]+1, f[1]+1, f[2]+1, f[3]+1)
	}
	return []byte(b.String())
}

// dae puts together a COLLADA document: the inside of one mesh after its
// positions, and what follows the geometries.
func dae(asset, positions, prims, rest string) []byte {
	n := len(strings.Fields(positions))
	return []byte(fmt.Sprintf(`<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset>%s</asset>
<library_geometries><geometry id="g"><mesh>
<source id="s"><float_array id="a" count="%d">%s</float_array>
<technique_common><accessor source="#a" count="%d" stride="3"><param name="X"/><param name="Y"/><param name="Z"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
%s</mesh></geometry></library_geometries>
%s</COLLADA>`, asset, n, positions, n/3, prims, rest))
}

const vertexInput = `<input semantic="VERTEX" source="#v" offset="0"/>`

// inScene puts nodes into a visual scene.
func inScene(nodes string) string {
	return `<library_visual_scenes><visual_scene id="vs">` + nodes + `</visual_scene></library_visual_scenes>` +
		`<scene><instance_visual_scene url="#vs"/></scene>`
}

func cubeDAE() []byte {
	var pos, count, p strings.Builder
	for _, v := range cubeCorners {
		fmt.Fprintf(&pos, "%g %g %g ", v.X, v.Y, v.Z)
	}
	for _, f := range cubeFaces {
		count.WriteString("4 ")
		fmt.Fprintf(&p, "%d %d %d %d ", f[0], f[1], f[2], f[3])
	}
	return dae("", pos.String(),
		`<polylist count="6">`+vertexInput+`<vcount>`+count.String()+`</vcount><p>`+p.String()+`</p></polylist>`,
		inScene(`<node><instance_geometry url="#g"/></node>`))
}

func mustParse(t testing.TB, name string, data []byte, scale geom.Vec) *Mesh {
	t.Helper()
	m, err := Parse(name, data, scale)
	if err != nil {
		t.Fatal(err)
	}
	checkMesh(t, m)
	return m
}

// checkMesh fails unless m keeps what its doc comment promises.
func checkMesh(t testing.TB, m *Mesh) {
	t.Helper()
	if len(m.Triangles) == 0 {
		t.Fatal("no triangles and no error")
	}
	seen := map[[3]uint64]int{}
	for i, v := range m.Vertices {
		if !geom.Finite(v) {
			t.Fatalf("vertex %d is %v", i, v)
		}
		bits := [3]uint64{math.Float64bits(v.X), math.Float64bits(v.Y), math.Float64bits(v.Z)}
		for _, b := range bits {
			if b == 1<<63 {
				t.Fatalf("vertex %d has a -0: %v", i, v)
			}
		}
		if j, ok := seen[bits]; ok {
			t.Fatalf("vertices %d and %d are both %v", j, i, v)
		}
		seen[bits] = i
	}
	used := make([]bool, len(m.Vertices))
	for i, tr := range m.Triangles {
		for _, k := range tr {
			if k < 0 || int(k) >= len(m.Vertices) {
				t.Fatalf("triangle %d names vertex %d of %d", i, k, len(m.Vertices))
			}
			used[k] = true
		}
	}
	for i, u := range used {
		if !u {
			t.Fatalf("vertex %d belongs to no triangle", i)
		}
	}
}

// surface lists the triangles of m by coordinates, each from its smallest
// corner on, in order: equal lists are equal oriented surfaces.
func surface(m *Mesh) []tri {
	out := make([]tri, len(m.Triangles))
	for i, t := range m.Triangles {
		a := tri{m.Vertices[t[0]], m.Vertices[t[1]], m.Vertices[t[2]]}
		for range 2 {
			if compare(a[1], a[0]) < 0 || compare(a[2], a[0]) < 0 {
				a = tri{a[1], a[2], a[0]}
			}
		}
		out[i] = a
	}
	slices.SortFunc(out, func(a, b tri) int {
		for c := range a {
			if d := compare(a[c], b[c]); d != 0 {
				return d
			}
		}
		return 0
	})
	return out
}

func compare(a, b geom.Vec) int {
	for _, p := range [3][2]float64{{a.X, b.X}, {a.Y, b.Y}, {a.Z, b.Z}} {
		switch {
		case p[0] < p[1]:
			return -1
		case p[0] > p[1]:
			return 1
		}
	}
	return 0
}

// volume is the signed volume: positive where the triangles face outward.
func volume(m *Mesh) float64 {
	var v float64
	for _, t := range m.Triangles {
		v += r3.Dot(m.Vertices[t[0]], r3.Cross(m.Vertices[t[1]], m.Vertices[t[2]]))
	}
	return v / 6 // last, so that small whole numbers stay exact
}
