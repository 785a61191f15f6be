// Package dataset reads folders and files with many motions: datasets for learning in the layout
// of LeRobot, retargeted motions in NPZ files, roadmaps, and every file that
// motion/motionfile and rosbag read. A motion keeps what its reader assumed: units, rate,
// columns that it left out. What is not understood is an error and never a motion.
package dataset

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/firstcontact-ros/firstcontact/internal/base/infile"
	"github.com/firstcontact-ros/firstcontact/internal/base/limit"
	"github.com/firstcontact-ros/firstcontact/motion/motionfile"
	"github.com/firstcontact-ros/firstcontact/rosbag"
)

// File is one file, or folder that counts as one, with motions.
type File struct {
	Path   string // as messages name it
	Kind   Kind
	Folder string // of the dataset that the file belongs to, for Kind LeRobot
	// Problem, if there is one, was noticed when the file was found: it is then no motion.
	Problem string `json:",omitempty"`
}

// Kind is how a file is read.
type Kind string

// The kinds of files.
const (
	Plain   Kind = "plain"   // what motion/motionfile and rosbag read
	LeRobot Kind = "lerobot" // a Parquet file of a dataset with meta/info.json
	NPZ     Kind = "npz"     // arrays of positions, or nodes and edges
	Roadmap Kind = "roadmap" // a folder with nodes.csv and edges.csv
)

// Loaded is one motion and what its reader says of it.
type Loaded struct {
	motionfile.Loaded
	ID       string
	Episode  int      // of a dataset; -1 where there are none
	Premises []string // what the reader assumed, the same slice for all motions of a file where possible
}

// Source is an open file. Its methods may be called by several goroutines at once.
type Source interface {
	// Len is the number of motions.
	Len() int
	// Motion returns the i-th motion. An error is about this motion alone.
	Motion(i int) (Loaded, error)
}

// Options say how files are read.
type Options struct {
	Motion  motionfile.Options
	Topics  []string // of recordings
	Mapping *Mapping // nil: none
}

// Find lists the files that arguments name: files, patterns, and folders with all below them,
// in a fixed order, each once, without those of skip and what is below them. It also lists the files of folders that hold no
// motions by their names, such as pictures and licences. An argument that names nothing is an error.
func Find(ctx context.Context, args []string, skip ...string) (files []File, ignored []string, err error) {
	f := finder{ctx: ctx, seen: map[string]bool{}, passed: map[string]bool{}}
	for _, path := range skip {
		if path != "" {
			f.passed[place(path)] = true
		}
	}
	for _, arg := range args {
		if err := f.argument(arg); err != nil {
			return nil, nil, err
		}
	}
	if len(f.files) == 0 {
		return nil, nil, fmt.Errorf("%s: no file with motions", strings.Join(args, " "))
	}
	return f.files, f.ignored, nil
}

type finder struct {
	ctx     context.Context
	seen    map[string]bool // files, by their absolute names
	passed  map[string]bool // what is not looked at, or was, by where it is without links
	files   []File
	ignored []string
}

func (f *finder) argument(arg string) error {
	if arg == "-" {
		return errors.New("standard input: a batch may have to read its input again: give a file")
	}
	if f.exists(arg) {
		return f.path(arg)
	}
	found, err := filepath.Glob(arg)
	if err != nil {
		return fmt.Errorf("%s: %w", arg, err)
	}
	if len(found) == 0 {
		return fmt.Errorf("%s: there is no such file or folder", arg)
	}
	for _, path := range found {
		if err := f.path(path); err != nil {
			return err
		}
	}
	return nil
}

// exists reports whether the argument names a file as it stands, without what selects a part.
func (f *finder) exists(arg string) bool {
	file, _, _ := strings.Cut(arg, "#")
	_, err := os.Stat(arg)
	_, errFile := os.Stat(file)
	return err == nil || errFile == nil
}

func (f *finder) path(path string) error {
	if err := f.ctx.Err(); err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		f.add(File{Path: path, Kind: kindOf(path)})
		return nil
	}
	if !f.enter(path) {
		return nil
	}
	belongs := func(string) bool { return false } // whether a file is part of what the folder counts as
	switch {
	case isFile(filepath.Join(path, infoName)):
		return f.leRobot(path)
	case isFile(filepath.Join(path, nodesName)) && isFile(filepath.Join(path, edgesName)):
		f.add(File{Path: path, Kind: Roadmap})
		belongs = isOfRoadmap
	case rosbag.Is(f.ctx, path):
		f.add(File{Path: path, Kind: Plain})
		belongs = rosbag.Owns
	}
	return f.entries(path, belongs)
}

// entries adds what is in a folder and below, without the files that belong to the folder as one input.
func (f *finder) entries(path string, belongs func(path string) bool) error {
	entries, err := os.ReadDir(path)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := filepath.Join(path, e.Name())
		switch {
		case !isDir(name) && belongs(name):
		case hidden(name) || !isDir(name) && noMotion(e.Name()):
			f.ignored = append(f.ignored, name)
		case isDir(name):
			if err := f.path(name); err != nil {
				return err
			}
		default:
			f.add(File{Path: name, Kind: kindOf(name)})
		}
	}
	return nil
}

// enter reports whether a folder is to be looked at, which it is once: links may lead in a circle.
func (f *finder) enter(dir string) bool {
	at := place(dir)
	first := !f.passed[at]
	f.passed[at] = true
	return first
}

// below calls take with all files below a folder.
func (f *finder) below(dir string, take func(path string)) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		switch {
		case f.ctx.Err() != nil:
			return f.ctx.Err()
		case !isDir(name):
			take(name)
		case f.enter(name):
			err = errors.Join(err, f.below(name, take))
		}
	}
	return err
}

func (f *finder) add(file File) {
	at := absolute(file.Path)
	if f.seen[at] || !isDir(file.Path) && f.passed[place(file.Path)] {
		return
	}
	f.seen[at] = true
	f.files = append(f.files, file)
}

// Contents returns the files that a file consists of, by their names relative to one folder: itself, all files of a
// folder, or a Parquet file with the description of its dataset.
func Contents(file File) (map[string]string, error) {
	path, _ := infile.CutSelector(file.Path)
	if file.Folder != "" {
		name, err := filepath.Rel(file.Folder, path)
		return map[string]string{name: path, infoName: filepath.Join(file.Folder, infoName)}, err
	}
	base := filepath.Base(path)
	if file.Kind == Roadmap {
		return map[string]string{filepath.Join(base, nodesName): filepath.Join(path, nodesName), filepath.Join(base, edgesName): filepath.Join(path, edgesName)}, nil
	}
	out := map[string]string{}
	return out, contents(out, base, path, 0)
}

// maxDepth bounds how deep folders of recordings are, and links that lead in a circle.
const maxDepth = 8

// contents adds a file, or all files of a folder and below.
func contents(out map[string]string, name, path string, depth int) error {
	if !isDir(path) {
		out[name] = path
		return nil
	}
	if depth > maxDepth {
		return fmt.Errorf("%s: lies deeper in folders than is read", path)
	}
	entries, err := os.ReadDir(path)
	for _, e := range entries {
		err = errors.Join(err, contents(out, filepath.Join(name, e.Name()), filepath.Join(path, e.Name()), depth+1))
	}
	return err
}

// At returns the file as it is where its Contents lie below another folder.
func At(file File, folder string) File {
	path, selector := infile.CutSelector(file.Path)
	name := filepath.Base(path)
	if file.Folder != "" {
		name, _ = filepath.Rel(file.Folder, path) // Contents has told the error
		file.Folder = folder
	}
	file.Path = filepath.Join(folder, name)
	if selector != "" {
		file.Path += "#" + selector
	}
	return file
}

// kindOf tells the kind of a file by its name; what it holds is told when it is read.
func kindOf(path string) Kind {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".npz":
		return NPZ
	case ".parquet":
		return LeRobot
	}
	return Plain
}

// without are the endings of files in datasets that hold no motions.
var without = []string{".md", ".txt.license", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".mp4", ".webm", ".avi", ".pdf", ".html", ".gitattributes", ".sum", ".sha256"}

// hidden reports whether a file or folder is one that listings leave out.
func hidden(path string) bool { return strings.HasPrefix(filepath.Base(path), ".") }

func noMotion(name string) bool {
	lower := strings.ToLower(name)
	return lower == "license" || lower == "readme" || lower == "licence" || slices.ContainsFunc(without, func(end string) bool { return strings.HasSuffix(lower, end) })
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func absolute(path string) string {
	if path == "" {
		return ""
	}
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// place is where a file is, without links, if it is there.
func place(path string) string {
	path = absolute(path)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// Stamp tells whether a file may have changed, without reading it: the names, sizes and times of all that it consists of.
func Stamp(file File) (string, error) {
	paths, err := Contents(file)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(file.Problem)
	for _, name := range slices.Sorted(maps.Keys(paths)) {
		info, err := os.Stat(paths[name])
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "%q %d %d\n", name, info.Size(), info.ModTime().UnixNano())
	}
	return b.String(), nil
}

// Open reads a file. The error names it.
func Open(ctx context.Context, file File, opts Options) (Source, error) {
	if file.Problem != "" {
		return nil, errors.New(file.Problem)
	}
	switch file.Kind {
	case LeRobot:
		return openLeRobot(ctx, file, opts)
	case NPZ:
		return openNPZ(ctx, file.Path, opts)
	case Roadmap:
		return openRoadmapFolder(ctx, file.Path, opts)
	}
	return openPlain(ctx, file.Path, opts)
}

// plain is the motions of a file that another package reads.
type plain struct {
	loaded   []motionfile.Loaded
	base     string
	premises []string
}

func openPlain(ctx context.Context, path string, opts Options) (Source, error) {
	p := &plain{base: filepath.Base(path), premises: []string{"units: rad, m and s, as the format has them"}}
	mo, bag, table := opts.Motion, rosbag.Is(ctx, path), false
	if opts.Mapping != nil && !bag {
		file, _ := infile.CutSelector(path)
		data, err := infile.Read(ctx, file, limit.DocumentBytes)
		if err != nil {
			return nil, err
		}
		table = motionfile.IsTable(data, mo)
	}
	err := opts.Mapping.plain(&mo, table)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, err)
	case bag:
		p.loaded, err = rosbag.Load(ctx, path, rosbag.Options{Topics: opts.Topics, Motion: mo})
	default:
		p.loaded, err = motionfile.LoadContext(ctx, path, mo)
	}
	if err != nil {
		return nil, err
	}
	if table {
		p.premises = opts.Mapping.premises()
		return p, nil
	}
	for i := range p.loaded {
		for _, name := range p.loaded[i].Motion.Joints {
			if to := opts.Mapping.joint(name); to != name {
				return nil, fmt.Errorf("%s: names its joints itself, and %s maps %s to %s: that is for tables and arrays", path, opts.Mapping.name(), name, to)
			}
		}
	}
	return p, nil
}

func (p *plain) Len() int { return len(p.loaded) }

func (p *plain) Motion(i int) (Loaded, error) {
	l := Loaded{Loaded: p.loaded[i], ID: p.loaded[i].Motion.ID, Episode: -1, Premises: p.premises}
	if l.ID == "" {
		l.ID = p.base
		if len(p.loaded) > 1 {
			l.ID = fmt.Sprintf("%s#%d", p.base, i)
		}
	}
	return l, nil
}
