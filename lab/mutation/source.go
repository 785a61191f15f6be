package main

import (
	"bytes"
	"encoding/json"
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
	"strings"
)

// module is a Go module whose files are changed.
type module struct {
	root    string            // its folder
	exports map[string]string // import path -> file with its export data
	loaded  map[string]*pkg   // by folder, from the root
}

// pkg is one package, parsed and type-checked.
type pkg struct {
	dir   string // from the module's root, with slashes
	path  string // import path
	names []string
	files map[string]*file // by base name
	types *types.Info
	imp   types.Importer
}

// file is one source file of a package.
type file struct {
	path string // from the module's root, with slashes
	src  []byte
	fset *token.FileSet
	tree *ast.File
}

// text returns the source of a node.
func (f *file) text(n ast.Node) string { return string(f.src[f.offset(n.Pos()):f.offset(n.End())]) }

func (f *file) offset(p token.Pos) int { return f.fset.PositionFor(p, false).Offset }

// openModule compiles the given folders of the module, for the export data of
// what they import.
func openModule(root string, dirs []string) (*module, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	m := &module{root: root, exports: make(map[string]string), loaded: make(map[string]*pkg)}
	args := []string{"list", "-export", "-deps", "-json=ImportPath,Export,Dir,GoFiles"}
	for _, d := range dirs {
		args = append(args, "./"+d)
	}
	out, err := m.goCommand(args...)
	if err != nil {
		return nil, err
	}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath, Export, Dir string
			GoFiles                 []string
		}
		if err := dec.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		m.exports[p.ImportPath] = p.Export
		if rel, err := filepath.Rel(root, p.Dir); err == nil && !strings.HasPrefix(rel, "..") {
			dir := filepath.ToSlash(rel)
			m.loaded[dir] = &pkg{dir: dir, path: p.ImportPath, names: p.GoFiles}
		}
	}
	for _, d := range dirs {
		p := m.loaded[d]
		if p == nil {
			return nil, fmt.Errorf("%s: no Go package", d)
		}
		if err := m.load(p); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// goCommand runs the go command in the module's root.
func (m *module) goCommand(args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = m.root
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", args[0], err, stderr.Bytes())
	}
	return out, nil
}

func (m *module) load(p *pkg) error {
	if p.files != nil {
		return nil
	}
	fset := token.NewFileSet()
	p.files = make(map[string]*file)
	p.imp = importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(m.exports[path])
	})
	var trees []*ast.File
	for _, name := range p.names {
		src, err := os.ReadFile(filepath.Join(m.root, p.dir, name))
		if err != nil {
			return err
		}
		tree, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		p.files[name] = &file{path: p.dir + "/" + name, src: src, fset: fset, tree: tree}
		trees = append(trees, tree)
	}
	p.types = &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue),
		Uses:  make(map[*ast.Ident]types.Object),
		Defs:  make(map[*ast.Ident]types.Object),
	}
	_, err := (&types.Config{Importer: p.imp}).Check(p.path, fset, trees, p.types)
	return err
}

// compiles reports whether the package still type-checks with the changed text of
// one of its files.
func (p *pkg) compiles(name string, text []byte) bool {
	fset := token.NewFileSet()
	var trees []*ast.File
	for _, n := range p.names {
		src := p.files[n].src
		if n == name {
			src = text
		}
		tree, err := parser.ParseFile(fset, n, src, parser.SkipObjectResolution)
		if err != nil {
			return false
		}
		trees = append(trees, tree)
	}
	_, err := (&types.Config{Importer: p.imp}).Check(p.path, fset, trees, nil)
	return err == nil
}
