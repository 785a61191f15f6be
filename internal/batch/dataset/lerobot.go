package dataset

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/firstcontact-ros/firstcontact/internal/base/document"
	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/motion"
	"github.com/firstcontact-ros/firstcontact/motion/motionfile"
)

// infoName is the file that describes a dataset in the layout of LeRobot, versions 2.0 to 3.0.
var infoName = filepath.Join("meta", "info.json")

// defaultColumn is the column that is checked: what the robot did.
const defaultColumn = "observation.state"

// leRobot lists the Parquet files of a dataset: all below data. What else there is, is ignored.
func (f *finder) leRobot(dir string) error {
	var files []string
	data := filepath.Join(dir, "data") + string(filepath.Separator)
	err := f.below(dir, func(path string) {
		switch {
		case strings.HasPrefix(path, data) && strings.EqualFold(filepath.Ext(path), ".parquet") && !hidden(path):
			files = append(files, path)
		case path != filepath.Join(dir, infoName):
			f.ignored = append(f.ignored, path)
		}
	})
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("%s: has %s but no Parquet files below data", dir, infoName)
	}
	for _, path := range files {
		f.add(File{Path: path, Kind: LeRobot, Folder: dir})
	}
	if problem := incomplete(f.ctx, dir, files); problem != "" {
		f.add(File{Path: filepath.Join(dir, infoName), Kind: LeRobot, Folder: dir, Problem: problem})
	}
	return nil
}

// incomplete says what is wrong with the files of a dataset together: an episode that is in two of them, or other numbers of episodes
// and frames than there are to be; empty if nothing is, as far as that is known. What is wrong with a file is told where it is read.
func incomplete(ctx context.Context, dir string, files []string) string {
	in, err := readTotals(ctx, dir)
	if err != nil {
		return ""
	}
	place, frames, whole := map[int]string{}, 0, true
	for _, path := range files {
		numbers, n, err := episodesOf(ctx, path)
		if err != nil {
			whole = false
			continue
		}
		for _, number := range numbers {
			if other, twice := place[number]; twice {
				return fmt.Sprintf("%s: episode %d is in %s and in %s: one of them is not what it is called, or a copy", in.path, number, other, path)
			}
			place[number] = path
		}
		frames += n
	}
	const not = "the dataset is not complete, or has other files too"
	switch {
	case !whole:
		return ""
	case in.frames != 0 && frames != in.frames:
		return fmt.Sprintf("%s: says that there are %d frames, and the files below data have %d: %s", in.path, in.frames, frames, not)
	case in.episodes != 0 && len(place) != in.episodes:
		return fmt.Sprintf("%s: says that there are %d episodes, and the files below data have %d: %s", in.path, in.episodes, len(place), not)
	}
	for n := range in.episodes {
		if place[n] == "" {
			return fmt.Sprintf("%s: says that there are %d episodes, and none has the number %d: %s", in.path, in.episodes, n, not)
		}
	}
	return ""
}

// episodesOf lists the episodes of a Parquet file, and counts its rows.
func episodesOf(ctx context.Context, path string) (numbers []int, rows int, err error) {
	f, err := infile.Open(ctx, path, limit.BagBytes)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	size, err := f.Size()
	if err != nil {
		return nil, 0, err
	}
	p, err := openParquet(f, size)
	if err != nil {
		return nil, 0, err
	}
	column, err := scalars(p, episodeColumn)
	if err != nil {
		return nil, 0, err
	}
	var e episodes
	err = e.divide(column)
	return e.number, len(column), err
}

// episodeColumn has the number of each row's episode.
const episodeColumn = "episode_index"

// info is what meta/info.json says of a dataset and a column.
type info struct {
	path     string
	doc      document.Value
	frames   int // of all episodes; 0: not said
	episodes int // as well
	rate     float64
	column   string
	names    []string
	width    int
}

func readTotals(ctx context.Context, dir string) (*info, error) {
	path := filepath.Join(dir, infoName)
	data, err := infile.Read(ctx, path, limit.DocumentBytes)
	if err != nil {
		return nil, err
	}
	docs, err := document.Parse(path, data)
	if err != nil {
		return nil, err
	}
	if len(docs) != 1 {
		return nil, fmt.Errorf("%s: is not one document", path)
	}
	in := &info{path: path, doc: docs[0], column: defaultColumn}
	for key, total := range map[string]*int{"total_frames": &in.frames, "total_episodes": &in.episodes} {
		if v, ok := in.doc.Find(key); ok {
			if *total, err = v.Int(key); err != nil {
				return nil, err
			}
		}
	}
	return in, nil
}

func readInfo(ctx context.Context, dir string, m *Mapping) (*info, error) {
	in, err := readTotals(ctx, dir)
	if err != nil {
		return nil, err
	}
	path := in.path
	if m != nil && m.column != "" {
		in.column = m.column
	}
	fps, ok := in.doc.Find("fps")
	if !ok {
		return nil, fmt.Errorf("%s: does not say fps, the rate of the rows", path)
	}
	if in.rate, err = fps.Float("fps"); err != nil {
		return nil, err
	}
	if !(in.rate > 0) {
		return nil, fps.Errorf("fps of %g: give a positive number", in.rate)
	}
	features, _ := in.doc.Find("features")
	feature, ok := features.Find(in.column)
	if !ok {
		return nil, fmt.Errorf("%s: has no feature %s: name one of %s as column in the mapping (--map FILE)", path, in.column, strings.Join(features.Keys(), ", "))
	}
	return in, in.readFeature(feature)
}

// readFeature reads how wide a column is and what its numbers are called: a list of names, or one list under
// another key, such as motors.
func (in *info) readFeature(v document.Value) (err error) {
	shape, ok := v.Find("shape")
	if !ok {
		return v.Errorf("%s has no shape", in.column)
	}
	list, err := shape.List("shape")
	if err != nil {
		return err
	}
	if len(list) != 1 {
		return shape.Errorf("%s has %d dimensions: a list of positions has one", in.column, len(list))
	}
	if in.width, err = list[0].Int("shape"); err != nil {
		return err
	}
	names, ok := v.Find("names")
	if !ok {
		return nil
	}
	if names.IsMap() {
		keys := names.Keys()
		if len(keys) != 1 {
			return names.Errorf("names of %s are %d lists: one is needed", in.column, len(keys))
		}
		names, _ = names.Find(keys[0])
	}
	in.names, err = names.Strs("names")
	return err
}

// episodes is the motions of a Parquet file.
type episodes struct {
	base     string
	in       *info
	m        *Mapping
	joints   []string
	premises []string
	first    []int // the row that each episode begins with, and the end
	number   []int // of each episode
	rows     [][]float64
	frames   []float64
	stamps   []float64 // empty: the file has none
}

func openLeRobot(ctx context.Context, file File, opts Options) (Source, error) {
	if file.Folder == "" {
		return nil, fmt.Errorf("%s: a Parquet file needs the dataset that describes it: give the folder with %s", file.Path, infoName)
	}
	in, err := readInfo(ctx, file.Folder, opts.Mapping)
	if err != nil {
		return nil, err
	}
	m := opts.Mapping
	names := in.names
	if len(names) == 0 && m != nil {
		names = m.columns
	}
	if len(names) != in.width {
		return nil, fmt.Errorf("%s: %s has %d numbers and %d names: list them as columns in the mapping (--map FILE)", in.path, in.column, in.width, len(names))
	}
	e := &episodes{base: filepath.Base(file.Path), in: in, m: m, joints: mapped(m, names)}
	if err := m.needs(kept(e.joints), false); err != nil {
		return nil, fmt.Errorf("%s: %w", file.Folder, err)
	}
	if m.rate > 0 && m.rate != in.rate {
		return nil, fmt.Errorf("%s: says %g rows per second, %s says %g: correct one", in.path, in.rate, m.name(), m.rate)
	}
	e.premises = []string{
		fmt.Sprintf("units: %s, by %s", m.words, m.name()), fmt.Sprintf("rate: %g rows per second, by %s", in.rate, infoName),
		"column: " + in.column, "root: the dataset does not place it; it stands still",
	}
	if in.frames == 0 {
		e.premises = append(e.premises, "completeness: "+filepath.ToSlash(infoName)+" does not say how many frames there are")
	}
	e.premises = append(e.premises, leftOut(e.joints, nil)...)
	if err := e.read(ctx, file.Path); err != nil {
		return nil, fmt.Errorf("%s: %w", file.Path, err)
	}
	return e, nil
}

// read takes the columns that make motions from a Parquet file.
func (e *episodes) read(ctx context.Context, path string) error {
	f, err := infile.Open(ctx, path, limit.BagBytes)
	if err != nil {
		return err
	}
	defer f.Close()
	size, err := f.Size()
	if err != nil {
		return err
	}
	p, err := openParquet(f, size)
	if err != nil {
		return err
	}
	if e.rows, err = lists(p, e.in.column, e.in.width); err != nil {
		return err
	}
	episode, err := scalars(p, episodeColumn)
	if err != nil {
		return err
	}
	if e.frames, err = scalars(p, "frame_index"); err != nil {
		return err
	}
	if p.Root().Column("timestamp") != nil {
		if e.stamps, err = scalars(p, "timestamp"); err != nil {
			return err
		}
	}
	if len(episode) != len(e.rows) || len(e.frames) != len(e.rows) || e.stamps != nil && len(e.stamps) != len(e.rows) {
		return fmt.Errorf("columns have %d, %d and %d rows", len(e.rows), len(episode), len(e.frames))
	}
	return e.divide(episode)
}

// openParquet is parquet.OpenFile for files that may be damaged.
func openParquet(f io.ReaderAt, size int64) (p *parquet.File, err error) {
	defer recovered(&err)
	p, err = parquet.OpenFile(f, size, parquet.SkipBloomFilters(true), parquet.SkipPageIndex(true))
	if err != nil {
		err = fmt.Errorf("is no Parquet file, or damaged: %w", err)
	}
	return p, err
}

// recovered turns a panic of the Parquet reader into an error: damaged files cause some.
func recovered(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("is damaged: %v", r)
	}
}

// divide finds where episodes begin. The rows of one stand together.
func (e *episodes) divide(episode []float64) error {
	seen := map[int]bool{}
	for i, x := range episode {
		if x != math.Trunc(x) || math.Abs(x) >= 1<<53 {
			return fmt.Errorf("row %d has %s %g, which is no number of an episode", i, episodeColumn, x)
		}
		n := int(x)
		if k := len(e.number); k > 0 && e.number[k-1] == n {
			continue
		}
		if seen[n] {
			return fmt.Errorf("the rows of episode %d do not stand together", n)
		}
		seen[n] = true
		e.first, e.number = append(e.first, i), append(e.number, n)
	}
	e.first = append(e.first, len(episode))
	if len(e.number) == 0 {
		return errors.New("has no rows")
	}
	return nil
}

func (e *episodes) Len() int { return len(e.number) }

func (e *episodes) Motion(i int) (Loaded, error) {
	l := Loaded{ID: fmt.Sprintf("%s#%d", e.base, e.number[i]), Episode: e.number[i], Premises: e.premises}
	from, to := e.first[i], e.first[i+1]
	t := &table{joints: e.joints, rows: e.rows[from:to], times: make([]float64, to-from)}
	for k := range t.times {
		if e.frames[from+k] != float64(k) {
			return l, fmt.Errorf("row %d of the episode is frame %g: rows are missing or not in order", k, e.frames[from+k])
		}
		t.times[k] = float64(k) / e.in.rate
		if e.stamps != nil && !(math.Abs(e.stamps[from+k]-e.stamps[from]-t.times[k]) < 0.5/e.in.rate) {
			return l, fmt.Errorf("row %d has the timestamp %g s, but %g rows per second put it at %g s: correct fps or the timestamps", k, e.stamps[from+k], e.in.rate, t.times[k])
		}
	}
	m, err := t.motion(e.m)
	if err != nil {
		return l, err
	}
	m.ID = l.ID
	l.Loaded = motionfile.Loaded{Motion: m, Interpolation: motion.StraightLines}
	return l, nil
}

// scalars reads a column with one number in each row.
func scalars(p *parquet.File, name string) ([]float64, error) {
	c := p.Root().Column(name)
	if c == nil || !c.Leaf() {
		return nil, fmt.Errorf("has no column %s of numbers", name)
	}
	var out []float64
	err := values(p, c, func(v parquet.Value) error {
		x, err := number(v, name)
		out = append(out, x)
		return err
	})
	return out, err
}

// lists reads a column with as many numbers in each row.
func lists(p *parquet.File, name string, width int) ([][]float64, error) {
	c := p.Root().Column(name)
	if c == nil {
		return nil, fmt.Errorf("has no column %s", name)
	}
	for !c.Leaf() {
		if len(c.Columns()) != 1 {
			return nil, fmt.Errorf("column %s is no list of numbers", name)
		}
		c = c.Columns()[0]
	}
	if c.MaxRepetitionLevel() != 1 {
		return nil, fmt.Errorf("column %s is no list of numbers, but one number or lists of lists", name)
	}
	var flat []float64
	var starts []int
	err := values(p, c, func(v parquet.Value) error {
		if v.RepetitionLevel() == 0 {
			starts = append(starts, len(flat))
		}
		x, err := number(v, name)
		flat = append(flat, x)
		return err
	})
	if err != nil {
		return nil, err
	}
	starts = append(starts, len(flat))
	rows := make([][]float64, len(starts)-1)
	for i := range rows {
		if rows[i] = flat[starts[i]:starts[i+1]:starts[i+1]]; len(rows[i]) != width {
			return nil, fmt.Errorf("column %s has %d numbers in row %d, want %d", name, len(rows[i]), i, width)
		}
	}
	return rows, nil
}

// number is a value as float64.
func number(v parquet.Value, name string) (float64, error) {
	switch {
	case v.IsNull():
		return 0, fmt.Errorf("column %s has a row without a number", name)
	case v.Kind() == parquet.Float:
		return float64(v.Float()), nil
	case v.Kind() == parquet.Double:
		return v.Double(), nil
	case v.Kind() == parquet.Int32:
		return float64(v.Int32()), nil
	case v.Kind() == parquet.Int64:
		return float64(v.Int64()), nil
	}
	return 0, fmt.Errorf("column %s has values of type %v, want numbers", name, v.Kind())
}

// values calls take for each value of a column.
func values(p *parquet.File, c *parquet.Column, take func(parquet.Value) error) (err error) {
	defer recovered(&err)
	if kind := c.Type().LogicalType(); kind != nil && kind.Integer == nil {
		return fmt.Errorf("column %s has values of type %v, want numbers", c.Name(), c.Type())
	}
	buffer := make([]parquet.Value, 1024)
	for _, group := range p.RowGroups() {
		chunks := group.ColumnChunks()
		if c.Index() >= len(chunks) {
			return errors.New("is damaged: a column is missing")
		}
		if err := pages(chunks[c.Index()], buffer, take); err != nil {
			return err
		}
	}
	return nil
}

// pages reads one chunk of a column.
func pages(chunk parquet.ColumnChunk, buffer []parquet.Value, take func(parquet.Value) error) error {
	all := chunk.Pages()
	defer all.Close()
	for {
		page, err := all.ReadPage()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		for r := page.Values(); ; {
			n, err := r.ReadValues(buffer)
			for _, v := range buffer[:n] {
				if err := take(v); err != nil {
					return err
				}
			}
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return err
			}
		}
		parquet.Release(page)
	}
}
