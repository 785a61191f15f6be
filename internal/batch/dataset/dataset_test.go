package dataset

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/firstcontact-ros/firstcontact/geom"
)

// npy writes an array as NumPy does.
func npy(kind string, shape string, data any) []byte {
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", kind, shape)
	header += strings.Repeat(" ", 63-(10+len(header))%64) + "\n"
	var b bytes.Buffer
	b.WriteString("\x93NUMPY\x01\x00")
	_ = binary.Write(&b, binary.LittleEndian, uint16(len(header)))
	b.WriteString(header)
	_ = binary.Write(&b, binary.LittleEndian, data)
	return b.Bytes()
}

// texts writes an array of names of up to 8 letters.
func texts(names ...string) []byte {
	var data []uint32
	for _, name := range names {
		cell := make([]uint32, 8)
		for i, r := range []rune(name) {
			cell[i] = uint32(r)
		}
		data = append(data, cell...)
	}
	return npy("<U8", fmt.Sprint(len(names), ","), data)
}

func write(t *testing.T, path string, data []byte) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func npz(t *testing.T, path string, arrays map[string][]byte) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, data := range arrays {
		w, err := z.Create(name + ".npy")
		if err == nil {
			_, err = w.Write(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return write(t, path, b.Bytes())
}

func mapping(t *testing.T, text string) *Mapping {
	t.Helper()
	m, err := ReadMapping(context.Background(), write(t, filepath.Join(t.TempDir(), "map.yaml"), []byte(text)), map[string]bool{"slide": true})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func open(t *testing.T, path string, m *Mapping) (Source, error) {
	t.Helper()
	files, _, err := Find(context.Background(), []string{path}, "")
	if err != nil {
		return nil, err
	}
	return Open(context.Background(), files[0], Options{Mapping: m})
}

// refused expects an error with these words.
func refused(t *testing.T, err error, words ...string) {
	t.Helper()
	for _, w := range words {
		if err == nil || !strings.Contains(err.Error(), w) {
			t.Errorf("error %v, want one with %q", err, w)
		}
	}
}

func retargeted() map[string][]byte {
	return map[string][]byte{
		"dof_pos":     npy("<f4", "2, 2", []float32{90, 1000, 45, 500}),
		"joint_names": texts("hinge", "slide"),
		"fps":         npy("<i8", "", []int64{50}),
		"root_pos":    npy("<f8", "2, 3", []float64{0, 0, 800, 0, 0, 900}),
		"root_rot":    npy("<f8", "2, 4", []float64{1, 0, 0, 0, math.Sqrt(0.5), 0, 0, math.Sqrt(0.5)}),
		"contact":     npy("|b1", "2,", []byte{1, 1}),
	}
}

func TestRetargetedMotion(t *testing.T) {
	path := npz(t, filepath.Join(t.TempDir(), "clip.npz"), retargeted())
	src, err := open(t, path, mapping(t, "units: deg, mm\nquaternion: wxyz"))
	if err != nil {
		t.Fatal(err)
	}
	l, err := src.Motion(0)
	if err != nil || src.Len() != 1 {
		t.Fatal(src.Len(), err)
	}
	if got, want := l.Motion.At(0), []float64{math.Pi / 2, 1}; !slices.Equal(got, want) {
		t.Errorf("starts at %v, want %v", got, want)
	}
	if got := l.Motion.Duration(); got != 0.02 {
		t.Errorf("takes %g s, want 0.02", got)
	}
	start, end := l.Motion.RootAt(0), l.Motion.RootAt(0.02)
	turned := end.R.Apply(geom.Vec{X: 1})
	if start.P.Z != 0.8 || math.Abs(end.P.Z-0.9) > 1e-12 || math.Abs(turned.Y-1) > 1e-9 {
		t.Errorf("root from %v to %v, turned %v", start.P, end.P, turned)
	}
	said := strings.Join(l.Premises, "\n")
	for _, want := range []string{"units: deg, mm", "rate: 50", "not read: contact"} {
		if !strings.Contains(said, want) {
			t.Errorf("premises lack %q: %s", want, said)
		}
	}
}

func TestWhatFilesLeaveOpenIsRefused(t *testing.T) {
	dir := t.TempDir()
	whole := npz(t, filepath.Join(dir, "whole.npz"), retargeted())
	without := func(name string) string {
		a := retargeted()
		delete(a, name)
		return npz(t, filepath.Join(dir, "without_"+name+".npz"), a)
	}
	timed := retargeted()
	timed["times"] = npy("<f8", "2,", []float64{7, 7.04}) // and fps is 50
	unlike := npz(t, filepath.Join(dir, "unlike.npz"), timed)
	delete(timed, "fps")
	slow := npz(t, filepath.Join(dir, "slow.npz"), timed)
	for _, c := range []struct{ path, mapping, word string }{
		{unlike, "{quaternion: wxyz, units: \"deg, m\"}", "50 rows per second put it at 0.02 s"},
		{slow, "{quaternion: wxyz, units: \"deg, m\", rate: 50}", "50 rows per second put it at 0.02 s"},
		{whole, "", "quaternion"},
		{whole, "quaternion: wxyz", "units"},
		{whole, "{quaternion: wxyz, units: deg}", "no unit for lengths"},
		{whole, "{quaternion: xyzw, units: \"deg, m\", rate: 60}", "says 50 rows per second"},
		{without("fps"), "{quaternion: wxyz, units: \"deg, m\"}", "rate"},
		{without("root_rot"), "{quaternion: wxyz, units: \"deg, m\"}", "by half"},
		{without("joint_names"), "{quaternion: wxyz, units: \"deg, m\"}", "does not name its joints"},
		{without("dof_pos"), "{quaternion: wxyz, units: \"deg, m\"}", "no array of positions"},
	} {
		var m *Mapping
		if c.mapping != "" {
			m = mapping(t, c.mapping)
		}
		_, err := open(t, c.path, m)
		refused(t, err, c.word, filepath.Base(c.path))
	}
}

func TestMappingsThatAreWrong(t *testing.T) {
	for text, word := range map[string]string{
		"units: furlong":       "furlong",
		"rates: 3":             "rates",
		"rate: -1":             "positive",
		"{rate: 1, fps: 1}":    "keep one",
		"quaternion: zyx":      "xyzw",
		"joints: {a: x, b: x}": "both mapped",
		"units: \"rad, deg\"":  "one unit of angles",
	} {
		_, err := ReadMapping(context.Background(), write(t, filepath.Join(t.TempDir(), "map.yaml"), []byte(text)), nil)
		refused(t, err, word, "map.yaml")
	}
}

func TestRoadmaps(t *testing.T) {
	dir := t.TempDir()
	m := mapping(t, "units: rad, m")
	arrays := map[string][]byte{
		"nodes": npy("<f8", "3, 2", []float64{0, 0, 1, 0.5, 2, 1}), "edges": npy("<i4", "2, 2", []int32{0, 1, 2, 1}), "joint_names": texts("hinge", "slide"),
	}
	write(t, filepath.Join(dir, "csv", nodesName), []byte("hinge,slide\n0,0\n1,0.5\n2,1\n"))
	write(t, filepath.Join(dir, "csv", edgesName), []byte("0,1\n2,1\n"))
	for _, path := range []string{npz(t, filepath.Join(dir, "map.npz"), arrays), filepath.Join(dir, "csv")} {
		src, err := open(t, path, m)
		if err != nil || src.Len() != 2 {
			t.Fatal(path, err)
		}
		l, err := src.Motion(1)
		if err != nil || !slices.Equal(l.Motion.At(0), []float64{2, 1}) || !slices.Equal(l.Motion.At(1), []float64{1, 0.5}) {
			t.Errorf("%s: %v to %v, %v", path, l.Motion.At(0), l.Motion.At(1), err)
		}
		_, err = open(t, path, nil)
		refused(t, err, "units")
	}
	for name, change := range map[string]func(){
		"of 3 from 0":   func() { arrays["edges"] = npy("<i4", "1, 2", []int32{0, 3}) },
		"edge 0 ends":   func() { arrays["edges"] = npy("<i4", "1, 2", []int32{-1, 0}) },
		"not finite":    func() { arrays["nodes"] = npy("<f8", "3, 2", []float64{0, math.NaN(), 1, 0.5, 2, 1}) },
		"2 columns":     func() { arrays["joint_names"] = texts("hinge") },
		"Python object": func() { arrays["nodes"] = npy("|O", "3, 2", []byte{1}) },
	} {
		before := map[string][]byte{}
		for k, v := range arrays {
			before[k] = v
		}
		change()
		_, err := open(t, npz(t, filepath.Join(dir, "bad.npz"), arrays), m)
		refused(t, err, name, "bad.npz")
		arrays = before
	}
}

// frame is a row of a dataset, with the types of columns as LeRobot writes them.
type frame struct {
	State     []float32 `parquet:"observation.state,list"`
	Action    []float32 `parquet:"action,list"`
	Timestamp float32   `parquet:"timestamp"`
	Frame     int64     `parquet:"frame_index"`
	Episode   int64     `parquet:"episode_index"`
	Index     int64     `parquet:"index"`
	Task      int64     `parquet:"task_index"`
}

const infoText = `{"codebase_version": "v2.1", "fps": 10, "features": {
 "observation.state": {"dtype": "float32", "shape": [2], "names": ["hinge", "grip"]},
 "action": {"dtype": "float32", "shape": [2], "names": {"motors": ["hinge", "grip"]}},
 "observation.images.top": {"dtype": "video", "shape": [480, 640, 3], "names": ["height", "width", "channels"]}}}`

func leRobot(t *testing.T, frames []frame) string {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, infoName), []byte(infoText))
	var b bytes.Buffer
	w := parquet.NewGenericWriter[frame](&b, parquet.Compression(&parquet.Snappy))
	if _, err := w.Write(frames); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "data", "chunk-000", "file-000.parquet"), b.Bytes())
	return dir
}

func frames() (out []frame) {
	for e := range 3 {
		for k := range 4 {
			out = append(out, frame{[]float32{float32(90 * e), float32(k)}, []float32{float32(e), 7}, float32(k) / 10, int64(k), int64(e + 5), int64(4*e + k), 0})
		}
	}
	return out
}

func TestLeRobot(t *testing.T) {
	dir := leRobot(t, frames())
	src, err := open(t, dir, mapping(t, "units: deg\njoints: {hinge: shoulder, grip: _}"))
	if err != nil || src.Len() != 3 {
		t.Fatal(src, err)
	}
	l, err := src.Motion(2)
	if err != nil {
		t.Fatal(err)
	}
	if got := l.Motion; l.Episode != 7 || l.ID != "file-000.parquet#7" || !slices.Equal(got.Joints, []string{"shoulder"}) || got.At(0)[0] != 180*(math.Pi/180) || got.Duration() != 3/10.0 {
		t.Errorf("episode %d, %s: joints %v from %v in %g s", l.Episode, l.ID, got.Joints, got.At(0), got.Duration())
	}
	if said := strings.Join(l.Premises, "\n"); !strings.Contains(said, "columns left out by the mapping: 1") || !strings.Contains(said, "column: observation.state") {
		t.Error(said)
	}
	src, err = open(t, dir, mapping(t, "{units: rad, column: action}"))
	if err != nil {
		t.Fatal(err)
	}
	if l, err := src.Motion(1); err != nil || l.Motion.At(0)[0] != 1 || l.Motion.At(0)[1] != 7 {
		t.Error(l.Motion.At(0), err)
	}
	_, err = open(t, dir, nil)
	refused(t, err, "units")
	_, err = open(t, dir, mapping(t, "{units: rad, rate: 30}"))
	refused(t, err, "correct one")
	_, err = open(t, dir, mapping(t, "{units: rad, column: state}"))
	refused(t, err, "no feature state")
}

func TestLeRobotThatIsWrong(t *testing.T) {
	m := "units: rad"
	for word, change := range map[string]func([]frame){
		"frame 9":             func(f []frame) { f[2].Frame = 9 },
		"timestamp":           func(f []frame) { f[2].Timestamp = 0.4 },
		"finite":              func(f []frame) { f[2].State[0] = float32(math.NaN()) },
		"stand together":      func(f []frame) { f[2].Episode = 6 },
		"1 numbers in row 10": func(f []frame) { f[10].State = f[10].State[:1] },
	} {
		f := frames()
		change(f)
		src, err := open(t, leRobot(t, f), mapping(t, m))
		if err == nil {
			_, err = src.Motion(0)
		}
		refused(t, err, word)
	}
	path := filepath.Join(leRobot(t, frames()), "data", "chunk-000", "file-000.parquet")
	_, err := open(t, path, mapping(t, m))
	refused(t, err, "needs the dataset")
}

// A damaged Parquet file is an error or gives other numbers, and never ends the program.
func TestDamagedParquet(t *testing.T) {
	dir := leRobot(t, frames())
	path := filepath.Join(dir, "data", "chunk-000", "file-000.parquet")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m := mapping(t, "units: rad")
	errors := 0
	for i := 0; i < len(whole); i += 1 + len(whole)/400 {
		bad := slices.Clone(whole)
		bad[i] ^= 0xff
		write(t, path, bad)
		if src, err := open(t, dir, m); err != nil {
			errors++
		} else {
			for k := range src.Len() {
				_, _ = src.Motion(k)
			}
		}
	}
	write(t, path, whole[:len(whole)/2])
	if _, err := open(t, dir, m); err == nil {
		t.Error("half a file is read")
	}
	if errors < 100 {
		t.Errorf("%d of some 400 damaged files are refused", errors)
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b.csv", "a.csv", "sub/c.npz", "README.md", ".hidden", "map.yaml"} {
		write(t, filepath.Join(dir, name), nil)
	}
	files, ignored, err := Find(context.Background(), []string{dir, filepath.Join(dir, "*.csv")}, filepath.Join(dir, "map.yaml"))
	var names []string
	for _, f := range files {
		names = append(names, filepath.Base(f.Path)+" "+string(f.Kind))
	}
	if err != nil || !slices.Equal(names, []string{"a.csv plain", "b.csv plain", "c.npz npz"}) || len(ignored) != 2 {
		t.Error(names, ignored, err)
	}
	for _, arg := range []string{"-", filepath.Join(dir, "none*"), filepath.Join(dir, "[")} {
		if _, _, err := Find(context.Background(), []string{arg}, ""); err == nil {
			t.Errorf("%s is no error", arg)
		}
	}
}

func FuzzNPY(f *testing.F) {
	f.Add(texts("a", "b"))
	f.Add(npy("<f4", "2, 2", []float32{1, 2, 3, 4}))
	f.Add(npy(">i2", "", []int16{1}))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := parseNPY(data)
		if err == nil {
			_, _ = a.rows()
		}
	})
}
