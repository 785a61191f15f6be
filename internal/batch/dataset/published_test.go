package dataset

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// published is the schema of datasets as Arrow writes them: everything may be null, lists have three levels, values are in dictionaries.
func published() *parquet.Schema {
	of := func(t parquet.Type) parquet.Node {
		return parquet.Compressed(parquet.Encoded(parquet.Optional(parquet.Leaf(t)), &parquet.RLEDictionary), &parquet.Snappy)
	}
	list := func(n parquet.Node) parquet.Node { return parquet.Optional(parquet.List(n)) }
	return parquet.NewSchema("schema", parquet.Group{
		"observation.state": list(of(parquet.FloatType)), "action": list(of(parquet.FloatType)), "timestamp": of(parquet.FloatType), "frame_index": of(parquet.Int64Type),
		"episode_index": of(parquet.Int64Type), "index": of(parquet.Int64Type), "task_index": of(parquet.Int64Type), "next.done": of(parquet.BooleanType),
	})
}

// optional is a frame whose fields may be missing.
type optional struct {
	State, Action        []*float32
	Timestamp            *float32
	Frame, Episode, Task *int64
	Index                *int64
	Done                 *bool
}

// rowOf is a frame as values with levels, in the order of columns, which is that of their names.
func rowOf(f *optional) (row parquet.Row) {
	column := 0
	one := func(v parquet.Value, null bool) {
		if null {
			row = append(row, parquet.NullValue().Level(0, 0, column))
		} else {
			row = append(row, v.Level(0, 1, column))
		}
		column++
	}
	list := func(values []*float32) {
		for i, x := range values {
			if x == nil {
				row = append(row, parquet.NullValue().Level(min(i, 1), 2, column))
			} else {
				row = append(row, parquet.FloatValue(*x).Level(min(i, 1), 3, column))
			}
		}
		if values == nil {
			row = append(row, parquet.NullValue().Level(0, 0, column))
		} else if len(values) == 0 {
			row = append(row, parquet.NullValue().Level(0, 1, column))
		}
		column++
	}
	integer := func(x *int64) {
		if x == nil {
			one(parquet.Value{}, true)
			return
		}
		one(parquet.Int64Value(*x), false)
	}
	list(f.Action)
	integer(f.Episode)
	integer(f.Frame)
	integer(f.Index)
	one(parquet.BooleanValue(*f.Done), false)
	list(f.State)
	integer(f.Task)
	if f.Timestamp == nil {
		one(parquet.Value{}, true)
	} else {
		one(parquet.FloatValue(*f.Timestamp), false)
	}
	return row
}

func ref[T any](x T) *T { return &x }

// anEpisode is so many frames of an episode, in which hinge turns 10 degrees a frame.
func anEpisode(number, frames int) (out []*optional) {
	for k := range frames {
		out = append(out, &optional{
			State: []*float32{ref(float32(10 * k)), ref(float32(number))}, Action: []*float32{ref(float32(10*k + 10)), ref(float32(7))},
			Timestamp: ref(float32(k) / 10), Frame: ref(int64(k)), Episode: ref(int64(number)), Index: ref(int64(k)), Task: ref(int64(0)), Done: ref(k == frames-1),
		})
	}
	return out
}

// save writes frames to a file of a dataset.
func save(t *testing.T, path string, frames ...[]*optional) {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewWriter(&b, published())
	for _, list := range frames {
		for _, f := range list {
			if _, err := w.WriteRows([]parquet.Row{rowOf(f)}); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Flush(); err != nil { // a row group for each
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	write(t, path, b.Bytes())
}

// aDataset is three episodes in the layout of version 2, a file for each, or of version 3, all in one.
func aDataset(t *testing.T, version int) string {
	t.Helper()
	dir := t.TempDir()
	text := strings.Replace(infoText, `"fps"`, `"total_episodes": 3, "total_frames": 12, "total_tasks": 1, "chunks_size": 1000, "splits": {"train": "0:3"}, "fps"`, 1)
	write(t, filepath.Join(dir, infoName), []byte(text))
	write(t, filepath.Join(dir, "README.md"), []byte("A dataset."))
	write(t, filepath.Join(dir, "meta", "stats.json"), []byte("{}"))
	if version == 3 {
		write(t, filepath.Join(dir, "meta", "tasks.parquet"), []byte("PAR1"))
		write(t, filepath.Join(dir, "meta", "episodes", "chunk-000", "file-000.parquet"), []byte("PAR1"))
		write(t, filepath.Join(dir, "videos", "observation.images.top", "chunk-000", "file-000.mp4"), nil)
		save(t, filepath.Join(dir, "data", "chunk-000", "file-000.parquet"), anEpisode(0, 4), anEpisode(1, 5), anEpisode(2, 3))
		return dir
	}
	write(t, filepath.Join(dir, "meta", "tasks.jsonl"), []byte("{\"task_index\": 0, \"task\": \"turn\"}\n"))
	write(t, filepath.Join(dir, "meta", "episodes.jsonl"), []byte("{\"episode_index\": 0, \"tasks\": [\"turn\"], \"length\": 4}\n"))
	write(t, filepath.Join(dir, "videos", "chunk-000", "observation.images.top", "episode_000000.mp4"), nil)
	for number, n := range []int{4, 5, 3} {
		save(t, fileOf(dir, number), anEpisode(number, n))
	}
	return dir
}

func fileOf(dir string, number int) string {
	return filepath.Join(dir, "data", "chunk-000", fmt.Sprintf("episode_%06d.parquet", number))
}

// readAll opens all that a dataset consists of, and returns its motions and what is wrong with each that is none.
func readAll(t *testing.T, dir string) (motions []Loaded, wrong []string) {
	t.Helper()
	ctx := context.Background()
	files, _, err := Find(ctx, []string{dir})
	if err != nil {
		t.Fatal(err)
	}
	m := mapping(t, "{units: deg, joints: {hinge: shoulder, grip: _}}")
	for _, file := range files {
		src, err := Open(ctx, file, Options{Mapping: m})
		if err != nil {
			wrong = append(wrong, err.Error())
			continue
		}
		for i := range src.Len() {
			l, err := src.Motion(i)
			if err != nil {
				wrong = append(wrong, err.Error())
			} else {
				motions = append(motions, l)
			}
		}
	}
	return motions, wrong
}

// Datasets of both layouts are read as they are downloaded.
func TestPublishedLayouts(t *testing.T) {
	for _, version := range []int{2, 3} {
		motions, wrong := readAll(t, aDataset(t, version))
		if len(motions) != 3 || len(wrong) > 0 {
			t.Fatalf("version %d: %d motions, %q", version, len(motions), wrong)
		}
		for number, n := range []int{4, 5, 3} {
			l := motions[number]
			if end := l.Motion.At(l.Motion.Duration())[0]; l.Episode != number || l.Motion.Duration() != float64(n-1)/10 || end < 0.17*float64(n-1) || end > 0.18*float64(n-1) {
				t.Errorf("version %d, episode %d: %g s to %g", version, l.Episode, l.Motion.Duration(), end)
			}
		}
	}
}

// Whatever is wrong with a dataset, something says so: no motion of it is missing or another one without a word.
func TestPublishedThatIsWrong(t *testing.T) {
	for word, spoil := range map[string]func(dir string){
		"is in":                 func(dir string) { save(t, fileOf(dir, 2), anEpisode(1, 3)) }, // with as many frames in all
		"11 frames, and":        func(dir string) { replaceIn(t, dir, `"total_frames": 12`, `"total_frames": 11`) },
		"says that there are 4": func(dir string) { replaceIn(t, dir, `"total_episodes": 3`, `"total_episodes": 4`) },
		"none has the number 2": func(dir string) { save(t, fileOf(dir, 2), anEpisode(3, 3)) },
		"files below data have": func(dir string) { remove(t, fileOf(dir, 1)) },
		"stand together":        func(dir string) { save(t, fileOf(dir, 0), anEpisode(0, 2), anEpisode(7, 1), anEpisode(0, 1)) },
		"row 1 of the episode":  func(dir string) { save(t, fileOf(dir, 0), spoiled(func(f []*optional) { f[1], f[2] = f[2], f[1] })) },
		"frame 2: rows":         func(dir string) { save(t, fileOf(dir, 0), spoiled(func(f []*optional) { *f[1].Frame = 2 })) },
		"timestamp":             func(dir string) { save(t, fileOf(dir, 0), spoiled(func(f []*optional) { *f[3].Timestamp = 3 })) },
		"without a number":      func(dir string) { save(t, fileOf(dir, 0), spoiled(func(f []*optional) { f[3].State[1] = nil })) },
		"row without":           func(dir string) { save(t, fileOf(dir, 0), spoiled(func(f []*optional) { f[3].State = nil })) },
		"a row without a":       func(dir string) { save(t, fileOf(dir, 0), spoiled(func(f []*optional) { f[3].State = []*float32{} })) },
		"has a row without":     func(dir string) { save(t, fileOf(dir, 0), spoiled(func(f []*optional) { f[0].Frame = nil })) },
		"3 numbers in row 2": func(dir string) {
			save(t, fileOf(dir, 0), spoiled(func(f []*optional) { f[2].State = append(f[2].State, ref(float32(0))) }))
		},
		"finite": func(dir string) {
			save(t, fileOf(dir, 0), spoiled(func(f []*optional) { f[2].State[0] = ref(float32(math.Inf(1))) }))
		},
		"no rows": func(dir string) { save(t, fileOf(dir, 0), nil) },
		"Parquet": func(dir string) { write(t, fileOf(dir, 0), []byte("PAR1")) },
		"damaged": func(dir string) {
			data, err := os.ReadFile(fileOf(dir, 0))
			if err != nil {
				t.Fatal(err)
			}
			write(t, fileOf(dir, 0), data[:len(data)-20])
		},
		"fps":               func(dir string) { replaceIn(t, dir, `"fps": 10`, `"fps": "ten"`) },
		"fps of 0":          func(dir string) { replaceIn(t, dir, `"fps": 10`, `"fps": 0`) },
		"numbers and 2 nam": func(dir string) { replaceIn(t, dir, `"shape": [2], "names": ["h`, `"shape": [3], "names": ["h`) },
	} {
		dir := aDataset(t, 2)
		spoil(dir)
		if _, wrong := readAll(t, dir); !strings.Contains(strings.Join(wrong, "\n"), word) {
			t.Errorf("%q is not said: %q", word, wrong)
		}
	}
}

// Positions are lists of numbers, as narrow or wide as they are, and nothing else is taken for one.
func TestTypesOfPositions(t *testing.T) {
	m := mapping(t, "{units: deg, joints: {grip: _}}")
	type rest struct {
		Timestamp float32 `parquet:"timestamp"`
		Frame     int64   `parquet:"frame_index"`
		Episode   int64   `parquet:"episode_index"`
	}
	try := func(word string, data []byte) {
		t.Helper()
		dir := t.TempDir()
		write(t, filepath.Join(dir, infoName), []byte(infoText))
		write(t, fileOf(dir, 0), data)
		src, err := open(t, dir, m)
		if word != "" {
			refused(t, err, word)
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if l, err := src.Motion(0); err != nil || l.Motion.At(0)[0] != 90*(math.Pi/180) {
			t.Errorf("%v, %v", l.Motion, err)
		}
	}
	try("", rowsOfType(t, struct {
		State []float64 `parquet:"observation.state,list"`
		rest
	}{[]float64{90, 1}, rest{}}))
	try("", rowsOfType(t, struct {
		State []int32 `parquet:"observation.state"`
		rest
	}{[]int32{90, 1}, rest{}}))
	try("want numbers", rowsOfType(t, struct {
		State []string `parquet:"observation.state,list"`
		rest
	}{[]string{"90", "1"}, rest{}}))
	type date struct {
		At int64 `parquet:"at,timestamp"`
	}
	try("want numbers", rowsOfType(t, struct {
		State []date `parquet:"observation.state"`
		rest
	}{[]date{{90}, {1}}, rest{}}))
	type pair struct {
		Of []float32 `parquet:"of"`
	}
	try("lists of lists", rowsOfType(t, struct {
		State []pair `parquet:"observation.state"`
		rest
	}{[]pair{{[]float32{90, 1}}}, rest{}}))
	try("one number", rowsOfType(t, struct {
		State float32 `parquet:"observation.state"`
		rest
	}{90, rest{}}))
}

func rowsOfType[T any](t *testing.T, row T) []byte {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewGenericWriter[T](&b)
	if _, err := w.Write([]T{row}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Two columns of one joint are an error, whichever way they become that, and so are numbers that are none.
func TestArraysThatAreWrong(t *testing.T) {
	const units = "quaternion: wxyz, units: \"deg, m\""
	for i, c := range []struct {
		mapping, array string
		data           []byte
	}{
		{"{" + units + ", joints: {hinge: slide}}", "", nil},
		{"{" + units + "}", "joint_names", texts("slide", "slide")},
		{"{" + units + "}", "dof_pos", npy("<f4", "2, 2", []float32{0, 0, float32(math.NaN()), 0})},
		{"{" + units + "}", "root_pos", npy("<f8", "2, 3", []float64{0, 0, math.Inf(1), 0, 0, 0})},
		{"{" + units + "}", "root_rot", npy("<f8", "2, 4", []float64{1, 0, 0, 0, math.NaN(), 0, 0, 0})},
		{"{" + units + "}", "root_rot", npy("<f8", "1, 4", []float64{1, 0, 0, 0})},
		{"{" + units + "}", "fps", npy("<f8", "", []float64{math.NaN()})},
		{"{" + units + "}", "time", npy("<f8", "2,", []float64{0, 0})},
		{"{" + units + "}", "time", npy("<f8", "2,", []float64{1, 0})},
		{"{" + units + "}", "time", npy("<f8", "2,", []float64{0, math.NaN()})},
	} {
		arrays := retargeted()
		if c.array == "time" {
			delete(arrays, "fps")
		}
		if c.array != "" {
			arrays[c.array] = c.data
		}
		src, err := open(t, npz(t, filepath.Join(t.TempDir(), "clip.npz"), arrays), mapping(t, c.mapping))
		if err == nil {
			_, err = src.Motion(0)
		}
		if err == nil {
			t.Errorf("%d: %s passes", i, c.array)
		}
	}
}

// spoiled is the first episode with a change.
func spoiled(change func([]*optional)) []*optional {
	f := anEpisode(0, 4)
	change(f)
	return f
}

func replaceIn(t *testing.T, dir, old, new string) {
	t.Helper()
	path := filepath.Join(dir, infoName)
	data, err := os.ReadFile(path)
	if err != nil || !bytes.Contains(data, []byte(old)) {
		t.Fatalf("%s is not there: %v", old, err)
	}
	write(t, path, bytes.Replace(data, []byte(old), []byte(new), 1))
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}
