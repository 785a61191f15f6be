package mesh

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/firstcontact-ros/firstcontact/geom"
)

func flip(ts []tri, every int) []tri {
	out := append([]tri(nil), ts...)
	for i := 0; i < len(out); i += every {
		out[i][1], out[i][2] = out[i][2], out[i][1]
	}
	return out
}

func join(parts ...[]tri) (out []tri) {
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

func TestComponents(t *testing.T) {
	at := func(x, y, z float64) []tri { return cube(geom.Vec{X: x, Y: y, Z: z}) }
	sheet := []tri{{{}, {X: 1}, {Y: 1}}}
	band := func(twist bool) (out []tri) {
		const n = 8
		rim := func(i int) (geom.Vec, geom.Vec) {
			u := geom.AxisAngle(geom.Vec{Z: 1}, 2*3.14159265*float64(i%n)/n).Apply(geom.Vec{X: 1})
			a, b := u, r3.Add(u, geom.Vec{Z: 1})
			if twist && i == n {
				return b, a
			}
			return a, b
		}
		for i := range n {
			a, b := rim(i)
			c, d := rim(i + 1)
			out = append(out, tri{a, c, b}, tri{b, c, d})
		}
		return out
	}
	for _, tt := range []struct {
		name      string
		tris      []tri
		sizes     []int
		solid     bool // encloses something
		open      bool // has a part that encloses nothing
		ambiguous bool
	}{
		{"cube", at(0, 0, 0), []int{12}, true, false, false},
		{"two cubes apart", join(at(0, 0, 0), at(3, 0, 0)), []int{12, 12}, true, false, false},
		{"interleaved", join(at(0, 0, 0)[:6], at(3, 0, 0), at(0, 0, 0)[6:]), []int{12, 12}, true, false, false},
		{"overlapping, no vertex shared", join(at(0, 0, 0), at(.5, .5, .5)), []int{12, 12}, true, false, false},
		{"touching at a corner", join(at(0, 0, 0), at(1, 1, 1)), []int{24}, true, false, false},
		{"touching along an edge", join(at(0, 0, 0), at(1, 1, 0)), []int{24}, true, false, false},
		{"sharing a face", join(at(0, 0, 0), at(1, 0, 0)), []int{24}, true, false, false},
		{"lid missing", at(0, 0, 0)[2:], []int{10}, false, true, false},
		{"one triangle missing", at(0, 0, 0)[1:], []int{11}, false, true, false},
		{"lid missing, everything twice", join(at(0, 0, 0)[2:], at(0, 0, 0)[2:]), []int{20}, false, true, false},
		{"lid missing, with both sides", join(at(0, 0, 0)[2:], flip(at(0, 0, 0)[2:], 1)), []int{20}, false, true, false},
		{"crooked orientation", flip(at(0, 0, 0), 3), []int{12}, true, false, false},
		{"a triangle twice", join(at(0, 0, 0), at(0, 0, 0)[:1]), []int{13}, true, false, false},
		{"everything twice", join(at(0, 0, 0), at(0, 0, 0)), []int{24}, true, false, false},
		{"everything with both sides", join(at(0, 0, 0), flip(at(0, 0, 0), 1)), []int{24}, true, false, false},
		{"sheet", sheet, []int{1}, false, true, false},
		{"sharing the last corner only", []tri{{{}, {X: 1}, {Y: 1}}, {{X: 5}, {X: 6}, {Y: 1}}}, []int{2}, false, true, false},
		{"sharing the second corner only", []tri{{{}, {Y: 1}, {X: 1}}, {{X: 5}, {Y: 1}, {X: 6}}}, []int{2}, false, true, false},
		{"sheet with both sides", join(sheet, flip(sheet, 1)), []int{2}, false, true, false},
		{"open beside closed", join(sheet, at(5, 0, 0)), []int{1, 12}, true, true, false},
		{"a fin on a cube", join(at(0, 0, 0), []tri{{{}, {X: 1}, {X: 2, Y: -1}}}), []int{13}, true, true, false},
		{"band", band(false), []int{16}, false, true, false},
		{"Moebius band", band(true), []int{16}, false, true, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := mustParse(t, "a.stl", binarySTL("", tt.tris), one)
			var sizes []int
			for _, c := range ComponentsOf(m) {
				sizes = append(sizes, len(c.Triangles))
			}
			if diff := cmp.Diff(tt.sizes, sizes); diff != "" {
				t.Errorf("sizes (-want +got)\n%s", diff)
			}
			s := SolidOf(m)
			if s.Encloses() != tt.solid || s.Open() != tt.open || s.Ambiguous != tt.ambiguous {
				t.Errorf("encloses %v, open %v, ambiguous %v; want %v, %v, %v", s.Encloses(), s.Open(), s.Ambiguous, tt.solid, tt.open, tt.ambiguous)
			}
			if diff := cmp.Diff(ComponentsOf(m), ComponentsOf(m)); diff != "" {
				t.Errorf("two calls differ:\n%s", diff)
			}
		})
	}
}

// The box of a solid is around the faces that enclose something, wherever they are, and around nothing else.
func TestBoxOfSolidIsAroundWhatEncloses(t *testing.T) {
	low, high := cube(geom.Vec{X: -7, Y: 3, Z: -9}), cube(geom.Vec{X: 4, Y: -6, Z: 5})
	sheet := []tri{{{X: 100, Y: 100, Z: 100}, {X: -100, Y: 100, Z: 100}, {Y: -100, Z: -100}}}
	for _, tris := range [][]tri{low, high, join(high, low), join(low, high), join(low, sheet), join(sheet, low, high)} {
		want := geom.EmptyBox()
		for _, corners := range tris {
			for _, x := range corners {
				if geom.Norm(x) < 50 {
					want = want.Extend(x)
				}
			}
		}
		if s := SolidOf(mustParse(t, "a.stl", binarySTL("", tris), one)); s.Box != want {
			t.Errorf("%d triangles: %v, not %v", len(tris), s.Box, want)
		}
	}
	if s := SolidOf(mustParse(t, "a.stl", binarySTL("", sheet), one)); s.Box != geom.EmptyBox() {
		t.Errorf("nothing encloses anything, and the box is %v", s.Box)
	}
}
