package mesh

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/firstcontact-ros/firstcontact/geom"
)

func TestFormatsAgree(t *testing.T) {
	want := surface(mustParse(t, "cube.stl", binarySTL("", cube(geom.Vec{})), one))
	files := map[string][]byte{
		"ascii.stl":         asciiSTL(cube(geom.Vec{})),
		"solid_header.stl":  binarySTL("solid that is binary", cube(geom.Vec{})),
		"binary.stlb":       binarySTL("x", cube(geom.Vec{})),
		"ascii.stla":        asciiSTL(cube(geom.Vec{})),
		"cube.obj":          cubeOBJ(),
		"cube.dae":          cubeDAE(),
		"obj_in_disguise":   cubeOBJ(),
		"stl_lies.obj":      binarySTL("", cube(geom.Vec{})),
		"ascii_lies.dae":    asciiSTL(cube(geom.Vec{})),
		"obj_lies.stl":      cubeOBJ(),
		"dae_lies.stl":      cubeDAE(),
		"upper/case/C.STL":  binarySTL("", cube(geom.Vec{})),
		"crlf.stl":          []byte(strings.ReplaceAll(string(asciiSTL(cube(geom.Vec{}))), "\n", "\r\n")),
		"shouting.stl":      []byte(strings.ToUpper(string(asciiSTL(cube(geom.Vec{}))))),
		"one_line.stl":      oneLine(asciiSTL(cube(geom.Vec{}))),
		"two_solids.stl":    append(asciiSTL(cube(geom.Vec{})[:5]), asciiSTL(cube(geom.Vec{})[5:])...),
		"byte_order_mark":   append([]byte("\ufeff"), cubeOBJ()...),
		"old_mac_lines.obj": []byte(strings.ReplaceAll(string(cubeOBJ()), "\n", "\r")),
	}
	for name, data := range files {
		t.Run(name, func(t *testing.T) {
			m := mustParse(t, name, data, one)
			if diff := cmp.Diff(want, surface(m)); diff != "" {
				t.Errorf("not the cube (-binary STL +%s):\n%s", name, diff)
			}
			if len(m.Vertices) != 8 {
				t.Errorf("%d vertices, not 8: welding failed", len(m.Vertices))
			}
			if v := volume(m); v != 1 {
				t.Errorf("volume %g, not 1", v)
			}
		})
	}
}

// oneLine keeps the line of the solid's name and joins all others.
func oneLine(stl []byte) []byte {
	name, rest, _ := strings.Cut(string(stl), "\n")
	return []byte(name + "\n" + strings.Join(strings.Fields(rest), " "))
}

func TestScale(t *testing.T) {
	for _, tt := range []struct {
		scale  geom.Vec
		volume float64
	}{
		{geom.Vec{X: 2, Y: 3, Z: 4}, 24},
		{geom.Vec{X: -2, Y: 3, Z: 4}, 24},
		{geom.Vec{X: -2, Y: -3, Z: 4}, 24},
		{geom.Vec{X: -2, Y: -3, Z: -4}, 24},
	} {
		for name, data := range map[string][]byte{"a.stl": binarySTL("", cube(geom.Vec{})), "a.obj": cubeOBJ(), "a.dae": cubeDAE()} {
			m := mustParse(t, name, data, tt.scale)
			if v := volume(m); v != tt.volume {
				t.Errorf("%s scaled by %v: volume %g, not %g", name, tt.scale, v, tt.volume)
			}
			b := geom.EmptyBox()
			for _, v := range m.Vertices {
				b = b.Extend(v)
			}
			far := geom.Vec{X: b.Min.X + b.Max.X, Y: b.Min.Y + b.Max.Y, Z: b.Min.Z + b.Max.Z}
			if far != tt.scale {
				t.Errorf("%s scaled by %v reaches to %v", name, tt.scale, far)
			}
		}
	}
}

func TestNegativeZeroWelds(t *testing.T) {
	nz := math.Copysign(0, -1)
	m := mustParse(t, "a.stl", binarySTL("", []tri{
		{{X: nz, Y: nz, Z: nz}, {X: 1, Y: nz}, {Y: 1}},
		{{}, {X: 1}, {Y: 1, Z: nz}},
	}), one)
	if len(m.Vertices) != 3 {
		t.Errorf("%d vertices, not 3: %v", len(m.Vertices), m.Vertices)
	}
}

// Slivers are geometry: they stay, and do not open a closed surface.
func TestDegenerateTrianglesStay(t *testing.T) {
	tris := append(cube(geom.Vec{}),
		tri{{}, {}, {X: 1}},                     // an edge of the cube
		tri{{X: 9}, {X: 9}, {X: 9}},             // a point on its own
		tri{{Y: 9}, {X: 1, Y: 9}, {X: 2, Y: 9}}, // a segment, its corners distinct
	)
	m := mustParse(t, "a.stl", binarySTL("", tris), one)
	if len(m.Triangles) != 15 {
		t.Errorf("%d triangles, not 15", len(m.Triangles))
	}
	comps := ComponentsOf(m)
	if len(comps) != 3 {
		t.Fatalf("%d components, not 3", len(comps))
	}
	if n := len(comps[0].Triangles); n != 13 {
		t.Errorf("the cube with a sliver: %d triangles, want 13", n)
	}
	solid := SolidOf(m)
	if !solid.Encloses() || !solid.Open() {
		t.Errorf("encloses %v, open %v; the cube encloses, the segment of distinct corners is open", solid.Encloses(), solid.Open())
	}
	for k, want := range map[int32]bool{0: true, 11: true, 12: false, 13: false, 14: false} {
		if solid.Bounds(k) != want {
			t.Errorf("triangle %d bounds the solid: %v", k, !want)
		}
	}
}

func TestSizeLimit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "huge.stl")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, defaultLimits.bytes+1); err != nil { // sparse: takes no disk
		t.Skip(err)
	}
	_, err := Load(path, one)
	wantError(t, err, path, "limit")
}

func TestTriangleLimit(t *testing.T) {
	lim := defaultLimits
	lim.triangles = 11
	for name, data := range map[string][]byte{
		"a.stl": binarySTL("", cube(geom.Vec{})), "b.stl": asciiSTL(cube(geom.Vec{})), "a.obj": cubeOBJ(), "a.dae": cubeDAE(),
	} {
		_, err := parse(name, data, one, within(t, lim))
		wantError(t, err, name, "11", "simplify")
	}
	lim.triangles = 12
	if _, err := parse("a.dae", cubeDAE(), one, within(t, lim)); err != nil {
		t.Error(err)
	}
}

func TestLoadErrors(t *testing.T) {
	dir := t.TempDir()
	_, err := Load(filepath.Join(dir, "none.stl"), one)
	wantError(t, err, "none.stl", "no such file")
	_, err = Load(dir, one)
	wantError(t, err, dir, "is a folder")
	path := filepath.Join(dir, "cube.stl")
	if err := os.WriteFile(path, binarySTL("", cube(geom.Vec{})), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(path, one); err != nil {
		t.Error(err)
	}
	for _, s := range []geom.Vec{{}, {X: 1, Y: 1}, {X: math.NaN(), Y: 1, Z: 1}, {X: 1, Y: math.Inf(1), Z: 1}} {
		_, err := Load(path, s)
		wantError(t, err, "cube.stl", "scale", "not zero")
	}
}

// wantError fails unless err holds every one of parts.
func wantError(t testing.TB, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want one with %q", parts)
		return
	}
	for _, p := range parts {
		if !strings.Contains(err.Error(), p) {
			t.Errorf("error %q lacks %q", err, p)
		}
	}
}
