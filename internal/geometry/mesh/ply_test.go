package mesh

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const plySquare = "element vertex 5\nproperty float x\nproperty float y\nproperty double z\n"

func plyOf(elements, rows string) []byte {
	return []byte("ply\nformat ascii 1.0\ncomment by hand\n" + elements + "end_header\n" + rows)
}

const plyCorners = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n.5 .5 0\n"

func TestPLY(t *testing.T) {
	const faces = "element face 2\nproperty uchar red\nproperty list uchar int vertex_indices\nproperty list int float weights\n"
	for _, tt := range []struct {
		name string
		data []byte
		want []tri
	}{
		{"faces among other properties", plyOf(plySquare+faces, plyCorners+"7 3 0 1 2 2 0.5 0.5\n7 4 0 1 2 3 0\n"), []tri{square(0, 1, 2), square(0, 1, 2), square(0, 2, 3)}},
		{"concave polygon", plyOf(plySquare+"element face 1\nproperty list ushort uint vertex_index\n", plyCorners+"4 0 1 4 3\n"), []tri{square(0, 1, 4), square(0, 4, 3)}},
		{"strips", plyOf(plySquare+"element tristrips 1\nproperty list int int vertex_indices\n", plyCorners+"8 0 1 3 2 -1 0 1 4\n"), []tri{square(0, 1, 3), square(3, 1, 2), square(0, 1, 4)}},
		{"faces before vertices", plyOf("element face 1\nproperty list uchar int vertex_indices\n"+plySquare, "3 0 1 2\n"+plyCorners), []tri{square(0, 1, 2)}},
		{"an edge", plyOf(plySquare+"element face 1\nproperty list uchar int vertex_indices\nelement edge 1\nproperty int vertex1\nproperty int vertex2\n", plyCorners+"3 0 1 2\n0 1\n"), []tri{square(0, 1, 2), square(0, 1, 1)}},
		{"old Mac lines", []byte(strings.ReplaceAll(string(plyOf(plySquare+"element face 1\nproperty list uchar int vertex_indices\n", plyCorners+"3 0 1 2\n")), "\n", "\r")), []tri{square(0, 1, 2)}},
		{"DOS lines", []byte(strings.ReplaceAll(string(plyOf(plySquare+"element face 1\nproperty list uchar int vertex_indices\n", plyCorners+"3 0 1 2\n")), "\n", "\r\n")), []tri{square(0, 1, 2)}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(sorted(tt.want), surface(mustParse(t, "a.ply", tt.data, one))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestBadPLY(t *testing.T) {
	const face = "element face 1\nproperty list uchar int vertex_indices\n"
	for _, tt := range []struct {
		data []byte
		want string
	}{
		{plyOf(plySquare+face, plyCorners), "truncated"},
		{plyOf(plySquare+face, plyCorners+"3 0 1"), "truncated"},
		{plyOf(plySquare+face, plyCorners+"3 0 1 2"), "last line has no end"},
		{plyOf(plySquare+face, plyCorners+"3 0 1 5\n"), "vertex 5 of 5"},
		{plyOf(plySquare+face, strings.Replace(plyCorners, "1 1 0", "1 nan 0", 1)+"4 0 1 2 3\n"), "is not finite"},
		{plyOf(plySquare+face, strings.Replace(plyCorners, "1 1 0", "1 inf 0", 1)+"5 0 1 2 3 4\n"), "is not finite"},
		{plyOf(plySquare+face, plyCorners+"3 0 1 -1\n"), "vertex -1 of 5"},
		{plyOf(plySquare+face, plyCorners+"3 0 1 1.5\n"), "whole number"},
		{plyOf(plySquare+face, plyCorners+"3 0 1 2\n3 0 1 2\n"), "more than the header declares"},
		{plyOf(plySquare+face, "nan 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 0\n3 0 1 2\n"), "not finite"},
		{plyOf("element vertex 2000000000\nproperty float x\nproperty float y\nproperty float z\n"+face, plyCorners), "vertex declares 2000000000 rows"},
		{plyOf("element vertex 1\nproperty float x\nproperty float y\n"+face, "0 0\n"), "no property z"},
		{plyOf(plySquare+"element face 1\nproperty int vertex_indices\n", plyCorners+"3\n"), "no list vertex_indices"},
		{plyOf(plySquare+"element face 1\nproperty list uchar float vertex_indices\n", plyCorners+"3 0 1 2\n"), "not of whole numbers"},
		{plyOf(plySquare+"element face 1\nproperty list float int vertex_indices\n", plyCorners+"3 0 1 2\n"), "not understood"},
		{plyOf(plySquare+"element face 1\nproperty quad vertex_indices\n", plyCorners), "not understood"},
		{[]byte("ply\nformat binary_middle_endian 1.0\nend_header\n"), "there are ascii"},
		{[]byte("ply\nelement vertex 0\nend_header\n"), "no line \"format\""},
		{[]byte("ply\nformat ascii 1.0\n"), "no end_header"},
	} {
		_, err := Parse("bad.ply", tt.data, one)
		wantError(t, err, "bad.ply", tt.want)
	}
}

// An element that nobody knows may hold a surface.
func TestUnknownElementIsAGap(t *testing.T) {
	f, err := ParseContext(t.Context(), "a.ply", plyOf(plySquare+"element face 1\nproperty list uchar int vertex_indices\nelement range_grid 1\nproperty list uchar int vertex_indices\n", plyCorners+"3 0 1 2\n1 3\n"), one)
	if err != nil || len(f.Gaps) != 1 || !strings.Contains(f.Gaps[0].Detail, "range_grid") {
		t.Errorf("gaps %v, %v", f.Gaps, err)
	}
}

func FuzzPLY(f *testing.F) {
	for _, name := range []string{"three_text.ply", "three_big.ply", "assimp_binary.ply"} {
		f.Add(readTestdata(f, name))
	}
	f.Add(plyOf(plySquare+"element tristrips 1\nproperty list int int vertex_indices\n", plyCorners+"8 0 1 3 2 -1 0 1 4\n"))
	f.Add(plyOf(plySquare+"element face 1\nproperty list uchar int vertex_indices\nelement edge 1\nproperty int vertex1\nproperty int vertex2\n", plyCorners+"4 0 1 4 2\n0 1\n"))
	f.Fuzz(func(t *testing.T, data []byte) { fuzzParse(t, "f.ply", data) })
}
