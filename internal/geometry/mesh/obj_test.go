package mesh

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/firstcontact-ros/firstcontact/geom"
)

const objSquare = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"

func TestOBJ(t *testing.T) {
	o, x, xy, y := geom.Vec{}, geom.Vec{X: 1}, geom.Vec{X: 1, Y: 1}, geom.Vec{Y: 1}
	lower, upper := tri{o, x, xy}, tri{o, xy, y}
	for _, tt := range []struct {
		name, text string
		want       []tri
	}{
		{"triangle", objSquare + "f 1 2 3", []tri{lower}},
		{"quad", objSquare + "f 1 2 3 4", []tri{lower, upper}},
		{"slashes", objSquare + "vt 0 0\nvn 0 0 1\nf 1/1 2/1 3/1\nf 1//1 3//1 4//1", []tri{lower, upper}},
		{"all slashes", objSquare + "vt 0 0\nvn 0 0 1\nf 1/1/1 2/1/1 3/1/1 4/1/1", []tri{lower, upper}},
		{"negative", objSquare + "f -4 -3 -2\nv 7 7 7\nf -5 -3 -2", []tri{lower, upper}},
		{"negative with slashes", objSquare + "f -4//-1 -3//-1 -2//-1", []tri{lower}},
		{"objects and groups", "mtllib a.mtl\no one\n" + objSquare + "g a b\nusemtl m\ns off\nf 1 2 3\no two\ng\nf 1 3 4", []tri{lower, upper}},
		{"continued line", "v 0 0 0\nv 1 \\\n0 0\nv 1 1 0\nf 1 2\\\n 3", []tri{lower}},
		{"continued line, windows", "v 0 0 0\r\nv 1 \\\r\n0 0\r\nv 1 1 0\r\nf 1 2 3\r\n", []tri{lower}},
		{"face before its vertices", "f 1 2 3\n" + objSquare, []tri{lower}},
		{"comments", "# v 1 2\n" + objSquare + "f 1 2 3 # the lower half\n#f 1 3 4\n", []tri{lower}},
		{"colours and weights", "v 0 0 0 .5 .5 .5\nv 1 0 0 1\nv 1 1 0\nf 1 2 3", []tri{lower}},
		{"counts first", "4 1\n" + objSquare + "f 1 2 3", []tri{lower}},
		{"lines and points have no surface", objSquare + "l 1 2\np 1 2 3\nf 1 2 3", []tri{lower}},
		{"unused vertex stays out", objSquare + "v 100 0 0\nf 1 2 3", []tri{lower}},
		{"face of two corners is a segment", objSquare + "f 1 2 3\nf 1 2", []tri{{o, x, x}, lower}},
		{"face of one corner is a point", objSquare + "f 1 2 3\nf 1", []tri{{o, o, o}, lower}},
		{"obsolete fo", objSquare + "fo 1 2 3", []tri{lower}},
		{"tabs, signs, exponents", "v\t+0 0e5  -0\nv 1E0 .0 0.\nv 10e-1 1 0\nf 1 2 3", []tri{lower}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := mustParse(t, "a.obj", []byte(tt.text), one)
			if diff := cmp.Diff(tt.want, surface(m)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// A weight is 1, or an error.
func TestOBJWeights(t *testing.T) {
	for rest, want := range map[string]string{
		"1": "", "1.0 # w": "", "# of no weight": "", "0.5 0.5 0.5": "", "0.5 0.5 0.5 1": "",
		"0.5": "line 5: vertex of weight 0.5", "0": "weight 0", "-1": "weight -1", "nan": "line 5", "0.5 # w": "weight 0.5", "red": "line 5",
	} {
		_, err := ParseContext(t.Context(), "a.obj", []byte(objSquare+"v 1 1 1 "+rest+"\nf 1 2 5\n"), one)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", rest, err, want)
		}
	}
}

// A last line that may be cut short is a gap; the lack of a line end alone is none.
func TestOBJCutShort(t *testing.T) {
	for rest, want := range map[string]bool{
		"f 1 2 3": false, "f 1 2 3\nf 1 3 4": false, "f 1 2 3\nf 1 3\n": false, "f 1 2 3\nf 1 3\r": false, "f 1 2 3\n# f": false, "f 1 2 3\ng a": false,
		"f 1 2 3\nf 1 3": true, "f 1 2 3\nf 1": true, "f 1 2": true, "f 1 2 3 4\nf 1 3 4": true, "f 1 2 5\nv 1 1 2": true,
	} {
		f, err := ParseContext(t.Context(), "a.obj", []byte(objSquare+rest), one)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(f.Gaps) == 1 && strings.Contains(f.Gaps[0].Detail, "may be cut short"); got != want || len(f.Gaps) > 1 {
			t.Errorf("%q: gaps %v", rest, f.Gaps)
		}
	}
}

// The parts of an OBJ file that are no surface are not read, and are a gap.
func TestOBJLinesAreAGap(t *testing.T) {
	for rest, want := range map[string]string{
		"f 1 2 3\n": "", "p 1 2\nf 1 2 3\n": "line 5: lines and points", "f 1 2 3\nl 1 4\nl 2 4\n": "line 6: lines and points",
	} {
		f, err := ParseContext(t.Context(), "a.obj", []byte(objSquare+rest), one)
		if err != nil {
			t.Fatal(err)
		}
		if want == "" && len(f.Gaps) > 0 || want != "" && (len(f.Gaps) != 1 || !strings.Contains(f.Gaps[0].Detail, want)) {
			t.Errorf("%q: gaps %v, want %q", rest, f.Gaps, want)
		}
	}
}

func TestBadOBJ(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"vertex too large", objSquare + "f 1 2 5", []string{"line 5", "vertex 5 of 4"}},
		{"vertex zero", objSquare + "f 0 1 2", []string{"line 5", "counts from 1"}},
		{"too negative", objSquare + "f -5 -1 -2", []string{"line 5", "-5", "only 4"}},
		{"huge index", objSquare + "f 1 2 99999999999", []string{"line 5", "32 bits"}},
		{"index no number", objSquare + "f 1 2 x", []string{"line 5", "\"x\" is not a whole number"}},
		{"index a fraction", objSquare + "f 1 2 3.5", []string{"line 5", "whole number"}},
		{"sign alone", objSquare + "f 1 2 -", []string{"line 5", "whole number"}},
		{"slash alone", objSquare + "f 1 2 /3", []string{"line 5", "missing"}},
		{"short vertex", "v 1 2\n", []string{"line 1", "number is missing"}},
		{"vertex cut in a number", objSquare + "v 1 2 3e", []string{"line 5", "not a number"}},
		{"NaN", "v nan 0 0\n", []string{"line 1", "not finite"}},
		{"Inf", "v 0 -inf 0\n", []string{"line 1", "not finite"}},
		{"overflow", "v 0 1e400 0\n", []string{"line 1", "not finite"}},
		{"empty face", objSquare + "f\n", []string{"line 5", "without corners"}},
		{"no faces", objSquare, []string{"no triangles"}},
		{"only lines", objSquare + "l 1 2 3", []string{"no triangles"}},
		{"free-form", objSquare + "cstype bezier\nsurf 0 1 0 1 1 2 3 4\nend", []string{"line 6", "surf", "polygons"}},
		{"call", "call other.obj\n", []string{"line 1", "call"}},
		{"garbage", objSquare + "face 1 2 3", []string{"line 5", "\"face\" is not OBJ"}},
		{"binary", "v 1 \x00 2", []string{"not text"}},
		{"continued line counts", "v 0 0 \\\n 0\nv x 0 0", []string{"line 3"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse("bad.obj", []byte(tt.text), one)
			wantError(t, err, append(tt.want, "bad.obj")...)
		})
	}
	_, err := Parse("bad.xyz", []byte("1 2 3\n"), one)
	wantError(t, err, "bad.xyz", "\".xyz\"", "STL, OBJ, COLLADA")
}

func FuzzOBJ(f *testing.F) {
	f.Add(cubeOBJ())
	f.Add([]byte(objSquare + "f -4//-1 -3//2 -2 -1 -1\nf 1 2\\\n3"))
	f.Add([]byte("f 1 2 3 4 5 6\nv 0 0 0\nv 3 0 0\nv 3 3 0\nv 2 1 0\nv 1 2 0\nv 0 3 0\n"))
	f.Add([]byte(strings.Repeat("v 1e300 -1e300 1\n", 5) + "f 1 2 3 4 5"))
	f.Fuzz(func(t *testing.T, data []byte) { fuzzParse(t, "f.obj", data) })
}
