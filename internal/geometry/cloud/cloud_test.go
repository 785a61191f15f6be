package cloud

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/firstcontact-ros/firstcontact/geom"
)

func file(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// board is what the files of PCL hold, and how many of its points have no return.
func board() (points []geom.Vec, missing int) {
	for i := range 200 {
		if i%7 == 3 {
			missing++
			continue
		}
		points = append(points, geom.Vec{X: float64(i%20) / 8, Y: float64(i/20) / 8, Z: 1})
	}
	return points, missing
}

// Every form in which PCL writes a cloud is read, point by point.
func TestFilesOfPCL(t *testing.T) {
	want, missing := board()
	for _, name := range []string{"board_text.pcd", "board_binary.pcd", "board_compressed.pcd", "board_pcl.ply"} {
		c, err := Read(t.Context(), file(t, name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !slices.Equal(c.Points, want) || c.Missing != missing || c.Viewpoint != nil || c.Skipped != nil {
			t.Errorf("%s: %d points, %d missing, viewpoint %v, skipped %q", name, len(c.Points), c.Missing, c.Viewpoint, c.Skipped)
		}
	}
	c, err := Read(t.Context(), file(t, "three_cloud.ply"))
	if err != nil || len(c.Points) != 8 || !slices.Contains(c.Points, geom.Vec{X: 0.25, Y: 0.5, Z: 0.75}) {
		t.Errorf("%v, %v", c, err)
	}
}

func pcdText(header, body string) []byte {
	return []byte("# .PCD v0.7 - Point Cloud Data file format\nVERSION 0.7\n" + header + body)
}

const xyzHeader = "FIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH 2\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS 2\n"

func TestPCD(t *testing.T) {
	want := []geom.Vec{{X: 1, Y: 2, Z: 3}, {X: 4, Y: 5, Z: 6}}
	row := func(id uint16, x, y float32, z float64) (out []byte) {
		for _, v := range []any{id, [3]byte{7, 7, 7}, x, z, y} {
			out, _ = binary.Append(out, binary.LittleEndian, v)
		}
		return out
	}
	mixed := strings.NewReplacer("FIELDS x y z", "FIELDS id _ x z y", "SIZE 4 4 4", "SIZE 2 1 4 8 4", "TYPE F F F", "TYPE U U F F F", "COUNT 1 1 1", "COUNT 1 3 1 1 1").Replace(xyzHeader)
	for _, tt := range []struct {
		name string
		data []byte
	}{
		{"text", pcdText(xyzHeader, "DATA ascii\n1 2 3\n4 5 6\n")},
		{"DOS lines", bytes.ReplaceAll(pcdText(xyzHeader, "DATA ascii\n1 2 3\n4 5 6\n"), []byte("\n"), []byte("\r\n"))},
		{"an empty line", pcdText(xyzHeader, "DATA ascii\n1 2 3\n\n4 5 6\n")},
		{"no POINTS, no comment", []byte("VERSION .5\n" + strings.Replace(xyzHeader, "POINTS 2\n", "", 1) + "DATA ascii\n1 2 3\n4 5 6\n")},
		{"other fields, other order", pcdText(mixed, "DATA binary\n"+string(row(1, 1, 2, 3))+string(row(2, 4, 5, 6)))},
		{"other fields as text", pcdText(mixed, "DATA ascii\n9 7 7 7 1 3 2\n9 7 7 7 4 6 5\n")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, err := Read(t.Context(), tt.data)
			if err != nil || !slices.Equal(c.Points, want) {
				t.Errorf("%v, %v", c, err)
			}
		})
	}
	c, err := Read(t.Context(), pcdText(strings.Replace(xyzHeader, "VIEWPOINT 0 0 0", "VIEWPOINT 0 0 1.5", 1), "DATA ascii\n1 2 3\n4 5 6\n"))
	if err != nil || !slices.Equal(c.Points, want) || !slices.Equal(c.Viewpoint, []float64{0, 0, 1.5, 1, 0, 0, 0}) {
		t.Errorf("with a viewpoint: %v, %v", c, err)
	}
}

func TestBadPCD(t *testing.T) {
	edit := func(old, replacement, body string) []byte {
		return pcdText(strings.Replace(xyzHeader, old, replacement, 1), body)
	}
	board := file(t, "board_compressed.pcd")
	damaged := slices.Clone(board)
	damaged[203] = 0xff // a copy of what is not there
	for _, tt := range []struct {
		name string
		data []byte
		want string
	}{
		{"no DATA", pcdText(xyzHeader, ""), "no line DATA"},
		{"other DATA", pcdText(xyzHeader, "DATA zip\n"), "binary_compressed"},
		{"one point too few", pcdText(xyzHeader, "DATA ascii\n1 2 3\n"), "1 points, the header declares 2"},
		{"one point too many", pcdText(xyzHeader, "DATA ascii\n1 2 3\n4 5 6\n7 8 9\n"), "more points than the 2"},
		{"one number too few", pcdText(xyzHeader, "DATA ascii\n1 2 3\n4 5\n"), "point 1 has 2 numbers"},
		{"cut within a number", pcdText(xyzHeader, "DATA ascii\n1 2 3\n4 5 6.2"), "last line has no end"},
		{"a word", pcdText(xyzHeader, "DATA ascii\n1 2 3\n4 5 six\n"), "point 1"},
		{"cut short", pcdText(xyzHeader, "DATA binary\n"+strings.Repeat("x", 20)), "20 bytes"},
		{"too long", pcdText(xyzHeader, "DATA binary\n"+strings.Repeat("x", 36)), "36 bytes"},
		{"no z", edit("FIELDS x y z", "FIELDS x y w", "DATA ascii\n1 2 3\n4 5 6\n"), "no field z"},
		{"whole numbers", edit("TYPE F F F", "TYPE F F I", "DATA ascii\n1 2 3\n4 5 6\n"), "field z"},
		{"two of a name", edit("FIELDS x y z", "FIELDS x x z", "DATA ascii\n"), "twice"},
		{"WIDTH and POINTS", edit("WIDTH 2", "WIDTH 3", "DATA ascii\n1 2 3\n4 5 6\n"), "are not the 2 POINTS"},
		{"huge", edit("WIDTH 2\nHEIGHT 1", "WIDTH 2000000000\nHEIGHT 1", "DATA binary\n"), "are not the 2 POINTS"},
		{"huge without POINTS", pcdText(strings.NewReplacer("WIDTH 2", "WIDTH 2000000000", "HEIGHT 1", "HEIGHT 2000000000", "POINTS 2\n", "").Replace(xyzHeader), "DATA binary\n"), "maximum"},
		{"unknown key", edit("HEIGHT", "DEPTH", "DATA ascii\n"), "DEPTH"},
		{"a viewpoint of three", edit("VIEWPOINT 0 0 0 1 0 0 0", "VIEWPOINT 0 0 0", "DATA ascii\n"), "x y z qw qx qy qz"},
		{"compressed, cut short", board[:1000], "bytes"},
		{"compressed, damaged", damaged, "damaged"},
		{"no returns", pcdText(xyzHeader, "DATA ascii\nnan -nan NaN\ninf 0 0\n"), "none of its 2 points"},
		{"a mesh", []byte("ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"), "type mesh"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, err := Read(t.Context(), tt.data)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, %v; want %q", c, err, tt.want)
			}
		})
	}
}

// PCL's bag of zeros at the end of a file is no cloud; anything else there is.
func TestPadding(t *testing.T) {
	data := file(t, "board_binary.pcd")
	if _, err := Read(t.Context(), append(slices.Clone(data), 0, 0)); err != nil {
		t.Error(err)
	}
	if _, err := Read(t.Context(), append(slices.Clone(data), 0, 1)); err == nil {
		t.Error("bytes after the points were ignored")
	}
}

// A few bytes that promise much take no memory.
func TestPromisesAreBounded(t *testing.T) {
	fields := strings.NewReplacer("SIZE 4 4 4", "SIZE 8 8 8", "COUNT 1 1 1", "COUNT 1 1 1", "WIDTH 2", "WIDTH 2000000", "POINTS 2", "POINTS 2000000").Replace(xyzHeader)
	body, _ := binary.Append([]byte("DATA binary_compressed\n"), binary.LittleEndian, []uint32{4, 48_000_000})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := Read(t.Context(), pcdText(fields, string(append(body, 1, 2, 3, 4))))
	runtime.ReadMemStats(&after)
	if err == nil || after.TotalAlloc-before.TotalAlloc > 1<<20 {
		t.Errorf("%d bytes were allocated, %v", after.TotalAlloc-before.TotalAlloc, err)
	}
}

func TestReadHonoursItsContext(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	for _, name := range []string{"board_text.pcd", "board_binary.pcd", "board_compressed.pcd", "board_pcl.ply"} {
		if _, err := Read(ctx, file(t, name)); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestUnknown(t *testing.T) {
	for data, want := range map[string]string{
		"LASF\x00": "pdal", "\x93NUMPY": "numpy.savetxt", "glTF\x02": "type mesh", "a\x00b": "PCD, PLY, or rows", "solid x": "type mesh",
	} {
		if err := Unknown([]byte(data)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", data, err)
		}
	}
	if err := Unknown([]byte("1 2 3\n")); err != nil {
		t.Error(err)
	}
}

func FuzzCloud(f *testing.F) {
	for _, name := range []string{"board_text.pcd", "board_binary.pcd", "board_compressed.pcd", "board_pcl.ply", "three_cloud.ply"} {
		f.Add(file(f, name))
	}
	f.Add(pcdText(xyzHeader, "DATA ascii\n1 2 3\nnan 5 6\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Read(t.Context(), data)
		if err != nil {
			return
		}
		if len(c.Points) == 0 || len(c.Points)+c.Missing > 100*len(data) {
			t.Fatalf("%d points of %d bytes", len(c.Points), len(data))
		}
		for _, p := range c.Points {
			if !geom.Finite(p) || math.Signbit(p.X) && p.X == 0 {
				t.Fatal(fmt.Sprint(p))
			}
		}
	})
}

// What a slow compressor writes, LZF reads: literals, copies that overlap, long copies.
func FuzzLZF(f *testing.F) {
	f.Add([]byte("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabcabcabcabc"))
	f.Add(bytes.Repeat([]byte{0}, 5000))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<13 {
			return
		}
		got, err := unpackLZF(packLZF(data), len(data))
		if err != nil || !bytes.Equal(got, data) {
			t.Fatalf("%q became %q, %v", data, got, err)
		}
		if out, err := unpackLZF(data, 100); err == nil && len(out) != 100 {
			t.Fatalf("%d bytes, not 100", len(out))
		}
	})
}

// packLZF is an own compressor, by the description of the format: greedy, with the nearest copy.
func packLZF(data []byte) (out []byte) {
	var plain []byte
	flush := func() {
		for len(plain) > 0 {
			n := min(len(plain), 32)
			out = append(append(out, byte(n-1)), plain[:n]...)
			plain = plain[n:]
		}
	}
	last := map[[3]byte]int{}
	for i := 0; i < len(data); {
		length, from := 0, 0
		if i+3 <= len(data) {
			key := [3]byte(data[i:])
			if j, ok := last[key]; ok && i-j <= 8192 {
				for from = j; i+length < len(data) && length < 264 && data[j+length] == data[i+length]; {
					length++
				}
			}
			last[key] = i
		}
		if length < 3 {
			plain = append(plain, data[i])
			i++
			continue
		}
		flush()
		distance := i - from - 1
		if n := length - 2; n < 7 {
			out = append(out, byte(n<<5|distance>>8), byte(distance))
		} else {
			out = append(out, byte(7<<5|distance>>8), byte(n-7), byte(distance))
		}
		i += length
	}
	flush()
	return out
}
