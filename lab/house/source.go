package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// source is the Go code of a checkout that was written by hand.
type source struct {
	dir   string
	set   *token.FileSet
	files []file // by path
}

// file is one Go file. Its path is relative to the checkout and uses slashes.
type file struct {
	path      string
	lab, test bool // test: also of a package that only tests import
	lines     int  // as wc -l counts them
	code      int  // lines that hold more than blanks and comments
	syntax    *ast.File
}

// folder returns the folder that the file is in: its package.
func (f file) folder() string { return path.Dir(f.path) }

// readSource parses what was written by hand below dir.
func readSource(dir string, lab []string) (*source, error) {
	s := &source{dir: dir, set: token.NewFileSet()}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			named := slices.ContainsFunc(lab, func(folder string) bool { return within(folder, name) })
			if name != "." && skipped(d.Name()) && !named {
				return fs.SkipDir
			}
			return nil
		case !strings.HasSuffix(name, ".go"):
			return nil
		}
		return s.add(name, slices.ContainsFunc(lab, func(folder string) bool { return within(name, folder) }))
	})
	if err != nil {
		return nil, err
	}
	if len(s.files) == 0 {
		return nil, fmt.Errorf("%s holds no Go files", dir)
	}
	module, err := moduleOf(dir)
	if err != nil {
		return nil, err
	}
	s.markSupport(module)
	return s, nil
}

// markSupport makes tests of the internal packages that only tests import, directly or
// through each other: what tests share.
func (s *source) markSupport(module string) {
	for {
		support := s.support(module)
		if len(support) == 0 {
			return
		}
		for i, f := range s.files {
			s.files[i].test = f.test || support[f.folder()]
		}
	}
}

// support finds internal packages of code that no code imports.
func (s *source) support(module string) map[string]bool {
	found := map[string]bool{}
	for _, f := range s.files {
		if !f.test && !f.lab && f.syntax.Name.Name != "main" && isInternal(f.folder()) {
			found[f.folder()] = true
		}
	}
	for _, f := range s.files {
		for _, spec := range f.syntax.Imports {
			q, err := strconv.Unquote(spec.Path.Value)
			if inside, ok := strings.CutPrefix(q, module+"/"); err == nil && ok && !f.test && inside != f.folder() {
				delete(found, inside)
			}
		}
	}
	return found
}

func isInternal(folder string) bool {
	return slices.Contains(strings.Split(folder, "/"), "internal")
}

// skipped reports whether a folder of that name holds no code of ours.
func skipped(name string) bool {
	return strings.HasPrefix(name, ".") || name == "testdata" || name == "vendor"
}

// within reports whether a path is a folder or below it.
func within(name, folder string) bool {
	return name == folder || strings.HasPrefix(name, folder+"/")
}

// add parses a file and keeps it unless it is generated.
func (s *source) add(name string, lab bool) error {
	text, err := os.ReadFile(filepath.Join(s.dir, filepath.FromSlash(name)))
	if err != nil {
		return err
	}
	syntax, err := parser.ParseFile(s.set, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	if ast.IsGenerated(syntax) {
		return nil
	}
	s.files = append(s.files, file{
		path: name, lab: lab, test: strings.HasSuffix(name, "_test.go"),
		lines: bytes.Count(text, []byte("\n")), code: codeLines(text), syntax: syntax,
	})
	return nil
}

// codeLines counts the lines that a token other than a comment touches.
func codeLines(text []byte) int {
	set := token.NewFileSet()
	f := set.AddFile("", set.Base(), len(text))
	var scan scanner.Scanner
	scan.Init(f, text, nil, 0)
	count, last := 0, 0
	for {
		pos, tok, literal := scan.Scan()
		if tok == token.EOF {
			return count
		}
		if tok == token.SEMICOLON && literal == "\n" {
			continue // inserted at the end of a line that is counted already
		}
		first := f.Line(pos)
		end := first + strings.Count(literal, "\n")
		count += end - max(first-1, last)
		last = end
	}
}

// sum adds up the files that are wanted.
func (s *source) sum(wanted func(file) bool) (t totals) {
	folders := map[string]bool{}
	for _, f := range s.files {
		if wanted(f) {
			t.files++
			t.lines += f.lines
			t.code += f.code
			folders[f.folder()] = true
		}
	}
	t.packages = len(folders)
	return t
}

type totals struct{ packages, files, lines, code int }

// writeLines prints how much there is of product and lab. A package counts where it
// has such files: one that holds only tests has none without.
func (s *source) writeLines(w io.Writer) {
	fmt.Fprintf(w, "Written by hand            packages  files   lines  of code\n")
	row := func(name string, wanted func(file) bool) {
		t := s.sum(wanted)
		fmt.Fprintf(w, "  %-24s %8d %6d %7d %8d\n", name, t.packages, t.files, t.lines, t.code)
	}
	row("product", func(f file) bool { return !f.lab && !f.test })
	row("product, tests", func(f file) bool { return !f.lab && f.test })
	row("lab", func(f file) bool { return f.lab && !f.test })
	row("lab, tests", func(f file) bool { return f.lab && f.test })
	row("all", func(file) bool { return true })
}
