package mesh

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
	"github.com/firstcontact-ros/firstcontact/internal/base/progress"
)

func TestBadSTL(t *testing.T) {
	whole := binarySTL("", cube(geom.Vec{}))
	declare := func(n uint32) []byte {
		out := append([]byte(nil), whole...)
		binary.LittleEndian.PutUint32(out[80:], n)
		return out
	}
	ascii := asciiSTL(cube(geom.Vec{}))
	for _, tt := range []struct {
		name string
		data []byte
		want []string
	}{
		{"empty", nil, []string{"empty"}},
		{"header only", whole[:80], []string{"too short"}},
		{"truncated", whole[:len(whole)-1], []string{"declares 12 triangles", "684 bytes", "683", "copy it again"}},
		{"cut in a triangle, header solid", binarySTL("solid x", cube(geom.Vec{}))[:500], []string{"declares 12 triangles", "500"}},
		{"bytes too many", append(declare(12), 0), []string{"684", "685"}},
		{"1e9 declared", declare(1e9), []string{"declares 1000000000 triangles", "50000000084"}},
		{"no triangles", whole[:84:84], []string{"declares 12"}},
		{"zero triangles", binarySTL("", nil), []string{"no triangles"}},
		{"NaN", binarySTL("", []tri{{{X: math.NaN()}, {X: 1}, {Y: 1}}}), []string{"triangle 0", "not finite"}},
		{"Inf", binarySTL("", []tri{{{}, {X: math.Inf(-1)}, {Y: 1}}}), []string{"triangle 0", "not finite"}},
		{"far away", binarySTL("", []tri{{{}, {X: 1e12}, {Y: 1}}}), []string{"unit and the scale"}},
		{"ascii cut short", ascii[:len(ascii)/2], []string{"line "}},
		{"ascii without end", ascii[:len(ascii)-len("endsolid made by a test\n")], []string{"endsolid", "copy it again"}},
		{"ascii NaN", []byte("solid\nfacet normal 0 0 1\nouter loop\nvertex nan 0 0"), []string{"line 4", "\"nan\" is not finite"}},
		{"ascii overflow", []byte("solid\nfacet normal 0 0 1\nouter loop\nvertex 0 1e999 0"), []string{"line 4", "not finite"}},
		{"ascii letter", []byte("solid\nfacet normal 0 0 1 outer loop vertex 0 1.0.0 0"), []string{"line 2", "not a number"}},
		{"ascii four corners", []byte("solid\nfacet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 1 1 0 vertex 0 1 0 endloop endfacet"), []string{"\"vertex\"", "endloop"}},
		{"ascii nothing", []byte("solid x\nendsolid x\n"), []string{"no triangles"}},
		{"ascii other words", []byte("solid x\nand then\n"), []string{"line 2", "facet"}},
		{"ascii tail", append(append([]byte(nil), ascii...), "tail"...), []string{"solid"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, err := Parse("bad.stl", tt.data, one)
			wantError(t, err, append(tt.want, "bad.stl")...)
			if m != nil {
				t.Error("a mesh came with the error")
			}
		})
	}
}

// Reading a large mesh tells how far it has come, and that it has ended.
func TestReadingMeshIsTold(t *testing.T) {
	var told []progress.Step
	ctx := progress.With(t.Context(), func(s progress.Step) { told = append(told, s) })
	tris := make([]tri, trianglesPerLook+1)
	for i := range tris {
		tris[i] = cube(geom.Vec{X: float64(i)})[0]
	}
	if _, err := ParseContext(ctx, "big.stl", binarySTL("", tris), one); err != nil {
		t.Fatal(err)
	}
	want := []progress.Step{
		{What: "reading mesh big.stl", Total: trianglesPerLook + 1, Unit: "triangles"},
		{What: "reading mesh big.stl", Done: trianglesPerLook, Total: trianglesPerLook + 1, Unit: "triangles"},
		{},
	}
	if !slices.Equal(told, want) {
		t.Errorf("%v", told)
	}
}

func FuzzSTL(f *testing.F) {
	f.Add(binarySTL("solid", cube(geom.Vec{})))
	f.Add(binarySTL("", []tri{{{}, {}, {X: math.NaN()}}}))
	f.Add(asciiSTL(cube(geom.Vec{})[:2]))
	f.Add([]byte("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid"))
	f.Fuzz(func(t *testing.T, data []byte) { fuzzParse(t, "f.stl", data) })
}

// fuzzParse holds Parse to its contract on any input: a sound mesh or an error
// that names the file.
func fuzzParse(t *testing.T, name string, data []byte) {
	lim := limits{bytes: 1 << 20, triangles: 20_000, placed: 20_000, visits: 2_000}
	m, err := parse(name, data, one, within(t, lim))
	if err != nil {
		wantError(t, err, name)
		return
	}
	checkMesh(t, m.Mesh)
	n := 0
	for _, c := range ComponentsOf(m.Mesh) {
		n += len(c.Triangles)
	}
	if n != len(m.Mesh.Triangles) {
		t.Fatalf("components hold %d of %d triangles", n, len(m.Mesh.Triangles))
	}
}
