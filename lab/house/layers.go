package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// layers is what the files of a package use of each other.
type layers struct {
	folder   string
	files    []string             // without doc.go; sorted
	arrows   map[[2]string]string // user and used file, to one of the names it uses
	listed   []string             // the files in the order of doc.go, if it names all of them
	unlisted []string             // those that doc.go does not name
}

// built is what go list says of a package.
type built struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
	Standard, DepOnly       bool
}

// listPackages asks go for packages of the module in dir, by patterns, and for the export data of
// all that they import, which it compiles if need be. Cgo is off.
func listPackages(dir string, patterns []string) ([]built, error) {
	cmd := exec.Command("go", append([]string{"list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,Standard,DepOnly"}, patterns...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list in %s: %w\n%s", dir, err, problems.Bytes())
	}
	var all []built
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p built
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
}

// readLayers type-checks the product's packages of more than one file that go list finds
// by the patterns.
func (s *source) readLayers(patterns ...string) ([]layers, error) {
	all, err := listPackages(s.dir, patterns)
	if err != nil {
		return nil, err
	}
	root, err := filepath.Abs(s.dir)
	if err != nil {
		return nil, err
	}
	exports := map[string]string{}
	for _, p := range all {
		exports[p.ImportPath] = p.Export
	}
	set := token.NewFileSet()
	imports := importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("no export data for %s", path)
		}
		return os.Open(exports[path])
	})
	var found []layers
	for _, p := range all {
		folder, err := filepath.Rel(root, p.Dir)
		folder = filepath.ToSlash(folder)
		if p.DepOnly || p.Standard || err != nil || len(p.GoFiles) < 2 || !s.inProduct(folder) {
			continue
		}
		l, err := layersOf(set, imports, p)
		if err != nil {
			return nil, err
		}
		l.folder = folder
		found = append(found, l)
	}
	return found, nil
}

// inProduct reports whether code of the product is in a folder.
func (s *source) inProduct(folder string) bool {
	return slices.ContainsFunc(s.files, func(f file) bool { return !f.lab && !f.test && f.folder() == folder })
}

// layersOf finds which file of a package uses what another one declares.
func layersOf(set *token.FileSet, imports types.Importer, p built) (layers, error) {
	l := layers{arrows: map[[2]string]string{}}
	var syntax []*ast.File
	var doc string
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(set, filepath.Join(p.Dir, name), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return l, err
		}
		syntax = append(syntax, f)
		if name == "doc.go" {
			doc = f.Doc.Text()
		} else if !ast.IsGenerated(f) {
			l.files = append(l.files, name)
		}
	}
	info := types.Info{Uses: map[*ast.Ident]types.Object{}}
	pkg, err := (&types.Config{Importer: imports}).Check(p.ImportPath, set, syntax, &info)
	if err != nil {
		return l, err
	}
	for use, object := range info.Uses {
		from, to := base(set, use.Pos()), base(set, object.Pos())
		if object.Pkg() == pkg && from != to && slices.Contains(l.files, from) && slices.Contains(l.files, to) {
			if known := l.arrows[[2]string{from, to}]; known == "" || use.Name < known {
				l.arrows[[2]string{from, to}] = use.Name
			}
		}
	}
	l.listed, l.unlisted = order(doc, l.files)
	return l, nil
}

func base(set *token.FileSet, pos token.Pos) string { return filepath.Base(set.Position(pos).Filename) }

// goFile is the name of a Go file that is not part of a path.
var goFile = regexp.MustCompile(`(?:^|[^\w/.])(\w+\.go)\b`)

// order returns the files in the order in which a text first names them. If it does not
// name all of them it returns those that it lacks instead.
func order(text string, files []string) (found, missing []string) {
	for _, m := range goFile.FindAllStringSubmatch(text, -1) {
		if slices.Contains(files, m[1]) && !slices.Contains(found, m[1]) {
			found = append(found, m[1])
		}
	}
	missing = slices.DeleteFunc(slices.Clone(files), func(name string) bool { return slices.Contains(found, name) })
	if len(missing) > 0 {
		return nil, missing
	}
	return found, nil
}

// upward returns the arrows that lead to a file further up in an order that begins at
// the ground.
func (l layers) upward(fromGround []string) [][2]string {
	place := map[string]int{}
	for i, name := range fromGround {
		place[name] = i
	}
	var up [][2]string
	for arrow := range l.arrows {
		if place[arrow[0]] < place[arrow[1]] {
			up = append(up, arrow)
		}
	}
	slices.SortFunc(up, func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
	return up
}

// stated returns the upward arrows by the order of doc.go, which may list the files from
// the ground or from the top: of the two, the reading with fewer upward arrows.
func (l layers) stated() [][2]string {
	down := slices.Clone(l.listed)
	slices.Reverse(down)
	up, turned := l.upward(l.listed), l.upward(down)
	if len(turned) < len(up) {
		return turned
	}
	return up
}

// kindest returns an order of the files with few upward arrows: no order is known to
// have fewer, but one may. It moves one file at a time to where it does best.
func (l layers) kindest() []string {
	// Those that use least and are used most first.
	weight := map[string]int{}
	for arrow := range l.arrows {
		weight[arrow[0]]++
		weight[arrow[1]]--
	}
	best := slices.Clone(l.files)
	slices.SortStableFunc(best, func(a, b string) int { return cmp.Compare(weight[a], weight[b]) })
	for count := len(l.upward(best)); ; {
		better := l.moved(best, count)
		if better == nil {
			return best
		}
		best, count = better, len(l.upward(better))
	}
}

// missing says why the order of doc.go does not count.
func (l layers) missing() string {
	return fmt.Sprintf("doc.go does not name %s", strings.Join(l.unlisted, ", "))
}

// moved returns an order with fewer upward arrows than count in which one file has
// another place, or nil.
func (l layers) moved(now []string, count int) []string {
	for i := range now {
		without := slices.Delete(slices.Clone(now), i, i+1)
		for j := range now {
			if next := slices.Insert(slices.Clone(without), j, now[i]); len(l.upward(next)) < count {
				return next
			}
		}
	}
	return nil
}

// writeLayers prints the packages of the product in which arrows between files run
// upward, by the order of doc.go where it lists all files, and by the kindest order.
func (s *source) writeLayers(w io.Writer) error {
	found, err := s.readLayers("./...")
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "Arrows between the files of a package        files  arrows  up by doc.go  up at least\n")
	clean := 0
	for _, l := range found {
		kindest, stated := l.upward(l.kindest()), "-"
		if l.listed != nil {
			stated = strconv.Itoa(len(l.stated()))
		} else if len(kindest) == 0 {
			clean++
			continue
		}
		fmt.Fprintf(w, "  %-42s %5d  %6d  %12s  %11d\n", l.folder, len(l.files), len(l.arrows), stated, len(kindest))
	}
	fmt.Fprintf(w, "  and %d packages without a circle of files\n", clean)
	return nil
}

// writeArrows prints each upward arrow of some packages, by the order of doc.go or else
// by the kindest order, which it prints, too.
func (s *source) writeArrows(w io.Writer, folders []string) error {
	var patterns []string
	for _, folder := range folders {
		patterns = append(patterns, "./"+strings.TrimPrefix(folder, "./"))
	}
	found, err := s.readLayers(patterns...)
	if err != nil {
		return err
	}
	for _, l := range found {
		order, up, by := l.listed, l.stated(), "doc.go"
		if l.listed == nil {
			order, by = l.kindest(), "the kindest order ("+l.missing()+")"
			up = l.upward(order)
		}
		fmt.Fprintf(w, "%s: %d of %d arrows between %d files run upward by %s\n", l.folder, len(up), len(l.arrows), len(l.files), by)
		fmt.Fprintf(w, "  order: %s\n", strings.Join(order, ", "))
		for _, a := range up {
			fmt.Fprintf(w, "  %s uses %s of %s\n", a[0], l.arrows[a], a[1])
		}
	}
	return nil
}
