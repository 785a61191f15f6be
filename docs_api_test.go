package firstcontact_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// api is what the public packages export: names of packages, and of methods and fields
// of types, which are named without their package.
type api struct {
	packages, types map[string]map[string]bool
}

// readAPI reads the public packages of the product.
func readAPI(t *testing.T) api {
	t.Helper()
	a := api{packages: map[string]map[string]bool{}, types: map[string]map[string]bool{}}
	set := token.NewFileSet()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			switch d.Name() {
			case "internal", "lab", "cmd", "testdata", "msgs", "build", "shared", "vendor":
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range f.Decls {
			a.add(f.Name.Name, decl)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func (a api) add(pkg string, decl ast.Decl) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if decl.Recv == nil {
			insert(a.packages, pkg, decl.Name.Name)
			return
		}
		receiver := decl.Recv.List[0].Type
		if star, ok := receiver.(*ast.StarExpr); ok {
			receiver = star.X
		}
		if name, ok := receiver.(*ast.Ident); ok {
			insert(a.types, name.Name, decl.Name.Name)
		}
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			a.addSpec(pkg, spec)
		}
	}
}

func (a api) addSpec(pkg string, spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.ValueSpec:
		for _, name := range spec.Names {
			insert(a.packages, pkg, name.Name)
		}
	case *ast.TypeSpec:
		insert(a.packages, pkg, spec.Name.Name)
		var fields *ast.FieldList
		switch x := spec.Type.(type) {
		case *ast.StructType:
			fields = x.Fields
		case *ast.InterfaceType:
			fields = x.Methods
		default:
			return
		}
		for _, field := range fields.List {
			for _, name := range field.Names {
				insert(a.types, spec.Name.Name, name.Name)
			}
		}
	}
}

func insert(sets map[string]map[string]bool, set, name string) {
	if sets[set] == nil {
		sets[set] = map[string]bool{}
	}
	sets[set][name] = true
}

// TestNamedAPIExists: where a page names what a public package exports (ccd.New), or a
// method or field of an exported type in backquotes (`Checker.Check`), there is one.
func TestNamedAPIExists(t *testing.T) {
	a := readAPI(t)
	exported := regexp.MustCompile(`\b(ccd|motion|motionfile|urdf|scene|geom|premise|selfcollision|pairproof|linkspheres|verify)\.([A-Z]\w*)`)
	member := regexp.MustCompile("`([A-Z]\\w*)\\.([A-Z]\\w*)")
	count := 0
	for page, text := range pagesOf(t) {
		if page == "CHANGELOG.md" {
			continue // it names what was, too
		}
		for _, m := range exported.FindAllStringSubmatch(text, -1) {
			count++
			if !a.packages[m[1]][m[2]] {
				t.Errorf("%s names %s.%s, which does not exist", page, m[1], m[2])
			}
		}
		for _, m := range member.FindAllStringSubmatch(text, -1) {
			if members, ok := a.types[m[1]]; ok && !members[m[2]] {
				t.Errorf("%s names %s.%s, which does not exist", page, m[1], m[2])
			}
		}
	}
	if count < 20 {
		t.Errorf("the pages name %d identifiers", count)
	}
}
